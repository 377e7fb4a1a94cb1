"""Finding in the text that is open, and stepping from match to match. Lives in the UI thread."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext

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
        self._begun_at: tuple[int, int] | None = None
        self._looks = 0
        self.typed = ""

    def ask(self) -> None:
        """Type what to find in the open text; it is shown while it is typed, and Esc takes it away."""
        desk, before = self._desk, self.typed
        hits, had_matches = desk.reading.hits, bool(self._matches)
        self._begun_at = desk.topic.text.place

        def changed(text: str) -> None:
            self.typed = text
            if (session := desk.reading.session) is None:
                self._look(goes_there=True)
            elif text.strip():
                desk.searching.find_in(session, text, jumps=False)
            else:
                desk.reading.show_hits(None, ())

        def typed(text: str | None) -> None:
            begun_at, self._begun_at = self._begun_at, None
            if text and text.strip():
                self.find(text, begun_at)
                return
            self.typed = before
            if desk.reading.is_open:
                desk.searching.find_no_more()
                desk.reading.show_hits(*hits)
                return
            if begun_at is not None:
                desk.topic.text.goto_line(begun_at[0])
                desk.topic.text.move_by(begun_at[1])
            if had_matches:
                self._look(goes_there=False)
            else:
                self._take_off()

        desk.line_input.ask(_("find"), typed, value=before, changed=changed)

    def find(self, typed: str, start: tuple[int, int] | None = None) -> None:
        """Find it, and go to the first match from here (or from that place) on."""
        desk = self._desk
        self.typed = typed
        if desk.reading.session is not None:
            desk.searching.find_in(desk.reading.session, typed)
            return
        self._look(goes_there=True, start=start)

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
        self._take_off()
        return True

    def _take_off(self) -> None:
        self._looks += 1
        self._forget()
        self._desk.topic.text.set_matches({})

    def _forget(self) -> None:
        self._shown_id, self._lines, self._matches, self._places, self._at = "", (), {}, [], None
        self._desk.topic.show_found("")

    def _look(self, *, goes_there: bool, start: tuple[int, int] | None = None) -> None:
        desk, typed = self._desk, self.typed
        self._looks += 1
        look, is_typing = self._looks, self._begun_at is not None
        start = start or self._begun_at or (desk.topic.text.top_line, 0)
        view, shown_id = desk.topic.text, desk.topic.shown_id
        lines = view.lines

        def job(workspace: Workspace) -> Matches:
            from memtui.core.library import parse, spans

            # what filters a search stands in no text, unless it is all that is looked for
            query = parse(typed)
            if query.filters and not query.words:
                query = parse(f"={typed}")
            found: Matches = {}
            for number, line in enumerate(lines if query.words else (), 1):
                if look != self._looks:
                    break
                if places := spans(query, line):
                    found[number] = _joined(line, places)
            return found

        def then(found: Matches) -> None:
            if desk.topic.shown_id != shown_id or view.lines is not lines or look != self._looks:
                return
            self._shown_id, self._lines, self._matches, self._at = shown_id, lines, found, None
            self._places = [(line, start) for line, places in found.items() for start, _end in places]
            view.set_matches(found)
            desk.topic.show_found(self._said(typed))
            if found and goes_there:
                self._go_to(bisect_left(self._places, (start[0], 0)), says=not is_typing)
            elif not found and not is_typing:
                desk.say(_("not found in this text"), "muted")

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

    def _said(self, typed: str) -> str:
        if not self._places:
            return _("not found") if typed.strip() else ""
        return ngettext("{count} match", "{count} matches", len(self._places)).format(count=len(self._places))

    def _go_to(self, number: int, *, says: bool = True) -> None:
        """To a match by its number, from 0; beyond either end it is the other end."""
        total = len(self._places)
        self._at = self._places[number % total]
        view = self._desk.topic.text
        view.set_matches(self._matches, self._at)
        view.reveal(*self._at)
        shown = _("{number} of {total}").format(number=number % total + 1, total=total)
        self._desk.topic.show_found(shown)
        if not says:
            return
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
