"""Since when, as a person types it."""

from __future__ import annotations

from datetime import datetime, timedelta

from memtui.core.errors import UsageError
from memtui.core.others.looking import Since
from memtui.core.search.dates import moment_of
from memtui.i18n import _
from memtui.late import re

_TIME_OF_DAY = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")


def parse_since(text: str, now: datetime) -> Since:
    """`start`, `last`, a time of day (the last one there was), a day, or as in a query. Raises UsageError."""
    if text == "start":
        return "start"
    if text == "last":
        return "last"
    if match := _TIME_OF_DAY.fullmatch(text):
        when = now.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
        return when if when <= now else when - timedelta(days=1)
    moment = moment_of(text, now)
    if moment is None:
        said = _("{text} is no time: say start, last, 14:02, 2026-11-30, yesterday, 3d or 6h")
        raise UsageError(said.format(text=text or '""'))
    return moment
