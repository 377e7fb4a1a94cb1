"""Several memories as one text for an editor, each behind a line that says which it is, and back again. Pure.

The lines may go or stay; where they come back in another way nobody can tell what was meant, and nothing is
made of the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Layout, Memory, Snapshot, Store
from memtui.core.operations.carrying import FORMS, in_words
from memtui.core.operations.phrases import unless_said
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.core.text.document import BOM
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

MARK = "%%%%%%"
"""What a marker line begins and ends with."""

_HEADING = "### "


@dataclass(frozen=True, slots=True)
class MergeText:
    """What an editor gets (`data`), its marker lines, and the text of the memory that stays as it was (`base`).

    `known` are lines of the memories themselves that look like markers.
    """

    data: bytes
    base: bytes
    markers: tuple[bytes, ...]
    known: frozenset[bytes] = frozenset()


def text_to_merge(
    kept: tuple[Layout, Snapshot, Memory], others: Sequence[tuple[Layout, Snapshot, Memory]]
) -> MergeText:
    """The text to edit: the memory that stays first and whole, then the texts of the others.

    Raises RefusedError for a memory that has no text, or is not UTF-8.
    """
    layout, snapshot, memory = kept
    base = _source(layout, snapshot, memory)
    document = documents.parse(base)
    if document.bad_utf8_at is not None:
        raise RefusedError(_("{file} is not UTF-8: convert it first").format(file=memory.file))
    count = 1 + len(others)
    stays, goes = _("{n} of {count}, stays"), _("{n} of {count}, goes")
    last = _("what stands here becomes that one memory; leave these lines, or delete them")
    marks = [_marker(stays.format(n=1, count=count), memory)]
    texts = [f"{document.text.rstrip()}\n"]
    for number, other in enumerate(others, 2):
        marks.append(_marker(goes.format(n=number, count=count), other[2]))
        texts.append(_joined_text(other, snapshot.store) + ("\n" if number < count else ""))
    marks.append(f"{MARK} memtui: {last} {MARK}")
    parts = [part for pair in zip(marks, texts, strict=False) for part in pair]
    text = "\n".join((*parts, marks[-1], "")).replace("\r\n", "\n").replace("\n", document.newline)
    markers = tuple(documents.encode(mark) for mark in marks)
    lines = documents.encode(text).split(b"\n")
    known = frozenset(_bare(line) for line in lines if MARK.encode() in line) - set(markers)
    data = (BOM if document.has_bom else b"") + documents.encode(text)
    return MergeText(data, base, markers, known)


def merged_text(asked: MergeText, data: bytes) -> bytes:
    """The text of the one memory, as it came back. Raises RefusedError where that cannot be told."""
    document = documents.parse(data)
    if document.bad_utf8_at is not None:
        raise RefusedError(
            _("nothing was merged: the text is not UTF-8 at byte {offset}").format(offset=document.bad_utf8_at)
        )
    # with its line a person may have deleted the mark in front of it
    bom = BOM if asked.data.startswith(BOM) else b""
    lines = data.removeprefix(BOM).split(b"\n")
    found = [_bare(line) for line in lines if _bare(line) in asked.markers]
    rest = [line for line in lines if _bare(line) not in asked.markers]
    remains = [line for line in rest if MARK.encode() in line and _bare(line) not in asked.known]
    if remains or (found and found != list(asked.markers)):
        raise RefusedError(
            _(
                "nothing was merged: the lines with {mark} are neither all there as they were nor all gone"
            ).format(mark=MARK)
        )
    text = b"\n".join(rest)
    if not text.strip():
        raise RefusedError(_("nothing was merged: the text is empty"))
    return bom + text


def _source(layout: Layout, snapshot: Snapshot, memory: Memory) -> bytes:
    text = layout.text(snapshot, memory.id) if memory.state == "ok" else None
    if text is None:
        raise RefusedError(_("{title} has no text that could be merged").format(title=memory.title))
    return text.text


def _joined_text(other: tuple[Layout, Snapshot, Memory], store: Store) -> str:
    """A memory's text with what else it says, in the form of the store of the one that stays."""
    layout, snapshot, memory = other
    edit = in_words(layout, snapshot, memory, store)
    title = unless_said(edit.title, f"{edit.description}\n{edit.body}")
    if FORMS[store.layout].title and title:
        title = f"{_HEADING}{title}\n"
    description = unless_said(edit.description, edit.body)
    description = f"{description}\n" if description and FORMS[store.layout].title else description
    return "\n".join(part for part in (title, description, edit.body) if part)


def _marker(what: str, memory: Memory) -> str:
    where = memory.file if memory.span is None else f"{memory.group or memory.file}"
    return f"{MARK} memtui: {what}: {display.line(memory.title)} ({display.line(where)}) {MARK}"


def _bare(line: bytes) -> bytes:
    return line.rstrip(b" \t\r")
