"""What may stand in the way of a change and is for the person to decide: a lock left behind, a text that its
owner's scanner is against, other projects. Each is asked about; a yes goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import LockedError, MemtuiError, RefusedError
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.ui.asking import NO
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit
    from memtui.ui.widgets.ask_bar import AskBar

Act = Callable[[], None]


def lock_left_behind(error: MemtuiError) -> Path | None:
    """The lock that may be taken over where the person agrees, None where there is no such one."""
    return error.left_behind if isinstance(error, LockedError) else None


def may_insist(error: MemtuiError) -> bool:
    """Whether what was refused is done where the person insists."""
    return isinstance(error, RefusedError) and error.can_insist


def standing(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits so that their texts stand although the owner's scanner is against them."""
    from memtui.core.layouts.base import Add, SetField, SetText

    return tuple(
        dataclasses.replace(edit, insists=True) if isinstance(edit, Add | SetField | SetText) else edit
        for edit in edits
    )


def ask_take_over(bar: AskBar, error: MemtuiError, home: Path, again: Act, leave: Act) -> None:
    """Ask whether a lock that was left behind is taken over; the sentence says whose it was and since when."""
    _ask(bar, error, home, _("take it over and go on"), again, leave)


def ask_insist(bar: AskBar, error: MemtuiError, home: Path, again: Act, leave: Act) -> None:
    """Ask whether a text is written although its owner would block it; the sentence names why."""
    _ask(bar, error, home, _("write it anyway"), again, leave)


def ask_once_more(bar: AskBar, projects: str, go: Act) -> None:
    """Ask a second time about a change of many memories that the agents of `projects` read too, and `go` on.

    They must be safe for display; '' = there are none, and nothing is asked.
    """
    if not projects:
        go()
        return

    def answered(key: str) -> None:
        if key == "y":
            go()

    question = _("This is the memory of {projects} too. Change it there as well?").format(projects=projects)
    bar.ask(question, (Choice("y", _("yes, for all of them"), is_change=True), NO), answered)


def _ask(bar: AskBar, error: MemtuiError, home: Path, yes: str, again: Act, leave: Act) -> None:
    from memtui.ui import wording

    def answered(key: str) -> None:
        (again if key == "y" else leave)()

    question = wording.sentence(error.message, home)
    bar.ask(question, (Choice("y", yes, is_change=True), Choice("n", _("leave it"))), answered)
