"""Whether a file has one branch only, so that where a message stands needs no look at all that follows it."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.core.search.index.log import FileRow
from memtui.core.sessions.reader import Reader
from memtui.core.sessions.records import Found, scan

MOST_BYTES = 4 << 20
"""So much that came since is looked through."""


def follow(found: Iterable[Found], last_id: bytes) -> tuple[bool, bytes]:
    """Whether each entry follows the one before it, the first one `last_id` (b'' = any); and the last id."""
    is_linear = True
    for item in found:
        if item.kind == "session" or item.kind == "damaged" or item.id is None:
            continue
        if last_id and item.parent != last_id:
            is_linear = False
        last_id = item.id
    return is_linear, last_id


def tail_is_linear(reader: Reader, row: FileRow) -> bool:
    """Whether the file has one branch, with what was appended since it was indexed."""
    if not row.is_linear:
        return False
    size_bytes = reader.status.size_bytes - row.said_to
    if size_bytes <= 0:
        return True
    if size_bytes > MOST_BYTES:
        return False
    data = reader.at(row.said_to, size_bytes)
    whole = data.rfind(b"\n") + 1
    last_id = row.last_id.encode("utf-8", "surrogatepass")
    return follow(scan(data[:whole], row.said_to), last_id)[0] if whole else True
