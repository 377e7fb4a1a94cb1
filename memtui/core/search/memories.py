"""Searching memories in the snapshots that are on the screen: names and bodies, exact before alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.layouts.table import LAYOUTS
from memtui.core.safety import display
from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.query import Query, Span, Word, spans
from memtui.core.search.snippet import Snippet, best_place, snippet
from memtui.core.text.fold import Folded, fold, fold_with_places
from memtui.late import dataclasses

ALIKE = 80
"""How alike (0-100) a name must be to a word that no memory holds."""

EXACT_UP_TO = 3
"""A shorter word has to be there as it is."""

ENOUGH = 5
"""With so many exact hits, names that are only alike are left out."""

_NO_TYPOS_FROM = "\u2e80"
"""From here on one character is as much as a word (ideographs, kana, Hangul): nothing is alike."""

_NAME, _DESCRIPTION, _BODY = range(3)

Rank = tuple[float, ...]


class _Field(NamedTuple):
    tier: int
    text: str
    folded: str


class _Found(NamedTuple):
    rank: Rank
    hit: Hit


class MemorySource:
    """The memories of some snapshots, the best match first, and of equal ones the most recent."""

    def __init__(self, snapshots: Iterable[Snapshot]) -> None:
        self.hidden: Counter[HiddenBecause] = Counter()
        self.beyond = 0
        self.suggestion = ""
        self._snapshots = tuple(snapshots)

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """The memories that hold all words: in a name before a description before a body; then names alike.

        Without words it is all that pass the filters, the most recent first.
        """
        filters = query.filters
        exact: list[_Found] = []
        missed: list[tuple[Snapshot, Memory, list[_Field]]] = []
        for snapshot in self._snapshots:
            for memory in snapshot.memories:
                if cancelled():
                    return
                if not filters.fits_memory(snapshot.store, memory):
                    continue
                fields = _fields(snapshot, memory)
                found = _exact(query, snapshot, memory, fields)
                if found is None:
                    missed.append((snapshot, memory, fields))
                else:
                    exact.append(found)
        yield from _in_order(exact)
        if len(exact) >= ENOUGH or query.is_exact or not any(map(_may_be_alike, query.words)):
            return
        alike: list[_Found] = []
        for snapshot, memory, fields in missed:
            if cancelled():
                return
            found = _alike(query, snapshot, memory, fields)
            if found is not None:
                alike.append(found)
        yield from _in_order(alike)


def _in_order(found: list[_Found]) -> Iterator[Hit]:
    return (item.hit for item in sorted(found, key=lambda item: item.rank))


def _fields(snapshot: Snapshot, memory: Memory) -> list[_Field]:
    text = LAYOUTS[snapshot.store.layout].text(snapshot, memory.id)
    body = "" if text is None else text.body.decode("utf-8", "surrogateescape")
    named = [
        (_NAME, memory.title),
        (_NAME, _stem(memory)),
        (_DESCRIPTION, memory.description),
        (_DESCRIPTION, memory.hook or ""),
        (_BODY, body),
    ]
    return [_Field(tier, text, fold(text)) for tier, text in named if text]


def _stem(memory: Memory) -> str:
    """The name of a memory's file or entry, as a person says it."""
    return memory.file.removesuffix(".md") if memory.id == memory.file else memory.file


# Exact


def _exact(query: Query, snapshot: Snapshot, memory: Memory, fields: list[_Field]) -> _Found | None:
    tiers = [_tier(word, fields) for word in query.words]
    if None in tiers:
        return None
    tier = max((item for item in tiers if item is not None), default=0)
    inside = max((_depth(word, fields) for word in query.words), default=0)
    other_accents = any(not any(word.is_exact_in(field.text) for field in fields) for word in query.words)
    rank = (float(tier), float(inside), float(other_accents), *_recent_first(snapshot, memory))
    return _Found(rank, _hit(query, snapshot, memory, fields))


def _tier(word: Word, fields: list[_Field]) -> int | None:
    return next((field.tier for field in fields if word.find(field.folded) is not None), None)


def _depth(word: Word, fields: list[_Field]) -> int:
    """How a name holds a word: 0 = it is the word, 1 = one of its words begins so, 2 = inside or not at all."""
    best = 2
    for field in fields:
        if field.tier != _NAME:
            continue
        for first, last in word.places(field.folded):
            if (first, last) == (0, len(field.folded)):
                return 0
            if first == 0 or not field.folded[first - 1].isalnum():
                best = 1
    return best


def _recent_first(snapshot: Snapshot, memory: Memory) -> Rank:
    return (-memory.updated.timestamp(),) if memory.updated is not None else (0.0,)


# Alike


def _may_be_alike(word: Word) -> bool:
    return len(word.parts) == 1 and len(word.text) > EXACT_UP_TO and max(word.text) < _NO_TYPOS_FROM


def _alike(query: Query, snapshot: Snapshot, memory: Memory, fields: list[_Field]) -> _Found | None:
    """A memory whose names are like the words that it does not hold."""
    total = 0.0
    places: list[Span] = []
    names = [fold_with_places(display.line(field.text)) for field in fields if field.tier == _NAME]
    for word in query.words:
        if _tier(word, fields) is not None:
            continue
        score, place = _best_name(word, names) if _may_be_alike(word) else (0.0, None)
        if score < ALIKE:
            return None
        total += score
        if place is not None:
            places.append(place)
    hit = _hit(query, snapshot, memory, fields)
    if not hit.matches:
        title = display.line(memory.title)
        hit = dataclasses.replace(hit, snippet=title, matches=tuple(sorted(set(places))))
    hit = dataclasses.replace(hit, is_fuzzy=True, title_matches=hit.title_matches or tuple(sorted(set(places))))
    return _Found((-total, *_recent_first(snapshot, memory)), hit)


def _best_name(word: Word, names: list[Folded]) -> tuple[float, Span | None]:
    """How like a name is, and where in the title (the first name), None when it is in the file's name."""
    from rapidfuzz import fuzz

    best, place = 0.0, None
    for position, name in enumerate(names):
        if len(name.text) < len(word.text) - 1:
            continue
        found = fuzz.partial_ratio_alignment(word.text, name.text, score_cutoff=ALIKE)
        if found is None or found.score <= best or found.dest_end <= found.dest_start:
            continue
        best = found.score
        span = name.starts[found.dest_start], name.ends[found.dest_end - 1]
        place = span if position == 0 else None
    return best, place


# Hits


def _hit(query: Query, snapshot: Snapshot, memory: Memory, fields: list[_Field]) -> Hit:
    shown, field = _shown(query, fields)
    line, offset = (None, 0)
    if field is not None and field.tier == _BODY:
        line, offset = _place_in_file(query, snapshot, memory, field)
    store = snapshot.store
    return Hit(
        kind="memory",
        id=memory.id,
        agent=store.owner,
        title=memory.title,
        file=store.root / memory.file,
        snippet=shown.text,
        matches=shown.matches,
        updated=memory.updated,
        store=store.id,
        line=line,
        offset=offset,
        part="text",
        title_matches=spans(query, display.line(memory.title)),
    )


def _shown(query: Query, fields: list[_Field]) -> tuple[Snippet, _Field | None]:
    """The text to show: the one with most words in it, a body or description before a name.

    Without words it is the description, else what there is.
    """
    best: tuple[int, int] | None = None
    chosen: _Field | None = None
    if not query.words:
        chosen = next((field for field in fields if field.tier != _NAME), None)
    for field in fields:
        held = sum(word.find(field.folded) is not None for word in query.words)
        rank = (held, 0 if field.tier == _NAME else 1)
        if held and (best is None or rank > best):
            best, chosen = rank, field
    if chosen is None:
        return Snippet("", ()), None
    return snippet(query, chosen.text), chosen


def _place_in_file(query: Query, snapshot: Snapshot, memory: Memory, body: _Field) -> tuple[int | None, int]:
    """The line (from 1) and byte of the file where the shown part of a body begins."""
    file = snapshot.files.get(memory.file)
    text = LAYOUTS[snapshot.store.layout].text(snapshot, memory.id)
    if file is None or file.data is None or text is None:
        return None, 0
    begins = memory.span[0] if memory.span is not None else 0
    before = body.text[: best_place(query, body.text)].encode("utf-8", "surrogateescape")
    offset = begins + len(text.text) - len(text.body) + len(before)
    return file.data.count(b"\n", 0, offset) + 1, offset
