"""Carrying out the steps of one plan: the order of effects is the promise.

Each step compares what it is about to change with what was planned, twice; where another program was faster,
its change is kept and ours is put on top of it, or the whole plan is taken back (`RollBack`) and planned again.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from memtui.core import fs
from memtui.core.history.journal import OpenChange
from memtui.core.history.records import Temp
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Link, Plan, Step, Trash, WholeFile, Write
from memtui.core.text.merge import merge
from memtui.core.writing import whole_files
from memtui.core.writing.current import Overtaken, read_bytes, read_calm, read_identity
from memtui.core.writing.handover import HandOver
from memtui.core.writing.names import exchange_names, give_back, write_temp
from memtui.i18n import _
from memtui.late import dataclasses

MISSES = 3
"""How often a file may change between two looks before its growth is handed over instead of waited out."""

MISSES_AT_MOST = 40
"""After so many misses something rewrites the file without end: the change is not made."""


class Execution:
    """One plan on its way.

    After an exception `steps`, `blobs`, `started` (the steps that may have had effects) and `own_inodes` (of
    the files that were written for them) are what a `RollBack` needs. `notes` are for the person.
    """

    def __init__(self, plan: Plan, change: OpenChange, handover: HandOver, missing_dirs: tuple[Path, ...]):
        self.steps: list[Step] = list(plan.steps)
        self.blobs = dict(plan.blobs)
        self.started: list[int] = []
        self.own_inodes: dict[int, int | None] = {}
        self.notes: list[str] = []
        self._change = change
        self._handover = handover
        self._missing_dirs = missing_dirs

    def run(self) -> None:
        """Every step in order, each durable before the next. Raises OSError or Overtaken."""
        for directory in self._missing_dirs:
            fs.make_dirs(directory)
            fs.fsync_dir(directory.parent)
        for index, step in enumerate(self.steps):
            self.started.append(index)
            if isinstance(step, Write) and step.before is not None:
                self._overwrite(index, step)
            elif isinstance(step, Write):
                self._create(index, step)
            elif isinstance(step, Trash):
                self._take_away(index, step)
            elif isinstance(step, Link):
                self._link(index, step)
            else:
                self._whole_file(index, step)
            fs.fsync_dir(step.path.parent)

    def _overwrite(self, index: int, step: Write) -> None:
        misses = 0
        while True:
            assert step.before is not None
            image = read_calm(step.path, self.blobs[step.before])
            if image is None or misses > MISSES_AT_MOST:
                raise Overtaken(step.path)
            current = image.data
            if digest(current) != step.before:
                step = self._on_top_of(index, step, current)
            temp = self._change.temps[index]
            self._write_temp(index, temp, step.after, image.mode)
            with contextlib.suppress(FileNotFoundError):
                fs.keep_owner(step.path, temp.path)
            again = read_bytes(step.path)
            if again == current or (misses >= MISSES and again is not None and again.startswith(current)):
                self._exchange(temp, step.path)
                self._handover.watch(temp, current)
                return
            if again is not None:
                self._change.objects.put(again)
            fs.unlink(temp.path)
            misses += 1

    def _on_top_of(self, index: int, step: Write, current: bytes) -> Write:
        assert step.before is not None
        self._change.objects.put(current)
        merged = merge(self.blobs[step.before], current, self.blobs[step.after])
        if merged.clash:
            raise Overtaken(step.path)
        before, after = digest(current), digest(merged.data)
        self._change.objects.put(merged.data)
        self.blobs.update({before: current, after: merged.data})
        step = dataclasses.replace(step, before=before, after=after)
        self._become(index, step)
        return step

    def _become(self, index: int, step: Step) -> None:
        self._change.step_becomes(index, step)
        self.steps[index] = step

    def _write_temp(self, index: int, temp: Temp, key: str, mode: int) -> None:
        write_temp(temp.path, self.blobs[key], mode)
        self.own_inodes[index] = fs.inode_of(temp.path)

    def _exchange(self, temp: Temp, path: Path) -> None:
        try:
            if not exchange_names(temp.path, path):
                note = _(
                    "the file system of {path} cannot exchange two files at once; what another program put "
                    "there in the same instant would not have been seen"
                ).format(path=path.parent)
                self.notes = list(dict.fromkeys([*self.notes, note]))
        except FileNotFoundError:
            raise Overtaken(path) from None

    def _create(self, index: int, step: Write) -> None:
        temp = self._change.temps[index]
        self._write_temp(index, temp, step.after, step.mode)
        try:
            fs.move_to_free(temp.path, step.path)
        except FileExistsError:
            raise Overtaken(step.path) from None

    def _take_away(self, index: int, step: Trash) -> None:
        temp = self._change.temps[index]
        self._compare(step, step.path)
        try:
            # the temp name is free and nobody else's, so that a plain rename replaces nothing
            fs.replace(step.path, temp.path)
        except FileNotFoundError:
            raise Overtaken(step.path) from None
        try:
            taken = self._compare(step, temp.path)
        except (OSError, Overtaken):
            if not give_back(temp.path, step.path):
                # the name was taken again meanwhile: the new file stays, and this one is in the history
                self._handover.watch(temp, self._change.objects.get(step.before) or b"")
            raise Overtaken(step.path) from None
        if step.is_symlink:
            fs.unlink(temp.path)
            return
        mode = fs.read_file(temp.path).mode
        if mode != step.mode:
            self._become(index, dataclasses.replace(step, mode=mode))
        self._handover.watch(temp, taken)

    def _compare(self, step: Trash, place: Path) -> bytes:
        """The planned bytes, if they stand at `place` (a renamed file may have grown: its lines follow it)."""
        now = read_identity(place, is_symlink=step.is_symlink)
        planned = self.blobs[step.before]
        if now == planned or (now is not None and step.successor is not None and now.startswith(planned)):
            return planned
        if now is not None:
            self._change.objects.put(now)
        raise Overtaken(step.path)

    def _whole_file(self, index: int, step: WholeFile) -> None:
        temp = self._change.temps[index].path
        done = whole_files.carry_out(
            step, temp, self.blobs, lambda now: self._become(index, now), self.notes.append
        )
        self._handover.leaves_a_file |= not done

    def _link(self, index: int, step: Link) -> None:
        try:
            fs.make_symlink(os.fsdecode(self.blobs[step.after]), step.path)
        except FileExistsError:
            # somebody else's: nothing of this step is to be taken back
            self.started.remove(index)
            raise Overtaken(step.path) from None
