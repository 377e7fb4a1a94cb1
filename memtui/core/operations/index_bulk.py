"""The index lines of many memories at once: to the front, to the end, out, or with the description. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Edit, Memory, Remove, SetField, SetIndex, Snapshot
from memtui.core.text.document import Document
from memtui.core.text.index_lines import Index, IndexLine
from memtui.i18n import _

How = Literal["front", "end", "unlist", "describe"]


def index_edits(snapshot: Snapshot, memories: Sequence[Memory], how: How) -> tuple[Edit, ...]:
    """The edits of one store that do this to the lines of these memories.

    `front` and `end`: among the lines that name memories, in the order they have. `unlist`: the lines go, the
    memories stay. `describe`: the text behind the dash is the description. Raises RefusedError where there is
    nothing to do, or no index.
    """
    index = snapshot.index
    if index is None:
        raise RefusedError(_("{store} has no index").format(store=snapshot.store.owner))
    if how == "describe":
        edits = _described(memories)
    elif how == "unlist":
        edits = _unlisted(memories)
    else:
        numbers = sorted({number for memory in memories for number in memory.index_lines})
        after = _moved(index, numbers, to_front=how == "front")
        raw = index.document.raw
        edits = () if after == raw else (SetIndex(after, base=raw),)
    if not edits:
        raise RefusedError(_("nothing would change in {index}").format(index=snapshot.store.profile.index_name))
    return edits


def _described(memories: Iterable[Memory]) -> tuple[Edit, ...]:
    return tuple(
        SetField(memory.id, "hook", memory.description)
        for memory in memories
        if memory.index_lines
        and memory.description
        and memory.description != memory.hook
        and "hook" not in memory.why_not
    )


def _unlisted(memories: Iterable[Memory]) -> tuple[Edit, ...]:
    # memories of one file have its lines in common; the last goes first, so that the others keep their numbers
    lines = {(memory.file, number): memory.id for memory in memories for number in memory.index_lines}
    order = sorted(lines.items(), key=lambda item: item[0][1], reverse=True)
    return tuple(Remove(memory_id, line=number) for (_file, number), memory_id in order)


def _moved(index: Index, numbers: Sequence[int], *, to_front: bool) -> bytes:
    """The index with these lines (from 1) before or behind all others that name memories; what is indented
    below a line goes with it."""
    blocks = {line.number: _block(index, line) for line in index.lines if line.is_entry}
    moving = [number for number in numbers if number in blocks]
    taken = {inner for number in moving for inner in blocks[number]}
    staying = [number for number in blocks if number not in taken]
    if not moving or not staying:
        return index.document.raw
    order = [line.number for line in index.document.lines if line.number not in taken]
    # what moves may stand below the last that stays
    last = max(set(blocks[staying[-1]]) - taken)
    at = order.index(staying[0]) if to_front else order.index(last) + 1
    return _in_order(index.document, [*order[:at], *sorted(taken), *order[at:]])


def _block(index: Index, line: IndexLine) -> range:
    """The numbers of a line and of those that are indented below it."""
    end = line.number
    for text in (following.text for following in index.document.lines[line.number :]):
        blanks = len(text) - len(text.lstrip(" \t"))
        if not line.bullet or not text.strip() or blanks <= len(line.indent):
            break
        end += 1
    return range(line.number, end + 1)


def _in_order(document: Document, numbers: Sequence[int]) -> bytes:
    """The lines in another order; a last line without a line end stays one."""
    lines, eol = document.lines, document.newline.encode()
    start = lines[0].start if lines else 0
    parts = [document.raw[lines[n - 1].start : lines[n - 1].end] + (lines[n - 1].eol or eol) for n in numbers]
    if not document.ends_with_newline:
        parts[-1] = parts[-1].removesuffix(b"\n").removesuffix(b"\r")
    return document.raw[:start] + b"".join(parts)
