"""Texts removed for good from memtui's own folders: objects, trash, records, drafts, copies, caches.

Every file below a folder is looked at, whatever it is, so that nothing has to be remembered here when something
new is kept. A text that JSON escapes is looked for as JSON writes it, too. An object that held one goes whole;
what names it stays and says that it was purged.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import LockedError
from memtui.core.history.journal import Journal
from memtui.core.history.wiping import PURGED, wiped
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

_REWRITTEN = (".json", ".jsonl")
_OWN_NAMES = frozenset({"history", "locks"})
"""Folders of the state folder in which memtui makes all names itself."""

_PIECE_BYTES = 8 << 20


class Needles:
    """Texts as the bytes that a file may hold of them."""

    def __init__(self, texts: Sequence[str]) -> None:
        forms: set[bytes] = set()
        for text in {*texts, *(text.replace("\n", "\r\n") for text in texts)}:
            for ensure_ascii in (True, False):
                written = json.dumps(text, ensure_ascii=ensure_ascii)[1:-1]
                forms |= {form.encode("utf-8", "surrogateescape") for form in (written, text)}
        # a longer one before what may be a part of it
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._longest = max(map(len, self._forms), default=1)

    def are_in(self, data: bytes) -> bool:
        """Whether any of them is in these bytes."""
        return any(form in data for form in self._forms)

    def are_in_file(self, path: Path) -> bool:
        """Whether any of them is in a regular file, however large. Raises OSError."""
        offset, before = 0, b""
        while piece := fs.read_from(path, offset, _PIECE_BYTES):
            if self.are_in(before + piece):
                return True
            offset += len(piece)
            before = (before + piece)[-self._longest :]
        return False

    def taken_out(self, text: str) -> str:
        """The text with a word in the place of each."""
        for form in self._forms:
            text = text.replace(form.decode("utf-8", "surrogateescape"), PURGED)
        return text


@dataclass(frozen=True, slots=True)
class Removed:
    """What is removed: texts of the history, sessions in the trash, files; `rewritten` lost the text only."""

    objects: tuple[str, ...] = ()
    trashed: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    rewritten: tuple[Path, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing held the text."""
        return not (self.objects or self.trashed or self.files or self.rewritten)


def purge(
    journal: Journal, state_dir: Path, cache_dir: Path, needles: Needles, *, dry_run: bool = False
) -> Removed:
    """Remove what holds one of these texts below memtui's state and cache folders; with `dry_run` only say it.

    Raises LockedError while another memtui is at work on a change, and OSError.
    """
    with contextlib.ExitStack() as held:
        if fs.is_dir(journal.root) and not dry_run:
            held.enter_context(journal.locked())
            if any(journal.is_held(record) for record in journal.records() if not record.settled):
                raise LockedError(_("another memtui is making a change; nothing was purged"))
        found = _look(journal, state_dir, cache_dir, needles)
        if not dry_run:
            journal.objects.purge(found.objects)
            journal.trash.forget(found.trashed)
            for path in found.rewritten:
                _rewrite(path, _rewritten(path, needles, state_dir))
            for path in found.files:
                fs.unlink(path, missing_ok=True)
                _remove_empty(path.parent, (state_dir, cache_dir))
    return found


def files_holding(root: Path, needles: Needles, *, deep: bool = True) -> tuple[Path, ...]:
    """The files below a folder (without `deep`, right in it) that hold one of the texts, or are named so.

    Never raises.
    """
    return tuple(path for path in _files(root, deep=deep) if _holds(path, needles))


def _look(journal: Journal, state_dir: Path, cache_dir: Path, needles: Needles) -> Removed:
    objects = tuple(key for key in journal.objects.kept() if needles.are_in(journal.objects.get(key) or b""))
    trashed = tuple(path for path in journal.trash.kept() if _holds(path, needles, by_name=False))
    names = (*objects, journal.objects.PURGED_NAME)
    known = {journal.root / "objects" / name for name in names} | set(trashed)
    rewritten, files = [], []
    for path in (path for root in (state_dir, cache_dir) for path in _files(root) if path not in known):
        by_name = _is_named_by_others(path, state_dir)
        if not _holds(path, needles, by_name=by_name):
            continue
        is_whole = by_name and _is_named_so(path, needles)
        if is_whole or not _can_be_rewritten(path, state_dir):
            files.append(path)
        elif _rewritten(path, needles, state_dir) is not None:
            rewritten.append(path)
    return Removed(objects, trashed, tuple(files), tuple(rewritten))


def _can_be_rewritten(path: Path, state_dir: Path) -> bool:
    is_ours = path.is_relative_to(state_dir) and path.suffix in _REWRITTEN
    return is_ours and fs.kind_of(path) == "file"


def _is_named_by_others(path: Path, state_dir: Path) -> bool:
    """Whether a name may come from a person's files."""
    parts = path.relative_to(state_dir).parts if path.is_relative_to(state_dir) else ("",)
    return len(parts) > 1 and parts[0] not in _OWN_NAMES


def _files(root: Path, *, deep: bool = True) -> Iterator[Path]:
    folders = [root]
    while folders:
        folder = folders.pop()
        entries = []
        with contextlib.suppress(OSError):
            entries = fs.list_dir(folder)
        for entry in entries:
            path = folder / entry.name
            if entry.kind == "dir" and deep:
                folders.append(path)
            elif entry.kind in ("file", "symlink"):
                yield path


def _is_named_so(path: Path, needles: Needles) -> bool:
    return needles.are_in(os.fsencode(path.name))


def _holds(path: Path, needles: Needles, *, by_name: bool = True) -> bool:
    if by_name and _is_named_so(path, needles):
        return True
    with contextlib.suppress(OSError):
        if fs.kind_of(path) == "symlink":
            return needles.are_in(os.fsencode(fs.read_link(path)))
        return needles.are_in_file(path)
    return False


def _rewritten(path: Path, needles: Needles, state_dir: Path) -> bytes | None:
    """What a file is to hold; None where the text is but a part of a time, a digest or a word of memtui's own.

    Raises OSError.
    """
    data = fs.read_file(path).data
    after = wiped(data, needles.taken_out, [str(state_dir)], is_lines=path.suffix == ".jsonl")
    return after if after != data else None


def _rewrite(path: Path, data: bytes | None) -> None:
    """The file without the texts, whole or not at all."""
    if data is None:
        return
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    try:
        fs.write_new(unfinished, data, mode=0o600)
        fs.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            fs.unlink(unfinished, missing_ok=True)
        raise
    fs.fsync_dir(path.parent)


def _remove_empty(folder: Path, roots: tuple[Path, ...]) -> None:
    with contextlib.suppress(OSError):
        if folder not in roots and not fs.list_dir(folder):
            fs.remove_dir(folder)
