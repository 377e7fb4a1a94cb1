"""What is said to the person, and the bars that say how things stand. Lives in the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.panes.status import StatusStrip
from memtui.ui.widgets.span_lines import TopBar
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.desk import Desk

PASSING = "muted"
"""The ink of notes, which go with the next key; all else stays said while the person only moves."""


class Telling:
    """`said` is what was said last; it is news until the person goes on."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.said: list[Span] = []
        self._is_new = False
        self._shown: tuple[object, ...] = ()

    def say(self, text: str, ink: str = "") -> None:
        """Say a sentence that is safe to display; '' takes away what was said."""
        self.said = [(text, ink)] if text else []
        self._is_new = True
        self.show()

    def add(self, text: str) -> None:
        """Say something behind what was said last, as long as that stands; safe for display."""
        said, ink = self.said[0]
        self.said = [(f"{said} · {text}", ink)]
        self.show()
        if self._desk.front is not None:
            self._desk.front.say(*self.said[0])

    def settle(self, *, moves: bool = False) -> None:
        """The person goes on: what was said last is no news any more, and is taken away.

        Where the person only `moves`, what came of a change, or kept it from being made, stays.
        """
        if self.said and not (moves and self.said[0][1] != PASSING):
            self.said, self._is_new = [], False
            self.show()
        elif self._is_new:
            self._is_new = False
            self._shown = ()
            self._desk.status.settle()
            self._desk.main.query_one(StatusStrip).settle()

    def show(self) -> None:
        """Bring the top bar and the status in step, where anything they say changed."""
        desk = self._desk
        strip = desk.main.query_one(StatusStrip)
        if desk.view is None:
            desk.status.tell(self.said, is_news=True)
            strip.show_items([], self.said, is_news=True)
            return
        from memtui.ui.hints import hint_of
        from memtui.ui.status_text import at_work_items, count_items, status_lines, told
        from memtui.ui.top_line import top_line

        news, (watching, how) = desk.live.news, desk.live.state_words()
        hint = hint_of(desk)
        said, is_new, view, number = self.said, self._is_new, desk.view, desk.store_number
        group = desk.item.memory.group if desk.item is not None else ""
        index_line, inspecting = desk.searching.index_line, desk.inspecting.line
        agents = [list(line) for line in (*desk.beside.status_lines, *desk.carrying.status_lines)]
        bars = (view, number, group, watching, how, news.state)
        shown = (*bars, tuple(said), is_new, hint, tuple(index_line), tuple(inspecting), agents)
        if shown == self._shown:
            return
        self._shown = shown
        top = top_line(view, number, news.top_parts(), watching, is_trouble=watching != how, group=group)
        desk.main.query_one(TopBar).show_parts(top.levels, top.places, keeps_place=top.keeps_place)
        above = told(said, is_new, news.fresh_line, view, hint)
        desk.status.tell(above.spans, is_news=above.is_news)
        lines = status_lines(view, number, news.status_lines(), above=above.text)
        lines += agents
        if watching != how:
            lines.append([(_("watch") + "    ", "label"), (how, "warn")])
        if inspecting:
            lines.append([(_("checks") + "   ", "label"), *inspecting])
        if index_line:
            lines.append(index_line)
        desk.status.show(lines)
        below = told(said, is_new, "", view, "")
        about = "" if desk.store is None else f"{desk.store.name}: {desk.store.reason}"
        items = [*news.strip_items(), *at_work_items(view), *([inspecting] if inspecting else [])]
        items += [*count_items(view), *map(list, desk.beside.strip_items)]
        strip.show_items(items, below.spans, is_news=below.is_news, about=about, hint=hint)
