"""What the owner puts of the index before the agent (topics sheet 5), and how much of each limit is used."""

from __future__ import annotations

from memtui.core.layouts.base import Budget, Profile
from memtui.core.layouts.binding import with_binding
from memtui.core.layouts.dash_index import Entry, sizes
from memtui.core.layouts.topics.rules import rules_of
from memtui.late.dataclasses import dataclass

HEADER = "# Memory Index\n"
MARKER = "[truncated: memory index exceeds injection limit]"


@dataclass(frozen=True, slots=True)
class Injected:
    """The index as it is injected, without the header.

    `last_line` is the last line of the file that is there whole, None when all are. `is_marked`: the owner
    says that something was cut, which it also says of a full index of which nothing is lost.
    """

    text: str
    last_line: int | None
    is_marked: bool


def inject(data: bytes, profile: Profile) -> Injected:
    """Cut an index as the owner does; what is not UTF-8 counts as U+FFFD, as it is read."""
    text = data.decode("utf-8", "replace")
    parts = text.split("\n")
    limits = {limit.unit: limit.limit for limit in profile.limits if limit.scope == "inject"}
    kept = parts[: limits.get("lines", len(parts))]
    cut = "\n".join(kept)
    most = limits.get("bytes")
    if most is not None:
        cut = _within(cut, most)
    is_marked = cut != text
    lines = parts[:-1] if parts[-1] == "" else parts
    whole = 0
    used = 0
    for line in lines:
        used += len(line)
        if used > len(cut) or whole >= len(kept):
            break
        whole += 1
        used += 1
    return Injected(f"{cut}\n{MARKER}" if is_marked else cut, None if whole == len(lines) else whole, is_marked)


def _within(text: str, most_bytes: int) -> str:
    """The text without as many UTF-16 units at its end as it takes; half a pair is written as U+FFFD."""
    if len(text.encode("utf-8", "surrogatepass")) <= most_bytes:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(text[:middle].encode("utf-8", "surrogatepass")) <= most_bytes:
            low = middle
        else:
            high = middle - 1
    if low < len(text) and ord(text[low]) > 0xFFFF:
        half = text[:low] + "\ufffd"
        if len(half.encode("utf-8", "surrogatepass")) <= most_bytes:
            return half
    return text[:low]


def budgets(data: bytes, entries: list[Entry], profile: Profile, largest_topic: int) -> tuple[Budget, ...]:
    """How much of each limit is used: what is injected, what an add accepts, and the largest topic."""
    taken = inject(data, profile)
    loaded = None if taken.last_line is None else ((1, taken.last_line) if taken.last_line else (0, 0))
    text = data.decode("utf-8", "replace")
    used = {
        "lines": text.count("\n") + (not text.endswith("\n") if text else 0),
        "bytes": len(text.encode("utf-8", "surrogatepass")),
    }
    found = [
        Budget("inject", "", limit.unit, used[limit.unit], limit.limit, loaded=loaded)
        for limit in profile.limits
        if limit.scope == "inject" and limit.unit in used
    ]
    rules = rules_of(profile)
    count, size = sizes(entries)
    found.append(Budget("write", "", "lines", count, rules.write_lines))
    found.append(Budget("write", "", "bytes", size, rules.write_bytes))
    found += [
        Budget("body", "", limit.unit, largest_topic, limit.limit)
        for limit in profile.limits
        if limit.scope == "body"
    ]
    return with_binding(found)
