"""Lines of an index `- [name](file) — hook` put right all at once, for the layouts that have such an index."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Relist, Snapshot
from memtui.core.layouts.dash_index import Entry, Form, parse_entries, relisted
from memtui.core.layouts.index_file import index_file
from memtui.core.layouts.relisting import said, visible_lines
from memtui.core.text import document as documents
from memtui.i18n import _
from memtui.late import dataclasses

LineOf = Callable[[str], tuple[str, str]]
"""A file to the name and the hook of its line. Raises RefusedError where its owner would give it none."""


def relist(snapshot: Snapshot, wish: Relist, form: Form, line_of: LineOf, heading: bytes = b"") -> Draft:
    """The index as wished; a new one begins with `heading`.

    Raises RefusedError, also where a new line could not be read back.
    """
    file = index_file(snapshot)
    before = file.data or b""
    data = visible_lines(documents.parse(before), wish.shows)
    entries = parse_entries(data, form)
    named = {(_path(entry), entry.number) for entry in entries}
    for path, number in wish.drops:
        if (path, number) not in named:
            message = _("line {line} of {index} does not name {memory}")
            raise RefusedError(message.format(line=number, index=file.path, memory=path))
    hooks = {entry.file: line_of(path)[1] for path in wish.derives for entry in entries if _path(entry) == path}
    new = []
    for path in wish.adds:
        name, hook = line_of(path)
        new.append(Entry(0, name, path, hook))
    if file.kind == "missing":
        data = heading
    after = relisted(data, {number for _file, number in wish.drops}, new, hooks, form)
    _require_read_back(after, new, form, file.path)
    if after == before:
        raise RefusedError(_("nothing in {file} calls for that").format(file=file.path))
    return Draft((FileChange(file.path, file, after),), said(wish, file.path))


def _path(entry: Entry) -> str:
    return posixpath.normpath(entry.file)


def _require_read_back(data: bytes, new: list[Entry], form: Form, index: str) -> None:
    if not new:
        return
    read = {dataclasses.replace(entry, number=0) for entry in parse_entries(data, form)}
    for entry in new:
        if entry not in read:
            message = _("a line of {index} could not name {file}")
            raise RefusedError(message.format(index=index, file=entry.file))
