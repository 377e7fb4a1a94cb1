"""memtui's own settings: `config.yaml` in its configuration folder, read and never written.

A missing file means the defaults. A broken file, or a value of the wrong kind, means the defaults for what
cannot be read and one warning; it never stops memtui. PyYAML is imported only when the file exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.appearance import THEMES
from memtui.core.env import Env
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, field

FILE_NAME = "config.yaml"
_LIMIT_BYTES = 1 << 18

RESUME_IN = ("window", "right", "below")
"""Where a session goes on in tmux: in a window of its own, or in a pane beside memtui."""


@dataclass(frozen=True, slots=True)
class HistoryConfig:
    """How much of the past is kept: at most `keep_days` days and `keep_mb` megabytes; off = no undo later."""

    enabled: bool = True
    keep_days: int = 90
    keep_mb: int = 500


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """Whether sessions are searched by an index; without one their files are read."""

    index: bool = True


@dataclass(frozen=True, slots=True)
class TriageConfig:
    """After how many days a memory that was kept comes into the queue again; 0 = not before it changes."""

    again_days: int = 90


@dataclass(frozen=True, slots=True)
class Config:
    """The settings. `editor` is a command line that wins over `$VISUAL` and `$EDITOR`, '' = those decide;
    `theme` is one of `appearance.THEMES`, '' = what was chosen last in the app; `resume_in` one of `RESUME_IN`.

    `warnings` holds at most one sentence: what in the file could not be used.
    """

    history: HistoryConfig = field(default_factory=HistoryConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    triage: TriageConfig = field(default_factory=TriageConfig)
    editor: str = ""
    theme: str = ""
    resume_in: str = "window"
    warnings: tuple[str, ...] = ()


def load_config(env: Env) -> Config:
    """The settings of this environment; never raises."""
    path = env.config_dir / FILE_NAME
    if fs.kind_of(path) is None:
        return Config()
    try:
        # dotfile managers link configuration files into place
        data = fs.read_file(fs.real_path(path), limit_bytes=_LIMIT_BYTES).data
    except (OSError, ValueError) as error:
        return _defaults_because(path, getattr(error, "strerror", None) or str(error))
    import yaml

    try:
        values = yaml.load(data, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError) as error:
        return _defaults_because(path, " ".join(str(error).split()) or type(error).__name__)
    if values is None:
        return Config()
    if not isinstance(values, Mapping):
        return _defaults_because(path, _("it is not a table of names and values"))
    return _from_values(path, values)


def _from_values(path: Path, values: Mapping[Any, Any]) -> Config:
    unusable: list[str] = []
    group = _group(values, "history", unusable)
    enabled = _switch(group, "history", "enabled", unusable)
    keep_days = _whole_number(group, "history", "keep_days", 90, unusable)
    keep_mb = _whole_number(group, "history", "keep_mb", 500, unusable)
    search = SearchConfig(_switch(_group(values, "search", unusable), "search", "index", unusable))
    of_triage = _group(values, "triage", unusable)
    triage = TriageConfig(_whole_number(of_triage, "triage", "again_days", 90, unusable))
    editor = values.get("editor", "")
    if not isinstance(editor, str):
        unusable.append("editor")
        editor = ""
    theme = values.get("theme", "")
    if "theme" in values and theme not in THEMES:
        unusable.append(_("theme (one of {names})").format(names=", ".join(THEMES)))
        theme = ""
    resume_in = _group(values, "resume", unusable).get("in", "window")
    if resume_in not in RESUME_IN:
        unusable.append(_("resume.in (one of {names})").format(names=", ".join(RESUME_IN)))
        resume_in = "window"
    warnings: tuple[str, ...] = ()
    if unusable:
        warnings = (
            _("{path}: the defaults are used for {names}, whose value cannot be used").format(
                path=path, names=", ".join(unusable)
            ),
        )
    history = HistoryConfig(enabled, keep_days, keep_mb)
    return Config(history, search, triage, editor.strip(), theme, resume_in, warnings)


def _group(values: Mapping[Any, Any], name: str, unusable: list[str]) -> Mapping[Any, Any]:
    group = values.get(name)
    if isinstance(group, Mapping):
        return group
    if group is not None:
        unusable.append(name)
    return {}


def _switch(group: Mapping[Any, Any], group_name: str, name: str, unusable: list[str]) -> bool:
    value = group.get(name, True)
    if isinstance(value, bool):
        return value
    unusable.append(f"{group_name}.{name}")
    return True


def _whole_number(
    group: Mapping[Any, Any], group_name: str, name: str, default: int, unusable: list[str]
) -> int:
    value = group.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        unusable.append(f"{group_name}.{name}")
        return default
    return value


def _defaults_because(path: Path, reason: str) -> Config:
    return Config(
        warnings=(
            _("{path} cannot be read ({reason}); the defaults are used").format(path=path, reason=reason),
        )
    )
