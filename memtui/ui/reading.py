"""A session in the topic pane: opening it at its end or at a hit, and moving in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.following import Following
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.library import Query, Session
    from memtui.core.workspace import Workspace
    from memtui.ui.book import Book, Entry, Page
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.line_view import LineView


class Reading:
    """What is read in the topic pane when that is a session. Lives in the UI thread; the book does not.

    `opened` counts what was opened: a result for an earlier one is not shown.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.session: Session | None = None
        self.book: Book | None = None
        self._page: Page | None = None
        self.opened = 0
        self.following = Following(desk, self)
        self._query: Query | None = None
        self._offsets: tuple[int, ...] = ()
        self._at: int | None = None
        self._loading = False

    @property
    def is_open(self) -> bool:
        """Whether the topic pane shows a session."""
        return self.session is not None

    @property
    def has_hits(self) -> bool:
        """Whether something was searched for in it, and found."""
        return bool(self._offsets)

    @property
    def hits(self) -> tuple[Query | None, tuple[int, ...]]:
        """What was searched for in it, and the offsets of what was found."""
        return self._query, self._offsets

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
        if self.session is not None and self.session.file == session.file and self.book is not None:
            self.session = session
            self._mark_hits(at)
            return
        self.session, self.book, self._page = session, None, None
        self.opened += 1
        self._at, self._loading = None, False
        self.following.begin()
        self._desk.searching.watch_closely()
        opened = self.opened
        env = self._desk.app.env
        query_now, hits = query, frozenset(offsets)

        def job(workspace: Workspace) -> tuple[Book, Page]:
            from memtui.core.library import Library
            from memtui.ui.book import Book

            book = Book(Library(env), session, at, env.now)
            book.highlight(query_now, hits)
            return book, book.page()

        def then(found: tuple[Book, Page]) -> None:
            if opened != self.opened:
                return
            self.book, page = found
            self._show(page, (1, 0) if at is not None else (max(1, len(page.lines)), 0))
            if at is not None:
                self._jump(at)
            else:
                self._view.move_to_last()

        def failed(error: MemtuiError) -> None:
            if opened == self.opened:
                self.close()
                self._desk.show_item()
            self._desk.say_error(error)

        self._desk.work.do(job, then, channel="topic", failed=failed)

    def close(self) -> None:
        """The topic pane shows something else."""
        self.opened += 1
        self.session, self.book, self._page = None, None, None

    def find(self, query: Query, offsets: tuple[int, ...]) -> None:
        """Show what was found in this session, the newest of it first."""
        self._query, self._offsets = query, offsets
        if not offsets:
            self._desk.say(_("not found in this session"), "muted")
        self._mark_hits(offsets[-1] if offsets else None)

    def show_hits(self, query: Query | None, offsets: tuple[int, ...]) -> None:
        """Show what was found where it is on the screen, and how much there is."""
        self._query, self._offsets = query, offsets
        self._mark_hits(None)

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
        book, opened = self.book, self.opened
        if book is None:
            return

        def run(workspace: Workspace) -> Page:
            return job(book)

        def heard(page: Page) -> None:
            if opened == self.opened:
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
        title = display.line(session.title)
        self._desk.topic.show_session(str(session.file), title, *self._around(), page, place)
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

    def _around(self) -> tuple[str, list[tuple[Span, ...]]]:
        from memtui.ui.session_facts import session_about, session_facts

        session, env, following = self.session, self._desk.app.env, self.following
        assert session is not None
        hits = None if self._query is None else len(self._offsets)
        at = self._offsets.index(self._at) + 1 if self._at in self._offsets else 0
        about = session_about(session, env.now(), hits=hits, at=at, unread=following.unread)
        copies = tuple(copy.file for copy in self._desk.searching.copies_of(session))
        return about, session_facts(
            session, env.home, following.notice, copies, self._desk.beside.use_of(session)
        )

    def now_listed_in(self, by_file: Mapping[str, Session]) -> None:
        """Take the title and counts of the open session from a newer list."""
        if self.session is not None:
            known = by_file.get(self.session.where)
            if known is not None and known != self.session:
                self.session = known
                self.refresh_bars()

    def refresh_bars(self) -> None:
        """Bring what stands around the text in step."""
        if self.session is not None and self._page is not None:
            self._desk.topic.show_about(*self._around())

    # Moving

    def near_edge(self, *, at_top: bool) -> None:
        """Load what lies beyond an edge of the page."""
        page = self._page
        if page is None or self._loading or (page.at_start if at_top else page.at_end):
            if not at_top and self.is_at_end and self.following.unread:
                self.following.unread = 0
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
        self.following.unread = 0
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
        self.refresh_bars()
        self._view.pointed = entry.first_line + (not page.lines[entry.first_line - 1])

    def _jumped_to(self, page: Page, offset: int) -> None:
        self._show(page, (1, 0))
        if page.entry_at(offset) is not None:
            self._jump(offset)

    def moved(self) -> None:
        """The person scrolled: no entry is pointed at any more."""
        was_at, self._at, self._view.pointed = self._at, None, None
        if was_at in self._offsets:
            self.refresh_bars()

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

        whole = False

        def job(book: Book) -> Page:
            from memtui.late.dataclasses import replace

            nonlocal whole
            folding = book.folding
            changed = {"tools": not folding.tools} if what == "tools" else {"thinking": not folding.thinking}
            book.folding = replace(folding, **changed)
            whole = next(iter(changed.values()))
            return book.page()

        def then(page: Page) -> None:
            self._show_in_place(page)
            name = _("tool output") if what == "tools" else _("thinking")
            said = _("{name} is shown whole") if whole else _("{name} is folded")
            self._desk.say(said.format(name=name), "muted")

        self._do(job, then)

    def reveal(self, turn: Callable[[Book], None], say: Callable[[frozenset[str] | None], None]) -> None:
        """Show other secrets of the page unmasked, as `turn` says; `say` hears which (None: there are none)."""
        before = self.book.seen if self.book is not None else frozenset()

        def job(book: Book) -> Page:
            turn(book)
            return book.page()

        def then(page: Page) -> None:
            self._show_in_place(page)
            seen = self.book.seen if self.book is not None else frozenset()
            say(seen or (frozenset() if before else None))

        self._do(job, then)

    # Following

    @property
    def is_at_end(self) -> bool:
        """Whether the last entry of the file is on the screen."""
        return self._page is not None and self._page.at_end and self._view.is_at_end

    def show_grown(self, page: Page, *, stays_at_end: bool) -> None:
        """Show a page that has more."""
        self._show_in_place(page)
        if stays_at_end:
            self._view.move_to_last()

    def show_anew(self, page: Page) -> None:
        """Show a page of a file that is another one now."""
        self._offsets, self._at = (), None
        self._show(page, (max(1, len(page.lines)), 0))
        self._view.move_to_last()


def _telling_line(page: Page, entry: Entry, height: int) -> int:
    """The line to put at the top: the entry's first, or a later one when its first match is out of view."""
    after = [e.first_line for e in page.entries if e.first_line > entry.first_line]
    end = after[0] if after else len(page.lines) + 1
    match = next((number for number in sorted(page.matches) if entry.first_line <= number < end), None)
    if match is None or match - entry.first_line < max(1, height - 2):
        first = entry.first_line
        return first + 1 if not page.lines[first - 1] and first < len(page.lines) else first
    return max(entry.first_line, match - height // 3)
