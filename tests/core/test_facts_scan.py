"""The facts layout: what is a memory, what the agent loads, and how much of a limit is used."""

from __future__ import annotations

import pytest
from facts_store import snap, stored

from memtui.core.layouts.base import StoredFile
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.facts.names import free_stem, kebab, taken_names
from memtui.core.layouts.owners import ZCODE


def ids(snapshot):
    return [memory.id for memory in snapshot.memories]


def budget(snapshot, scope, unit):
    return next(item for item in snapshot.budgets if (item.scope, item.unit) == (scope, unit))


def test_f01_lines_beyond_the_limit_are_not_loaded():
    files = {f"t{n}.md": "one line\n" for n in range(1, 206)}
    files["MEMORY.md"] = "".join(f"- [T{n}](t{n}.md) — hook {n}\n" for n in range(1, 206))
    snapshot = snap(files)
    lines = budget(snapshot, "inject", "lines")
    assert (lines.used, lines.limit, lines.loaded, lines.binding) == (205, 200, (1, 200), True)
    assert [memory.id for memory in snapshot.memories if not memory.loaded] == [
        f"t{n}.md" for n in range(201, 206)
    ]
    view = FACTS.agent_view(snapshot)
    assert view.text == files["MEMORY.md"].encode().split(b"\n- [T201]")[0]
    assert any("warning" in sentence for sentence in view.approximate)


def test_f04_a_line_whose_file_is_gone_is_a_row_of_its_own():
    snapshot = snap({"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "a.md": "a"})
    dead = snapshot.memory("b.md")
    assert (dead.state, dead.title, dead.hook, dead.index_lines) == ("missing", "B", "y", (2,))
    assert "missing" in dead.why_not["edit"] and "delete" not in dead.why_not
    assert FACTS.text(snapshot, "b.md") is None


def test_f05_f23_leftovers_are_no_memories():
    names = [".dream-meta.json", "MEMORY.md.bak.1767225600", ".a.md.swp", "a.md~", "#a.md#"]
    names += [
        "a.sync-conflict-20260101-101010-AB12CD3.md",
        "sub/MEMORY.md",
        *(f"MEMORY.md.bak.{n}" for n in range(40)),
    ]
    files = {
        "MEMORY.md": "- [A](a.md)\n",
        "a.md": "a",
        "b.md": "---\nname: B\ndescription: staging port\n---\n",
    }
    snapshot = snap({**files, **dict.fromkeys(names, "x")})
    assert ids(snapshot) == ["a.md", "b.md"]
    assert (snapshot.memory("b.md").loaded, snapshot.memory("b.md").index_lines) == (False, ())


def test_f06_two_lines_for_one_file():
    snapshot = snap({"MEMORY.md": "- [A](a.md) — old\n- [A2](./a.md#x) — new\n", "a.md": "a"})
    (memory,) = snapshot.memories
    assert (memory.title, memory.hook, memory.index_lines) == ("A", "old", (1, 2))


@pytest.mark.parametrize("target", ["笔记.md", "%E7%AC%94%E8%AE%B0.md"])
def test_f10_a_cjk_name_is_found_in_both_spellings(target):
    snapshot = snap({"MEMORY.md": f"- [笔记]({target}) — x\n", "笔记.md": "a"})
    assert ids(snapshot) == ["笔记.md"] and snapshot.memories[0].index_lines == (1,)


def test_a_literal_percent_sign_in_a_name_is_found():
    snapshot = snap({"MEMORY.md": "- [A](a%20b.md)\n", "a%20b.md": "a"})
    assert ids(snapshot) == ["a%20b.md"]


def test_f14_a_file_that_is_not_utf8_is_shown_and_never_empty():
    raw = b"- [Caf\xe9](cafe.md) \x97 x\n- [B](b.md) \xe2\x80\x94 y\n"
    snapshot = snap({"MEMORY.md": raw, "cafe.md": b"caf\xe9", "b.md": b"b"})
    assert ids(snapshot) == ["cafe.md", "b.md"]
    assert "byte 3" in snapshot.memory("cafe.md").why_not["edit"]
    assert FACTS.text(snapshot, "cafe.md").text == b"caf\xe9"


def test_f15_no_index_loads_nothing():
    snapshot = snap({"b.md": "b", "a.md": "a"})
    assert ids(snapshot) == ["a.md", "b.md"]
    assert snapshot.index is None and not any(memory.loaded for memory in snapshot.memories)
    assert FACTS.agent_view(snapshot).text == b""
    assert budget(snapshot, "inject", "lines").used == 0


def test_f22_code_tables_and_wiki_links_make_no_rows():
    text = "- `[A](a.md)`\n\n```\n- [B](b.md)\n```\n\n| [C](c.md) | x |\n\n- [D] (d.md)\n- [[E]]\n"
    snapshot = snap({"MEMORY.md": text})
    assert snapshot.memories == ()
    assert [link.name for link in snapshot.index.wiki_links] == ["E"]


def test_y06_a_block_behind_a_mark_or_blank_lines_is_read():
    for head in (b"\xef\xbb\xbf", b"\n\n"):
        snapshot = snap({"a.md": head + b"---\nname: a name\ntype: user\n---\nx\n"})
        assert (snapshot.memories[0].title, snapshot.memories[0].type) == ("a name", "user")


@pytest.mark.parametrize(
    "value", [">-\n  first half\n  second half", "|\n  first half\n  second half", "first half\n  second half"]
)
def test_y14_a_folded_description_is_one_line(value):
    snapshot = snap({"a.md": f"---\nname: a\ndescription: {value}\ntype: user\n---\nbody\n"})
    assert (snapshot.memories[0].description, snapshot.memories[0].type) == ("first half second half", "user")


def test_y16_an_unknown_or_missing_type_is_shown_as_it_is():
    files = {"a.md": "---\nname: a\ntype: gotcha\n---\n", "b.md": "---\nname: b\n---\n", "c.md": "no block\n"}
    assert [memory.type for memory in snap(files).memories] == ["gotcha", "", ""]


def test_the_nested_type_wins_over_the_flat_one():
    snapshot = snap({"a.md": "---\nmetadata:\n  type: user\ntype: project\n---\n"})
    assert snapshot.memories[0].type == "user"


def test_t10_names_with_controls_and_bad_bytes_have_rows_and_ids():
    bad = b"d\xff.md".decode("utf-8", "surrogateescape")
    snapshot = snap({"a\x1b[31m.md": "a", "b\nc.md": "b", bad: "d"})
    assert ids(snapshot)[:2] == ["a\x1b[31m.md", "b\nc.md"]
    assert ids(snapshot)[2].startswith("d\ufffd.md~") and len(ids(snapshot)[2]) == len("d\ufffd.md~") + 12
    ids(snapshot)[2].encode("utf-8")
    assert FACTS.text(snapshot, ids(snapshot)[2]).text == b"d"


def test_t11_a_link_out_of_the_directory_is_a_row_without_a_text():
    text = (
        "- [a](../../secret.md) — x\n- [b](%2e%2e/%2e%2e/secret.md)\n"
        "- [c](/etc/hostname)\n- [d](sub/../../x.md)\n"
    )
    snapshot = snap({"MEMORY.md": text})
    assert [(memory.state, memory.file) for memory in snapshot.memories] == [
        ("outside", "../../secret.md"),
        ("outside", "/etc/hostname"),
        ("outside", "../x.md"),
    ]
    assert all(FACTS.text(snapshot, memory.id) is None for memory in snapshot.memories)


def test_t11_a_link_through_a_linked_folder_is_outside():
    snapshot = snap({"MEMORY.md": "- [a](sub/a.md)\n", "sub": StoredFile("sub", "symlink", link_target="/tmp")})
    assert [memory.state for memory in snapshot.memories] == ["outside"]


def test_t12_a_linked_file_shows_its_target_and_no_text():
    link = StoredFile("leak.md", "symlink", link_target="/tmp/h/private/key.txt")
    snapshot = snap({"MEMORY.md": "- [Leak](leak.md) — x\n", "leak.md": link})
    (memory,) = snapshot.memories
    assert (memory.state, memory.link_target, memory.title) == ("symlink", "/tmp/h/private/key.txt", "Leak")
    assert FACTS.text(snapshot, "leak.md") is None
    assert "/tmp/h/private/key.txt" in memory.why_not["edit"] and "delete" not in memory.why_not


def test_an_unreadable_file_hides_no_other():
    bad = StoredFile("bad.md", "unreadable", error="Permission denied")
    snapshot = snap({"bad.md": bad, "good.md": "x"})
    assert [(memory.id, memory.state) for memory in snapshot.memories] == [
        ("bad.md", "unreadable"),
        ("good.md", "ok"),
    ]
    assert "Permission denied" in snapshot.memory("bad.md").why_not["delete"]


def test_index_order_first_then_names():
    files = dict.fromkeys(("z.md", "a.md", "m.md", "sub/b.md"), "x")
    assert ids(snap({"MEMORY.md": "- [M](m.md)\n- [self](MEMORY.md)\n- [B](sub/b.md)\n", **files})) == [
        "m.md",
        "sub/b.md",
        "a.md",
        "z.md",
    ]


def test_titles_come_from_link_then_name_then_stem():
    files = {
        "MEMORY.md": "- [Link](a.md)\n",
        "a.md": "---\nname: n\n---\n",
        "b.md": "---\nname: n\n---\n",
        "c.md": "",
    }
    assert [memory.title for memory in snap(files).memories] == ["Link", "n", "c"]


def test_what_is_injected_leaves_frontmatter_and_comments_out():
    text = "---\nx: y\n---\n\n# M\n<!-- a\nb -->\n- [A](a.md) — <!-- kept --> x\n- [B](b.md)\n<!-- c -->\n\n"
    snapshot = snap({"MEMORY.md": text, "a.md": "", "b.md": ""})
    assert FACTS.agent_view(snapshot).text == "# M\n- [A](a.md) — <!-- kept --> x\n- [B](b.md)".encode()
    assert budget(snapshot, "inject", "lines").used == 3
    assert budget(snapshot, "inject", "utf16").used == len("# M\n- [A](a.md) — <!-- kept --> x\n- [B](b.md)")
    claude = snap({"MEMORY.md": text, "a.md": "", "b.md": ""}, "claude")
    assert FACTS.agent_view(claude).text == text.encode()
    assert budget(claude, "inject", "bytes").used == len(text.encode())


def test_f19_sizes_count_as_the_owner_counts():
    text = "- [A](a.md) — " + "🚀" * 100
    assert budget(snap({"MEMORY.md": text}), "inject", "utf16").used == len("- [A](a.md) — ") + 200
    assert budget(snap({"MEMORY.md": text}, "claude"), "inject", "bytes").used == len(text.encode())


def test_the_size_limit_cuts_at_the_last_line_end_before_it():
    line = "- [A](a.md) — " + "x" * 985
    assert len(line) == 999
    snapshot = snap({"MEMORY.md": "\n".join([line] * 30), "a.md": ""})
    assert FACTS.agent_view(snapshot).text == "\n".join([line] * 25).encode()
    assert budget(snapshot, "inject", "utf16").loaded == (1, 25)
    assert budget(snapshot, "inject", "utf16").binding


def test_one_endless_line_is_cut_within_and_loads_no_line_whole():
    snapshot = snap({"MEMORY.md": "- [A](a.md) — " + "🚀" * 20_000, "a.md": ""})
    assert len(FACTS.agent_view(snapshot).text.decode().encode("utf-16-le")) // 2 == 25_000
    assert not snapshot.memory("a.md").loaded


def test_an_index_that_is_kept_from_the_agent_gives_it_nothing():
    snapshot = snap(
        {"MEMORY.md": "- [A](a.md)\n", "a.md": ""}, loads=False, loads_not_because="injectIndex is off"
    )
    assert FACTS.agent_view(snapshot).text == b""
    assert FACTS.agent_view(snapshot).approximate == ("injectIndex is off",)
    assert not snapshot.memory("a.md").loaded


def test_the_body_budget_is_that_of_the_largest_body():
    snapshot = snap({"a.md": "---\nname: a\n---\n\n" + "x\n" * 300, "b.md": "y"})
    assert budget(snapshot, "body", "lines").used == 300
    assert budget(snapshot, "body", "bytes").used == 600


def test_a_body_begins_behind_the_block_and_one_blank_line():
    snapshot = snap({"a.md": "---\nname: a\n---\n\n\nbody\n", "b.md": "\nx"})
    assert FACTS.text(snapshot, "a.md").body == b"\nbody\n"
    assert FACTS.text(snapshot, "b.md").body == b"\nx"


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Deploy Steps (v1.2)", "deploy-steps-v1-2"),
        ("笔记 日志", "笔记-日志"),
        ("  --A__b-- ", "a-b"),
        ("ÄÖ é", "äö-é"),
        ("../../x", "x"),
        ("!!!", ""),
    ],
)
def test_kebab(title, stem):
    assert kebab(title) == stem


def test_a_taken_name_gets_a_number_and_a_long_one_is_cut():
    taken = taken_names(["A.md", "a-2.md"], "", ZCODE)
    assert free_stem("a", "", taken) == "a-3"
    assert free_stem("Memory", "", taken) == "memory-2"
    assert free_stem("???", "", taken) == "note"
    long = free_stem("日" * 100, "", taken)
    assert long == "日" * 26
    assert free_stem("日" * 100, "", taken_names([long + ".md"], "", ZCODE)) == "日" * 26 + "-2"


def test_wants_and_enters():
    assert [FACTS.wants(path, ZCODE) for path in ("a.md", "s/b.md", "a.MD", "a.txt")] == [
        True,
        True,
        False,
        False,
    ]
    assert [FACTS.enters(path, ZCODE) for path in ("sub", ".git", "sub/.x")] == [True, False, False]


def test_a_directory_named_as_the_index_is_no_index():
    snapshot = snap({"MEMORY.md": StoredFile("MEMORY.md", "dir", error="it is a directory"), "a.md": "a"})
    assert snapshot.index is None and ids(snapshot) == ["a.md"]
    assert stored("x", b"y").data == b"y"


def test_a_title_that_is_too_long_for_a_name_is_said():
    from memtui.core.layouts.base import Add

    short = FACTS.edit(snap({"MEMORY.md": "# M\n"}), Add("a short title"))
    long = FACTS.edit(snap({"MEMORY.md": "# M\n"}), Add("word " * 40))
    assert short.notes == () and short.summary == "added a-short-title.md"
    assert "only its start" in long.notes[0] and len(long.summary.encode()) < 100
    assert b"word " * 39 in long.changes[1].after
