"""Files of a topics store to memories: the entries of each topic, in the order of the index and of the file."""

from __future__ import annotations

import datetime as dates
import hashlib
import posixpath
from collections.abc import Iterable, Mapping

from memtui.core.layouts.base import Memory, MemoryState, Problem, Reshape, Snapshot, Store, StoredFile
from memtui.core.layouts.dash_index import Entry, parse_entries
from memtui.core.layouts.topics import dream, injection, surfacing
from memtui.core.layouts.topics.out_of_step import out_of_step
from memtui.core.layouts.topics.reading import Section, Topic, parse_topic
from memtui.core.layouts.topics.rules import form_of, rules_of
from memtui.core.text import index_lines
from memtui.core.text.links import SUFFIX, is_outside
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

VERBS = ("edit", "delete", "rename", "type", "title", "description", "hook")

ID_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory is: its topic's path and parts, and the entry in it (None = the file as a whole)."""

    path: str
    topic: Topic | None
    section: Section | None


def stem_of(path: str) -> str:
    """A topic's name by its path."""
    return path.removesuffix(SUFFIX)


def is_topic(path: str, index_name: str) -> bool:
    """Whether a file at this path is a topic."""
    return path.endswith(SUFFIX) and path != index_name


def index_data(files: Mapping[str, StoredFile], index_name: str) -> bytes:
    """The index's bytes; empty when there is none that can be read."""
    file = files.get(index_name)
    return b"" if file is None or file.data is None else file.data


def scan(store: Store, files: Iterable[StoredFile]) -> Snapshot:
    """Files to memories, budgets and the problems of this layout. Never raises."""
    by_path = {file.path: file for file in files}
    builder = _Builder(store, by_path)
    for path in builder.ordered_paths():
        builder.add(path)
    data = index_data(by_path, store.profile.index_name)
    index_file = by_path.get(store.profile.index_name)
    largest = max((len(topic.data) for topic in builder.topics.values()), default=0)
    budgets = injection.budgets(data, builder.entries, store.profile, largest)
    return Snapshot(
        store=store,
        files=by_path,
        memories=tuple(builder.memories),
        budgets=budgets,
        problems=tuple(_problems(store, builder, data, by_path)),
        index=index_lines.parse_bytes(data) if index_file is not None and index_file.data is not None else None,
        facts=tuple(dream.facts(store, by_path.get(dream.META_NAME))),
    )


def place_of(snapshot: Snapshot, memory: Memory) -> Place:
    """Where a memory of this snapshot is."""
    file = snapshot.files.get(memory.file)
    if file is None or file.data is None or memory.state != "ok":
        return Place(memory.file, None, None)
    topic = parse_topic(file.data)
    section = next((s for s in topic.sections if (s.start, s.end) == memory.span), None)
    return Place(memory.file, topic, section)


class _Builder:
    def __init__(self, store: Store, files: Mapping[str, StoredFile]) -> None:
        profile = store.profile
        self._store = store
        self._files = files
        data = index_data(files, profile.index_name)
        self.entries = parse_entries(data, form_of(rules_of(profile)))
        taken = injection.inject(data, profile)
        self._last_line = taken.last_line
        self._has_index = profile.index_name in files
        self._named: dict[str, list[Entry]] = {}
        for entry in self.entries:
            self._named.setdefault(posixpath.normpath(entry.file), []).append(entry)
        self._ids: set[str] = set()
        self.memories: list[Memory] = []
        self.topics: dict[str, Topic] = {}

    def ordered_paths(self) -> list[str]:
        index_name = self._store.profile.index_name
        rest = sorted(path for path in self._files if is_topic(path, index_name))
        return list(dict.fromkeys([*self._named, *rest]))

    def add(self, path: str) -> None:
        file = self._files.get(path)
        if is_outside(path):
            self._whole(path, None, "outside", _("it lies outside the memory directory"))
        elif file is None or file.kind in ("missing", "dir"):
            if path in self._named:
                self._whole(path, None, "missing", _("the file is missing"))
        elif file.kind == "symlink":
            reason = _("it is a symlink to {target}").format(target=file.link_target)
            self._whole(path, file, "symlink", reason)
        elif file.data is None:
            reason = _("it cannot be read: {error}").format(error=file.error or file.kind)
            self._whole(path, file, "unreadable", reason)
        elif is_topic(path, self._store.profile.index_name):
            topic = self.topics[path] = parse_topic(file.data)
            if topic.sections:
                for section in topic.sections:
                    self._entry(path, file, topic, section)
            else:
                self._whole(path, file, "ok", _("no heading `## ` begins an entry in it"), topic)

    def _entry(self, path: str, file: StoredFile, topic: Topic, section: Section) -> None:
        why_not = {
            "description": _("the owner's program makes a topic's description of its titles"),
            "hook": _("the owner's program makes a topic's index line of its titles"),
        }
        if topic.has_crlf:
            why_not = dict.fromkeys(
                VERBS, _("its line ends are CRLF: the owner sees no entry; convert it first")
            )
        elif _bad_utf8_at(file.data or b"") is not None:
            offset = _bad_utf8_at(file.data or b"")
            reason = _("it is not UTF-8 at byte {offset}: convert it first").format(offset=offset)
            why_not = dict.fromkeys(VERBS, reason)
        if "type" not in topic.fields:
            why_not.setdefault("type", _("its file has no type in its frontmatter"))
        text = topic.data[section.start : section.end]
        digits = hashlib.sha256(text).hexdigest()[:ID_DIGITS]
        self._append(
            f"{path}#{digits}",
            path,
            file,
            topic,
            title=section.title.strip() or stem_of(path),
            span=(section.start, section.end),
            size_bytes=len(text),
            why_not=why_not,
        )

    def _whole(
        self, path: str, file: StoredFile | None, state: MemoryState, reason: str, topic: Topic | None = None
    ) -> None:
        why_not = dict.fromkeys(("edit", "rename", "type", "title", "description", "hook"), reason)
        if state == "unreadable":
            why_not["delete"] = reason
        if state == "ok":
            del why_not["edit"]
        data = file.data if file is not None else None
        self._append(
            path, path, file, topic, stem_of(path), None, len(data) if data is not None else 0, why_not, state
        )

    def _append(
        self,
        wanted: str,
        path: str,
        file: StoredFile | None,
        topic: Topic | None,
        title: str,
        span: tuple[int, int] | None,
        size_bytes: int,
        why_not: dict[str, str],
        state: MemoryState = "ok",
    ) -> None:
        if not self._store.writable:
            why_not = dict.fromkeys(VERBS, _("the store is read-only"))
        named = self._named.get(path, ())
        if not rules_of(self._store.profile).has_hooks:
            own = [entry for entry in named if entry.name == title]
            named = own or (named if span is None else ())
        fields = topic.fields if topic is not None else {}
        self.memories.append(
            Memory(
                id=self._unique(wanted),
                title=title,
                description="",
                type=fields.get("type", ""),
                group=stem_of(path),
                file=path,
                state=state,
                span=span,
                index_lines=tuple(entry.number for entry in named),
                hook=named[0].hook if named else None,
                loaded=self._store.loads and any(self._loads(entry.number) for entry in named),
                updated=_day(fields.get("updated", "")) or (file.updated if file is not None else None),
                size_bytes=size_bytes,
                link_target=file.link_target if file is not None else "",
                why_not=why_not,
            )
        )

    def _loads(self, line: int) -> bool:
        return self._last_line is None or line <= self._last_line

    def _unique(self, wanted: str) -> str:
        number, found = 1, wanted
        while found in self._ids:
            number += 1
            found = f"{wanted}~{number}"
        self._ids.add(found)
        return found


def _day(text: str) -> dates.datetime | None:
    try:
        return dates.datetime.fromisoformat(text[:10]).replace(tzinfo=dates.UTC)
    except ValueError:
        return None


def _bad_utf8_at(data: bytes) -> int | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


# Problems of this layout


def _crlf(path: str, topic: Topic, store: Store) -> Problem:
    message = _("{file} has CRLF line ends: the owner's program sees no entry in it").format(file=path)
    line = topic.data.count(b"\n", 0, topic.data.index(b"\r\n")) + 1
    repair = Reshape(path, "lf") if store.writable else None
    memory_id = None if topic.sections else path
    return Problem("crlf", "warning", message, memory_id, path, line, repair, is_safe=repair is not None)


def _problems(
    store: Store, builder: _Builder, data: bytes, files: Mapping[str, StoredFile]
) -> Iterable[Problem]:
    taken = injection.inject(data, store.profile)
    if taken.is_marked and taken.last_line is None:
        message = _(
            "the owner marks this full index as cut although nothing is lost: its last line end counts too"
        )
        yield Problem("over-limit", "note", message, file=store.profile.index_name)
    ids = {(memory.file, memory.span): memory.id for memory in builder.memories}
    for path, topic in builder.topics.items():
        if topic.has_crlf:
            yield _crlf(path, topic, store)
        for section in topic.sections:
            if not section.counted and not topic.has_crlf:
                message = _("a line --- above hides this entry from the owner: it is not in the hook or found")
                memory_id = ids.get((path, (section.start, section.end)))
                yield Problem("shadowed", "warning", message, memory_id, path, section.line)
        for line in topic.phantoms:
            message = _("the owner takes line {line} for the beginning of an entry of its own")
            yield Problem("shadowed", "note", message.format(line=line), None, path, line)
    first_ids: dict[str, str] = {}
    for memory in builder.memories:
        first_ids.setdefault(memory.file, memory.id)
    yield from out_of_step(store, builder.topics, builder.entries, first_ids)
    surfaced = {path: files[path] for path in builder.topics if path in files}
    for path, reason in surfacing.never_surfaced(surfaced, builder.topics, store.profile):
        yield Problem("shadowed", "note", reason, None, path)
