"""Which stores there are and what is in them: the part of the workspace that only looks.

Whoever changes nothing loads no more than this: not what mends, plans and writes. Nothing here reads the disk
before it is asked to.
"""

from __future__ import annotations

import contextlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import fs
from memtui.core.config import Config, load_config
from memtui.core.env import Env
from memtui.core.errors import UnknownIdError, in_several_stores
from memtui.core.layouts.base import AgentView, Layout, Memory, MemoryText, Problem, Snapshot, Store
from memtui.core.layouts.reader import read_store
from memtui.core.layouts.table import LAYOUTS
from memtui.core.locate import Located, is_memory_dir, locate, store_at
from memtui.core.locate.choosing import choose_store, choose_writable
from memtui.i18n import _
from memtui.late import dataclasses

if TYPE_CHECKING:
    from memtui.core.history.journal import Journal
    from memtui.core.watch import Root


class Stores:
    """The stores of one working directory (or one memory directory opened by its path)."""

    def __init__(self, env: Env, *, owner: str = "", path: Path | None = None) -> None:
        if path is not None and not is_memory_dir(path):
            env = dataclasses.replace(env, cwd=path, logical_cwd=None)
            path = None
        self.env = env
        self._owner = owner
        self._path = path
        self._located: Located | None = None

    @cached_property
    def config(self) -> Config:
        """memtui's own configuration."""
        return load_config(self.env)

    def locate(self, *, again: bool = False) -> Located:
        """The stores and transcript folders of this directory; found once, and `again` on demand."""
        if self._located is None or again:
            self._located = self._locate()
        return self._located

    def used_stores(self) -> tuple[Store, ...]:
        """The stores that the agents in this directory read."""
        return tuple(store for store in self.locate().stores if store.used)

    def choose_store(self, name: str) -> Store:
        """The store of this id, or the only one of this owner. Raises UnknownIdError or UsageError."""
        return choose_store(self.locate().stores, name)

    def choose_writable_store(self, name: str = "") -> Store:
        """Where a new memory goes: the named store, or the only used one that can be written (UsageError)."""
        return self.choose_store(name) if name else choose_writable(self.used_stores())

    def read(self, store: Store) -> Snapshot:
        """A store as it is now, without its problems. Never raises on what is in it; nothing is created."""
        layout = LAYOUTS[store.layout]
        files = read_store(store, layout)
        index = next((file for file in files if file.path == store.profile.index_name), None)
        if index is not None and index.data == b"" and len(files) > 1:
            # an empty index above memories: a writer that truncates may be in the middle of its work
            from memtui.core.writing.current import read_calm

            with contextlib.suppress(OSError):
                if read_calm(store.root / index.path, known=b" "):
                    files = read_store(store, layout)
        counts = [root.sessions for root in self.locate().transcripts if root.agent == "pi"]
        store = dataclasses.replace(
            store,
            exists=fs.is_dir(store.root),
            read_at=self.env.now(),
            sessions=sum(counts) if counts else None,
        )
        return layout.scan(store, files)

    def read_all(self, store_name: str = "") -> tuple[Snapshot, ...]:
        """All used stores that are there, or the one that is named, each as `read` gives it."""
        stores = (self.choose_store(store_name),) if store_name else self.used_stores()
        return tuple(self.read(store) for store in stores if fs.is_dir(store.root))

    def scan(self, store: Store) -> Snapshot:
        """Read a store and check it. Never raises on what is in it; nothing is created."""
        snapshot = self.read(store)
        return dataclasses.replace(snapshot, problems=self.problems(snapshot))

    def problems(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """What is wrong with a store, as far as that is told without knowing how to mend it."""
        from memtui.core.checks import look

        return look(snapshot) + self.problems_of_history(snapshot)

    def problems_of_history(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """What memtui's own history knows to be wrong with a store."""
        if not fs.is_dir(self.env.state_dir / "history"):
            return ()
        from memtui.core.history.problems import history_problems
        from memtui.core.writing.current import read_bytes

        return history_problems(snapshot, self._journal, read_bytes, self.env.now())

    @cached_property
    def _journal(self) -> Journal:
        from memtui.core.history.journal import Journal

        return Journal(self.env.state_dir, self.env.now, keeps=self.config.history.enabled)

    def snapshots(self, store_name: str = "") -> tuple[Snapshot, ...]:
        """All used stores as they are now, or the one that is named."""
        stores = (self.choose_store(store_name),) if store_name else self.used_stores()
        return tuple(self.scan(store) for store in stores)

    def find_memory(self, memory_id: str, store_name: str = "") -> tuple[Snapshot, Memory]:
        """A memory by its id, also without `.md`. Raises UnknownIdError, or UsageError if it is in several."""
        pairs = [(snapshot, memory) for snapshot in self.snapshots(store_name) for memory in snapshot.memories]
        named = [[pair for pair in pairs if pair[1].id == name] for name in (memory_id, f"{memory_id}.md")]
        found = named[0] or named[1]
        if len(found) == 1:
            return found[0]
        if found:
            raise in_several_stores(memory_id, [snapshot.store.id for snapshot, _memory in found])
        raise UnknownIdError(_("no memory {id} here; `memtui list` names them").format(id=memory_id))

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        """The exact source of a memory, or None when there is none to show."""
        return self._layout(snapshot).text(snapshot, memory_id)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        """What the agent is given of this store at its start."""
        return self._layout(snapshot).agent_view(snapshot)

    def watch_roots(self) -> tuple[Root, ...]:
        """What to watch so that every change of the used stores is noticed, and what works on them."""
        from memtui.core.agents.at_work import places_beside
        from memtui.core.watch.roots import Root

        stores = self.used_stores()
        beside: dict[Path, set[str]] = {}
        for folder, name in (place for store in stores for place in places_beside(store)):
            beside.setdefault(folder, set()).update([name] if name else [])
        roots = [Root(store.root) for store in stores]
        roots += [
            Root(folder, recursive=False, names=frozenset(names) or None) for folder, names in beside.items()
        ]
        return tuple(dict.fromkeys(roots))

    def _locate(self) -> Located:
        if self._path is not None:
            return Located(self.env.cwd, (store_at(self.env, self._path, self._owner),), ())
        located = locate(self.env, self.config)
        if not self._owner:
            return located
        owned = tuple(store for store in located.stores if store.owner == self._owner)
        return dataclasses.replace(located, stores=owned)

    def _layout(self, snapshot: Snapshot) -> Layout:
        return LAYOUTS[snapshot.store.layout]
