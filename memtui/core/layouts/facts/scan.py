"""Files of a facts store to memories: facts in the order of the index, then dead lines' rows and the rest.

Rules: pi-and-zcode sheet B2 and B3 (index lines, which files count, where the type stands), other-agents
sheet 1.1 (Claude's folders have the same shape).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memtui.core.layouts.base import Memory, MemoryState, Profile, Snapshot, Store, StoredFile
from memtui.core.layouts.facts import budgets
from memtui.core.layouts.facts.names import is_behind_symlink, is_fact, memory_id, resolve, stem_of
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text import index_lines
from memtui.core.text.frontmatter import Frontmatter
from memtui.core.text.index_lines import Index, Link
from memtui.core.text.links import is_outside
from memtui.i18n import _

VERBS = ("edit", "delete", "rename", "type", "title", "description", "hook")
"""The verbs that `Memory.why_not` may refuse."""

TYPE_PATHS = (("metadata", "type"), ("type",))
"""Where a fact's type stands, the winning place first (ZCode's manifest reader, sheet B3)."""


class Place(NamedTuple):
    """Where the index names a path: the line (from 1), the link's position in it (from 0), the link."""

    line: int
    position: int
    link: Link


def index_file(files: Mapping[str, StoredFile], profile: Profile) -> StoredFile:
    """The store's index as read; kind `missing` when there is none."""
    return files.get(profile.index_name) or StoredFile(profile.index_name, "missing")


def places(index: Index | None, files: Mapping[str, StoredFile], profile: Profile) -> dict[str, list[Place]]:
    """What the index names, by path and in order; links to an index file name no memory."""
    found: dict[str, list[Place]] = {}
    if index is not None:
        for line, position, link in index.links():
            path = resolve(link, files)
            if posixpath.basename(path) != profile.index_name or is_outside(path):
                found.setdefault(path, []).append(Place(line, position, link))
    return found


def scan(store: Store, files: Iterable[StoredFile]) -> Snapshot:
    """Files to memories and budgets. Never raises: what cannot be read is a memory that says so."""
    profile = store.profile
    by_path = {file.path: file for file in files}
    own_file = index_file(by_path, profile)
    index = index_lines.parse_bytes(own_file.data) if own_file.data is not None else None
    taken = budgets.injected(index, profile) if index is not None else None
    named = places(index, by_path, profile)
    builder = _Builder(store, by_path, taken)
    for path, where in named.items():
        builder.add(path, where)
    for path in sorted(by_path):
        if path not in named:
            builder.add(path, [])
    return Snapshot(
        store=store,
        files=by_path,
        memories=tuple(builder.memories),
        budgets=budgets.budgets(profile, taken, builder.bodies),
        frontmatters=builder.frontmatters,
        index=index,
    )


def body_start(data: bytes, block: Frontmatter) -> int:
    """The byte where a fact's body begins: behind its frontmatter and one blank line."""
    start = block.body_start
    for blank in (b"\r\n", b"\n"):
        if block.close_line and data.startswith(blank, start):
            return start + len(blank)
    return start


def type_path(block: Frontmatter) -> tuple[str, ...] | None:
    """Where this fact's type stands, or None when it has none."""
    return next((path for path in TYPE_PATHS if block.get(*path) is not None), None)


class _Builder:
    def __init__(self, store: Store, files: Mapping[str, StoredFile], taken: budgets.Injected | None) -> None:
        self._store = store
        self._profile = store.profile
        self._files = files
        self._taken = taken
        self._index_refusal = index_refusal(store, index_file(files, store.profile))
        self._ids: set[str] = set()
        self.memories: list[Memory] = []
        self.frontmatters: dict[str, Frontmatter] = {}
        self.bodies: list[bytes] = []

    def add(self, path: str, where: list[Place]) -> None:
        file = self._files.get(path)
        if is_outside(path) or is_behind_symlink(path, self._files):
            self._add_line(path, where, "outside", _("it lies outside the memory directory"))
        elif file is None or file.kind in ("missing", "dir"):
            self._add_line(path, where, "missing", _("the file is missing"))
        elif is_fact(path, self._profile):
            if file.kind == "file" and file.data is not None:
                self._add_fact(file, file.data, where)
            elif file.kind == "symlink":
                self._add_symlink(file, where)
            else:
                self._add_unreadable(file, where)

    def _add_fact(self, file: StoredFile, data: bytes, where: list[Place]) -> None:
        document = documents.parse(data)
        block = frontmatters.parse(document, max_lines=self._profile.frontmatter_lines)
        self.frontmatters[file.path] = block
        self.bodies.append(data[body_start(data, block) :])
        name = block.get("name") or ""
        place = type_path(block)
        why_not: dict[str, str] = {}
        if document.bad_utf8_at is not None:
            reason = _("it is not UTF-8 at byte {offset}: convert it first").format(offset=document.bad_utf8_at)
            why_not["edit"] = reason
        if block.state == "unclosed":
            reason = _("its frontmatter is not closed: put a line --- behind it first")
            why_not["type"] = why_not["description"] = reason
        if not where:
            why_not["hook"] = _("no index line names it")
        self._append(
            file.path,
            where,
            title=name or stem_of(file.path),
            description=block.get("description") or "",
            type=(block.get(*place) or "") if place else "",
            why_not=why_not,
            file=file,
        )

    def _add_symlink(self, file: StoredFile, where: list[Place]) -> None:
        reason = _("it is a symlink to {target}").format(target=file.link_target)
        why_not = dict.fromkeys(("edit", "rename", "type", "description"), reason)
        if not where:
            why_not["title"] = why_not["hook"] = reason
        self._append(file.path, where, state="symlink", why_not=why_not, file=file)

    def _add_unreadable(self, file: StoredFile, where: list[Place]) -> None:
        reason = _("it cannot be read: {error}").format(error=file.error or file.kind)
        self._append(file.path, where, state="unreadable", why_not=dict.fromkeys(VERBS, reason), file=file)

    def _add_line(self, path: str, where: list[Place], state: MemoryState, reason: str) -> None:
        if where:
            why_not = dict.fromkeys(("edit", "rename", "type", "description"), reason)
            self._append(path, where, state=state, why_not=why_not)

    def _append(
        self,
        path: str,
        where: list[Place],
        *,
        why_not: dict[str, str],
        title: str = "",
        description: str = "",
        type: str = "",
        state: MemoryState = "ok",
        file: StoredFile | None = None,
    ) -> None:
        first = where[0].link if where else None
        lines = tuple(dict.fromkeys(place.line for place in where))
        if self._store.writable:
            if self._index_refusal:
                why_not = {
                    **dict.fromkeys(("title", "hook", "delete", "rename"), self._index_refusal),
                    **why_not,
                }
        else:
            why_not = dict.fromkeys(VERBS, _("the store is read-only"))
        self.memories.append(
            Memory(
                id=self._unique_id(path),
                title=(first.title.strip() if first else "") or title or stem_of(path),
                description=description,
                type=type,
                group="",
                file=path,
                state=state,
                index_lines=lines,
                hook=first.hook if first else None,
                loaded=self._loads(lines),
                updated=file.updated if file else None,
                size_bytes=len(file.data) if file and file.data is not None else 0,
                link_target=file.link_target if file else "",
                why_not=why_not,
            )
        )

    def _loads(self, lines: tuple[int, ...]) -> bool:
        taken = self._taken
        return self._store.loads and taken is not None and any(taken.loads(line) for line in lines)

    def _unique_id(self, path: str) -> str:
        wanted = memory_id(path)
        number, found = 1, wanted
        while found in self._ids:
            number += 1
            found = f"{wanted}~{number}"
        self._ids.add(found)
        return found


def index_refusal(store: Store, file: StoredFile) -> str:
    """Why the index of a store cannot be written, '' when it can (or can be made). Names a symlink's target."""
    if file.kind in ("missing", "file"):
        return ""
    if file.kind == "symlink":
        real = posixpath.normpath(posixpath.join(str(store.root), file.link_target))
        return _("{index} is a symlink to {target}: memtui does not write through it").format(
            index=file.path, target=real
        )
    if file.kind == "dir":
        return _("{index} is a directory; it has to be moved away first").format(index=file.path)
    return _("{index} cannot be read: {error}").format(index=file.path, error=file.error or file.kind)
