"""Memory of projects that are not there any more: which directories, of which path, and where that is known.

Proof is a path in the agents' own records whose name is the directory's, and that nothing is at that path.
Where no record names a path for a directory, nothing is claimed of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.layouts.base import Store
from memtui.core.locate.by_path import store_at
from memtui.core.locate.known_paths import Known, KnownPaths, known_paths
from memtui.core.locate.pi_agent import locate_pi
from memtui.core.locate.projects import Key, ProjectDir, claude_folders, keys_of, project_dirs
from memtui.core.locate.transcripts import session_files
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace

Fate = Literal["gone", "renamed", "unknown"]

CODE = "orphaned-store"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A store that no project of this machine is known to use.

    `fate`: `gone` = nothing is at the paths it was made for (`projects`, more than one where their names are
    the same); `renamed` = the same, and `now` has a conversation of it; `unknown` = no record names a path.
    `sessions` counts its conversations, `last_session` is when the newest was written to.
    """

    store: Store
    fate: Fate
    projects: tuple[str, ...] = ()
    now: str = ""
    sessions: int = 0
    last_session: datetime | None = None

    @property
    def code(self) -> str:
        """The code of the problem that this is, '' where nothing is proven."""
        return "" if self.fate == "unknown" else CODE


def find_orphans(env: Env, here: Collection[Path], cancelled: Callable[[], bool]) -> tuple[Orphan, ...]:
    """The orphaned stores, then those of which no path is known, each by owner and name.

    `here` are roots of stores that are used. Never raises; nothing is created; after `cancelled()` it ends
    early. Stores that hold no file are left out by whoever reads them.
    """
    pi = locate_pi(env)
    places = claude_folders(env)
    known = known_paths(env, pi.agent_dir, pi.sessions, places, cancelled)
    search = _Search(env, known)
    # a store is known by where it really lies: one of its names may be that of a living project
    groups: dict[Path, list[ProjectDir]] = {}
    for folder in project_dirs(env, pi.agent_dir):
        groups.setdefault(fs.real_path(folder.root), []).append(folder)
    used = {fs.real_path(root) for root in here}
    found = []
    for real, folders in groups.items():
        if cancelled():
            break
        orphan = search.orphan(folders) if real not in used else None
        if orphan is not None:
            found.append(orphan)
    return tuple(sorted(found, key=lambda orphan: (orphan.fate == "unknown", orphan.store.id)))


class _Search:
    def __init__(self, env: Env, known: KnownPaths) -> None:
        self._env = env
        self._known = known
        self._living: dict[str, bool] = {}
        self._by_key: dict[Key, list[str]] = {}
        seen: set[str] = set()
        for path in known.paths:
            # the project of a conversation may be a directory above the one it was started in
            for folder in (path, *map(str, Path(path).parents)):
                if folder not in seen:
                    seen.add(folder)
                    for key in keys_of(folder, env.platform):
                        self._by_key.setdefault(key, []).append(folder)

    def orphan(self, folders: list[ProjectDir]) -> Orphan | None:
        paths = tuple(dict.fromkeys(path for folder in folders for path in self._paths(folder)))
        if any(self._is_there(path) for path in paths):
            return None
        owner, root = folders[0].owner, folders[0].root
        try:
            store = store_at(self._env, root, owner)
        except UsageError:
            return None
        if not paths:
            reason = _("no conversation tells which project it is of")
            return Orphan(replace(store, used=False, tier="none", reason=reason), "unknown")
        sessions, last = self._sessions(paths)
        now = self._now(paths)
        text = _("its project {path} is gone")
        if now:
            text = _("its project {path} is gone; a conversation of it is also one of {now}")
        sentence = text.format(path=_(", ").join(paths), now=now)
        store = replace(
            store,
            used=False,
            tier="none",
            read_by=(),
            reason=sentence,
            warnings=(*store.warnings, sentence),
            findings=(*store.findings, (CODE, sentence)),
        )
        return Orphan(store, "renamed" if now else "gone", paths, now, sessions, last)

    def _paths(self, folder: ProjectDir) -> tuple[str, ...]:
        """The paths that a directory was named after, as far as they are known."""
        named = tuple(self._by_key.get(folder.key, ())) if folder.key is not None else ()
        if named or folder.beside is None:
            return named
        # a variable may have given it another name: what lies beside it tells
        return self._known.in_folder.get(folder.beside, ())

    def _is_there(self, path: str) -> bool:
        """Whether something is at a path, or nobody can tell."""
        if path not in self._living:
            try:
                fs.mtime_ns(Path(path))
                self._living[path] = True
            except (FileNotFoundError, NotADirectoryError):
                self._living[path] = False
            except (OSError, ValueError):
                self._living[path] = True
        return self._living[path]

    def _below(self, paths: tuple[str, ...]) -> list[str]:
        tops = tuple(path.rstrip("/") + "/" for path in paths)
        return [path for path in self._known.paths if path in paths or path.startswith(tops)]

    def _sessions(self, paths: tuple[str, ...]) -> tuple[int, datetime | None]:
        known = [self._known.paths[path] for path in self._below(paths)]
        files = [file for folder in _folders(known) for file in session_files(folder)]
        newest = max([0.0, *(one.last for one in known), *(fs.size_and_time(file)[1] for file in files)])
        return sum(one.sessions for one in known), _moment(newest)

    def _now(self, paths: tuple[str, ...]) -> str:
        """A project that is there and has a conversation of the same file name in its own folder."""
        own = _folders([self._known.paths[path] for path in self._below(paths)])
        for folder in own:
            for file in session_files(folder):
                for other in self._known.twins.get(file.name, ()):
                    for path in self._known.in_folder.get(other, ()) if other not in own else ():
                        if self._is_there(path) and os.path.isabs(path):
                            return path
        return ""


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (ValueError, OverflowError, OSError):
        return None


def _folders(known: list[Known]) -> list[Path]:
    return list(dict.fromkeys(folder for one in known for folder in one.folders))
