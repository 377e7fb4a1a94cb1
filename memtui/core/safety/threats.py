"""The owners' scanners for text that gives orders to an agent: one table, a column for each scanner.

What is refused or blocked by a scanner is that owner's decision, false alarms included; memtui only says it
beforehand. Ids, their order, scopes and what each row catches: entries sheet 9 (three scanners, run).

A pattern is a tuple of regular expressions and the gaps between them. The owner's own matching is quadratic
where a gap is unlimited; here an unlimited gap is a step of its own that looks at each place once, so that a
long hostile text costs no more than a long harmless one.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from memtui.core.safety.threat_patterns import PATTERNS, SPACE, Gap, Recipe, Scope
from memtui.late import re
from memtui.late.dataclasses import dataclass

Scanner = Literal["amaster", "hermes_0_19", "hermes_newer"]

MOST_CHARACTERS = {"amaster": 1 << 20, "hermes_0_19": 65_536, "hermes_newer": 65_536}
"""So many characters are looked at. Hermes stops there itself; amaster never stops, memtui does."""

_SCOPES: dict[Scope, frozenset[Scope]] = {
    "all": frozenset({"all"}),
    "context": frozenset({"all", "context"}),
    "strict": frozenset({"all", "context", "strict"}),
}

INVISIBLE = re.compile("[\u200b-\u200d\u2060\u2062-\u2064\ufeff\u202a-\u202e\u2066-\u2069]")
"""The 17 code points that all three scanners flag."""


_REMEMBERED_LENGTH = 8192


def scan(text: str, scanner: Scanner, scope: Scope = "strict") -> tuple[str, ...]:
    """The ids of what a scanner finds in a text: invisible characters first, then in the order of its table.

    Scopes are cumulative (`all` < `context` < `strict`). Only the first MOST_CHARACTERS are looked at.
    """
    if len(text) <= _REMEMBERED_LENGTH:
        return _remembered(text, scanner, scope)
    return _scan(text[: MOST_CHARACTERS[scanner]], scanner, scope)


def pattern_ids(scanner: Scanner) -> tuple[str, ...]:
    """The ids of a scanner's table, in order."""
    return tuple(pattern_id for pattern_id, _scope, _matches in _compiled(scanner))


def _scan(text: str, scanner: Scanner, scope: Scope) -> tuple[str, ...]:
    found = [f"invisible_unicode_U+{ord(char):04X}" for char in dict.fromkeys(INVISIBLE.findall(text))]
    # an ASCII fold for amaster: U+212A and U+017F are letters to Hermes only
    folded = _lower_ascii(text) if scanner == "amaster" else unicodedata.normalize("NFKC", text)
    for pattern_id, wanted, matches in _compiled(scanner):
        if wanted in _SCOPES[scope] and matches(folded):
            found.append(pattern_id)
    return tuple(found)


_remembered = lru_cache(maxsize=4096)(_scan)

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _lower_ascii(text: str) -> str:
    return text.lower() if text.isascii() else text.translate(_LOWER)


Matcher = Callable[[str], bool]


@lru_cache(maxsize=3)
def _compiled(scanner: Scanner) -> tuple[tuple[str, Scope, Matcher], ...]:
    rows = []
    for row in PATTERNS:
        recipe = row.recipe(scanner)
        if recipe is not None:
            rows.append((row.id, row.scope, _matcher(recipe, scanner == "amaster")))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Step:
    """A gap and the piece behind it."""

    gap: re.Pattern[str]
    piece: re.Pattern[str]
    is_words: bool
    skips: int
    covers: bool


def _matcher(recipe: Recipe, is_unlimited: bool) -> Matcher:
    def expression(source: str) -> re.Pattern[str]:
        if is_unlimited:
            return re.compile(source.replace("{s}", SPACE), re.ASCII)
        return re.compile(source.replace("{s}", r"\s"), re.IGNORECASE)

    first, *pieces = [expression(part) for part in recipe if isinstance(part, str)]
    gaps = [part for part in recipe if isinstance(part, Gap)]
    steps = [
        _Step(
            expression(gap.unlimited if is_unlimited else gap.bounded),
            piece,
            gap.is_words,
            gap.skips,
            is_unlimited and gap.unlimited != gap.bounded,
        )
        for gap, piece in zip(gaps, pieces, strict=True)
    ]

    def matches(text: str) -> bool:
        if not steps:
            return first.search(text) is not None
        ends = [match.end() for match in first.finditer(text)]
        for step in steps:
            if not ends:
                return False
            ends = _reached(text, ends, step)
        return bool(ends)

    return matches


_SPACES = re.compile(rf"(?:{SPACE}|\s)+")


def _reached(text: str, ends: Sequence[int], step: _Step) -> list[int]:
    """Where the matches of a step's piece end that begin behind one of `ends` (rising) and its gap.

    A gap that `covers` reaches from the first place of a stretch all that it reaches from the others.
    """
    behind = _matches(text, step.piece, ends[0])
    if not behind:
        return []
    begins = list(behind)
    found: set[int] = set()
    covered, taken = -1, 0
    for start in ends:
        if step.covers and start <= covered:
            continue
        stretch = step.gap.match(text, start)
        covered = stretch.end() if stretch is not None else start
        if step.is_words:
            words = [start, *(space.end() for space in _SPACES.finditer(text, start, covered))]
            found.update(behind[word] for word in words if word in behind)
            continue
        taken = max(taken, bisect_left(begins, start + step.skips))
        while taken < len(begins) and begins[taken] <= covered:
            found.add(behind[begins[taken]])
            taken += 1
    return sorted(found)


def _matches(text: str, piece: re.Pattern[str], start: int) -> dict[int, int]:
    """All places where a piece matches, overlapping ones too: where it begins and where it ends."""
    found: dict[int, int] = {}
    match = piece.search(text, start)
    while match is not None:
        found[match.start()] = match.end()
        match = piece.search(text, match.start() + 1)
    return found
