"""Memories that say what another memory, or an instruction file, says as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from memtui.core.checks.closer.base import Cancelled, Family, Subject, Surroundings
from memtui.core.duplicates import Pair, Text, find_pairs, passages
from memtui.core.layouts.base import Problem
from memtui.core.safety import display
from memtui.i18n import _
from memtui.late import re

_HEADING = re.compile(r"\A\s*#{1,6}[ \t]+[^\n]*(?:\n|\Z)")


# one changed memory is one read again
@lru_cache(maxsize=4096)
def text_of(subject: Subject) -> tuple[int, Text]:
    """A memory as it is compared, its body without the heading that is its title, and the line it begins at."""
    body, at = subject.body, subject.body_at
    heading = _HEADING.match(body)
    if heading is not None and body[heading.end() :].strip():
        body, at = body[heading.end() :], at + heading.end()
    at += len(body) - len(body.lstrip())
    body = body.strip() or subject.title
    return subject.line_of(at), Text(subject.title, body, is_fixed=not subject.changeable)


def texts_of(text: str) -> Iterator[tuple[int, Text]]:
    """The passages of an instruction file as they are compared, each with its first line."""
    for line, passage in passages(text):
        yield line, Text("", passage, is_fixed=True)


def across(
    subjects: Sequence[Subject], around: Surroundings, cancelled: Cancelled
) -> Iterable[tuple[Subject, Problem]]:
    """Every memory that has an equal or nearly equal one, with the one that is most like it."""
    memories = [subject for subject in subjects if not subject.is_index]
    texts = [text_of(subject)[1] for subject in memories]
    places: list[tuple[Path, int]] = []
    for path, text in around.instructions():
        for line, passage in texts_of(text):
            texts.append(passage)
            places.append((path, line))
    told: set[int] = set()
    # the most alike come first
    for pair in find_pairs(texts, cancelled):
        if pair.second < len(memories) and _are_one(memories[pair.first], memories[pair.second], around):
            continue
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            if one in told or one >= len(memories) or texts[one].is_fixed:
                continue
            told.add(one)
            subject = memories[one]
            if other < len(memories):
                name, is_same_store = _name(memories[other], subject), memories[other].store == subject.store
            else:
                path, line = places[other - len(memories)]
                name, is_same_store = f"{display.path(path, home=around.home)}:{line}", False
            yield subject, _problem(subject, pair, name, is_same_store=is_same_store)


def _are_one(one: Subject, other: Subject, around: Surroundings) -> bool:
    """Whether two stores are one directory, and this is one memory of it."""
    if one.store == other.store or (one.memory, one.file) != (other.memory, other.file):
        return False
    return around.real_path(one.root) == around.real_path(other.root)


def _name(other: Subject, subject: Subject) -> str:
    if other.store == subject.store:
        return _("“{title}”").format(title=other.title)
    return _("“{title}” in {store}").format(title=other.title, store=other.store)


def _problem(subject: Subject, pair: Pair, name: str, *, is_same_store: bool) -> Problem:
    if pair.code == "near-duplicate":
        message = _("says nearly the same as {other} ({score} % alike)").format(other=name, score=pair.score)
        return subject.problem(pair.code, "note", message)
    message = _("says the same as {other}").format(other=name)
    # another store may be read by another agent, which needs its own
    return subject.problem(pair.code, "warning" if is_same_store else "note", message)


FAMILY = Family("duplicates", ("duplicate", "near-duplicate"), across=across)
"""The family, for the table."""
