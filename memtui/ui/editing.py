"""Editing a memory or the index in the person's own editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.drafts import untold_drafts
from memtui.i18n import _
from memtui.ui.asking import why_not_edit_index
from memtui.ui.drafting import edit_draft

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk


class Editing:
    """One method a command; each returns when the editor ended."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def edit(self) -> None:
        """Edit the text in the person's editor."""
        item = self._changing.changeable("edit")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)

        def text_of(workspace: Workspace) -> bytes | None:
            text = workspace.text(snapshot, item.memory.id)
            return None if text is None else text.text

        def edit_of(data: bytes, base: bytes) -> Edit:
            from memtui.core.layouts.base import SetText

            return SetText(item.memory.id, data, base=base)

        self._edit(snapshot, item.memory.file, text_of, edit_of, self._desk.source_line)

    def edit_index(self) -> None:
        """Edit the index in the person's editor."""
        store = self._desk.store
        if store is None:
            return
        snapshot = store.snapshot
        why_not = why_not_edit_index(snapshot)
        if why_not:
            self._desk.say(why_not, "warn")
            return
        name = snapshot.store.profile.index_name

        def text_of(workspace: Workspace) -> bytes | None:
            file = snapshot.files.get(name)
            return b"" if file is None else file.data

        def edit_of(data: bytes, base: bytes) -> Edit:
            from memtui.core.layouts.base import SetIndex

            return SetIndex(data, base=base)

        self._edit(snapshot, name, text_of, edit_of, 1)

    def _edit(
        self,
        snapshot: Snapshot,
        name: str,
        text_of: Callable[[Workspace], bytes | None],
        edit_of: Callable[[bytes, bytes], Edit],
        line: int,
    ) -> None:
        def edited(data: bytes, base: bytes, path: Path) -> None:
            self._changing.change(snapshot, "set", (edit_of(data, base),), draft=path)

        edit_draft(self._desk, name, text_of, edited, self._changing.failed, line)


def draft_notes(workspace: Workspace) -> tuple[str, ...]:
    """Where texts are that an editor left and that were never written to a memory, once. On the work thread."""
    from memtui.core.safety import display

    paths = untold_drafts(workspace.env.state_dir)
    if not paths:
        return ()
    home = workspace.env.home
    if len(paths) == 1:
        said = _("the text you edited is kept in {path} until you remove it")
        return (said.format(path=display.path(paths[0], home=home)),)
    folder = display.path(paths[0].parent.parent, home=home)
    said = _("{count} texts you edited are kept in {folder} until you remove them")
    return (said.format(count=len(paths), folder=folder),)
