"""Where to go on when the directory of a session is gone: by git's own records, else the nearest parent.

git keeps a note of every linked worktree in its repository (`worktrees/NAME/gitdir`, gitrepository-layout),
also of one whose directory was removed by hand, until it is pruned.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.locate.git_root import GitRoot, find_git_root
from memtui.late.dataclasses import dataclass

How = Literal["main worktree", "worktree", "parent"]

MOST_NEIGHBOURS = 200
"""How many directories beside the one that is gone are asked whether it was theirs."""

_MOST_WORKTREES = 200
_LIMIT_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Nearest:
    """A directory that exists, and what it is to the one that is gone: of the same repository, or above it."""

    directory: Path
    how: How


def nearest(gone: Path, also: Iterable[Path] = ()) -> Nearest:
    """The directory to go on in instead of one that is gone (absolute).

    The repository whose worktree it was is looked for above it, beside it, and around `also`. Never raises.
    """
    parent = next(
        directory for directory in gone.parents if fs.is_dir(directory) or directory == directory.parent
    )
    for root in _repositories(parent, also):
        found = _of_repository(root, gone)
        if found is not None:
            return found
    return Nearest(parent, "parent")


def _repositories(parent: Path, also: Iterable[Path]) -> Iterator[GitRoot]:
    seen: set[Path] = set()
    for directory in (parent, *also, *_neighbours(parent)):
        root = find_git_root(directory)
        if root is not None and root.git_dir not in seen:
            seen.add(root.git_dir)
            yield root


def _neighbours(parent: Path) -> list[Path]:
    found = [parent / name for name in _folders_in(parent)[:MOST_NEIGHBOURS]]
    return [directory for directory in found if fs.kind_of(directory / ".git") is not None]


def _folders_in(directory: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in fs.list_dir(directory) if entry.kind == "dir")
    except OSError:
        return []


def _of_repository(root: GitRoot, gone: Path) -> Nearest | None:
    worktrees = list(_worktrees(root))
    was = next((tree for tree in worktrees if tree == gone or tree in gone.parents), None)
    if was is None:
        return None
    others = [tree for tree in worktrees if tree != was and fs.is_dir(tree)]
    main: list[tuple[Path, How]] = [] if root.is_bare else [(root.main, "main worktree")]
    inside = gone.relative_to(was)
    for tree, how in (*main, *((tree, "worktree") for tree in others)):
        if fs.is_dir(tree):
            return Nearest(_deepest(tree, inside), how)
    return None


def _deepest(tree: Path, inside: Path) -> Path:
    """The same place in another worktree, or the nearest above it that is there."""
    places = (tree / inside, *(tree / part for part in inside.parents))
    return next((place for place in places if fs.is_dir(place)), tree)


def _worktrees(root: GitRoot) -> Iterator[Path]:
    """Every linked worktree that a repository has a note of, whether it is there or not."""
    notes = root.git_dir / "worktrees"
    for name in _folders_in(notes)[:_MOST_WORKTREES]:
        try:
            data = fs.read_file(notes / name / "gitdir", limit_bytes=_LIMIT_BYTES).data
        except (OSError, ValueError):
            continue
        noted = os.fsdecode(data.split(b"\n", 1)[0].rstrip(b"\r"))
        # the path of its `.git`; newer gits may note it relative to the note
        if noted:
            yield Path(os.path.normpath(notes / name / noted)).parent
