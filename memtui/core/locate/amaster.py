"""The store of @amaster.ai/pi-memory, and Hermes' of the same form: two files for a user (entries sheet 1)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Limit, Profile, Store
from memtui.core.layouts.entry_owners import AMASTER, HERMES
from memtui.core.locate.json_config import read_json
from memtui.core.locate.located import can_write, store_id
from memtui.core.locate.pi_agent import agent_dir
from memtui.core.locate.pi_extensions import Extensions, find_extensions
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass, replace

SECTION = "pi-memory"
FOLDER = "memories"
NAMES = ("MEMORY.md", "USER.md")
LIMIT_KEYS = {"memory": "memoryCharLimit", "user": "userCharLimit"}

_VARIABLE = re.compile(r"\$\{([^}]+)\}|\$([A-Z_][A-Z0-9_]*)")


@dataclass(frozen=True, slots=True)
class _Settings:
    """The merged section, which file named a key, and what is wrong with it."""

    values: Mapping[str, Any]
    sources: Mapping[str, Path]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    """Where the two files are, and why."""

    root: Path
    reason: str
    tier: str
    warnings: tuple[str, ...] = ()


def locate_amaster(env: Env, extensions: Extensions) -> tuple[Store, ...]:
    """amaster's stores, where its extension is loaded or its files are there. Never raises.

    `PI_CODING_AGENT_DIR` moves the settings but not the memories.
    """
    settings = _settings(env, trusted=extensions.trusted)
    default = _Choice(_home(env) / FOLDER, _("the default place of @amaster.ai/pi-memory"), "computed")
    chosen = _data_dir(env, settings) or default
    loaded = extensions.loads(AMASTER.owner)
    limits, odd = _limits(settings)
    warnings = (*settings.warnings, *chosen.warnings, *odd)
    stores = []
    if loaded or _has_files(chosen.root):
        reason = chosen.reason
        if not loaded:
            reason = _("{reason}; pi is not seen to load the extension here").format(reason=reason)
        chosen = replace(chosen, reason=reason, warnings=warnings)
        stores.append(_store(env, AMASTER, chosen, limits, used=loaded))
    return (*stores, *_left_behind(env, AMASTER, default, chosen, "`dataDir`"))


def locate_hermes(env: Env) -> tuple[Store, ...]:
    """Hermes' own stores, where they are there: Hermes reads it in every directory. Never raises."""
    default = _Choice(env.home / ".hermes" / FOLDER, _("the default place of Hermes"), "computed")
    named = env.get("HERMES_HOME")
    chosen = default
    if named:
        root, warnings = _followed(env, named, "HERMES_HOME")
        chosen = _Choice(root / FOLDER, _("HERMES_HOME"), "config", warnings)
    found = [_store(env, HERMES, chosen, HERMES.limits, used=True)] if _has_files(chosen.root) else []
    return (*found, *_left_behind(env, HERMES, default, chosen, "HERMES_HOME"))


def amaster_store_at(env: Env, root: Path) -> Store:
    """A directory of amaster's that was opened by its path; its limits where settings lead to it, else the
    defaults."""
    directory, _warnings = agent_dir(env)
    extensions = find_extensions(env, directory)
    limits = next((s.profile.limits for s in locate_amaster(env, extensions) if s.root == root), AMASTER.limits)
    return _store(env, AMASTER, _Choice(root, _("opened by path"), "path"), limits, used=True)


def hermes_store_at(env: Env, root: Path) -> Store:
    """A directory of Hermes' that was opened by its path."""
    return _store(env, HERMES, _Choice(root, _("opened by path"), "path"), HERMES.limits, used=True)


# Where


def _home(env: Env) -> Path:
    return Path(os.path.normpath(env.cwd / (env.get("PI_AGENT_HOME") or env.home / ".pi" / "agent")))


def _data_dir(env: Env, settings: _Settings) -> _Choice | None:
    named = settings.values.get("dataDir")
    if not isinstance(named, str) or not named.strip() or "\0" in named:
        return None
    file = settings.sources["dataDir"]
    root, warnings = _followed(env, named.strip(), _("`dataDir` in {file}").format(file=file))
    return _Choice(root, _("`dataDir` in {file}").format(file=file), "config", warnings)


def _followed(env: Env, named: str, setting: str) -> tuple[Path, tuple[str, ...]]:
    """A path as it stands: `~` is a name like any other."""
    root = Path(os.path.normpath(env.cwd / named))
    if os.path.isabs(named):
        return root, ()
    sentence = _("{setting} is a relative path ({value}): it follows where the agent is started")
    return root, (sentence.format(setting=setting, value=named),)


def _has_files(root: Path) -> bool:
    return any(fs.kind_of(root / name) is not None for name in NAMES)


def _left_behind(
    env: Env, profile: Profile, default: _Choice, chosen: _Choice, setting: str
) -> tuple[Store, ...]:
    if chosen.root == default.root or not _has_files(default.root):
        return ()
    instead = _("exists, not used: {setting} names another directory").format(setting=setting)
    left = replace(default, reason=f"{default.reason}; {instead}")
    return (_store(env, profile, left, profile.limits, used=False),)


# Settings


def _settings(env: Env, *, trusted: bool) -> _Settings:
    """The section of up to three files, later ones winning key by key."""
    usual = env.home / ".pi" / "agent"
    moved, _warnings = agent_dir(env)
    config = moved if env.get("PI_CODING_AGENT_DIR") else _home(env)
    files = [(path / "settings.json", True) for path in dict.fromkeys((usual, config))]
    if trusted:
        files.append((env.cwd / ".pi" / "settings.json", False))
    values: dict[str, Any] = {}
    sources: dict[str, Path] = {}
    warnings: list[str] = []
    for path, has_variables in files:
        file = read_json(path)
        if file.warning:
            warnings.append(file.warning)
        section = file.values.get(SECTION)
        for key, value in section.items() if isinstance(section, Mapping) else ():
            # the project's file is taken as it stands
            values[key] = _expanded(value, env) if has_variables else value
            sources[key] = path
    named = values.get("dataDir")
    if named is not None and (not isinstance(named, str) or "\0" in named):
        sentence = _("`dataDir` in {file} is no usable path: the default is shown")
        warnings.append(sentence.format(file=sources["dataDir"]))
    return _Settings(values, sources, tuple(dict.fromkeys(warnings)))


def _expanded(value: Any, env: Env) -> Any:
    if not isinstance(value, str):
        return value

    def put_in(match: re.Match[str]) -> str:
        name, _sign, default = (match[1] or match[2]).partition(":-")
        return env.get(name) or default

    return _VARIABLE.sub(put_in, value)


def _limits(settings: _Settings) -> tuple[tuple[Limit, ...], tuple[str, ...]]:
    limits = []
    odd = []
    for limit in AMASTER.limits:
        key = LIMIT_KEYS[limit.group]
        if key in settings.values:
            number = _number(settings.values[key])
            file = settings.sources[key]
            if number is None:
                sentence = _("`{key}` in {file} is no number above zero: the default is shown")
                odd.append(sentence.format(key=key, file=file))
            else:
                source = _("`{key}` in {file}").format(key=key, file=file)
                limit = replace(limit, limit=number, source=source)
        limits.append(limit)
    return tuple(limits), tuple(odd)


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        value = int(value.strip())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _store(env: Env, profile: Profile, choice: _Choice, limits: tuple[Limit, ...], *, used: bool) -> Store:
    root = choice.root
    exists = fs.is_dir(root)
    return Store(
        id=store_id(profile.owner, root, env.home),
        root=root,
        profile=replace(profile, limits=limits),
        exists=exists,
        used=used,
        reason=choice.reason,
        tier=choice.tier if exists else "none",
        writable=can_write(root),
        read_by=profile.agents if used else (),
        warnings=choice.warnings,
        findings=tuple(("bad-config", warning) for warning in choice.warnings),
    )
