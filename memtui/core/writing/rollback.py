"""Taking back what has happened of a plan, from what stands on the disk: after an error, and after a crash.

An effect may have happened although it reported an error, and a killed process leaves no notes: so every step
is judged by the files themselves. In the process that wrote them their inodes tell memtui's own files from the
replaced ones; after a crash their bytes have to.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.history.journal import OpenChange
from memtui.core.history.records import Temp
from memtui.core.operations.plan import Link, Step, Trash, WholeFile, Write
from memtui.core.text.merge import merge
from memtui.core.writing import whole_files
from memtui.core.writing.current import Stuck, read_bytes, read_identity
from memtui.core.writing.handover import HandOver
from memtui.core.writing.late import swap_in
from memtui.core.writing.names import exchange_names, give_back, tidy_aside, write_temp


class RollBack:
    """The way back of one plan. `own_inodes` are those of the files written for its steps, where known."""

    def __init__(
        self,
        steps: Sequence[Step],
        blobs: Mapping[str, bytes],
        change: OpenChange,
        handover: HandOver,
        own_inodes: Mapping[int, int | None] | None = None,
    ) -> None:
        self._steps = steps
        self._blobs = blobs
        self._change = change
        self._handover = handover
        self._is_recovery = own_inodes is None
        self._own_inodes = own_inodes or {}

    def run(self, indices: Iterable[int]) -> None:
        """Take back those steps, last first, each durable before the next. Raises OSError or Stuck."""
        for index in sorted(indices, reverse=True):
            step, temp = self._steps[index], self._change.temps[index]
            if isinstance(step, Write) and step.before is not None:
                self._restore(index, step, step.before, temp)
            elif isinstance(step, Write):
                self._uncreate(index, step, temp)
            elif isinstance(step, Trash):
                self._bring_back(step, temp)
            elif isinstance(step, WholeFile):
                whole_files.take_back(step, temp.path, self._blobs)
            else:
                self._unlink_link(step)
            fs.fsync_dir(step.path.parent)

    def _restore(self, index: int, step: Write, before_key: str, temp: Temp) -> None:
        tidy_aside(temp.path, step.path)
        before, after = self._blobs[before_key], self._blobs[step.after]
        dealt_with = self._handover.forget(temp)
        replaced, live = read_bytes(temp.path), read_bytes(step.path)
        if not self._has_replaced(index, temp, replaced, live, after):
            if replaced is not None:
                fs.unlink(temp.path)
            return
        if live == after and replaced is not None and replaced != after:
            exchange_names(temp.path, step.path)
            # our own file was live for a moment, and whoever opened it may still write to it
            self._handover.watch(temp, after)
            return
        if replaced is not None:
            self._handover.watch(temp, before if dealt_with is None else dealt_with)
        while live is not None:
            merged = merge(after, live, before)
            if merged.clash:
                self._change.objects.put(live)
                raise Stuck
            if live == merged.data or swap_in(self._change, self._handover.watch, step.path, live, merged.data):
                return
            live = read_bytes(step.path)

    def _has_replaced(
        self, index: int, temp: Temp, replaced: bytes | None, live: bytes | None, after: bytes
    ) -> bool:
        if self._is_recovery:
            return live == after or (replaced is not None and not after.startswith(replaced))
        own = self._own_inodes.get(index)
        return replaced is not None and own is not None and fs.inode_of(temp.path) != own

    def _uncreate(self, index: int, step: Write, temp: Temp) -> None:
        own = self._own_inodes.get(index)
        after = self._blobs[step.after]
        stands = fs.inode_of(step.path)
        if self._is_recovery:
            is_ours = fs.kind_of(step.path) == "file" and read_bytes(step.path) == after
        else:
            is_ours = stands is not None and stands == own
        fs.unlink(temp.path, missing_ok=True)
        if not is_ours:
            return
        fs.replace(step.path, temp.path)
        taken = read_bytes(temp.path)
        if taken == after:
            self._handover.watch(temp, after)
            return
        if taken is not None:
            self._change.objects.put(taken)
        if not give_back(temp.path, step.path):
            self._handover.watch(temp, after)
        raise Stuck

    def _bring_back(self, step: Trash, temp: Temp) -> None:
        dealt_with = self._handover.forget(temp)
        before = self._blobs[step.before]
        if fs.kind_of(temp.path) is not None:
            if not give_back(temp.path, step.path):
                # another program made a new file of that name: it stays, the old text is in the history
                self._handover.watch(temp, before if dealt_with is None else dealt_with)
        elif fs.kind_of(step.path) is not None:
            return
        elif step.is_symlink:
            fs.make_symlink(os.fsdecode(before), step.path)
        elif self._is_recovery:
            # the file that was taken away is gone as well: its text is made anew
            write_temp(temp.path, before, step.mode)
            if not give_back(temp.path, step.path):
                fs.unlink(temp.path)

    def _unlink_link(self, step: Link) -> None:
        if _link_target(step.path) == self._blobs[step.after]:
            fs.unlink(step.path)


def _link_target(path: Path) -> bytes | None:
    return read_identity(path, is_symlink=True) if fs.kind_of(path) == "symlink" else None
