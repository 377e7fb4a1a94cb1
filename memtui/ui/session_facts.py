"""What stands around the text of a session: a few words in the frame, and what is to be known above. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.ui import wording
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.library import Session


def session_about(session: Session, now: datetime, *, hits: int | None, at: int = 0, unread: int) -> str:
    """What was found (`hits` None = nothing was searched for; at the one numbered `at`), the agent, the age,
    and how many turns and unread messages there are; safe for display."""
    parts = []
    if at and hits:
        parts.append(_("hit {number} of {total}").format(number=at, total=hits))
    elif hits is not None:
        found = ngettext("{count} hit", "{count} hits", hits).format(count=hits)
        parts.append(found if hits else _("not found"))
    parts += [display.line(session.agent), wording.age(session.updated, now)]
    if session.counts is not None:
        turns = ngettext("{count} turn", "{count} turns", session.counts.turns)
        parts.append(turns.format(count=session.counts.turns))
    if unread:
        parts.append(_("{count} new below, G").format(count=unread))
    return " · ".join(filter(None, parts))


def session_facts(
    session: Session, home: Path, notice: str, copies: Sequence[Path] = (), use: str = ""
) -> list[tuple[Span, ...]]:
    """A notice ('' = none), why pi does not list it, who has it in `use` (a sentence, '' = nobody), where it
    was, and its other files; safe for display."""
    facts: list[tuple[Span, ...]] = []
    if notice:
        facts.append((("! ", "warn"), (notice, "warn")))
    if not session.pi_lists and session.hidden_because:
        why = _("pi does not list it: {why}").format(why=display.line(session.hidden_because))
        facts.append((("! ", "warn"), (why, "warn")))
    if use:
        facts.append(((_("now") + "  ", "label"), (display.line(use), "")))
    if session.cwd:
        facts.append(((_("in") + "  ", "label"), (display.path(session.cwd, home=home), "")))
    facts += [((_("also") + "  ", "label"), (display.path(path, home=home), "")) for path in copies]
    return facts
