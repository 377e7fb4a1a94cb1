"""Late writes: what a program that still held a replaced file wrote into it goes where it belongs.

Pure growth is appended to the live file; a rewrite is merged three ways (base = the bytes that were dealt with,
theirs = the replaced file, ours = the live file); what clashes goes to the history and is said.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from memtui.core import fs
from memtui.core.history.journal import OpenChange
from memtui.core.history.records import Temp
from memtui.core.layouts.base import digest
from memtui.core.text.merge import merge
from memtui.core.writing.current import read_bytes
from memtui.core.writing.names import exchange_names, tidy_aside, write_temp
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

CALM_LOOKS = 6
"""A rewritten file that is still held open counts as finished when it did not change for this many looks."""

_TRIES = 8

Watch = Callable[[Temp, bytes], None]
"""Wait for late writes into the replaced file at a temp name, of which these bytes are dealt with."""


@dataclass
class Replaced:
    """One replaced file: `base` are those of its bytes that have been dealt with, `last` what was seen last."""

    temp: Temp
    base: bytes
    last: bytes
    calm_looks: int = 0
    is_held: bool = False

    def looked_at(self, data: bytes, *, is_held: bool) -> None:
        """Note the bytes of a look, and whether a writer is known to hold the file."""
        self.calm_looks = self.calm_looks + 1 if data == self.last else 0
        self.last = data
        self.is_held = is_held


class LateWrites:
    """Deals with the late writes into the replaced files of one change. The caller holds the store's lock."""

    def __init__(self, change: OpenChange, watch: Watch, say: Callable[[str], None]) -> None:
        self._change = change
        self._watch = watch
        self._say = say

    def take(self, item: Replaced, data: bytes, *, final: bool) -> None:
        """Deal with the bytes of a replaced file; `final` = no more will come. Raises OSError."""
        if final:
            self._change.objects.put(data)
        if data.startswith(item.base):
            tail = data[len(item.base) :]
            if not final:
                tail = tail[: tail.rfind(b"\n") + 1]
            if tail:
                self._append(item, tail)
        elif item.base.startswith(data) and not (final and data.endswith(b"\n")):
            # cut short: a writer is in the middle of it, or died there; what is missing is not its news
            return
        elif final or item.calm_looks >= CALM_LOOKS:
            self._merge(item, data)

    def _append(self, item: Replaced, tail: bytes) -> None:
        seen = item.base + tail
        self._change.objects.put(seen)
        live = item.temp.live
        for _attempt in range(_TRIES):
            current = None if live is None else read_bytes(live)
            if live is None or current is None:
                self._keep_only(item, seen)
                return
            starts_line = not item.base or item.base.endswith(b"\n")
            gap = b"\n" if starts_line and current and not current.endswith(b"\n") else b""
            try:
                inode = fs.append(live, gap + tail)
            except FileNotFoundError:
                continue
            if inode == fs.inode_of(live) or tail in (read_bytes(live) or b""):
                break
            # the live file was replaced while we appended: the tail went with the old one
        self._account(item, seen)

    def _merge(self, item: Replaced, data: bytes) -> None:
        self._change.objects.put(data)
        live = item.temp.live
        for _attempt in range(_TRIES):
            current = None if live is None else read_bytes(live)
            if live is None or current is None:
                break
            self._change.objects.put(current)
            merged = merge(item.base, data, current)
            if merged.clash:
                break
            if merged.data == current or swap_in(self._change, self._watch, live, current, merged.data):
                self._account(item, data)
                return
        self._keep_only(item, data)

    def _account(self, item: Replaced, data: bytes) -> None:
        item.base = data
        self._change.accounts_for(item.temp, digest(data))

    def _keep_only(self, item: Replaced, data: bytes) -> None:
        self._change.objects.put(data)
        self._change.holds_only_copy = True
        self._account(item, data)
        name = item.temp.live.name if item.temp.live is not None else _("a removed file")
        self._say(
            _("another program wrote to {name} at the same moment; its text is kept in the history").format(
                name=name
            )
        )


def swap_in(change: OpenChange, watch: Watch, path: Path, compared: bytes, new: bytes) -> bool:
    """Put `new` in the place of `compared` at `path`; False when something else stands there by now.

    The replaced file is watched. Raises OSError.
    """
    try:
        image = fs.read_file(path)
        if image.data != compared:
            return False
        change.objects.put_all({digest(compared): compared, digest(new): new})
        temp = change.new_temp(path, holds=digest(new), accounted=digest(compared))
        write_temp(temp.path, new, image.mode)
        with contextlib.suppress(FileNotFoundError):
            fs.keep_owner(path, temp.path)
    except FileNotFoundError:
        return False
    own_inode = fs.inode_of(temp.path)
    try:
        exchange_names(temp.path, path)
    except OSError as error:
        tidy_aside(temp.path, path)
        if fs.inode_of(temp.path) == own_inode:
            fs.unlink(temp.path)
        else:
            watch(temp, compared)
        if isinstance(error, FileNotFoundError):
            return False
        raise
    watch(temp, compared)
    fs.fsync_dir(path.parent)
    return True
