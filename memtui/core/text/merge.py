"""Three-way merge of lines, for bytes that two programs changed at once.

Changes that merely touch do not clash: a line taken out here and a line added right behind it there both
happen. Where both sides insert at one place, theirs comes first.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of a merge: the bytes, and whether both sides changed the same lines differently."""

    data: bytes
    clash: bool


@dataclass(frozen=True, slots=True)
class _Hunk:
    start: int
    end: int
    lines: tuple[bytes, ...]


def merge(base: bytes, theirs: bytes, ours: bytes) -> Merged:
    """Put the change from `base` to `ours` on top of `theirs`.

    On a clash `data` is `theirs` with the clashing lines of ours left out: nothing of theirs is lost.
    """
    if theirs in (base, ours):
        return Merged(ours, False)
    if ours == base:
        return Merged(theirs, False)
    base_lines = split_lines(base)
    their_hunks = _hunks(base_lines, split_lines(theirs))
    our_hunks = _hunks(base_lines, split_lines(ours))
    fresh = [hunk for hunk in our_hunks if hunk not in their_hunks]
    kept = [hunk for hunk in fresh if not any(_clashes(hunk, other) for other in their_hunks)]
    edits = [(hunk.start, hunk.end, 0, hunk) for hunk in their_hunks]
    edits += [(hunk.start, hunk.end, 1, hunk) for hunk in kept]
    result: list[bytes] = []
    position = 0
    for start, end, _, hunk in sorted(edits, key=lambda item: item[:3]):
        result.extend(base_lines[position:start])
        result.extend(hunk.lines)
        position = max(position, end)
    result.extend(base_lines[position:])
    return Merged(_join(result), len(kept) < len(fresh))


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their line ends, split at LF only."""
    return data.splitlines(keepends=True) if b"\r" not in data else _split_at_lf(data)


def _split_at_lf(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _hunks(base: Sequence[bytes], other: Sequence[bytes]) -> list[_Hunk]:
    # difflib is quadratic at worst, and most of two versions of a file is a common head and tail
    head = 0
    while head < min(len(base), len(other)) and base[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(other)) - head and base[-1 - tail] == other[-1 - tail]:
        tail += 1
    inner_base, inner_other = base[head : len(base) - tail], other[head : len(other) - tail]
    matcher = difflib.SequenceMatcher(None, inner_base, inner_other, autojunk=False)
    return [
        _Hunk(head + start, head + end, tuple(inner_other[low:high]))
        for tag, start, end, low, high in matcher.get_opcodes()
        if tag != "equal"
    ]


def _clashes(ours: _Hunk, theirs: _Hunk) -> bool:
    if ours.start == ours.end and theirs.start == theirs.end:
        return False
    if ours.start == ours.end:
        return theirs.start < ours.start < theirs.end
    if theirs.start == theirs.end:
        return ours.start < theirs.start < ours.end
    return ours.start < theirs.end and theirs.start < ours.end


def _join(lines: list[bytes]) -> bytes:
    eol = b"\r\n" if any(line.endswith(b"\r\n") for line in lines) else b"\n"
    return b"".join(
        line if line.endswith(b"\n") or position == len(lines) - 1 else line + eol
        for position, line in enumerate(lines)
    )
