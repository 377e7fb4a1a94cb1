"""Stores of several owners side by side, and a workspace that uses exactly these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from carry_stores import FILES, PROFILES

from memtui.core.env import Env
from memtui.core.layouts.base import Profile, Store
from memtui.core.layouts.events.profile import MEMWEAVE
from memtui.core.layouts.owners import HERMES
from memtui.core.locate import Located
from memtui.core.workspace import Workspace

OWNERS: Mapping[str, Profile] = {
    **PROFILES,
    "amaster": PROFILES["entries"],
    "hermes": HERMES,
    "memweave": MEMWEAVE,
}
"""Profiles by the name of a directory."""

TEXTS: Mapping[str, Mapping[str, str]] = {
    **FILES,
    "amaster": FILES["entries"],
    "hermes": FILES["entries"],
    "memweave": {
        "rule.md": "Keep facts short.\n",
        "shop/tasks/task_1/state.json": '{"id":"F1","text":"Gift cards are rows","status":"active"}\n',
    },
}
"""What stands in each."""


def store_of(parent: Path, name: str, **changes: object) -> Store:
    """A used store below a directory."""
    root = parent / name
    store = Store(name, root, OWNERS[name], exists=root.is_dir(), used=True, reason="for a test")
    return replace(store, **changes)  # type: ignore[arg-type]


def fill(parent: Path, name: str, texts: Mapping[str, str] | None = None) -> None:
    """Write the files of a store."""
    for path, text in (texts if texts is not None else TEXTS[name]).items():
        (parent / name / path).parent.mkdir(parents=True, exist_ok=True)
        (parent / name / path).write_bytes(text.encode())


def workspace_of(*stores: Store) -> Callable[[Env], Workspace]:
    """Makes workspaces that find these stores and nothing else."""

    class Fixed(Workspace):
        def _locate(self) -> Located:
            return Located(self.env.cwd, stores, ())

    return Fixed


def files_of(root: Path) -> dict[str, bytes]:
    """Every file of a store with its bytes; neither the file of a lock that stays nor memtui's own."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix != ".lock" and not path.name.startswith(".memtui-")
    }
