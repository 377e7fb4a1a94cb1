"""What keys do without touching a memory: moving, panes, the filter, sheets, leaving."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

from memtui.i18n import _, ngettext
from memtui.ui.widgets.ask_bar import Choice
from memtui.ui.widgets.pane_line import PaneLine
from memtui.ui.widgets.span_lines import TopBar

if TYPE_CHECKING:
    from memtui.ui.desk import Desk

PaneName = Literal["index", "topic", "search", "status"]

PANES: tuple[PaneName, ...] = ("index", "topic", "search", "status")

LEAVING = "leaving"
"""What the question is about that stands while a change is being written and `q` was pressed."""


class Movable(Protocol):
    """What the moving keys move."""

    def move_by(self, rows: int) -> None:
        """By rows."""

    def move_pages(self, pages: float) -> None:
        """By pages."""

    def move_to_first(self) -> None:
        """To the start."""

    def move_to_last(self) -> None:
        """To the end."""


class Navigation:
    """One method a command. Which pane is active is kept here: a terminal may take the focus away."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.active: PaneName = "index"
        self._topic_from: PaneName = "index"

    # Moving

    @property
    def _target(self) -> Movable:
        desk = self._desk
        if self.active == "index":
            return desk.index.list
        if self.active == "search":
            return desk.search.list
        return desk.topic.text if self.active == "topic" else desk.status.text

    def down(self) -> None:
        """One row down."""
        self._move(1)

    def up(self) -> None:
        """One row up."""
        self._move(-1)

    def first(self) -> None:
        """To the first row."""
        self._desk.item_was_chosen = True
        if self._reads:
            self._desk.reading.first()
        else:
            self._target.move_to_first()

    def last(self) -> None:
        """To the last row."""
        self._desk.item_was_chosen = True
        if self._reads:
            self._desk.reading.last()
        else:
            self._target.move_to_last()

    @property
    def _reads(self) -> bool:
        return self.active == "topic" and self._desk.reading.is_open

    def half_down(self) -> None:
        """Half a page down."""
        self._page(0.5)

    def half_up(self) -> None:
        """Half a page up."""
        self._page(-0.5)

    def page_down(self) -> None:
        """A page down."""
        self._page(1)

    def page_up(self) -> None:
        """A page up."""
        self._page(-1)

    def _move(self, rows: int) -> None:
        self._desk.item_was_chosen = True
        self._target.move_by(rows)
        if self._reads:
            self._desk.reading.moved()

    def _page(self, pages: float) -> None:
        self._desk.item_was_chosen = True
        self._target.move_pages(pages)
        if self._reads:
            self._desk.reading.moved()

    def next_store(self) -> None:
        """To the first memory of the next store, or where it would be."""
        self._step_store(1)

    def previous_store(self) -> None:
        """To the first memory of the store before."""
        self._step_store(-1)

    def _step_store(self, step: int) -> None:
        desk = self._desk
        if desk.view is None:
            return
        firsts: dict[int, str] = {}
        for row in desk.index.list.rows:
            number = desk.view.store_of(row.id)
            if number is not None:
                firsts.setdefault(number, row.id)
        numbers = list(firsts)
        if desk.store_number not in numbers:
            return
        here = numbers.index(desk.store_number)
        desk.index.list.go_to(firsts[numbers[(here + step) % len(numbers)]])

    def next_problem(self) -> None:
        """To the next memory or file with a problem, from the top again after the last."""
        desk = self._desk
        if desk.view is None:
            return
        rows = desk.index.list
        after = [*rows.rows[rows.cursor + 1 :], *rows.rows[: rows.cursor + 1]]
        for row in after:
            item = desk.view.items.get(row.id)
            if row.id in desk.view.notices or (item is not None and item.problems):
                rows.go_to(row.id)
                return
        desk.say(_("no memory here has a problem"), "good")

    # Panes

    def activate(self, pane: PaneName) -> None:
        """Make a pane the one that keys move."""
        self.active = pane
        main = self._desk.main
        for name in PANES:
            main.query_one(f"#{name}").set_class(name == pane, "-active")
            main.set_class(name == pane, f"-on-{name}")
        self._show_pane_line()
        self._desk.show_keys()

    def pane_index(self) -> None:
        """To the memories."""
        self.activate("index")

    def pane_topic(self) -> None:
        """To the text."""
        self.activate("topic")

    def pane_search(self) -> None:
        """To the sessions and what was found."""
        self.activate("search")

    def pane_status(self) -> None:
        """To the status."""
        self.activate("status")

    def next_pane(self) -> None:
        """To the next pane."""
        self.activate(PANES[(PANES.index(self.active) + 1) % len(PANES)])

    def zoom(self) -> None:
        """This pane alone, and back."""
        main = self._desk.main
        main.toggle_class("-zoomed")
        main.query_one(TopBar).show_last([(_("zoomed"), "title")] if self._is_zoomed else [])
        self._show_pane_line()

    @property
    def _is_zoomed(self) -> bool:
        return self._desk.main.has_class("-zoomed")

    def _show_pane_line(self) -> None:
        end = _("z shows all panes again") if self._is_zoomed else ""
        self._desk.main.query_one(PaneLine).show_active(self.active, end)

    def open(self) -> None:
        """Into the text."""
        if self.active == "search":
            self._desk.searching.open_target()
        elif self._desk.item is not None or self._desk.notice is not None:
            if self.active == "index":
                self._desk.show_memory()
            self.open_topic_from("index")

    def open_topic_from(self, pane: PaneName) -> None:
        """To the text; back leads to this pane."""
        self._topic_from = pane
        self.activate("topic")

    def back(self) -> bool:
        """To the list, or out of a filter; False when there was nothing to go back from."""
        if self._desk.finding.clear(also_matches=self.active == "topic"):
            pass
        elif self.active == "topic":
            self.activate(self._topic_from)
            self._topic_from = "index"
        elif self.active == "search" and self._desk.listing.end_range(keeps_marks=False):
            pass
        elif self.active == "search" and self._desk.searching.session_list.query:
            self._desk.searching.session_list.filter("")
        elif self.active != "index":
            self.activate("index")
        elif self._desk.listing.drop_marks():
            pass
        elif self._desk.is_filtered:
            self._desk.unfilter()
        else:
            return False
        return True

    def leave(self) -> None:
        """Back; from the list, out of memtui, where a change is being written once it is."""
        desk = self._desk
        if self.back():
            return
        if not desk.work.changes_in_flight:
            desk.app.exit(0)
            return

        def answered(key: str) -> None:
            if key == "y":
                desk.app.exit(0)

        question, leave = desk.work.in_flight, _("leave now, it is done all the same")
        if not question:
            question = _("A change is being written; memtui leaves once it is.")
            leave = _("leave now, it is written all the same")
        choices = Choice("y", leave), Choice("n", _("stay"))
        desk.ask_bar.ask(question, choices, answered, opener="q", about=LEAVING)

    def changes_ended(self, *, well: bool) -> None:
        """Nothing is being written any more: whoever wanted to leave does, unless there is an error to see."""
        bar, app = self._desk.ask_bar, self._desk.app
        if bar.asking and bar.about == LEAVING:
            bar.leave()
            if well:
                app.exit(0)

    # Searching

    def search(self) -> None:
        """Type a query; in a text, what to find in it."""
        if self.active == "topic":
            self._desk.finding.ask()
        else:
            self._desk.searching.begin()

    def next_hit(self) -> None:
        """In a text: to the next hit."""
        self._desk.finding.step(1)

    def previous_hit(self) -> None:
        """In a text: to the hit before."""
        self._desk.finding.step(-1)

    def scope(self) -> None:
        """Sessions of this project, or of all."""
        self._desk.searching.toggle_scope()

    def next_message(self) -> None:
        """To the next message."""
        self._desk.reading.step_message(1)

    def previous_message(self) -> None:
        """To the message before."""
        self._desk.reading.step_message(-1)

    def fold_tools(self) -> None:
        """Show tool output whole, or fold it again."""
        self._desk.reading.fold("tools")

    def fold_thinking(self) -> None:
        """Show thinking whole, or fold it again."""
        self._desk.reading.fold("thinking")

    # The filter and the sheets

    def filter(self) -> None:
        """Type a filter for the memories, or for the sessions while they are listed; Esc takes it away."""
        desk = self._desk
        if self.active == "search" and desk.searching.lists_sessions:
            self._filter_sessions()
            return
        self.activate("index")
        desk.item_was_chosen = False

        def typed(text: str | None) -> None:
            if text is None:
                desk.unfilter()

        desk.line_input.ask(_("filter"), typed, value=desk.query_text, changed=desk.filter, offers=True)

    def _filter_sessions(self) -> None:
        sessions = self._desk.searching.session_list

        def typed(text: str | None) -> None:
            if text is None:
                sessions.filter("")

        now = sessions.query
        line_input = self._desk.line_input
        line_input.ask(_("filter sessions"), typed, value=now, changed=sessions.filter, offers=True)

    def help(self) -> None:
        """All keys, those of what is under the cursor first."""
        self._commands(finds=False)

    def palette(self) -> None:
        """Find a command by its name."""
        self._commands(finds=True)

    def _commands(self, *, finds: bool) -> None:
        from memtui.ui.offers import offers
        from memtui.ui.screens.command_screen import CommandScreen
        from memtui.ui.why_not import here_of, why_not_here

        here = here_of(self._desk)
        is_on_one = here.item is not None or here.session is not None
        shown = offers(here.scope, partial(why_not_here, here), pane=here.active, is_on_one=is_on_one)
        self._desk.app.push_screen(CommandScreen(shown, self._desk.app.action_do, finds=finds))

    def rescan(self) -> None:
        """Read everything again."""
        desk = self._desk
        desk.say(_("reading …"), "muted")
        desk.reload(locate_again=True)
        desk.work.do(lambda workspace: None, self._was_read, channel="rescan")
        desk.beside.look(again=True)
        self._desk.searching.again()

    def _was_read(self, _result: object) -> None:
        desk = self._desk
        if desk.view is not None and desk.is_still_said(_("reading …")):
            count = len(desk.view.items)
            said = ngettext("read again: {count} memory", "read again: {count} memories", count)
            desk.say(said.format(count=count), "muted")
