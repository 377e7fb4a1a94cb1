"""What sessions are made of: the row of a list, its counts, and the messages of a transcript.

Everything here is frozen data. Texts are as they stand on disk (any character, surrogate escapes included);
times are aware; sizes and offsets are bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memtui.late.dataclasses import dataclass

Branch = Literal["active", "other", "unknown"]
Kind = Literal[
    "session",
    "user",
    "assistant",
    "tool",
    "bash",
    "system",
    "custom",
    "compaction",
    "branch_summary",
    "label",
    "session_info",
    "model_change",
    "thinking_level_change",
    "usage",
    "context_edit",
    "unknown",
    "oversized",
    "damaged",
]
KINDS: tuple[Kind, ...] = Kind.__args__  # type: ignore[attr-defined]
"""All kinds, in the order by which an index stores them."""

PartKind = Literal[
    "text", "thinking", "tool_call", "tool_result", "image", "bash", "note", "damaged", "oversized"
]


@dataclass(frozen=True, slots=True)
class Counts:
    """What only reading the whole file tells.

    `turns` are user messages. `messages` is pi's own number: every `message` entry that pi can parse, so
    records that only memtui recovers from a damaged line are not in it; they are in `recovered`. `damaged`
    are places (lines) that pi cannot read; a last line still being written is none, it is `pending_bytes`.
    `leaf_id` is the id of the last entry, `''` where it has none (version 1). `last_activity` is the newest
    time of a user or assistant message. `first_text` is the first text a person typed.
    """

    turns: int = 0
    messages: int = 0
    recovered: int = 0
    damaged: int = 0
    entries: int = 0
    leaf_id: str = ""
    name: str = ""
    first_text: str = ""
    last_activity: datetime | None = None
    pending_bytes: int = 0


class Unread:
    """What is known of a session before it is read: `where` is the path of its file as text."""

    __slots__ = ("_read", "where")
    _read: Callable[[], Session]
    where: str

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # called for what was not filled in yet
            return _fill(self, name)


@dataclass(frozen=True, slots=True)
class Session(Unread):
    """One conversation as a row.

    `title` is the name, else the first text a person typed, else a phrase. `updated` is the newest message
    time that is known so far, and exact once `counts` is there; `started` and `parent` (the path of the
    session it was forked from, which may be gone) come from the header. `version` is 0 without a header.
    `pi_lists`: pi itself would list it, `hidden_because` says why not. `pi_opens`: its header is one that pi
    accepts; of any other file pi starts a new session over it.

    One that `unread` gives knows its file's place, size, inode and time; all else is read from the cache or
    the disk when it is asked for.
    """

    agent: str
    id: str
    file: Path
    title: str
    name: str
    cwd: str
    started: datetime | None
    updated: datetime
    size_bytes: int
    inode: int
    mtime_ns: int
    version: int = 0
    parent: str = ""
    first_text: str = ""
    pi_lists: bool = True
    pi_opens: bool = True
    hidden_because: str = ""
    is_link: bool = False
    counts: Counts | None = None

    @property
    def mtime(self) -> float:
        """Time of the file's last change, in seconds."""
        return self.mtime_ns / 1e9


_SEEN = ("file", "size_bytes", "inode", "mtime_ns")
_put = object.__setattr__


def unread(where: str, size_bytes: int, inode: int, mtime_ns: int, read: Callable[[], Session]) -> Session:
    """A session of which nothing is known but its file; `read` gives its row and never raises."""
    session = object.__new__(Session)
    _put(session, "where", where)
    _put(session, "size_bytes", size_bytes)
    _put(session, "inode", inode)
    _put(session, "mtime_ns", mtime_ns)
    _put(session, "_read", read)
    return session


def _fill(session: Session, name: str) -> Any:
    """Read what is asked for, and keep it."""
    if name == "where":
        _put(session, name, str(session.file))
    elif name == "file":
        _put(session, name, Path(session.where))
    elif name in Session.__match_args__:
        row = session._read()
        for key in Session.__match_args__:
            if key not in _SEEN:
                _put(session, key, getattr(row, key))
    else:
        raise AttributeError(name)
    return getattr(session, name)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message.

    `text` is the text, thinking, output, summary or a tool call's arguments as one line; `name` the tool, the
    command of a shell execution, the media type of an image or the custom type. `size_bytes` is an image's
    size, or that of what is not shown.
    """

    kind: PartKind
    text: str = ""
    name: str = ""
    is_error: bool = False
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a transcript; `offset` and `length` are its span in the file.

    `label` is the person's own mark on it. `recovered`: it stands on a line that pi cannot read. `role` is
    pi's word for who speaks (`''` for entries that are no messages). `hidden` is what pi's own screen does
    not show.
    """

    offset: int
    length: int
    kind: Kind
    role: str = ""
    entry_id: str = ""
    parent_id: str = ""
    timestamp: datetime | None = None
    parts: tuple[Part, ...] = ()
    branch: Branch = "unknown"
    label: str = ""
    model: str = ""
    stop_reason: str = ""
    recovered: bool = False
    hidden: bool = False

    @property
    def text(self) -> str:
        """What was said, without thinking and tools."""
        return "\n".join(part.text for part in self.parts if part.kind == "text")
