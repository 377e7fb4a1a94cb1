"""Moving and copying memories between stores: one plan over both, one change, one undo. Pure.

What is new stands in the target before anything goes from the source: no moment is without the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Layout, Refusal, Remove, Snapshot
from memtui.core.operations.carrying import Wish, carried, together
from memtui.core.operations.compose import intend, join_plans, make_plan
from memtui.core.operations.plan import Intent, Plan
from memtui.core.text.links import one_line
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass

Verb = Literal["move", "copy"]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two stores: its layout and what stands in it."""

    layout: Layout
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Transfer:
    """What a person asked of two stores: `into` the target, `out_of` the source (None = a copy)."""

    into: Intent
    out_of: Intent | None
    summary: str
    notes: tuple[str, ...] = ()


def intend_transfer(
    source: Side, memory_ids: Sequence[str], target: Side, verb: Verb = "move", wish: Wish | None = None
) -> Transfer | Refusal:
    """What moving or copying these memories means, and what does not go with them.

    A Refusal where one of them is gone (`conflict`), has no text, or cannot go from the source.
    """
    wish = wish or Wish()
    edits: list[Add] = []
    notes: list[str] = []
    for memory_id in dict.fromkeys(memory_ids):
        memory = source.snapshot.memory(memory_id)
        if memory is None:
            return Refusal(_("{memory} is gone").format(memory=memory_id), conflict=True)
        if verb == "move" and (not source.snapshot.store.writable or "delete" in memory.why_not):
            reason = memory.why_not.get("delete") or _("the store is read-only")
            return Refusal(
                _("{title} cannot be taken away, only copied: {reason}").format(
                    title=one_line(memory.title), reason=reason
                )
            )
        try:
            edit, not_kept = carried(source.layout, source.snapshot, memory, target.snapshot.store, wish)
        except RefusedError as error:
            return Refusal(error.message)
        edits.append(edit)
        notes += not_kept
    into = intend(target.layout, target.snapshot, verb, together(edits))
    out_of = None
    if verb == "move":
        removals = tuple(Remove(memory_id) for memory_id in dict.fromkeys(memory_ids))
        out_of = intend(source.layout, source.snapshot, verb, removals)
    summary = _summary(source.snapshot, memory_ids, target.snapshot.store.id, verb)
    return Transfer(into, out_of, summary, tuple(dict.fromkeys(notes)))


def plan_transfer(transfer: Transfer, source: Side, target: Side) -> Plan | Refusal:
    """The steps in both stores, the target's first, or why it is not possible."""
    added = make_plan(target.layout, target.snapshot, transfer.into)
    if isinstance(added, Refusal):
        return added
    if transfer.out_of is None:
        return _joined(transfer, added, None)
    removed = make_plan(source.layout, source.snapshot, transfer.out_of)
    return removed if isinstance(removed, Refusal) else _joined(transfer, added, removed)


def _joined(transfer: Transfer, added: Plan, removed: Plan | None) -> Plan:
    plans = (added,) if removed is None else (added, removed)
    return join_plans(plans, transfer.into.verb, transfer.summary, transfer.notes, of=removed or added)


def _summary(source: Snapshot, memory_ids: Sequence[str], where: str, verb: Verb) -> str:
    found = [source.memory(memory_id) for memory_id in dict.fromkeys(memory_ids)]
    if len(found) == 1 and found[0] is not None:
        text = _("copied {title} to {store}") if verb == "copy" else _("moved {title} to {store}")
        return text.format(title=one_line(found[0].title), store=where)
    if verb == "copy":
        text = ngettext("copied {count} memory to {store}", "copied {count} memories to {store}", len(found))
    else:
        text = ngettext("moved {count} memory to {store}", "moved {count} memories to {store}", len(found))
    return text.format(count=len(found), store=where)
