"""What a person meant by words that a message does not hold as they were typed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memtui.core.search.index.planning import ONE_TYPO_CHARACTERS, TWO_TYPOS_CHARACTERS, Terms, may_be_loose
from memtui.core.search.index.vocabulary import Vocabulary
from memtui.core.search.index.words import WORD
from memtui.core.search.query import Query, Word
from memtui.core.search.record_texts import Said
from memtui.core.text.fold import fold


def meant(query: Query, said: Sequence[Said]) -> Query | None:
    """The query with each word as the message has it: itself where all are there, None where none is like."""
    folded = [fold(item.text) for item in said]
    if all(any(word.find(text) is not None for text in folded) for word in query.words):
        return query
    # of words that are as near the first one is meant
    known = dict.fromkeys(found for text in folded for found in WORD.findall(text))
    words: list[Word] = []
    for word in query.words:
        if any(word.find(text) is not None for text in folded):
            words.append(word)
            continue
        if not may_be_loose(word):
            return None
        for part in WORD.findall(word.text):
            like = part if any(part in text for text in folded) else _closest(part, known)
            if not like:
                return None
            words.append(Word(like, like, (like,)))
    return Query(query.typed, tuple(words))


def _closest(part: str, known: Collection[str]) -> str:
    """The known word that a part was meant to be, or to begin."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    most = (len(part) >= ONE_TYPO_CHARACTERS) + (len(part) >= TWO_TYPOS_CHARACTERS)
    if not most:
        return ""
    near = [word for word in known if len(word) >= len(part) - most]
    found = process.extractOne(part, near, scorer=OSA.distance, score_cutoff=most)
    if found is not None:
        return str(found[0])
    # the beginning of a longer word
    begun = {word[: len(part) + extra]: word for word in near for extra in range(most + 1)}
    found = process.extractOne(part, list(begun), scorer=OSA.distance, score_cutoff=most)
    return "" if found is None else begun[str(found[0])]


def suggest(query: Query, words: Sequence[Terms], vocabulary: Vocabulary) -> str:
    """A query with words that were said in place of those that nobody said; '' where there is none."""
    typed = query.typed
    for item in words:
        for term in item.terms:
            if len(term) < ONE_TYPO_CHARACTERS or not may_be_loose(item.word) or vocabulary.has(term):
                continue
            said = vocabulary.meant(term)
            at = fold(typed).find(term)
            if not said or at < 0 or len(fold(typed)) != len(typed):
                return ""
            typed = typed[:at] + said + typed[at + len(term) :]
    return typed if typed != query.typed else ""
