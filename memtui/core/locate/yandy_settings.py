"""The configuration of yandy's pi-memory, as its version reads it (topics sheet 2, 9.2)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memtui.core.env import Env
from memtui.core.layouts.base import Limit, Profile
from memtui.core.layouts.notes.rules import NoteRules
from memtui.core.layouts.topic_owners import YANDY, YANDY_03, YANDY_2, YANDY_134
from memtui.core.layouts.topics.rules import TopicRules
from memtui.core.locate.json_config import deep_merge, read_json, value_at
from memtui.i18n import _

FILE_NAME, OLD_FILE_NAME = "memory.json", "pi-memory.json"

_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True)
class YandySettings:
    """What the configuration says: where, whether it is on, and the merged values with sentences about them."""

    base: Path
    base_from: Path | None
    values: Mapping[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def enabled(self) -> bool:
        """Whether the extension does anything (ignored by versions after 2.3, as far as is known)."""
        return self.values.get("enabled") is not False


def yandy_settings(env: Env, agent_dir: Path, *, trusted: bool, version: tuple[int, int, int]) -> YandySettings:
    """Read both files; the project's counts only where pi trusts the project. Never raises."""
    name = OLD_FILE_NAME if (0, 0, 0) < version < (1, 0, 0) else FILE_NAME
    files = [read_json(agent_dir / name)]
    if trusted:
        files.append(read_json(env.cwd / ".pi" / name))
    values: Mapping[str, Any] = {}
    base_from = None
    for file in files:
        values = deep_merge(values, file.values)
        if isinstance(file.values.get("memoryDir"), str) and file.values["memoryDir"]:
            base_from = file.path
    named = values.get("memoryDir")
    base = env.home / ".pi" / "memory"
    if isinstance(named, str) and named:
        if named == "~" or named.startswith("~/"):
            base = Path(os.path.normpath(env.home / named[2:]))
        else:
            base = Path(os.path.normpath(env.cwd / named))
    warnings = tuple(file.warning for file in files if file.warning)
    return YandySettings(base, base_from, values, warnings)


def parse_version(text: str) -> tuple[int, int, int]:
    """A version as numbers; (0, 0, 0) when it is not known."""
    match = _VERSION.match(text)
    return (0, 0, 0) if match is None else (int(match[1]), int(match[2]), int(match[3] or 0))


def profile_for(version: tuple[int, int, int], settings: YandySettings) -> Profile:
    """The rules of a version of topics (below 2.0), with the numbers of the configuration."""
    if (0, 0, 0) < version < (1, 0, 0):
        return YANDY_03
    base = YANDY_134 if version >= (1, 3, 4) else YANDY
    values = settings.values
    rules = base.rules
    assert isinstance(rules, TopicRules)
    surfacing = value_at(values, "autoSurfacing")
    surfacing = surfacing if isinstance(surfacing, Mapping) else {}
    rules = replace(
        rules,
        write_lines=_number(values.get("memIndexMaxLines"), rules.write_lines),
        write_bytes=_number(values.get("memIndexMaxBytes"), rules.write_bytes),
        surfaces=surfacing.get("enabled") is not False,
        surfaced_files=_number(surfacing.get("maxFiles"), rules.surfaced_files),
        surfaced_topic_bytes=_number(surfacing.get("maxTopicBytes"), rules.surfaced_topic_bytes),
        surfaced_bytes=_number(surfacing.get("maxInjectionBytes"), rules.surfaced_bytes),
    )
    injects_apart = version >= (1, 3, 4)
    keys = (
        ("memIndexInjectMaxLines", "memIndexInjectMaxBytes")
        if injects_apart
        else ("memIndexMaxLines", "memIndexMaxBytes")
    )
    return replace(base, limits=_limits(base, values, keys), rules=rules)


def notes_profile(settings: YandySettings) -> Profile:
    """The rules of 2.x, with the numbers of the configuration."""
    values = settings.values
    rules = YANDY_2.rules
    assert isinstance(rules, NoteRules)
    rules = replace(
        rules,
        write_lines=_number(values.get("memIndexMaxLines"), rules.write_lines),
        write_bytes=_number(values.get("memIndexMaxBytes"), rules.write_bytes),
    )
    keys = ("memIndexInjectMaxLines", "memIndexInjectMaxBytes")
    lock = YANDY_2.lock
    timeout = value_at(values, "lock", "timeoutMs")
    if (
        lock is not None
        and isinstance(timeout, int)
        and not isinstance(timeout, bool)
        and 0 <= timeout <= 60_000
    ):
        lock = replace(lock, waits_s=(0.05,) * (timeout // 50))
    return replace(YANDY_2, limits=_limits(YANDY_2, values, keys), rules=rules, lock=lock)


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
