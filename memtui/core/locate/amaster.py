"""The store of @amaster.ai/pi-memory, and Hermes' of the same form: two files for a user (entries sheet 1)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Limit, Profile, Store
from memtui.core.layouts.entry_owners import AMASTER, HERMES
from memtui.core.locate.json_config import read_json
from memtui.core.locate.located import can_write, store_id
from memtui.core.locate.pi_extensions import Extensions
from memtui.i18n import _

SECTION = "pi-memory"
NAMES = ("MEMORY.md", "USER.md")
LIMIT_KEYS = {"memory": "memoryCharLimit", "user": "userCharLimit"}

_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)(?::-([^}]*))?\}|\$([A-Z_][A-Z0-9_]*)")


def locate_amaster(env: Env, extensions: Extensions) -> tuple[Store, ...]:
    """amaster's store, where its extension is loaded or its files are there. Never raises.

    `PI_CODING_AGENT_DIR` moves the settings but not the memories.
    """
    base = Path(os.path.normpath(env.cwd / (env.get("PI_AGENT_HOME") or env.home / ".pi" / "agent")))
    values, sources, warnings = _settings(env, base, extensions.trusted)
    named = values.get("dataDir")
    reason = _("the default place of @amaster.ai/pi-memory")
    root = base / "memories"
    if isinstance(named, str) and named.strip():
        root = Path(os.path.normpath(env.cwd / named.strip()))
        reason = _("`dataDir` in {file}").format(file=sources.get("dataDir"))
    loaded = extensions.loads(AMASTER.owner)
    if not loaded and not _has_files(root):
        return ()
    if not loaded:
        reason = _("{reason}; pi is not seen to load the extension here").format(reason=reason)
    limits, odd = _limits(values, sources)
    return (_store(env, AMASTER, root, reason, limits, used=loaded, warnings=(*warnings, *odd)),)


def locate_hermes(env: Env) -> tuple[Store, ...]:
    """Hermes' own store, where it is there: Hermes reads it in every directory. Never raises."""
    home = env.get("HERMES_HOME")
    root = Path(os.path.normpath(env.cwd / (home or env.home / ".hermes"))) / "memories"
    if not _has_files(root):
        return ()
    reason = _("HERMES_HOME") if home else _("the default place of Hermes")
    return (_store(env, HERMES, root, reason, HERMES.limits, used=True, warnings=()),)


def entry_store_at(env: Env, profile: Profile, root: Path) -> Store:
    """A directory of entries that was opened by its path."""
    return _store(env, profile, root, _("opened by path"), profile.limits, used=True, warnings=(), tier="path")


def _has_files(root: Path) -> bool:
    return any(fs.kind_of(root / name) is not None for name in NAMES)


def _settings(env: Env, base: Path, trusted: bool) -> tuple[dict[str, Any], dict[str, Path], tuple[str, ...]]:
    """The section of three files, later ones winning key by key, and which file named a key."""
    config = Path(os.path.normpath(env.cwd / (env.get("PI_CODING_AGENT_DIR") or base)))
    named = env.get("PI_CODING_AGENT_DIR")
    if named == "~" or named.startswith("~/"):
        config = env.home / named[2:]
    paths = [env.home / ".pi" / "agent" / "settings.json", config / "settings.json"]
    if trusted:
        paths.append(env.cwd / ".pi" / "settings.json")
    values: dict[str, Any] = {}
    sources: dict[str, Path] = {}
    warnings: list[str] = []
    for position, path in enumerate(paths):
        file = read_json(path)
        if file.warning:
            warnings.append(file.warning)
        section = file.values.get(SECTION)
        for key, value in section.items() if isinstance(section, Mapping) else ():
            # the project's file is taken as it stands
            values[key] = _expanded(value, env) if position < 2 else value
            sources[key] = path
    return values, sources, tuple(dict.fromkeys(warnings))


def _expanded(value: Any, env: Env) -> Any:
    if not isinstance(value, str):
        return value

    def put_in(match: re.Match[str]) -> str:
        name = match[1] or match[3]
        return env.get(name) or match[2] or ""

    return _VARIABLE.sub(put_in, value)


def _limits(
    values: Mapping[str, Any], sources: Mapping[str, Path]
) -> tuple[tuple[Limit, ...], tuple[str, ...]]:
    limits = []
    odd = []
    for limit in AMASTER.limits:
        key = LIMIT_KEYS[limit.group]
        value = values.get(key)
        if value is None:
            limits.append(limit)
            continue
        number = _number(value)
        if number is None:
            sentence = _("`{key}` in {file} is no number above zero: the default is shown")
            odd.append(sentence.format(key=key, file=sources[key]))
            limits.append(limit)
        else:
            limits.append(replace(limit, limit=number, source=f"`{key}` in {sources[key]}"))
    return tuple(limits), tuple(odd)


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value.strip())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and value > 0 else None


def _store(
    env: Env,
    profile: Profile,
    root: Path,
    reason: str,
    limits: tuple[Limit, ...],
    *,
    used: bool,
    warnings: tuple[str, ...],
    tier: str = "config",
) -> Store:
    exists = fs.is_dir(root)
    return Store(
        id=store_id(profile.owner, root, env.home),
        root=root,
        profile=replace(profile, limits=limits),
        exists=exists,
        used=used,
        reason=reason,
        tier=tier if exists else "none",
        writable=can_write(root),
        read_by=profile.agents,
        warnings=warnings,
        findings=tuple(("bad-config", warning) for warning in warnings),
    )
