"""What the topic pane shows of one memory: facts above, the text below, and where a recall of it ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.core.layouts.base import Limit, Memory, MemoryText, Snapshot
from memtui.core.safety import display, secrets
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.view import Item, Notice, View
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.rendering.lines import Rendered

LABEL_CELLS = 13
"""Cells that the word before a fact takes."""

SHOWN_BYTES = 4_000_000
"""More of one text is not put on the screen; the editor shows it."""


Facts = tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class TopicText:
    """One memory, safe for display. `rule_after`: the recall ends after this line of `lines`.

    `narrow_facts` are the facts in fewer cells.

    `rendered` is its text as Markdown to read, None where the source is shown.
    """

    row_id: str
    title: str
    about: str
    facts: Facts
    narrow_facts: Facts
    lines: tuple[str, ...]
    rule_after: int | None
    rule_text: str
    rendered: Rendered | None = None
    line: int | None = None
    """The line that is shown at first, None for the place where the person was."""


def topic_of(
    workspace: Workspace,
    view: View,
    item: Item | Notice,
    *,
    as_rendered: bool = False,
    file_line: int | None = None,
) -> TopicText:
    """Lay out what a row stands for, to be shown at a line of its file."""
    if isinstance(item, Notice):
        return notice_text(view, item)
    topic = build_topic(workspace, view, item, as_rendered=as_rendered)
    if file_line is None:
        return topic
    return dataclasses.replace(topic, line=max(1, file_line - _lines_above(view, item)))


def _lines_above(view: View, item: Item) -> int:
    """The lines of a memory's file that stand before its text."""
    file = view.stores[item.store].snapshot.files.get(item.memory.file)
    if item.memory.span is None or file is None or file.data is None:
        return 0
    return file.data.count(b"\n", 0, item.memory.span[0])


def notice_text(view: View, notice: Notice) -> TopicText:
    """The problem of a file above the file itself."""
    problem = notice.problem
    store = view.stores[notice.store]
    file = store.snapshot.files.get(problem.file or "")
    data = file.data if file is not None and file.data is not None else b""
    mark, ink = wording.MARKS[problem.severity]
    facts: list[tuple[Span, ...]] = [((f"{mark} ", ink), (wording.sentence(problem.message, view.home), ink))]
    if problem.repair is not None:
        facts.append(
            ((_("mended by").ljust(LABEL_CELLS), "label"), (wording.repair(store.snapshot, [problem]), ""))
        )
    return TopicText(
        row_id=notice.row_id,
        title=display.line(problem.file or store.name),
        about=wording.size(len(data)) if data else "",
        facts=tuple(facts),
        narrow_facts=tuple(facts),
        lines=tuple(lines_of(data[:SHOWN_BYTES])),
        rule_after=None,
        rule_text="",
        line=problem.line,
    )


def build_topic(workspace: Workspace, view: View, item: Item, *, as_rendered: bool = False) -> TopicText:
    """Lay out one memory of a view; `as_rendered` where its text is one that can be."""
    store = view.stores[item.store]
    text = workspace.text(store.snapshot, item.memory.id)
    lines: tuple[str, ...] = ()
    rule_after, rendered, look = None, None, ""
    if text is not None:
        shown = text.text[:SHOWN_BYTES]
        lines = tuple(lines_of(shown))
        if as_rendered:
            rendered, look = _rendered(shown, secrets.seen_now())
        if len(shown) < len(text.text):
            lines += (
                "",
                _("… {size} more; e opens all of it").format(size=wording.size(len(text.text) - len(shown))),
            )
        rule_after = recall_end(text, store.snapshot.store.profile.limits)
    return TopicText(
        row_id=item.row_id,
        title=item.name or item.title,
        about=" · ".join(filter(None, (look, _about(item, workspace.env.now())))),
        facts=tuple(_facts(view, item, lines)),
        narrow_facts=tuple(_facts(view, item, lines, is_narrow=True)),
        lines=lines,
        rule_after=rule_after,
        rule_text=_("a recall shows no more than this"),
        rendered=rendered,
    )


def lines_of(text: bytes) -> list[str]:
    """The lines of a text as they are shown, in the order and number that the file has them."""
    return display.lines(text.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))


@lru_cache(maxsize=8)
def _rendered(text: bytes, seen: frozenset[str]) -> tuple[Rendered | None, str]:
    """A text as Markdown to read with these secrets unmasked, and what the frame says of it."""
    from memtui.ui.rendering.blocks import MOST_BYTES, render

    if len(text) > MOST_BYTES:
        return None, _("source, too long to render")
    return render(lines_of(text)), _("rendered")


def recall_end(text: MemoryText, limits: tuple[Limit, ...]) -> int | None:
    """The line of the text (from 1) after which a recall stops, None where all of it is recalled.

    The limits of scope `body` count the body, in lines and bytes; the tighter one holds.
    """
    start = len(text.text) - len(text.body)
    end = len(text.body)
    for limit in limits:
        if limit.scope != "body":
            continue
        if limit.unit == "bytes":
            end = min(end, limit.limit)
        elif limit.unit == "lines":
            position = -1
            for _line in range(limit.limit):
                position = text.body.find(b"\n", position + 1)
                if position < 0:
                    break
            if position >= 0:
                end = min(end, position + 1)
    if end >= len(text.body):
        return None
    return text.text.count(b"\n", 0, start + end) or 1


def _about(item: Item, now: datetime) -> str:
    memory = item.memory
    parts = [display.line(memory.type or memory.group), wording.age(memory.updated, now)]
    if memory.state == "ok":
        parts.append(wording.size(memory.size_bytes))
    return " · ".join(part for part in parts if part)


def _facts(view: View, item: Item, lines: Sequence[str], *, is_narrow: bool = False) -> list[tuple[Span, ...]]:
    """What is not in the text itself: the problems, and what an agent is told without reading it."""
    memory = item.memory
    facts: list[tuple[Span, ...]] = []
    for message, severity in dict.fromkeys((problem.message, problem.severity) for problem in item.problems):
        mark, ink = wording.MARKS[severity]
        facts.append(((f"{mark} ", ink), (wording.sentence(message, view.home), ink)))
    labelled: list[tuple[str, str]] = []
    snapshot = view.stores[item.store].snapshot
    if not memory.loaded and snapshot.store.loads_not_because:
        labelled.append((_("not loaded"), wording.sentence(snapshot.store.loads_not_because, view.home)))
    if memory.span is not None:
        labelled.append((_("file"), _place(snapshot, memory)))
    index = snapshot.index
    if index is not None:
        for number in memory.index_lines[:3]:
            label = _("index {number}") if is_narrow else _("index line {number}")
            line = index.document.lines[number - 1].text
            labelled.append((label.format(number=number), display.line(line)))
    if memory.description and not _shows(lines, memory.description):
        labelled.append((_("description"), display.line(memory.description)))
    if memory.state == "symlink" and memory.link_target:
        labelled.append((_("points to"), display.line(memory.link_target)))
    cells = max((cell_len(label) for label, _text in labelled), default=0)
    return [
        *facts,
        *(((label + " " * (cells + 2 - cell_len(label)), "label"), (text, "")) for label, text in labelled),
    ]


def _shows(lines: Sequence[str], description: str) -> bool:
    """Whether the fields at the start of a text show this description as it is."""
    if not lines or lines[0].rstrip() != "---":
        return False
    fields = lines[1 : next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 1)]
    shown = " ".join(" ".join(display.lines(description)).split())
    return shown in " ".join(" ".join(fields).split())


def _place(snapshot: Snapshot, memory: Memory) -> str:
    """The file of a memory that others share, which of them it is, and its group where that says more."""
    ids = [other.id for other in snapshot.memories if other.file == memory.file]
    place = _("{file}, entry {number:,} of {count:,}").format(
        file=display.line(memory.file), number=ids.index(memory.id) + 1, count=len(ids)
    )
    if memory.group and memory.group != memory.file.removesuffix(".md"):
        return _("{place} · group {group}").format(place=place, group=display.line(memory.group))
    return place
