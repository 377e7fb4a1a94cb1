"""The search pane's doings: typing a query, what is found, opening it. Lives in the UI thread."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.answering import Answer
from memtui.ui.completing import Completing
from memtui.ui.index_text import index_spans
from memtui.ui.listed import Listed
from memtui.ui.session_list import SessionList
from memtui.ui.shelf import Indexed, Shelf, ShelfHeard

if TYPE_CHECKING:
    from textual.timer import Timer

    from memtui.core.library import Session
    from memtui.ui.desk import Desk
    from memtui.ui.found import Found, Target
    from memtui.ui.widgets.spans import Span

AGES_EVERY_S = 60.0
"""How often it is said anew how old the listed sessions are."""

PREVIEW_AFTER_S = 0.08
"""While a query is typed, what is found first is shown in the text pane after so long without a key: the paint
of a conversation takes longer than that of the list, and the next key would wait for it."""


class Searching:
    """What is searched for, what was found, and what that leads to."""

    def __init__(self, desk: Desk, shelf: Shelf) -> None:
        self._desk = desk
        self._shelf = shelf
        self._listed: Listed | None = None
        self._fills = True
        self._found: Found | None = None
        self._typed = self._asked = ""
        self._asked_of: int | None = None
        self._generation = 0
        self._find_generation = 0
        self._find_jumps = True
        self._opens_first = False
        self._is_new = False
        self._indexed: Indexed | None = None
        self._index_began: datetime | None = None
        self._misses_files = False
        self._preview: Timer | None = None
        self._completing = Completing(desk)
        self.session_list = SessionList(desk, self._list_changed)
        self.searches_here = False

    def start(self) -> None:
        """Begin to list sessions."""
        line = self._desk.search.line
        line.changed, line.key = self._changed, self._key
        self._completing.start()
        self._shelf.start()

    def close(self) -> None:
        """End what is under way."""
        self._shelf.close()

    # The query

    @property
    def is_typing(self) -> bool:
        """Whether keys go into the query."""
        return self._desk.is_complete and self._desk.search.line.typing

    def begin(self) -> None:
        """Type a query."""
        self._desk.app.navigation.activate("search")
        self._desk.search.line.begin()
        self._shelf.warm()
        self._completing.show()
        self._desk.show_keys()

    def end(self) -> None:
        """Type no more; the query stays."""
        self._opens_first = False
        self._desk.search.line.end()
        self._desk.show_keys()
        if self._asked != self._typed:
            # nobody goes on with it: it is text
            self._asked = self._typed
            self._ask()

    def _changed(self, typed: str) -> None:
        if self._preview is not None:
            self._preview.reset()
        self._typed, self._asked = typed, self._completing.without_unfinished()
        self._opens_first = False
        self._ask()

    def _ask(self, *, is_new: bool = True) -> None:
        self._is_new = self._is_new or is_new
        self._asked_of = None if self._listed is None else self._listed.state
        if not self._asked.strip():
            self._generation = 0
            self._shelf.forget()
            self._show_list()
            return
        view, pane, again = self._desk.view, self._desk.search, not self._is_new
        snapshots = () if view is None else tuple(store.snapshot for store in view.stores)
        rows = max(pane.list.size.height, len(pane.list.rows) if again else 0)
        ask, here = self._shelf.ask, self.searches_here
        # what was typed is painted first: beside a thread that computes it would take three times as long
        self._generation = ask(self._asked, snapshots, here=here, rows=rows, again=again, waits=not again)
        if not again:
            pane.line.call_after_refresh(self._shelf.begin)

    def _key(self, key: str) -> bool:
        navigation = self._desk.app.navigation
        if key == "enter":
            self._enter()
        elif key == "tab" and self._completing.take():
            return True
        elif key in ("escape", "tab"):
            self.end()
            if key == "escape" and not self._typed:
                navigation.back()
        elif key in ("down", "up"):
            self._desk.search.list.move_by(1 if key == "down" else -1)
        elif key in ("pagedown", "pageup"):
            self._desk.search.list.move_pages(1 if key == "pagedown" else -1)
        else:
            return False
        return True

    def _enter(self) -> None:
        found = self._found
        if self._is_new or found is None:
            self._opens_first = True
            return
        self.end()
        if not found.targets:
            self._desk.say(_("nothing found"), "muted")
            return
        self.open_target()

    def again(self) -> None:
        """List and search once more."""
        self._shelf.list_again()
        if self._asked:
            self._ask(is_new=False)
        if (session := self._desk.reading.session) is not None:
            # it may be the one that went, or came back
            self._desk.reading.following.files_changed(frozenset({session.file}))

    def toggle_scope(self) -> None:
        """This project's sessions, or all."""
        if not self.lists_sessions:
            self.searches_here = not self.searches_here
            self._ask()
        else:
            self.session_list.toggle_scope()
        everywhere = self.session_list.everywhere if self.lists_sessions else not self.searches_here
        said = _("sessions of all projects") if everywhere else _("sessions of this project")
        self._desk.say(said, "muted")

    # What was found

    def heard(self, message: ShelfHeard) -> None:
        """Something came from the shelf."""
        what = message.what
        if isinstance(what, Listed):
            self._heard_list(what)
        elif isinstance(what, Answer):
            self._heard_answer(what)
        elif isinstance(what, Indexed):
            self._heard_index(what)
        else:
            from memtui.core.safety import display

            said = _("sessions cannot be read: {problem}").format(problem=display.line(str(what)))
            self._desk.say(said, "error")

    def _heard_list(self, listed: Listed) -> None:
        before, self._listed, self._completing.listed = self._listed, listed, listed
        if not listed.counting and (before is None or before.counting):
            self._desk.app.garbage.leave_out_what_there_is()
        self._desk.live.watch_sessions(listed.roots)
        self._desk.live.crediting.look_again()
        self.watch_closely()
        self._desk.show_status()
        self._desk.reading.now_listed_in(listed.by_file)
        is_told = before is not None and len(before.sessions) == len(listed.sessions)
        if self._desk.view is not None and not self._desk.view.items and not is_told:
            # what stands there tells how many sessions there are
            self._desk.listing.arrange()
        if self.lists_sessions:
            self._show_list()
        elif self._asked_of not in (None, listed.state):
            # a session came, went or grew: what is found may have, too
            self._ask(is_new=False)
        if before is None:
            self._desk.beside.start()
            self._desk.search.set_interval(AGES_EVERY_S, self._show_ages)

    def _show_ages(self) -> None:
        if self.lists_sessions:
            self._show_list()

    def _heard_index(self, indexed: Indexed) -> None:
        before, self._indexed = self._indexed, indexed
        is_writing = indexed.writing is not None and indexed.writing.is_running
        if not is_writing:
            self._index_began = None
        elif self._index_began is None:
            self._index_began = self._desk.app.env.now()
        self._desk.show_status()
        holds_more = before is None or before.changes != indexed.changes
        if self._misses_files and holds_more and not self.lists_sessions:
            # more of the sessions can be searched by now
            self._ask(is_new=False)

    @property
    def index_line(self) -> list[Span]:
        """What the status says of the index, nothing while all is well."""
        return index_spans(self._indexed, self._index_began, self._desk.app.env.now())

    @property
    def session_count(self) -> int:
        """How many sessions there are on this machine, as far as is known yet."""
        return 0 if self._listed is None else len(self._listed.sessions)

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions on this machine, as far as they are known yet."""
        return () if self._listed is None else self._listed.sessions

    def copies_of(self, session: Session) -> tuple[Session, ...]:
        """The other files that a session is in."""
        from memtui.core.library import copies_of

        return copies_of(session, self.sessions)

    def watch_closely(self) -> None:
        """Have the sessions that may be growing looked at most often: those of late, and the open one."""
        hot = [] if self._listed is None else self._listed.hot(self._desk.app.env.now())
        if (session := self._desk.reading.session) is not None:
            hot.append(session.file)
        self._desk.live.set_hot(hot)

    def agents_changed(self) -> None:
        """An agent came or went, or writes another session: marks of the list say so."""
        if self.lists_sessions:
            self._show_list()
        if self._desk.reading.session is not None:
            self._desk.reading.refresh_bars()

    # The list of sessions, while nothing is searched for

    @property
    def lists_sessions(self) -> bool:
        """Whether the list shows sessions, and not what was found."""
        return not self._asked.strip()

    def _list_changed(self, is_new: bool) -> None:
        self._is_new = is_new
        self._show_list()

    def _show_list(self) -> None:
        listed = self._listed
        if listed is None:
            return

        def show(found: Found) -> None:
            if listed is self._listed and self.lists_sessions:
                # nobody chose the session that came first by chance
                self._is_new = self._is_new or (self._fills and self._is_on_first)
                self._fills = self._fills and listed.counting
                self._show(found)

        self.session_list.make(listed, show)

    def _heard_answer(self, answer: Answer) -> None:
        from memtui.ui.found import found_hits

        if answer.question.generation == self._find_generation:
            if answer.done:
                offsets = sorted({hit.offset for hit in answer.hits if hit.kind == "session"})
                find = self._desk.reading.find if self._find_jumps else self._desk.reading.show_hits
                find(answer.query, tuple(offsets))
            return
        if answer.question.generation == self._generation:
            self._misses_files = "not-indexed" in answer.hidden
            env = self._desk.app.env
            self._show(found_hits(answer, home=env.home, now=env.now()))

    def _show(self, found: Found) -> None:
        self._found = found
        is_new, self._is_new = self._is_new, self._is_new and not (found.targets or found.done)
        self._desk.search.show(
            found, from_top=is_new, filtered_by="" if found.query else self.session_list.query
        )
        if self._opens_first and (found.targets or found.done):
            self._opens_first = False
            self._enter()
        self._desk.show_keys()

    @property
    def _is_on_first(self) -> bool:
        rows = () if self._found is None else self._found.rows
        first = next((row.id for row in rows if row.kind == "row"), "")
        return self._desk.search.list.cursor_id in ("", first)

    @property
    def target(self) -> Target | None:
        """What the row under the cursor leads to."""
        found = self._found
        return None if found is None else found.targets.get(self._desk.search.list.cursor_id)

    @property
    def memory_row(self) -> str:
        """The row, in the index, of the memory under the cursor; '' when that is none."""
        target, view = self.target, self._desk.view
        if target is None or target.memory is None or view is None:
            return ""
        from memtui.ui.view import row_id_of

        row_id = row_id_of(*target.memory)
        return row_id if row_id in view.items else ""

    # Opening

    def preview(self) -> None:
        """Show what the cursor is on, where there is room beside the list.

        While a query is typed, once its keys pause.
        """
        self._stop_preview()
        if self.is_typing and PREVIEW_AFTER_S:
            self._preview = self._desk.app.set_timer(PREVIEW_AFTER_S, self._preview_now)
        else:
            self._preview_now()

    def _stop_preview(self) -> None:
        if self._preview is not None:
            self._preview.stop()
            self._preview = None

    def _preview_now(self) -> None:
        self._preview = None
        if self._desk.app.navigation.active != "search":
            # another pane was gone to meanwhile: nothing may move its cursor
            return
        if self._desk.main.has_class("-wide") and not self._desk.main.has_class("-zoomed"):
            self._show_target()

    def open_target(self) -> None:
        """Into the text of what the cursor is on; of another query, to what that finds."""
        if self.target is not None and self.target.query:
            self._desk.search.line.put(self.target.query, 0, len(self._typed))
        elif self._show_target():
            self._desk.app.navigation.open_topic_from("search")

    def _show_target(self) -> bool:
        self._stop_preview()
        target, found = self.target, self._found
        if target is None or found is None:
            return False
        if target.query:
            return False
        if target.session is not None:
            self._desk.reading.open_session(target.session, target.offset, found.query, target.offsets)
            return True
        row_id = self.memory_row
        if not row_id:
            self._desk.say(_("this memory is gone"), "warn")
            return False
        if self._typed:
            self._desk.finding.typed = self._typed
        self._desk.go_to_memory(row_id, target.line)
        return True

    # In one session

    def find_in(self, session: Session, typed: str, *, jumps: bool = True) -> None:
        """Search one session only; what is found is shown in it, and jumped to unless `jumps` is False."""
        self._find_jumps = jumps
        self._find_generation = self._shelf.ask(typed, (), only=session)

    def find_no_more(self) -> None:
        """What is being searched for in one session is not wanted any more."""
        self._find_generation = 0

    # Following

    def files_changed(self, paths: frozenset[Path]) -> None:
        """Sessions came, went or grew."""
        self._shelf.list_again()
        self._desk.reading.following.files_changed(paths)
