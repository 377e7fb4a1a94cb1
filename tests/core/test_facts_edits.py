"""The facts layout: edits, byte for byte."""

from __future__ import annotations

import pytest
from facts_store import after, again, drafted, refused, snap, tree

from memtui.core.layouts.base import Add, Remove, Rename, SetField, SetIndex, SetText, StoredFile
from memtui.core.layouts.facts.layout import FACTS

BLOCK = "---\nname: a\ndescription: old\nmetadata:\n  node_type: memory\n  type: user\n---\n\nbody\n"
INDEX_LINK = StoredFile("MEMORY.md", "symlink", link_target="../../dotfiles/MEMORY.md")


# Deleting


def test_f03_deleting_an_entry_takes_its_file_and_its_line_only():
    index = (
        "# Memory\n\n## Deploy\n- [A](a.md) — x\n- [B](b.md) — y\n\nProse.\n"
        "<!-- keep -->\n## Later\n- [C](c.md) — z\n"
    )
    snapshot = snap({"MEMORY.md": index, "a.md": "a", "b.md": "b", "c.md": "c"})
    draft = drafted(snapshot, Remove("a.md"))
    assert [change.path for change in draft.changes] == ["MEMORY.md", "a.md"]
    assert draft.summary == "deleted a.md"
    expected = {**tree(snapshot), "MEMORY.md": index.replace("- [A](a.md) — x\n", "").encode()}
    del expected["a.md"]
    assert after(snapshot, Remove("a.md")) == expected


def test_f04_deleting_a_dead_row_takes_the_line():
    snapshot = snap({"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "a.md": "a"})
    assert after(snapshot, Remove("b.md")) == {"MEMORY.md": "- [A](a.md) — x\n".encode(), "a.md": b"a"}


def test_f06_deleting_the_memory_takes_both_lines_and_deleting_a_line_only_that():
    snapshot = snap({"MEMORY.md": "- [A](a.md) — old\n- [A2](./a.md#x) — new\n", "a.md": "a"})
    assert after(snapshot, Remove("a.md")) == {"MEMORY.md": b""}
    assert after(snapshot, Remove("a.md", line=2)) == {
        "MEMORY.md": "- [A](a.md) — old\n".encode(),
        "a.md": b"a",
    }
    assert "does not name" in refused(snapshot, Remove("a.md", line=3)).reason


def test_f07_f09_only_the_file_that_the_line_means_goes():
    index = "- [Deploy (old)](deploy(1).md) — x\n- [Deploy](deploy.md) — y\n- [Fix [u]](fix.md)\n"
    snapshot = snap({"MEMORY.md": index, "deploy(1).md": "1", "deploy.md": "2", "fix.md": "3"})
    files = after(snapshot, Remove("deploy(1).md"))
    assert files == {
        "MEMORY.md": "- [Deploy](deploy.md) — y\n- [Fix [u]](fix.md)\n".encode(),
        "deploy.md": b"2",
        "fix.md": b"3",
    }


def test_f12_f13_line_ends_and_mark_stay():
    index = b"\xef\xbb\xbf" + "- [A](a.md) — x\r\n- [B](b.md) — y\r\n- [C](c.md) — z".encode()
    snapshot = snap({"MEMORY.md": index, "a.md": "", "b.md": "", "c.md": ""})
    assert after(snapshot, Remove("b.md"))["MEMORY.md"] == index.replace("- [B](b.md) — y\r\n".encode(), b"")
    assert after(snapshot, Remove("a.md"))["MEMORY.md"].startswith(b"\xef\xbb\xbf- [B]")


def test_f14_deleting_never_encodes_a_broken_index_again():
    index = b"- [Caf\xe9](cafe.md) \x97 x\n- [B](b.md) \xe2\x80\x94 y\n"
    snapshot = snap({"MEMORY.md": index, "cafe.md": "c", "b.md": "b"})
    assert after(snapshot, Remove("b.md"))["MEMORY.md"] == b"- [Caf\xe9](cafe.md) \x97 x\n"
    assert "byte 6" in refused(snapshot, Add("New", "d")).reason
    assert "byte 6" in refused(snapshot, SetField("b.md", "hook", "é")).reason
    assert "byte 6" in refused(snapshot, SetIndex(b"x")).reason


def test_f14_a_fact_that_is_not_utf8_can_go_but_its_text_is_not_edited():
    snapshot = snap({"a.md": b"caf\xe9"})
    assert after(snapshot, Remove("a.md")) == {}
    assert "byte 3" in refused(snapshot, SetText("a.md", b"x")).reason
    assert "byte 3" in refused(snapshot, SetField("a.md", "description", "é")).reason


def test_f22_deleting_leaves_what_only_looks_like_an_entry():
    index = "- `[A](a.md)`\n\n```\n- [B](b.md)\n```\n\n| [C](c.md) | x |\n\n- [[E]]\n- [Z](z.md)\n"
    snapshot = snap({"MEMORY.md": index, "z.md": "z"})
    assert after(snapshot, Remove("z.md"))["MEMORY.md"] == index.replace("- [Z](z.md)\n", "").encode()


def test_c13_a_linked_index_refuses_every_edit_that_needs_it_and_names_the_real_path():
    snapshot = snap({"MEMORY.md": INDEX_LINK, "a.md": "a"})
    for edit in (Remove("a.md"), Add("B"), Rename("a.md", "b"), SetField("a.md", "title", "x"), SetIndex(b"")):
        assert "/dotfiles/MEMORY.md" in refused(snapshot, edit).reason
    assert "/dotfiles/MEMORY.md" in snapshot.memory("a.md").why_not["delete"]
    assert after(snapshot, SetField("a.md", "description", "d"))["a.md"].endswith(b"description: d\n---\na")


def test_t11_deleting_a_row_outside_takes_the_line_only():
    snapshot = snap({"MEMORY.md": "- [S](../../secret.md) — x\n- [A](a.md)\n", "a.md": "a"})
    draft = drafted(snapshot, Remove("../../secret.md"))
    assert [change.path for change in draft.changes] == ["MEMORY.md"]
    assert after(snapshot, Remove("../../secret.md"))["MEMORY.md"] == b"- [A](a.md)\n"
    for edit in (SetText("../../secret.md", b"x"), Rename("../../secret.md", "x")):
        assert "outside" in refused(snapshot, edit).reason


def test_t12_deleting_a_linked_file_takes_the_link_only():
    link = StoredFile("leak.md", "symlink", link_target="/tmp/h/private/key.txt")
    snapshot = snap({"MEMORY.md": "- [Leak](leak.md) — x\n", "leak.md": link})
    draft = drafted(snapshot, Remove("leak.md"))
    assert [(change.path, change.after) for change in draft.changes] == [("MEMORY.md", b""), ("leak.md", None)]
    assert draft.changes[1].before == link
    assert "symlink" in refused(snapshot, SetText("leak.md", b"x")).reason


def test_t10_a_name_with_controls_is_deleted_by_its_id():
    bad = b"d\xff.md".decode("utf-8", "surrogateescape")
    snapshot = snap({"MEMORY.md": "- [D](d%FF.md)\n", bad: "d", "b\nc.md": "b"})
    assert after(snapshot, Remove(snapshot.memories[0].id)) == {"MEMORY.md": b"", "b\nc.md": b"b"}


def test_a_sentence_that_mentions_a_memory_survives_it():
    snapshot = snap(
        {"MEMORY.md": "Always read [A](a.md) first.\n- [A](a.md), [B](b.md) — both\n", "a.md": "", "b.md": ""}
    )
    draft = drafted(snapshot, Remove("a.md"))
    assert draft.changes[0].after == "Always read A first.\n- [B](b.md) — both\n".encode()
    assert len(draft.notes) == 1


# Adding


def test_f15_the_first_fact_makes_the_index_in_exactly_the_owners_bytes():
    snapshot = snap({})
    files = after(snapshot, Add("Deploy Steps", "tag, then push", "project", "Run make.", None))
    assert files == {
        "deploy-steps.md": b"---\nname: deploy-steps\ndescription: tag, then push\nmetadata:\n"
        b"  node_type: memory\n  type: project\n---\n\nRun make.\n",
        "MEMORY.md": "- [Deploy Steps](deploy-steps.md) — tag, then push\n".encode(),
    }


def test_f05_a_new_line_comes_in_the_style_of_the_index():
    snapshot = snap({"MEMORY.md": "* [A](./a.md): x\r\n", "a.md": "a"})
    files = after(snapshot, Add("B", "staging port"))
    assert files["MEMORY.md"] == b"* [A](./a.md): x\r\n* [B](./b.md): staging port\r\n"


@pytest.mark.parametrize(("existing", "path"), [("B.md", "b-2.md"), ("x.md", "b.md")])
def test_a_taken_name_gets_a_number(existing, path):
    assert path in after(snap({existing: ""}), Add("B"))
    assert "memory-2.md" in after(snap({}), Add("Memory"))


def test_a_dead_line_is_not_revived_by_a_new_fact():
    assert "b-2.md" in after(snap({"MEMORY.md": "- [B](b.md) — y\n"}), Add("B"))


def test_an_added_description_is_quoted_where_yaml_needs_it():
    snapshot = again(snap({}), Add("[x] y", "a: b # c"))
    assert snapshot.memories[0].description == "a: b # c"
    assert snapshot.memories[0].title == "[x] y"
    assert b"\\[x\\] y" in tree(snapshot)["MEMORY.md"]


def test_what_cannot_be_added():
    assert "title" in refused(snap({}), Add(" \n ")).reason
    assert "gotcha" in refused(snap({}), Add("T", type="gotcha")).reason
    assert "topic" in refused(snap({}), Add("T", topic="x.md")).reason
    assert "read-only" in refused(snap({}, writable=False), Add("T")).reason
    directory = StoredFile("MEMORY.md", "dir", error="it is a directory")
    assert "directory" in refused(snap({"MEMORY.md": directory}), Add("T")).reason


# Fields


def test_y03_only_the_types_line_changes():
    text = "---\nname: a\ntype: user\n---\nintro\n\n---\ntype: not-metadata\n---\nend\n"
    snapshot = snap({"a.md": text})
    assert snapshot.memories[0].type == "user"
    assert (
        after(snapshot, SetField("a.md", "type", "project"))["a.md"]
        == text.replace("type: user", "type: project").encode()
    )


def test_y05_line_ends_of_a_crlf_block_stay():
    text = "---\r\nname: deploy\r\ndescription: Release\r\ntype: project\r\n---\r\nbody\r\n"
    snapshot = snap({"a.md": text})
    assert (snapshot.memories[0].description, snapshot.memories[0].type) == ("Release", "project")
    assert (
        after(snapshot, SetField("a.md", "description", "new"))["a.md"]
        == text.replace("Release", "new").encode()
    )


def test_y06_the_mark_stays():
    text = b"\xef\xbb\xbf---\nname: a\ntype: user\n---\n"
    files = after(snap({"a.md": text}), SetField("a.md", "type", "project"))
    assert files["a.md"] == text.replace(b"user", b"project")


def test_y12_each_type_changes_in_its_own_place():
    nested = "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n  other: 1\n---\n"
    flat = "---\nname: b\ntype: user\nother: 1\n---\n"
    snapshot = snap({"a.md": nested, "b.md": flat})
    for path, text in (("a.md", nested), ("b.md", flat)):
        files = after(snapshot, SetField(path, "type", "reference"))
        assert files[path] == text.replace("user", "reference").encode()


@pytest.mark.parametrize(
    "value", [">-\n  first half\n  second half", "|\n  first half\n  second half", "first half\n  second half"]
)
def test_y14_a_folded_description_is_replaced_whole_and_its_hook_with_it(value):
    text = f"---\nname: a\ndescription: {value}\ntype: user\n---\nbody\n"
    snapshot = snap({"a.md": text, "MEMORY.md": "- [A](a.md) — first half second half\n"})
    files = after(snapshot, SetField("a.md", "description", "new"))
    assert b"half" not in files["a.md"] and files["a.md"].endswith(b"\ntype: user\n---\nbody\n")
    assert files["MEMORY.md"] == "- [A](a.md) — new\n".encode()
    assert again(snapshot, SetField("a.md", "description", "new")).memories[0].description == "new"


def test_y16_a_file_without_a_block_gets_one():
    snapshot = snap({"a.md": "text\n"})
    files = after(snapshot, SetField("a.md", "type", "user"))
    assert files["a.md"] == b"---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\ntext\n"
    files = after(snapshot, SetField("a.md", "description", "d"))
    assert files["a.md"] == b"---\nname: a\ndescription: d\n---\ntext\n"


def test_y13_an_unclosed_block_is_not_written_into():
    snapshot = snap({"a.md": "---\nname: a\n\nbody\n"})
    assert "closed" in refused(snapshot, SetField("a.md", "description", "d")).reason
    assert "closed" in snapshot.memories[0].why_not["type"]


def test_a_description_leaves_a_hook_of_its_own_alone():
    snapshot = snap({"a.md": BLOCK, "MEMORY.md": "- [A](a.md) — another\n"})
    assert after(snapshot, SetField("a.md", "description", "new")) == {
        "a.md": BLOCK.replace("old", "new").encode(),
        "MEMORY.md": "- [A](a.md) — another\n".encode(),
    }


def test_a_title_changes_the_link_and_the_name_only_where_it_said_the_same():
    snapshot = snap({"a.md": BLOCK, "MEMORY.md": "- [A](a.md) — x\n"})
    assert after(snapshot, SetField("a.md", "title", "New [1]")) == {
        "a.md": BLOCK.encode(),
        "MEMORY.md": "- [New \\[1\\]](a.md) — x\n".encode(),
    }
    same = snap({"a.md": BLOCK, "MEMORY.md": "- [a](a.md) — x\n"})
    files = after(same, SetField("a.md", "title", "New"))
    assert (files["a.md"], files["MEMORY.md"]) == (
        BLOCK.replace("name: a", "name: New").encode(),
        "- [New](a.md) — x\n".encode(),
    )


def test_a_fact_without_a_line_has_its_title_in_its_name_and_no_hook():
    snapshot = snap({"a.md": BLOCK})
    assert (
        after(snapshot, SetField("a.md", "title", "New"))["a.md"]
        == BLOCK.replace("name: a", "name: New").encode()
    )
    assert "no index line" in refused(snapshot, SetField("a.md", "hook", "x")).reason


def test_f11_a_hook_changes_the_first_line_only():
    snapshot = snap({"a.md": BLOCK, "MEMORY.md": "- [A](a.md) - x\n- [A](a.md): y\n"})
    assert (
        after(snapshot, SetField("a.md", "hook", "new"))["MEMORY.md"] == b"- [A](a.md) - new\n- [A](a.md): y\n"
    )


def test_setting_what_is_there_already_changes_no_byte():
    snapshot = snap({"a.md": BLOCK, "MEMORY.md": "- [A](a.md) — old\n"})
    for field, value in (("title", "A"), ("description", "old"), ("type", "user"), ("hook", "old")):
        assert after(snapshot, SetField("a.md", field, value)) == tree(snapshot)


def test_an_unknown_type_is_refused():
    assert "gotcha" in refused(snap({"a.md": BLOCK}), SetField("a.md", "type", "gotcha")).reason


# Texts


def test_a_body_keeps_the_block_and_the_final_newline():
    snapshot = snap({"a.md": BLOCK})
    assert after(snapshot, SetText("a.md", b"new", "body"))["a.md"] == BLOCK.replace("body", "new").encode()
    bare = snap({"a.md": "---\nname: a\n---\n"})
    assert after(bare, SetText("a.md", b"new", "body"))["a.md"] == b"---\nname: a\n---\n\nnew\n"


def test_c11_a_text_is_merged_with_what_another_program_wrote_meanwhile():
    base = b"one\ntwo\nthree\n"
    snapshot = snap({"a.md": b"one\ntwo\nthree\nfour\n", "MEMORY.md": "- [A](a.md)\n- [B](b.md)\n"})
    assert (
        after(snapshot, SetText("a.md", b"ONE\ntwo\nthree\n", base=base))["a.md"] == b"ONE\ntwo\nthree\nfour\n"
    )
    clash = refused(snap({"a.md": b"uno\ntwo\nthree\n"}), SetText("a.md", b"ONE\ntwo\nthree\n", base=base))
    assert clash.conflict and clash.theirs == ("-one", "+uno") and clash.yours == ("-one", "+ONE")
    index = after(snapshot, SetIndex(b"# M\n- [A](a.md)\n", base=b"- [A](a.md)\n"))["MEMORY.md"]
    assert index == b"# M\n- [A](a.md)\n- [B](b.md)\n"


def test_a_memory_that_is_gone_is_a_conflict():
    assert refused(snap({}), Remove("a.md")).conflict


# Renaming


def test_a_rename_takes_lines_links_and_name_along():
    files = {
        "a.md": BLOCK.replace("body", "see [[a]] and `[[a]]`"),
        "b.md": "see [[a|the one]] and [[A]], not [[ab]]\n",
        "MEMORY.md": "- [A](./a.md#x) — [[a]]\n- [B](b.md)\n- [A](<a.md>)\n",
    }
    snapshot = snap(files)
    assert after(snapshot, Rename("a.md", "New Name.md")) == {
        "new-name.md": BLOCK.replace("name: a", "name: new-name")
        .replace("body", "see [[new-name]] and `[[a]]`")
        .encode(),
        "b.md": b"see [[new-name|the one]] and [[new-name]], not [[ab]]\n",
        "MEMORY.md": "- [A](./new-name.md#x) — [[new-name]]\n- [B](b.md)\n- [A](<new-name.md>)\n".encode(),
    }


def test_a_rename_leaves_another_name_and_links_to_a_namesake_alone():
    snapshot = snap({"sub/a.md": "---\nname: Free text\n---\n", "b.md": "---\nname: a\n---\n[[a]]\n"})
    files = after(snapshot, Rename("sub/a.md", "c"))
    assert files == {"sub/c.md": b"---\nname: Free text\n---\n", "b.md": b"---\nname: a\n---\n[[a]]\n"}


@pytest.mark.parametrize(("name", "word"), [("B", "taken"), ("memory", "taken"), ("???", "letter")])
def test_what_a_memory_cannot_be_called(name, word):
    assert word in refused(snap({"a.md": "", "b.md": ""}), Rename("a.md", name)).reason


# What a person decided on


def test_c01_c02_seen_changes_with_what_the_edit_is_about_only():
    before = snap({"MEMORY.md": "- [A](a.md) — x\n", "a.md": BLOCK, "b.md": "b"})
    appended = snap({"MEMORY.md": "- [A](a.md) — x\n- [B](b.md)\n", "a.md": BLOCK, "b.md": "c"})
    line = snap({"MEMORY.md": "- [A](a.md) — other\n", "a.md": BLOCK, "b.md": "b"})
    text = snap({"MEMORY.md": "- [A](a.md) — x\n", "a.md": BLOCK.replace("old", "new"), "b.md": "b"})
    remove, field = Remove("a.md"), SetField("a.md", "description", "d")
    assert FACTS.seen(before, remove) == FACTS.seen(appended, remove)
    assert FACTS.seen(before, remove) not in (FACTS.seen(line, remove), FACTS.seen(text, remove))
    assert FACTS.seen(before, field) == FACTS.seen(line, field) != FACTS.seen(text, field)
    assert FACTS.seen(before, Add("T")) == ""
    assert FACTS.seen(before, SetText("a.md", b"", base=b"x")) == ""
    assert FACTS.seen(before, SetText("a.md", b"")) != FACTS.seen(text, SetText("a.md", b""))
    assert FACTS.seen(before, Rename("a.md", "b")) == FACTS.seen(text, Rename("a.md", "b"))
    assert FACTS.seen(snap({}), remove) != FACTS.seen(before, remove)


def test_c11_an_insisting_text_wins_its_lines_and_keeps_what_others_changed_elsewhere():
    base = b"one\ntwo\nthree\n"
    store = snap({"MEMORY.md": b"one\nTHEIRS\nthree\nfour\n"})
    mine = b"one\nMINE\nthree\n"
    assert refused(store, SetIndex(mine, base=base)).conflict
    insisting = SetIndex(mine, base=base, insists=True)
    assert after(store, insisting)["MEMORY.md"] == b"one\nMINE\nthree\nfour\n"


@pytest.mark.parametrize("wish", [SetText("a.md", b"caf\xe9\n"), SetIndex(b"caf\xe9\n")])
def test_f14_a_new_text_that_is_not_utf8_is_refused(wish):
    store = snap({"MEMORY.md": "- [A](a.md)\n", "a.md": "text\n"})
    assert "not UTF-8 at byte 3" in refused(store, wish).reason
