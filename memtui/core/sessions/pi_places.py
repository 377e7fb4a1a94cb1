"""Where pi keeps its sessions, and which files there pi itself would list (pi-and-zcode sheet A2).

Directory names are computed from a working directory and never decoded: two directories can have the same
name, so whose session it is stands in its header alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from memtui.core.sessions.reader import Status, status_as_seen
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

Source = Literal["default", "variable", "setting"]


@dataclass(frozen=True, slots=True)
class SessionPlaces:
    """Where the sessions are, seen from the project `cwd`.

    `flat`: all projects' files lie side by side in `directory`; else one directory a project lies below it,
    and `own` is the one that pi uses for `cwd`. `warnings` name a relative path that was followed.
    """

    agent: str
    directory: Path
    own: Path
    flat: bool
    cwd: Path
    source: Source = "default"
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One session file by its path; `seen` is what its directory tells of it (None: it cannot be looked at),
    `hidden_because` is given where pi does not look at it for its place."""

    where: str
    seen: Status | None = None
    hidden_because: str = ""

    @property
    def path(self) -> Path:
        """Its path."""
        return Path(self.where)


def pi_places(
    agent_dir: Path,
    cwd: Path,
    home: Path,
    variable: str = "",
    settings: Mapping[str, Any] | None = None,
    project_settings: Mapping[str, Any] | None = None,
) -> SessionPlaces:
    """Resolve pi's session directory for a project.

    `variable` is the value of PI_CODING_AGENT_SESSION_DIR, which wins; then `sessionDir` of the project's
    settings, which pi follows even in an untrusted project, then of the global ones. Both override the
    default with one flat directory. An empty text counts as unset.
    """
    named, source, setting = variable, "variable", "PI_CODING_AGENT_SESSION_DIR"
    if not named:
        source, setting = "setting", "sessionDir"
        value = {**(settings or {}), **(project_settings or {})}.get("sessionDir")
        named = value if isinstance(value, str) else ""
    if not named:
        root = agent_dir / "sessions"
        return SessionPlaces("pi", root, root / session_dir_name(str(cwd)), False, cwd)
    directory, relative = follow(named, cwd, home)
    warning = _("{setting} is a relative path ({value}); pi reads it from where it is started: {path}")
    warnings = (warning.format(setting=setting, value=named, path=directory),) if relative else ()
    return SessionPlaces(
        "pi", directory, directory, True, cwd, "variable" if source == "variable" else "setting", warnings
    )


def session_dir_name(cwd: str) -> str:
    """pi's directory name for an absolute path: one leading separator off, `/`, `\\` and `:` to `-`."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def session_places(places: SessionPlaces) -> Iterator[Place]:
    """Every `*.jsonl` name, those of the project's own directory first; what cannot be read is empty."""
    if places.flat:
        yield from _files_in(places.directory)
        return
    yield from _files_in(places.own)
    for entry in _entries(places.directory):
        directory = places.directory / entry.name
        if directory == places.own:
            continue
        if entry.is_dir():
            yield from _files_in(directory)
        elif _may_be_session(entry):
            why = _("it does not lie in a project's directory, where pi looks")
            yield Place(str(directory), status_as_seen(entry), why)


def _files_in(directory: Path) -> list[Place]:
    # what all paths begin with, joined as `Path` does
    before = str(directory / "_")[:-1]
    files = [entry for entry in _entries(directory) if _may_be_session(entry)]
    return [Place(before + entry.name, status_as_seen(entry)) for entry in files]


def _may_be_session(entry: os.DirEntry[str]) -> bool:
    return entry.name.endswith(".jsonl") and (entry.is_file(follow_symlinks=False) or entry.is_symlink())


def _entries(directory: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def follow(named: str, cwd: Path, home: Path) -> tuple[Path, bool]:
    """A path as pi reads it (`~`, `~/…`, `file://…`), and whether it was relative to where pi is started."""
    if named == "~" or named.startswith("~/"):
        return Path(os.path.normpath(str(home) + named[1:])), False
    if named.startswith("file://"):
        named = unquote(urlsplit(named).path, errors="surrogateescape") or "/"
    path = os.path.normpath(cwd / named)
    return Path(path), not os.path.isabs(named)
