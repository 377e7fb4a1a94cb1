"""What memtui may do to a session file, as rules and bytes; the writing itself is `writing`'s.

A name is one appended line, as pi's own list does it (pi-and-zcode sheet A2). A session that a pi is using
must not be moved away silently: pi opens the file by name for every entry, so its next entry makes a new file
without a header, which pi then ignores for good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memtui.core.sessions.base import Counts, Session
from memtui.core.sessions.texts import normal_name
from memtui.core.sessions.times import iso
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

_CURRENT_VERSION = 3
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TitleEdit:
    """Bytes to append for a name, or why there are none (`refusal`).

    They fit only a file of exactly `at` bytes with this `inode`.
    """

    data: bytes = b""
    at: int = 0
    inode: int = 0
    refusal: str = ""


def title_edit(
    session: Session, counts: Counts, name: str, entry_id: str, when: datetime, ends_with_newline: bool
) -> TitleEdit:
    """The line that gives a session a name ('' takes it away).

    `counts` must be those of the file as it is now. `entry_id` is a fresh id (8 hex digits as pi makes them).
    A last line without a line end gets one first, as pi does, unless it is still being written.
    """
    if not session.pi_opens:
        return TitleEdit(refusal=session.hidden_because)
    if session.version != _CURRENT_VERSION:
        return TitleEdit(refusal=_("it is of an old version; open it in pi once, which brings it up to date"))
    if session.is_link:
        return TitleEdit(refusal=_("it is a symbolic link"))
    if counts.pending_bytes:
        return TitleEdit(refusal=_("its last line is not finished; a program may be writing to it"))
    line = title_line(name, counts.leaf_id, entry_id, when)
    return TitleEdit((b"" if ends_with_newline else b"\n") + line, session.size_bytes, session.inode)


def title_line(name: str, parent_id: str, entry_id: str, when: datetime) -> bytes:
    """A `session_info` line as pi writes it; `parent_id` is the id of the file's last entry, '' for none."""
    record = {
        "type": "session_info",
        "id": entry_id,
        "parentId": parent_id or None,
        "timestamp": iso(when),
        "name": normal_name(name),
    }
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode("utf-8") + b"\n"


def trash_warning(reason: str) -> str:
    """What happens when a session that may be live (`reason`: why) is put into the trash."""
    text = _(
        "This session may be in use: {reason}. If pi goes on with it, pi starts a new file under the same name "
        "that has no header, and ignores that file for good; what is said from then on is lost to pi."
    )
    return text.format(reason=reason)


def archive_name(file: Path, taken: Iterable[str]) -> str:
    """A free name for a copy of a session file: its own, else with `-1`, `-2`… as pi numbers imports."""
    names = set(taken)
    if file.name not in names:
        return file.name
    number = 1
    while (name := f"{file.stem}-{number}{file.suffix}") in names:
        number += 1
    return name
