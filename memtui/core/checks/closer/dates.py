"""Dates in a memory: words that were right on one day only, and days that it calls the last and that are past.

Both read prose only: what stands in code is none. A word like `yesterday` in a rule for every day is no date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from memtui.core.checks.closer.base import Family, Subject, Surroundings
from memtui.core.checks.closer.prose import MOST_CHARACTERS, Sentence, sentences
from memtui.core.checks.closer.words import DONE, EVERY_TIME, LAST_DAY, NOWADAYS, RELATIVE, SAID
from memtui.core.layouts.base import Problem, Severity
from memtui.i18n import _, ngettext
from memtui.late import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}"
_FORMS = (
    r"(?<!\d)(?P<y1>20\d\d)[-/.](?P<m1>\d\d?)[-/.](?P<d1>\d\d?)(?!\d)",
    rf"\b(?P<m2>{_MONTH})\.? (?P<d2>\d\d?)(?:st|nd|rd|th)?,? (?P<y2>20\d\d)\b",
    rf"\b(?P<d3>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<m3>{_MONTH})\.?,? (?P<y3>20\d\d)\b",
    r"(?P<y4>20\d\d) ?年 ?(?P<m4>\d\d?) ?月 ?(?P<d4>\d\d?) ?[日号]",
)
_DATE = re.compile("|".join(f"(?:{form})" for form in _FORMS), re.IGNORECASE)
_SOME_DATE = re.compile(rf"20\d\d|\b{_MONTH}\.? \d|\d{{1,2}} ?月 ?\d{{1,2}}", re.IGNORECASE)

_NO_DATE_BEHIND = re.compile(r"['’]s\b|的日期")
_NAME_BEHIND = re.compile(r"[-_/]|\.\w")
_BETWEEN = re.compile(r"(?:[ :：*_(]|\b(?:is|are|on|by|of|the|end)\b|[是为在于到至])*")
"""What may stand between the word for a last day and the day."""

_BEHIND = re.compile(r"[ *_]*(?:\([^)]{0,12}\))?(?:之前|以前|前|截止|到期|为止)")
_NEAR = 60
"""So many characters before a day are looked at."""


def relative_dates(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """The first word of a memory that means another day by now, or will."""
    if subject.is_index or not RELATIVE.search(subject.text[:MOST_CHARACTERS]):
        return
    written = None if subject.updated is None else subject.updated.date()
    for sentence in sentences(subject):
        text = sentence.outside
        found = RELATIVE.search(text)
        if found is None or _SOME_DATE.search(text) or EVERY_TIME.search(text) or SAID.search(text):
            continue
        is_name = text[: found.start()].endswith(("/", "-", "_", ".")) or _NAME_BEHIND.match(text, found.end())
        if is_name or _NO_DATE_BEHIND.match(text, found.end()) or _is_quoted(text, found.start()):
            continue
        at = sentence.start + found.start()
        if written is not None and _means_the_same(found[0].lower(), written, around.today()):
            continue
        if written is None:
            message = _("“{word}” without a date: nobody can tell which day that was")
            yield subject.problem("relative-date", "note", message.format(word=found[0]), at)
        elif written >= around.today():
            message = _("“{word}” is right today only: a date stays right")
            yield subject.problem("relative-date", "note", message.format(word=found[0]), at)
        else:
            message = _("“{word}” is another day by now: this was last changed on {day}")
            severity: Severity = "note" if found[0].lower() in NOWADAYS else "warning"
            yield subject.problem("relative-date", severity, message.format(word=found[0], day=written), at)
        return


def _means_the_same(word: str, written: date, today: date) -> bool:
    """Whether a word for a longer time means today what it meant then; never on the day itself."""
    if written == today:
        return False
    if "year" in word or word.endswith("年"):
        return written.year == today.year
    if "month" in word or "月" in word:
        return (written.year, written.month) == (today.year, today.month)
    is_week = "week" in word or "周" in word or "星期" in word or "礼拜" in word
    return is_week and written.isocalendar()[:2] == today.isocalendar()[:2]


def _is_quoted(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line.count('"') % 2 == 1 or line.count("“") > line.count("”") or line.count("「") > line.count("」")


def past_deadlines(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """Days that a memory calls the last ones of something, and that are over."""
    if subject.is_index:
        return
    told: set[date] = set()
    for sentence in sentences(subject):
        for at, day in _last_days(sentence):
            if day in told:
                continue
            told.add(day)
            days = (around.today() - day).days
            if days > 0:
                message = ngettext(
                    "speaks of {day} as a day to come; it was {count:,} day ago",
                    "speaks of {day} as a day to come; it was {count:,} days ago",
                    days,
                )
                yield subject.problem("past-deadline", "warning", message.format(day=day, count=days), at)


def _last_days(sentence: Sentence) -> Iterator[tuple[int, date]]:
    if "20" not in sentence.text:
        return
    text = sentence.outside
    if DONE.search(text) or EVERY_TIME.search(text):
        return
    for found in _DATE.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        is_last = any(_BETWEEN.fullmatch(before, word.end()) for word in LAST_DAY.finditer(before))
        day = _day(found) if is_last or _BEHIND.match(text, found.end()) else None
        if day is not None:
            yield sentence.start + found.start(), day


def _day(found: re.Match[str]) -> date | None:
    groups = found.groupdict()
    for number in "1234":
        year, month, day = (groups[f"{part}{number}"] for part in "ymd")
        if year:
            is_name = not month.isdigit()
            as_number = _MONTHS.index(month[:3].lower()) + 1 if is_name else int(month)
            try:
                return date(int(year), as_number, int(day))
            except ValueError:
                return None
    return None


FAMILIES = (
    Family("relative-dates", ("relative-date",), each=relative_dates),
    Family("past-deadlines", ("past-deadline",), each=past_deadlines),
)
"""These families."""
