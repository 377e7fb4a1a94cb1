"""The one way a byte in a store changes: lock, compare, journal, steps, verify, hand over.

`apply` knows plans and no layouts: what a plan means on newer bytes it asks of `replan`.
"""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Collection
from pathlib import Path

from memtui.core import fs
from memtui.core.changes import Written
from memtui.core.errors import ConflictError, LockedError, MemtuiError, StorageError, explain
from memtui.core.history.journal import Journal, OpenChange
from memtui.core.history.reverted import is_in_effect
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Link, Plan, Step, Trash, WholeFile, Write
from memtui.core.text.merge import split_lines
from memtui.core.writing import whole_files
from memtui.core.writing.current import Overtaken, Stuck, expects, read_bytes, read_calm, read_identity
from memtui.core.writing.execution import Execution
from memtui.core.writing.guard import check_inside, refuse_link, store_locks
from memtui.core.writing.handover import HandOver
from memtui.core.writing.owner_locks import Waits, owner_locks
from memtui.core.writing.rollback import RollBack
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

REPLANS = 3
"""How often a plan is made anew because its files changed; then merging takes over."""

ATTEMPTS = 6

FAILED_SETTLE_S = 0.1
"""How long the files that a failed change had replaced are looked at before the failure is reported."""

Replan = Callable[[], Plan]
"""The same intent on today's bytes. Raises ConflictError or RefusedError when it no longer means the same."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of a plan: the change's id (None = there was nothing to do), notes for the person, whether
    another program wiped it out at once, the replaced files that still wait (`settle` them), and what was
    meant to be written."""

    change_id: str | None
    notes: tuple[str, ...] = ()
    reverted: bool = False
    handovers: tuple[HandOver, ...] = ()
    written: tuple[Written, ...] = ()


def apply(
    plan: Plan,
    replan: Replan,
    journal: Journal,
    state_dir: Path,
    *,
    takes_over: Collection[Path] = (),
    waits: Waits | None = None,
) -> Applied:
    """Make a plan's changes, all of them or none; `takes_over` are owners' locks that were left behind, `waits`
    hears of those that are waited for.

    Raises ConflictError (another program was there first; nothing was written), RefusedError (a symlink, or a
    path that leads out of the store), LockedError and StorageError (the disk refused; what had been done was
    taken back).
    """
    handovers: list[HandOver] = []
    try:
        applied = _try(plan, replan, journal, state_dir, handovers, takes_over, waits)
    except BaseException:
        for handover in handovers:
            handover.settle(FAILED_SETTLE_S)
        raise
    return dataclasses.replace(applied, handovers=tuple(handovers))


def _try(
    plan: Plan,
    replan: Replan,
    journal: Journal,
    state_dir: Path,
    handovers: list[HandOver],
    takes_over: Collection[Path],
    waits: Waits | None,
) -> Applied:
    for attempt in range(ATTEMPTS):
        if not plan.steps:
            return Applied(None, plan.notes)
        owners = owner_locks(plan.locks, plan.verb, takes_over=takes_over, waits=waits)
        with store_locks(state_dir, plan.roots), owners:
            overtaken = _first_changed(plan, journal)
            if overtaken is not None:
                # whoever waits for these locks cannot change the files before they are let go
                fresh = replan()
                if fresh.steps and fresh.roots == plan.roots and set(fresh.locks) <= set(plan.locks):
                    plan, overtaken = fresh, _first_changed(fresh, journal)
            if overtaken is None or (attempt >= REPLANS and _may_merge(plan)):
                result = _carry_out(plan, journal, state_dir, handovers)
                if isinstance(result, Applied):
                    return result
                overtaken = result
        last_path = overtaken
        plan = replan()
    raise _conflict(plan, last_path)


def _carry_out(plan: Plan, journal: Journal, state_dir: Path, handovers: list[HandOver]) -> Applied | Path:
    """The result, or the file at which another program was faster (then everything is as it was)."""
    missing_dirs = _missing_dirs(plan)
    change = _begin(plan, journal, missing_dirs)
    handover = HandOver(change, lambda: store_locks(state_dir, plan.roots))
    execution = Execution(plan, change, handover, missing_dirs)
    try:
        execution.run()
        handover.look_before_done()
        in_effect = [_is_in_effect(step, journal) for step in execution.steps]
        change.finish("done")
    except (OSError, Overtaken) as error:
        _take_back(execution, change, handover, handovers, missing_dirs)
        if isinstance(error, Overtaken):
            return error.path
        raise StorageError(
            _("{reason} Nothing was changed.").format(reason=_explain(error, plan, change))
        ) from error
    except BaseException:
        # interrupted from the keyboard, say: better all old than half new until the next start
        with contextlib.suppress(MemtuiError):
            _take_back(execution, change, handover, handovers, missing_dirs)
        raise
    handovers.append(handover)
    notes = (*plan.notes, *execution.notes)
    reverted = not all(in_effect)
    if reverted:
        notes = (*notes, _("another program wrote an older copy back over this change at once"))
    return Applied(change.id, notes, reverted, written=_written(plan))


def _written(plan: Plan) -> tuple[Written, ...]:
    # whole files are sessions: no snapshot of a store holds them
    return tuple(_as_written(step, plan) for step in plan.steps if not isinstance(step, WholeFile))


def _as_written(step: Write | Trash | Link, plan: Plan) -> Written:
    if isinstance(step, Trash):
        return Written(step.path, plan.blobs[step.before], None, is_link=step.is_symlink)
    if isinstance(step, Write):
        before = None if step.before is None else plan.blobs[step.before]
        return Written(step.path, before, plan.blobs[step.after])
    return Written(step.path, None, plan.blobs[step.after], is_link=True)


def _begin(plan: Plan, journal: Journal, missing_dirs: tuple[Path, ...]) -> OpenChange:
    try:
        return journal.begin(plan, missing_dirs)
    except TimeoutError:
        raise LockedError(
            _("another memtui holds the history; nothing was written, try again in a moment")
        ) from None
    except OSError as error:
        raise StorageError(
            _("{reason} Without a history nothing is changed.").format(reason=explain(error))
        ) from error


def _take_back(
    execution: Execution,
    change: OpenChange,
    handover: HandOver,
    handovers: list[HandOver],
    missing_dirs: tuple[Path, ...],
) -> None:
    roll_back = RollBack(execution.steps, execution.blobs, change, handover, execution.own_inodes)
    try:
        roll_back.run(execution.started)
    except Stuck as stuck:
        if stuck.stands:
            change.close()
            raise StorageError(
                _("the change was interrupted, and it stands; memtui brings it to its end at its next start")
            ) from None
        handovers.append(handover)
        raise ConflictError(
            _(
                "another program wrote over a change that was being taken back; `memtui undo {id}` finishes it"
            ).format(id=change.id)
        ) from None
    except OSError as error:
        # the temps stay: recovery needs them
        change.close()
        raise StorageError(
            _("{reason} The change was interrupted; memtui takes it back at its next start.").format(
                reason=explain(error)
            )
        ) from error
    with contextlib.suppress(OSError):
        # on a full disk, say: the files are as they were, and recovery will see that for itself
        change.finish("rolled-back")
    handover.spare_dirs = missing_dirs
    handovers.append(handover)


def _first_changed(plan: Plan, journal: Journal) -> Path | None:
    """The first file that is not as planned. Raises RefusedError for one that is not to be written at all."""
    for step in plan.steps:
        check_inside(step.path, plan.roots)
    for step in plan.steps:
        if isinstance(step, WholeFile):
            if not _is_as_planned(step, plan):
                return step.path
            continue
        wanted, is_symlink = expects(step)
        if not is_symlink and fs.kind_of(step.path) == "symlink":
            raise refuse_link(step.path)
        try:
            if is_symlink or wanted is None:
                current = read_identity(step.path, is_symlink=is_symlink)
            else:
                image = read_calm(step.path, plan.blobs[wanted])
                current = None if image is None else image.data
        except OSError as error:
            if is_symlink and error.errno == errno.EINVAL:
                # a file stands where a link was, or was to be
                return step.path
            raise StorageError(
                _("{reason} Nothing was changed.").format(reason=explain(error, step.path))
            ) from error
        if (None if current is None else digest(current)) != wanted:
            _keep_versions(journal, plan, step, current)
            return step.path
    return None


def _is_as_planned(step: WholeFile, plan: Plan) -> bool:
    if fs.kind_of(step.path) == "symlink":
        raise refuse_link(step.path)
    try:
        return whole_files.is_as_planned(step, plan.blobs)
    except OSError as error:
        raise StorageError(
            _("{reason} Nothing was changed.").format(reason=explain(error, step.path))
        ) from error


def _keep_versions(journal: Journal, plan: Plan, step: Write | Trash | Link, current: bytes | None) -> None:
    """Every version that was read goes to the history, also the one a plan was made on in vain."""
    wanted, _is_symlink = expects(step)
    versions = (current, None if wanted is None else plan.blobs[wanted])
    try:
        journal.objects.put_all({digest(data): data for data in versions if data is not None})
    except OSError as error:
        raise StorageError(
            _("{reason} Without a history nothing is changed.").format(reason=explain(error))
        ) from error


def _may_merge(plan: Plan) -> bool:
    return all(
        fs.kind_of(step.path) == "file"
        if isinstance(step, Write) and step.before is not None
        else not isinstance(step, Trash | WholeFile)
        or (isinstance(step, Trash) and fs.kind_of(step.path) is not None)
        for step in plan.steps
    )


def _missing_dirs(plan: Plan) -> tuple[Path, ...]:
    missing: list[Path] = []
    for step in plan.steps:
        directory = step.path.parent
        while directory not in missing and fs.kind_of(directory) is None and directory.parent != directory:
            missing.append(directory)
            directory = directory.parent
    return tuple(sorted(missing, key=lambda path: len(path.parts)))


def _is_in_effect(step: Step, journal: Journal) -> bool:
    if not isinstance(step, Write | Trash) or (isinstance(step, Trash) and step.is_symlink):
        return True
    after = journal.objects.get(step.after) if isinstance(step, Write) else None
    before = None if step.before is None else journal.objects.get(step.before)
    try:
        now = read_bytes(step.path)
    except OSError:
        return False
    if now is not None and now != after:
        journal.objects.put(now)
    return is_in_effect(before, after, now)


def _explain(error: OSError, plan: Plan, change: OpenChange) -> str:
    """With the memory's own file as the place where it happened to a temp file beside it."""
    names = {str(temp.path): step.path for temp, step in zip(change.temps, plan.steps, strict=False)}
    return explain(error, names.get(str(error.filename)))


def _conflict(plan: Plan, path: Path) -> ConflictError:
    theirs: tuple[str, ...] = ()
    step = next((step for step in plan.steps if step.path == path), None)
    wanted = None if step is None or isinstance(step, WholeFile) else expects(step)[0]
    if wanted is not None:
        base = split_lines(plan.blobs[wanted])
        now: list[bytes] = []
        with contextlib.suppress(OSError):
            now = split_lines(read_bytes(path) or b"")
        theirs = tuple(
            sign + line.decode("utf-8", "surrogateescape").rstrip("\r\n")
            for sign, lines, others in (("- ", base, now), ("+ ", now, base))
            for line in lines
            if line not in others
        )
    return ConflictError(
        _("{name} keeps being changed by another program. Nothing was written; try again in a moment.").format(
            name=path.name
        ),
        theirs=theirs,
    )
