"""One session's entries by their place in the file: opened at the end or at a hit, read as far as looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memtui.core.sessions.base import Branch, Kind, Message
from memtui.core.sessions.blocks import Block
from memtui.core.sessions.messages import damaged, decode, too_long
from memtui.core.sessions.reader import Cancelled, Reader, never, opened
from memtui.core.sessions.records import HEAD_BYTES, LINE_CAP_BYTES, id_text
from memtui.core.sessions.window import PAGE_ENTRIES, Growth, Window


class Transcript:
    """The entries of the session at `path`: the last ones, or those around the offset `at`. Raises OSError.

    A window of consecutive entries that is made longer at both ends. Entries are known by position in the
    window, and by offset for as long as the file is not rewritten. It keeps no file open, never writes, and
    must be used by one thread at a time.
    """

    def __init__(self, path: Path, at: int | None = None) -> None:
        self.path = path
        with opened(path) as reader:
            self._window = Window(reader, at)
        if at is not None:
            self.focus(at)

    # What is there

    def __len__(self) -> int:
        return len(self._window)

    @property
    def header(self) -> dict[str, Any]:
        """The session's header, empty for none."""
        return self._window.header

    @property
    def at_start(self) -> bool:
        """Whether the window reaches the first line of the file."""
        return self._window.first == 0

    @property
    def at_end(self) -> bool:
        """Whether the window reaches the last line of the file."""
        return self._window.at_end

    @property
    def resolved(self) -> bool:
        """Whether every entry in the window knows its branch."""
        return self._window.chain_block <= self._window.first

    @property
    def size_bytes(self) -> int:
        """Size of the file at the last look."""
        return self._window.status.size_bytes

    @property
    def pending_bytes(self) -> int:
        """Bytes of a last line that is still being written."""
        return self._window.pending_bytes

    @property
    def leaf_id(self) -> str:
        """Id of the last entry of the file, '' when it has none or the end was not read yet."""
        return id_text(self._window.chain.leaf)

    def offset(self, position: int) -> int:
        """Where an entry starts in the file. Raises IndexError."""
        block, index = self._window.entry(position)
        return block.offsets[index]

    def kind(self, position: int) -> Kind:
        """The kind of an entry, without reading it. Raises IndexError."""
        block, index = self._window.entry(position)
        return block.kind(index)

    def branch(self, position: int) -> Branch:
        """The branch of an entry, without reading it. Raises IndexError."""
        block, index = self._window.entry(position)
        return block.branch(index)

    def position_of(self, offset: int) -> int | None:
        """Position of the entry that an offset lies in (the last that starts at or before it).

        None when that lies outside of the window.
        """
        return self._window.position_of(offset)

    def message(self, position: int) -> Message:
        """One entry, decoded. Raises IndexError, but nothing for what the file holds."""
        return self.messages(position, position + 1)[0]

    def messages(self, first: int, last: int) -> list[Message]:
        """The entries from a position up to another (not included), decoded. Raises IndexError.

        What cannot be read any more is a damaged message.
        """
        spans = [self._window.entry(position) for position in range(first, last)]
        try:
            with opened(self.path) as reader:
                return [self._decode(reader, block, index) for block, index in spans]
        except OSError:
            return [damaged(b"", block.offsets[index]) for block, index in spans]

    # Making the window longer

    def load_earlier(self, entries: int = PAGE_ENTRIES) -> int:
        """Load at least so many entries before the window; how many came (0 at the start). Raises OSError.

        Positions move up by that number.
        """
        before = len(self)
        if not self.at_start:
            with opened(self.path) as reader:
                self._window.load_before(reader, before + entries)
        return len(self) - before

    def load_later(self, entries: int = PAGE_ENTRIES) -> int:
        """Load at least so many entries behind the window; how many came (0 at the end). Raises OSError."""
        before = len(self)
        if not self.at_end:
            with opened(self.path) as reader:
                self._window.load_behind(reader, before + entries)
        return len(self) - before

    def resolve(self, cancelled: Cancelled = never) -> bool:
        """Find out the branch of every entry in the window, which then reaches to the end; False if cancelled.

        Reads all that lies behind the window, a block at a time. Raises OSError.
        """
        if self.resolved:
            return True
        with opened(self.path) as reader:
            while self._window.walk_on(reader):
                if cancelled():
                    return False
        return True

    def focus(self, offset: int) -> int | None:
        """Let the window hold the entry that an offset lies in; its position, None when there is none.

        A window elsewhere is left for a new one. Raises OSError.
        """
        window, number = self._window, self._window.block_of(offset)
        if not window.first <= number <= window.last:
            with opened(self.path) as reader:
                window.move_to(reader, number)
        while (found := self.position_of(offset)) is None and not self.at_start:
            self.load_earlier(1)
        if len(self) < PAGE_ENTRIES:
            self.load_later(PAGE_ENTRIES)
        return found

    # Following the file

    def grow(self) -> Growth:
        """Look at the file again and take in what was appended, reading nothing else.

        A file that was rewritten (another inode, shorter, other bytes before the known end) is opened anew at
        its end. Raises OSError, but not for a file that is gone.
        """
        try:
            with opened(self.path) as reader:
                growth = self._window.grow(reader)
                if growth.state == "rewritten":
                    self._window = Window(reader, None)
                    growth = Growth("rewritten", added=len(self._window))
                return growth
        except FileNotFoundError:
            return Growth("gone")

    def _decode(self, reader: Reader, block: Block, index: int) -> Message:
        offset, length, kind = block.offsets[index], block.lengths[index], block.kind(index)
        branch, recovered = block.branch(index), block.recovered(index)
        if length > LINE_CAP_BYTES:
            return too_long(reader.at(offset, HEAD_BYTES), offset, length, kind, branch)
        data, labels = reader.at(offset, length), self._window.labels
        return decode(data, offset, kind, branch=branch, recovered=recovered, labels=labels)
