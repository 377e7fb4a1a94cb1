"""A directory of projects, listed once for all the rules that look for names in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memtui.core import fs
from memtui.i18n import _
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folder:
    """The wanted names in a directory; `findings` are (problem code, sentence) where it cannot be listed."""

    path: Path
    names: tuple[str, ...]
    findings: tuple[tuple[str, str], ...] = ()


def list_folder(path: Path, is_wanted: Callable[[fs.Entry], bool]) -> Folder:
    """List a directory that need not exist. Never raises."""
    if fs.kind_of(path) is None:
        return Folder(path, ())
    try:
        entries = fs.list_dir(path)
    except OSError as error:
        sentence = _("{path} cannot be listed ({reason})").format(path=path, reason=error.strerror)
        return Folder(path, (), (("unreadable", sentence),))
    return Folder(path, tuple(entry.name for entry in entries if is_wanted(entry)))
