"""Which lines of a session may hold all words of a query, told from their bytes: it never misses one.

A line is decoded only when it passes, so it may pass too many. Most words are ASCII, and most lines hold no
other spelling of them: those are looked through at the speed of `bytes.find`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtui.core.search.query import Query, Span
from memtui.core.search.spellings import has_other_forms, pattern
from memtui.late import re

LONGEST_RUN = 32
"""So many characters of a word are enough to tell a line."""

_ESCAPE = re.compile(rb"\\u(?!00[01])")
_SLASH = re.compile(rb"\\/")
_ACCENTED = (
    *(re.compile(bytes([first])) for first in (*range(0xC3, 0xCA), 0xCC, 0xCD)),
    re.compile(b"\xe1[\xb8-\xbb\xbf]"),
    re.compile(b"\xe2\x84[\xaa\xab]"),
    re.compile(b"\xef\xac"),
)
"""What begins a character that may stand for an ASCII one; each pattern begins with a byte that is itself."""

_OF_UNVARIED = (re.compile(rb"\\u"), re.compile(b"\xcc"), re.compile(b"\xcd"))
"""What an ideograph's other spelling has: an escape, or an accent that folding takes away."""


class Prefilter:
    """The test of one query. It keeps no state and may be used for any number of files."""

    def __init__(self, query: Query) -> None:
        parts = {part: None for word in query.words for part in word.parts}
        tests = {run: _Test(run) for part in parts for run in [_run(part)]}
        self._tests = sorted(tests.values(), key=lambda test: test.cost)
        self._lowers = any(test.is_ascii for test in self._tests)

    def lines(self, data: bytes) -> list[Span]:
        """The lines of `data` (whole lines) that pass: where each starts and ends (without line end)."""
        if not self._tests:
            return []
        lower = data.lower() if self._lowers else data
        first, *others = self._tests
        passed = [span for span in first.lines(data, lower) if all(o.passes(data, lower, span) for o in others)]
        return sorted(passed)


class _Test:
    """The test of a run of one word, on the bytes as they are and on their lower-case form."""

    def __init__(self, run: str) -> None:
        self.is_ascii = run.isascii() and run.isprintable()
        self._wide = pattern(run)
        self._marks: tuple[re.Pattern[bytes], ...] | None
        if self.is_ascii:
            self._plain = json.dumps(run)[1:-1].encode()
            self._marks = (_ESCAPE, *_ACCENTED, _SLASH) if "/" in run else (_ESCAPE, *_ACCENTED)
            self.cost = -len(run)
        else:
            self._plain = run.encode("utf-8", "surrogatepass")
            has_forms = not run.isprintable() or any(map(has_other_forms, run))
            self._marks = None if has_forms else _OF_UNVARIED
            self.cost = (200 if has_forms else 0) - 2 * len(run)

    def lines(self, data: bytes, lower: bytes) -> set[Span]:
        """Every line that passes."""
        if self._marks is None:
            return set(lines_of(self._wide, data))
        found = set(lines_with(self._plain, lower if self.is_ascii else data))
        for mark in self._marks:
            # most marks are nowhere, and to find that out from their first byte is nearly free
            if mark.pattern[:1] not in data:
                continue
            for span in lines_of(mark, data):
                if span not in found and self._wide.search(data, *span) is not None:
                    found.add(span)
        return found

    def passes(self, data: bytes, lower: bytes, span: Span) -> bool:
        """Whether one line passes."""
        if self._marks is None:
            return self._wide.search(data, *span) is not None
        if (lower if self.is_ascii else data).find(self._plain, *span) >= 0:
            return True
        marked = any(mark.search(data, *span) for mark in self._marks)
        return marked and self._wide.search(data, *span) is not None


def _run(part: str) -> str:
    """The run of a word that is looked for: of ASCII or of anything else, whichever is rarer."""
    runs: list[str] = re.findall(r"[\x20-\x7e]+|[^\x20-\x7e]+", part)
    return max(runs, key=lambda run: len(run) * (1 if run.isascii() else 2))[:LONGEST_RUN]


def lines_with(plain: bytes, data: bytes) -> Iterator[Span]:
    """The lines that hold some bytes: where each starts and ends."""
    at = data.find(plain)
    while at >= 0:
        span = _line_around(data, at)
        yield span
        at = data.find(plain, span[1] + 1)


def lines_of(wanted: re.Pattern[bytes], data: bytes) -> Iterator[Span]:
    """The lines of `data` (whole lines) with a match of a pattern: where each starts and ends, in order."""
    match = wanted.search(data)
    while match is not None:
        span = _line_around(data, match.start())
        yield span
        match = wanted.search(data, span[1] + 1)


def _line_around(data: bytes, at: int) -> Span:
    end = data.find(b"\n", at)
    return data.rfind(b"\n", 0, at) + 1, len(data) if end < 0 else end
