"""What a change of the history did to each file, as diffs from the bytes that the history keeps."""

from __future__ import annotations

from pathlib import Path

from memtui.core.history.objects import ObjectStore
from memtui.core.history.undo import Change
from memtui.core.operations.plan import Append, Cut, Link, Plan, Stash, Step, Trash, Unstash
from memtui.core.operations.preview import FilePreview, preview
from memtui.i18n import _


def change_previews(change: Change, objects: ObjectStore) -> tuple[FilePreview, ...]:
    """Every step of a change as it was carried out, in order; for one that is undone, as it was before.

    What the history keeps no longer is named by a sentence in the place of its diff. Digests of whole files
    (sessions) are None: they are not read again.
    """
    record = change.record if change.latest.undoes is not None else change.latest
    found: list[FilePreview] = []
    for step in record.steps:
        blobs = {key: objects.get(key) for key in _digests(step)}
        kept = {key: data for key, data in blobs.items() if data is not None}
        if len(kept) < len(blobs):
            name = step.path.relative_to(record.root)
            is_purged = any(objects.was_purged(key) for key in blobs.keys() - kept.keys())
            gone = (
                _("{name}: its text was purged")
                if is_purged
                else _("{name}: its text is no longer in the history")
            )
            gone = gone.format(name=name)
            found.append(FilePreview(step.path, None, None, f"{gone}\n"))
            continue
        plan = Plan(record.store_id, record.root, (step,), kept, record.summary)
        found += preview(plan, _unread)
    return tuple(found)


def _digests(step: Step) -> set[str]:
    if isinstance(step, Append | Cut):
        return {step.data}
    if isinstance(step, Stash | Unstash):
        return set()
    if isinstance(step, Trash):
        return {step.before}
    if isinstance(step, Link):
        return {step.after}
    return {step.after} if step.before is None else {step.before, step.after}


def _unread(path: Path, size_bytes: int, more: bytes) -> None:
    """Nothing is read for a change that was."""
