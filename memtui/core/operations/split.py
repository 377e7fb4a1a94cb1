"""Splitting one memory at its headings: the first part stays what it was, each other becomes a memory. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Edit, Layout, Memory, SetText, Snapshot
from memtui.core.operations.carrying import FORMS
from memtui.core.operations.phrases import DESCRIPTION_CHARACTERS, as_title, first_line, short
from memtui.core.text import document as documents
from memtui.core.text.blocks import HEADING, Blocks
from memtui.core.text.links import SUFFIX, one_line
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text: its heading's words ('' = it has none) and all of it behind that, or (`whole`) with
    it."""

    title: str
    body: str
    whole: str


def split_edits(layout: Layout, snapshot: Snapshot, memory: Memory) -> tuple[Edit, ...]:
    """The edits that split a memory, one for each part.

    It is cut at the highest headings that give two parts, and where a memory has no title of its own and no
    headings, at blank lines. Raises RefusedError where there is nothing to split at, or no text.
    """
    form = FORMS[snapshot.store.layout]
    text = layout.text(snapshot, memory.id) if memory.state == "ok" else None
    if text is None:
        raise RefusedError(_("{title} has no text that could be split").format(title=memory.title))
    if "edit" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["edit"]))
    if form.topics and memory.span is None:
        raise RefusedError(_("{file} has no entries").format(file=memory.file))
    body = documents.decode(text.body if form.title else text.text)
    parts = parts_of(body, by_paragraphs=not form.title)
    if len(parts) < 2:
        raise RefusedError(_("there is no heading in {title} to split it at").format(title=memory.title))
    first = SetText(memory.id, documents.encode(parts[0].whole), part="body" if form.title else "text")
    if not form.title:
        others = [Add("", body=_plain(part.whole), group=memory.group) for part in parts[1:]]
        return (first, *others)
    taken = {one_line(other.title) for other in snapshot.memories}
    edits: list[Edit] = [first]
    for part in parts[1:]:
        title = _free(as_title(part.title or first_line(part.body)), taken)
        taken.add(title)
        edits.append(_as_new(snapshot, memory, title, _plain(part.body)))
    return tuple(edits)


def parts_of(text: str, *, by_paragraphs: bool = False) -> tuple[Part, ...]:
    """A text in parts; one only where it cannot be split. Code and comments hold no headings."""
    document = documents.parse(documents.encode(text))
    headings = [
        (line.start, _level(line.text))
        for line, _masked in Blocks(document.lines).text_lines()
        if HEADING.match(line.text)
    ]
    for level in range(1, _DEEPEST + 1):
        parts = _cut(document.raw, [start for start, deep in headings if deep <= level])
        if len(parts) > 1:
            return parts
    if by_paragraphs and not headings:
        starts = [b.start for a, b in pairwise(document.lines) if not a.text.strip() and b.text.strip()]
        return _cut(document.raw, starts)
    return _cut(document.raw, [])


def _cut(raw: bytes, starts: Sequence[int]) -> tuple[Part, ...]:
    edges = [0, *(start for start in starts if start), len(raw)]
    pieces = [documents.decode(raw[low:high]) for low, high in pairwise(edges)]
    return tuple(_part(piece) for piece in pieces if piece.strip())


def _part(piece: str) -> Part:
    head, _end, rest = piece.lstrip("\r\n").partition("\n")
    if not HEADING.match(head):
        return Part("", piece, piece)
    return Part(one_line(head.strip().strip("#")), rest, piece)


def _level(line: str) -> int:
    stripped = line.lstrip(" ")
    return len(stripped) - len(stripped.lstrip("#"))


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip("\n")


def _free(title: str, taken: set[str]) -> str:
    wanted = title or _("part")
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted} {number}"
    return found


def _as_new(snapshot: Snapshot, memory: Memory, title: str, body: str) -> Add:
    form, profile = FORMS[snapshot.store.layout], snapshot.store.profile
    kind = memory.type if memory.type in profile.types else ""
    if form.topics:
        return Add(title, body=body, type=kind, topic=memory.file.removesuffix(SUFFIX))
    description = "" if form.describes else short(first_line(body) or title, DESCRIPTION_CHARACTERS)
    return Add(title, description, kind, body)
