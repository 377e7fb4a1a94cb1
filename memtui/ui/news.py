"""What other programs changed while memtui was open: as phrases, as marks on rows, until it was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass, field, replace
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Badge
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.changes import ChangedFile, Changes
    from memtui.core.layouts.base import Snapshot
    from memtui.core.others import Found, Place, Sought, Writer
    from memtui.core.store_actions import Background

APART = 3
"""Files of which the same is said are named one by one up to so many, then counted."""

NAMED = 8
"""So many that are gone are named behind their count."""

TITLE_SHOWN = 40

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


@dataclass(frozen=True, slots=True)
class Event:
    """What one look showed of the stores that others changed: each with its number, what is there now, and the
    difference; `names` are what all stores are called, `sought` is what their writers are known by, `meanwhile`
    what was at work in the background, by the ids of the stores."""

    changes: Sequence[tuple[int, Snapshot, Changes]]
    names: Sequence[str]
    now: datetime
    sought: Mapping[Place, Sought] = field(default_factory=dict)
    meanwhile: Mapping[str, str] = field(default_factory=dict)


def meanwhile_of(at_work: Sequence[Background]) -> str:
    """What worked on a store while it was changed, in a few words that are safe; '' for nothing."""
    words = {"dream": _("a dream of {owner}"), "agent": _("an agent of {owner} in the background")}
    found = [
        words[item.work].format(owner=display.line(item.owner))
        for item in at_work
        if item.may_write_over and item.work in words
    ]
    return ", ".join(dict.fromkeys(found))


def tell(
    event: Event, writers: Found | None = None, agents: Mapping[Path, str] = MappingProxyType({})
) -> News | None:
    """The news of a look, with whose calls made it where that is known; None when there are none.

    `agents` says of sessions, by their files, which running agent writes them; safe.
    """
    phrases: list[str] = []
    rows: dict[str, Fresh] = {}
    removed = 0
    for number, snapshot, change in event.changes:
        by_file = _by_file(event, snapshot, writers or {})
        said = _credited([item for item in change.files if item.path in by_file], by_file, agents)
        said += _phrases(change, snapshot, by_file, event.meanwhile.get(snapshot.store.id, ""))
        name = event.names[number]
        phrases += [f"{name}: {said[0]}", *said[1:]] if said and len(event.names) > 1 else said
        rows |= {row_id_of(snapshot.store.id, memory_id): "changed" for memory_id in change.changed}
        rows |= {row_id_of(snapshot.store.id, memory_id): "new" for memory_id in change.new}
        removed += len(change.removed)
    return News(f"{event.now:%H:%M}", tuple(phrases), rows, removed) if phrases else None


def _by_file(event: Event, snapshot: Snapshot, writers: Found) -> dict[str, Writer]:
    """Whose call it was, by the path of the changed file; of several the one that came last."""
    found: dict[str, Writer] = {}
    root = snapshot.store.root
    for place, writer in sorted(writers.items(), key=lambda item: item[1].when):
        sought = event.sought.get(place)
        if sought is not None and place[0] == snapshot.store.id and sought.trace.path.is_relative_to(root):
            found[sought.trace.path.relative_to(root).as_posix()] = writer
    return found


def _phrases(change: Changes, snapshot: Snapshot, by_file: Mapping[str, Writer], meanwhile: str) -> list[str]:
    from memtui.core.store_actions import tells_of_end

    store = snapshot.store
    index_name = store.profile.index_name
    ends = [item for item in change.files if item.how != "removed" and tells_of_end(store, item.path)]
    memories = [item for item in change.files if item.path != index_name and item not in ends]
    others = [item for item in change.files if item not in ends and item.path not in by_file]
    phrases: list[str] = []
    memories = [item for item in memories if item in others]
    for how, several in (
        ("removed", _("{count} removed by another program")),
        ("new", _("{count} new from another program")),
        ("changed", _("{count} changed by another program")),
    ):
        files = [item for item in memories if item.how == how]
        if len(files) <= APART:
            phrases += [_phrase(item) for item in files]
            continue
        said = several.format(count=len(files))
        # what is gone stands nowhere else
        phrases.append(f"{said} ({_listed(files)})" if how == "removed" else said)
    phrases += [_phrase(item) for item in others if item.path == index_name]
    if meanwhile and (memories or (others and not by_file)):
        phrases.append(_("meanwhile {who} was at work").format(who=meanwhile))
    said = _("a dream of {owner} has ended").format(owner=display.line(store.owner))
    return [*phrases, *([said] if ends else [])]


def _listed(files: Sequence[ChangedFile]) -> str:
    names = [display.line(item.path) for item in files[:NAMED]]
    if len(files) > NAMED:
        names.append(_("{count} more").format(count=len(files) - NAMED))
    return ", ".join(names)


def _credited(
    files: Sequence[ChangedFile], by_file: Mapping[str, Writer], agents: Mapping[Path, str]
) -> list[str]:
    """One phrase a session and what it did: `pi wrote a.md, b.md in session “…”`."""
    groups: dict[tuple[object, bool], list[ChangedFile]] = {}
    for item in files:
        groups.setdefault((by_file[item.path].session.file, item.how == "removed"), []).append(item)
    phrases = []
    for (_file, is_gone), group in groups.items():
        session = by_file[group[0].path].session
        said = (
            _("{agent} removed {files} in session “{title}”")
            if is_gone
            else _("{agent} wrote {files} in session “{title}”")
        )
        title = display.line(session.title)
        title = title if len(title) <= TITLE_SHOWN else title[: TITLE_SHOWN - 1].rstrip() + "…"
        agent = agents.get(session.file) or display.line(session.agent)
        phrases.append(said.format(agent=agent, files=_listed(group), title=title))
    return phrases


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


def _badge(how: Fresh, writer: str) -> Badge:
    if not writer:
        return BADGES[how]
    words = _("new by {agent}") if how == "new" else _("changed by {agent}")
    return replace(BADGES[how], word=words.format(agent=writer))


@dataclass
class NewsBoard:
    """All news of this run, and what of it the person has not looked at yet. Belongs to the UI thread."""

    lines: list[str] = field(default_factory=list)
    rows: dict[str, Fresh] = field(default_factory=dict)
    writers: dict[str, str] = field(default_factory=dict)
    """The agents that wrote rows, by row; safe for display."""
    removed: int = 0
    is_fresh: bool = False

    def add(self, news: News) -> None:
        """Take in news; a row that was new and then changed is still new."""
        self.lines = [news.text, *self.lines][:KEPT]
        still_new: dict[str, Fresh] = {row: "new" for row, how in self.rows.items() if how == "new"}
        self.rows = {**self.rows, **news.rows, **still_new}
        # whoever wrote it before, this was perhaps somebody else
        self.writers = {row: agent for row, agent in self.writers.items() if row not in news.rows}
        self.removed += news.removed
        self.is_fresh = True

    def credit(self, before: News, now: News, writers: Mapping[str, str]) -> None:
        """Say of news, as they were told `before`, who made them: `writers` are agents by row, safe."""
        self.lines = [now.text if line == before.text else line for line in self.lines]
        self.writers = {**self.writers, **writers}

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
        rows, writers = tuple(self.rows.items()), tuple(self.writers.items())
        return tuple(self.lines[:SHOWN]), rows, writers, self.removed, self.is_fresh

    @property
    def badges(self) -> dict[str, Badge]:
        """The marks of the rows that were not looked at."""
        return {row: _badge(how, self.writers.get(row, "")) for row, how in self.rows.items()}

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
