"""What a session file says of memory, read from its end backwards, a bounded part of it.

Only entries that tell of memory are decoded. What lies further ahead than `MOST_BYTES` is not looked at: the
answer says so (`Conversation.is_cut`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core.agents.loaded import Conversation, Mark
from memtui.core.agents.loaded_ways import WAYS
from memtui.core.search.backward import Lines, backward
from memtui.core.sessions.blocks import ACTIVE
from memtui.core.sessions.chain import Chain
from memtui.core.sessions.reader import Reader, Status, opened
from memtui.core.sessions.records import Found, parse_object, scan
from memtui.core.sessions.times import moment
from memtui.late import dataclasses, re
from memtui.late.dataclasses import dataclass, field

MOST_BYTES = 32 << 20
"""So much of the end of a session is read at most."""

CHUNK_BYTES = 1 << 18
"""It is read in pieces of this size, and no further than is needed."""

HEAD_BYTES = 1 << 16
"""So much of its beginning is read for its header and first entry."""

GIVEN = frozenset(way.given for way in WAYS if way.given)
SHOWN = frozenset(way.shown for way in WAYS if way.shown)
SECTIONS = frozenset(way.section for way in WAYS if way.section)
READS = frozenset(tool for way in WAYS for tool in way.reads)

_TIME = re.compile(rb'"timestamp":"([^"\\]{10,40})"')
_TOOL = re.compile(rb'"toolName":"([^"\\]{1,64})"')
_NAME = re.compile(r"^## (\S[^\n]*)$", re.MULTILINE)
"""The file or title above each text that yandy's pi-memory shows (its code of 1.3.4 and 2.x)."""

_START_OF_LINE = 2048
"""Time and tool of an entry stand within so many bytes of its beginning, as pi writes it."""


@dataclass
class _Walk:
    """What was met so far, the newest first. `message_at` is where the message stands that a marker which is
    met next belongs to; `keeps` the first entry that the newest compaction kept, by its id, and where it is.
    `end` is where the last whole line ends."""

    chain: Chain
    marks: list[Mark] = field(default_factory=list)
    spoke: datetime | None = None
    asked: datetime | None = None
    has_branches: bool = False
    message_at: int | None = None
    keeps: bytes | None = None
    kept_from: int | None = None
    has_compaction: bool = False
    end: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether nothing further ahead could change what is said."""
        return self.has_compaction and any(mark.kind == "given" and mark.on_branch for mark in self.marks)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a session file said when its `status` was this, and how to read on: behind the line that ends at
    `end`, if the bytes before it are still the same (`checksum`) and what follows goes on from `leaf`."""

    said: Conversation
    status: Status
    end: int
    checksum: int
    leaf: bytes | None


def read_conversation(path: Path, before: Reading | None = None, most_bytes: int = MOST_BYTES) -> Reading:
    """What a session file says; not more than `most_bytes`, its head and one piece are read. Raises OSError.

    Of a file that only grew since it was read `before`, what it grew by is read.
    """
    with opened(path) as reader:
        if before is not None and before.status == reader.status:
            return before
        return _read_on(reader, before, most_bytes) or _read(reader, most_bytes)


def _read(reader: Reader, most_bytes: int) -> Reading:
    header, first = _head(reader.at(0, min(HEAD_BYTES, reader.status.size_bytes)))
    walk = _Walk(Chain(linear=header.get("version", 1) == 1))
    is_cut = _walk(reader, walk, most_bytes)
    late = set(walk.chain.late)
    marks = (dataclasses.replace(mark, on_branch=True) if mark.offset in late else mark for mark in walk.marks)
    said = Conversation(
        began=moment(header.get("timestamp")),
        first=first,
        is_fork=bool(header.get("parentSession")),
        spoke=walk.spoke,
        asked=walk.asked,
        is_cut=is_cut,
        has_branches=walk.has_branches,
        marks=tuple(marks),
    )
    return Reading(said, reader.status, walk.end, reader.print_before(walk.end), walk.chain.leaf)


def _read_on(reader: Reader, before: Reading | None, most_bytes: int) -> Reading | None:
    """What a file says that grew, None where only all of it tells: it is another one, went back to an earlier
    entry, was compacted, or grew by too much."""
    then, now = None if before is None else before.status, reader.status
    if before is None or then is None or (then.device, then.inode) != (now.device, now.inode):
        return None
    if before.leaf is None or now.size_bytes < before.end or not before.end:
        return None
    if before.said.first is None:
        return None
    if reader.print_before(before.end) != before.checksum:
        return None
    walk = _Walk(Chain(linear=False), end=before.end)
    is_cut = _walk(reader, walk, most_bytes, start=before.end)
    if is_cut or walk.has_compaction or walk.has_branches or walk.chain.late:
        return None
    if walk.chain.started and walk.chain.wanted != before.leaf:
        return None
    said = dataclasses.replace(
        before.said,
        spoke=walk.spoke or before.said.spoke,
        asked=walk.asked or before.said.asked,
        marks=(*walk.marks, *before.said.marks),
    )
    leaf = walk.chain.leaf if walk.chain.started else before.leaf
    return Reading(said, now, walk.end, reader.print_before(walk.end), leaf)


def _head(data: bytes) -> tuple[dict[str, Any], datetime | None]:
    """The header and the time of the first entry behind it."""
    header: dict[str, Any] = {}
    for line in data.split(b"\n"):
        if not header:
            record = parse_object(line) or {}
            header = record if record.get("type") == "session" else {}
        elif (found := _TIME.search(line, 0, _START_OF_LINE)) is not None:
            return header, moment(found[1].decode("ascii", "replace"))
    return header, None


def _walk(reader: Reader, walk: _Walk, most_bytes: int, start: int = 0) -> bool:
    """Walk back as far as is needed, to `start` at most; whether anything behind it was left out."""
    reached = reader.status.size_bytes
    pieces_left = max(1, most_bytes // CHUNK_BYTES)

    def is_far() -> bool:
        nonlocal pieces_left
        pieces_left -= 1
        return pieces_left < 0

    for lines in backward(reader, is_far, CHUNK_BYTES, start=start):
        reached = lines.offset
        if lines.data is not None:
            # a last line without its end is still being written: it is read again
            whole = len(lines.data) if lines.ended else lines.data.rfind(b"\n") + 1
            walk.end = max(walk.end, lines.offset + whole)
        _walk_lines(lines, walk)
        if walk.is_enough:
            break
    return reached > start


def _walk_lines(lines: Lines, walk: _Walk) -> None:
    data = lines.data
    if data is None:
        return
    found = scan(data, lines.offset)
    branches = walk.chain.walk(found)
    for item, branch in zip(reversed(found), reversed(branches), strict=True):
        if not item.whole or item.kind in ("session", "damaged", "oversized"):
            continue
        start = item.offset - lines.offset
        line = data[start : start + item.length]
        on_branch = branch == ACTIVE
        walk.has_branches = walk.has_branches or not on_branch
        if on_branch and walk.keeps is not None and item.id == walk.keeps and walk.kept_from is None:
            walk.kept_from = item.offset
        walk.marks += _marks(item, line, walk, on_branch=on_branch)
        if on_branch:
            _note_turn(item, line, walk)


def _note_turn(item: Found, line: bytes, walk: _Walk) -> None:
    """Note when the person spoke and the model answered last, and which message a marker belongs to."""
    if item.kind == "user" and walk.spoke is None:
        walk.spoke = _when(line)
    if item.kind in ("assistant", "tool") and walk.asked is None:
        walk.asked = _when(line)
    if item.kind == "assistant":
        walk.message_at = None
    elif (item.record or {}).get("type") == "custom_message":
        walk.message_at = item.offset


def _marks(item: Found, line: bytes, walk: _Walk, *, on_branch: bool) -> Iterator[Mark]:
    """What an entry says of memory."""
    when = _when(line)
    if when is None:
        return
    at, record = item.offset, item.record or {}
    if item.kind == "compaction":
        if on_branch and not walk.has_compaction:
            walk.has_compaction = True
            kept = record.get("firstKeptEntryId")
            walk.keeps = kept.encode("utf-8", "surrogatepass") if isinstance(kept, str) else None
            walk.kept_from = at if walk.keeps == item.id else None
        yield Mark("compaction", when, at, on_branch)
    elif item.kind == "custom":
        told = record.get("customType")
        kind = told if isinstance(told, str) else ""
        if kind in GIVEN and record.get("type") == "custom":
            data = record.get("data")
            text = data.get("indexHash") if isinstance(data, dict) else ""
            message_at = at if walk.message_at is None else walk.message_at
            lost = on_branch and walk.kept_from is not None and walk.kept_from > message_at
            yield Mark("given", when, at, on_branch, text if isinstance(text, str) else "", is_lost=lost)
        elif kind in SHOWN:
            names = tuple(_NAME.findall(_text(record.get("content"))))
            yield Mark("shown", when, at, on_branch, kind, names)
    elif item.kind == "tool":
        tool = _TOOL.search(line, 0, _START_OF_LINE)
        name = "" if tool is None else tool[1].decode("utf-8", "replace")
        if name in READS:
            yield Mark("read", when, at, on_branch, name)
    elif item.kind == "system" and any(section.encode() in line for section in SECTIONS):
        message = (parse_object(line) or {}).get("message")
        sections = message.get("sections") if isinstance(message, dict) else None
        for name in SECTIONS.intersection(sections if isinstance(sections, dict) else ()):
            yield Mark("section", when, at, on_branch, name)


def _when(line: bytes) -> datetime | None:
    found = _TIME.search(line, 0, _START_OF_LINE)
    return None if found is None else moment(found[1].decode("ascii", "replace"))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
