"""The index of a notes store in step with the notes, as its owner builds it (topics sheet 9.2)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, Relist, Snapshot
from memtui.core.layouts.dash_relist import relist as relist_dashes
from memtui.core.layouts.index_file import index_file
from memtui.core.layouts.notes.text import parse_note
from memtui.i18n import _
from memtui.late import dataclasses

HEADING = b"# Memory Index\n\n"
"""What the owner puts above the lines of an index that it makes."""


def relist(snapshot: Snapshot, wish: Relist) -> Draft:
    """The index as wished; a new one names the notes in the order in which they were changed.

    Raises RefusedError.
    """

    def note_fields(path: str) -> Mapping[str, str]:
        file = snapshot.files.get(path)
        note = parse_note(file.data) if file is not None and file.data is not None else None
        if note is None or note.hidden_because:
            raise RefusedError(_("the owner makes no line for {file}").format(file=path))
        return note.fields

    def line_of(path: str) -> tuple[str, str]:
        fields = note_fields(path)
        return fields["name"], fields["description"]

    if index_file(snapshot).kind == "missing":
        by_time = sorted(wish.adds, key=lambda path: note_fields(path)["modified"])
        wish = dataclasses.replace(wish, adds=tuple(by_time))
    return relist_dashes(snapshot, wish, "lazy", line_of, HEADING)
