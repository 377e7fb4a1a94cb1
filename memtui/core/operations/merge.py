"""Merging: one memory takes the others' place, with the text that a person made of all, or with its own. Pure.

One plan over all their stores, one change, one undo. What named the others names the one that stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from memtui.core.layouts.base import Edit, Memory, Refusal, Remove, SetText, Snapshot
from memtui.core.operations.compose import intend, join_plans, make_plan
from memtui.core.operations.plan import Intent, Plan
from memtui.core.operations.transfer import Side
from memtui.core.text.links import one_line
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass

Member = tuple[Side, Memory]
"""A memory to merge, and the store that it is in as the person saw it."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What a person asked: an intent a store, that of the memory that stays first.

    `kept` is a digest of what was seen of it, '' where its text is another one from now on.
    """

    kept_id: str
    kept: str
    intents: tuple[Intent, ...]
    summary: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewText:
    """What the memory that stays says from now on; the fields are those of `SetText`."""

    text: bytes
    base: bytes | None = None
    part: Literal["text", "body"] = "text"
    insists: bool = False


def intend_merge(members: Sequence[Member], new: NewText | None = None) -> Merge | Refusal:
    """What merging means: the first of the members stays, with its own text or a new one.

    A Refusal where there is only one, or one of them has no text, cannot be changed or cannot go.
    """
    if len({(side.snapshot.store.id, memory.id) for side, memory in members}) != len(members):
        return Refusal(_("a memory cannot be merged with itself"))
    if len(members) < 2:
        return Refusal(_("it takes two memories to merge"))
    (side, kept), *others = members
    for number, (its_side, memory) in enumerate(members):
        why = _why_not(its_side.snapshot, memory, "delete" if number else "edit" if new is not None else "")
        if why:
            return Refusal(_("{title} cannot be merged: {why}").format(title=one_line(memory.title), why=why))
    intents = [_own_intent(side, kept, others, new)]
    elsewhere: dict[str, list[Member]] = {}
    for member in others:
        if member[0].snapshot.store.id != side.snapshot.store.id:
            elsewhere.setdefault(member[0].snapshot.store.id, []).append(member)
    for some in elsewhere.values():
        there = some[0][0]
        removals = _removals([memory for _side, memory in some], "")
        intents.append(intend(there.layout, there.snapshot, "merge", removals))
    seen = "" if new is not None else side.layout.seen(side.snapshot, SetText(kept.id, b""))
    return Merge(kept.id, seen, tuple(intents), _summary(kept, others, new), _notes(kept, others))


def plan_merge(merge: Merge, sides: Mapping[str, Side]) -> Plan | Refusal:
    """The steps in all stores (by their ids), or why it is not possible."""
    own = sides[merge.intents[0].store_id]
    if merge.kept and own.layout.seen(own.snapshot, SetText(merge.kept_id, b"")) != merge.kept:
        message = _("another program changed {name} since you looked; nothing was written, look at it again")
        return Refusal(message.format(name=merge.kept_id), conflict=True)
    plans: list[Plan] = []
    for intent in merge.intents:
        side = sides[intent.store_id]
        plan = make_plan(side.layout, side.snapshot, intent)
        if isinstance(plan, Refusal):
            return plan
        plans.append(plan)
    return join_plans(plans, "merge", merge.summary, merge.notes, of=plans[0])


def _own_intent(side: Side, kept: Memory, others: Sequence[Member], new: NewText | None) -> Intent:
    """What happens in the store of the memory that stays."""
    snapshot = side.snapshot
    going = [memory for its, memory in others if its.snapshot.store.id == snapshot.store.id]
    edits: tuple[Edit, ...] = _removals(going, kept.id)
    if new is not None:
        text = SetText(kept.id, new.text, new.part, new.base, new.insists)
        # in a file of several the others make room first; of whole files, links in the new text follow too
        edits = (text, *edits) if kept.span is None else (*edits, text)
    return intend(side.layout, snapshot, "merge", edits)


def _removals(going: Sequence[Memory], heir: str) -> tuple[Edit, ...]:
    return tuple(Remove(memory.id, heir=heir) for memory in going)


def _why_not(snapshot: Snapshot, memory: Memory, verb: str) -> str:
    if memory.state != "ok":
        return _("it has no text")
    if not snapshot.store.writable:
        return snapshot.store.profile.read_only or _("the store is read-only")
    return memory.why_not.get(verb, "")


def _summary(kept: Memory, others: Sequence[Member], new: NewText | None) -> str:
    title, count = one_line(kept.title), len(others)
    what = one_line(others[0][1].title)
    if count > 1:
        what = ngettext("{count} memory", "{count} memories", count).format(count=count)
    if new is None:
        return _("kept {title} in the place of {what}").format(title=title, what=what)
    return _("merged {what} into {title}").format(what=what, title=title)


def _notes(kept: Memory, others: Sequence[Member]) -> tuple[str, ...]:
    said = _("type {type} of {title} is not kept")
    return tuple(
        said.format(type=memory.type, title=one_line(memory.title))
        for _side, memory in others
        if memory.type and memory.type != kept.type
    )
