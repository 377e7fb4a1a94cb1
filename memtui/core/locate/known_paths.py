"""The directories in which agents were started, as their own records tell: the only way from a name to a path.

Read are the heads of a few conversations of each folder, pi's decisions on trust, the end of Claude Code's log
of prompts, and ZCode's list of sessions (pi-and-zcode sheet A1, A2 and B4, other-agents sheet 1.4).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import read_json
from memtui.core.locate.transcripts import can_be_a_name, first_value, session_files, values_in
from memtui.core.locate.zcode_sessions import zcode_directories
from memtui.core.sessions.pi_places import SessionPlaces
from memtui.late.dataclasses import dataclass, field

HEAD_BYTES = 1 << 15
FEW_HEADS = 3
"""So many conversations of a folder are looked at; all have been started in one directory, as a rule."""

MOST_HEADS = 200
"""So many where those few differ."""

MOST_FLAT_HEADS = 2_000
"""So many where the conversations of all projects lie in one folder."""

LOG_BYTES = 4 << 20


@dataclass(slots=True)
class Known:
    """What is known of a path: how many conversations were started there, the folders they lie in, and when
    the newest was changed of those that lie in none (seconds since 1970, 0 = there is none)."""

    sessions: int = 0
    last: float = 0.0
    folders: list[Path] = field(default_factory=list)


@dataclass(slots=True)
class KnownPaths:
    """Absolute paths that were named, and for every folder of conversations those that are named in it.

    `twins` are the folders that hold a conversation of the same file name, by that name.
    """

    paths: dict[str, Known] = field(default_factory=dict)
    in_folder: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    twins: dict[str, list[Path]] = field(default_factory=dict)

    def names(self, path: str, sessions: int = 0, folder: Path | None = None, last: float = 0.0) -> None:
        """Note that a path was named; what is no absolute path is left out."""
        if not os.path.isabs(path) or not can_be_a_name(path):
            return
        known = self.paths.setdefault(os.path.normpath(path), Known())
        known.sessions += sessions
        known.last = max(known.last, last)
        if folder is not None and folder not in known.folders:
            known.folders.append(folder)


def known_paths(
    env: Env,
    agent_dir: Path,
    sessions: SessionPlaces,
    claude_folders: tuple[Path, ...],
    cancelled: Callable[[], bool],
) -> KnownPaths:
    """Read the records. Never raises; after `cancelled()` it gives what it has. Nothing is created."""
    found = KnownPaths()
    for here in (env.cwd, fs.real_path(env.cwd), env.logical_cwd):
        if here is not None:
            found.names(str(here))
    for path in read_json(agent_dir / "trust.json").values:
        found.names(path)
    for folder in claude_folders:
        for path in values_in(_tail(folder.parent / "history.jsonl"), "project"):
            found.names(path)
    for path, count, last in zcode_directories(env, cancelled):
        found.names(path, count, last=last)
    if sessions.flat:
        files = session_files(sessions.directory)
        _look_at(found, sessions.directory, files, cancelled, MOST_FLAT_HEADS)
    for folder in _folders(sessions, claude_folders):
        if cancelled():
            break
        files = session_files(folder)
        _look_at(found, folder, files, cancelled)
        for file in files:
            found.twins.setdefault(file.name, []).append(folder)
    return found


def _folders(sessions: SessionPlaces, claude_folders: tuple[Path, ...]) -> Iterator[Path]:
    for parent in (*(() if sessions.flat else (sessions.directory,)), *claude_folders):
        try:
            entries = fs.list_dir(parent)
        except (OSError, ValueError):
            continue
        yield from (parent / entry.name for entry in entries if entry.kind != "file")


def _look_at(
    found: KnownPaths, folder: Path, files: list[Path], cancelled: Callable[[], bool], heads: int = FEW_HEADS
) -> None:
    """Note where the conversations of a folder were started."""
    starts = _starts(files[-heads:], cancelled)
    if len(set(starts)) > 1 and heads < MOST_HEADS:
        starts = _starts(files[-MOST_HEADS:], cancelled)
    of_folder = tuple(dict.fromkeys(filter(None, starts)))
    found.in_folder[folder] = of_folder
    for path in of_folder:
        found.names(path, len(files) if len(of_folder) == 1 else starts.count(path), folder)


def _starts(files: list[Path], cancelled: Callable[[], bool]) -> list[str]:
    starts = []
    for file in files:
        if cancelled():
            break
        starts.append(first_value(file, "cwd", HEAD_BYTES))
    return starts


def _tail(path: Path) -> bytes:
    try:
        return fs.read_tail(path, LOG_BYTES)[0]
    except (OSError, ValueError):
        return b""
