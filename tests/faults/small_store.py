"""A small memory directory, plans made by hand, and what the tests of faults ask of a tree of files."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Add, Edit, Remove, Rename, SetField, digest
from memtui.core.operations.plan import Link, Plan, Step, Trash, Write
from memtui.core.workspace import Outcome, Workspace

INDEX = """# Memory

- [Alpha](a.md) — first
- [Beta](b.md) — second
- [Gamma](c.md) — third
"""

Tree = dict[str, tuple[str, int, bytes]]
"""Every name below a directory: its kind, permission bits, and bytes or link target."""


def make_store(parent: Path) -> Path:
    """A memory directory with three facts and their index, with modes that are not the default."""
    root = parent / "memory"
    root.mkdir(parents=True)
    for name in "abc":
        block = f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: user\n---\n"
        text = f"{block}\nbody of {name}, [[b]]\n"
        (root / f"{name}.md").write_text(text)
    (root / "MEMORY.md").write_text(INDEX)
    (root / "a.md").chmod(0o600)
    (root / "MEMORY.md").chmod(0o640)
    return root


def tree_of(root: Path) -> Tree:
    """The whole tree below a directory."""
    found: Tree = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = Path(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                found[str(path.relative_to(root))] = ("symlink", 0, os.fsencode(os.readlink(path)))
            elif stat.S_ISDIR(mode):
                found[str(path.relative_to(root))] = ("dir", stat.S_IMODE(mode), b"")
            else:
                found[str(path.relative_to(root))] = ("file", stat.S_IMODE(mode), path.read_bytes())
    return found


# What a person does, by name

DEEDS: dict[str, tuple[Edit, ...]] = {
    "add": (Add("New thing", "a new thing", "user", "body"),),
    "set": (SetField("a.md", "title", "Other title"), SetField("a.md", "description", "other words")),
    "rename": (Rename("b.md", "bee"),),
    "delete": (Remove("b.md"),),
    "undo": (),
}


def open_workspace(env: Env, root: Path) -> Workspace:
    """memtui as it starts: on this directory, recovery not yet run."""
    return Workspace(env, path=root)


def do(workspace: Workspace, verb: str, *edits: Edit) -> Outcome:
    """Carry out a deed as a command does, up to its exit."""
    if verb == "undo":
        outcome = workspace.undo()
    else:
        (store,) = workspace.used_stores()
        outcome = workspace.run(workspace.scan(store), verb, edits or DEEDS[verb])
    workspace.settle()
    return outcome


# Plans by hand


@dataclass
class HandPlan:
    """Builds a plan step by step; `before` and `after` are texts, None = no file."""

    root: Path
    steps: list[Step] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def write(self, name: str, before: bytes | None, after: bytes, mode: int = 0o644) -> HandPlan:
        """A new text for a file, or a new file."""
        key = None if before is None else self._keep(before)
        self.steps.append(Write(self.root / name, key, self._keep(after), mode))
        return self

    def trash(self, name: str, before: bytes, successor: str | None = None, *, link: bool = False) -> HandPlan:
        """A name that goes."""
        follows = None if successor is None else self.root / successor
        self.steps.append(Trash(self.root / name, self._keep(before), 0o644, link, follows))
        return self

    def link(self, name: str, target: bytes) -> HandPlan:
        """A symlink that comes back."""
        self.steps.append(Link(self.root / name, self._keep(target)))
        return self

    def plan(self, **values: str) -> Plan:
        """The plan."""
        return Plan("hand", self.root, tuple(self.steps), dict(self.blobs), "by hand", "test", **values)

    def _keep(self, data: bytes) -> str:
        self.blobs[digest(data)] = data
        return digest(data)


# Watching and breaking effects

Effect = tuple[str, fs.Phase, tuple[Path, ...]]


@contextmanager
def effects_in(log: list[Effect]) -> Iterator[None]:
    """Write down every effect."""
    with fs.observed_by(lambda effect, phase, paths: log.append((effect, phase, paths))):
        yield


def at_moment(number: int, act: Callable[[str, tuple[Path, ...]], None]) -> fs.Observer:
    """An observer that acts once, at the given moment (every phase of every effect counts, from 0)."""
    moments = iter(range(10**9))

    def observer(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if next(moments) == number:
            act(effect, paths)

    return observer


def once(wanted: str, act: Callable[[str, tuple[Path, ...]], None], phase: fs.Phase = "after") -> fs.Observer:
    """An observer that acts at the first effect of this name."""
    acted: list[str] = []

    def observer(effect: str, moment: fs.Phase, paths: tuple[Path, ...]) -> None:
        if (effect, moment) == (wanted, phase) and not acted:
            acted.append(effect)
            act(effect, paths)

    return observer


def done_effects(log: list[Effect]) -> list[tuple[str, ...]]:
    """The effects that happened, with the names they were about."""
    return [(effect, *(path.name for path in paths)) for effect, phase, paths in log if phase == "after"]
