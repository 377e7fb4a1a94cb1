"""Finding in the text that is open, and stepping from match to match. Lives in the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk

Matches = dict[int, tuple[tuple[int, int], ...]]


class Finding:
    """What was found in the open text. A session's own matches are the reading's."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._shown_id = ""
        self._lines: tuple[int, ...] = ()
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
        view, shown_id = desk.topic.text, desk.topic.shown_id
        lines = view.lines

        def job(workspace: Workspace) -> Matches:
            from memtui.core.library import parse, spans

            query = parse(typed)
            found = {number: spans(query, line) for number, line in enumerate(lines, 1)}
            return {number: places for number, places in found.items() if places}

        def then(found: Matches) -> None:
            if desk.topic.shown_id != shown_id or view.lines is not lines:
                return
            self._shown_id, self._lines = shown_id, tuple(found)
            view.set_matches(found)
            if not found:
                desk.say(_("not found in this text"), "muted")
                return
            self._go_to(next((line for line in found if line >= view.top_line), self._lines[0]))

        desk.work.do(job, then, channel="find", failed=desk.say_error)

    def step(self, step: int) -> None:
        """To the next match, or (-1) the one before."""
        desk = self._desk
        if desk.reading.is_open:
            desk.reading.step_hit(step)
            return
        if not self._lines or desk.topic.shown_id != self._shown_id:
            if self.typed:
                self.find(self.typed)
            else:
                desk.say(_("nothing is searched for here; / does"), "muted")
            return
        here = self._line if self._line is not None else desk.topic.text.top_line
        further = [line for line in self._lines if (line > here if step > 0 else line < here)]
        if not further:
            desk.say(_("no match further on") if step > 0 else _("no match before"), "muted")
            return
        self._go_to(further[0] if step > 0 else further[-1])

    _line: int | None = None

    def _go_to(self, line: int) -> None:
        self._line = line
        self._desk.topic.text.goto_line(line)
        number = self._lines.index(line) + 1
        self._desk.say(_("match {number} of {total}").format(number=number, total=len(self._lines)), "muted")
