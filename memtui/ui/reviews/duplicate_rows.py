"""The queue of duplicates in words: a heading a group, a row a member, and two texts with what differs marked.

Pure; runs on a work thread, because texts are compared word by word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memtui.core.comparison import Alike, Member, Span, differing
from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.screens.review_screen import Beside, Entry
from memtui.ui.view import View, row_id_of
from memtui.ui.widgets import spans
from memtui.ui.widgets.row_list import Cell, Row

MARK_CELLS = 2
STORE_CELLS = 13

DIFFERS = "match"
"""The ink of what differs: bold and underlined, whatever the colours are."""

Line = list[spans.Span]


@dataclass(frozen=True, slots=True)
class Placed:
    """A member of a group with the others it stands beside."""

    member: Member
    group: Alike

    @property
    def other(self) -> Member:
        """The member that it is compared with: the first of the group, of that one the second."""
        return self.group.members[self.member is self.group.members[0]]


def rows_of(groups: Sequence[Alike], view: View, home: Path) -> tuple[tuple[Entry, ...], Mapping[str, Placed]]:
    """The queue, and the members by the ids of their rows."""
    names = {store.snapshot.store.id: store.name for store in view.stores}
    entries: list[Entry] = []
    placed: dict[str, Placed] = {}
    for number, group in enumerate(groups):
        entries.append(Entry(_heading(number, group)))
        for position, member in enumerate(group.members):
            row_id = f"{number} {position} {member.store} {member.memory}"
            placed[row_id] = Placed(member, group)
            memory = row_id_of(member.store, member.memory) if member.is_memory else ""
            entries.append(
                Entry(_row(row_id, member, names, home), _reason(placed[row_id], names, home), memory)
            )
    return tuple(entries), placed


def count_words(groups: Sequence[Alike]) -> str:
    """How many groups there are."""
    return ngettext("{count} group", "{count} groups", len(groups)).format(count=f"{len(groups):,}")


def _heading(number: int, group: Alike) -> Row:
    if group.code == "duplicate":
        words = _("the same")
    else:
        words = _("nearly the same, {score} % alike").format(score=group.score)
    return Row(f"group {number}", (Cell(words, "heading"),), f"{len(group.members)}", kind="heading")


def _row(row_id: str, member: Member, names: Mapping[str, str], home: Path) -> Row:
    cells = (
        Cell("", width=MARK_CELLS),
        Cell(_where(member, names), "kind", width=STORE_CELLS, from_width=44),
        Cell(_title(member, home)),
    )
    size = wording.size(len(member.text.encode("utf-8", "surrogateescape")))
    return Row(row_id, cells, size, dim=not member.is_memory, markable=member.is_memory)


def _where(member: Member, names: Mapping[str, str]) -> str:
    return names.get(member.store, display.line(member.store)) if member.is_memory else _("instructions")


def _title(member: Member, home: Path) -> str:
    if member.is_memory:
        return display.line(member.title)
    return f"{wording.place(member.file, home)}:{member.line}"


def _reason(placed: Placed, names: Mapping[str, str], home: Path) -> list[Line]:
    other, member = placed.other, placed.member
    title = _title(other, home)
    if other.is_memory and other.store != member.store:
        title = _("“{title}” in {store}").format(title=title, store=_where(other, names))
    elif other.is_memory:
        title = _("“{title}”").format(title=title)
    if placed.group.code == "duplicate":
        return [[("! ", "warn"), (_("says the same as {other}").format(other=title), "warn")]]
    words = _("says nearly the same as {other}; what differs is underlined")
    return [[("? ", "muted"), (words.format(other=title), "")]]


def pair_of(placed: Placed, view: View, home: Path) -> tuple[Beside, Beside]:
    """The texts of a member and of the one it is compared with, as they stand side by side."""
    names = {store.snapshot.store.id: store.name for store in view.stores}
    member, other = placed.member, placed.other
    ours, theirs = display.block(member.text), display.block(other.text)
    mine, others = differing(ours, theirs)
    return (
        _beside(member, ours, mine, names, home),
        _beside(other, theirs, others, names, home),
    )


def _beside(member: Member, text: str, marked: Sequence[Span], names: Mapping[str, str], home: Path) -> Beside:
    lines = _marked_lines(text, marked)
    plain = ["".join(piece for piece, _ink in line) for line in lines]
    return Beside(title=_title(member, home), about=_where(member, names), lines=plain, inks=lines)


def _marked_lines(text: str, marked: Sequence[Span]) -> list[Line]:
    """The lines of a text, its marked parts in their ink; a part never reaches over a line's end."""
    lines: list[Line] = []
    waiting = list(reversed(marked))
    begin = 0
    for line in text.split("\n"):
        end = begin + len(line)
        pieces: Line = []
        at = begin
        while waiting and waiting[-1][0] < end:
            start, stop = waiting.pop()
            pieces += [(text[at:start], ""), (text[start:stop], DIFFERS)]
            at = stop
        pieces.append((text[at:end], ""))
        lines.append([piece for piece in pieces if piece[0]] or [("", "")])
        begin = end + 1
    return lines
