"""The configuration of yandy's pi-memory, as its version reads it (topics sheet 2, 9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtui.core.env import Env
from memtui.core.layouts.base import Limit, Profile
from memtui.core.layouts.notes.rules import NoteRules
from memtui.core.layouts.topic_owners import YANDY, YANDY_03, YANDY_2, YANDY_20, YANDY_134
from memtui.core.layouts.topics.rules import TopicRules
from memtui.core.locate.json_config import deep_merge, read_json, value_at
from memtui.core.sessions.pi_places import follow
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass, replace

FILE_NAME, OLD_FILE_NAME = "memory.json", "pi-memory.json"

NUMBERS = (
    ("memIndexMaxLines",),
    ("memIndexMaxBytes",),
    ("memIndexInjectMaxLines",),
    ("memIndexInjectMaxBytes",),
    ("autoSurfacing", "maxFiles"),
    ("autoSurfacing", "maxTopicBytes"),
    ("autoSurfacing", "maxInjectionBytes"),
    ("dream", "nudgeAfterHours"),
    ("dream", "nudgeAfterSessions"),
    ("lock", "timeoutMs"),
)
"""The keys that are numbers and matter here."""

LOCK_POLL_MS = 50
MOST_WAIT_MS = 60_000

Version = tuple[int, int, int]

UNKNOWN: Version = (0, 0, 0)
"""No version is known."""

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True)
class YandySettings:
    """What the configuration says: where, and the merged values with sentences about them; `base_from` is the
    file that names `base`, None for the default; `enabled_from` the file that says `enabled`."""

    base: Path
    base_from: Path | None
    values: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    enabled_from: Path | None = None

    @property
    def enabled(self) -> bool:
        """Whether the extension does anything (up to 2.3)."""
        return bool(self.values.get("enabled", True))


def yandy_settings(env: Env, agent_dir: Path, *, trusted: bool, version: Version) -> YandySettings:
    """Read both files; the project's counts only where pi trusts the project. Never raises."""
    name = OLD_FILE_NAME if UNKNOWN < version < (1, 0, 0) else FILE_NAME
    files = [read_json(agent_dir / name)]
    if trusted:
        files.append(read_json(env.cwd / ".pi" / name))
    values: Mapping[str, Any] = {}
    sources: dict[str, Path] = {}
    for file in files:
        values = deep_merge(values, file.values)
        sources |= dict.fromkeys(file.values, file.path)
    warnings = [file.warning for file in files if file.warning]
    base, base_from = env.home / ".pi" / "memory", None
    named = values.get("memoryDir")
    if isinstance(named, str) and named and not named.startswith("file://"):
        base_from = sources["memoryDir"]
        base, is_relative = follow(named, env.cwd, env.home)
        if is_relative:
            sentence = _("`memoryDir` in {file} is a relative path ({value}): it follows where pi is started")
            warnings.append(sentence.format(file=base_from, value=named))
    elif "memoryDir" in values:
        sentence = _("`memoryDir` in {file} is no usable path: the default is shown")
        warnings.append(sentence.format(file=sources["memoryDir"]))
    for keys in NUMBERS:
        value = value_at(values, *keys)
        if value is not None and _number(value, -1) < 0:
            sentence = _("`{key}` in {file} is no number: the default is shown")
            warnings.append(sentence.format(key=".".join(keys), file=sources[keys[0]]))
    return YandySettings(base, base_from, values, tuple(warnings), sources.get("enabled"))


def parse_version(text: str) -> Version:
    """A version as numbers; (0, 0, 0) when it is not known."""
    match = _VERSION.match(text)
    return UNKNOWN if match is None else (int(match[1]), int(match[2]), int(match[3] or 0))


def profile_for(version: Version, settings: YandySettings) -> Profile:
    """The rules of a version of topics (below 2.0), with the numbers of the configuration."""
    if UNKNOWN < version < (1, 0, 0):
        return YANDY_03
    base = YANDY_134 if version >= (1, 3, 4) else YANDY
    values = settings.values
    rules = base.rules
    assert isinstance(rules, TopicRules)
    rules = replace(
        rules,
        write_lines=_number(values.get("memIndexMaxLines"), rules.write_lines),
        write_bytes=_number(values.get("memIndexMaxBytes"), rules.write_bytes),
        surfaces=value_at(values, "autoSurfacing", "enabled") in (None, True),
        surfaced_files=_number(value_at(values, "autoSurfacing", "maxFiles"), rules.surfaced_files),
        surfaced_topic_bytes=_number(
            value_at(values, "autoSurfacing", "maxTopicBytes"), rules.surfaced_topic_bytes
        ),
        surfaced_bytes=_number(value_at(values, "autoSurfacing", "maxInjectionBytes"), rules.surfaced_bytes),
        nudge_hours=_number(value_at(values, "dream", "nudgeAfterHours"), rules.nudge_hours),
        nudge_sessions=_number(value_at(values, "dream", "nudgeAfterSessions"), rules.nudge_sessions),
    )
    keys = (
        ("memIndexInjectMaxLines", "memIndexInjectMaxBytes")
        if version >= (1, 3, 4)
        else ("memIndexMaxLines", "memIndexMaxBytes")
    )
    return replace(base, limits=_limits(base, values, keys), rules=rules)


def notes_profile(version: Version, settings: YandySettings) -> Profile:
    """The rules of a version of 2.x, with the numbers of the configuration."""
    base = YANDY_20 if (2, 0, 0) <= version < (2, 3, 0) else YANDY_2
    values = settings.values
    rules = base.rules
    assert isinstance(rules, NoteRules)
    rules = replace(
        rules,
        write_lines=_number(values.get("memIndexMaxLines"), rules.write_lines),
        write_bytes=_number(values.get("memIndexMaxBytes"), rules.write_bytes),
    )
    lock = base.lock
    wait_ms = _number(value_at(values, "lock", "timeoutMs"), -1)
    if lock is not None and wait_ms >= 0:
        attempts = min(wait_ms, MOST_WAIT_MS) // LOCK_POLL_MS
        lock = replace(lock, waits_s=(LOCK_POLL_MS / 1000,) * attempts)
    keys = ("memIndexInjectMaxLines", "memIndexInjectMaxBytes")
    return replace(base, limits=_limits(base, values, keys), rules=rules, lock=lock)


def _limits(profile: Profile, values: Mapping[str, Any], keys: tuple[str, str]) -> tuple[Limit, ...]:
    lines, size = profile.limits
    found = []
    for limit, key in ((lines, keys[0]), (size, keys[1])):
        number = _number(values.get(key), limit.limit)
        source = limit.source if number == limit.limit else _("`{key}` of its configuration").format(key=key)
        found.append(replace(limit, limit=number, source=source))
    return tuple(found)


def _number(value: Any, default: int) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default
