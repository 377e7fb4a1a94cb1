"""The repository that a directory belongs to, found without running git.

A linked worktree has a `.git` file that names its own git directory, and a `commondir` file there names the
repository's (gitrepository-layout, git-worktree). A submodule has a `.git` file but no `commondir`.
"""

from __future__ import annotations

import os
from pathlib import Path

from memtui.core import fs
from memtui.late.dataclasses import dataclass

_LIMIT_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class GitRoot:
    """`main` is the root of the main worktree, `worktree` the root of the one that was asked about, `git_dir`
    the directory with the repository's configuration.

    Of a bare repository, which has no main worktree, `main` is the git directory itself.
    """

    main: Path
    worktree: Path
    git_dir: Path
    is_bare: bool = False

    @property
    def is_linked(self) -> bool:
        """Whether the directory lies in a linked worktree."""
        return self.main != self.worktree


def find_git_root(directory: Path) -> GitRoot | None:
    """The repository of `directory` (which need not exist), None outside of any. Never raises."""
    for candidate in (directory, *directory.parents):
        found = _at(candidate)
        if found is not None:
            return found
    return None


def _at(directory: Path) -> GitRoot | None:
    marker = directory / ".git"
    kind = fs.kind_of(marker)
    if kind is None:
        return None
    if fs.is_dir(marker):
        return GitRoot(directory, directory, marker) if fs.kind_of(marker / "HEAD") is not None else None
    first = _first_line(marker)
    if not first.startswith("gitdir:"):
        return None
    git_dir = Path(os.path.normpath(directory / first.removeprefix("gitdir:").strip()))
    if not fs.is_dir(git_dir):
        return None
    common = _first_line(git_dir / "commondir").strip()
    if not common:
        return GitRoot(directory, directory, git_dir)
    common_dir = Path(os.path.normpath(git_dir / common))
    is_bare = common_dir.name != ".git"
    return GitRoot(common_dir if is_bare else common_dir.parent, directory, common_dir, is_bare)


def _first_line(path: Path) -> str:
    try:
        data = fs.read_file(fs.real_path(path), limit_bytes=_LIMIT_BYTES).data
    except (OSError, ValueError):
        return ""
    return os.fsdecode(data.split(b"\n", 1)[0].rstrip(b"\r"))
