"""A session opened for reading: the entries that are on the screen as lines, a page of bounded size.

Everything here runs on the work thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.core.safety import secrets
from memtui.late.dataclasses import dataclass
from memtui.ui.transcript_lines import SPEAKING, Folding, Line, lead_of, message_lines
from memtui.ui.widgets.source_style import InkSpan

if TYPE_CHECKING:
    from memtui.core.library import Growth, Kind, Library, Message, Query, Session

STEP_ENTRIES = 150
"""Entries that are put on at an edge."""

MOST_ENTRIES = 600
"""Entries on the screen at most; those at the other edge make room."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a page: where it is in the file and (from 1) in the lines."""

    offset: int
    kind: Kind
    first_line: int
    is_other_branch: bool

    @property
    def speaks(self) -> bool:
        """Whether a step from message to message stops here."""
        return self.kind in SPEAKING


@dataclass(frozen=True, slots=True)
class Page:
    """The lines on the screen; `leads` stand before the further rows of a line that wraps. `matches` are code
    points by line number."""

    lines: tuple[str, ...]
    inks: tuple[Sequence[InkSpan], ...]
    leads: tuple[str, ...]
    entries: tuple[Entry, ...]
    matches: Mapping[int, Sequence[tuple[int, int]]]
    at_start: bool
    at_end: bool

    def entry_at_line(self, number: int) -> Entry | None:
        """The entry that a line belongs to."""
        found = None
        for entry in self.entries:
            if entry.first_line > number:
                break
            found = entry
        return found

    def entry_at(self, offset: int) -> Entry | None:
        """The entry at an offset, None when it is not on this page."""
        return next((entry for entry in self.entries if entry.offset == offset), None)


class Book:
    """One session. Raises StorageError where the file cannot be opened."""

    def __init__(self, library: Library, session: Session, at: int | None, now: Callable[[], datetime]) -> None:
        self.session = session
        self._transcript = library.transcript(session.file, at)
        self._now = now
        self._query: Query | None = None
        self._hits: frozenset[int] = frozenset()
        self._made: dict[int, tuple[object, list[Line]]] = {}
        self._first = self._last = 0
        self.folding = Folding()
        self.seen: frozenset[str] = frozenset()
        """Secrets that are shown unmasked."""
        self._go(at)

    # Where the page is

    def _go(self, at: int | None) -> None:
        count = len(self._transcript)
        position = None if at is None else self._transcript.focus(at)
        count = len(self._transcript)
        if position is None:
            self._first, self._last = max(0, count - STEP_ENTRIES), count
        else:
            half = STEP_ENTRIES // 2
            self._first, self._last = max(0, position - half), min(count, position + half)

    def go_to(self, offset: int | None) -> Page:
        """The page around an entry, or the last one."""
        if offset is None and not self._transcript.at_end:
            self._transcript.focus(max(0, self._transcript.size_bytes - 1))
        self._go(offset)
        return self.page()

    def earlier(self) -> Page:
        """The page with more before it."""
        if self._first < STEP_ENTRIES and not self._transcript.at_start:
            came = self._transcript.load_earlier(STEP_ENTRIES)
            self._first, self._last = self._first + came, self._last + came
        self._first = max(0, self._first - STEP_ENTRIES)
        self._last = min(self._last, self._first + MOST_ENTRIES)
        return self.page()

    def later(self) -> Page:
        """The page with more behind it."""
        if self._last + STEP_ENTRIES > len(self._transcript) and not self._transcript.at_end:
            self._transcript.load_later(STEP_ENTRIES)
        self._last = min(len(self._transcript), self._last + STEP_ENTRIES)
        self._first = max(self._first, self._last - MOST_ENTRIES)
        return self.page()

    def grow(self) -> tuple[Growth, Page | None]:
        """What happened to the file, and the page with it where it reaches to the end (None: nothing new)."""
        was_last = self._last >= len(self._transcript) and self._transcript.at_end
        growth = self._transcript.grow()
        if growth.state == "rewritten":
            self._made.clear()
            self._go(None)
            return growth, self.page()
        if growth.state != "grown":
            return growth, None
        self._made.clear()
        if was_last:
            self._last = len(self._transcript)
            self._first = max(self._first, self._last - MOST_ENTRIES)
        self._last = min(self._last, len(self._transcript))
        return growth, self.page()

    # What it shows

    def highlight(self, query: Query | None, hits: frozenset[int]) -> None:
        """Show what matches in the entries at these offsets."""
        self._query, self._hits = query, hits

    def page(self) -> Page:
        """The lines as they are now."""
        with secrets.seen(self.seen):
            return self._page()

    def _page(self) -> Page:
        transcript = self._transcript
        now = self._now()
        messages = transcript.messages(self._first, self._last)
        kept: dict[int, tuple[object, list[Line]]] = {}
        lines: list[str] = []
        inks: list[Sequence[InkSpan]] = []
        entries: list[Entry] = []
        matches: dict[int, Sequence[tuple[int, int]]] = {}
        for message in messages:
            query = self._query if message.offset in self._hits else None
            key = (
                self.seen,
                self.folding,
                query and query.typed,
                message.branch,
                message.label,
                message.length,
            )
            made = self._made.get(message.offset)
            if made is None or made[0] != key:
                made = (key, message_lines(message, self.folding, query, now))
            kept[message.offset] = made
            first_line = len(lines) + 1
            entries.append(Entry(message.offset, message.kind, first_line, message.branch == "other"))
            for text, spans in made[1]:
                lines.append(text)
                inks.append(spans)
            if query is not None:
                matches |= _matches(query, made[1], first_line)
        self._made = kept
        at_start = self._first == 0 and transcript.at_start
        at_end = self._last >= len(transcript) and transcript.at_end
        leads = tuple(map(lead_of, lines))
        return Page(tuple(lines), tuple(inks), leads, tuple(entries), matches, at_start, at_end)

    def secrets(self) -> dict[str, str]:
        """The secrets of the page, each with what stands for it where it is masked."""
        messages = self._transcript.messages(self._first, self._last)
        texts = (text for message in messages for part in message.parts for text in (part.name, part.text))
        return {value: mask for text in texts for value, mask in secrets.masks(text).items()}

    def message(self, offset: int) -> Message | None:
        """The entry at an offset of the page."""
        position = self._transcript.position_of(offset)
        return None if position is None else self._transcript.message(position)


def _matches(query: Query, lines: Sequence[Line], first_line: int) -> dict[int, Sequence[tuple[int, int]]]:
    from memtui.core.library import spans

    found = {number: spans(query, text) for number, (text, _inks) in enumerate(lines, first_line)}
    return {number: places for number, places in found.items() if places}


def text_of(message: Message) -> str:
    """What a person means by the text of an entry: what was said, else whatever it holds."""
    return message.text or "\n".join(part.text for part in message.parts if part.text)
