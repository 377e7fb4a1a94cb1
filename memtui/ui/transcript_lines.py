"""Messages of a session as lines: a mark and a word for who speaks, tools and thinking folded to one line.

Pure. Everything that is given is safe for display; links are shown as they stand, with their target.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.core.safety.secrets import masked_head
from memtui.i18n import _, ngettext
from memtui.late import re
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.widgets import source_style
from memtui.ui.widgets.source_style import InkSpan

if TYPE_CHECKING:
    from memtui.core.library import Kind, Message, Part, Query

PART_LINES = 500
PART_CHARACTERS = 100_000
"""More of one part is not put on the screen."""

FOLDED_CHARACTERS = 160

OTHER_BRANCH = "┆"

Line = tuple[str, list[InkSpan]]

_SPEAKERS: dict[Kind, tuple[str, str, str]] = {
    "user": (">", _("you"), "title"),
    "assistant": ("<", _("agent"), "kind"),
    "bash": ("$", _("shell, by you"), "title"),
    "compaction": ("=", _("compaction: what was said before, in short"), "note"),
    "branch_summary": ("=", _("summary of another branch"), "note"),
    "custom": ("+", _("extension"), "kind"),
    "system": ("#", _("system"), "muted"),
    "damaged": ("x", _("damaged"), "error"),
    "oversized": ("x", _("too long to show"), "warn"),
    "unknown": ("?", _("of a kind memtui does not know"), "muted"),
}

_SMALL: dict[Kind, str] = {
    "session": _("the session begins here"),
    "label": _("label"),
    "session_info": _("named"),
    "model_change": _("model"),
    "thinking_level_change": _("thinking level"),
    "usage": _("usage"),
    "context_edit": _("context"),
}
"""Entries of one muted line each."""

_BEFORE_TEXT = re.compile(
    rf"{OTHER_BRANCH}?(?:[><$=+#x?·] |  [*$=#·] (?=\S)| {{1,40}}(?:[-*+] (?=\S)|\d{{1,3}}[.)] (?=\S))?)?"
)
"""A mark of who speaks or of what a part is; else the blanks and the mark of a list that text begins with."""

SPEAKING = frozenset({"user", "assistant", "bash", "compaction", "branch_summary", "custom"})
"""Kinds that a step from message to message stops at."""


@dataclass(frozen=True, slots=True)
class Folding:
    """Whether tool output and thinking are shown whole."""

    tools: bool = False
    thinking: bool = False


def message_lines(message: Message, folding: Folding, query: Query | None, now: datetime) -> list[Line]:
    """The lines of one entry. With `query`, what is folded shows a line that matches."""
    other = message.branch == "other"
    lines = _lines(message, folding, query, now)
    if not other:
        return lines
    return [(OTHER_BRANCH + text, [(0, len(text) + 1, "muted")]) for text, _inks in lines]


def lead_of(line: str) -> str:
    """What stands before the further rows of a line that wraps: they begin below its text, so that none looks
    like a head."""
    found = _BEFORE_TEXT.match(line)
    before = found[0] if found is not None else ""
    branch = OTHER_BRANCH if before.startswith(OTHER_BRANCH) else ""
    return branch + " " * (len(before) - len(branch))


def _lines(message: Message, folding: Folding, query: Query | None, now: datetime) -> list[Line]:
    if message.kind in _SMALL:
        # where it was stands above the text
        parts = message.parts if message.kind != "session" else ()
        said = " ".join(filter(None, (display.line(part.text) for part in parts)))
        return [_plain(f"· {_SMALL[message.kind]}  {said}".rstrip()[:FOLDED_CHARACTERS], "muted")]
    lines: list[Line] = []
    if message.kind != "tool":
        if message.kind in ("user", "bash"):
            lines.append(("", []))
        lines.append(_head(message, now))
    if message.kind == "system" and not folding.tools:
        # nobody reads the system prompt twice; its few thousand characters would hide what was said
        count = len(message.parts)
        folded = ngettext("{count} part, t", "{count} parts, t", count).format(count=count)
        return [_spanned([(lines[-1][0], "muted"), (f"  ({folded})", "muted")])]
    for part in message.parts:
        lines += _part(part, message.kind, folding, query)
    return lines


def _head(message: Message, now: datetime) -> Line:
    mark, word, ink = _SPEAKERS.get(message.kind, _SPEAKERS["unknown"])
    pieces = [(f"{mark} {word}", ink)]
    if message.timestamp is not None:
        pieces.append((f"  {moment(message.timestamp, now)}", "muted"))
    if message.model:
        pieces.append((f"  {display.line(message.model)}", "muted"))
    if message.label:
        pieces.append((f"  [{display.line(message.label)}]", "note"))
    if message.stop_reason in ("error", "aborted"):
        pieces.append((f"  {display.line(message.stop_reason)}", "error"))
    if message.recovered:
        pieces.append(("  " + _("on a damaged line, pi does not read it"), "warn"))
    if message.branch == "other":
        pieces.append(("  " + _("other branch"), "note"))
    return _spanned(pieces)


def moment(then: datetime, now: datetime) -> str:
    """A time in the zone of `now`; the year only where it is another."""
    local = then.astimezone(now.tzinfo)
    return f"{local:%m-%d %H:%M}" if local.year == now.year else f"{local:%Y-%m-%d %H:%M}"


def _part(part: Part, kind: Kind, folding: Folding, query: Query | None) -> list[Line]:
    match part.kind:
        case "text":
            return _marked_up(part.text)
        case "thinking":
            label = "  * " + _("thinking")
            return _foldable(label, part.text, folding.thinking, "T", query, "muted")
        case "tool_call":
            name, text = display.line(part.name), display.line(part.text)
            return [_spanned([("  $ ", "key"), (name, "kind"), (f"  {text}", "")])]
        case "tool_result":
            label = "  = " + (display.line(part.name) or _("output"))
            return _foldable(label, part.text, folding.tools, "t", query, "error" if part.is_error else "muted")
        case "bash":
            command = _spanned([("  $ ", "key"), (display.line(part.name), "")])
            output = _foldable(
                "  =", part.text, folding.tools, "t", query, "error" if part.is_error else "muted"
            )
            return [command, *output] if part.text else [command]
        case "image":
            name = display.line(part.name) or _("image")
            return [_plain(f"  # {name} {wording.size(part.size_bytes)}", "note")]
        case "oversized":
            size = wording.size(part.size_bytes)
            begins = display.line(masked_head(part.text, FOLDED_CHARACTERS))
            return [_plain("  " + _("{size}, begins: {text}").format(size=size, text=begins), "muted")]
        case "damaged":
            return [_plain(f"  {row}", "muted") for row in display.lines(_head_of(part.text))[:20]]
        case _other:
            name = f"{display.line(part.name)}: " if part.name and kind == "system" else ""
            ink = "error" if part.is_error else "muted"
            if kind == "system":
                return _foldable(f"  · {name}".rstrip(": "), part.text, folding.tools, "t", query, ink)
            return [_plain(f"  · {row}", ink) for row in display.lines(part.text)[:20]]


def _marked_up(text: str) -> list[Line]:
    rows, more = _rows(text)
    lines: list[Line] = []
    state: source_style.State = "text"
    for row in rows:
        inks = [(first + 2, last + 2, ink) for first, last, ink in source_style.ink_spans(row, state)]
        state = source_style.next_state(row, state)
        lines.append((f"  {row}", inks))
    return lines + more


def _foldable(label: str, text: str, is_open: bool, key: str, query: Query | None, ink: str) -> list[Line]:
    """One line for a text, or all of it: `label  first line … (34 lines, t)`."""
    rows, more = _rows(text)
    if is_open and len(rows) + len(more) > 1:
        return [_plain(label, ink), *(_plain(f"    {row}", ink) for row in rows), *more]
    shown = _telling(rows, query)
    count = text.count("\n") + (not text.endswith("\n")) if text else 0
    pieces = [(label, ink), (f"  {shown}", "" if not is_open else ink)]
    if count > 1:
        lines = ngettext("{count} line", "{count} lines", count).format(count=count)
        pieces.append((f"  ({lines}, {key})", "muted"))
    return [_spanned(pieces)]


def _telling(rows: Sequence[str], query: Query | None) -> str:
    """The row that matches a query, else the first that says something; cut."""
    found = None
    if query is not None and query.words:
        from memtui.core.library import spans

        for row in rows:
            places = spans(query, row, 1)
            if places:
                start = max(0, places[0][0] - FOLDED_CHARACTERS // 3)
                found = ("…" if start else "") + row[start:].strip()
                break
    shown = found if found is not None else next((row.strip() for row in rows if row.strip()), "")
    return shown if len(shown) <= FOLDED_CHARACTERS else shown[:FOLDED_CHARACTERS] + "…"


def _rows(text: str) -> tuple[list[str], list[Line]]:
    """The rows of a text as far as they are shown, and a line that says what is left out."""
    rows = display.lines(_head_of(text))
    left = max(0, len(text) - PART_CHARACTERS)
    left += sum(len(row) + 1 for row in rows[PART_LINES:])
    more = [_plain("    " + _("… {size} more").format(size=wording.size(left)), "muted")] if left else []
    return rows[:PART_LINES], more


def _head_of(text: str) -> str:
    return masked_head(text, PART_CHARACTERS)


def _plain(text: str, ink: str) -> Line:
    return text, [(0, len(text), ink)] if ink else []


def _spanned(pieces: Sequence[tuple[str, str]]) -> Line:
    text, inks = "", []
    for piece, ink in pieces:
        if ink and piece:
            inks.append((len(text), len(text) + len(piece), ink))
        text += piece
    return text, inks
