"""A text in the person's own editor: written as a draft, edited while the app steps aside, read back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.drafts import drop_draft, read_draft, start_draft
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk

STARTS_S = 2.0
"""Seconds that an editor may take to start; what is typed until it does is not for memtui."""

Edited = Callable[[bytes, bytes, Path], None]
"""Hears the text that came back, the one that was given, and where the draft is: to be dropped once the text is
written, and kept for the person where it is not."""


def edit_draft(
    desk: Desk,
    name: str,
    text_of: Callable[[Workspace], bytes | None],
    edited: Edited,
    failed: Callable[[MemtuiError], None],
    line: int = 1,
) -> None:
    """Let the person edit a text (of a file called `name`), and hand it on if it is another one then.

    An editor that failed, or that left the text as it was, is said. Returns when the editor ended.
    """
    keys = desk.app.keys

    def prepare(workspace: Workspace) -> tuple[Path, bytes, list[str]] | None:
        from memtui.ui.editor import editor_command

        words = editor_command(workspace.env, workspace.config.editor)
        base = text_of(workspace)
        return None if base is None else (start_draft(workspace.env.state_dir, name, base), base, words)

    def not_prepared(error: MemtuiError) -> None:
        keys.listen()
        failed(error)

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
                edited(data, base, path)

        desk.work.do(lambda workspace: read_draft(path), read, failed=failed)

    keys.ignore(STARTS_S)
    desk.work.do(prepare, prepared, failed=not_prepared)


def _nothing(result: object) -> None:
    """Nobody waits for this."""
