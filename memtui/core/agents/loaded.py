"""What a running session carries of a memory, told from what is known of both. Pure.

Nothing is guessed: what it carries was taken at a moment that its session, its process or its owner's rules
tell, and whether that is as things are now is told by times, by memtui's own history, and by what other
sessions were given. How an owner computes a hash is not known, so hashes are only compared between sessions.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

from memtui.core.agents.loaded_table import ASSUMED, NOT_KNOWN, Row, row_of
from memtui.core.agents.loaded_ways import State, Way, Why
from memtui.core.sessions.times import clock
from memtui.late.dataclasses import dataclass

CLOCKS_DIFFER = timedelta(seconds=2)
"""A process that began so much later than its session was started with it, and has not resumed it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry of a session that says something of memory; `offset` is its place in the file.

    `given`: an owner gave it its index, `text` is the hash that it noted. `section`: the part of pi's system
    message named `text` changed. `shown`: texts of the files `names` were put before the model, by the owner's
    message of the type `text`. `read`: the tool `text` gave something of memory. `is_lost`: what was given was
    summarized away by a compaction since.
    """

    kind: Literal["given", "section", "compaction", "shown", "read"]
    when: datetime
    offset: int
    on_branch: bool = True
    text: str = ""
    names: tuple[str, ...] = ()
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a session's file says: `marks` are the newest first, of all branches.

    `began` is the time in its header, `first` that of its first entry, which a fork took over with all others;
    `spoke` when the person spoke last on this branch, `asked` when the model was asked last. `is_cut`: what
    stands further ahead was not looked at. `has_branches`: the conversation went back, and on from there.
    """

    began: datetime | None = None
    first: datetime | None = None
    is_fork: bool = False
    spoke: datetime | None = None
    asked: datetime | None = None
    is_cut: bool = False
    has_branches: bool = False
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class FileState:
    """A file of a memory as it is now, since `since`; `is_index`: it is what the owner loads.

    `spells` are earlier times, from and to, at which it is proven to have been the same. `title` is what the
    memory in it is called. One that is gone is known by its name and the time.
    """

    path: str
    since: datetime
    is_index: bool
    title: str = ""
    spells: tuple[tuple[datetime, datetime], ...] = ()

    def was_other(self, when: datetime) -> bool:
        """Whether it may have been another one at a moment."""
        return self.since > when and not any(first <= when <= last for first, last in self.spells)


@dataclass(frozen=True, slots=True)
class MemoryNow:
    """A memory as it is on disk. `off_because` says which configuration keeps its index from the agent, '' =
    none does. `given` is what other sessions were given of it: hash and time."""

    files: tuple[FileState, ...] = ()
    off_because: str = ""
    given: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a session carries: the `row` of the table that says it, and what goes into its placeholders.

    `when` is when it was taken, `why` holds text from disk.
    """

    row: Row
    way: Way | None = None
    when: datetime | None = None
    file: str = ""
    version: str = ""
    name: str = ""
    why: str = ""

    @property
    def state(self) -> State:
        """How it stands to what is on disk."""
        return self.row.state

    def carries(self, now: datetime) -> str:
        """The sentence of what it carries, without its subject; may hold text from disk."""
        said = self.row.carries.format(
            when=clock(self.when, now), file=self.file, version=self.version, name=self.name, why=self.why
        )
        if self.way is None or self.version:
            return said
        return f"{said} {ASSUMED.format(name=self.way.name, versions=self.way.versions.text)}"


def not_known(why: Why, *, name: str = "", version: str = "") -> Loaded:
    """That it is not known, and why."""
    return Loaded(NOT_KNOWN[why], name=name, version=version)


def loaded(
    way: Way, version: str, said: Conversation | None, process: datetime | None, memory: MemoryNow
) -> Loaded:
    """What a session carries of a memory, with a program of these ways.

    `said` is None where it is not known which session it is, `process` when the program was started.
    """
    if memory.off_because:
        return _found(way, version, "off", why=memory.off_because)
    if not memory.files:
        return _found(way, version, "empty")
    if said is None:
        if "process" not in way.taken or process is None:
            return not_known("no-session")
        said = Conversation()
    if way.given:
        return _given(way, version, said, process, memory)
    if way.is_always_new:
        last = said.asked if "request" in way.taken else said.spoke
        changed = last is not None and _changed(memory.files, last, way, is_index=True)
        return _found(way, version, "index-changed" if changed else "unchanged", last)
    return _taken(way, version, said, process, memory)


def _given(way: Way, version: str, said: Conversation, process: datetime | None, memory: MemoryNow) -> Loaded:
    """For an owner that notes in the session what it gave it."""
    marks = [mark for mark in said.marks if mark.kind == "given"]
    mine = next((mark for mark in marks if mark.on_branch), None)
    other = next((mark for mark in marks if not mark.on_branch), None)
    # a program that was started since looked at this branch alone
    is_older = process is None or other is None or process <= other.when
    if other is not None and is_older and (mine is None or other.when > mine.when):
        return _found(way, version, "branch-switched", other.when)
    if mine is None:
        return not_known("too-long") if said.is_cut else _found(way, version, "never")
    if mine.is_lost:
        return _found(way, version, "compacted", mine.when)
    is_changed = bool(_changed(memory.files, mine.when, way, is_index=True))
    for text, when in memory.given:
        if when > mine.when:
            newest = max((file.since for file in memory.files if file.is_index), default=when)
            # another session was given what is there now: the same text is the same index
            is_changed = text != mine.text if when >= newest else is_changed
    if is_changed:
        return _found(way, version, "index-changed", mine.when)
    return _as_it_is(way, version, said, process, memory, mine.when)


def _taken(way: Way, version: str, said: Conversation, process: datetime | None, memory: MemoryNow) -> Loaded:
    """For an owner whose rules say when it takes its memory."""
    times = [_start(way, said, process)]
    compactions = [mark.when for mark in said.marks if mark.kind == "compaction" and mark.on_branch]
    if "compaction" in way.taken:
        if said.is_cut and not compactions:
            return not_known("too-long")
        times += compactions[:1]
    if _has_read_anew(way, said, process):
        times.append(process)
    known = [time for time in times if time is not None]
    if not known:
        return not_known("no-session")
    when = max(known)
    if way.by_branch:
        others = [mark.when for mark in said.marks if mark.kind == "compaction" and not mark.on_branch]
        if others and others[0] > when:
            return _found(way, version, "branch-switched", when)
    if not _changed(memory.files, when, way, is_index=True):
        return _as_it_is(way, version, said, process, memory, when)
    if _may_have_read_anew(way, said, process, when):
        assert process is not None
        if not _changed(memory.files, process, way, is_index=True):
            return not_known("resumed")
    return _found(way, version, "index-changed", when)


def _has_read_anew(way: Way, said: Conversation, process: datetime | None) -> bool:
    """Whether a program that was started with an older session is seen to have taken its memory then."""
    if process is None or not way.is_unsure_resumed or not _is_resumed(said, process):
        return False
    sections = [mark.when for mark in said.marks if mark.kind == "section" and mark.on_branch]
    return any(when >= process for when in sections)


def _may_have_read_anew(way: Way, said: Conversation, process: datetime | None, when: datetime) -> bool:
    """Whether it may have, which shows with what is said next."""
    if process is None or not way.is_unsure_resumed or not _is_resumed(said, process):
        return False
    return when < process and (said.spoke is None or said.spoke < process)


def _start(way: Way, said: Conversation, process: datetime | None) -> datetime | None:
    began = said.first if "recorded" in way.taken and said.is_fork and said.first is not None else said.began
    if "process" in way.taken or began is None:
        return max((time for time in (began, process) if time is not None), default=None)
    return began


def _as_it_is(
    way: Way,
    version: str,
    said: Conversation,
    process: datetime | None,
    memory: MemoryNow,
    when: datetime,
) -> Loaded:
    """Where what it carries is as it is on disk: what else happened since."""
    changed = _changed(memory.files, when, way, is_index=False)
    if changed:
        file = _shown_before(way, said, changed, process)
        return _found(way, version, "body-changed" if file is None else "body-shown", when, file=file or "")
    if any(mark.kind == "compaction" and mark.on_branch and mark.when >= when for mark in said.marks):
        state: State = "compacted" if not way.loses else "unchanged"
        return _found(way, version, state, when)
    if said.has_branches and row_of(way, "branch-switched") is not None and not way.by_branch:
        return _found(way, version, "branch-switched", when)
    return _found(way, version, "resumed" if _is_resumed(said, process) else "unchanged", when)


def _is_resumed(said: Conversation, process: datetime | None) -> bool:
    return process is not None and said.began is not None and process - said.began > CLOCKS_DIFFER


def _shown_before(
    way: Way, said: Conversation, changed: Iterable[FileState], process: datetime | None
) -> str | None:
    """A changed file whose text the session was shown before ('' where it is not said which); None for none.

    What was shown is remembered by the running program alone.
    """
    at = {name: file for file in changed for name in (file.path, file.title) if name}
    for mark in said.marks:
        if mark.kind == "compaction" and mark.on_branch and way.forgets:
            return None
        if mark.kind == "shown" and mark.text == way.shown and (process is None or mark.when >= process):
            old = [at[name].path for name in mark.names if name in at and mark.when < at[name].since]
            if old:
                return old[0]
        is_read = mark.kind == "read" and mark.text in way.reads and mark.on_branch
        if is_read and any(mark.when < file.since for file in at.values()):
            return ""
    return None


def _changed(files: Iterable[FileState], when: datetime, way: Way, *, is_index: bool) -> tuple[FileState, ...]:
    """The files of one kind that are other than at a moment."""
    return tuple(
        file for file in files if file.was_other(when) and (file.is_index or way.bodies == "whole") is is_index
    )


def _found(
    way: Way, version: str, state: State, when: datetime | None = None, *, file: str = "", why: str = ""
) -> Loaded:
    row = row_of(way, state)
    if row is None:
        raise LookupError(f"{way.name} has no row for {state}")
    return Loaded(row, way, when, file, version, way.name, why)
