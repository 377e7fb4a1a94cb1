"""Repairs: what each problem is mended by, that only what is proven is done unasked, and that all of it undoes."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from carry_stores import LAYOUTS, store_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sick_stores import ENTRIES, HIDDEN, LUMPS, files_of

from memtui.core import checks
from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Discard, Draft, Edit, Layout, Problem, Refusal, Snapshot, Store, StoredFile
from memtui.core.layouts.table import LAYOUTS as TABLE
from memtui.core.mending import Mending, key_of, repair_words
from memtui.core.operations.mending import Key, mend
from memtui.core.text.leftovers import leftover_kind
from memtui.core.workspace import Workspace

BLOCK = "---\nname: {}\ndescription: {}\ntype: project\n---\nbody\n"


def snapped(files: dict[str, str], layout: str = "facts", **store: object) -> tuple[Layout, Snapshot]:
    """A checked snapshot of files in memory."""
    read = [
        StoredFile(path, "file", None if leftover_kind(path) and layout != "entries" else text.encode())
        for path, text in files.items()
    ]
    where = dataclasses.replace(store_of(Path("/nowhere"), layout), **store)  # type: ignore[arg-type]
    snapshot = TABLE[layout].scan(where, read)
    return TABLE[layout], dataclasses.replace(snapshot, problems=checks.run(snapshot))


def mended(files: dict[str, str], *codes: str, layout: str = "facts") -> dict[str, str]:
    """The files once all problems of these codes (without any: all safe ones) are mended."""
    table, snapshot = snapped(files, layout)
    wanted: list[Key] | None = [key_of(p) for p in snapshot.problems if p.code in codes] if codes else None
    done = mend(table, snapshot, wanted)
    after = dict(files)
    for step in done.plan.steps:
        path = step.path.relative_to(snapshot.store.root).as_posix()
        after.pop(path, None)
        if hasattr(step, "mode") and (digest := getattr(step, "after", None)) is not None:
            after[path] = done.plan.blobs[digest].decode()
    return after


def changed(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """The files that are another, or new."""
    return {path: text for path, text in after.items() if before.get(path) != text}


# Cases


F05 = {
    "MEMORY.md": "- [A](a.md) — x\n",
    "a.md": BLOCK.format("a", "x"),
    "b.md": BLOCK.format("B", "staging port"),
    ".dream-meta.json": "{}",
    "MEMORY.md.bak.1767225600": "",
    ".a.md.swp": "",
}


@pytest.mark.parametrize(
    ("index", "codes", "after"),
    [
        pytest.param("- [A](a.md) — x\n- [B](b.md) — y\n", (), "- [A](a.md) — x\n", id="F04"),
        pytest.param("- [B](b.md) — y\r\n- [A](a.md) — x", (), "- [A](a.md) — x", id="F04-crlf"),
        pytest.param("- [A](a.md) — old\n- [A2](./a.md#x) — new\n", (), None, id="F06-not-by-itself"),
        pytest.param(
            "- [A](a.md) — old\n- [A2](./a.md#x) — new\n", ("duplicate-line",), "- [A](a.md) — old\n", id="F06"
        ),
        pytest.param(
            "- [A2](a.md) — old\n- [A](a.md) — d\n",
            ("duplicate-line",),
            "- [A](a.md) — d\n",
            id="F06-described",
        ),
        pytest.param("- [A](a.md) — x\n* [A](a.md)  — x\n", (), "- [A](a.md) — x\n", id="F06-same-words"),
        pytest.param(
            "- [A](a.md)\nas [b](b.md) says\n", ("dead-link",), "- [A](a.md)\nas b says\n", id="prose"
        ),
        pytest.param("- [A](a.md)\nas [b](b.md) says\n", (), None, id="prose-not-by-itself"),
        pytest.param("- [A](a.md)\n- [B](b.md) — y\n  more of it\n", (), None, id="goes-on-below"),
        pytest.param(
            "- [B](b.md)\n  more\n- [B](b.md)\n- [A](a.md)",
            (),
            "- [B](b.md)\n  more\n- [A](a.md)",
            id="one-of-two",
        ),
        pytest.param("- [A](a.md)\n- [B](A.md) — y\n", (), None, id="in-another-spelling"),
        pytest.param("- [A](a.md)\n- [B](.kept/b.md) — y\n", (), None, id="never-looked-there"),
    ],
)
def test_f04_f06_lines_that_lead_nowhere_or_twice_to_one_file(
    index: str, codes: tuple[str, ...], after: str | None
) -> None:
    files = {"MEMORY.md": index, "a.md": BLOCK.format("a", "d")}
    assert changed(files, mended(files, *codes)) == ({} if after is None else {"MEMORY.md": after})


def test_a_line_that_has_no_room_in_the_index_is_left_and_said_or_added_with_a_warning() -> None:
    lines = "".join(f"- [F{n}](f{n}.md) — d\n" for n in range(200))
    files = {f"f{n}.md": BLOCK.format(f"f{n}", "d") for n in range(199)} | {"b.md": BLOCK.format("b", "d")}
    table, snapshot = snapped({"MEMORY.md": lines.replace("f199.md", "f198.md"), **files})
    assert any("no room" in note for note in mend(table, snapshot).plan.notes)
    orphan = next(key_of(problem) for problem in snapshot.problems if problem.code == "orphan")
    assert any(
        "longer than what its agent loads" in note for note in mend(table, snapshot, [orphan]).plan.notes
    )
    table, snapshot = snapped({"MEMORY.md": lines.replace("- [F199](f199.md) — d\n", ""), **files})
    assert not mend(table, snapshot).plan.notes


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("- [A](a.md) — x", "- [B](b.md) — staging port"),
        ("* [A](./a.md): x", "* [B](./b.md): staging port"),
        ("1. [A](a.md) - x", "2. [B](b.md) - staging port"),
    ],
)
def test_f05_a_file_without_a_line_gets_one_in_the_style_of_the_index(line: str, new: str) -> None:
    files = F05 | {"MEMORY.md": line + "\n"}
    assert changed(files, mended(files)) == {"MEMORY.md": f"{line}\n{new}\n"}


def test_a_new_line_names_its_file_and_nothing_else() -> None:
    files = {"MEMORY.md": "", "a.md": BLOCK.format("see", "[b](b.md) too"), "c.md": BLOCK.format("[[x]]", "d")}
    assert mended(files)["MEMORY.md"] == "- [see](a.md)\n- [\\[\\[x\\]\\]](c.md) — d\n"


def test_f15_an_index_is_built_and_not_where_it_would_not_be_loaded_whole() -> None:
    two = {"a.md": BLOCK.format("a", "one"), "b.md": BLOCK.format("b", "two")}
    _layout, snapshot = snapped(two)
    (problem,) = (problem for problem in snapshot.problems if problem.code == "no-index")
    assert problem.is_safe and repair_words(snapshot, [problem]) == "adding 2 lines to MEMORY.md"
    assert changed(two, mended(two)) == {"MEMORY.md": "- [a](a.md) — one\n- [b](b.md) — two\n"}
    many = {f"n{n}.md": BLOCK.format(f"n{n}", "d") for n in range(201)}
    _layout, snapshot = snapped(many)
    (problem,) = (problem for problem in snapshot.problems if problem.code == "no-index")
    assert problem.repairable and not problem.is_safe


def test_a_line_comes_by_itself_only_while_the_index_with_it_is_loaded_whole() -> None:
    index = "".join(f"- [n{n}](n{n}.md) — d\n" for n in range(199))
    full = {f"n{n}.md": BLOCK.format(f"n{n}", "d") for n in range(199)} | {"MEMORY.md": index}
    one, two = ({f"lone{n}.md": BLOCK.format(f"lone{n}", "d") for n in range(count)} for count in (1, 2))
    assert mended(full | one)["MEMORY.md"] == index + "- [lone0](lone0.md) — d\n"
    assert mended(full | two)["MEMORY.md"] == index
    # a dead line that goes makes room
    dead = full | two | {"MEMORY.md": index + "- [gone](gone.md)\n"}
    assert "lone" not in mended(dead)["MEMORY.md"] and "gone" not in mended(dead)["MEMORY.md"]


def test_f23_leftovers_go_to_the_trash_together_and_never_by_themselves(env, tmp_path: Path) -> None:
    names = ["a.md~", ".a.md.swp", "#a.md#", "a.sync-conflict-20260101-101010-AB12CD3.md"]
    names += [f"MEMORY.md.bak.{1767225600 + n}" for n in range(40)]
    root = tmp_path / "facts"
    root.mkdir()
    for name in ("a.md", "MEMORY.md", *names):
        (root / name).write_text("- [A](a.md)\n" if name == "MEMORY.md" else BLOCK.format("a", "d"))
    workspace = Workspace(env)
    snapshot = workspace.scan(store_of(tmp_path, "facts"))
    (problem,) = snapshot.problems
    assert problem.message == "1 sync conflict, 40 backups" and not problem.is_safe
    assert isinstance(problem.repair, Discard) and len(problem.repair.paths) == 41
    assert "and 38 more to the trash" in repair_words(snapshot, [problem])
    mending = Mending(workspace)
    with pytest.raises(RefusedError):
        mending.propose([snapshot])
    before = {path: path.read_bytes() for path in root.iterdir()}
    # what is still written to, and what nobody was shown, stays
    (root / "b.md.tmp").write_text("half")
    os.utime(root / "b.md.tmp", (now := env.now().timestamp(), now))
    snapshot = workspace.scan(store_of(tmp_path, "facts"))
    proposal = mending.propose([snapshot], {"facts": [key_of(snapshot.problems[0])]})
    (root / "b.md.bak").write_text("newer")
    outcome = mending.run(proposal)
    assert outcome.change is not None and outcome.change.summary == "deleted 41 leftovers"
    (root / "b.md.bak").unlink()
    (root / "b.md.tmp").unlink()
    left = {path.name for path in root.iterdir() if not path.name.startswith(".memtui-")}
    assert left == {"a.md", "MEMORY.md", "a.md~", ".a.md.swp", "#a.md#"}
    workspace.undo(outcome.change.id)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("before", "after", "is_safe"),
    [
        pytest.param(
            BLOCK.format("deploy", "Release steps: tag, then push"),
            BLOCK.format("deploy", '"Release steps: tag, then push"'),
            True,
            id="Y01",
        ),
        pytest.param(BLOCK.format("a", "@team decides"), BLOCK.format("a", '"@team decides"'), True, id="Y02"),
        pytest.param(BLOCK.format("a", "[WIP] note"), BLOCK.format("a", '"[WIP] note"'), True, id="Y02-list"),
        pytest.param(BLOCK.format("a: b", "c: d"), BLOCK.format('"a: b"', '"c: d"'), True, id="two-values"),
        pytest.param(BLOCK.format("a", "0x1F"), BLOCK.format("a", '"0x1F"'), True, id="a-number"),
        pytest.param(BLOCK.format("a", "see #12 first"), BLOCK.format("a", '"see #12 first"'), False, id="cut"),
        pytest.param(
            "---\nname: a\ntype: user\ndescription: d\ntype: project\n---\n",
            "---\nname: a\ndescription: d\ntype: project\n---\n",
            False,
            id="Y10",
        ),
        pytest.param(
            "---\nname: a\ntype: user\ndescription: d\ntype: user\n---\n",
            "---\nname: a\ndescription: d\ntype: user\n---\n",
            True,
            id="Y10-both-say-the-same",
        ),
        pytest.param("\n\n" + BLOCK.format("a", "d"), BLOCK.format("a", "d"), True, id="Y06"),
        pytest.param(
            BLOCK.format("a", "d").replace("---\nbody", "--- \nbody"), BLOCK.format("a", "d"), True, id="fence"
        ),
        pytest.param(
            "---\nname: a\ndescription: d\n\ntext\n",
            "---\nname: a\ndescription: d\n---\n\ntext\n",
            True,
            id="open",
        ),
        pytest.param(
            "---\r\nname: a\r\ndescription: d", "---\r\nname: a\r\ndescription: d\r\n---", True, id="open-crlf"
        ),
        pytest.param("---\nname: a\nand then words\n", None, False, id="open-and-no-telling-where"),
        pytest.param("---\nname: tab\ndescription: d\nmetadata:\n\ttype: user\n---\n", None, False, id="Y11"),
        pytest.param("words\n", "---\nname: a\ndescription: its hook\n---\nwords\n", True, id="no-block"),
        pytest.param(
            "---\nname: a\n---\n", "---\nname: a\ndescription: its hook\n---\n", True, id="no-description"
        ),
    ],
)
def test_y01_y10_a_frontmatter_is_put_right_by_the_bytes_that_are_wrong(
    before: str, after: str | None, is_safe: bool
) -> None:
    files = {"MEMORY.md": "- [A](a.md) — its hook\n", "a.md": before}
    _layout, snapshot = snapped(files)
    wrong = [problem for problem in snapshot.problems if problem.severity != "note" or problem.repair]
    assert all((problem.repairable, problem.is_safe) == (after is not None, is_safe) for problem in wrong)
    codes = {problem.code for problem in wrong}
    assert changed(files, mended(files, *codes)) == ({} if after is None else {"a.md": after})
    assert bool(changed(files, mended(files))) is is_safe


@pytest.mark.parametrize("layout", LAYOUTS)
def test_t09_hidden_characters_go_when_asked_and_ordinary_emoji_stay(layout: str) -> None:
    family = "\U0001f468\u200d\U0001f469 \u2764\ufe0f"
    if layout == "entries":
        files = {"MEMORY.md": f"alpha {HIDDEN} {family}\n§\nbeta"}
        clean = {"MEMORY.md": f"alpha abc {family}\n§\nbeta"}
    else:
        lumps = [lump for lump in LUMPS[layout] if "hidden-chars" in lump.codes]
        files = files_of([dataclasses.replace(lump, lines=lump.lines or ("- x",)) for lump in lumps])
        files["MEMORY.md"] += f"{family}\n"
        clean = {path: text.replace(HIDDEN, "abc") for path, text in files.items()}
    _layout, snapshot = snapped(files, layout)
    found = [problem for problem in snapshot.problems if problem.code == "hidden-chars"]
    assert found and all(problem.repairable and not problem.is_safe for problem in found)
    assert not changed(files, mended(files, layout=layout))
    after = mended(files, "hidden-chars", layout=layout)
    # a topic that is edited is stamped with the day
    assert {path: text.replace("1970-01-01", "2026-01-02") for path, text in after.items()} == clean


def test_what_mending_brings_to_light_is_mended_in_the_same_change() -> None:
    files = {"MEMORY.md": "", "a.md": "\n---\nname: a: b\ndescription: c\n\ntext\n"}
    # late and unclosed: there is no telling, so nothing is done; closed, its value needs quotes, and it a line
    assert not changed(files, {k: v for k, v in mended(files).items() if k == "a.md"})
    files["a.md"] = "---\nname: a\ndescription: 12\n\ntext\n"
    assert mended(files) == {
        "MEMORY.md": "- [a](a.md) — 12\n",
        "a.md": '---\nname: a\ndescription: "12"\n---\n\ntext\n',
    }


class Counted:
    """A layout that notes what it is asked."""

    def __init__(self, layout: Layout) -> None:
        self.name = layout.name
        self.asked: list[str] = []
        self._layout = layout

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        self.asked.append("scan")
        return self._layout.scan(store, files)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        self.asked.append("edit")
        return self._layout.edit(snapshot, edit)


def test_ten_or_a_thousand_problems_take_as_many_looks_at_the_store() -> None:
    looks = []
    for count in (10, 1_000):
        lines = "".join(f"- [G{n}](g{n}.md) — was\n" for n in range(count))
        layout, snapshot = snapped({"MEMORY.md": lines, "a.md": BLOCK.format("a", "b: c")})
        counted = Counted(layout)
        done = mend(counted, snapshot)  # type: ignore[arg-type]
        assert len(done.done) == count + 2 and len(done.plan.steps) == 2
        looks.append(counted.asked)
    assert looks[0] == looks[1] and len(looks[0]) <= 6


# Every repair on every layout: one by one, and all that is safe


def sick(layout: str) -> list[dict[str, str]]:
    """Stores of a layout with every fault it can have."""
    if layout == "entries":
        return list(ENTRIES)
    return [files_of([lump]) for lump in LUMPS[layout]] + [files_of(LUMPS[layout])]


def fill(root: Path, files: dict[str, str]) -> None:
    root.mkdir(parents=True)
    for name, text in files.items():
        (root / name).write_bytes(text.encode())


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in root.iterdir()
        if not path.name.startswith(".memtui-") and path.is_file()
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_repair_of_every_layout_mends_its_problem_and_undoes_to_the_byte(
    env, tmp_path: Path, layout: str
) -> None:
    workspace, codes = Workspace(env), set()
    mending = Mending(workspace)
    # one with everything, but for those of which each is sick in another way
    for number, files in enumerate(sick(layout) if layout == "entries" else sick(layout)[-1:]):
        store = store_of(tmp_path / str(number), layout)
        fill(store.root, files)
        before = tree(store.root)
        for key in {key_of(problem) for problem in workspace.scan(store).problems if problem.repairable}:
            snapshot = workspace.scan(store)
            outcome = mending.run(mending.propose([snapshot], {store.id: [key]}))
            assert outcome.change is not None, key
            assert key not in {
                key_of(problem) for problem in workspace.scan(store).problems if problem.repairable
            }
            with pytest.raises(RefusedError):
                mending.propose([workspace.scan(store)], {store.id: [key]})
            workspace.undo(outcome.change.id)
            assert tree(store.root) == before, key
            codes.add(key[0])
    expected = {code for lump in LUMPS.get(layout, ()) for code in lump.codes}
    assert codes >= expected or codes >= {"drift", "crlf", "duplicate", "entry-over-limit", "hidden-chars"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_that_is_safe_is_one_change_after_which_nothing_safe_is_left(
    env, tmp_path: Path, layout: str
) -> None:
    workspace = Workspace(env)
    mending = Mending(workspace)
    picks = (
        st.sampled_from(ENTRIES)
        if layout == "entries"
        else st.builds(
            files_of,
            st.lists(st.sampled_from(LUMPS[layout]), unique=True, min_size=1),
            end=st.sampled_from(["\n", "\n", "\r\n"]),
            ends=st.booleans(),
        )
    )
    numbers = iter(range(1000))

    @settings(max_examples=8, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(picks)
    def check(files: dict[str, str]) -> None:
        store = store_of(tmp_path / str(next(numbers)), layout)
        fill(store.root, files)
        before = tree(store.root)
        snapshot = workspace.scan(store)
        safe = [problem for problem in snapshot.problems if problem.is_safe]
        if not safe:
            return
        outcome = mending.run(mending.propose([snapshot]))
        assert outcome.change is not None
        after = workspace.scan(store)
        assert not [problem for problem in after.problems if problem.is_safe]
        touched = {path.name for path in outcome.change.paths}
        assert {name: data for name, data in tree(store.root).items() if name not in touched} == {
            name: data for name, data in before.items() if name not in touched
        }
        assert_lines_kept(before, tree(store.root), safe)
        with pytest.raises(RefusedError):
            mending.propose([after])
        workspace.undo(outcome.change.id)
        assert tree(store.root) == before

    check()


def assert_lines_kept(before: dict[str, bytes], after: dict[str, bytes], safe: list[Problem]) -> None:
    """A line that no problem is about stands there as it was, wherever line ends were not what was wrong."""
    about = {(problem.file, problem.line) for problem in safe}
    reshaped = {problem.file for problem in safe if problem.code in ("crlf", "drift", "duplicate")}
    for name, data in before.items():
        if name in reshaped:
            continue
        left = after[name].split(b"\n")
        for number, line in enumerate(data.split(b"\n"), 1):
            if (name, number) not in about:
                assert line in left, (name, number)


PIECES = (
    "---\n",
    "--- \n",
    "name: a\n",
    "description: ",
    "type: user\n",
    "  x: y\n",
    "\tt: u\n",
    "a: b",
    "\n",
    "\r\n",
)
PIECES += (
    "# c",
    "[x",
    "{a: b}",
    '"',
    " >-\n",
    "&a ",
    "- [A](a.md) — x\n",
    "* [C](<c d.md>): y\n",
    "[b](b.md) and\n",
)
PIECES += (
    "- [D](sub/d.md) - z\n",
    "1. [A](./a.md#x)\n",
    "## T\n",
    "\n§\n",
    HIDDEN,
    "\0",
    "```\n",
    "<!-- ",
    "\udcff",
    "12",
)
ODD = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


@settings(max_examples=40)
@given(
    st.sampled_from(LAYOUTS),
    st.dictionaries(st.sampled_from(["MEMORY.md", "USER.md", "a.md", "b.md", "c d.md", "sub/d.md"]), ODD),
)
def test_no_store_is_too_odd_and_nothing_safe_is_ever_left(layout: str, files: dict[str, str]) -> None:
    table, snapshot = snapped({}, layout)
    read = {
        path: StoredFile(path, "file", text.encode("utf-8", "surrogateescape")) for path, text in files.items()
    }
    scanned = table.scan(snapshot.store, read.values())
    done = mend(table, dataclasses.replace(scanned, problems=checks.run(scanned)))
    for step in done.plan.steps:
        path = step.path.relative_to(snapshot.store.root).as_posix()
        read[path] = StoredFile(path, "file", done.plan.blobs[step.after])  # type: ignore[union-attr]
    assert not [problem for problem in checks.run(table.scan(snapshot.store, read.values())) if problem.is_safe]


# Beside others


def test_what_changed_meanwhile_is_looked_at_again_left_out_and_said(env, tmp_path: Path) -> None:
    store = store_of(tmp_path, "facts")
    good = BLOCK.format("a", "d")
    fill(store.root, {"MEMORY.md": "- [A](a.md) — d\n- [Gone](gone.md)\n- [Lost](lost.md)\n", "a.md": good})
    workspace = Workspace(env)
    mending = Mending(workspace)
    proposal = mending.propose([workspace.scan(store)])
    assert [problem.code for _snapshot, problem in proposal.done] == ["dead-link", "dead-link"]
    # an agent writes one of the two, and a line above them
    (store.root / "gone.md").write_text(BLOCK.format("gone", "d"))
    (store.root / "MEMORY.md").write_text("# New\n- [A](a.md) — d\n- [Gone](gone.md)\n- [Lost](lost.md)\n")
    outcome = mending.run(proposal)
    assert (store.root / "MEMORY.md").read_text() == "# New\n- [A](a.md) — d\n- [Gone](gone.md)\n"
    assert any("no longer there as it was" in note for note in outcome.notes)


def test_no_line_goes_that_says_something_else_than_the_one_that_was_shown(env, tmp_path: Path) -> None:
    store = store_of(tmp_path, "facts")
    fill(store.root, {"MEMORY.md": "- [Gone](gone.md) — old\n- [Lost](lost.md) — x\n"})
    mending = Mending(workspace := Workspace(env))
    proposal = mending.propose([workspace.scan(store)])
    (store.root / "MEMORY.md").write_text(
        "# New\n- [Gone](gone.md) — what is nowhere else\n- [Lost](lost.md) — x\n"
    )
    outcome = mending.run(proposal)
    assert (store.root / "MEMORY.md").read_text() == "# New\n- [Gone](gone.md) — what is nowhere else\n"
    assert any("since you looked: 1 left as it is" in note for note in outcome.notes)


def test_what_is_not_safe_stays_although_the_same_memory_has_the_same_fault_twice(env, tmp_path: Path) -> None:
    store = store_of(tmp_path, "facts")
    fill(store.root, {"MEMORY.md": "- [B](b.md) — y\n\nas [b](b.md) says\n"})
    workspace = Workspace(env)
    mending = Mending(workspace)
    mending.run(mending.propose([workspace.scan(store)]))
    assert (store.root / "MEMORY.md").read_text() == "\nas [b](b.md) says\n"


def test_several_stores_are_one_change_with_one_undo_and_each_directory_is_mended_once(
    env, tmp_path: Path
) -> None:
    workspace = Workspace(env)
    for layout in LAYOUTS:
        fill(tmp_path / layout, sick(layout)[1])
    stores = [store_of(tmp_path, layout) for layout in LAYOUTS]
    befores = [tree(store.root) for store in stores]
    twin = dataclasses.replace(stores[0], id="twin")
    read_only = dataclasses.replace(stores[1], id="shut", root=tmp_path / "notes", writable=False)
    mending = Mending(workspace)
    proposal = mending.propose([workspace.scan(store) for store in (*stores, twin, read_only)])
    assert len({snapshot.store.id for snapshot, _problem in proposal.done}) == 4
    outcome = mending.run(proposal)
    assert outcome.change is not None and outcome.change.summary == f"mended {len(proposal.done)} problems"
    assert [tree(store.root) for store in stores] != befores
    workspace.undo(outcome.change.id)
    assert [tree(store.root) for store in stores] == befores
