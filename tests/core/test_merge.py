"""Merging and splitting on every layout: what becomes of texts, index lines and links, and one undo for all."""

from __future__ import annotations

import contextlib
import dataclasses
import shutil
from itertools import permutations

import pytest
from carry_stores import LAYOUTS, PROFILES, files_of, fill, store_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.layouts.base import Remove, SetField
from memtui.core.operations.split import parts_of
from memtui.core.text_actions import NewText, TextActions
from memtui.core.workspace import Workspace

PAIRS = list(permutations(LAYOUTS, 2))


@pytest.fixture
def stores(tmp_path):
    fill(tmp_path)
    return tmp_path


@pytest.fixture
def work(env):
    workspace = Workspace(env)
    return workspace, TextActions(workspace)


def scan(work, stores, layout):
    return work[0].scan(store_of(stores, layout))


def pair(work, stores, layout, *, turned=False):
    """The first two memories of a store, or the second and the first."""
    snapshot = scan(work, stores, layout)
    found = [(snapshot, memory.id) for memory in snapshot.memories[:2]]
    return found[::-1] if turned else found


def undone(work, stores, before):
    work[0].undo()
    work[0].settle(0)
    return files_of(stores) == before


def everything(stores, layout):
    return b"\n".join(files_of(stores, layout).values()).decode()


# Merging


@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_become_one_with_the_text_of_the_editor_and_one_undo(work, stores, layout):
    before = files_of(stores)
    snapshot, (memories) = scan(work, stores, layout), pair(work, stores, layout)
    asked = work[1].text_to_merge(memories)
    assert asked.data.count(b"%%%%%% memtui: ") == 3
    text = work[1].merged_text(asked, asked.data.replace(b"Ask Ana", b"Ask Bob"))
    outcome = work[1].merge(memories, NewText(text, asked.base))
    work[0].settle(0)
    now = scan(work, stores, layout)
    assert len(now.memories) == len(snapshot.memories) - 1
    assert (now.memories[0].title, now.memories[0].type) == (
        snapshot.memories[0].title,
        snapshot.memories[0].type,
    )
    said = work[0].text(now, now.memories[0].id).text.decode()
    assert "Ask Bob" in said and said.rstrip().endswith(
        "\n\nother" if layout != "notes" else "### Else\n\nother"
    )
    assert "%%%" not in everything(stores, layout)
    lines = [line for memory in now.memories for line in memory.index_lines]
    assert len(lines) == (0 if layout == "entries" else 1)
    assert outcome.change.verb == "merge" and len(work[0].history()) == 1
    assert {name for name in files_of(stores) if before.get(name) != files_of(stores)[name]} <= {
        str(path.relative_to(stores)) for path in outcome.change.paths
    }
    assert undone(work, stores, before)
    work[0].redo()
    work[0].settle(0)
    assert "Ask Bob" in everything(stores, layout)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_is_kept_as_it_is_and_what_goes_is_what_a_delete_takes(work, stores, tmp_path, layout, turned):
    before = files_of(stores)
    memories = pair(work, stores, layout, turned=turned)
    plan = work[1].plan_merge(memories)
    snapshot, gone = memories[1]
    deleted = work[0].plan(snapshot, "delete", (Remove(gone),))
    assert [(step.path, getattr(step, "after", None)) for step in plan.steps] == [
        (step.path, getattr(step, "after", None)) for step in deleted.steps
    ]
    work[1].merge(memories)
    work[0].settle(0)
    kept = snapshot.memory(memories[0][1])
    now = scan(work, stores, layout)
    (memory,) = [memory for memory in now.memories if memory.title == kept.title]
    assert work[0].text(now, memory.id).text.strip() == work[0].text(snapshot, kept.id).text.strip()
    assert undone(work, stores, before)


@pytest.mark.parametrize(("mine", "theirs"), PAIRS)
def test_memories_of_two_stores_are_one_change_of_both(work, stores, mine, theirs):
    before = files_of(stores)
    memories = [pair(work, stores, layout)[0] for layout in (mine, theirs)]
    asked = work[1].text_to_merge(memories)
    text = work[1].merged_text(asked, b"\n".join(x for x in asked.data.split(b"\n") if b"%%" not in x))
    outcome = work[1].merge(memories, NewText(text, asked.base))
    work[0].settle(0)
    assert len(work[0].history()) == 1 and outcome.change.store_id == mine
    said = everything(stores, mine)
    assert said.count("Ask Ana") == 2 and ("2222" in said)
    assert len(scan(work, stores, mine).memories) == (3 if mine == "entries" else 2)
    assert len(scan(work, stores, theirs).memories) == (2 if theirs == "entries" else 1)
    assert undone(work, stores, before)


def test_what_names_a_merged_fact_names_the_one_that_stays(work, stores):
    root = stores / "facts"
    third = (
        "---\nname: third\n---\n\nsee [[{0}]], [[{1}|that]], [it](./{0}.md#a) and `[[other]] [it](other.md)`\n"
    )
    (root / "third.md").write_text(third.format("other", "Other.md"))
    (root / "sub").mkdir()
    (root / "sub" / "deep.md").write_text("see [it](../other.md), [mine](other.md)\n")
    index = (root / "MEMORY.md").read_text()
    (root / "MEMORY.md").write_text(index + "\nMore is in [the other](other.md), and [[other]] too.\n")
    memories = pair(work, stores, "facts")
    asked = work[1].text_to_merge(memories)
    text = work[1].merged_text(asked, asked.data.replace(b"Scans.", b"Scans, see [[other]]."))
    work[1].merge(memories, NewText(text, asked.base))
    assert (root / "third.md").read_text() == third.format("ssh-port", "ssh-port.md")
    assert (root / "sub" / "deep.md").read_text() == "see [it](../ssh-port.md), [mine](other.md)\n"
    assert "Scans, see [[ssh-port]]." in (root / "ssh-port.md").read_text()
    assert (root / "MEMORY.md").read_text() == (
        "# Memory\n\n- [SSH port](ssh-port.md) — staging only\n"
        "\nMore is in [the other](ssh-port.md), and [[ssh-port]] too.\n"
    )


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        ("facts", "- [other](other.md) — other"),
        ("notes", "- [Else](Else.md) — other"),
        ("topics", "- [tea](tea.md) — Tea"),
    ],
)
def test_one_that_no_line_names_takes_the_line_of_the_one_that_goes(work, stores, layout, line):
    path = stores / layout / "MEMORY.md"
    path.write_text("".join(x for x in path.read_text().splitlines(keepends=True) if "other" not in x))
    if layout == "topics":
        # a topic without a line, and one with a line and one entry
        (stores / "topics" / "net.md").write_text("---\nname: net\ntype: user\n---\n\n## Other\n\nother\n")
        (stores / "topics" / "tea.md").write_text("---\nname: tea\ntype: user\n---\n\n## Tea\n\nother\n")
        path.write_text("# Memory Index\n\n- [net](net.md) — Other\n")
    memories = pair(work, stores, layout, turned=True)
    work[1].merge(memories)
    assert path.read_text().splitlines()[2:] == [line]


def test_a_full_store_has_room_for_what_is_merged(work, stores):
    limit = next(limit.limit for limit in PROFILES["entries"].limits if limit.group == "memory")
    (stores / "entries" / "MEMORY.md").write_text("a" * (limit - 103) + "\n§\n" + "b" * 100)
    memories = pair(work, stores, "entries")
    work[1].merge(memories, NewText(b"a" * (limit - 103) + b"\n" + b"b" * 100))
    assert (stores / "entries" / "MEMORY.md").stat().st_size == limit - 2


@pytest.mark.parametrize("layout", ["topics", "entries"])
def test_equal_texts_of_a_file_are_told_apart(work, stores, layout):
    files = {"topics": ("net.md", "\n\n".join(["## A\n\nsame", *["## B\n\nsame"] * 3, "## C\n\nlast"]) + "\n")}
    name, text = files.get(layout, ("MEMORY.md", "\n§\n".join(["A", *["B"] * 3, "C"])))
    path = stores / layout / name
    path.write_text(text)
    snapshot = scan(work, stores, layout)
    first, *equal, last = [memory.id for memory in snapshot.memories if memory.file == name]
    kept = [equal[2], last, equal[0], equal[1]]
    plan = work[1].plan_merge([(snapshot, memory_id) for memory_id in kept], NewText(b"## B\n\nnew"))
    (step,) = [step for step in plan.steps if step.path == path]
    after = plan.blobs[step.after].decode()
    assert after.count("same") == (1 if layout == "topics" else 0) and after.rstrip().endswith("new")
    assert after.startswith(text[:1]) and first in {m.id for m in snapshot.memories}
    # and a plain delete of all of them at once
    plan = work[0].plan(snapshot, "delete", tuple(Remove(memory_id) for memory_id in (*equal, last)))
    (step,) = [step for step in plan.steps if step.path == path]
    assert plan.blobs[step.after].decode().count("B") == 0


# The text of the editor


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: b"".join(x for x in text.splitlines(True) if b"memtui" not in x) + b"more\n", b"more\n"),
        (lambda text: text.replace(b"2222", b"2223"), b""),
        (lambda text: text.replace(b" %%%%%%\n", b" %%%%%%  \r\n"), b""),
        (lambda text: text.partition(b"%%%%%% memtui: 2")[0], "neither all there"),
        (lambda text: text.replace(b"2 of 2", b"2 of two"), "neither all there"),
        (lambda text: text.replace(b", goes: ", b",\ngoes: "), "neither all there"),
        (lambda text: b"".join(reversed(text.splitlines(True))), "neither all there"),
        (lambda text: text + text, "neither all there"),
        (lambda text: b"", "is empty"),
        (lambda text: b"\n".join(x for x in text.split(b"\n") if b"memtui" in x) + b"\n \n", "is empty"),
        (lambda text: text + b"caf\xe9", "not UTF-8 at byte"),
    ],
)
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_marker_lines_are_all_there_or_all_gone(work, stores, start, change, said):
    path = stores / "facts" / "ssh-port.md"
    path.write_bytes(start + path.read_bytes() + b"%%%%%% a line of its own\n")
    asked = work[1].text_to_merge(pair(work, stores, "facts"))
    if isinstance(said, str):
        with pytest.raises(RefusedError, match=said):
            work[1].merged_text(asked, change(asked.data))
        return
    merged = work[1].merged_text(asked, change(asked.data))
    assert merged.startswith(start + b"---\nname: ssh-port") and merged.endswith(b"\nother\n" + said)
    assert b"memtui" not in merged and b"%%%%%% a line of its own\n" in merged


def test_a_text_with_crlf_stays_one(work, stores):
    path = stores / "facts" / "ssh-port.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    asked = work[1].text_to_merge(pair(work, stores, "facts"))
    assert asked.data.count(b"\n") == asked.data.count(b"\r\n")
    assert work[1].merged_text(asked, asked.data).endswith(b"\r\n\r\nother\r\n")


# What stands in the way


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_merge_that_another_program_overtook_changes_nothing(work, stores, layout):
    for number, with_text in ((1, True), (1, False), (0, False)):
        shutil.rmtree(stores / layout)
        fill(stores, layout)
        memories = pair(work, stores, layout)
        memory = memories[number][0].memory(memories[number][1])
        path = stores / layout / memory.file
        text = work[0].text(memories[0][0], memory.id).text
        data = path.read_bytes()
        path.write_bytes(
            data.replace(text, text.rstrip(b"\n") + b" and more" + text[len(text.rstrip(b"\n")) :])
        )
        before = files_of(stores)
        asked = work[1].text_to_merge(memories) if with_text else None
        with pytest.raises(ConflictError):
            work[1].merge(memories, NewText(asked.base + b"x", asked.base) if asked else None)
        assert files_of(stores) == before


def test_what_another_program_added_to_the_one_that_stays_is_kept(work, stores):
    memories = pair(work, stores, "facts")
    asked = work[1].text_to_merge(memories)
    path = stores / "facts" / "ssh-port.md"
    path.write_text(path.read_text().replace("Ask Ana", "Please ask Ana"))
    work[1].merge(memories, NewText(work[1].merged_text(asked, asked.data), asked.base))
    assert "Please ask Ana" in path.read_text() and path.read_text().endswith("\nother\n")


def test_what_cannot_be_merged_says_why(work, stores):
    (stores / "facts" / "MEMORY.md").write_text("- [Gone](gone.md)\n- [Other](other.md)\n")
    (stores / "facts" / "bad.md").write_bytes(b"caf\xe9\n")
    snapshot = scan(work, stores, "facts")
    closed = dataclasses.replace(snapshot, store=dataclasses.replace(snapshot.store, writable=False))
    for memories, why in (
        ([(snapshot, "other.md")], "takes two"),
        ([(snapshot, "other.md")] * 2, "with itself"),
        ([(snapshot, "other.md"), (snapshot, "gone.md")], "Gone cannot be merged: it has no text"),
        ([(snapshot, "other.md"), (closed, "ssh-port.md")], "read-only"),
        ([(snapshot, "bad.md"), (snapshot, "other.md")], "not UTF-8"),
        ([(snapshot, "other.md"), (snapshot, "bad.md")], "not UTF-8"),
        ([(snapshot, "other.md"), (snapshot, "never.md")], "never.md is gone"),
    ):
        with pytest.raises(MemtuiError, match=why):
            work[1].text_to_merge(memories)
    # without its text being read, such a one may go
    assert work[1].plan_merge([(snapshot, "other.md"), (snapshot, "bad.md")]).steps


# Splitting


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("intro\n\n## A\n\na\n\n## B\nb\n", ["", "A", "B"]),
        ("# All\n\n## A\na\n## B ##\nb\n### deeper\n", ["All", "A", "B"]),
        ("## A\na\n# B\nb\n", ["A", "B"]),
        ("# One\n### A\na\n", ["One", "A"]),
        ("# One\ntext\n", ["One"]),
        ("```\n# no\n```\n<!--\n# no\n-->\ntext\n", [""]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_its_highest_headings_that_part_it(text, parts):
    found = parts_of(text)
    assert [part.title for part in found] == parts
    assert "".join(part.whole for part in found) == text


SPLIT = {
    "facts": (
        "ssh-port.md",
        "---\nname: ssh-port\ndescription: d\n---\n\nfirst\n\n## Why\n\nScans: a.\n\n## Other\nx\n",
    ),
    "topics": (
        "net.md",
        "---\nname: net\ntype: user\n---\n\n## Staging\n\nfirst\n\n### Why\n\nScans.\n\n### Other\nx\n",
    ),
    "entries": ("MEMORY.md", "first\n\n## Why\nScans.\n\n## Other\nx\n§\nlast"),
}


@pytest.mark.parametrize(
    ("layout", "titles"),
    [
        ("facts", ["SSH port", "Other", "Why", "Other 2"]),
        ("topics", ["Staging", "Why", "Other"]),
        ("notes", ["Gateway", "Else", "Why", "Else 2"]),
        ("entries", ["first", "last", "## Why", "## Other", "likes tea"]),
    ],
)
def test_split_keeps_the_first_part_and_makes_memories_of_the_others(work, stores, layout, titles):
    if layout == "notes":
        path = stores / "notes" / "Gateway.md"
        path.write_text(path.read_text() + "\n## Why\n\nScans.\n\n## Else\nx\n")
    else:
        (stores / layout / SPLIT[layout][0]).write_text(SPLIT[layout][1])
    before = files_of(stores)
    snapshot = scan(work, stores, layout)
    outcome = work[1].split(snapshot, snapshot.memories[0].id)
    work[0].settle(0)
    now = scan(work, stores, layout)
    assert [memory.title for memory in now.memories] == titles
    assert outcome.change.summary.endswith("into 3") and outcome.change.verb == "split"
    if layout in ("facts", "notes"):
        assert now.memories[0].id == snapshot.memories[0].id
        assert all(memory.index_lines for memory in now.memories)
        assert [memory.type for memory in now.memories[2:]] == [snapshot.memories[0].type or "project"] * 2
    assert "Scans" not in work[0].text(now, now.memories[0].id).text.decode()
    assert everything(stores, layout).count("Scans") == (3 if layout in ("facts", "notes") else 1)
    assert undone(work, stores, before)


def test_an_entry_without_headings_is_split_at_blank_lines_where_that_fits(work, stores):
    path = stores / "entries" / "MEMORY.md"
    path.write_text("one\nmore\n\ntwo\n\n\nthree")
    snapshot = scan(work, stores, "entries")
    work[1].split(snapshot, snapshot.memories[0].id)
    assert path.read_text() == "one\nmore\n§\ntwo\n§\nthree"
    limit = next(limit.limit for limit in PROFILES["entries"].limits if limit.group == "memory")
    path.write_text("one\n\n" + "a" * (limit - 5))
    snapshot = scan(work, stores, "entries")
    with pytest.raises(RefusedError, match="make room first"):
        work[1].split(snapshot, snapshot.memories[0].id)


def test_what_has_no_headings_cannot_be_split(work, stores):
    snapshot = scan(work, stores, "facts")
    with pytest.raises(RefusedError, match="no heading in Other"):
        work[1].split(snapshot, "other.md")


# Any text


BODIES = st.lists(
    st.sampled_from(
        ["words", "## Head", "### Deep", "", "[[other]]", "```", "§ 4", "日本", "%%%%%% memtui: x"]
    ),
    min_size=1,
    max_size=7,
).map("\n".join)


HOWS = ("front", "end", "unlist", "describe")


def act(work, snapshot, ids, do):
    """Do one of these to some of the memories."""
    memories = [(snapshot, memory_id) for memory_id in ids[:2]]
    if do == "split":
        return work[1].split(snapshot, ids[0])
    if do == "keep":
        return work[1].merge(memories)
    if do == "edit":
        asked = work[1].text_to_merge(memories)
        return work[1].merge(memories, NewText(work[1].merged_text(asked, asked.data), asked.base))
    if do in HOWS:
        return work[1].index_lines(snapshot, ids[:2], do)
    edit = Remove if do == "delete" else lambda memory_id: SetField(memory_id, "type", "user")
    return work[0].run(snapshot, do, tuple(edit(memory_id) for memory_id in ids[:2]))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data(), layout=st.sampled_from(LAYOUTS))
def test_undo_gives_the_tree_back_byte_for_byte_and_nothing_is_written_on_a_refusal(
    env, tmp_path, data, layout
):
    shutil.rmtree(tmp_path)
    fill(tmp_path, layout)
    workspace = Workspace(env)
    work = workspace, TextActions(workspace)
    for name in sorted(path.name for path in (tmp_path / layout).iterdir()):
        if name != "MEMORY.md" or layout == "entries":
            path = tmp_path / layout / name
            path.write_text(
                path.read_text() + "\n" + data.draw(BODIES) + data.draw(st.sampled_from(["", "\n"]))
            )
    trees = [files_of(tmp_path)]
    for _step in range(2):
        snapshot = scan(work, tmp_path, layout)
        ids = data.draw(st.permutations([memory.id for memory in snapshot.memories]))
        do = data.draw(st.sampled_from(["edit", "keep", "split", "delete", "type", *HOWS]))
        try:
            outcome = act(work, snapshot, ids, do)
        except RefusedError:
            assert files_of(tmp_path) == trees[-1]
            continue
        work[0].settle(0)
        if do == "keep":
            assert work[0].text(snapshot, ids[0]).text.strip().decode() in everything(tmp_path, layout)
        now = files_of(tmp_path)
        # what was decided on is done: the same once more finds nothing to do
        with contextlib.suppress(RefusedError, ConflictError):
            assert act(work, snapshot, ids, do).change is None
        work[0].settle(0)
        assert files_of(tmp_path) == now
        trees += [now] if outcome.change is not None else []
    for tree in reversed(trees[:-1]):
        assert undone(work, tmp_path, tree)


# Index lines of many at once


INDEX = "# M\n\n- [A](a.md) — x\n- [B](b.md) — y\n  more of b\n\nText.\n\n- [C](c.md), [D](d.md) — z"


@pytest.mark.parametrize(
    ("how", "ids", "after"),
    [
        (
            "front",
            "b",
            "# M\n\n- [B](b.md) — y\n  more of b\n- [A](a.md) — x\n\nText.\n\n- [C](c.md), [D](d.md) — z",
        ),
        (
            "end",
            "ab",
            "# M\n\n\nText.\n\n- [C](c.md), [D](d.md) — z\n- [A](a.md) — x\n- [B](b.md) — y\n  more of b",
        ),
        (
            "front",
            "cd",
            "# M\n\n- [C](c.md), [D](d.md) — z\n- [A](a.md) — x\n- [B](b.md) — y\n  more of b\n\nText.\n",
        ),
        ("unlist", "ac", "# M\n\n- [B](b.md) — y\n  more of b\n\nText.\n\n- [D](d.md) — z"),
        ("unlist", "cd", "# M\n\n- [A](a.md) — x\n- [B](b.md) — y\n  more of b\n\nText.\n\n"),
        (
            "describe",
            "abcd",
            INDEX.replace("— x", "— about a")
            .replace("— y", "— about b")
            .replace("c.md), [D](d.md) — z", "c.md) — about c, [D](d.md) — about d"),
        ),
        ("front", "a", None),
        ("end", "abcd", None),
        ("describe", "", None),
    ],
)
def test_index_lines_of_many_at_once(work, tmp_path, how, ids, after):
    root = tmp_path / "facts"
    root.mkdir()
    for name in "abcd":
        (root / f"{name}.md").write_text(f"---\nname: {name}\ndescription: about {name}\n---\n")
    (root / "MEMORY.md").write_text(INDEX)
    before = files_of(tmp_path)
    snapshot = scan(work, tmp_path, "facts")
    names = [f"{name}.md" for name in ids]
    if after is None:
        with pytest.raises(RefusedError, match="nothing would change"):
            work[1].index_lines(snapshot, names, how)
        return
    work[1].index_lines(snapshot, names, how)
    assert (root / "MEMORY.md").read_text() == after
    assert undone(work, tmp_path, before)


def test_a_line_below_the_last_one_may_go_to_the_end(work, tmp_path):
    root = tmp_path / "facts"
    root.mkdir()
    for name in "abc":
        (root / f"{name}.md").write_text(f"{name}\n")
    (root / "MEMORY.md").write_text("- [A](a.md)\n- [B](b.md)\n  more\n  - [C](c.md)\n  rest\n")
    work[1].index_lines(scan(work, tmp_path, "facts"), ["c.md"], "end")
    assert (root / "MEMORY.md").read_text() == "- [A](a.md)\n- [B](b.md)\n  more\n  rest\n  - [C](c.md)\n"
