"""Texts as words: what is compared when two memories are, whoever typed them in whatever form.

Case, width, accents, Markdown marks, comments and stamps (a date that only says when a line was written) are
of no matter. Ideographs, kana and Hangul are compared by pairs of characters, because no blank parts them.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from memtui.core.duplicates import vocabulary
from memtui.core.text.fold import fold
from memtui.late import re

MOST_WORDS = 4000
MOST_CHARACTERS = 100_000
"""Words and characters of one text that are looked at; what is behind is the same, byte for byte, or not."""


class Kind(Enum):
    """What a word does for the meaning of a sentence."""

    FILLER = "filler"
    WORD = "word"
    VALUE = "value"
    NEGATION = "negation"
    PAIR = "pair"
    """Two neighbouring characters of a script without blanks."""


class Token(NamedTuple):
    """One word of a text: as it is compared, and where it stands in the text (characters)."""

    norm: str
    kind: Kind
    start: int
    end: int
    sentence: int
    exact: str = ""
    """As it is compared for equality: `norm` may have lost its ending."""


_CJK = "\u3040-\u30ff\uff66-\uff9f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3々ー"
_LATIN = rf"[^\W_{_CJK}]"
_UNITS = "|".join(sorted((re.escape(unit) for unit in vocabulary.UNITS), key=len, reverse=True))
_NUMBER_WORDS = "|".join(f"(?i:{word})" for word in vocabulary.NUMBERS)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FRONTMATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_DAY = r"\d{4}(?:-\d{1,2}-\d{1,2}|/\d{1,2}/\d{1,2}|\.\d{1,2}\.\d{1,2}|年\d{1,2}月\d{1,2}日)"
_DATE = rf"{_DAY}(?:[T ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\.\d+)?Z?)?"
_STAMP_WORDS = (
    "updated|last updated|created|saved|added|noted|learned|recorded|written|date|as of|since|on|"
    "更新|更新于|更新时间|记录|记录于|创建|创建于|日期|时间|截至"
)
_STAMP = re.compile(
    rf"(?m)(?:^[ \t>*+\-#\[(（【]*{_DATE}(?=[\s:：,，)\]）】\-–—|]|$)[)\]）】]*[ \t]*[:：,，\-–—|]?)"
    rf"|(?:[\[(（【][ \t]*(?:(?:{_STAMP_WORDS})[ \t:：]*)?{_DATE}[ \t]*[\])）】])"
    rf"|(?:^[ \t>*+\-_]*(?:{_STAMP_WORDS})[*_]*[ \t]*[:：][*_]*[ \t]*{_DATE}[ \t*_.。]*$)",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    rf"(?P<date>{_DATE})"
    rf"|(?P<url>[A-Za-z][A-Za-z0-9+.]{{0,20}}://[^\s<>\"'`)\]}}，。；、！？]+)"
    rf"|(?P<number>(?<![\w.])(?:[+\-−]?[$€¥£]?\d{{1,15}}(?:[.,:]\d{{1,9}}){{0,4}}|{_NUMBER_WORDS})"
    rf"[ \t]?(?:{_UNITS})(?![A-Za-z0-9_]))"
    rf"|(?P<thousands>(?<![\w.,])\d{{1,3}}(?:,\d{{3}})+(?!\w))"
    rf"|(?P<compound>(?:(?<![\w\-])--?(?=[A-Za-z])|(?<!\w)[~.$@/]{{1,8}}(?=[A-Za-z0-9_]))?"
    rf"(?:{_LATIN}|_)+(?:(?:[./:@\\_=]{{1,8}}|(?<=\w)-(?=\d)|(?<=\d)-(?=\w))(?:{_LATIN}|_)+)*"
    rf"(?:\+\+|\#(?!\w))?(?:['’]{_LATIN}+)?)"
    rf"|(?P<signed>(?<!\w)[\-−]\d+)"
    rf"|(?P<cjk>[{_CJK}]+)"
    rf"|(?P<sign>(?<=\s)(?:->|→|=>|<=|>=|[<>](?=\s))|[!=]=|[≠≤≥→％%])"
    rf"|(?P<stop>[.!?。！？；;…]{{1,8}}(?=\s|$|[{_CJK}])|[。！？；]|\n)"
)
_CJK_DIGIT = f"[{''.join(vocabulary.IDEOGRAPH_NUMBERS)}百千万]"
_WORD_NUMBER = re.compile(rf"(?<!{_CJK_DIGIT}){_CJK_DIGIT}{{1,8}}(?=[{vocabulary.COUNTED}])")
_MARKED = re.compile(r"`[^`\n]+`|\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|「[^」\n]{1,60}」")
_CAMEL = re.compile(r"[a-z][A-Z]|^[A-Z]{2,}|^[A-Z]+\d")
_ALTERNATIVES = vocabulary.alternatives()
_CJK_WORDS = re.compile(
    "|".join(
        sorted(
            {
                *vocabulary.CJK_PLAIN,
                *vocabulary.CJK_NEGATIONS,
                *vocabulary.CJK_DIRECTIONS,
                *vocabulary.CJK_FILLERS,
                *(word for word in vocabulary.ORDERS if not word.isascii()),
                *(word for word in _ALTERNATIVES if not word.isascii()),
            },
            key=len,
            reverse=True,
        )
    )
)
_TITLE_CASE = 0.6


class Words:
    """A text as words; everything is worked out when it is first asked for."""

    __slots__ = ("__dict__", "text")

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """Its words in order, as they are compared."""
        return tuple(_tokens(self.text))

    @cached_property
    def equal_to(self) -> tuple[str, ...]:
        """What two texts share that are duplicates."""
        words = tuple(token.exact for token in self.tokens)
        if not words or (len(words) < MOST_WORDS and len(self.text) <= MOST_CHARACTERS):
            return words
        rest = self.text[self.tokens[-1].end :].encode("utf-8", "surrogateescape")
        return (*words, hashlib.sha256(rest).hexdigest())

    @cached_property
    def content(self) -> tuple[Token, ...]:
        """Its words without those that carry no meaning of their own."""
        return tuple(token for token in self.tokens if token.kind is not Kind.FILLER)

    @cached_property
    def norms(self) -> tuple[str, ...]:
        """The words of its content as they are compared."""
        return tuple(token.norm for token in self.content)

    @cached_property
    def size(self) -> float:
        """How much it says, in words; two pairs of characters count about as one."""
        return sum(0.6 if token.kind is Kind.PAIR else 1.0 for token in self.content)

    @cached_property
    def sentences(self) -> dict[tuple[str, ...], tuple[Token, ...]]:
        """Its sentences and lines, each by what it shares with an equal one."""
        found: dict[int, list[Token]] = {}
        for token in self.tokens:
            found.setdefault(token.sentence, []).append(token)
        return {tuple(token.exact for token in tokens): tuple(tokens) for tokens in found.values()}


def plain(text: str) -> str:
    """The text with its frontmatter, comments and stamps blanked out; every character keeps its place."""
    for pattern in (_FRONTMATTER, _COMMENT, _STAMP):
        text = pattern.sub(_blanked, text)
    return text


def without_dates(text: str) -> str:
    """The text of a title without its dates: there they say when it was written."""
    return re.sub(_DATE, " ", text)


def _blanked(match: re.Match[str]) -> str:
    return "".join(character if character == "\n" else " " for character in match[0])


def _tokens(text: str, *, in_pairs: bool = True) -> Iterator[Token]:
    clean = plain(text[:MOST_CHARACTERS])
    marked = [match.span() for match in _MARKED.finditer(clean)]
    titled = _title_case_lines(clean)
    sentence, count, is_first, line = 0, 0, True, 0
    for match in _TOKEN.finditer(clean):
        if match["stop"] is not None:
            sentence, is_first = sentence + 1, True
            line += match[0] == "\n"
            continue
        while marked and marked[0][1] <= match.start():
            del marked[0]
        if match["cjk"] is not None:
            found = _cjk(match[0], match.start(), sentence, in_pairs=in_pairs)
        else:
            is_marked = bool(marked) and marked[0][0] <= match.start()
            is_name = not is_first and line not in titled
            found = _latin(match, sentence, is_marked=is_marked, may_be_name=is_name)
        for token in found:
            yield token
            count += 1
            if count >= MOST_WORDS:
                return
        is_first = False


def _title_case_lines(text: str) -> set[int]:
    """Lines whose words nearly all begin with a capital: there it says nothing."""
    found = set()
    for number, line in enumerate(text.split("\n")):
        words = re.findall(rf"(?<!\w){_LATIN}{{4,}}", line)
        if len(words) > 1 and sum(word[0].isupper() for word in words) >= _TITLE_CASE * len(words):
            found.add(number)
    return found


def _latin(match: re.Match[str], sentence: int, *, is_marked: bool, may_be_name: bool) -> Iterator[Token]:
    raw = unicodedata.normalize("NFKC", match[0]).replace("’", "'").replace("−", "-")
    norm, start, end = fold(raw), match.start(), match.end()
    if match["number"] is not None:
        yield Token(number := _with_unit(norm), Kind.VALUE, start, end, sentence, number)
        return
    if match["compound"] is None:
        value = norm.replace(",", "") if match["thousands"] is not None else norm
        yield Token(value, Kind.VALUE, start, end, sentence, value)
        return
    norm = norm.removesuffix("'s").rstrip("=:_") or norm
    if norm in vocabulary.NEGATIONS:
        yield Token("not", Kind.NEGATION, start, end, sentence, norm)
    elif norm in vocabulary.NUMBERS:
        number = vocabulary.NUMBERS[norm]
        yield Token(number, Kind.VALUE, start, end, sentence, number)
    elif norm in vocabulary.FILLERS and not (raw == "A" and may_be_name):
        yield Token(norm, Kind.FILLER, start, end, sentence, norm)
    elif re.search(r"[\d./:@\\_=+#$~]|^-", norm):
        value = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", norm)
        yield Token(value, Kind.VALUE, start, end, sentence, value)
    else:
        has_capital = raw[0].isupper() and may_be_name
        is_value = is_marked or has_capital or _CAMEL.search(raw) is not None
        stem = _stem(norm)
        yield Token(stem, Kind.VALUE if is_value else Kind.WORD, start, end, sentence, norm)


def _with_unit(norm: str) -> str:
    match = re.match(r"([+\-]?[$€¥£]?[\d.,:]+|[a-z]+(?=\s))\s*(.*)", norm)
    if match is None:
        return norm
    digits = re.sub(r",(?=\d{3}(?!\d))", "", match[1])
    return vocabulary.NUMBERS.get(digits, digits) + vocabulary.UNITS.get(match[2], match[2])


def _stem(norm: str) -> str:
    """An English word without the endings of plural, past and -ing; nothing else about it is known."""
    if norm in _ALTERNATIVES or not norm.isascii() or len(norm) < 4:
        return norm
    for ending in ("ing", "ed", "es", "s"):
        if norm.endswith(ending) and len(norm) - len(ending) >= 3 and not norm.endswith("ss"):
            stem = norm.removesuffix(ending)
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and ending in ("ing", "ed") else stem
    return norm.removesuffix("e") if len(norm) > 4 else norm


def _cjk(run: str, start: int, sentence: int, *, in_pairs: bool) -> Iterator[Token]:
    position = 0
    for match in _CJK_WORDS.finditer(run):
        yield from _between(run, position, match.start(), start, sentence, in_pairs=in_pairs)
        word = match[0]
        begins, position = start + match.start(), match.end()
        norm = unicodedata.normalize("NFKC", word)
        if word in vocabulary.CJK_NEGATIONS:
            yield Token("not", Kind.NEGATION, begins, start + position, sentence, norm)
        elif word in vocabulary.CJK_FILLERS:
            yield Token(norm, Kind.FILLER, begins, start + position, sentence, norm)
        else:
            yield Token(norm, Kind.WORD, begins, start + position, sentence, norm)
    yield from _between(run, position, len(run), start, sentence, in_pairs=in_pairs)


def _between(run: str, first: int, last: int, start: int, sentence: int, *, in_pairs: bool) -> Iterator[Token]:
    """The characters of a run that are no word of the lists: numbers that count, then pairs."""
    position = first
    for match in _WORD_NUMBER.finditer(run, first, last):
        yield from _pairs(run, position, match.start(), start, sentence, in_pairs=in_pairs)
        number = "".join(vocabulary.IDEOGRAPH_NUMBERS.get(character, character) for character in match[0])
        yield Token(number, Kind.VALUE, start + match.start(), start + match.end(), sentence, match[0])
        position = match.end()
    yield from _pairs(run, position, last, start, sentence, in_pairs=in_pairs)


def _pairs(run: str, first: int, last: int, start: int, sentence: int, *, in_pairs: bool) -> Iterator[Token]:
    width = 2 if in_pairs and last - first > 1 else 1
    for position in range(first, last - width + 1):
        norm = fold(unicodedata.normalize("NFKC", run[position : position + width]))
        yield Token(norm, Kind.PAIR, start + position, start + position + width, sentence, norm)


def single(text: str) -> tuple[Token, ...]:
    """The words of a text with each character of a script without blanks by itself."""
    return tuple(_tokens(text, in_pairs=False))
