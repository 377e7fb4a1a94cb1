"""Intent and snapshot to plan: every edit in order on the result of the one before, one write a file.

Pure: previews, `--dry-run`, replanning beside a live agent and the golden tests are this same code.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.layouts.base import (
    Draft,
    Edit,
    FileChange,
    Layout,
    Refusal,
    Rename,
    Snapshot,
    Store,
    StoredFile,
    digest,
)
from memtui.core.layouts.many import EditsMany
from memtui.core.operations.ids import Ids
from memtui.core.operations.plan import Intent, Link, OwnerLock, Plan, Step, Trash, Write
from memtui.i18n import _
from memtui.late import dataclasses


def intend(layout: Layout, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...]) -> Intent:
    """What a person asked, together with what they saw when they asked it."""
    seen = tuple(layout.seen(snapshot, edit) for edit in edits)
    return Intent(verb, snapshot.store.id, edits, seen)


def make_plan(layout: Layout, snapshot: Snapshot, intent: Intent) -> Plan | Refusal:
    """The exact steps that an intent means on this snapshot, or why it is not possible.

    Every edit is checked against what was seen: one that is about something another program has changed
    since gives a Refusal with `conflict`.
    """
    for edit, seen in zip(intent.edits, intent.seen, strict=True):
        if seen and layout.seen(snapshot, edit) != seen:
            return _overtaken(edit, snapshot)
    drafts = _drafts(layout, snapshot, intent.edits)
    if isinstance(drafts, Refusal):
        return drafts
    changes = [change for draft in drafts for change in draft.changes]
    notes = [note for draft in drafts for note in draft.notes]
    plan = plan_of(snapshot, changes, _summary(drafts), intent.verb, notes)
    if any(isinstance(edit, Rename) for edit in intent.edits):
        plan = dataclasses.replace(plan, steps=tuple(_name_successor(list(plan.steps))))
    return plan


def _drafts(layout: Layout, snapshot: Snapshot, edits: Sequence[Edit]) -> Sequence[Draft] | Refusal:
    """What the edits do, one after the other, or all at once where the layout can."""
    if len(edits) > 1 and isinstance(layout, EditsMany):
        at_once = layout.edit_many(snapshot, edits)
        if at_once is not None:
            return at_once
    current, ids = snapshot, Ids(snapshot)
    drafts: list[Draft] = []
    for wish in edits:
        edit_now = ids.of_now(wish)
        if edit_now is None:
            continue
        result = layout.edit(current, edit_now)
        if isinstance(result, Refusal):
            return result
        drafts.append(result)
        if wish is not edits[-1]:
            following = _after(layout, current, result)
            ids.follow(edit_now, current, following)
            current = following
    return drafts


def plan_of(
    snapshot: Snapshot, changes: Sequence[FileChange], summary: str, verb: str, notes: Sequence[str] = ()
) -> Plan:
    """The steps that give the files of a snapshot new bytes: one write a file, bodies before the index on the
    way in and behind it on the way out."""
    changes = _merge_changes(list(changes))
    steps, blobs = _steps(snapshot, changes)
    return Plan(
        store_id=snapshot.store.id,
        root=snapshot.store.root,
        steps=tuple(steps),
        blobs=blobs,
        summary=summary,
        verb=verb,
        locks=owner_locks(snapshot.store, [change.path for change in changes]),
        notes=tuple(dict.fromkeys(notes)),
        creates_root=not snapshot.store.exists,
    )


def owner_locks(store: Store, paths: Sequence[str]) -> tuple[OwnerLock, ...]:
    """The owner's locks that writing these files (relative to the root) takes, each once, in a fixed order."""
    rule = store.profile.lock
    if rule is None:
        return ()
    names = sorted({rule.name.replace("{file}", path) for path in paths})
    return tuple(OwnerLock(store.root / name, rule) for name in names)


def in_order(locks: Sequence[OwnerLock]) -> tuple[OwnerLock, ...]:
    """Owners' locks of several stores, each once, in an order that is the same for everyone."""
    return tuple({lock.path: lock for lock in sorted(locks, key=lambda lock: lock.path)}.values())


def join_plans(plans: Sequence[Plan], verb: str, summary: str, notes: Sequence[str], *, of: Plan) -> Plan:
    """Plans of several stores, carried out in this order, as one change that the history knows as one `of`
    that store; `notes` stand before their own."""
    return Plan(
        store_id=of.store_id,
        root=of.root,
        steps=tuple(step for plan in plans for step in plan.steps),
        blobs={key: data for plan in plans for key, data in plan.blobs.items()},
        summary=summary,
        verb=verb,
        locks=in_order([lock for plan in plans for lock in plan.locks]),
        notes=tuple(dict.fromkeys([*notes, *(note for plan in plans for note in plan.notes)])),
        creates_root=any(plan.creates_root for plan in plans),
        other_roots=tuple(plan.root for plan in plans if plan is not of),
    )


def _overtaken(edit: Edit, snapshot: Snapshot) -> Refusal:
    about = getattr(edit, "memory_id", snapshot.store.profile.index_name)
    message = _("another program changed {name} since you looked; nothing was written, look at it again")
    return Refusal(message.format(name=about), conflict=True)


def _after(layout: Layout, snapshot: Snapshot, draft: Draft) -> Snapshot:
    files = dict(snapshot.files)
    for change in draft.changes:
        if change.after is None:
            files.pop(change.path, None)
        else:
            files[change.path] = dataclasses.replace(
                change.before,
                path=change.path,
                kind="file",
                data=change.after,
                mode=change.before.mode,
            )
    return layout.scan(snapshot.store, files.values())


def _merge_changes(changes: Sequence[FileChange]) -> list[FileChange]:
    merged: dict[str, FileChange] = {}
    for change in changes:
        earlier = merged.get(change.path)
        merged[change.path] = change if earlier is None else dataclasses.replace(earlier, after=change.after)
    return [change for change in merged.values() if not _is_nothing(change)]


def _is_nothing(change: FileChange) -> bool:
    if change.after is None:
        return change.before.kind == "missing"
    return change.before.kind == "file" and change.before.data == change.after


def _steps(snapshot: Snapshot, changes: list[FileChange]) -> tuple[list[Step], dict[str, bytes]]:
    index_name = snapshot.store.profile.index_name
    blobs: dict[str, bytes] = {}

    def keep(data: bytes) -> str:
        key = digest(data)
        blobs[key] = data
        return key

    bodies: list[Step] = []
    index: list[Step] = []
    gone: list[Step] = []
    for change in changes:
        path = snapshot.store.root / change.path
        before = change.before
        if change.after is None:
            gone.append(Trash(path, keep(_identity(before)), before.mode, is_symlink=before.kind == "symlink"))
            continue
        exists = before.kind == "file"
        step = Write(
            path,
            keep(before.data or b"") if exists else None,
            keep(change.after),
            before.mode,
        )
        (index if change.path == index_name else bodies).append(step)
    # a body stands before a line names it, and a line goes before its body: no agent meets a dead link
    return bodies + index + gone, blobs


def _identity(file: StoredFile) -> bytes:
    return file.link_target.encode("utf-8", "surrogateescape") if file.kind == "symlink" else file.data or b""


def _name_successor(steps: Sequence[Step]) -> Sequence[Step]:
    created = [step.path for step in steps if isinstance(step, Write) and step.before is None]
    trashed = [step for step in steps if isinstance(step, Trash)]
    if len(created) != 1 or len(trashed) != 1:
        return steps
    return [
        dataclasses.replace(step, successor=created[0]) if isinstance(step, Trash) else step for step in steps
    ]


def _summary(drafts: Sequence[Draft]) -> str:
    summaries = list(dict.fromkeys(draft.summary for draft in drafts))
    if len(summaries) <= 3:
        return ", ".join(summaries)
    return _("{first} and {count} more").format(first=summaries[0], count=len(summaries) - 1)


def step_digests(step: Write | Trash | Link) -> tuple[str | None, str | None]:
    """The digests of a step's bytes before and after it (None = the name is free)."""
    if isinstance(step, Write):
        return step.before, step.after
    if isinstance(step, Trash):
        return step.before, None
    return None, step.after
