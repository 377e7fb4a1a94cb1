"""What a running session carries of the memory: every owner in every state, and no sentence beside the table."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from memtui.core.agents.loaded import Conversation, FileState, Loaded, Mark, MemoryNow, loaded, not_known
from memtui.core.agents.loaded_table import ASSUMED, NOT_KNOWN, NOTHING, ROWS, row_of
from memtui.core.agents.loaded_ways import (
    AMASTER,
    AMASTER_BETA,
    CLAUDE,
    HERMES,
    MEMWEAVE,
    WAYS,
    YANDY_1,
    YANDY_2,
    ZCODE,
    ZCODE_MEMORY,
    Way,
    way_of,
)

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def at(hour: float) -> datetime:
    """An hour of the day of the tests; those of a session begin at 2."""
    return NOW.replace(hour=0) + timedelta(hours=hour)


INDEX, FACT = FileState("MEMORY.md", at(1), True), FileState("ports.md", at(1), False, "Ports")
OLD = MemoryNow((INDEX, FACT))
INDEX_CHANGED = MemoryNow((replace(INDEX, since=at(5)), FACT))
BODY_CHANGED = MemoryNow((INDEX, replace(FACT, since=at(5))))
GIVEN = Mark("given", at(2.1), 100, text="hash-1")
COMPACTION = Mark("compaction", at(6), 900)
SHOWN = Mark("shown", at(3), 300, text="memory-auto-surfacing", names=("Ports", "ports.md"))
READ = Mark("read", at(3), 300, text="memory_read")
ELSEWHERE = replace(COMPACTION, on_branch=False)
TALK = Conversation(at(2), at(2), spoke=at(4), asked=at(4), marks=(GIVEN,))
RESUMED = at(8)

COMPACTED = replace(TALK, marks=(COMPACTION, GIVEN))
LOST = replace(TALK, marks=(COMPACTION, replace(GIVEN, is_lost=True)))
BRANCHED = replace(TALK, marks=(ELSEWHERE, GIVEN), has_branches=True)
GIVEN_ELSEWHERE = replace(TALK, marks=(replace(GIVEN, when=at(6), on_branch=False), GIVEN), has_branches=True)

VERSIONS = {
    ZCODE_MEMORY: "1.0.2",
    YANDY_1: "1.3.4",
    YANDY_2: "2.3.1",
    AMASTER: "0.1.37",
    AMASTER_BETA: "0.1.2-beta.15",
    MEMWEAVE: "0.1.0",
    ZCODE: "",
    CLAUDE: "",
    HERMES: "",
}

WHAT = {
    "unchanged": (TALK, at(2), OLD),
    "body changed": (TALK, at(2), BODY_CHANGED),
    "index changed": (TALK, at(2), INDEX_CHANGED),
    "compacted": (COMPACTED, at(2), OLD),
    "index changed, then compacted": (COMPACTED, at(2), INDEX_CHANGED),
    "compacted, then index changed": (COMPACTED, at(2), MemoryNow((replace(INDEX, since=at(7)), FACT))),
    "resumed": (TALK, RESUMED, OLD),
    "index changed, then resumed": (TALK, RESUMED, INDEX_CHANGED),
    "branch switched": (BRANCHED, at(2), OLD),
}
"""What happened, as a person would tell it: the session, when its program was started, the memory."""

STATES = {
    "unchanged": dict.fromkeys(WAYS, "unchanged"),
    "body changed": dict.fromkeys(WAYS, "body-changed")
    # all texts are a part of what these carry
    | {AMASTER: "index-changed", AMASTER_BETA: "index-changed", MEMWEAVE: "index-changed"}
    | {HERMES: "index-changed"},
    "index changed": dict.fromkeys(WAYS, "index-changed"),
    "compacted": dict.fromkeys(WAYS, "compacted")
    | {ZCODE_MEMORY: "unchanged", AMASTER_BETA: "unchanged", MEMWEAVE: "unchanged"},
    "index changed, then compacted": dict.fromkeys(WAYS, "index-changed")
    | {YANDY_2: "compacted", AMASTER: "compacted"},
    "compacted, then index changed": dict.fromkeys(WAYS, "index-changed"),
    "resumed": dict.fromkeys(WAYS, "resumed") | {AMASTER_BETA: "unchanged", MEMWEAVE: "unchanged"},
    "index changed, then resumed": dict.fromkeys(WAYS, "resumed")
    | {ZCODE_MEMORY: "index-changed", AMASTER: "index-changed", YANDY_2: "not-known"}
    | {AMASTER_BETA: "index-changed", MEMWEAVE: "index-changed"},
    "branch switched": dict.fromkeys(WAYS, "branch-switched")
    | {ZCODE_MEMORY: "unchanged", AMASTER_BETA: "unchanged", MEMWEAVE: "unchanged"},
}


def tell(way: Way, talk: Conversation | None, process: datetime | None, memory: MemoryNow) -> Loaded:
    return loaded(way, VERSIONS[way], talk, process, memory)


@pytest.mark.parametrize("what", WHAT)
def test_each_owner_is_in_the_state_that_its_own_rules_lead_to(what: str) -> None:
    assert {way.name + way.versions.text: tell(way, *WHAT[what]).state for way in WAYS} == {
        way.name + way.versions.text: state for way, state in STATES[what].items()
    }


SAID = [
    (ZCODE_MEMORY, "unchanged", "carries the index as it is now, given to it at 02:06", NOTHING),
    (ZCODE_MEMORY, "index changed", "carries the index of 02:06", "its next message brings the new one"),
    (ZCODE_MEMORY, "body changed", "reads a changed memory anew when it needs it", NOTHING),
    (YANDY_1, "index changed", "read at 02:00", "/reload, resuming it or a new session"),
    (YANDY_1, "compacted", "a compaction leaves it", NOTHING),
    (YANDY_2, "index changed", "keeps the index of 02:00", "a compaction or a new session"),
    (YANDY_2, "index changed, then compacted", "compacted (06:00)", NOTHING),
    (YANDY_2, "index changed, then resumed", "its next message tells", "a compaction or a new session"),
    (AMASTER, "index changed", "keeps the memory of 02:00", "/reload and resuming keep this one"),
    (AMASTER, "branch switched", "on a branch with the memory of 02:00", "a compaction or a new session"),
    (AMASTER_BETA, "index changed", "was last given both files at 04:00", "its next message"),
    (MEMWEAVE, "index changed", "whether a changed state too is not known", "its next request"),
    (ZCODE, "index changed", "may write that one back", "a compaction does not"),
    (CLAUDE, "compacted", "was compacted", "is not known"),
    (HERMES, "index changed", "keeps the memory of its start (02:00)", "the next session"),
]


@pytest.mark.parametrize(("way", "what", "carries", "brings"), SAID)
def test_what_is_said_of_it(way: Way, what: str, carries: str, brings: str) -> None:
    found = tell(way, *WHAT[what])
    assert carries in found.carries(NOW)
    assert brings in found.row.brings
    assert ("not known)" in found.carries(NOW)) == (way in (ZCODE, CLAUDE, HERMES))


def test_more_that_pi_zcode_memory_can_have_done() -> None:
    again = at(2)
    assert tell(ZCODE_MEMORY, replace(TALK, marks=()), again, OLD).state == "never"
    assert tell(ZCODE_MEMORY, LOST, again, OLD).state == "compacted"
    assert tell(ZCODE_MEMORY, GIVEN_ELSEWHERE, again, OLD).state == "branch-switched"
    # started anew it looked at this branch alone
    assert tell(ZCODE_MEMORY, GIVEN_ELSEWHERE, RESUMED, OLD).state == "resumed"
    assert tell(ZCODE_MEMORY, replace(TALK, marks=(READ, GIVEN)), again, BODY_CHANGED).state == "body-shown"
    off = replace(OLD, off_because="injectIndex is false")
    assert "injectIndex is false" in tell(ZCODE_MEMORY, TALK, again, off).carries(NOW)
    assert tell(ZCODE_MEMORY, TALK, again, MemoryNow()).state == "empty"
    # a part that was not looked at may hold what it was given
    assert tell(ZCODE_MEMORY, replace(TALK, marks=(), is_cut=True), again, OLD).row is NOT_KNOWN["too-long"]


def test_a_text_that_yandy_showed_is_not_shown_again_until_it_forgets() -> None:
    shown, then_compacted = replace(TALK, marks=(SHOWN,)), replace(TALK, marks=(COMPACTION, SHOWN))
    later = MemoryNow((INDEX, replace(FACT, since=at(7))))
    for way in (YANDY_1, YANDY_2):
        found = tell(way, shown, at(2), BODY_CHANGED)
        assert (found.state, found.file) == ("body-shown", "ports.md")
        # what is remembered of it ends with the program
        assert tell(way, shown, at(4), BODY_CHANGED).state == "body-changed"
        assert tell(way, replace(TALK, marks=(replace(SHOWN, when=at(6)),)), at(2), BODY_CHANGED).state != (
            "body-shown"
        )
    assert tell(YANDY_1, then_compacted, at(2), later).state == "body-shown"
    assert tell(YANDY_2, then_compacted, at(2), later).state == "body-changed"


def test_yandy_2_tells_with_its_next_message_whether_it_read_the_index_when_it_was_resumed() -> None:
    section = Mark("section", at(9), 900, text="memory_index")
    spoken = replace(TALK, spoke=at(9))
    assert tell(YANDY_2, replace(spoken, marks=(section,)), RESUMED, INDEX_CHANGED).state == "resumed"
    assert tell(YANDY_2, spoken, RESUMED, INDEX_CHANGED).state == "index-changed"
    # a first message notes what was read at the start, however late it comes
    assert tell(YANDY_2, replace(spoken, marks=(section,)), at(2), INDEX_CHANGED).state == "index-changed"
    fork = replace(TALK, began=at(7), is_fork=True, marks=())
    assert [tell(way, fork, at(2), INDEX_CHANGED).state for way in (YANDY_2, AMASTER)] == [
        "index-changed",
        "unchanged",
    ]


def test_hashes_are_compared_between_sessions_only() -> None:
    later = at(5.5)
    for memory, text, state in (
        (INDEX_CHANGED, "hash-1", "unchanged"),
        (INDEX_CHANGED, "hash-2", "index-changed"),
        (OLD, "hash-2", "index-changed"),
        (OLD, "hash-1", "unchanged"),
    ):
        assert tell(ZCODE_MEMORY, TALK, at(2), replace(memory, given=((text, later),))).state == state
    # what another one was given before the last change says nothing of now
    early = replace(INDEX_CHANGED, given=(("hash-1", at(4)),))
    assert tell(ZCODE_MEMORY, TALK, at(2), early).state == "index-changed"


def test_what_was_changed_and_taken_back_is_as_it_was() -> None:
    same = replace(INDEX, since=at(5), spells=((at(1), at(4)),))
    for way in (ZCODE_MEMORY, YANDY_1, ZCODE):
        assert tell(way, TALK, at(2), MemoryNow((same, FACT))).state == "unchanged"
    unproven = replace(same, spells=((at(3), at(4)),))
    assert tell(YANDY_1, TALK, at(2), MemoryNow((unproven, FACT))).state == "index-changed"


@pytest.mark.parametrize(
    ("agent", "owner", "version", "found"),
    [
        ("pi", "zcode", "0.9.0", ZCODE_MEMORY),
        ("pi", "zcode", "", ZCODE_MEMORY),
        ("pi", "zcode", "2.0.0", "version"),
        ("pi", "yandy", "1.0.0", YANDY_1),
        ("pi", "yandy", "1.4.9", YANDY_1),
        ("pi", "yandy", "0.3.1", "version"),
        ("pi", "yandy", "1.5.0", "version"),
        ("pi", "yandy", "2.3.12", YANDY_2),
        ("pi", "yandy", "2.4.0", "version"),
        ("pi", "yandy", "2.1.0-beta.1", "version"),
        ("pi", "yandy", "", "no-version"),
        ("pi", "yandy", "latest", "version"),
        ("pi", "amaster", "0.1.37", AMASTER),
        ("pi", "amaster", "0.1.38", "version"),
        ("pi", "amaster", "0.1.2", "version"),
        ("pi", "amaster", "0.1.2-beta.15", AMASTER_BETA),
        ("pi", "amaster", "0.1.2-beta.91", "version"),
        ("pi", "memweave", "v0.1.0", MEMWEAVE),
        ("zcode", "zcode", "0.17.0", "version"),
    ],
)
def test_outside_of_the_versions_nothing_is_known(agent, owner, version, found) -> None:
    way = way_of(agent, owner, version)
    assert way == found
    if way == "version":
        assert version in not_known(way, name="it", version=version).carries(NOW)


def test_no_sentence_is_said_that_is_not_in_the_table_and_every_row_can_be_said() -> None:
    memories = [OLD, INDEX_CHANGED, BODY_CHANGED, replace(OLD, off_because="x"), MemoryNow()]
    talks = [*(talk for talk, _process, _memory in WHAT.values()), LOST, GIVEN_ELSEWHERE, None]
    talks += [replace(TALK, marks=marks) for marks in ((), (SHOWN, GIVEN), (READ, GIVEN))]
    talks += [replace(TALK, is_cut=True, marks=()), replace(TALK, spoke=at(9)), Conversation()]
    reached, unknown = set(), set()
    for way, talk, process, memory in product(WAYS, talks, (None, at(2), RESUMED), memories):
        found = tell(way, talk, process, memory)
        if found.state == "not-known":
            unknown |= {why for why, row in NOT_KNOWN.items() if row is found.row}
            assert found.row in NOT_KNOWN.values()
        else:
            assert found.row in ROWS[way]
            reached.add((way, found.state))
        words = {"when": "12:00", "file": "f", "version": "v", "name": "n", "why": "x"}
        said = found.carries(NOW)
        assumed = ASSUMED.format(name=way.name, versions=way.versions.text)
        fixed = [part for part in found.row.carries.format(**dict.fromkeys(words, "\0")).split("\0") if part]
        assert all(part in said for part in fixed) and "{" not in said
        assert said.endswith(assumed) == (not VERSIONS[way] and found.way is not None)
    assert reached == {(way, row.state) for way, rows in ROWS.items() for row in rows}
    # the door says the others: it knows extensions, and which sessions there are
    assert unknown == {"too-long", "resumed", "no-session"}
    assert all(len({row.state for row in rows}) == len(rows) for rows in ROWS.values())
    assert all(row.by or NOTHING.removesuffix(" to do") in row.brings for rows in ROWS.values() for row in rows)
    assert all(way.source and row_of(way, "index-changed") for way in WAYS)
