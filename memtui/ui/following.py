"""Following a session that is read while it grows: what came, what is unread, and when the file is gone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.library import Growth
    from memtui.ui.book import Page
    from memtui.ui.desk import Desk
    from memtui.ui.reading import Reading


class Following:
    """Looks into the file of the open session when it changed. Lives in the UI thread."""

    def __init__(self, desk: Desk, reading: Reading) -> None:
        self._desk = desk
        self._reading = reading
        self._is_looking = self._look_again = False
        self.unread = 0
        self.notice = ""

    def begin(self) -> None:
        """Another session was opened."""
        self._is_looking = self._look_again = False
        self.unread, self.notice = 0, ""

    def files_changed(self, paths: frozenset[Path]) -> None:
        """Look whether the session grew."""
        reading = self._reading
        session, book, opened = reading.session, reading.book, reading.opened
        if session is None or book is None:
            return
        if not any(session.file == path or session.file.is_relative_to(path) for path in paths):
            return
        if self._is_looking:
            self._look_again = True
            return
        self._is_looking = True

        def then(found: tuple[Growth, Page | None]) -> None:
            if opened != reading.opened:
                return
            self._is_looking = False
            self._grew(*found)
            if self._look_again:
                self._look_again = False
                self.files_changed(frozenset({session.file}))

        def failed(error: MemtuiError) -> None:
            self._is_looking = False
            self._desk.say_error(error)

        self._desk.work.do(lambda workspace: book.grow(), then, failed=failed)

    def _grew(self, growth: Growth, page: Page | None) -> None:
        reading = self._reading
        if growth.state == "same":
            if self.notice:
                # it was gone, and is there again as it was
                self.notice = ""
                reading.refresh_bars()
            return
        was_at_end = reading.is_at_end
        self.notice = {
            "gone": _("the file is gone; this is what was read of it"),
            "rewritten": _("another program wrote the file anew"),
        }.get(growth.state, "")
        if growth.state == "rewritten" and page is not None:
            self.unread = 0
            reading.show_anew(page)
            return
        if page is None:
            reading.refresh_bars()
            return
        if not (was_at_end and page.at_end):
            self.unread += growth.messages
        reading.show_grown(page, stays_at_end=was_at_end and page.at_end)
