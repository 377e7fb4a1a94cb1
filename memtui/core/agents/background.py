"""What works on a memory in the background (dreams, extraction, writes), as a table of the signs of it.

Pure: what stands on the disk is given. Nothing is said of an owner of which no sign is known: Claude Code's own
background writers, and the extraction of amaster, leave none that could be read from outside.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from memtui.core.layouts.base import FileKind, LockRule, Store, StoredFile
from memtui.core.sessions.times import clock, moment
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace

Work = Literal["dream", "agent", "write", "import", "lock"]
"""`agent`: one of the owner's own, at which of its tasks is not known; `lock`: no more than a lock is known."""

Proof = Literal["refreshed", "record", "grows", "stands"]
"""How a sign tells that it is alive: a directory whose time is set again and again; a file that names its
process; a file that grows; not at all."""

State = Literal["running", "left", "unknown", "ended"]
"""At work; ended without taking its sign away; a sign that may be either; ended well."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing on the disk that tells of work on an owner's store.

    `place` is a path relative to the store's root (`{root}` = the root's name), a pattern in its last part. A
    sign that is `refreshed` or `grows` counts for `alive_s` seconds after its time. `source` is where all this
    is known from.
    """

    owner: str
    place: str
    work: Work
    proof: Proof
    alive_s: float | None
    source: str


_SESSIONS = "pi-memory's documentation of sessionPersistence (topics sheet 3); 2 minutes are memtui's own"

SIGNS = (
    Sign("amaster", "../{root}.lock", "dream", "refreshed", 30.0, "proper-lockfile 4.1.2 (entries sheet 7)"),
    # the documentation names the directory of all projects, the sheet that of one
    Sign("yandy", "sessions/*.jsonl", "agent", "grows", 120.0, _SESSIONS),
    Sign("yandy", "../sessions/*.jsonl", "agent", "grows", 120.0, _SESSIONS),
    Sign("yandy", "../../sessions/*.jsonl", "agent", "grows", 120.0, _SESSIONS),
    Sign("zcode", "../../.legacy-import.lock", "import", "stands", None, "pi-and-zcode sheet B1"),
    Sign("memweave", "*lock", "lock", "stands", None, "memweave sheet 1: name and kind are not known"),
    Sign("memweave", "*/tasks/*/*lock", "lock", "stands", None, "memweave sheet 1"),
)
"""Beside these an owner's lock for its writes is one, as its profile knows it."""


@dataclass(frozen=True, slots=True)
class Note:
    """A file below the root that an owner writes when a dream has ended, and the key of its time there."""

    owner: str
    name: str
    key: str
    source: str


ENDED = (
    Note("yandy", ".dream-meta.json", "lastDreamAt", "topics sheet 7"),
    Note("amaster", "dreaming-state.json", "lastConsolidatedAt", "entries sheet 7"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What stands at the place of a sign, `name` as a person is told of it; `data` only of records."""

    path: Path
    name: str
    kind: FileKind
    time: datetime | None
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Background:
    """Something at work on a store, or what it left.

    `at` is the last sign of life; `since` when it began, as it says itself, or when memtui saw it first
    (`is_later`: it was there before memtui looked). `is_shared`: its sign stands beside the memories of all
    projects. `pid`, `host`, `op` are what a record says, of which nothing is true for certain.
    """

    owner: str
    work: Work
    state: State
    path: Path
    name: str
    alive_s: float | None
    at: datetime | None = None
    is_shared: bool = False
    since: datetime | None = None
    is_later: bool = False
    pid: int = 0
    host: str = ""
    op: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Equal as long as there is nothing new to say."""
        return self.path, self.work, self.state, self.pid, self.op

    @property
    def may_write_over(self) -> bool:
        """Whether it changes texts without asking a lock whether somebody else did."""
        return self.state == "running" and self.work in ("dream", "agent")


def signs_of(store: Store) -> tuple[Sign, ...]:
    """The signs of work on a store."""
    own = tuple(sign for sign in SIGNS if sign.owner == store.owner)
    rule = store.profile.lock
    return own if rule is None else (*own, *_of_lock(store.owner, rule))


def _of_lock(owner: str, rule: LockRule) -> tuple[Sign, ...]:
    place = rule.name.replace("{file}", "*")
    if rule.kind == "directory":
        return (Sign(owner, place, "write", "refreshed", rule.stale_s, rule.source),)
    if rule.kind == "record":
        return (Sign(owner, place, "write", "record", None, rule.source),)
    # the file of an flock stays when nobody holds it
    return ()


Runs = Callable[[int], bool]
"""Whether a process of this machine has that id."""


def judge(sign: Sign, seen: Seen, now: datetime, host: str, runs: Runs) -> Background | None:
    """What a sign tells, None for nothing; `host` is this machine's name. Never raises."""
    found = Background(sign.owner, sign.work, "unknown", seen.path, seen.name, sign.alive_s, seen.time)
    if sign.proof == "refreshed":
        # a regular file in the place of such a lock is another program's, and stays
        return _aged(found, now, when_old="left") if seen.kind == "dir" else None
    if sign.proof == "grows":
        # a time far ahead is none of a file that is written now
        is_now = seen.time is not None and seen.time - now <= timedelta(seconds=sign.alive_s or 0)
        found = replace(found, is_shared=sign.place.startswith("../"))
        return _aged(found, now, when_old=None) if seen.kind == "file" and is_now else None
    if sign.proof == "record":
        return _of_record(found, seen, host, runs) if seen.kind == "file" else None
    return replace(found, since=seen.time)


def _aged(found: Background, now: datetime, *, when_old: State | None) -> Background | None:
    if found.at is None or found.alive_s is None:
        return None
    if now - found.at <= timedelta(seconds=found.alive_s):
        return replace(found, state="running")
    return None if when_old is None else replace(found, state=when_old)


def _of_record(found: Background, seen: Seen, host: str, runs: Runs) -> Background:
    record = _fields(seen.data)
    pid, its_host, op = record.get("pid"), record.get("hostname"), record.get("op")
    known_pid = pid if isinstance(pid, int) and not isinstance(pid, bool) and pid > 0 else 0
    state: State = "unknown"
    if known_pid and its_host == host:
        state = "running" if runs(known_pid) else "left"
    return replace(
        found,
        work="dream" if isinstance(op, str) and "dream" in op.lower() else found.work,
        state=state,
        since=moment(record.get("startedAt")) or found.at,
        pid=known_pid,
        host=its_host if isinstance(its_host, str) else "",
        op=op if isinstance(op, str) else "",
    )


def last_dream(store: Store, files: Mapping[str, StoredFile]) -> Background | None:
    """The dream that ended last, as its owner noted it in a file; None where there is no such note."""
    for note in ENDED:
        file = files.get(note.name) if note.owner == store.owner else None
        if file is not None and (at := moment(_fields(file.data or b"").get(note.key))) is not None:
            return Background(note.owner, "dream", "ended", store.root / note.name, note.name, None, at)
    return None


def tells_of_end(store: Store, path: str) -> bool:
    """Whether the file at this relative path is what an owner writes when a dream has ended."""
    return any((note.owner, note.name) == (store.owner, path) for note in ENDED)


def _fields(data: bytes) -> Mapping[str, object]:
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


# Words


def sentence(item: Background, now: datetime) -> str:
    """What is known of it; may hold text from disk."""
    words = _WORDS.get((item.state, item.work)) or _WORDS[item.state, "lock"]
    return words.format(
        owner=item.owner,
        name=item.name,
        where=_(" on this project or another") if item.is_shared else "",
        since=_since(item, now),
        at=clock(item.at, now),
        sign=_sign(item, now),
        holder=_holder(item),
    )


_WORDS: Mapping[tuple[State, Work], str] = {
    ("running", "dream"): _("a dream of {owner} is running{since} ({name}{sign})"),
    ("running", "agent"): _(
        "an agent of {owner} is at work in the background{where}{since}: dream, extraction or surfacing "
        "({name}{sign})"
    ),
    ("running", "write"): _("{owner} is writing{since}{holder} ({name})"),
    ("running", "lock"): _("{owner} is at work{since}{holder} ({name})"),
    ("unknown", "import"): _("{owner} brings memories over{since}, or was stopped in that ({name})"),
    ("unknown", "lock"): _("{name} of {owner} is there{since}{holder}: a program is at work, or was stopped"),
    ("left", "dream"): _("a dream of {owner} left {name} behind; last sign of life {at}"),
    ("left", "lock"): _("{owner} left {name} behind{since}{holder}; last sign of life {at}"),
    ("ended", "lock"): _("the last dream of {owner} ended {at}"),
}


def caution(item: Background, now: datetime) -> str:
    """What a person should know before a change beside it; '' where there is nothing to fear."""
    if not item.may_write_over:
        return ""
    return _("{sentence}; it may write over this").format(sentence=sentence(item, now))


def _since(item: Background, now: datetime) -> str:
    if item.since is None:
        return ""
    words = _(" since before {time}") if item.is_later else _(" since {time}")
    return words.format(time=clock(item.since, now))


def _sign(item: Background, now: datetime) -> str:
    """When it was seen alive, where it is not known since when."""
    if item.since is not None or item.at is None:
        return ""
    return _(", last sign of life {time}").format(time=clock(item.at, now, with_seconds=True))


def _holder(item: Background) -> str:
    if not item.pid:
        return ""
    return _(", process {pid} on {host} ({op})").format(pid=item.pid, host=item.host or "?", op=item.op or "?")
