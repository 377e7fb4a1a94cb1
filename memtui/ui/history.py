"""The history: every change that was made from here, what it did, and the way back for what still applies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.ask_bar import Choice
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.workspace import ChangeInfo, Workspace
    from memtui.ui.changing import Changing, Job
    from memtui.ui.desk import Desk
    from memtui.ui.screens.list_screen import ListScreen

SHOWN = 500
"""Changes that are listed, the newest."""

STATE_CELLS = 12
"""Cells of the longest word for where a change stands, with a blank before it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Changes by id, newest first, as rows; safe for display."""

    changes: Mapping[str, ChangeInfo]
    rows: tuple[Row, ...]


def list_changes(workspace: Workspace) -> Listed:
    """The changes of the used stores and this directory's sessions. Runs on the work thread."""
    changes = workspace.history(SHOWN)
    from memtui.ui.where import told_apart

    stores = workspace.locate().stores
    owners = {store.id: store.owner for store in stores}
    apart = told_apart([store for store in stores if any(store.id == change.store_id for change in changes)])
    now = workspace.env.now()
    rows = tuple(_row(change, owners.get(change.store_id, ""), apart, now) for change in changes)
    return Listed({change.id: change for change in changes}, rows)


def _row(change: ChangeInfo, owner: str, apart: Mapping[str, str], now: datetime) -> Row:
    from memtui.core.safety import display
    from memtui.ui.where import APART_CELLS

    word, ink = state_word(change)
    where = f"{display.line(owner or change.store_id)} {apart.get(change.store_id, '')}".rstrip()
    cells = (
        Cell(wording.age(change.when, now), "muted", width=5),
        Cell(change.when.astimezone().strftime("%Y-%m-%d %H:%M"), "muted", width=18, from_width=84),
        Cell(display.line(change.verb), "kind", width=8, from_width=60),
        Cell(display.line(change.summary)),
        Cell(f" {where}", "muted", width=10 + (APART_CELLS if apart else 0), from_width=70),
        Cell(f" {word}", ink, width=STATE_CELLS),
    )
    return Row(change.id, cells, dim=change.state == "undone")


def state_word(change: ChangeInfo) -> tuple[str, str]:
    """Where a change stands now, and the ink of that word."""
    if change.reverted:
        return _("reverted"), "warn"
    words = {
        "done": (_("done"), "good"),
        "undone": (_("undone"), "muted"),
        "interrupted": (_("interrupted"), "warn"),
    }
    return words[change.state]


class History:
    """The command `history` and what the keys do on its screen. Lives in the UI thread."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing
        self._changes: Mapping[str, ChangeInfo] = {}
        self._screen: ListScreen

    def history(self) -> None:
        """Every change, newest first."""
        from memtui.ui.screens.list_screen import ListScreen

        commands = {
            "open": self._on_change(self._open),
            "undo": self._on_change(self._ask_undo),
            "redo": self._on_change(self._redo),
            "copy_path": self._on_change(self._copy_path),
            "rescan": lambda row_id: self._load(self._screen),
        }
        meanings = {
            "open": (_("open"), _("What it changed, line by line")),
            "undo": (_("undo"), _("Take this change back; asks, y does it")),
            "redo": (_("redo"), _("Make this change again, which was undone")),
        }
        self._screen = ListScreen(_("History"), commands, opener="history", meanings=meanings)
        self._desk.app.push_screen(self._screen)
        self._load(self._screen)

    def _on_change(self, do: Callable[[ChangeInfo], None]) -> Callable[[str], None]:
        def on_row(row_id: str) -> None:
            change = self._changes.get(row_id)
            if change is not None:
                do(change)

        return on_row

    def _load(self, screen: ListScreen) -> None:
        def show(listed: Listed) -> None:
            self._changes = listed.changes
            screen.show_rows(listed.rows, [[(_("nothing was changed from here yet"), "muted")]])

        self._desk.work.do(list_changes, show, channel="history", failed=self._failed)

    def _failed(self, error: MemtuiError) -> None:
        from memtui.core.safety import display

        self._screen.say(display.line(error.message), "muted" if error.exit_status == 1 else "warn")

    # What its keys do

    def _open(self, change: ChangeInfo) -> None:
        def lines(workspace: Workspace) -> list[str]:
            from memtui.ui.differences import preview_lines

            return preview_lines(workspace.change_diff(change.id))

        self._show_diff(_("What it changed: {summary}"), change, lines)

    def _show_diff(self, title: str, change: ChangeInfo, lines_of: Callable[[Workspace], list[str]]) -> None:
        screen = self._screen

        def show(lines: list[str]) -> None:
            from memtui.core.safety import display
            from memtui.ui.screens.diff_screen import DiffScreen

            if self._desk.app.screen is screen:
                heading = title.format(summary=display.line(change.summary))
                self._desk.app.push_screen(DiffScreen(heading, lines))

        self._desk.work.do(lines_of, show, channel="diff", failed=self._failed)

    def _ask_undo(self, change: ChangeInfo) -> None:
        """Look first whether it still applies, then ask, naming it."""

        def lines(workspace: Workspace) -> list[str]:
            from memtui.ui.differences import preview_lines

            return preview_lines(workspace.preview(workspace.plan_undo(change.id)))

        def ask(found: list[str]) -> None:
            from memtui.core.safety import display

            screen = self._screen
            if self._desk.app.screen is not screen or screen.ask_bar.asking:
                return

            def answered(key: str) -> None:
                if key == "y":
                    hint = _("ctrl+r does it again")
                    self._do(
                        lambda workspace, takes_over: workspace.undo(change.id, takes_over=takes_over), hint
                    )

            def look() -> None:
                self._show_diff(_("What undoing it would change: {summary}"), change, lambda workspace: found)

            age = wording.age(change.when, self._desk.app.env.now())
            question = _("Undo “{summary}” ({age})?").format(summary=display.line(change.summary), age=age)
            choices = (YES, Choice("o", _("look"), look=look), NO)
            screen.ask_bar.ask(question, choices, answered, opener="u", hint=_("(ctrl+r does it again)"))

        self._desk.work.do(lines, ask, channel="undo?", failed=self._failed)

    def _redo(self, change: ChangeInfo) -> None:
        self._do(lambda workspace, takes_over: workspace.redo(change_id=change.id, takes_over=takes_over))

    def _do(self, job: Job, hint: str = "") -> None:
        screen = self._screen

        def then(text: str, ink: str) -> None:
            screen.say(text, ink)
            self._load(screen)

        def failed(error: MemtuiError) -> None:
            self._failed(error)
            self._changing.failed(error)
            self._load(screen)

        self._changing.do(job, failed, hint, then, bar=screen.ask_bar)

    def _copy_path(self, change: ChangeInfo) -> None:
        from memtui.core.safety import display
        from memtui.ui.copying import copy_text

        if not change.paths:
            self._screen.say(_("it changed no file"), "muted")
            return
        path = change.paths[0]
        name = display.path(path, home=self._desk.app.env.home)
        copy_text(self._desk, lambda workspace: (str(path), name), self._screen.say)
