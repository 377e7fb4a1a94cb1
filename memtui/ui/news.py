"""What other programs changed while memtui was open: as phrases, as marks on rows, until it was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Badge
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.changes import ChangedFile, Changes
    from memtui.core.layouts.base import Snapshot

APART = 3
"""Files of which the same is said are named one by one up to so many, then counted."""

KEPT = 20
"""Lines that are remembered; the status shows the newest of them."""

SHOWN = 4

Fresh = Literal["new", "changed"]

BADGES: dict[Fresh, Badge] = {
    "new": Badge("+", "good", _("new")),
    "changed": Badge("~", "note", _("changed")),
}


@dataclass(frozen=True, slots=True)
class News:
    """What one look showed to be different: `rows` came or changed, by row id, and so many memories went.

    `time` is '' where the phrases say since when.
    """

    time: str
    phrases: tuple[str, ...]
    rows: Mapping[str, Fresh]
    removed: int

    @property
    def text(self) -> str:
        """All of it in one line, safe for display."""
        return f"{self.time} {' · '.join(self.phrases)}".lstrip()


def tell(changes: Sequence[tuple[int, Snapshot, Changes]], names: Sequence[str], now: datetime) -> News | None:
    """The news in the changes of some stores, each with its number and what is there now; None when none."""
    phrases: list[str] = []
    rows: dict[str, Fresh] = {}
    removed = 0
    for number, snapshot, change in changes:
        said = _phrases(change, snapshot.store.profile.index_name)
        phrases += [f"{names[number]}: {said[0]}", *said[1:]] if said and len(names) > 1 else said
        rows |= {row_id_of(snapshot.store.id, memory_id): "changed" for memory_id in change.changed}
        rows |= {row_id_of(snapshot.store.id, memory_id): "new" for memory_id in change.new}
        removed += len(change.removed)
    return News(f"{now:%H:%M}", tuple(phrases), rows, removed) if phrases else None


def _phrases(change: Changes, index_name: str) -> list[str]:
    memories = [item for item in change.files if item.path != index_name]
    phrases = []
    for how, several in (
        ("removed", _("{count} removed by another program")),
        ("new", _("{count} new from another program")),
        ("changed", _("{count} changed by another program")),
    ):
        files = [item for item in memories if item.how == how]
        if len(files) > APART:
            phrases.append(several.format(count=len(files)))
        else:
            phrases += [_phrase(item) for item in files]
    return [*phrases, *(_phrase(item) for item in change.files if item.path == index_name)]


def _phrase(item: ChangedFile) -> str:
    name = display.line(item.path)
    if item.how == "new":
        return _("{file} new").format(file=name)
    if item.how == "removed":
        return _("{file} removed by another program").format(file=name)
    if item.added and item.gone:
        return _("{file} +{added} −{gone} lines").format(file=name, added=item.added, gone=item.gone)
    if item.added:
        lines = ngettext("{file} +{count} line", "{file} +{count} lines", item.added)
        return lines.format(file=name, count=item.added)
    if item.gone:
        lines = ngettext("{file} −{count} line", "{file} −{count} lines", item.gone)
        return lines.format(file=name, count=item.gone)
    return _("{file} changed").format(file=name)


@dataclass
class NewsBoard:
    """All news of this run, and what of it the person has not looked at yet. Belongs to the UI thread."""

    lines: list[str] = field(default_factory=list)
    rows: dict[str, Fresh] = field(default_factory=dict)
    removed: int = 0
    is_fresh: bool = False

    def add(self, news: News) -> None:
        """Take in news; a row that was new and then changed is still new."""
        self.lines = [news.text, *self.lines][:KEPT]
        still_new: dict[str, Fresh] = {row: "new" for row, how in self.rows.items() if how == "new"}
        self.rows = {**self.rows, **news.rows, **still_new}
        self.removed += news.removed
        self.is_fresh = True

    def keep_rows(self, there: Mapping[str, object]) -> None:
        """Forget the rows that are gone."""
        self.rows = {row: how for row, how in self.rows.items() if row in there}

    def looked_at(self, row_id: str) -> bool:
        """The person did something with the cursor on a row; whether that changes what is shown."""
        changes = self.rows.pop(row_id, None) is not None or self.is_fresh
        self.removed, self.is_fresh = 0, False
        return changes

    @property
    def state(self) -> tuple[object, ...]:
        """Equal as long as nothing that is shown changed."""
        return tuple(self.lines[:SHOWN]), tuple(self.rows.items()), self.removed, self.is_fresh

    @property
    def badges(self) -> dict[str, Badge]:
        """The marks of the rows that were not looked at."""
        return {row: BADGES[how] for row, how in self.rows.items()}

    def top_parts(self) -> list[list[Span]]:
        """What the top bar says: how many rows there are to look at, else the newest line."""
        new = sum(how == "new" for how in self.rows.values())
        parts: list[list[Span]] = []
        if new:
            parts.append([(_("{count} new").format(count=new), "good")])
        if changed := len(self.rows) - new:
            parts.append([(_("{count} changed").format(count=changed), "note")])
        if self.removed:
            parts.append([(_("{count} removed").format(count=self.removed), "warn")])
        if not parts and self.is_fresh:
            parts.append([(self.lines[0], "note")])
        return parts

    @property
    def fresh_line(self) -> str:
        """The newest line as long as it is fresh, else ''."""
        return self.lines[0] if self.is_fresh else ""

    def status_lines(self) -> list[list[Span]]:
        """What the status pane says: the newest lines."""
        label = _("new") + "      "
        return [
            [(label if number == 0 else " " * len(label), "label"), (line, "" if number else "note")]
            for number, line in enumerate(self.lines[:SHOWN])
        ]

    def strip_items(self) -> list[list[Span]]:
        """What the strip says before its counts, while it is fresh."""
        return [[(self.fresh_line, "note")]] if self.is_fresh else []
