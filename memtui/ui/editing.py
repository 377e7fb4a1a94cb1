"""Editing a memory or the index in the person's own editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.drafts import drop_draft, read_draft, start_draft, untold_drafts
from memtui.i18n import _
from memtui.ui.asking import why_not_edit_index

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk


STARTS_S = 2.0
"""Seconds that an editor may take to start; what is typed until it does is not for memtui."""


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
        desk, keys = self._desk, self._desk.app.keys

        def prepare(workspace: Workspace) -> tuple[Path, bytes, list[str]] | None:
            from memtui.ui.editor import editor_command

            words = editor_command(workspace.env, workspace.config.editor)
            base = text_of(workspace)
            return None if base is None else (start_draft(workspace.env.state_dir, name, base), base, words)

        def not_prepared(error: MemtuiError) -> None:
            keys.listen()
            self._changing.failed(error)

        def prepared(found: tuple[Path, bytes, list[str]] | None) -> None:
            if found is None:
                keys.listen()
                from memtui.core.safety import display

                desk.say(_("{file} has no text that can be edited").format(file=display.line(name)), "warn")
                return
            path, base, words = found
            problem = desk.run_editor(words, path, line)
            keys.listen()

            def read(data: bytes) -> None:
                if data == base:
                    desk.work.do(lambda workspace: drop_draft(path), _nothing)
                    nothing = _("nothing was changed")
                    desk.say(f"{problem}; {nothing}" if problem else nothing, "warn" if problem else "")
                elif problem:
                    kept = _("{problem}; your text is kept in {path}").format(problem=problem, path=path)
                    desk.say(kept, "warn")
                else:
                    self._changing.change(snapshot, "set", (edit_of(data, base),), draft=path)

            desk.work.do(lambda workspace: read_draft(path), read, failed=self._changing.failed)

        keys.ignore(STARTS_S)
        desk.work.do(prepare, prepared, failed=not_prepared)


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


def _nothing(result: object) -> None:
    """Nobody waits for this."""
