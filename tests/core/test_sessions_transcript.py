"""Transcripts: branches, parts, growth, and opening at any place of files of any size."""

import os
import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from session_corpus import Writer, grown, header, line, put
from test_sessions_lines import FILES

from memtui.core.sessions import blocks, transcript, window
from memtui.core.sessions.messages import arguments_line
from memtui.core.sessions.tally import count
from memtui.core.sessions.transcript import Transcript

SMALL = 300
"""Block size for tests: a few lines each."""


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks and pages so small that short files have many."""
    for module in (blocks, window):
        monkeypatch.setattr(module, "BLOCK_BYTES", SMALL)
    for module in (transcript, window):
        monkeypatch.setattr(module, "PAGE_ENTRIES", 3)


def opened_whole(path, at=None):
    """A transcript with every entry loaded and every branch known."""
    shown = Transcript(path, at)
    while shown.load_earlier() or shown.load_later():
        pass
    assert shown.resolve()
    assert shown.at_start
    assert shown.at_end
    return shown


def dump(shown):
    """Everything a transcript says."""
    return shown.messages(0, len(shown)), shown.leaf_id, shown.pending_bytes


def forked():
    """u1, a1, then two branches of which only the first says mango."""
    session = Writer()
    session.user("u1")
    a1 = session.assistant("a1")
    session.user("u2a mango")
    session.assistant("a2a")
    session.user("u2b", parent=a1)
    session.assistant("a2b")
    return session


def test_s14_branches_in_one_file(tmp_path):
    shown = Transcript(forked().save(tmp_path / "s.jsonl"))
    messages = shown.messages(0, len(shown))
    assert [item.text for item in messages if item.branch == "active" and item.role] == [
        "u1",
        "a1",
        "u2b",
        "a2b",
    ]
    assert [item.text for item in messages if item.branch == "other"] == ["u2a mango", "a2a"]
    assert [shown.branch(position) for position in range(len(shown))] == [item.branch for item in messages]


def test_s15_a_compaction_that_repeats_a_message_shows_its_summary_alone(tmp_path):
    session = Writer()
    kept = session.user("kiwi plan")
    tail = [{"type": "message", "message": {"role": "user", "content": "kiwi plan"}}]
    session.entry(
        "compaction", summary="what was done", firstKeptEntryId=kept, tokensBefore=9, retainedTail=tail
    )
    shown = Transcript(session.save(tmp_path / "s.jsonl"))
    messages = shown.messages(0, len(shown))
    assert [item.kind for item in messages] == ["session", "user", "compaction"]
    assert sum("kiwi" in part.text for item in messages for part in item.parts) == 1
    assert messages[2].text == "what was done"


def test_s06_a_line_still_being_written_is_retried_and_shown_once(tmp_path):
    session = Writer()
    session.user("one")
    whole = bytes(session.data)
    session.assistant("the late pineapple")
    late = bytes(session.data)[len(whole) :]
    path = put(tmp_path / "s.jsonl", whole + late[:140])
    assert count(path).damaged == 0
    assert count(path).pending_bytes == 140
    shown = Transcript(path)
    assert (len(shown), shown.pending_bytes) == (2, 140)
    assert shown.grow().state == "same"
    with open(path, "ab") as file:
        file.write(late[140:])
    growth = shown.grow()
    assert (growth.state, growth.added, growth.replaced, growth.messages) == ("grown", 1, 0, 1)
    assert not growth.branch_changed
    assert [item.text for item in shown.messages(0, len(shown))] == ["", "one", "the late pineapple"]
    assert shown.pending_bytes == 0
    assert shown.grow().state == "same"


def test_s06_growth_reads_only_what_was_appended(tmp_path, monkeypatch):
    session = grown(random.Random(3), 2_000_000)
    path = session.save(tmp_path / "s.jsonl")
    shown = Transcript(path)
    with open(path, "ab") as file:
        before = len(session.data)
        session.user("more")
        file.write(bytes(session.data)[before:])
    read = []
    at = blocks.Reader.at
    monkeypatch.setattr(
        blocks.Reader, "at", lambda self, offset, size: read.append(size) or at(self, offset, size)
    )
    assert shown.grow().added == 1
    assert sum(read) < 2000


def test_s08_a_200_mb_session_opens_in_little_memory(tmp_path):
    session = Writer()
    for number in range(50):
        session.user(f"question {number}")
        session.assistant(f"answer {number}")
    path = session.save(tmp_path / "s.jsonl")
    small = len(session.data)
    session.tool("x" * 1_000_000)
    long_line = bytes(session.data)[small:]
    with open(path, "ab") as file:
        for _ in range(200):
            file.write(long_line)
    tracemalloc.start()
    try:
        shown = Transcript(path)
        counts = count(path)
        asked = [0]
        assert count(path, lambda: asked.append(1) or len(asked) > 3) is None
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (counts.messages, counts.turns) == (300, 50)
    assert peak < 40e6
    assert shown.message(len(shown) - 1).parts[0].kind == "tool_result"
    assert len(asked) < 8


def test_missing_parents_end_the_branch_and_cycles_do_not_hang(tmp_path, small_blocks):
    session = Writer()
    session.user("lost root")
    session.user("orphan", parent="nowhere")
    session.assistant("leaf")
    shown = opened_whole(session.save(tmp_path / "a.jsonl"))
    assert [item.branch for item in shown.messages(1, 4)] == ["other", "active", "active"]
    loop = Writer()
    loop.user("a", entry_id="A", parent="B")
    loop.user("b", entry_id="B", parent="A")
    loop.user("self", entry_id="S", parent="S")
    shown = opened_whole(loop.save(tmp_path / "b.jsonl"))
    assert [item.branch for item in shown.messages(1, 4)] == ["other", "other", "active"]


def test_the_later_of_two_entries_with_one_id_counts_even_before_its_child_in_the_chain(tmp_path, small_blocks):
    session = Writer()
    session.user("root", entry_id="R")
    session.user("first x", entry_id="X", parent="R")
    session.user("child", entry_id="C", parent="X")
    session.user("other root", entry_id="Q", parent=None)
    session.user("second x", entry_id="X", parent="Q")
    session.user("leaf", entry_id="L", parent="C")
    shown = opened_whole(session.save(tmp_path / "s.jsonl"))
    active = [item.text for item in shown.messages(1, 7) if item.branch == "active"]
    assert active == ["child", "other root", "second x", "leaf"]


def test_version_1_is_one_line_of_entries(tmp_path):
    body = {"role": "user", "content": "v1"}
    data = (
        header(version=None)
        + line({"type": "message", "timestamp": "2025-11-20T10:00:01.000Z", "message": body}) * 3
    )
    shown = Transcript(put(tmp_path / "s.jsonl", data))
    assert [item.text for item in shown.messages(1, 4)] == ["v1"] * 3
    assert {item.branch for item in shown.messages(0, 4)} == {"active"}
    assert shown.leaf_id == ""


def test_labels_are_those_given_last_on_any_branch(tmp_path):
    session = Writer()
    first, second = session.user("a"), session.user("b")
    session.entry("label", targetId=first, label="old")
    session.entry("label", targetId=second, label="gone")
    session.entry("label", targetId=first, label="new", parent=first)
    session.entry("label", targetId=second)
    shown = Transcript(session.save(tmp_path / "s.jsonl"))
    assert [item.label for item in shown.messages(1, 3)] == ["new", ""]


def test_every_kind_of_entry_becomes_parts(tmp_path):
    session = Writer()
    session.message("system", "", sections={"tools": "use them"})
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    session.message("user", [{"type": "text", "text": "see"}, image])
    calls = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "toolCall", "name": "bash", "arguments": {"command": "ls"}},
    ]
    session.message("assistant", calls, provider="p", model="m", stopReason="error", errorMessage="broke")
    session.tool("no such file", is_error=True)
    session.message("bashExecution", None, command="make", output="out", exitCode=2, truncated=True)
    session.message("custom", "shown", customType="note", display=False)
    session.message("hookMessage", [{"type": "text", "text": "hook"}], customType="h")
    session.entry("branch_summary", fromId="root", summary="left behind")
    session.entry("custom", customType="memory/injected", data={"hash": 1})
    session.entry("custom_message", customType="c", content="cm", display=True)
    session.entry("model_change", provider="p", modelId="m2")
    session.entry("thinking_level_change", thinkingLevel="high")
    session.entry("context_edit", targetId="x", replacement=None)
    session.entry("session_info", name=" two\nlines ")
    session.entry("never_seen", a=1)
    shown = Transcript(session.save(tmp_path / "s.jsonl"))
    system, user, assistant, tool, bash, custom, hook, *entries = shown.messages(1, len(shown))
    assert (system.hidden, system.parts[0].text, system.parts[0].name) == (True, "use them", "tools")
    assert [(part.kind, part.size_bytes) for part in user.parts] == [("text", 0), ("image", 3)]
    assert [(part.kind, part.text) for part in assistant.parts] == [
        *(("thinking", "hm"), ("tool_call", "ls"), ("note", "broke")),
    ]
    assert (assistant.model, assistant.stop_reason) == ("p/m", "error")
    assert (tool.parts[0].kind, tool.parts[0].name, tool.parts[0].is_error) == ("tool_result", "bash", True)
    assert [part.text for part in bash.parts] == ["out", "exit code 2", "output cut by pi"]
    assert (bash.parts[0].name, bash.parts[0].is_error) == ("make", True)
    assert (custom.hidden, custom.text, hook.text) == (True, "shown", "hook")
    assert [item.kind for item in entries] == [
        *("branch_summary", "custom", "custom", "model_change", "thinking_level_change", "context_edit"),
        *("session_info", "unknown"),
    ]
    assert [item.parts[0].text for item in entries] == [
        *(
            "left behind",
            'memory/injected {"hash":1}',
            "c",
            "p/m2",
            "high",
            "hidden from the model",
            "two lines",
        ),
        entries[-1].parts[0].text,
    ]
    assert '"never_seen"' in entries[-1].parts[0].text


def test_arguments_become_one_row():
    assert arguments_line({"timeout": 5, "command": "a\nb"}) == "a b timeout=5"
    assert arguments_line({"path": "x", "edits": [{"a": 1}]}) == 'x edits=[{"a":1}]'
    assert arguments_line(None) == ""
    assert arguments_line([1, 2]) == "[1,2]"
    assert len(arguments_line({"content": "x" * 10_000})) == 300


def test_a_window_opens_at_its_end_and_reaches_the_start_by_steps(tmp_path, small_blocks):
    path = grown(random.Random(1), 30_000).save(tmp_path / "s.jsonl")
    shown = Transcript(path)
    assert not shown.at_start
    assert shown.at_end
    last = shown.message(len(shown) - 1)
    while added := shown.load_earlier():
        assert added >= 3 or shown.at_start
    assert shown.message(len(shown) - 1) == last
    assert dump(shown) == dump(opened_whole(path, at=0))


def test_a_hit_far_from_the_end_opens_without_reading_what_lies_between(tmp_path, small_blocks, monkeypatch):
    monkeypatch.setattr(window, "RESOLVE_AT_ONCE_BYTES", 1000)
    session = grown(random.Random(2), 60_000)
    path = session.save(tmp_path / "s.jsonl")
    whole = opened_whole(path)
    middle = len(whole) // 2
    offset = whole.offset(middle)
    shown = Transcript(path, at=offset + 5)
    position = shown.position_of(offset)
    assert shown.message(position).text == whole.message(middle).text
    assert (shown.branch(position), shown.at_end, shown.resolved) == ("unknown", False, False)
    assert not shown.resolve(lambda: True)
    assert shown.resolve()
    assert shown.at_end
    position = shown.position_of(offset)
    assert shown.message(position) == whole.message(middle)
    assert dump(opened_whole(path, at=offset)) == dump(whole)


def test_focus_moves_the_window_and_back(tmp_path, small_blocks, monkeypatch):
    monkeypatch.setattr(window, "RESOLVE_AT_ONCE_BYTES", 1000)
    path = grown(random.Random(4), 40_000).save(tmp_path / "s.jsonl")
    whole = opened_whole(path)
    shown = Transcript(path)
    for position in (3, len(whole) - 1, len(whole) // 2, 0):
        found = shown.focus(whole.offset(position))
        assert shown.message(found).text == whole.message(position).text
    while shown.load_earlier() or shown.load_later():
        pass
    assert dump(shown) == dump(whole)


@pytest.mark.parametrize("change", ["shorter", "other", "new inode"])
def test_a_rewritten_file_is_opened_anew(tmp_path, change):
    session = Writer()
    session.user("one")
    session.user("two")
    path = session.save(tmp_path / "s.jsonl")
    shown = Transcript(path)
    other = Writer(session_id="s-2")
    other.user("else")
    if change == "other":
        for text in ("a", "b", "c"):
            other.user(text)
    if change == "new inode":
        os.replace(put(tmp_path / "t.jsonl", bytes(session.data)), path)
    else:
        path.write_bytes(bytes(other.data))
    assert shown.grow().state == "rewritten"
    assert dump(shown) == dump(Transcript(path))


def test_a_last_line_that_is_taken_back_leaves_its_branch(tmp_path):
    session = Writer()
    root = session.user("root")
    session.assistant("first way")
    settled = len(session.data)
    session.user("second way", parent=root)
    path = put(tmp_path / "s.jsonl", bytes(session.data)[:-1])
    shown = Transcript(path)
    assert [item.branch for item in shown.messages(1, 4)] == ["active", "other", "active"]
    os.truncate(path, settled)
    growth = shown.grow()
    assert (growth.added, growth.replaced, growth.branch_changed) == (0, 1, True)
    assert [item.branch for item in shown.messages(1, 3)] == ["active", "active"]


def test_a_file_that_is_gone_says_so_and_what_was_shown_is_damaged(tmp_path):
    path = forked().save(tmp_path / "s.jsonl")
    shown = Transcript(path)
    path.unlink()
    assert shown.grow().state == "gone"
    assert {item.kind for item in shown.messages(0, 2)} == {"damaged"}
    with pytest.raises(FileNotFoundError):
        Transcript(path)


def test_positions_outside_of_the_window_are_refused(tmp_path):
    shown = Transcript(forked().save(tmp_path / "s.jsonl"))
    for position in (-1, len(shown)):
        with pytest.raises(IndexError):
            shown.message(position)


def test_a_new_branch_while_growing_changes_sides(tmp_path):
    session = Writer()
    root = session.user("root")
    session.assistant("first way")
    path = session.save(tmp_path / "s.jsonl")
    shown = Transcript(path)
    session.user("second way", parent=root)
    session.save(path)
    growth = shown.grow()
    assert (growth.added, growth.branch_changed) == (1, True)
    assert [item.branch for item in shown.messages(1, 4)] == ["active", "other", "active"]


TREES = st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 5)), max_size=9)
"""Entries as (parent, id): parents may be missing, later, or the entry itself; ids repeat."""


def tree_bytes(entries):
    """A session with these entries."""
    session = Writer()
    for parent, own in entries:
        session.user(f"{own}", parent=None if parent < 0 else f"e{parent}", entry_id=f"e{own}")
    return bytes(session.data)


def active_by_the_rule(entries):
    """Positions of the active branch: from the last entry by parent, where the last entry with an id counts."""
    last = {own: position for position, (_parent, own) in enumerate(entries)}
    active, position = set(), len(entries) - 1
    while position is not None and position >= 0 and position not in active:
        active.add(position)
        position = last.get(entries[position][0])
    return active


@settings(max_examples=400)
@given(TREES)
def test_the_active_branch_is_that_of_the_rule(tmp_path_factory, entries):
    path = put(tmp_path_factory.mktemp("tree") / "s.jsonl", tree_bytes(entries))
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, window):
            patch.setattr(module, "BLOCK_BYTES", SMALL)
        shown = opened_whole(path)
    branches = [item.branch for item in shown.messages(1, len(shown))]
    active = active_by_the_rule(entries)
    assert branches == ["active" if position in active else "other" for position in range(len(entries))]


@settings(max_examples=400)
@given(st.one_of(FILES, TREES.map(tree_bytes)), st.lists(st.integers(0, 2000), min_size=1, max_size=5))
def test_growing_by_any_steps_gives_what_opening_whole_gives(tmp_path_factory, data, cuts):
    path = tmp_path_factory.mktemp("grow") / "s.jsonl"
    sizes = sorted(min(cut, len(data)) for cut in cuts)
    with pytest.MonkeyPatch.context() as patch:
        for module in (blocks, window):
            patch.setattr(module, "BLOCK_BYTES", SMALL)
        put(path, data[: sizes[0]])
        shown = Transcript(path)
        for before, size in zip(sizes, [*sizes[1:], len(data)], strict=True):
            with open(path, "ab") as file:
                file.write(data[before:size])
            assert shown.grow().state in ("same", "grown")
        while shown.load_earlier():
            pass
        assert dump(shown) == dump(opened_whole(path))
