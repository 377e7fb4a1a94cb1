"""What other programs changed in the stores of a workspace since memtui looked, and the plan that undoes it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.changes import Written, expected_files
from memtui.core.changes.rows import ChangedRow, changed_rows
from memtui.core.errors import (
    ConflictError,
    MemtuiError,
    NothingToDoError,
    RefusedError,
    StorageError,
    explain,
)
from memtui.core.history.journal import Journal
from memtui.core.history.records import Record
from memtui.core.history.reverted import reverted_in
from memtui.core.history.sightings import Sighting, content_of, stored_files
from memtui.core.layouts.base import Refusal, Snapshot, Store, StoredFile
from memtui.core.layouts.table import LAYOUTS
from memtui.core.operations.plan import Link, Plan, Trash, Write
from memtui.core.operations.refusals import error_of
from memtui.core.operations.restoring import VERB as RESTORE
from memtui.core.operations.restoring import Restoring, joined, plan_restore
from memtui.core.search.base import Cancelled
from memtui.core.search.origin import trace_of
from memtui.core.search.writers import Sought, Writer, find_writers
from memtui.core.sessions.base import Session
from memtui.core.sessions.reader import never
from memtui.core.workspace import Outcome, Workspace
from memtui.core.writing.current import read_bytes
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

Since = Literal["start", "last"] | datetime
"""memtui's start (for a command: that of the app that ran last), the last look before it, or a time."""


@dataclass(frozen=True, slots=True)
class ByOthers:
    """One thing that other programs changed.

    It happened between two looks: `after` one at which it was as before, `until` one at which it was not;
    `updated` is its file's time where that lies between them. `came_back` says when it had been deleted from
    here, '' where it had not; `undid` are the changes of memtui's own that it wiped out, by id with summaries.
    """

    row: ChangedRow
    after: datetime
    until: datetime
    updated: datetime | None = None
    came_back: str = ""
    undid: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class StoreChanges:
    """What others changed in a store: as it would be without them (`before`), and as it is `now`.

    `since` is the look that is compared with, None where memtui had never looked at the store; `is_exact` is
    False where nothing is kept from the time that was asked for, and `since` is later.
    """

    store: Store
    since: datetime | None
    is_exact: bool
    before: Snapshot
    now: Snapshot
    rows: tuple[ByOthers, ...]


Wanted = tuple[StoreChanges, Collection[str]]
"""Rows of a store that are to be brought back, by their ids."""


class Others:
    """Changes by others in the stores of one workspace.

    `run` names the run of memtui that notes what it sees, '' for a command.
    """

    def __init__(self, workspace: Workspace, run: str = "") -> None:
        self._workspace = workspace
        self._run = run
        env, keeps = workspace.env, workspace.config.history.enabled
        self._journal = Journal(env.state_dir, env.now, keeps=keeps)

    @staticmethod
    def new_run() -> str:
        """A name for a run of memtui."""
        return secrets.token_hex(4)

    @property
    def is_kept(self) -> bool:
        """Whether anything is remembered: the history may be switched off."""
        return self._journal.keeps

    # Noting

    def note(self, snapshot: Snapshot, *, ends: bool = False) -> int:
        """Remember what a store looks like, where that is new; gives the bytes that were kept for it.

        `ends`: the look is the last of this run. Raises StorageError; while another memtui notes something, or
        with the history off, nothing is.
        """
        store = snapshot.store
        if not self.is_kept or store.profile.tail_bytes is not None:
            return 0
        if not snapshot.files and not self._journal.sightings.of(store.root, store.layout):
            return 0
        when = store.read_at or self._workspace.env.now()
        run = self._run or self.new_run()
        try:
            return self._journal.sightings.note(store, snapshot.files.values(), when, run, ends=ends) or 0
        except TimeoutError:
            return 0
        except OSError as error:
            raise StorageError(explain(error)) from error

    def keeping(self, snapshot: Snapshot) -> Iterator[None]:
        """Keep what `note` would keep of a store, a few texts at a time. Raises StorageError."""
        if not self.is_kept or snapshot.store.profile.tail_bytes is not None:
            return
        try:
            yield from self._journal.sightings.keeping(snapshot.store, snapshot.files.values())
        except OSError as error:
            raise StorageError(explain(error)) from error

    # Looking

    def changes(self, since: Since = "last", store_name: str = "") -> tuple[StoreChanges, ...]:
        """What others changed in the used stores, or in that one. Raises RefusedError with the history off."""
        self.require_kept()
        return tuple(self.changes_in(snapshot, since) for snapshot in self._workspace.snapshots(store_name))

    def require_kept(self) -> None:
        """Raises RefusedError with the history off."""
        if not self.is_kept:
            raise RefusedError(
                _("the history is switched off (history: enabled): memtui remembers nothing of what was"),
                code="history-off",
            )

    def changes_in(self, now: Snapshot, since: Since = "last") -> StoreChanges:
        """What others changed in a store until a look at it."""
        log = self._journal.sightings.of(now.store.root, now.store.layout)
        at, is_exact = _point(log, since, self._run)
        if at is None:
            return StoreChanges(now.store, None, is_exact, now, now, ())
        point = log[at]
        written = self._written_since(point.when)
        if not written and _is_as_seen(point, now):
            return StoreChanges(now.store, point.when, is_exact, now, now, ())
        before = self._without_ours(now.store, point, now, written)
        back = {item.memory: item for item in now.problems if item.code == "came-back"}
        found, rows = changed_rows(before, now), []
        wiped_out = self._wiped_out(now.store.root) if found else {}
        for row in found:
            after, until, updated = _when(row, log[at:], now)
            problem = back.get(row.now.id) if row.now is not None else None
            undid = tuple(change for change, paths in wiped_out.items() if _is_about(row, paths, now))
            said = "" if problem is None else problem.message
            rows.append(ByOthers(row, after, until, updated, said, undid))
        return StoreChanges(now.store, point.when, is_exact, before, now, tuple(rows))

    def writers(
        self, changes: Iterable[StoreChanges], sessions: Iterable[Session], cancelled: Cancelled = never
    ) -> Mapping[tuple[str, str], Writer]:
        """The sessions whose calls made these changes, by the ids of store and row, where a call shows it.

        Reads sessions; may run on any thread. Never raises.
        """
        sought = {}
        for item in changes:
            for change in item.rows:
                row = change.row
                gone = row.how == "removed"
                memory, side = (row.was, item.before) if gone else (row.now, item.now)
                if memory is not None:
                    sought[item.store.id, row.id] = Sought(trace_of(side, memory), gone, change.after)
        return find_writers(sought, sessions, self._workspace.env.home, cancelled)

    # The way back

    def plan_restore(self, wanted: Sequence[Wanted]) -> Plan:
        """What bringing these rows back means now, as one change of all their stores; what cannot be brought
        back is named in the notes.

        Raises RefusedError or ConflictError where nothing can; writes nothing.
        """
        plans: list[Plan] = []
        errors: list[MemtuiError] = []
        for changes, row_ids in _by_directory(wanted):
            try:
                plans.append(self._plan(changes, row_ids))
            except (RefusedError, ConflictError) as error:
                errors.append(error)
        if not plans:
            raise errors[0] if errors else NothingToDoError(_("there is nothing to bring back"))
        return joined(plans, [error.message for error in errors])

    def restore(self, wanted: Sequence[Wanted], *, takes_over: Collection[Path] = ()) -> Outcome:
        """Bring rows back, as one change. Raises as `plan_restore` and `Workspace.run`."""
        return self._workspace.apply(lambda: self.plan_restore(wanted), takes_over=takes_over)

    # Inside

    def _plan(self, changes: StoreChanges, row_ids: Collection[str]) -> Plan:
        store = changes.store
        if not store.writable or store.profile.read_only:
            reason = store.profile.read_only or _("{root} cannot be written").format(root=store.root)
            raise RefusedError(reason, code="read-only")
        rows = tuple(item.row for item in changes.rows if item.row.id in row_ids)
        wish = Restoring(changes.before, changes.now, rows)
        plan = plan_restore(LAYOUTS[store.layout], wish, self._workspace.scan(store))
        if isinstance(plan, Refusal):
            raise error_of(plan)
        return plan

    def _wiped_out(self, root: Path) -> dict[tuple[str, str], set[str]]:
        """Changes of memtui's own over which others wrote an older copy: id and summary, and their files."""
        found = {}
        journal = self._journal
        for change_id, summary in reverted_in(root, journal.records(), journal.objects, read_bytes).items():
            record = journal.record(change_id)
            steps = () if record is None else record.steps
            paths = {s.path.relative_to(root).as_posix() for s in steps if s.path.is_relative_to(root)}
            found[change_id, summary] = paths
        return found

    def _without_ours(
        self, store: Store, point: Sighting, now: Snapshot, written: Sequence[Written]
    ) -> Snapshot:
        """The store as it would be if since then only memtui had changed it."""
        layout = LAYOUTS[store.layout]
        before = layout.scan(store, _as_read(stored_files(point, self._journal.objects, now.files), now))
        files = expected_files(before, now, written)
        return before if files is None else layout.scan(store, files)

    def _written_since(self, when: datetime) -> list[Written]:
        """What memtui itself wrote, oldest first; what the history no longer holds is left out."""
        records: list[Record] = []
        for record in self._journal.records():
            if record.when < when:
                break
            if record.state == "done" and not self._brings_back(record):
                records.append(record)
        found = (self._as_written(step) for record in reversed(records) for step in record.steps)
        return [item for item in found if item is not None]

    def _brings_back(self, record: Record) -> bool:
        """Whether a change brought back what others had taken: it made nothing that was not there before."""
        about = record if record.target is None else self._journal.record(record.target)
        return about is not None and about.verb == RESTORE

    def _as_written(self, step: object) -> Written | None:
        get = self._journal.objects.get
        if isinstance(step, Trash):
            before = get(step.before)
            return None if before is None else Written(step.path, before, None, is_link=step.is_symlink)
        if isinstance(step, Link):
            return Written(step.path, None, get(step.after), is_link=True)
        if not isinstance(step, Write):
            return None
        before, after = None if step.before is None else get(step.before), get(step.after)
        if after is None or (step.before is not None and before is None):
            return None
        return Written(step.path, before, after)


def _is_as_seen(point: Sighting, now: Snapshot) -> bool:
    contents = ((path, content_of(file)) for path, file in now.files.items())
    there = {path: content for path, content in contents if content is not None}
    return there == {path: seen.content for path, seen in point.files.items()}


def _by_directory(wanted: Sequence[Wanted]) -> list[Wanted]:
    """The same, with the rows of stores that are one directory in one place."""
    found: dict[tuple[Path, str], Wanted] = {}
    for changes, row_ids in wanted:
        key = (fs.real_path(changes.store.root), changes.store.layout)
        first, known = found.get(key, (changes, ()))
        found[key] = (first, tuple(dict.fromkeys((*known, *row_ids))))
    return list(found.values())


def _is_about(row: ChangedRow, paths: set[str], now: Snapshot) -> bool:
    if row.file in paths:
        return True
    # a change of its index line alone
    hooks = [memory.hook for memory in (row.was, row.now) if memory is not None]
    return len(set(hooks)) > 1 and paths == {now.store.profile.index_name}


def _as_read(files: Sequence[StoredFile], now: Snapshot) -> list[StoredFile]:
    """The files of a look, with what is not kept of a store as it is now: nothing can be said about that."""
    known = {file.path for file in files}
    others = [
        file
        for file in now.files.values()
        if file.path not in known and (file.kind not in ("file", "symlink") or file.data is None or file.offset)
    ]
    return [*files, *others]


def _point(log: Sequence[Sighting], since: Since, run: str) -> tuple[int | None, bool]:
    """The number of the sighting that is compared with, and whether it is the one that was asked for."""
    if not log:
        return None, False
    own = [number for number, sighting in enumerate(log) if sighting.run == (run or log[-1].run)]
    if since == "start":
        return (own[0] if own else len(log) - 1), True
    if since == "last":
        if not run or not own:
            return len(log) - 1, True
        return (own[0] - 1, True) if own[0] else (0, False)
    earlier = [number for number, sighting in enumerate(log) if sighting.when <= since]
    return (earlier[-1], True) if earlier else (0, False)


def _when(
    row: ChangedRow, log: Sequence[Sighting], now: Snapshot
) -> tuple[datetime, datetime, datetime | None]:
    """The looks between which a row came to be as it is, and its file's time where that lies between."""
    read_at = now.store.read_at or log[-1].when
    index = now.store.profile.index_name
    for path in (row.file, index):
        states = [_content(sighting, path) for sighting in log]
        file = now.files.get(path)
        updated = None if file is None or row.how == "removed" else file.updated
        times = [sighting.when for sighting in log]
        if _content(log[-1], path) != content_of(file):
            return times[-1], read_at, _within(updated, times[-1], read_at)
        for number in range(len(states) - 1, 0, -1):
            if states[number] != states[number - 1]:
                after, until = times[number - 1], times[number]
                return after, until, _within(updated, after, until)
    return log[0].when, read_at, None


def _content(sighting: Sighting, path: str) -> tuple[str, ...] | None:
    seen = sighting.files.get(path)
    return None if seen is None else seen.content


def _within(moment: datetime | None, after: datetime, until: datetime) -> datetime | None:
    return moment if moment is not None and after <= moment <= until else None
