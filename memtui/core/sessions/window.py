"""A window of a session file's entries: the blocks that are loaded, and the branch as far as it was walked."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any, Literal

from memtui.core.sessions.blocks import (
    ACTIVE,
    BLOCK_BYTES,
    UNKNOWN,
    Block,
    Lines,
    block_count,
    read_appended,
    read_block,
)
from memtui.core.sessions.chain import Chain
from memtui.core.sessions.quick import HEAD_STEPS, read_head
from memtui.core.sessions.reader import Reader
from memtui.core.sessions.records import Found
from memtui.late.dataclasses import dataclass

PAGE_ENTRIES = 100
"""Entries that one step loads at least, as long as there are any."""

RESOLVE_AT_ONCE_BYTES = 16 << 20
"""A hit that lies no further than this from the end is opened with its branch known."""

State = Literal["same", "grown", "rewritten", "gone"]


@dataclass(frozen=True, slots=True)
class Growth:
    """What happened to the file since the last look.

    `added` entries are new at the end of the window, after its last `replaced` ones were taken away (a last
    line that was not finished). `messages` counts the new message entries, also when the window does not
    reach the end. `branch_changed`: entries that were there may have changed sides. After `rewritten`
    everything is new, and positions and offsets from before mean nothing any more.
    """

    state: State
    added: int = 0
    replaced: int = 0
    messages: int = 0
    branch_changed: bool = False


class Window:
    """The loaded blocks `first` to `last` of a file of `count` blocks, opened at its end or around `at`.

    Blocks from `chain_block` on were walked from the end, so their entries know their branch. `settled` is
    where the last line starts that has no line end (else the size): what stands before it does not change
    any more. `labels` are the person's marks by entry id, as far as they were met. Methods that read get an
    open file.
    """

    def __init__(self, reader: Reader, at: int | None) -> None:
        self.header: dict[str, Any] = {}
        self.labels: dict[str, str] = {}
        self._label_offsets: dict[str, int] = {}
        self._blocks: dict[int, Block] = {}
        self._cumulated: list[int] | None = None
        self._set_end(reader, read_appended(reader, _last_line_start(reader)))
        self.chain, self.chain_block = Chain(self._is_linear(reader)), self.count
        self.first, self.last = self.count, self.count - 1
        wanted = self.count - 1 if at is None else self.block_of(at)
        if self.status.size_bytes - wanted * BLOCK_BYTES <= RESOLVE_AT_ONCE_BYTES:
            self.walk_to(reader, wanted)
            self.first = wanted
            self.load_before(reader, PAGE_ENTRIES)
        else:
            self.move_to(reader, wanted)

    def __len__(self) -> int:
        return self.starts()[-1]

    @property
    def at_end(self) -> bool:
        """Whether the window reaches the last line of the file."""
        return self.last == self.count - 1

    @property
    def pending_bytes(self) -> int:
        """Bytes of a last line that is still being written."""
        return self.status.size_bytes - self.settled if self._unfinished else 0

    # Finding entries

    def starts(self) -> list[int]:
        """The position of the first entry of every block in the window, and the number of entries."""
        if self._cumulated is None:
            sizes = (len(self._blocks[number]) for number in range(self.first, self.last + 1))
            self._cumulated = list(accumulate(sizes, initial=0))
        return self._cumulated

    def entry(self, position: int) -> tuple[Block, int]:
        """The block of an entry and its index there. Raises IndexError."""
        starts = self.starts()
        if not 0 <= position < starts[-1]:
            raise IndexError(position)
        at = bisect_right(starts, position) - 1
        return self._blocks[self.first + at], position - starts[at]

    def position_of(self, offset: int) -> int | None:
        """Position of the last entry that starts at or before an offset, None when it is not in the window."""
        number, starts = min(offset // BLOCK_BYTES, self.last), self.starts()
        while number >= self.first:
            index = self._blocks[number].find(offset)
            if index >= 0:
                return starts[number - self.first] + index
            number -= 1
        return None

    def block_of(self, offset: int) -> int:
        """Number of the block that an offset lies in, one that exists."""
        return max(0, min(offset // BLOCK_BYTES, self.count - 1))

    # Loading

    def load_before(self, reader: Reader, entries: int) -> None:
        """Make the window longer at its start until it holds so many entries or the file begins."""
        self._cumulated = None
        while self.first > 0 and len(self) < entries:
            if self.chain_block == self.first:
                self._walk_down(reader)
            else:
                self._load(reader, self.first - 1)
            self.first -= 1
            self._cumulated = None

    def load_behind(self, reader: Reader, entries: int) -> None:
        """Make the window longer at its end until it holds so many entries or the file ends."""
        while not self.at_end and len(self) < entries:
            self.last += 1
            if self.last < self.chain_block:
                self._load(reader, self.last)
            self._cumulated = None
        if self.at_end:
            self.walk_to(reader, self.first)

    def move_to(self, reader: Reader, number: int) -> None:
        """Leave the window for a new one around a block; its branches are known where the walk has been."""
        if number < self.chain_block:
            self._blocks = {at: block for at, block in self._blocks.items() if at >= self.chain_block}
            self._load(reader, number)
        self.first = self.last = number
        self.load_before(reader, 1)

    def walk_to(self, reader: Reader, number: int) -> None:
        """Walk on from the end until the entries from a block on know their branch."""
        while self.chain_block > number:
            self._walk_down(reader)

    def walk_on(self, reader: Reader) -> bool:
        """Walk one block; False when the window knows its branches. Then it reaches to the end of the file."""
        if self.chain_block > self.first:
            self._walk_down(reader)
        if self.chain_block > self.first:
            return True
        self.last, self._cumulated = self.count - 1, None
        return False

    # Following the file

    def grow(self, reader: Reader) -> Growth:
        """Take in what was appended; `rewritten` when this is not the file it was, and nothing is taken in."""
        now, known = reader.status, self.status
        if now == known:
            return Growth("same")
        same_file = (now.device, now.inode) == (known.device, known.inode) and now.size_bytes >= self.settled
        if not same_file or reader.print_before(self.settled) != self._mark:
            return Growth("rewritten")
        was_at_end, before, had_unsettled = self.at_end, len(self), self._unsettled
        lines = read_appended(reader, self.settled)
        replaced = self._cut_unsettled() if was_at_end else 0
        self._set_end(reader, lines)
        newer = Chain(self._is_linear(reader))
        branches = newer.walk(lines.found)
        follows = was_at_end and not had_unsettled and self.chain.is_followed_by(newer)
        if was_at_end:
            self._append(lines.found, branches)
        if follows:
            self.chain.add(newer)
        else:
            self.chain, self.chain_block = Chain(newer.linear), self.count
            if was_at_end:
                self.walk_to(reader, self.first)
        self._cumulated = None
        if not lines.found and not replaced:
            return Growth("same")
        messages = sum(item.is_message for item in lines.found)
        return Growth("grown", len(self) - before + replaced, replaced, messages, was_at_end and not follows)

    def _set_end(self, reader: Reader, lines: Lines) -> None:
        """Note where the file ends now, from what its last lines hold."""
        self.status = reader.status
        self.count = block_count(reader.status.size_bytes)
        self.settled = reader.status.size_bytes if lines.pending is None else lines.pending
        self._unfinished = lines.unfinished
        self._unsettled = any(item.line == lines.pending for item in lines.found)
        self._mark = reader.print_before(self.settled)

    def _is_linear(self, reader: Reader) -> bool:
        """Whether the entries have no ids: a header of version 1, which has no version key."""
        for step in HEAD_STEPS:
            if self.header:
                break
            self.header = read_head(reader.at(0, step), step >= reader.status.size_bytes).header
        return bool(self.header) and self.header.get("version", 1) == 1

    def _load(self, reader: Reader, number: int) -> None:
        """Read a block that the walk has not reached."""
        found = read_block(reader, number).found
        block = self._blocks[number] = Block()
        block.extend(found, [ACTIVE if self.chain.linear else UNKNOWN] * len(found))
        self._note_labels(found)

    def _walk_down(self, reader: Reader) -> None:
        """Read the block before the walked ones, and with it the branch of its entries."""
        number = self.chain_block - 1
        found = read_block(reader, number).found
        block = self._blocks[number] = Block()
        block.extend(found, self.chain.walk(found))
        self.chain_block = number
        self._note_labels(found)
        for offset in self.chain.late:
            self._set_active(offset)
        self.chain.late.clear()

    def _append(self, found: list[Found], branches: list[int]) -> None:
        for number in range(self.last + 1, self.count):
            self._blocks[number] = Block()
        self.last = self.count - 1
        for item, branch in zip(found, branches, strict=True):
            self._blocks[item.line // BLOCK_BYTES].extend((item,), (branch,))
        self._note_labels(found)

    def _cut_unsettled(self) -> int:
        """Drop the entries of a last line that was not finished, and how many those were."""
        block = self._blocks.get(self.settled // BLOCK_BYTES)
        return block.cut_from(self.settled) if block is not None else 0

    def _set_active(self, offset: int) -> None:
        # a record within a line may begin in a later block than its line, whose block it belongs to
        number = offset // BLOCK_BYTES
        while (block := self._blocks.get(number)) is not None and not block.set_branch(offset, ACTIVE):
            number -= 1

    def _note_labels(self, found: list[Found]) -> None:
        for item in found:
            if item.kind != "label" or item.record is None:
                continue
            target, label = item.record.get("targetId"), item.record.get("label")
            if isinstance(target, str) and self._label_offsets.get(target, -1) <= item.offset:
                self._label_offsets[target] = item.offset
                self.labels[target] = label if isinstance(label, str) else ""


def _last_line_start(reader: Reader) -> int:
    """Where the last line starts that has no line end; the size of the file when it has one."""
    position, step = reader.status.size_bytes, 1 << 10
    while position > 0:
        first = max(0, position - step)
        cut = reader.at(first, position - first).rfind(b"\n")
        if cut >= 0:
            return first + cut + 1
        position, step = first, min(4 * step, 8 << 20)
    return 0
