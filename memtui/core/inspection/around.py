"""The surroundings of memories as the disk has them: looked up, remembered for one look, never executed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from functools import cache, cached_property, partial
from pathlib import Path

from memtui.core import fs
from memtui.core.checks.closer.base import Kind, Surroundings
from memtui.core.env import Env
from memtui.core.locate.git_config import read_git_config
from memtui.core.locate.git_root import GitRoot, find_git_root
from memtui.core.locate.instructions import instructions
from memtui.late import re

MOST_NAMES = 50_000
"""In a project with more names than this nobody can say that a file is nowhere."""

MOST_PATHS = 3
"""So many paths with one ending are told apart; more say no more."""

SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".tox", ".hg"})
"""Folders whose names a memory does not speak of."""

_LIMIT_BYTES = 4 << 20
_TARGET = re.compile(rb"^([A-Za-z0-9_][\w./-]*(?:[ \t]+[A-Za-z0-9_][\w./-]*)*)[ \t]*::?(?!=)", re.MULTILINE)
_RECIPE = re.compile(rb"^@?([A-Za-z_][\w-]*)[^\n:]*:(?!=)", re.MULTILINE)


def look_around(env: Env) -> Surroundings:
    """The surroundings of the working directory as they are from now on; nothing is read before it is asked."""
    place = _Place(env)
    return Surroundings(
        home=env.home,
        project=env.cwd,
        today=cache(lambda: env.now().date()),
        kind_of=cache(kind_of),
        real_path=cache(fs.real_path),
        has_command=cache(place.has_command),
        has_ref=cache(place.has_ref),
        has_task=cache(place.has_task),
        project_paths=cache(place.project_paths),
        instructions=cache(partial(instructions, env)),
    )


def kind_of(path: Path) -> Kind:
    """What stands at a path, symlinks followed; a dangling one counts as something that is there."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "missing" if fs.kind_of(path) is None else "other"
    except (OSError, ValueError):
        return "unknown"
    if stat.S_ISDIR(mode):
        return "dir"
    return "file" if stat.S_ISREG(mode) else "other"


class _Place:
    """Lookups in one working directory and its repository."""

    def __init__(self, env: Env) -> None:
        self._env = env

    @cached_property
    def _git(self) -> GitRoot | None:
        return find_git_root(self._env.cwd)

    @cached_property
    def _root(self) -> Path | None:
        """The folder that relative paths are about; None where the working directory is no project's."""
        cwd, home = self._env.cwd, self._env.home
        root = cwd if self._git is None or self._git.worktree in (home, Path("/")) else self._git.worktree
        return None if root == home or root in home.parents or not fs.is_dir(root) else root

    # Programs

    def has_command(self, name: str) -> bool:
        """Whether PATH leads to a file of this name; that it may be run is not asked."""
        folders = [folder for folder in self._env.get("PATH").split(os.pathsep) if os.path.isabs(folder)]
        return any(kind_of(Path(folder, name)) in ("file", "other", "unknown") for folder in folders)

    # The repository

    @cached_property
    def _refs(self) -> frozenset[str] | None:
        if self._git is None:
            return None
        found = set(self._loose())
        try:
            packed = fs.read_file(self._git.git_dir / "packed-refs", limit_bytes=_LIMIT_BYTES).data
        except FileNotFoundError:
            packed = b""
        except OSError:
            return None
        for line in packed.decode("utf-8", "replace").splitlines():
            _id, _blank, name = line.partition(" ")
            if name.startswith("refs/") and not line.startswith(("#", "^")):
                found.add(name.removeprefix("refs/"))
        parts = [ref.partition("/") for ref in found]
        own = {name for kind, _slash, name in parts if kind in ("heads", "tags", "remotes")}
        of_remotes = {name.partition("/")[2] for kind, _slash, name in parts if kind == "remotes"}
        # refs of another kind of storage (reftable) cannot be seen
        return frozenset(own | of_remotes) or None

    def _loose(self) -> Iterator[str]:
        assert self._git is not None
        top = self._git.git_dir / "refs"
        for path, _folders, names in os.walk(top):
            for name in names:
                yield Path(path, name).relative_to(top).as_posix()

    def has_ref(self, name: str) -> bool | None:
        """Whether there is a branch or tag of this name, or one of that name on any remote."""
        refs = self._refs
        if refs is None or name in refs:
            return None if refs is None else True
        return False if self._knows_all_branches else None

    @cached_property
    def _knows_all_branches(self) -> bool:
        """Whether every branch of every remote is fetched here; a clone of one branch knows no others."""
        assert self._git is not None
        values = read_git_config(self._git.git_dir / "config")
        remotes = {value.subsection for value in values if value.section == "remote"}
        whole = {v.subsection for v in values if (v.section, v.name) == ("remote", "fetch") and "*" in v.text}
        return remotes <= whole and all(
            any(ref.startswith(f"{remote}/") for ref in self._refs or ()) for remote in remotes
        )

    # Tasks

    def has_task(self, tool: str, name: str) -> bool | None:
        """Whether the project defines a task; None where it has no file of that tool's, or one that includes
        others."""
        tasks = self._tasks.get(tool)
        return None if tasks is None else name in tasks

    @cached_property
    def _tasks(self) -> dict[str, frozenset[str]]:
        found = {"make": self._make(), "npm": self._npm(), "just": self._just()}
        return {tool: names for tool, names in found.items() if names is not None}

    def _read(self, *names: str) -> bytes | None:
        """The first of these files, beside the working directory or at the root; None where there is none."""
        for folder in dict.fromkeys((self._env.cwd, self._root)) if self._root is not None else ():
            for name in names:
                try:
                    return fs.read_file(Path(folder, name), limit_bytes=_LIMIT_BYTES).data
                except OSError:
                    continue
        return None

    def _make(self) -> frozenset[str] | None:
        data = self._read("GNUmakefile", "makefile", "Makefile")
        # rules with patterns or included files may make anything
        if data is None or re.search(
            rb"^[ \t]*-?s?include\b|%|\$\(eval|^[^\t#\n]*\$[({][^\n]*:", data, re.MULTILINE
        ):
            return None
        names = (name for found in _TARGET.finditer(data) for name in found[1].split())
        return frozenset(name.decode("utf-8", "replace") for name in names)

    def _npm(self) -> frozenset[str] | None:
        data = self._read("package.json")
        try:
            scripts = None if data is None else json.loads(data).get("scripts", {})
        except (ValueError, AttributeError, RecursionError):
            return None
        return frozenset(scripts) if isinstance(scripts, dict) else None

    def _just(self) -> frozenset[str] | None:
        data = self._read("justfile", "Justfile", ".justfile")
        if data is None or re.search(rb"^(import|mod)\b", data, re.MULTILINE):
            return None
        return frozenset(found[1].decode() for found in _RECIPE.finditer(data))

    # Files

    @cached_property
    def _names(self) -> dict[str, list[str]] | None:
        """The paths in the project by their last name; None where it has too many, or cannot be read."""
        root = self._root
        if root is None:
            return None
        names: dict[str, list[str]] = {}
        failed: list[OSError] = []
        count = 0
        for folder, folders, files in os.walk(root, onerror=failed.append):
            folders[:] = [name for name in folders if name not in SKIPPED]
            count += len(folders) + len(files)
            if count > MOST_NAMES or failed:
                return None
            below = Path(folder).relative_to(root)
            for name in (*folders, *files):
                names.setdefault(name, []).append((below / name).as_posix())
        # in an empty folder nothing is gone: what belongs there is elsewhere, or yet to come
        return names or None

    def project_paths(self, ending: str) -> tuple[str, ...] | None:
        """See `Surroundings.project_paths`."""
        names = self._names
        if names is None:
            return None
        found = names.get(ending.rpartition("/")[2], ())
        return tuple(path for path in found if path == ending or path.endswith(f"/{ending}"))[:MOST_PATHS]
