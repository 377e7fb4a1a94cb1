"""How a text is cut into words, in documents and in queries alike.

A word is a run of letters and digits, folded (`fold`). Where a script does not put blanks between words each
character is one, and a run of them is found as a phrase: so every part of it is found.
"""

from __future__ import annotations

from memtui.core.search.index.schema import LONGEST_WORD_BYTES, analyzer
from memtui.core.text.fold import fold, folds_to_small
from memtui.late import re

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese and Khmer, ideographs and radicals, kana, bopomofo, Yi and Hangul syllables (whose
particles stick to the words), as the inside of a character class."""

_RUN = re.compile(f"([{UNSPACED}]+)")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
WORD = re.compile(r"[^\W_]+")
"""A run of letters and digits."""

_NOT_TEXT = re.compile("[\ud800-\udfff]")


def indexed(text: str) -> str:
    """A text as it is given to the engine, which makes small letters itself."""
    if text.isascii():
        return text
    if not folds_to_small(text):
        text = fold(text)
        if text.isascii():
            return text
        text = _NOT_TEXT.sub(" ", text)
    # runs stand at the odd places
    pieces = _RUN.split(text)
    pieces[1::2] = map(" ".join, pieces[1::2])
    return " ".join(pieces)


def words_of(folded: str) -> list[str]:
    """The words of a folded text, in order; those that are too long to be indexed are not there."""
    return list(analyzer().analyze(indexed(folded)))


def has_unspaced(text: str) -> bool:
    """Whether some of it is of a script without blanks between words."""
    return not text.isascii() and _IS_UNSPACED.search(text) is not None


def has_too_long(folded: str) -> bool:
    """Whether some word of a text is too long to be indexed (the engine looks at UTF-8)."""
    if len(folded) * 4 <= LONGEST_WORD_BYTES:
        return False
    return any(len(word.encode()) > LONGEST_WORD_BYTES for word in WORD.findall(indexed(folded)))
