"""What the queue of a triage shows, as frozen data made by the work thread: rows, reasons, words. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.core.triage import PASSED_OVER, Suspect
from memtui.i18n import _, ngettext
from memtui.late import dataclasses
from memtui.ui import wording
from memtui.ui.screens.review_screen import Entry
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Cell, Row
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.layouts.base import Problem
    from memtui.ui.view import View

MOST_KINDS = 4
"""Kinds of problems that a reason spells out."""

RUN_ROW = "run"
"""The row at the end of the queue, which stands for the run itself."""

KINDS = ("kept", "deleted", "changed", "moved")
"""What a decision can be, in the order in which they are counted."""


def entries_of(view: View, suspects: Sequence[Suspect], now: datetime) -> tuple[Entry, ...]:
    """The queue as rows; what the view does not show is left out."""
    names = {store.snapshot.store.id: store.name for store in view.stores}
    found = []
    for suspect in suspects:
        store_id = suspect.snapshot.store.id
        row_id = row_id_of(store_id, suspect.memory.id)
        item = view.items.get(row_id)
        if item is not None:
            row = dataclasses.replace(item.row, markable=False)
            store = names[store_id] if len(view.stores) > 1 else ""
            found.append(Entry(row, tuple(reason_of(suspect, view, now, store)), row_id))
    return tuple(found)


def reason_of(suspect: Suspect, view: View, now: datetime, store: str = "") -> list[list[Span]]:
    """Why it is in the queue: what was found in it by kind, its age, and when it was kept last; the `store` it
    lies in where that is to be said."""
    lines = problem_lines(suspect.problems, view)
    lines.append([(" · ".join(filter(None, (store, _when(suspect, now)))), "muted")])
    return lines


def problem_lines(problems: Sequence[Problem], view: View) -> list[list[Span]]:
    """The problems of one memory, worst first: one sentence a kind, and how many more of it."""
    kinds: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.code not in PASSED_OVER:
            kinds.setdefault(problem.code, []).append(problem)
    lines: list[list[Span]] = []
    for some in list(kinds.values())[:MOST_KINDS]:
        mark, ink = wording.MARKS[some[0].severity]
        line: list[Span] = [(f"{mark} ", ink), (wording.sentence(some[0].message, view.home), ink)]
        more = len({problem.message for problem in some}) - 1
        if more:
            said = ngettext(" (and {count} more such)", " (and {count} more such)", more)
            line.append((said.format(count=f"{more:,}"), "muted"))
        lines.append(line)
    rest = len(kinds) - MOST_KINDS
    if rest > 0:
        said = ngettext("… and {count} more kind of problem", "… and {count} more kinds of problems", rest)
        lines.append([(said.format(count=rest), "muted")])
    return lines


def _when(suspect: Suspect, now: datetime) -> str:
    age = wording.age(suspect.memory.updated, now)
    changed = _("changed {age} ago").format(age=age) if age and age != _("now") else ""
    if suspect.kept is None:
        return " · ".join(filter(None, (changed, _("never checked"))))
    day = suspect.kept.astimezone().strftime("%Y-%m-%d")
    words = {
        "changed": _("it has changed since you kept it on {day}"),
        "found": _("more was found in it since you kept it on {day}"),
    }
    return words.get(suspect.why, _("you kept it on {day}")).format(day=day)


def count_words(counts: Mapping[str, int]) -> list[str]:
    """How many were decided, by kind (`9 kept`); what did not occur is left out."""
    words = {
        "kept": _("{count} kept"),
        "deleted": _("{count} deleted"),
        "changed": _("{count} changed"),
        "moved": _("{count} moved"),
    }
    return [words[kind].format(count=f"{counts[kind]:,}") for kind in KINDS if counts.get(kind)]


def kind_word(kind: str) -> str:
    """What became of a row, in a word."""
    words = {"kept": _("kept"), "deleted": _("deleted"), "changed": _("changed"), "moved": _("moved")}
    return words.get(kind, _("gone"))


def nothing_left(due: str) -> list[list[Span]]:
    """That nothing calls for a decision, and on which day something will again ('' = that is not known)."""
    lines: list[list[Span]] = [[(_("every memory here was looked at"), "good")]]
    if due:
        lines.append([(_("the next one comes back on {day}").format(day=due), "muted")])
    return lines


def run_entry(counts: Mapping[str, int], left: int, due: str, done: Sequence[tuple[str, str]]) -> Entry:
    """The row of the run, and what was decided in it so far. `done` are kinds and titles, newest last."""
    said = " · ".join(count_words(counts)) or _("nothing decided yet")
    lines: list[list[Span]] = [[(_("This run: {what}").format(what=said), "title")]]
    if left:
        text = ngettext("{count} memory is left", "{count} memories are left", left)
        lines.append([(text.format(count=f"{left:,}"), "muted")])
    else:
        lines += nothing_left(due)
    way = _("u takes all of this run back; Enter ends it") if counts else _("Enter ends it")
    lines += [[(way, "muted")], []]
    lines += [[(kind_word(kind).ljust(9), "kind"), (title, "")] for kind, title in reversed(done)]
    return Entry(Row(RUN_ROW, (Cell("=", "muted", width=2), Cell(_("the end of this run")))), (), "", lines)


def decided_row(row: Row, word: str) -> Row:
    """The row of what is decided, or of what is gone."""
    cells = (dataclasses.replace(row.cells[0], text="=", ink="muted"), *row.cells[1:])
    return dataclasses.replace(row, cells=cells, tail=word, tail_ink="muted", tails=(), dim=True)


def total(counts: Mapping[str, int]) -> int:
    """How many were decided."""
    return Counter(counts).total()
