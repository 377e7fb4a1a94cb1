"""Keys, tokens and passwords in a text: where they stand, and the same text with them masked.

Rules of our own as data (`secret_patterns`). Entropy counts only together with a name beside the value, so that
hashes, ids and checksums are left alone. Masked, a secret is as long as it was: whatever counts characters
(matches, selections, lines) stays right, and masking twice changes nothing.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from itertools import zip_longest

from memtui.core.safety.secret_patterns import (
    BEGINS_A_VARIABLE,
    BEGINS_NO_PASSWORD,
    KEY_LINES,
    PRIVATE_KEY,
    RULES,
    SAYS_WHERE,
    STANDS_FOR_ONE,
    UUID,
    WORDS,
    Rule,
)
from memtui.late import re
from memtui.late.dataclasses import dataclass

MASK = "•"
"""What stands for each character of a masked secret."""

REDACTED = "[redacted]"
"""What stands in a file in the place of a secret that was taken out."""

_REMEMBERED_CHARACTERS = 4096
_LEAST_ENTROPY_BITS = 3.0


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret in a text: its characters `start` to `end`, and the rule that found it."""

    start: int
    end: int
    rule: Rule


def find(text: str) -> tuple[Secret, ...]:
    """The secrets of a text, in order, none of them within another."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARACTERS else _find(text)


def masks(text: str) -> dict[str, str]:
    """Each secret of a text with what stands for it where it is masked, in the order of the text."""
    return {
        value: _mask(secret.rule, value)
        for secret in find(text)
        for value in (text[secret.start : secret.end],)
    }


def values(text: str) -> tuple[str, ...]:
    """The secrets themselves, each once, in the order of the text."""
    return tuple(dict.fromkeys(text[secret.start : secret.end] for secret in find(text)))


def short(rule: Rule, value: str) -> str:
    """A secret for a sentence: what may be seen of it, and that there is more."""
    return value[: _head(rule, value)] + MASK * 3


def masked(text: str) -> str:
    """The text with its secrets masked, except those that are to be seen now; as it is when it holds none."""
    found = find(text)
    if not found:
        return text
    seen = _seen.get()
    if seen is _ALL:
        return text
    pieces, position = [], 0
    for secret in found:
        value = text[secret.start : secret.end]
        pieces += [text[position : secret.start], value if value in seen else _mask(secret.rule, value)]
        position = secret.end
    return "".join([*pieces, text[position:]])


def masked_lines(lines: Sequence[str]) -> list[str]:
    """Lines that belong together, masked: of a secret that goes over several each has a part."""
    whole = "\n".join(lines)
    shown, position, found = masked(whole), 0, []
    for line in lines:
        found.append(shown[position : position + len(line)])
        position += len(line) + 1
    return found


def masked_head(text: str, count: int) -> str:
    """The first characters of a text, masked before it is cut: half a secret would not be known as one."""
    return masked(text[: count + _REMEMBERED_CHARACTERS])[:count] if len(text) > count else masked(text)


@contextlib.contextmanager
def seen(secrets: Collection[str] | None = None) -> Iterator[None]:
    """Within this block (of this thread) `masked` leaves these secrets readable, or all of them."""
    token = _seen.set(_ALL if secrets is None else frozenset(secrets))
    try:
        yield
    finally:
        _seen.reset(token)


def seen_now() -> frozenset[str]:
    """The secrets that `masked` leaves readable here; whatever keeps masked texts has to ask."""
    return _seen.get()


def masked_values(value: object, exact: Collection[str] = ()) -> object:
    """A document (tables, lists, texts, numbers) with its texts masked, but for those of the keys `exact`."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {
            key: item if key in exact and isinstance(item, str) else masked_values(item, exact)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return masked_lines(value)
    if isinstance(value, list | tuple):
        return [masked_values(item, exact) for item in value]
    return value


_ALL: frozenset[str] = frozenset({""})
_seen: ContextVar[frozenset[str]] = ContextVar("seen", default=frozenset())
_ALONE = re.compile(r"[ \t\r]*(?:\Z|\n[ \t\r]*(?:\n|\Z))")
_SHORT_KEY = re.compile(r"[A-Za-z0-9+/=\s]{12,}")
_KEY_RUN = re.compile(r"[A-Za-z0-9+/]{32}")
_KEY_LINE = re.compile(rf"^([+-]?)(?!{re.escape(REDACTED)})(.*)$", re.MULTILINE)
_NOT_LINE_ENDS = re.compile(r"[^\r\n]")


def _mask(rule: Rule, value: str) -> str:
    if rule is PRIVATE_KEY:
        # of a diff, the signs stay
        return _KEY_LINE.sub(lambda line: line[1] + _NOT_LINE_ENDS.sub(MASK, line[2]), value)
    shown = _head(rule, value)
    return value[:shown] + _NOT_LINE_ENDS.sub(MASK, value[shown:])


def _head(rule: Rule, value: str) -> int:
    """How many characters of a value stay readable: those that every such value begins with, else very few."""
    return rule.shown or min(4, len(value) // 8)


def _find(text: str) -> tuple[Secret, ...]:
    found: list[Secret] = []
    if PRIVATE_KEY.hints[0] in text:
        found += _private_keys(text)
    for sign, begins, hints in _EXACT_HINTS:
        if not sign or _is_begun(text, sign, begins):
            for hint, rule in hints:
                if hint in text:
                    found += _matches(rule, text, text, hint)
    lowered = text.lower()
    if len(lowered) != len(text):
        # a few capitals become two characters
        lowered = text.translate(_LOWER)
    for hint, rule in _LATIN_HINTS:
        if hint in lowered:
            found += _matches(rule, text, lowered, hint)
    if not text.isascii():
        for hint, rule in _OTHER_HINTS:
            if hint in text:
                found += _matches(rule, text, text, hint)
    return _apart(found) if len(found) > 1 else tuple(found)


def _is_begun(text: str, sign: str, begins: tuple[str, ...]) -> bool:
    """Whether some sign of a text may end the beginning of a secret: of few signs each is looked at."""
    at = text.find(sign)
    if at < 0 or text.count(sign) > _FEW_SIGNS:
        return at >= 0
    while at >= 0:
        if text.endswith(begins, 0, at + 1):
            return True
        at = text.find(sign, at + 1)
    return False


def _matches(rule: Rule, text: str, searched: str, hint: str) -> Iterator[Secret]:
    pattern, at = _compiled(rule.pattern), searched.find(hint)
    while at >= 0:
        following = at + 1
        match = pattern.match(text, at)
        if match is None and rule.shown and len(text) - at <= _MOST_CUT:
            # a text that was cut within a token, as titles are
            cut = _compiled(_CUT).match(text, at)
            if cut is not None and _is_random(cut[0][rule.shown :]) and not _stands_for_one(cut[0]):
                yield Secret(at, cut.end(), rule)
        elif match is not None:
            start, end = match.span("value")
            end = _end_of(rule, text, start, end)
            if _is_one(rule, text[start:end]):
                yield Secret(start, end, rule)
                following = end
        at = searched.find(hint, following)


def _pairs(*, folds: bool) -> list[tuple[str, Rule]]:
    return [(hint, rule) for rule in RULES if rule.folds == folds for hint in rule.hints]


_CUT = r"(?<![A-Za-z0-9])[A-Za-z0-9_-]{14,}+(?=…?\Z)"
_MOST_CUT = 300

_SIGNS = ("_", "-", "")
_FEW_SIGNS = 8


def _by_sign(sign: str) -> tuple[str, tuple[str, ...], tuple[tuple[str, Rule], ...]]:
    pairs = [pair for pair in _pairs(folds=False) if sign == next(s for s in _SIGNS if s in pair[0])]
    begins = {hint[: hint.find(sign) + 1] for hint, _rule in pairs}
    return sign, tuple(sorted(begins)), tuple(pairs)


_EXACT_HINTS = tuple(map(_by_sign, _SIGNS))
"""Hints by a sign that is in all of them, with what they are up to it: most texts are but asked for that."""

_LATIN_HINTS = tuple(pair for pair in _pairs(folds=True) if pair[0].isascii())
_OTHER_HINTS = tuple(pair for pair in _pairs(folds=True) if not pair[0].isascii())
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_remembered = lru_cache(maxsize=8192)(_find)


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """Secrets that meet are one, of the rule that begins first; of those that begin together, the surer."""
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda item: (item.start, _RANK[item.rule.id])):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            kept[-1] = Secret(kept[-1].start, secret.end, kept[-1].rule)
    return tuple(kept)


def _private_keys(text: str) -> Iterator[Secret]:
    edges = list(_compiled(PRIVATE_KEY.pattern).finditer(text))
    for edge, following in zip_longest(edges, edges[1:]):
        if edge["edge"] != "BEGIN":
            continue
        start = edge.end()
        if following is not None and following["edge"] == "END":
            end = following.start()
        else:
            lines = _compiled(KEY_LINES).match(text, start)
            end = start if lines is None else lines.end()
        body = text[start:end].strip()
        if _KEY_RUN.search(body) or (_SHORT_KEY.fullmatch(body) and not _stands_for_one(body)):
            start += len(text[start:end]) - len(text[start:end].lstrip())
            yield Secret(start, start + len(body), PRIVATE_KEY)
        elif not body and following is None and _stands_alone(text, edge):
            # somebody cut the key off, or put it elsewhere
            yield Secret(edge.start(), edge.end(), PRIVATE_KEY)


def _stands_alone(text: str, edge: re.Match[str]) -> bool:
    """Whether an edge is a paragraph's last line, in a text that is more than that line."""
    at = edge.start()
    before = text[text.rfind("\n", max(0, at - 80), at) + 1 : at] if at else ""
    return not before.strip() and _ALONE.match(text, edge.end()) is not None and text.strip() != edge[0]


_compiled = lru_cache(maxsize=64)(re.compile)

_RANK = {rule.id: rank for rank, rule in enumerate((PRIVATE_KEY, *RULES))}

_ENDS_A_SENTENCE = ".:："


def _end_of(rule: Rule, text: str, start: int, end: int) -> int:
    """Where a value ends without the sign that ends its sentence."""
    is_cut_by_hand = text.endswith("...", start, end)
    if is_cut_by_hand or (rule.proof == "shape" and rule.id != "bearer"):
        return end
    while end > start + 1 and text[end - 1] in _ENDS_A_SENTENCE:
        end -= 1
    return end


def _is_one(rule: Rule, value: str) -> bool:
    if _stands_for_one(value):
        return False
    if rule.id == "address":
        return value.lower() not in ("password", "passwd", "pass", "pwd", "secret", "pw")
    if rule.proof == "shape":
        return True
    if _says_where(value):
        return False
    return _is_password(value) if rule.proof == "password" else _is_random(value)


def _stands_for_one(value: str) -> bool:
    lowered = value.lower()
    return (
        MASK in value or value.startswith(BEGINS_A_VARIABLE) or any(text in lowered for text in STANDS_FOR_ONE)
    )


def _says_where(value: str) -> bool:
    lowered = value.lower()
    if lowered.startswith(BEGINS_NO_PASSWORD) or any(text in lowered for text in SAYS_WHERE):
        return True
    return _compiled(WORDS).fullmatch(value) is not None


def _is_password(value: str) -> bool:
    if len(value) < 6 or not value.isascii():
        return False
    digits = any(map(str.isdigit, value)) or any(sign in value for sign in "!@#$%^&*+?")
    return digits and any(map(str.isalpha, value))


def _is_random(value: str) -> bool:
    """Whether letters and digits are mixed as only a lot mixes them: no word, no path, no version, no UUID."""
    if _compiled(UUID).fullmatch(value):
        return False
    changes = len(_MIXED.findall(value))
    if sum(map(str.isdigit, value)) < 2 or changes < max(2, len(value) // 12):
        return False
    counts = Counter(value)
    entropy = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    return entropy >= _LEAST_ENTROPY_BITS


_MIXED = re.compile(r"[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])")
