"""Days and moments as a person types them: `2026-11-30`, `2026-11`, `yesterday`, `3d` ago, ISO date-times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from memtui.late import re

RELATIVE = ("today", "yesterday", "1d", "1w", "1m", "1y", "6h")
"""What can be said of a time as seen from now, in the order in which it is offered."""

_CALENDAR = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[t ]\S+")
_AGO = re.compile(r"([0-9]{1,5})([hdwmy])")


def moment_of(text: str, now: datetime) -> datetime | None:
    """The moment that a text names, in UTC; of a day, a month or a year its first. None for any other text.

    Days are those of the time zone of `now` (aware). `3d`, `2w`, `1m` (months) and `1y` are the starts of days,
    `6h` is to the second.
    """
    try:
        return _moment(text.strip().lower(), now)
    except (ValueError, OverflowError, OSError):
        # there is no such day, or no clock goes that far
        return None


def _moment(text: str, now: datetime) -> datetime | None:
    if match := _CALENDAR.fullmatch(text):
        year, month, day = (int(part or 1) for part in match.groups())
        return _in_zone(datetime(year, month, day), now)
    if _MOMENT.fullmatch(text):
        when = datetime.fromisoformat(text.upper())
        return when.astimezone(UTC) if when.tzinfo is not None else _in_zone(when, now)
    if text in ("today", "yesterday"):
        return _day(now, 0 if text == "today" else 1)
    match = _AGO.fullmatch(text)
    if match is None:
        return None
    count, unit = int(match[1]), match[2]
    match unit:
        case "h":
            return now.astimezone(UTC) - timedelta(hours=count)
        case "d":
            return _day(now, count)
        case "w":
            return _day(now, 7 * count)
        case "m":
            return _months_ago(now, count)
        case _:
            return _months_ago(now, 12 * count)


def _day(now: datetime, days_ago: int) -> datetime:
    start = now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    return _in_zone(start - timedelta(days=days_ago), now)


def _months_ago(now: datetime, count: int) -> datetime:
    year, month = divmod(now.year * 12 + now.month - 1 - count, 12)
    from calendar import monthrange

    day = min(now.day, monthrange(year, month + 1)[1])
    return _in_zone(datetime(year, month + 1, day), now)


def _in_zone(naive: datetime, now: datetime) -> datetime:
    """A moment of the wall clock, in UTC."""
    zone = now.tzinfo
    if isinstance(zone, timezone) and zone is not UTC and now.astimezone().tzinfo == zone:
        # the system's zone as it is today; on that day its offset may have been another one
        return naive.astimezone(UTC)
    return naive.replace(tzinfo=zone).astimezone(UTC)
