"""Times in sessions: ISO texts, epoch milliseconds, and what other programs made of them."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_MS = 2.5e14
"""The end of the calendar, nearly: the year 9892."""
_LEAST_MS = 1e11
"""Below this a number is taken for seconds (as milliseconds it would be 1973, before any agent)."""
_YEARS = range(MINYEAR + 1, MAXYEAR)
"""A moment of another year is none in some of the world's zones."""


def moment(value: Any) -> datetime | None:
    """An ISO text or an epoch number (milliseconds, seconds where it is that small) as a moment, else None."""
    if isinstance(value, str):
        return _from_iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _MOST_MS:
        return None
    return _EPOCH + timedelta(milliseconds=value if value >= _LEAST_MS else value * 1000)


def _from_iso(text: str) -> datetime | None:
    if not 10 <= len(text) <= 40:
        return None
    try:
        parsed = datetime.fromisoformat(text)
        when = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return when if when.year in _YEARS else None


def from_seconds(seconds: float) -> datetime:
    """A file's time as a moment; the epoch where it lies outside of the calendar."""
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return _EPOCH


def clock(when: datetime | None, now: datetime, *, with_seconds: bool = False) -> str:
    """A moment in the zone of `now`: the time of day, with the date where that is another; `?` for None."""
    if when is None:
        return "?"
    try:
        here = when.astimezone(now.tzinfo)
    except OverflowError:
        here = when
    if here.date() != now.date():
        return f"{here:%Y-%m-%d %H:%M}"
    return f"{here:%H:%M:%S}" if with_seconds else f"{here:%H:%M}"


def iso(when: datetime) -> str:
    """A moment as pi writes it: UTC, milliseconds, `Z` (pi-and-zcode sheet A2)."""
    utc = when.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def message_time(entry: dict[str, Any]) -> datetime | None:
    """When a message entry was said: the message's own number, else the entry's text, as pi's listing does.

    Where both are missing, a text in the message's own field is taken as well.
    """
    message = entry.get("message")
    own = message.get("timestamp") if isinstance(message, dict) else None
    if not isinstance(own, str) and (when := moment(own)) is not None:
        return when
    return moment(entry.get("timestamp")) or moment(own)
