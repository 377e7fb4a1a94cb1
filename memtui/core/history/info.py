"""A change of the history as people see it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Literal

from memtui.core.history.undo import Change
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """One change as people see it; `reverted` = another program wrote an older copy back over it."""

    id: str
    summary: str
    verb: str
    when: datetime
    store_id: str
    paths: tuple[Path, ...]
    state: Literal["done", "undone", "interrupted"]
    reverted: bool = False


def change_info(change: Change, reverted: bool) -> ChangeInfo:
    """A change for people; `reverted` counts only while it is in effect."""
    record = change.record
    return ChangeInfo(
        id=record.id,
        summary=record.summary,
        verb=record.verb,
        when=record.when,
        store_id=record.store_id,
        paths=tuple(step.path for step in record.steps),
        state=change.state,
        reverted=reverted and change.state == "done",
    )
