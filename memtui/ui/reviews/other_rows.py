"""What the review of changes by others shows, made by the work thread: rows, reasons, diffs. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.core.others import difference
from memtui.core.safety import display
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace
from memtui.ui import wording
from memtui.ui.noticing import counted
from memtui.ui.screens.diff_screen import diff_lines
from memtui.ui.screens.review_screen import Entry, Lines
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.core.others import ByOthers, StoreChanges, Writer

SIGNS = {"removed": ("-", "warn"), "changed": ("~", "note"), "new": ("+", "good")}
"""What stands before a row, by what happened to it."""

STORE_CELLS, STORE_FROM = 12, 44


@dataclass(frozen=True, slots=True)
class Lost:
    """One row of the review: its store, what others did, and its diff, safe for display."""

    store: StoreChanges
    change: ByOthers
    diff: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What others changed in all stores, by row, with what is said above the rows and where there are none."""

    changes: tuple[StoreChanges, ...]
    rows: Mapping[str, Lost]
    entries: tuple[Entry, ...]
    heading: tuple[str, ...]
    nothing: Lines


def found_of(changes: tuple[StoreChanges, ...], names: Mapping[str, str], now: datetime, home: Path) -> Found:
    """The changes of some stores (by id with what each is called) as they are shown."""
    rows: dict[str, Lost] = {}
    entries = []
    told = [item for item in changes if item.rows]
    for item in told:
        for change in item.rows:
            row_id = f"{change.row.how} {row_id_of(item.store.id, change.row.id)}"
            rows[row_id] = lost = Lost(item, change, tuple(display.lines(difference(item, change.row))))
            name = names.get(item.store.id, "") if len(told) > 1 else ""
            entries.append(_entry(row_id, lost, name, now, home))
    heading = tuple(_named(counted(item), names, item, len(told)) for item in told)
    return Found(changes, rows, tuple(entries), heading, _nothing(changes, now))


def with_writer(entry: Entry, lost: Lost, writer: Writer, now: datetime) -> Entry:
    """The row once it is known which session did it."""
    how = lost.change.row.how
    title, tool = display.line(writer.session.title), display.line(writer.tool)
    said = _("{time} by the session “{title}”, its call of {tool}")
    line = said.format(title=title, tool=tool, time=_time(writer.when, now))
    return replace(entry, reason=([(_word(how), SIGNS[how][1]), (f" {line}", "")], *entry.reason[1:]))


def _entry(row_id: str, lost: Lost, store: str, now: datetime, home: Path) -> Entry:
    row, change = lost.change.row, lost.change
    sign, ink = SIGNS[row.how]
    at = change.updated or change.until
    cells = [
        Cell(sign, ink, width=2),
        Cell(wording.age(at, now), "muted", width=5),
        Cell(display.line(row.title)),
    ]
    if store:
        cells.append(Cell(f" {store}", "muted", width=STORE_CELLS, from_width=STORE_FROM))
    shown = Row(row_id, tuple(cells), tail=_word(row.how), tail_ink=ink, markable=row.how != "new")
    reason = [[(_word(row.how), ink), (f" {_by_another(change, now)}", "")]]
    if change.came_back:
        reason.append([("! ", "warn"), (wording.sentence(change.came_back, home), "warn")])
    for change_id, summary in change.undid:
        said = _("it undid your change {id} ({summary})").format(id=change_id, summary=display.line(summary))
        reason.append([("! ", "warn"), (said, "warn")])
    if row.how == "new":
        reason.append([(_("it was not there before: d deletes it"), "muted")])
    memory = row_id_of(lost.store.store.id, row.now.id) if row.now is not None and row.how != "removed" else ""
    return Entry(shown, tuple(reason), memory, _diff(lost.diff))


def _by_another(change: ByOthers, now: datetime) -> str:
    if change.updated is not None:
        return _("{time} by another program").format(time=_time(change.updated, now))
    after, until = _time(change.after, now), _time(change.until, now)
    if after == until:
        return _("by another program at about {time}").format(time=until)
    return _("by another program between {after} and {until}").format(after=after, until=until)


def _word(how: str) -> str:
    return {"removed": _("removed"), "changed": _("changed"), "new": _("new")}[how]


def _time(when: datetime, now: datetime) -> str:
    local = when.astimezone()
    return f"{local:%H:%M}" if local.date() == now.astimezone().date() else f"{local:%Y-%m-%d %H:%M}"


def _diff(lines: Sequence[str]) -> Lines:
    return [[(line.text, line.ink)] for line in diff_lines(lines)]


def _named(said: str, names: Mapping[str, str], item: StoreChanges, count: int) -> str:
    return said if count == 1 else f"{names.get(item.store.id, '')}: {said}"


def _nothing(changes: Sequence[StoreChanges], now: datetime) -> Lines:
    looks = [item.since for item in changes if item.since is not None]
    if not looks:
        return [[(_("memtui has not looked at these memories before"), "muted")]]
    said = _("other programs changed nothing since {time}")
    return [[(said.format(time=_time(min(looks), now)), "good")]]
