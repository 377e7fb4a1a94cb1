"""What yandy's own memory tool wrote, run on 42 cases: memtui writes the same bytes, or says why it does not."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.core.layouts.base import Add, Draft, Refusal, Remove, Store, StoredFile
from memtui.core.layouts.topic_owners import YANDY
from memtui.core.layouts.topics.layout import TOPICS

GOLDEN = json.loads((Path(__file__).parent / "data" / "topics_cases.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in GOLDEN["cases"]}

REFUSES = "memtui refuses what the owner does"
KEEPS_LINES = "hand-written index lines stay"
KEEPS_SPACE = "the blank lines around the neighbours stay"
SAFER = {
    "add-dot-slash-and-inner-dotdot": (REFUSES, "index and disk would disagree on the name"),
    "add-topic-named-MEMORY": (REFUSES, "the owner's index write destroys what it wrote"),
    "add-topic-with-parenthesis": (REFUSES, "the owner cannot read the line back and drops it"),
    "add-subdirectory-topic": (REFUSES, "the owner finds no entry in a folder any more"),
    "add-content-with-h2": (REFUSES, "the text would become two entries"),
    "add-content-with-rule": (REFUSES, "the entries behind it would be hidden"),
    "add-to-crlf-file": (REFUSES, "the owner forgets every entry that was there"),
    "add-hook-cut-splits-emoji": ("cut", "the owner writes half a character as U+FFFD"),
    "add-index-hand-written-lines-dropped": (KEEPS_LINES, "they are a person's"),
    "add-index-loose-spacing-normalised": (KEEPS_LINES, "a line that is not about this topic is not touched"),
    "remove-drops-hand-written-index-lines": (KEEPS_LINES, "they are a person's"),
    "add-topic-file-exists-but-not-indexed": ("appends", "the owner overwrites the file: all of it is lost"),
    "remove-first-of-three": (KEEPS_SPACE, "as the owner itself writes them"),
    "remove-middle-of-three": (KEEPS_SPACE, "as the owner itself writes them"),
    "remove-duplicate-in-one-topic": (KEEPS_SPACE, "as the owner itself writes them"),
    "remove-topic-not-indexed": ("removes", "the owner throws; the entry can go without an index line"),
    "remove-title-at-eof-without-newline": ("removes", "the owner doubles other entries instead"),
    "remove-in-two-topics": ("removes", "a person points at one of them"),
}
"""Where memtui is deliberately safer than the owner's program, and why."""


class Run:
    """A directory in memory on which edits are done."""

    def __init__(self, case):
        limits = case.get("limits", GOLDEN["limits_default"])
        rules = dataclasses.replace(YANDY.rules, write_lines=limits["maxLines"], write_bytes=limits["maxBytes"])
        profile = dataclasses.replace(YANDY, rules=rules)
        now = datetime(2026, 7, 13, 9, tzinfo=UTC)
        self.store = Store("s", Path("/none"), profile, exists=True, used=True, reason="", read_at=now)
        self.files = {path: text.encode() for path, text in case["before"].items()}
        self.refusals = []

    @property
    def snapshot(self):
        wanted = {path: data for path, data in self.files.items() if TOPICS.wants(path, self.store.profile)}
        return TOPICS.scan(self.store, [StoredFile(path, "file", data) for path, data in wanted.items()])

    def do(self, op):
        snapshot = self.snapshot
        if op["op"] == "add":
            edit = Add(op["title"], body=op["content"], type=op.get("type", ""), topic=op["topic"])
        elif op["op"] == "remove":
            found = [memory for memory in snapshot.memories if memory.title == op["entry"]]
            if not found:
                self.refusals.append(f"no {op['entry']}")
                return
            edit = Remove(found[0].id)
        else:
            return
        result = TOPICS.edit(snapshot, edit)
        if isinstance(result, Refusal):
            self.refusals.append(result.reason)
            return
        assert isinstance(result, Draft)
        for change in result.changes:
            if change.after is None:
                del self.files[change.path]
            else:
                self.files[change.path] = change.after


def texts(files):
    return {path: data.decode() for path, data in files.items()}


def failed(op):
    result = op.get("result")
    return isinstance(result, dict) and ("threw" in result or result.get("ok") is False)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_bytes_are_the_owners(case):
    run = Run(case)
    for op in case["ops"]:
        run.do(op)
    if case["id"] not in SAFER:
        assert texts(run.files) == case["after"]
        assert len(run.refusals) == sum(failed(op) for op in case["ops"] if op["op"] != "search")
        return
    how, why = SAFER[case["id"]]
    assert why and texts(run.files) != case["after"]
    if how == REFUSES:
        assert run.refusals
    elif how == KEEPS_LINES:
        before = set(case["before"]["MEMORY.md"].splitlines())
        after = set(texts(run.files)["MEMORY.md"].splitlines())
        # of the lines that were there only the changed topic's own is another one
        assert len(before - after) <= 1
        mine = [op.get("topic") or "ssh" for op in case["ops"]]
        news = [
            line
            for line in case["after"]["MEMORY.md"].splitlines()
            if any(f"({name}.md)" in line for name in mine)
        ]
        assert news and set(news) <= after
    elif how == KEEPS_SPACE:
        squeezed = {path: re.sub(r"\n+", "\n", text) for path, text in texts(run.files).items()}
        assert squeezed == {path: re.sub(r"\n+", "\n", text) for path, text in case["after"].items()}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_no_text_is_lost_that_nobody_asked_to_lose(case):
    run = Run(case)
    for op in case["ops"]:
        before = {memory.id: TOPICS.text(run.snapshot, memory.id) for memory in run.snapshot.memories}
        gone = next((m.id for m in run.snapshot.memories if m.title == op.get("entry")), None)
        run.do(op)
        now = b"".join(run.files.values())
        for memory_id, text in before.items():
            if memory_id != gone and text is not None:
                assert text.body.strip() in now


def test_where_memtui_is_safer_its_result_is_what_a_person_expects():
    run = Run(CASES["add-topic-file-exists-but-not-indexed"])
    run.do(CASES["add-topic-file-exists-but-not-indexed"]["ops"][0])
    assert run.files["ssh.md"].endswith(b"30 s on staging.\n\n## N\n\nc\n")
    assert run.files["MEMORY.md"].decode() == "- [ssh](ssh.md) \u2014 SSH port; MySQL timeout; N\n"
    run = Run(CASES["remove-title-at-eof-without-newline"])
    run.do(CASES["remove-title-at-eof-without-newline"]["ops"][0])
    assert run.files["ssh.md"].endswith(b"---\n\n## A\n\nalpha\n")
    run = Run(CASES["add-hook-cut-splits-emoji"])
    for op in CASES["add-hook-cut-splits-emoji"]["ops"]:
        run.do(op)
    assert "\ufffd" not in run.files["MEMORY.md"].decode()
