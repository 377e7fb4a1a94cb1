"""A screen with a unified diff in words: what would be changed, or what was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.i18n import _, ngettext
from memtui.late import re
from memtui.late.dataclasses import dataclass
from memtui.ui.screens.main import MEDIUM, TALL
from memtui.ui.screens.text_screen import TextScreen

SIGNS = {"+": "good", "-": "gone", " ": "", "\\": "muted"}
"""The ink of a line by its sign; the sign itself says the same without colour."""

CONTEXT, CONTEXT_NARROW, CONTEXT_SHORT = 3, 1, 0
"""Lines shown around a change, and where there are few cells, or rows."""

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")

ABSENT = "/dev/null"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line on the screen; `sign` is '' for what is no line of a file."""

    text: str
    ink: str = ""
    sign: str = ""

    @property
    def is_change(self) -> bool:
        """Whether it came or went."""
        return self.sign in ("+", "-")


class DiffScreen(TextScreen):
    """The lines of one or several unified diffs, with the keys of every sheet; safe for display."""

    def __init__(self, title: str, lines: Sequence[str], *, leave_with: str = "") -> None:
        super().__init__(title, (), leave_with=leave_with)
        self._diff = lines

    def fill(self) -> None:
        """Show the diff from its first change."""
        width, height = self.app.size
        context = CONTEXT_SHORT if height < TALL else CONTEXT_NARROW if width < MEDIUM else CONTEXT
        shown = list(diff_lines(self._diff, context))
        first = next((number for number, line in enumerate(shown, 1) if line.is_change), 1)
        self.text_view.show(
            [line.text for line in shown],
            inks=[[(0, len(line.text), line.ink)] if line.ink else [] for line in shown],
            leads=[f"{line.sign} " if line.sign else "" for line in shown],
        )
        self.call_after_refresh(self.text_view.reveal, first)


def diff_lines(lines: Sequence[str], context: int = CONTEXT) -> Iterator[DiffLine]:
    """Unified diffs for people: what happens to each file in words, then its lines behind their signs, with
    `context` lines at most around a change. What is not part of a diff stays as it is."""
    at = 0
    while at < len(lines):
        if not _is_heading(lines, at):
            sign = lines[at][:1] if lines[at][:1] in ("+", "-") else ""
            yield _of_file(lines[at]) if sign else DiffLine(lines[at])
            at += 1
            continue
        old, new = lines[at][4:], lines[at + 1][4:]
        hunks, at = _hunks(lines, at + 2)
        signs = [line[:1] for _number, hunk in hunks for line in hunk]
        yield DiffLine(_heading(old, new, signs.count("-"), signs.count("+")), "heading")
        is_whole = ABSENT in (old, new)
        for number, hunk in hunks:
            first, shown = _around_changes(hunk, context)
            number += first
            if number > 1 and not is_whole and hunk:
                yield DiffLine(_("line {number}").format(number=number), "muted")
            yield from map(_of_file, shown)


def _of_file(line: str) -> DiffLine:
    sign = line[:1] or " "
    return DiffLine(f"{sign} {line[1:]}", SIGNS.get(sign, ""), sign if sign in "+- " else "")


def _is_heading(lines: Sequence[str], at: int) -> bool:
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def _hunks(lines: Sequence[str], at: int) -> tuple[list[tuple[int, list[str]]], int]:
    """The hunks of a file from there, each with its first line in the old file (0 = not known), and where the
    next file or something else begins. What was put on at an end has no hunks, only its lines."""
    hunks: list[tuple[int, list[str]]] = []
    while at < len(lines) and (found := HUNK.match(lines[at])):
        old, new = (int(count or 1) for count in found.group(2, 4))
        hunk: list[str] = []
        at += 1
        while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
            sign = lines[at][:1] or " "
            if sign not in SIGNS:
                break
            old -= sign in " -"
            new -= sign in " +"
            hunk.append(lines[at])
            at += 1
        hunks.append((int(found.group(1)), hunk))
    if not hunks:
        begin = at
        while at < len(lines) and lines[at][:1] in ("+", "-") and not _is_heading(lines, at):
            at += 1
        hunks = [(0, list(lines[begin:at]))] if at > begin else []
    return hunks, at


def _around_changes(hunk: Sequence[str], context: int) -> tuple[int, list[str]]:
    """The lines of a hunk from the first to the last one that is shown, and the place of the first."""
    changes = [place for place, line in enumerate(hunk) if line[:1] in ("+", "-")]
    if not changes:
        return 0, list(hunk)
    first, last = max(0, changes[0] - context), changes[-1] + context
    while last + 1 < len(hunk) and hunk[last + 1].startswith("\\"):
        last += 1
    return first, list(hunk[first : last + 1])


def _heading(old: str, new: str, gone: int, came: int) -> str:
    if old == ABSENT:
        said = ngettext("{file} is new, {count} line", "{file} is new, {count} lines", came)
        return said.format(file=new.removeprefix("b/"), count=came)
    if new == ABSENT:
        said = ngettext("{file} goes, {count} line", "{file} goes, {count} lines", gone)
        return said.format(file=old.removeprefix("a/"), count=gone)
    parts = []
    if gone:
        parts.append(ngettext("{count} line goes", "{count} lines go", gone).format(count=gone))
    if came and gone:
        parts.append(ngettext("{count} comes", "{count} come", came).format(count=came))
    elif came:
        parts.append(ngettext("{count} line comes", "{count} lines come", came).format(count=came))
    return _("{file}: {what}").format(file=new.removeprefix("b/"), what=", ".join(parts) or _("nothing"))
