"""When the owner's program tidied a topics store last, and whether it would suggest that again.

Rule: topics sheet 7. Both must have passed since the last time, the hours and the new sessions; where nothing
is known of a last time, only the sessions count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from memtui.core.layouts.base import Store, StoredFile, StoreFact
from memtui.core.layouts.topics.rules import TopicRules, rules_of
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

META_NAME = ".dream-meta.json"


@dataclass(frozen=True, slots=True)
class Dream:
    """The last dream as the file tells it; `at` None = there is no such file, or the program cannot read it."""

    at: datetime | None
    sessions: int


def read_meta(data: bytes) -> Dream:
    """A file's content; missing fields and what is no JSON count as none."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        values = None
    at = values.get("lastDreamAt") if isinstance(values, dict) else None
    count = values.get("sessionCountAtDream") if isinstance(values, dict) else None
    try:
        when = datetime.fromisoformat(at) if isinstance(at, str) else None
        if when is not None:
            when = (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        when = None
    return Dream(when, count if isinstance(count, int) and not isinstance(count, bool) else 0)


def is_due(dream: Dream | None, rules: TopicRules, now: datetime | None, sessions: int | None) -> bool | None:
    """Whether the program suggests a dream now; None where a number that decides it is not known."""
    last = dream.at if dream is not None else None
    if last is not None:
        if now is None:
            return None
        if now - last < timedelta(hours=rules.nudge_hours):
            return False
    if sessions is None:
        return None
    before = dream.sessions if dream is not None and last is not None else 0
    return sessions - before >= rules.nudge_sessions


def facts(store: Store, file: StoredFile | None) -> Iterator[StoreFact]:
    """The last dream and whether the next one is due; nothing where this version does not dream."""
    rules = rules_of(store.profile)
    if not rules.has_hooks:
        return
    dream = read_meta(file.data) if file is not None and file.data is not None else None
    last = dream.at if dream is not None else None
    due = is_due(dream, rules, store.read_at, store.sessions)
    if last is None:
        when = _("none is known of")
        rule = _("due after {sessions:,} sessions").format(sessions=rules.nudge_sessions)
    else:
        when = _("last {when:%Y-%m-%d %H:%M} UTC").format(when=last)
        rule = _("due after {hours:,} hours and {sessions:,} new sessions").format(
            hours=rules.nudge_hours, sessions=rules.nudge_sessions
        )
    state = {
        True: _("it is due"),
        False: _("not due"),
        None: _("how many there were is not known"),
    }[due]
    yield StoreFact(_("dream"), f"{when} · {rule} · {state}")
