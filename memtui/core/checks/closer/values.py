"""Two memories of a store that give one thing different values: ports, versions and dates.

Only plain statements are read (`the API runs on port 8080`, `Node version is 18`, `接口端口是 8080`), and only
under the same circumstances (in tests, locally, in production). That they differ is provable; which one is
right is not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memtui.core.checks.closer.base import Cancelled, Family, Subject, Surroundings
from memtui.core.checks.closer.prose import Sentence, sentences
from memtui.core.checks.closer.words import CIRCUMSTANCES, FILLERS, GONE, NOT_YET
from memtui.core.layouts.base import Problem
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

CODE = "conflicting-values"

_NAME = r"(?P<name>[A-Za-z][\w.+-]*(?: [A-Za-z][\w.+-]*){0,3}?)"
_ZH = r"(?P<name>[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff.+-]{0,15}?(?: ?[\u4e00-\u9fff]{1,6}?)?)"
_IS = r"(?: is| are|:| =|=| uses?| moved to| stays at)+ *"
_PORT = r"(?P<value>\d{2,5})(?!\d|\.\d|-\d)"
_VERSION = r"v?(?P<value>\d{1,4}(?:\.\d+){0,3}(?:\.x)?)(?![\w%-]|\.\d)"
_DAY = r"(?P<value>20\d\d-\d\d-\d\d)"
_ZH_IS = r" ?(?:是|为|：|:|=|用|改为|改成|在)+ ?"

_FORMS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (kind, hint, re.compile(pattern, re.IGNORECASE | (re.ASCII if hint.isascii() else 0)))
    for kind, hint, pattern in (
        (
            "port",
            "port",
            rf"\b{_NAME}(?: (?:runs|listens|is|serves|answers|lives))? (?:on|at|uses) port {_PORT}",
        ),
        ("port", "port", rf"\b{_NAME}(?:'s)? port{_IS}{_PORT}"),
        ("port", "port", rf"\bport (?:of|for) {_NAME}{_IS}{_PORT}"),
        ("port", "端口", rf"{_ZH}(?:的)? ?端口(?:号)?{_ZH_IS}{_PORT}"),
        ("port", "端口", rf"{_ZH}(?:运行|监听|跑)在 ?{_PORT} ?端口"),
        ("version", "version", rf"\b{_NAME}(?:'s)? version{_IS}{_VERSION}"),
        ("version", "version", rf"\bversion of {_NAME}{_IS}{_VERSION}"),
        ("version", "", rf"\b(?:uses?|on|needs|requires|pinned to|built with) {_NAME} {_VERSION}"),
        ("version", "版本", rf"{_ZH}(?:的)? ?版本(?:号)?{_ZH_IS}{_VERSION}"),
        (
            "date",
            "20",
            rf"\b{_NAME} (?:is due|ends|starts|ships|launches|goes live|is planned)(?: on| for)? {_DAY}",
        ),
        ("date", "20", rf"\b{_NAME} (?:date|deadline){_IS}{_DAY}"),
        ("date", "20", rf"{_ZH}(?:的)? ?(?:截止|发布|上线|冻结)(?:日期|时间|日)?{_ZH_IS}{_DAY}"),
    )
)
"""What it is about, a part of every such statement, and its form."""

_DIGIT = re.compile(r"\d")
_ZH_FILLERS = re.compile(r"^(?:我们|项目|本项目|目前|现在|当前|这个|请|注意)+(?:的|用)?|的$")


@dataclass(frozen=True, slots=True)
class Statement:
    """That something has a value: `about` is what it is about, under which circumstances."""

    about: tuple[str, str, frozenset[str]]
    value: str
    at: int


def statements(subject: Subject) -> Iterator[Statement]:
    """The values that a memory gives, in plain statements only."""
    for sentence in sentences(subject):
        if not _DIGIT.search(sentence.text):
            continue
        text = sentence.text.replace("`", " ").replace("*", " ")
        lowered = text.lower()
        for kind, hint, pattern in _FORMS:
            for found in pattern.finditer(text) if hint in lowered else ():
                if GONE.search(text) or NOT_YET.search(text):
                    break
                name = _plain(found["name"])
                if name:
                    value = unicodedata.normalize("NFKC", found["value"])
                    about = kind, name, _circumstances(sentence)
                    yield Statement(about, value, sentence.start + found.start())


# one changed memory is one read again
@lru_cache(maxsize=8192)
def _statements(subject: Subject) -> tuple[Statement, ...]:
    return tuple(statements(subject))


def _plain(name: str) -> str:
    """A name in the form in which two are compared; '' where nothing but fillers is left."""
    words = [word for word in _ZH_FILLERS.sub("", name.lower()).split() if word not in FILLERS]
    return " ".join(words).removesuffix(" server").removesuffix(" service")


def _circumstances(sentence: Sentence) -> frozenset[str]:
    return frozenset(found.lower() for found in CIRCUMSTANCES.findall(f"{sentence.above}\n{sentence.text}"))


def conflicting_values(
    subjects: Sequence[Subject], around: Surroundings, cancelled: Cancelled
) -> Iterator[tuple[Subject, Problem]]:
    """Values of one thing that differ between two memories of a store, told once in each of the two."""
    known: dict[tuple[str, tuple[str, str, frozenset[str]]], list[tuple[Subject, Statement]]] = {}
    for subject in subjects:
        if cancelled():
            return
        if subject.is_index or not _DIGIT.search(subject.text):
            continue
        for statement in _statements(subject):
            known.setdefault((subject.store, statement.about), []).append((subject, statement))
    for (_store, about), found in known.items():
        values: dict[str, set[str]] = {}
        for subject, statement in found:
            values.setdefault(subject.memory, set()).add(statement.value)
        # one that gives several values itself knows why
        single = {memory: next(iter(given)) for memory, given in values.items() if len(given) == 1}
        firsts: dict[str, Subject] = {}
        for subject, statement in found:
            if subject.memory in single:
                firsts.setdefault(statement.value, subject)
        told: set[str] = set()
        for subject, statement in found:
            other = next((first for value, first in firsts.items() if value != statement.value), None)
            if other is None or subject.memory not in single or subject.memory in told:
                continue
            told.add(subject.memory)
            message = _("says {value} for the {kind} of {name}, and {other} says {value2}").format(
                value=statement.value,
                kind=_KINDS[about[0]],
                name=about[1],
                other=other.title if len(other.title) < 60 else other.file,
                value2=single[other.memory],
            )
            yield subject, subject.problem(CODE, "warning", message, statement.at)


_KINDS = {"port": _("port"), "version": _("version"), "date": _("date")}

FAMILY = Family("conflicting-values", (CODE,), across=conflicting_values)
"""This family."""
