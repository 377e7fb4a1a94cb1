"""What pi made of a line that was sent: told by its screen and by what it wrote to its session's file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.agents.editor_screen import Look, State, read_editor
from memtui.core.agents.slash_commands import REFUSALS, Follows, Proof, SlashCommand
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Before:
    """How things stood just before Enter: the session's file with its size, and the refusals on the screen."""

    session: Path | None
    size: int
    refusals: int


@dataclass(frozen=True, slots=True)
class Told:
    """Whether the outcome was seen, a sentence about it, and whether the agent did it."""

    is_seen: bool
    said: str
    is_done: bool = True


def before_enter(look: Look, session: Path | None) -> Before:
    """Note how things stand. Never raises."""
    try:
        size = fs.size_and_time(session)[0] if session is not None else 0
    except OSError:
        session, size = None, 0
    return Before(session, size, _refusals(look))


def after_enter(look: Look, line: str, command: SlashCommand, before: Before) -> Told:
    """What a look tells, and what was added to the session's file, once the line had left the editor."""
    added = _added(before)
    if any(_user_text(entry) == line for entry in added):
        return Told(True, _("{line} was not known to pi: it went to the model as a message").format(line=line))
    if command.needs_rest and _refusals(look) > before.refusals:
        words = _("pi did not do it: it is at work, and says to wait")
        return Told(True, words, is_done=False)
    if read_editor(look).state in (State.GONE, State.NOT_PI):
        return Told(False, _("{line} was sent, but pi is not there any more").format(line=line))
    if command.proof is Proof.NAME and any(entry.get("name") == command.arguments for entry in added):
        return Told(True, _("the session is called {name} now").format(name=command.arguments))
    if command.follows is Follows.DIALOG:
        return Told(True, _("{line} was sent: pi asks in its pane").format(line=line))
    return Told(True, _("{line} was sent, and pi took it").format(line=line))


def _refusals(look: Look) -> int:
    shown = " ".join(row.strip() for row in look.rows)
    return sum(shown.count(words) for words in REFUSALS)


def _added(before: Before) -> list[dict[str, Any]]:
    """The entries that the session's file got since."""
    if before.session is None:
        return []
    try:
        data = fs.read_from(before.session, before.size, MOST_BYTES)
    except OSError:
        return []
    entries = []
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            entries.append(entry)
    return entries


def _user_text(entry: dict[str, Any]) -> str:
    message = entry.get("message")
    if not isinstance(message, dict) or message.get("role") != "user":
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
