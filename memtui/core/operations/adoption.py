"""Taking the memories of a store that nobody reads any more into another one: a copy, what is there already
left out, nothing written over. Pure."""

from __future__ import annotations

from typing import Literal

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Layout, Memory, Refusal, Snapshot
from memtui.core.operations.carrying import FORMS, Wish, carried, together
from memtui.core.operations.compose import intend
from memtui.core.operations.plan import Plan
from memtui.core.operations.transfer import Side, Transfer, plan_transfer
from memtui.core.text.links import one_line
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass

Fate = Literal["new", "conflict", "same", "unfit"]

NAMED = 5
"""So many of what is left out are named; of more only the number is told."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """What becomes of one memory: it comes (`new`), comes beside another text of its name (`conflict`), is
    there already word for word (`same`), or cannot come (`unfit`, with `why`)."""

    memory_id: str
    title: str
    fate: Fate
    why: str = ""

    @property
    def comes(self) -> bool:
        """Whether it is copied."""
        return self.fate in ("new", "conflict")


def sort_out(source: Side, target: Side, wish: Wish | None = None) -> tuple[Adopted, ...]:
    """What becomes of every memory of the source, in its order."""
    return tuple(adopted for adopted, _edit, _notes in _sorted(source, target, wish or Wish()))


def plan_adoption(source: Side, target: Side, project: str, wish: Wish | None = None) -> Plan | Refusal:
    """The copy as one plan over the target; `project` names the source in the summary.

    Notes say what is left out, what gets another name, and what does not go with a memory.
    """
    edits: list[Add] = []
    notes: list[str] = []
    fates: list[Adopted] = []
    for adopted, edit, not_kept in _sorted(source, target, wish or Wish()):
        fates.append(adopted)
        notes += not_kept
        if edit is not None:
            edits.append(edit)
            if adopted.fate == "conflict" and edit.original is None:
                text = _("{title} says something else here: both stand beside each other")
                notes.append(text.format(title=adopted.title))
    into = intend(target.layout, target.snapshot, "adopt", together(edits))
    text = ngettext("adopted {count} memory of {project}", "adopted {count} memories of {project}", len(edits))
    summary = text.format(count=len(edits), project=project)
    notes = [*_left_out(fates), *_index_left(source.snapshot), *notes]
    return plan_transfer(Transfer(into, None, summary, tuple(dict.fromkeys(notes))), source, target)


def _sorted(source: Side, target: Side, wish: Wish) -> list[tuple[Adopted, Add | None, tuple[str, ...]]]:
    there = {_words(target.layout, target.snapshot, memory) for memory in target.snapshot.memories}
    names = {_name(target, memory) for memory in target.snapshot.memories}
    found: list[tuple[Adopted, Add | None, tuple[str, ...]]] = []
    for memory in source.snapshot.memories:
        title = one_line(memory.title)
        words = _words(source.layout, source.snapshot, memory)
        if words is not None and words in there:
            found.append((Adopted(memory.id, title, "same"), None, ()))
            continue
        if memory.state == "missing":
            why = _("the line of {title} in its index leads to no file").format(title=title)
            found.append((Adopted(memory.id, title, "unfit", why), None, ()))
            continue
        try:
            edit, notes = carried(source.layout, source.snapshot, memory, target.snapshot.store, wish)
        except RefusedError as error:
            found.append((Adopted(memory.id, title, "unfit", error.message), None, ()))
            continue
        is_taken = source.snapshot.store.layout == target.snapshot.store.layout and (
            _name(source, memory) in names
        )
        found.append((Adopted(memory.id, title, "conflict" if is_taken else "new"), edit, notes))
    return found


def _words(layout: Layout, snapshot: Snapshot, memory: Memory) -> tuple[str, str, str, bytes] | None:
    """What a memory says, so that two that say the same are equal; None for one without a text."""
    text = layout.text(snapshot, memory.id) if memory.state == "ok" else None
    if text is None:
        return None
    form = FORMS[snapshot.store.layout]
    title = "" if form.files and memory.description else one_line(memory.title)
    body = text.body if form.title else text.text
    return title, one_line(memory.description), memory.type, b"\n".join(body.split(b"\r\n")).strip()


def _name(side: Side, memory: Memory) -> str:
    """What must be unique in a store: a file's name, or a title within its topic."""
    name = memory.file if memory.span is None else f"{memory.file}\n{one_line(memory.title)}"
    return name.casefold()


def _left_out(fates: list[Adopted]) -> list[str]:
    same = [adopted.title for adopted in fates if adopted.fate == "same"]
    notes = []
    if same:
        text = ngettext(
            "{count} is there already, word for word, and left out: {names}",
            "{count} are there already, word for word, and left out: {names}",
            len(same),
        )
        names = ", ".join(same[:NAMED]) + (", …" if len(same) > NAMED else "")
        notes.append(text.format(count=len(same), names=names))
    unfit = [_("left out: {why}").format(why=adopted.why) for adopted in fates if adopted.fate == "unfit"]
    if len(unfit) > NAMED:
        more = ngettext("{count} more left out", "{count} more left out", len(unfit) - NAMED)
        unfit = [*unfit[:NAMED], more.format(count=len(unfit) - NAMED)]
    return notes + unfit


def _index_left(source: Snapshot) -> list[str]:
    """What stands in the old index beside the lines of memories, and stays there."""
    lines = source.index.document.lines if source.index is not None else ()
    named = {line for memory in source.memories for line in memory.index_lines}
    others = [
        line.text
        for number, line in enumerate(lines, 1)
        if number not in named and line.text.strip() and not line.text.startswith("# ")
    ]
    if not others:
        return []
    text = ngettext(
        "{count} line of its index that names no memory stays there",
        "{count} lines of its index that name no memory stay there",
        len(others),
    )
    return [text.format(count=len(others))]
