"""A session as a row without reading all of it: the head for who and what, the tail for when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core.sessions.base import Counts, Session
from memtui.core.sessions.reader import Reader, Status, opened
from memtui.core.sessions.records import Found, is_first_record_of_pi, look_at_last, parse_object, scan
from memtui.core.sessions.tally import count_all, count_part
from memtui.core.sessions.texts import as_row, first_line_of_user, first_text_in, session_name
from memtui.core.sessions.times import from_seconds, message_time, moment
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

WHOLE_BYTES = 32 << 10
"""A file up to this size is read and counted at once."""

HEAD_STEPS = (16 << 10, 128 << 10, 1 << 20)
"""How much of the head is read until header and first user text are found (pi's own bound is 1 MiB)."""

TAIL_STEPS = (16 << 10, 128 << 10, 1 << 20)
"""How much of the tail is read until a message with a time is found."""

_TITLE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Head:
    """What the head of a file says: its header (empty for none), whether pi takes it, the first user text."""

    header: dict[str, Any]
    pi_opens: bool = True
    why_not: str = ""
    first_text: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Tail:
    """What the tail says: the newest time in it (of any message) and the last name, None for no mention."""

    when: datetime | None = None
    name: str | None = None


def look_at(path: Path) -> Session:
    """A row from head and tail, with counts where the file is small. Raises OSError."""
    with opened(path) as reader:
        status = reader.status
        if status.size_bytes > WHOLE_BYTES:
            return _session(path, status, _head(reader), _tail(reader))
        data = reader.at(0, WHOLE_BYTES)
        return with_counts(_session(path, status, read_head(data, True), Tail()), count_all(data))


def with_counts(session: Session, counts: Counts) -> Session:
    """The row with what counting found: exact name, title and time."""
    first_text = counts.first_text or session.first_text
    updated = counts.last_activity or _without_message_time(session, counts)
    return dataclasses.replace(
        session,
        counts=counts,
        name=counts.name,
        first_text=first_text,
        title=title_of(counts.name, first_text),
        updated=updated,
    )


def title_of(name: str, first_text: str) -> str:
    """What a list shows for a session: its name, else what a person typed first, else a phrase."""
    return (as_row(name) or first_text)[:_TITLE_CHARACTERS] or _("(no messages)")


def read_head(data: bytes, is_whole_file: bool = False) -> Head:
    """Find the header and the first text of a person in the first bytes of a file.

    The header has to be the first line that parses, else pi does not list the file; here it is found behind
    other lines, too.
    """
    header: dict[str, Any] = {}
    name = first_text = ""
    first = True
    pi_opens = False
    for item in _items(data, is_whole_file):
        if item.kind == "session" and not header:
            header = item.record or {}
            pi_opens = first and is_first_record_of_pi(item)
        first = first and not item.whole
        if item.kind == "session_info":
            name = session_name(item.record or {})
        if item.kind == "user" and header:
            first_text = first_line_of_user(_record(data, item))
            if first_text:
                break
    if header and not first_text:
        first_text = first_text_in(data)
    why_not = "" if pi_opens else _no_header(header, data)
    return Head(header, pi_opens, why_not, first_text, name)


def _no_header(header: dict[str, Any], data: bytes) -> str:
    if not data:
        return _("the file is empty")
    if not header:
        return _("it has no session header, so pi ignores it")
    if data.startswith(b"\xef\xbb\xbf"):
        return _("a byte-order mark stands before its header, so pi does not see it")
    if not isinstance(header.get("id"), str):
        return _("its header has no id")
    return _("its header is not the first line, so pi ignores it")


def _items(data: bytes, is_whole_file: bool) -> Iterator[Found]:
    """The records of a head one by one: the first text of a person mostly stands in the first few lines."""
    position = 0
    while (end := data.find(b"\n", position)) >= 0:
        yield from scan(data[position:end], position)
        position = end + 1
    if is_whole_file and position < len(data):
        yield from look_at_last(data[position:], position) or ()


def _record(data: bytes, item: Found) -> dict[str, Any]:
    return item.record or parse_object(data[item.offset : item.offset + item.length]) or {}


def _head(reader: Reader) -> Head:
    head = Head({})
    for size_bytes in HEAD_STEPS:
        head = read_head(reader.at(0, size_bytes))
        if (head.header and head.first_text) or size_bytes >= reader.status.size_bytes:
            break
    return head


def _tail(reader: Reader) -> Tail:
    size_bytes, tail = reader.status.size_bytes, Tail()
    for step in TAIL_STEPS:
        first = max(0, size_bytes - step)
        tail = read_tail(reader.at(first, size_bytes - first), first)
        if tail.when is not None or not first:
            break
    return tail


def read_tail(data: bytes, base: int) -> Tail:
    """What the last bytes of a file say; a line that begins before them is left out.

    Without a user or assistant message the time of the last other message comes near.
    """
    lines = data[data.find(b"\n") + 1 :] if base else data
    counts = count_part(lines)
    name = counts.name if b'"session_info"' in lines else None
    if counts.last_activity is not None:
        return Tail(counts.last_activity, name)
    for item in reversed(scan(lines[: lines.rfind(b"\n") + 1], 0)):
        if item.is_message and item.whole and (when := message_time(_record(lines, item))) is not None:
            return Tail(when, name)
    return Tail(None, name)


def _session(path: Path, status: Status, head: Head, tail: Tail) -> Session:
    header = head.header
    name = head.name if tail.name is None else tail.name
    session_id, cwd, parent = (header.get(key) for key in ("id", "cwd", "parentSession"))
    started = moment(header.get("timestamp"))
    version = header.get("version", 1) if header else 0
    return Session(
        agent="pi",
        id=session_id if isinstance(session_id, str) and session_id else path.stem,
        file=path,
        title=title_of(name, head.first_text),
        name=name,
        cwd=cwd if isinstance(cwd, str) else "",
        started=started,
        updated=tail.when or started or from_seconds(status.mtime_ns / 1e9),
        size_bytes=status.size_bytes,
        inode=status.inode,
        mtime_ns=status.mtime_ns,
        version=version if isinstance(version, int) else 0,
        parent=parent if isinstance(parent, str) else "",
        first_text=head.first_text,
        pi_lists=head.pi_opens,
        pi_opens=head.pi_opens,
        hidden_because=head.why_not,
    )


def _without_message_time(session: Session, counts: Counts) -> datetime:
    """pi falls back to the header's time; where messages are there but carry no time, the file's is nearer."""
    changed = from_seconds(session.mtime)
    return changed if counts.turns else session.started or changed


def unreadable(path: Path, status: Status, reason: str) -> Session:
    """The row of a file that cannot be read, with the reason."""
    return Session(
        agent="pi",
        id=path.stem,
        file=path,
        title=path.stem,
        name="",
        cwd="",
        started=None,
        updated=from_seconds(status.mtime_ns / 1e9),
        size_bytes=status.size_bytes,
        inode=status.inode,
        mtime_ns=status.mtime_ns,
        pi_lists=False,
        pi_opens=False,
        hidden_because=reason,
    )
