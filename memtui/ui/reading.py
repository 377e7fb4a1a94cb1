"""A session in the topic pane: opening it at its end or at a hit, moving in it, following it while it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.i18n import _, ngettext
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.library import Growth, Query, Session
    from memtui.core.workspace import Workspace
    from memtui.ui.book import Book, Entry, Page
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.line_view import LineView


class Reading:
    """What is read in the topic pane when that is a session. Lives in the UI thread; the book does not."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.session: Session | None = None
        self._book: Book | None = None
        self._page: Page | None = None
        self._opened = 0
        self._query: Query | None = None
        self._offsets: tuple[int, ...] = ()
        self._at: int | None = None
        self._loading = False
        self._growing = self._grow_more = False
        self._unread = 0
        self._notice = ""

    @property
    def is_open(self) -> bool:
        """Whether the topic pane shows a session."""
        return self.session is not None

    @property
    def page(self) -> Page | None:
        """What is on the screen."""
        return self._page

    @property
    def _view(self) -> LineView:
        return self._desk.topic.text

    # Opening

    def open_session(
        self,
        session: Session,
        at: int | None = None,
        query: Query | None = None,
        offsets: tuple[int, ...] = (),
    ) -> None:
        """Show a session at an entry, or at its end."""
        self._query, self._offsets = query, offsets
        if self.session is not None and self.session.file == session.file and self._book is not None:
            self.session = session
            self._mark_hits(at)
            return
        self.session, self._book, self._page = session, None, None
        self._opened += 1
        self._at, self._loading, self._growing, self._unread, self._notice = None, False, False, 0, ""
        self._desk.searching.watch_closely()
        opened = self._opened
        env = self._desk.app.env
        query_now, hits = query, frozenset(offsets)

        def job(workspace: Workspace) -> tuple[Book, Page]:
            from memtui.core.library import Library
            from memtui.ui.book import Book

            book = Book(Library(env), session, at, env.now)
            book.highlight(query_now, hits)
            return book, book.page()

        def then(found: tuple[Book, Page]) -> None:
            if opened != self._opened:
                return
            self._book, page = found
            self._show(page, (1, 0) if at is not None else (max(1, len(page.lines)), 0))
            if at is not None:
                self._jump(at)
            else:
                self._view.move_to_last()

        def failed(error: MemtuiError) -> None:
            if opened == self._opened:
                self.close()
                self._desk.show_item()
            self._desk.say_error(error)

        self._desk.work.do(job, then, channel="topic", failed=failed)

    def close(self) -> None:
        """The topic pane shows something else."""
        self._opened += 1
        self.session, self._book, self._page = None, None, None

    def find(self, query: Query, offsets: tuple[int, ...]) -> None:
        """Show what was found in this session, the newest of it first."""
        self._query, self._offsets = query, offsets
        if not offsets:
            self._desk.say(_("not found in this session"), "muted")
        self._mark_hits(offsets[-1] if offsets else None)

    def _mark_hits(self, at: int | None) -> None:
        query, hits = self._query, frozenset(self._offsets)

        def job(book: Book) -> Page:
            book.highlight(query, hits)
            return book.page()

        def then(page: Page) -> None:
            self._show_in_place(page)
            if at is not None:
                self._jump(at)

        self._do(job, then)

    def _do(self, job: Callable[[Book], Page], then: Callable[[Page], None]) -> None:
        book, opened = self._book, self._opened
        if book is None:
            return

        def run(workspace: Workspace) -> Page:
            return job(book)

        def heard(page: Page) -> None:
            if opened == self._opened:
                then(page)

        def failed(error: MemtuiError) -> None:
            self._loading = False
            self._desk.say_error(error)

        self._desk.work.do(run, heard, failed=failed)

    # Showing

    def _show(self, page: Page, place: tuple[int, int]) -> None:
        from memtui.core.safety import display

        session = self.session
        if session is None:
            return
        self._page = page
        self._desk.topic.show_session(
            str(session.file), display.line(session.title), self._about(), self._facts(), page, place
        )
        at = page.entry_at(self._at) if self._at is not None else None
        self._view.pointed = None if at is None else at.first_line + (not page.lines[at.first_line - 1])
        self._desk.show_keys()

    def _show_in_place(self, page: Page) -> None:
        self._show(page, self._place_in(page))

    def _place_in(self, page: Page) -> tuple[int, int]:
        """Where the line at the top of the screen is on another page."""
        line, row = self._view.place
        old = self._page
        entry = old.entry_at_line(line) if old is not None else None
        if old is None or entry is None:
            return 1, 0
        now = page.entry_at(entry.offset)
        if now is None:
            gone_before = bool(page.entries) and entry.offset < page.entries[0].offset
            return (1, 0) if gone_before else (max(1, len(page.lines)), 0)
        after = [e.first_line for e in page.entries if e.first_line > now.first_line]
        height = (after[0] if after else len(page.lines) + 1) - now.first_line
        return now.first_line + min(line - entry.first_line, max(0, height - 1)), row

    def _about(self) -> str:
        from memtui.core.safety import display
        from memtui.ui import wording

        session = self.session
        assert session is not None
        parts = [display.line(session.agent), wording.age(session.updated, self._desk.app.env.now())]
        if session.counts is not None:
            turns = ngettext("{count} turn", "{count} turns", session.counts.turns)
            parts.append(turns.format(count=session.counts.turns))
        if self._offsets:
            hits = ngettext("{count} hit", "{count} hits", len(self._offsets))
            parts.append(hits.format(count=len(self._offsets)))
        if self._unread:
            parts.append(_("{count} new below, G").format(count=self._unread))
        return " · ".join(filter(None, parts))

    def _facts(self) -> list[tuple[Span, ...]]:
        from memtui.core.safety import display

        session = self.session
        assert session is not None
        facts: list[tuple[Span, ...]] = []
        if self._notice:
            facts.append((("! ", "warn"), (self._notice, "warn")))
        if not session.pi_lists and session.hidden_because:
            why = _("pi does not list it: {why}").format(why=display.line(session.hidden_because))
            facts.append((("! ", "warn"), (why, "warn")))
        if session.cwd:
            place = display.path(session.cwd, home=self._desk.app.env.home)
            facts.append(((_("in") + "  ", "label"), (place, "")))
        return facts

    def now_listed_as(self, sessions: Iterable[Session]) -> None:
        """Take the title and counts of the open session from a newer list."""
        if self.session is not None:
            known = next((item for item in sessions if item.file == self.session.file), None)
            if known is not None and known != self.session:
                self.session = known
                self.refresh_bars()

    def refresh_bars(self) -> None:
        """Bring what stands around the text in step."""
        if self.session is not None and self._page is not None:
            self._desk.topic.show_about(self._about(), self._facts())

    # Moving

    def near_edge(self, *, at_top: bool) -> None:
        """Load what lies beyond an edge of the page."""
        page = self._page
        if page is None or self._loading or (page.at_start if at_top else page.at_end):
            if page is not None and page.at_end and not at_top and self._view.is_at_end and self._unread:
                self._unread = 0
                self.refresh_bars()
            return
        self._loading = True

        def then(page: Page) -> None:
            self._loading = False
            self._show_in_place(page)

        self._do(lambda book: book.earlier() if at_top else book.later(), then)

    def first(self) -> None:
        """To the first entry of the file."""
        self.moved()
        self._do(lambda book: book.go_to(0), lambda page: self._show(page, (1, 0)))

    def last(self) -> None:
        """To the last entry of the file."""
        page = self._page
        self._unread = 0
        self.moved()
        if page is not None and page.at_end:
            self._view.move_to_last()
            self.refresh_bars()
            return

        def then(page: Page) -> None:
            self._show(page, (max(1, len(page.lines)), 0))
            self._view.move_to_last()

        self._do(lambda book: book.go_to(None), then)

    def _jump(self, offset: int) -> None:
        """Bring an entry to the top of the screen; what matches in it is in view."""
        page = self._page
        entry = page.entry_at(offset) if page is not None else None
        if page is None or entry is None:
            self._do(lambda book: book.go_to(offset), lambda page: self._jumped_to(page, offset))
            return
        self._view.goto_line(_telling_line(page, entry, self._view.size.height))
        self._at = offset
        self._view.pointed = entry.first_line + (not page.lines[entry.first_line - 1])

    def _jumped_to(self, page: Page, offset: int) -> None:
        self._show(page, (1, 0))
        if page.entry_at(offset) is not None:
            self._jump(offset)

    def moved(self) -> None:
        """The person scrolled: no entry is pointed at any more."""
        self._at, self._view.pointed = None, None

    @property
    def current(self) -> Entry | None:
        """The entry that keys are about: the one jumped to, else at the end the last that speaks, else the
        one at the top."""
        page = self._page
        if page is None:
            return None
        if self._at is not None and (entry := page.entry_at(self._at)) is not None:
            return entry
        if self._view.is_at_end:
            return next((entry for entry in reversed(page.entries) if entry.speaks), None)
        return page.entry_at_line(self._view.top_line)

    def step_message(self, step: int) -> None:
        """To the next message, or (-1) the one before."""
        page, here = self._page, self.current
        if page is None or here is None:
            return
        if step > 0:
            following = (e for e in page.entries if e.speaks and e.offset > here.offset)
        else:
            following = (e for e in reversed(page.entries) if e.speaks and e.offset < here.offset)
        entry = next(following, None)
        if entry is not None:
            self._jump(entry.offset)
        elif page.at_end if step > 0 else page.at_start:
            self._desk.say(_("no message further on") if step > 0 else _("no message before"), "muted")
        else:
            self.near_edge(at_top=step < 0)

    def step_hit(self, step: int) -> None:
        """To the next hit, or (-1) the one before."""
        here = self.current
        if here is None:
            return
        if not self._offsets:
            self._desk.say(_("nothing is searched for here; / does"), "muted")
            return
        further = [at for at in self._offsets if (at > here.offset if step > 0 else at < here.offset)]
        if not further:
            self._desk.say(_("no hit further on") if step > 0 else _("no hit before"), "muted")
            return
        at = further[0] if step > 0 else further[-1]
        number = self._offsets.index(at) + 1
        self._desk.say(_("hit {number} of {total}").format(number=number, total=len(self._offsets)), "muted")
        self._jump(at)

    def fold(self, what: str) -> None:
        """Show tool output or thinking whole, or fold it again."""

        def job(book: Book) -> Page:
            from dataclasses import replace

            folding = book.folding
            changed = {"tools": not folding.tools} if what == "tools" else {"thinking": not folding.thinking}
            book.folding = replace(folding, **changed)
            return book.page()

        self._do(job, self._show_in_place)

    # Following

    def files_changed(self, paths: frozenset[Path]) -> None:
        """Look whether the session grew."""
        session = self.session
        if session is None or self._book is None:
            return
        if not any(session.file == path or session.file.is_relative_to(path) for path in paths):
            return
        if self._growing:
            self._grow_more = True
            return
        self._growing = True
        book, opened = self._book, self._opened

        def then(found: tuple[Growth, Page | None]) -> None:
            if opened != self._opened:
                return
            self._growing = False
            self._grew(*found)
            if self._grow_more:
                self._grow_more = False
                self.files_changed(frozenset({session.file}))

        def failed(error: MemtuiError) -> None:
            self._growing = False
            self._desk.say_error(error)

        self._desk.work.do(lambda workspace: book.grow(), then, failed=failed)

    def _grew(self, growth: Growth, page: Page | None) -> None:
        if growth.state == "same":
            return
        was_at_end = self._page is not None and self._page.at_end and self._view.is_at_end
        self._notice = {
            "gone": _("the file is gone; this is what was read of it"),
            "rewritten": _("another program wrote the file anew"),
        }.get(growth.state, "")
        if growth.state == "rewritten" and page is not None:
            self._offsets, self._at, self._unread = (), None, 0
            self._show(page, (max(1, len(page.lines)), 0))
            self._view.move_to_last()
            return
        if page is None:
            self.refresh_bars()
            return
        if was_at_end and page.at_end:
            self._show_in_place(page)
            self._view.move_to_last()
        else:
            self._unread += growth.messages
            self._show_in_place(page)


def _telling_line(page: Page, entry: Entry, height: int) -> int:
    """The line to put at the top: the entry's first, or a later one when its first match is out of view."""
    after = [e.first_line for e in page.entries if e.first_line > entry.first_line]
    end = after[0] if after else len(page.lines) + 1
    match = next((number for number in sorted(page.matches) if entry.first_line <= number < end), None)
    if match is None or match - entry.first_line < max(1, height - 2):
        first = entry.first_line
        return first + 1 if not page.lines[first - 1] and first < len(page.lines) else first
    return max(entry.first_line, match - height // 3)
