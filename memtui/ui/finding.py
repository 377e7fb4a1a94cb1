"""Finding in the text that is open, and stepping from match to match. Lives in the UI thread."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk

Matches = dict[int, tuple[tuple[int, int], ...]]


class Finding:
    """What was found in the open text. A session's own matches are the reading's.

    `typed` is what was searched for last, here or in the search pane.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shown_id = ""
        self._lines: Sequence[str] = ()
        self._matches: Matches = {}
        self._places: list[tuple[int, int]] = []
        self._at: tuple[int, int] | None = None
        self.typed = ""

    def ask(self) -> None:
        """Type what to find in the open text."""

        def typed(text: str | None) -> None:
            if text:
                self.find(text)

        self._desk.line_input.ask(_("find"), typed, value=self.typed)

    def find(self, typed: str) -> None:
        """Find it, and go to the first match from here on."""
        desk = self._desk
        self.typed = typed
        if desk.reading.session is not None:
            desk.searching.find_in(desk.reading.session, typed)
            return
        self._look(goes_there=True)

    def text_changed(self) -> None:
        """Another text is shown, or the same one in another way: what was found in it is found again."""
        desk = self._desk
        if not self._matches:
            return
        if desk.topic.shown_id != self._shown_id:
            self._forget()
        elif desk.topic.text.lines is not self._lines:
            self._look(goes_there=False)

    def clear(self, *, also_matches: bool) -> bool:
        """Take off the text what is selected in it, else the matches; whether there was any."""
        desk = self._desk
        if desk.is_complete and desk.topic.text.clear_selection():
            return True
        if not also_matches:
            return False
        if not self._matches or desk.reading.is_open or desk.topic.shown_id != self._shown_id:
            return False
        self._forget()
        desk.topic.text.set_matches({})
        return True

    def _forget(self) -> None:
        self._shown_id, self._lines, self._matches, self._places, self._at = "", (), {}, [], None

    def _look(self, *, goes_there: bool) -> None:
        desk, typed = self._desk, self.typed
        view, shown_id = desk.topic.text, desk.topic.shown_id
        lines = view.lines

        def job(workspace: Workspace) -> Matches:
            from memtui.core.library import parse, spans

            query = parse(typed)
            found = {number: _joined(line, spans(query, line)) for number, line in enumerate(lines, 1)}
            return {number: places for number, places in found.items() if places}

        def then(found: Matches) -> None:
            if desk.topic.shown_id != shown_id or view.lines is not lines:
                return
            self._shown_id, self._lines, self._matches, self._at = shown_id, lines, found, None
            self._places = [(line, start) for line, places in found.items() for start, _end in places]
            view.set_matches(found)
            if not found:
                desk.say(_("not found in this text"), "muted")
            elif goes_there:
                self._go_to(bisect_left(self._places, (view.top_line, 0)))

        desk.work.do(job, then, channel="find", failed=desk.say_error)

    def step(self, step: int) -> None:
        """To the next match, or (-1) the one before; from the other end again after the last."""
        desk = self._desk
        if desk.reading.is_open:
            desk.reading.step_hit(step)
            return
        if not self._places or desk.topic.shown_id != self._shown_id:
            if self.typed:
                self.find(self.typed)
            else:
                desk.say(_("nothing is searched for here; / does"), "muted")
            return
        here = self._at or (desk.topic.text.top_line, -1)
        if step > 0:
            self._go_to(bisect_right(self._places, here))
        else:
            self._go_to(bisect_left(self._places, here) - 1)

    def _go_to(self, number: int) -> None:
        """To a match by its number, from 0; beyond either end it is the other end."""
        total = len(self._places)
        self._at = self._places[number % total]
        view = self._desk.topic.text
        view.set_matches(self._matches, self._at)
        view.reveal(*self._at)
        said = _("match {number} of {total}").format(number=number % total + 1, total=total)
        if number >= total:
            said = _("{match}, from the top again").format(match=said)
        elif number < 0:
            said = _("{match}, from the end again").format(match=said)
        self._desk.say(said, "muted")


def _joined(line: str, places: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Words that stand beside each other are one match."""
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and not line[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
