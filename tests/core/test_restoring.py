"""Bringing back what others changed, on made-up stores of every layout: nothing else is touched, nothing lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from carry_stores import LAYOUTS, store_of
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.changes.rows import changed_rows
from memtui.core.layouts.base import Add, Layout, Refusal, Remove, SetText, Snapshot, StoredFile
from memtui.core.layouts.table import LAYOUTS as TABLE
from memtui.core.operations.compose import intend, make_plan
from memtui.core.operations.plan import Plan, Trash, Write
from memtui.core.operations.restoring import Restoring, plan_restore

PARENT = Path("/nowhere")


def scanned(layout: str, files: dict[str, bytes]) -> Snapshot:
    """A store of these files."""
    stored = [StoredFile(path, "file", data) for path, data in files.items()]
    return TABLE[layout].scan(store_of(PARENT, layout), stored)


def bytes_of(snapshot: Snapshot) -> dict[str, bytes]:
    return {path: file.data for path, file in snapshot.files.items() if file.data is not None}


def carried_out(snapshot: Snapshot, plan: Plan) -> Snapshot:
    """The store after a plan."""
    files = bytes_of(snapshot)
    for step in plan.steps:
        name = step.path.relative_to(snapshot.store.root).as_posix()
        if isinstance(step, Trash):
            del files[name]
        else:
            assert isinstance(step, Write)
            assert (None if step.before is None else plan.blobs[step.before]) == files.get(name)
            files[name] = plan.blobs[step.after]
    return scanned(snapshot.store.layout, files)


def edited(snapshot: Snapshot, *edits: object) -> Snapshot:
    layout = TABLE[snapshot.store.layout]
    for edit in edits:
        plan = make_plan(layout, snapshot, intend(layout, snapshot, "", (edit,)))  # type: ignore[arg-type]
        assert isinstance(plan, Plan), plan
        snapshot = carried_out(snapshot, plan)
    return snapshot


def filled(layout: str, count: int) -> Snapshot:
    """A store of so many memories, as its owner would have written it."""
    where = {"topics": {"topic": "all"}, "entries": {"group": "user"}}.get(layout, {})
    adds = (
        Add(
            title=f"Number {n}",
            description=f"what {n} says",
            body=f"Number {n} says: {n * 7919}\n\nmore",
            **where,
        )
        for n in range(count)
    )
    return edited(scanned(layout, {}), *adds)


def texts(snapshot: Snapshot) -> dict[str, bytes]:
    """The texts of memories by title; blank lines around them say nothing."""
    layout: Layout = TABLE[snapshot.store.layout]
    found = {}
    for memory in snapshot.memories:
        text = layout.text(snapshot, memory.id)
        if text is not None:
            found[memory.title] = text.text.strip()
    return found


@pytest.mark.parametrize("layout", LAYOUTS)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=12)
def test_what_is_brought_back_is_as_it_was_and_all_else_as_it_is(layout: str, seed: int) -> None:
    rng = random.Random(seed)
    before = now = filled(layout, rng.randint(2, 7))
    for memory in before.memories:
        there = next(item for item in now.memories if item.title == memory.title)
        lot = rng.random()
        if lot < 0.45:
            now = edited(now, Remove(there.id))
        elif lot < 0.65:
            text = TABLE[layout].text(now, there.id)
            assert text is not None
            now = edited(now, SetText(there.id, text.text.replace(b"says:", b"said once:")))
    if rng.random() < 0.5:
        where = {"topics": {"topic": "all"}, "entries": {"group": "user"}}.get(layout, {})
        now = edited(now, Add(title="Newer", description="newer", body="Newer than the others", **where))
    rows = [row for row in changed_rows(before, now) if row.how != "new" and not row.is_file]
    chosen = tuple(row for row in rows if rng.random() < 0.7)
    plan = plan_restore(TABLE[layout], Restoring(before, now, chosen), now)
    if isinstance(plan, Refusal):
        assert not chosen
        return
    assert not plan.notes
    after = carried_out(now, plan)
    was, lost, found = texts(before), texts(now), texts(after)
    titles = {row.title for row in chosen}
    assert {title: found[title] for title in titles} == {title: was[title] for title in titles}
    assert {t: text for t, text in found.items() if t not in titles} == {
        t: text for t, text in lost.items() if t not in titles
    }
    # in the order that they had
    order = [m.title for m in after.memories if m.title in was]
    if layout in ("topics", "entries"):
        assert order == [title for title in was if title in order]
    # each file has its line, and a second time there is nothing to do
    assert [m.title for m in after.memories if not m.index_lines and layout != "entries"] == []
    assert not {row.title for row in changed_rows(before, after) if row.how != "new"} & titles


def test_prose_of_the_index_comes_back_around_the_lines_that_are_there() -> None:
    before = scanned(
        "facts", {"MEMORY.md": b"# Mine\n\nRead all of it.\n\n- [A](a.md) \xe2\x80\x94 a\n", "a.md": b"a\n"}
    )
    now = scanned(
        "facts",
        {
            "MEMORY.md": b"# Index\n\n- [A](a.md) \xe2\x80\x94 a\n- [B](b.md) \xe2\x80\x94 b\n",
            "a.md": b"a\n",
            "b.md": b"b\n",
        },
    )
    (new, prose) = changed_rows(before, now)
    assert (new.how, prose.id, prose.is_file) == ("new", "MEMORY.md", True)
    plan = plan_restore(TABLE["facts"], Restoring(before, now, (prose,)), now)
    assert isinstance(plan, Plan)
    index = bytes_of(carried_out(now, plan))["MEMORY.md"].decode()
    assert index == "# Mine\n\nRead all of it.\n\n- [A](a.md) — a\n- [B](b.md) — b\n"


@pytest.mark.parametrize(
    ("old", "now", "said"),
    [
        ("- [A](a.md) · [B](b.md) — both\n", "- [B](b.md) — both\n", ""),
        (
            "See [A](a.md) for all.\n- [B](b.md) — b\n",
            "See A for all.\n- [B](b.md) — b\n",
            "put it back by hand",
        ),
        ("- [A](a.md) — a\n- [B](b.md) — b\n", None, ""),
    ],
)
def test_lines_that_say_more_are_never_doubled_or_lost(old: str, now: str | None, said: str) -> None:
    files = {"a.md": b"a\n", "b.md": b"b\n"}
    before = scanned("facts", {**files, "MEMORY.md": old.encode()})
    left = {"b.md": b"b\n"} if now is None else {"b.md": b"b\n", "MEMORY.md": now.encode()}
    there = scanned("facts", left)
    row = next(row for row in changed_rows(before, there) if row.id == "a.md")
    plan = plan_restore(TABLE["facts"], Restoring(before, there, (row,)), there)
    if said:
        assert isinstance(plan, Refusal) and said in plan.reason
        return
    assert isinstance(plan, Plan)
    after = bytes_of(carried_out(there, plan))
    assert after["a.md"] == b"a\n" and after["MEMORY.md"].count(b"(a.md)") == 1
    assert after["MEMORY.md"].count(b"(b.md)") == (0 if now is None else 1)
