"""What a query that is being typed may go on with: keywords, and the values that exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from memtui.core.layouts.base import Snapshot
from memtui.core.safety import display
from memtui.core.search.dates import RELATIVE
from memtui.core.search.filters import PLACES, ROLES
from memtui.core.search.keywords import KEYWORDS, MEANINGS
from memtui.core.search.query import EXACT_SIGN, LONGEST
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.text.fold import fold
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

MOST = 30
"""So many are offered at most."""

_PLACE_MEANINGS = {
    "memory": _("what was remembered"),
    "sessions": _("what was said"),
    "tools": _("what tools were given and gave"),
}
_ROLE_MEANINGS = {
    "user": _("what you typed"),
    "assistant": _("what the agent said"),
    "tool": _("what a tool gave"),
    "bash": _("commands that you ran"),
    "custom": _("what an extension put in"),
    "compaction": _("summaries of what was said before"),
    "branch_summary": _("summaries of branches"),
    "label": _("your own marks"),
    "session_info": _("names of sessions"),
}
_TIME_MEANINGS = {
    "today": _("today"),
    "yesterday": _("yesterday"),
    "1d": _("a day ago"),
    "1w": _("a week ago"),
    "1m": _("a month ago"),
    "1y": _("a year ago"),
    "6h": _("six hours ago"),
}

_LAST_TERM = re.compile(r'([A-Za-z]+):("?)([^"]*)')
_TOKEN = re.compile(r'[A-Za-z]+:"[^"]*"?|"[^"]*[^"\s][^"]*"?|\S+')


@dataclass(frozen=True, slots=True)
class Known:
    """The values that exist. `stores` are (id, owner), `dirs` those of sessions, the most recent first.

    Texts are as on disk; `home` is written `~` where a directory lies below it.
    """

    agents: tuple[str, ...] = ()
    stores: tuple[tuple[str, str], ...] = ()
    types: tuple[str, ...] = ()
    dirs: tuple[str, ...] = ()
    home: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """`text` may take the place of the query's code points from `start` to `end`; `about` says what it means.

    `label` is what it is called in a list, without the keyword that is typed already. Both are safe to display.
    """

    text: str
    start: int
    end: int
    label: str
    about: str


def known_from(snapshots: Iterable[Snapshot], sessions: Iterable[Session], home: Path) -> Known:
    """What exists in these memories and sessions."""
    snapshots, sessions = tuple(snapshots), newest_first(sessions)
    stores = [snapshot.store for snapshot in snapshots]
    types = (memory.type for snapshot in snapshots for memory in snapshot.memories)
    agents = (*(session.agent for session in sessions), *(store.owner for store in stores))
    return Known(
        agents=_each_once(agents),
        stores=tuple((store.id, store.owner) for store in stores),
        types=tuple(sorted(_each_once(types))),
        dirs=_each_once(session.cwd for session in sessions),
        home=str(home),
    )


def complete(typed: str, cursor: int, known: Callable[[], Known]) -> tuple[Completion, ...]:
    """What the word before the cursor may become, the likeliest first; nothing when no word is being typed.

    `known` gives what exists: it is asked where a value is typed. Nothing either inside of a phrase, of a word
    that goes on behind the cursor, and of an exact text.
    """
    token = _token_before(typed, cursor)
    if token is None:
        return ()
    start, text = token
    term = _LAST_TERM.fullmatch(text)
    if term is None:
        return tuple(
            Completion(f"{keyword}:", start, cursor, f"{keyword}:", MEANINGS[keyword])
            for keyword in KEYWORDS
            if keyword.startswith(text.lower())
        )
    keyword, quote, begun = term[1].lower(), term[2], fold(term[3])
    offered: list[Completion] = []
    for value, about in _values(keyword, begun, known()):
        label = display.line(value)
        # a value that has to be shown in another way than it is cannot be typed
        if label != value or '"' in value or (not quote and fold(value) == begun):
            continue
        written = f'{keyword}:"{value}"' if quote or value.split() != [value] else f"{keyword}:{value}"
        offered.append(Completion(written, start, cursor, label, display.line(about)))
        if len(offered) >= MOST:
            break
    return tuple(offered)


def _token_before(typed: str, cursor: int) -> tuple[int, str] | None:
    """The word that ends at the cursor: where it starts, and its text."""
    if not 0 < cursor <= min(len(typed), LONGEST) or typed.startswith(EXACT_SIGN):
        return None
    if cursor < len(typed) and not typed[cursor].isspace():
        return None
    *_before, last = (None, *_TOKEN.finditer(typed[:cursor]))
    if last is None or last.end() != cursor:
        return None
    text = last.group()
    is_closed = text.endswith('"') and text.count('"') > 1
    return None if text.startswith('"') or is_closed else (last.start(), text)


def _values(keyword: str, begun: str, known: Known) -> Iterator[tuple[str, str]]:
    match keyword:
        case "agent":
            yield from _beginning(begun, ((agent, "") for agent in known.agents))
        case "store":
            owners = _each_once(owner for _id, owner in known.stores)
            yield from _beginning(begun, ((owner, _("every store of it")) for owner in owners))
            yield from _beginning(begun, known.stores)
        case "type":
            yield from _beginning(begun, ((name, "") for name in known.types))
        case "in":
            yield from _beginning(begun, ((place, _PLACE_MEANINGS[place]) for place in PLACES))
        case "role":
            yield from _beginning(begun, ((role, _ROLE_MEANINGS[role]) for role in ROLES))
        case "after" | "before":
            yield from _beginning(begun, ((text, _TIME_MEANINGS[text]) for text in RELATIVE))
        case "dir":
            yield from _directories(begun, known)


def _beginning(begun: str, values: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return (item for item in values if fold(item[0]).startswith(begun))


def _directories(begun: str, known: Known) -> Iterator[tuple[str, str]]:
    """Directories by name, or by path once a `~` or `/` is typed and where several have the name."""
    written = [(path, _shortened(path, known.home)) for path in known.dirs]
    names = [short.rstrip("/").rpartition("/")[2] for _path, short in written]
    counted = Counter(names)
    for (path, short), name in zip(written, names, strict=True):
        if begun.startswith(("~", "/")):
            if fold(short).startswith(begun) or fold(path).startswith(begun):
                yield short, ""
        elif fold(name).startswith(begun):
            yield (name, short) if name and counted[name] == 1 else (short, "")


def _shortened(path: str, home: str) -> str:
    return f"~{path[len(home) :]}" if home and path.startswith(home.rstrip("/") + "/") else path


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
