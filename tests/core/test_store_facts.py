"""What is told of a store beside its memories: the last dream, backups, locks; and which problems can be mended."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from carry_stores import store_of
from entries_store import snap

from memtui.core.layouts.base import Reshape, StoredFile
from memtui.core.layouts.topics.dream import Dream, is_due, read_meta
from memtui.core.layouts.topics.layout import TOPICS
from memtui.core.layouts.topics.rules import TopicRules

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY_AGO, HOUR_AGO = datetime(2026, 11, 29, 12, tzinfo=UTC), datetime(2026, 11, 30, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    ("dream", "sessions", "due"),
    [
        (Dream(DAY_AGO, 3), 8, True),
        (Dream(DAY_AGO, 3), 7, False),
        (Dream(HOUR_AGO, 3), 80, False),
        (Dream(HOUR_AGO, 3), None, False),
        (Dream(DAY_AGO, 3), None, None),
        (None, 5, True),
        (None, 4, False),
        (Dream(None, 90), 5, True),
    ],
)
def test_a_dream_is_due_when_both_the_hours_and_the_sessions_have_passed(dream, sessions, due):
    assert is_due(dream, TopicRules(), NOW, sessions) is due


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"[]", b"{", b'{"lastDreamAt": 5}', b'{"lastDreamAt": "yesterday"}', b"\xff"),
        b'{"lastDreamAt": "0001-01-01T00:00:00+14:00"}',
    ],
)
def test_a_damaged_note_of_a_dream_counts_as_none(data):
    assert read_meta(data).at is None


def test_the_note_of_a_dream_is_read_as_the_program_writes_it():
    found = read_meta(b'{"lastDreamAt":"2026-11-29T12:00:00.000Z","sessionCountAtDream":3}')
    assert found == Dream(DAY_AGO, 3)


def test_a_topics_store_tells_of_its_last_dream(tmp_path):
    meta = StoredFile(".dream-meta.json", "file", b'{"lastDreamAt":"2026-11-29T12:00:00.000Z"}')
    (fact,) = TOPICS.scan(store_of(tmp_path, "topics"), [meta]).facts
    assert fact.label == "dream" and fact.sentence.startswith("last 2026-11-29 12:00 UTC · due after 24 hours")
    assert fact.sentence.endswith("how many there were is not known")


@pytest.mark.parametrize(
    ("text", "code", "how"),
    [
        ("alpha\n\n§\nbeta\n", "drift", "normalise"),
        ("alpha\r\n§\r\nbeta", "crlf", "lf"),
        ("## a\n\n## b\n" + "x" * 2_300, "entry-over-limit", "split-headings"),
    ],
)
def test_a_problem_brings_the_edit_that_mends_it(text, code, how):
    problem = next(item for item in snap(text).problems if item.code == code)
    assert problem.repair == Reshape("MEMORY.md", how) and problem.repairable


def test_what_cannot_be_mended_without_loss_brings_no_edit():
    problems = [*snap("x" * 2_300).problems, *snap(b"a\xff\n\n\xc2\xa7\nb\n").problems]
    assert {item.code for item in problems} >= {"entry-over-limit", "drift"}
    assert not any(item.repairable for item in problems)


def test_a_topic_with_crlf_brings_the_edit_that_converts_it(tmp_path):
    topic = StoredFile("net.md", "file", b"---\r\ntype: user\r\n---\r\n\r\n## A\r\n\r\nx\r\n")
    found = [
        item for item in TOPICS.scan(store_of(tmp_path, "topics"), [topic]).problems if item.code == "crlf"
    ]
    assert [(item.file, item.repair) for item in found] == [("net.md", Reshape("net.md", "lf"))]
