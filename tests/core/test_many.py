"""Many edits at once give what the same edits give one after the other, without a scan of the store for each."""

from __future__ import annotations

from itertools import combinations

import pytest
from carry_stores import store_of

from memtui.core.layouts.base import Draft, Refusal, Remove, SetField
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.many import EditsMany
from memtui.core.layouts.notes.layout import NOTES
from memtui.core.operations.compose import intend, make_plan
from memtui.core.workspace import Workspace

LAYOUTS = {"facts": FACTS, "notes": NOTES}
INDEXES = {
    "facts": (
        "# M\n\n- [A](a.md) — x\n- [B](b.md), [C](c.md), [D](d.md) — z\n  more\n\nSee [a](a.md) and [[b]].\n"
        "- [A again](a.md)\n- [Gone](gone.md) — g\n- [C](c.md) [D](d.md)"
    ),
    "notes": "# Memory Index\n\n- [A](a.md) — x\nfree\n- [B](b.md) — y\n- [C](c.md) — y\n- [Gone](gone.md) — g\n",
}


class OneByOne:
    """A layout that does one edit after the other, and counts the scans that this takes."""

    def __init__(self, layout, *, many=False):
        self.scans = 0
        self.seen, self.edit, self._scan = layout.seen, layout.edit, layout.scan
        if many:
            self.edit_many = layout.edit_many

    def scan(self, store, files):
        self.scans += 1
        return self._scan(store, files)


@pytest.fixture(params=sorted(LAYOUTS))
def found(request, env, tmp_path):
    root = tmp_path / request.param
    root.mkdir()
    dates = "created: 2026-10-01\nmodified: 2026-10-02T00:00:00.000Z\n"
    for name in "abcd":
        text = f"---\nname: {name.upper()}\ndescription: x\ntype: user\n{dates}---\n\nsee [[a]]\n"
        (root / f"{name}.md").write_text(text)
    (root / "link.md").symlink_to("a.md")
    (root / "MEMORY.md").write_text(INDEXES[request.param])
    return LAYOUTS[request.param], Workspace(env).scan(store_of(tmp_path, request.param))


def both(layout, snapshot, edits):
    """The plan made at once and the one made step by step, without their notes, which name lines."""
    assert isinstance(layout, EditsMany)
    plans = []
    for many in (True, False):
        counting = OneByOne(layout, many=many)
        plan = make_plan(counting, snapshot, intend(counting, snapshot, "x", edits))
        assert counting.scans == (0 if many else len(edits) - 1) or isinstance(plan, Refusal)
        plans.append(
            plan if isinstance(plan, Refusal) else (set(plan.steps), plan.summary, plan.blobs[last(plan)])
        )
    return plans


def last(plan):
    return next((step.after for step in plan.steps if step.path.name == "MEMORY.md"), next(iter(plan.blobs)))


def test_removing_many_at_once_is_removing_each(found):
    layout, snapshot = found
    ids = [memory.id for memory in snapshot.memories]
    assert len(ids) == 6
    for count in (2, 3, len(ids)):
        for some in combinations(ids, count):
            at_once, each = both(layout, snapshot, tuple(Remove(memory_id) for memory_id in some))
            assert at_once == each, some


def test_another_type_for_many_at_once_is_one_for_each(found):
    layout, snapshot = found
    at_once, each = both(layout, snapshot, tuple(SetField(f"{name}.md", "type", "project") for name in "abc"))
    assert at_once == each and len(at_once[0]) == 3
    refused = both(layout, snapshot, tuple(SetField(name, "type", "project") for name in ("a.md", "gone.md")))
    assert refused[0] == refused[1] and isinstance(refused[0], Refusal)


def test_what_is_not_alike_is_done_one_after_the_other(found):
    layout, snapshot = found
    for edits in (
        (Remove("a.md"), SetField("b.md", "type", "project")),
        (Remove("a.md"), Remove("b.md", line=4)),
        (Remove("a.md"), Remove("a.md")),
        (Remove("a.md", heir="b.md"), Remove("c.md")),
        (SetField("a.md", "type", "project"), SetField("a.md", "type", "user")),
        (SetField("a.md", "type", "project"), SetField("b.md", "description", "y")),
    ):
        assert layout.edit_many(snapshot, edits) is None
    drafts = layout.edit_many(snapshot, (Remove("a.md"), Remove("b.md")))
    assert all(isinstance(draft, Draft) for draft in drafts) and len(drafts) == 2
    assert layout.edit_many(snapshot, (Remove("a.md"), Remove("never.md"))).conflict
