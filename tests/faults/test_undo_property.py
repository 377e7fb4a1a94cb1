"""Over generated stores and operations: every untouched byte is equal, and undo gives the tree back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_store import do, open_workspace, tree_of

from memtui.core.env import Env
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.layouts.base import Add, Edit, Remove, Rename, SetField, SetText

LINES = st.sampled_from(
    [
        b"plain words",
        b"  indented, with a tab\t",
        b"* another bullet",
        b"[a link](a.md) and [[b]]",
        b"\xe6\xbc\xa2\xe5\xad\x97",
        b"not utf-8 \xff\xfe",
        b"---",
        b"",
        b"trailing blanks   ",
        b"<!-- comment -->",
    ]
)
ENDS = st.sampled_from([b"\n", b"\r\n"])
NAMES = ("a.md", "b.md", "c.md", "sub/d.md")


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    end = draw(ENDS)
    lines = draw(st.lists(LINES, max_size=5))
    front = [b"---", b"name: x", b"custom: 'kept'  # why", b"description: some words", b"---"]
    text = end.join([*(front if draw(st.booleans()) else []), *lines])
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text + (end if draw(st.booleans()) else b"")


@st.composite
def indexes(draw: st.DrawFn) -> bytes:
    end = draw(ENDS)
    links = [f"- [{name}]({name}) — about {name}".encode() for name in NAMES if draw(st.booleans())]
    lines = draw(st.permutations([b"# Memory", *links, *draw(st.lists(LINES, max_size=3))]))
    return end.join(lines) + (end if draw(st.booleans()) else b"")


WORDS = st.sampled_from(["words", "a: b # c", "'quoted'", "漢字", "", "x" * 90])
EDITS = st.one_of(
    st.builds(Add, WORDS, WORDS, st.just("user"), WORDS),
    st.builds(Remove, st.sampled_from(NAMES)),
    st.builds(
        SetField, st.sampled_from(NAMES), st.sampled_from(["title", "description", "type", "hook"]), WORDS
    ),
    st.builds(SetText, st.sampled_from(NAMES), bodies()),
    st.builds(Rename, st.sampled_from(NAMES), st.sampled_from(["fresh", "other name", "a"])),
)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    texts=st.fixed_dictionaries({name: bodies() for name in NAMES}),
    index=indexes(),
    modes=st.lists(st.sampled_from([0o600, 0o640, 0o644]), min_size=len(NAMES), max_size=len(NAMES)),
    edits=st.lists(EDITS, min_size=1, max_size=4),
)
def test_undo_gives_the_tree_back_byte_for_byte(
    make_env: Callable[..., Env],
    tmp_path: Path,
    texts: dict[str, bytes],
    index: bytes,
    modes: list[int],
    edits: list[Edit],
) -> None:
    shutil.rmtree(tmp_path)
    root = tmp_path / "memory"
    (root / "sub").mkdir(parents=True)
    for (name, text), mode in zip(texts.items(), modes, strict=True):
        (root / name).write_bytes(text)
        (root / name).chmod(mode)
    (root / "MEMORY.md").write_bytes(index)
    workspace = open_workspace(make_env(home=tmp_path / "home", cwd=tmp_path), root)
    trees = [tree_of(root)]
    for edit in edits:
        (store,) = workspace.used_stores()
        try:
            outcome = workspace.run(workspace.scan(store), "test", (edit,))
        except (RefusedError, ConflictError):
            assert tree_of(root) == trees[-1]
            continue
        workspace.settle()
        if outcome.change is None:
            assert tree_of(root) == trees[-1]
            continue
        touched = {str(path.relative_to(root)) for path in outcome.change.paths}
        now = tree_of(root)
        assert {name for name in set(now) | set(trees[-1]) if now.get(name) != trees[-1].get(name)} <= touched
        check_other_lines(edit, trees[-1], now)
        trees.append(now)
    for tree in reversed(trees[:-1]):
        do(workspace, "undo")
        assert tree_of(root) == tree
    for tree in trees[1:]:
        workspace.redo()
        workspace.settle()
        assert tree_of(root) == tree


def check_other_lines(
    edit: Edit, old: dict[str, tuple[str, int, bytes]], new: dict[str, tuple[str, int, bytes]]
) -> None:
    """No line of the index that is not about the memory has changed, nor the order of the lines."""
    about = getattr(edit, "memory_id", None)
    if about is None or isinstance(edit, Rename):
        return
    stem = about.removesuffix(".md").encode()
    before, after = (
        [line for line in tree["MEMORY.md"][2].split(b"\n") if stem not in line] for tree in (old, new)
    )
    assert [line for line in before if line.strip()] == [line for line in after if line.strip()]
