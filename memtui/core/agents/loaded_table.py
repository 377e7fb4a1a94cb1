"""The table of every sentence that memtui says of what a running session carries of the memory.

A row is true for a program, a range of its versions and a state. Outside of the ranges it is said that it is
not known: no sentence about an agent is made up elsewhere. What a row rests on is the `source` of its program.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtui.core.agents.loaded_ways import (
    AMASTER,
    AMASTER_BETA,
    CLAUDE,
    HERMES,
    MEMWEAVE,
    YANDY_1,
    YANDY_2,
    ZCODE,
    ZCODE_MEMORY,
    Refresh,
    State,
    Way,
    Why,
)
from memtui.i18n import _
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What is said of a session in a state: what it `carries`, and what `brings` the newest memory into it.

    `by` is what brings it, most to the point first, () = nothing has to; placeholders are `{when}`, `{file}`,
    `{version}`, `{name}`, `{why}`.
    """

    state: State
    carries: str
    brings: str
    by: tuple[Refresh, ...] = ()


NOTHING = _("nothing to do")
_NEXT_MESSAGE = _("its next message brings the new one, nothing to do")
_ON_DEMAND = _("carries the index as it is now, and reads a changed memory anew when it needs it")
_SHOWN = _(
    "carries the index as it is now; a changed memory is shown anew with a message that it fits, if that is on"
)
_FILE_SHOWN = _("was shown {file} before it was changed, and carries the index as it is now")
_ANY_BRANCH = _("carries the index as it is now, on whichever branch")
_BRANCH_NOT_KNOWN = _("went to another branch; whether that changes what it carries is not known")

_ZCODE_MEMORY_ROWS = (
    Row("unchanged", _("carries the index as it is now, given to it at {when}"), NOTHING),
    Row("body-changed", _ON_DEMAND, NOTHING),
    Row(
        "body-shown",
        _("carries the index as it is now; a memory that it read before the last change stays in it as it was"),
        _("it reads it anew when it needs it, nothing to do"),
    ),
    Row("index-changed", _("carries the index of {when}"), _NEXT_MESSAGE, ("message", "memory-reload")),
    Row(
        "compacted",
        _("lost the index when it was compacted"),
        _("its next message brings it again, nothing to do"),
        ("message", "memory-reload"),
    ),
    Row("resumed", _("was resumed, and carries the index as it is now, given to it at {when}"), NOTHING),
    Row(
        "branch-switched",
        _("is on a branch that was not given the newest index"),
        _("/memory reload brings it with the next message; whether that does alone is not known"),
        ("memory-reload", "resume", "new"),
    ),
    Row(
        "never",
        _("was not given the index yet"),
        _("its next message brings it, nothing to do"),
        ("message", "memory-reload"),
    ),
)
_YANDY_1_ROWS = (
    Row("unchanged", _("carries the index as it is now, read at {when}"), NOTHING),
    Row("body-changed", _SHOWN, NOTHING),
    Row(
        "body-shown",
        _FILE_SHOWN,
        _("it is not shown it again: /reload or a new session does, or ask it to read the file"),
        ("reload", "new"),
    ),
    Row(
        "index-changed",
        _("carries the index read at {when}, unless it was reloaded or resumed since"),
        _("/reload, resuming it or a new session brings the new one"),
        ("reload", "resume", "new"),
    ),
    Row("compacted", _("carries the index as it is now, read at {when}; a compaction leaves it"), NOTHING),
    Row("resumed", _("was resumed, and carries the index as it is now, read then ({when})"), NOTHING),
    Row("branch-switched", _ANY_BRANCH, NOTHING),
)
_YANDY_2_ROWS = (
    Row("unchanged", _("carries the index as it is now, read at {when}"), NOTHING),
    Row("body-changed", _SHOWN, NOTHING),
    Row(
        "body-shown",
        _FILE_SHOWN,
        _("it is not shown it again until a compaction; a new session does, or ask it to read the file"),
        ("compaction", "new"),
    ),
    Row(
        "index-changed",
        _("keeps the index of {when}"),
        _("a compaction or a new session brings the new one; /reload and /resume keep this one"),
        ("compaction", "new"),
    ),
    Row("compacted", _("read the index anew when it was compacted ({when}), as it is now"), NOTHING),
    Row("resumed", _("was resumed, and carries the index as it is now"), NOTHING),
    Row("branch-switched", _ANY_BRANCH, NOTHING),
)
_AMASTER_BETA_ROWS = (
    Row("unchanged", _("is given both files anew with every message, and nothing changed since"), NOTHING),
    Row("index-changed", _("was last given both files at {when}"), _NEXT_MESSAGE, ("message",)),
)
_AMASTER_ROWS = (
    Row("unchanged", _("carries the memory as it is now, taken at {when}"), NOTHING),
    Row(
        "index-changed",
        _("keeps the memory of {when}; only its tool memory_read sees the new one"),
        _("a compaction or a new session brings it; /reload and resuming keep this one"),
        ("compaction", "new"),
    ),
    Row("compacted", _("took the memory anew when it was compacted ({when}), as it is now"), NOTHING),
    Row("resumed", _("was resumed with the memory of {when}, which is as it is now"), NOTHING),
    Row(
        "branch-switched",
        _("is on a branch with the memory of {when}, while another branch took a newer one"),
        _("a compaction or a new session brings the newest"),
        ("compaction", "new"),
    ),
)
_MEMWEAVE_ROWS = (
    Row("unchanged", _("is given rule and state with every request, and nothing changed since"), NOTHING),
    Row(
        "index-changed",
        _("reads rule.md and config.json anew with every request; whether a changed state too is not known"),
        _("its next request brings the rule, nothing to do"),
        ("request",),
    ),
)
_ZCODE_ROWS = (
    Row("unchanged", _("carries the index as it is now, read when it began ({when})"), NOTHING),
    Row("body-changed", _ON_DEMAND, NOTHING),
    Row(
        "index-changed",
        _("carries the index of {when}, unless it was cleared since, and may write that one back over the new"),
        _("/clear, a cold resume or a new session brings the new one; a compaction does not"),
        ("clear", "resume", "new"),
    ),
    Row("compacted", _("carries the index as it is now, read at {when}; a compaction leaves it"), NOTHING),
    Row("resumed", _("was resumed, and carries the index as it is now, read then ({when})"), NOTHING),
    Row("branch-switched", _BRANCH_NOT_KNOWN, _("a new session reads the index anew"), ("new",)),
)
_CLAUDE_ROWS = (
    Row("unchanged", _("carries the index as it is now, loaded when it began ({when})"), NOTHING),
    Row("body-changed", _ON_DEMAND, NOTHING),
    Row(
        "index-changed",
        _("loaded the index when it began ({when}), before it was changed"),
        _("a new session brings the new one; whether /clear, resuming or a compaction does is not known"),
        ("new",),
    ),
    Row(
        "compacted",
        _("was compacted; the index is as it was when it began ({when})"),
        _("whether a compaction loads it anew is not known; a new session does"),
        ("new",),
    ),
    Row("resumed", _("was resumed ({when}), and the index is as it was then"), NOTHING),
    Row("branch-switched", _BRANCH_NOT_KNOWN, _("a new session loads the index"), ("new",)),
)
_HERMES_ROWS = (
    Row("unchanged", _("carries the memory as it is now, taken when it began ({when})"), NOTHING),
    Row(
        "index-changed",
        _("keeps the memory of its start ({when})"),
        _("the next session takes the new one"),
        ("new",),
    ),
    Row(
        "compacted",
        _("was compacted; the memory is as it was when it began ({when})"),
        _("whether a compaction takes it anew is not known; the next session does"),
        ("new",),
    ),
    Row("resumed", _("was resumed ({when}), and the memory is as it was then"), NOTHING),
    Row("branch-switched", _BRANCH_NOT_KNOWN, _("the next session takes the memory anew"), ("new",)),
)

OFF = Row("off", _("is not given the index: {why}"), NOTHING)
"""For whoever's configuration keeps the index from the agent."""

EMPTY = Row("empty", _("there is no memory here that it could be given"), NOTHING)

ROWS: Mapping[Way, tuple[Row, ...]] = {
    ZCODE_MEMORY: (*_ZCODE_MEMORY_ROWS, OFF, EMPTY),
    YANDY_1: (*_YANDY_1_ROWS, OFF, EMPTY),
    YANDY_2: (*_YANDY_2_ROWS, OFF, EMPTY),
    AMASTER_BETA: (*_AMASTER_BETA_ROWS, OFF, EMPTY),
    AMASTER: (*_AMASTER_ROWS, OFF, EMPTY),
    MEMWEAVE: (*_MEMWEAVE_ROWS, OFF, EMPTY),
    ZCODE: (*_ZCODE_ROWS, OFF, EMPTY),
    CLAUDE: (*_CLAUDE_ROWS, OFF, EMPTY),
    HERMES: (*_HERMES_ROWS, OFF, EMPTY),
}
"""What is said, by the program and its versions; one row a state that it can be in."""

_NEW = _("a new session reads the memory as it is then")

NOT_KNOWN: Mapping[Why, Row] = {
    "version": Row("not-known", _("what it carries is not known for {name} {version}"), _NEW, ("new",)),
    "no-version": Row(
        "not-known", _("what it carries is not known: the version of {name} cannot be read"), _NEW, ("new",)
    ),
    "extension": Row("not-known", _("does not read this memory, as far as pi's settings say"), NOTHING),
    "session": Row(
        "not-known", _("may be in one of several sessions, which carry different things"), _NEW, ("new",)
    ),
    "no-session": Row(
        "not-known",
        _("has written nothing since it began, so which session it is in is not known"),
        _("its next message tells"),
        ("message",),
    ),
    "too-long": Row(
        "not-known",
        _("what it carries is not known: too much was said in it for memtui to look through"),
        _NEW,
        ("new",),
    ),
    "resumed": Row(
        "not-known",
        _("was resumed after a change; whether it read the index then, its next message tells"),
        _("a compaction or a new session brings the new one"),
        ("compaction", "new"),
    ),
    "unread": Row("not-known", _("what it carries is not known: its session cannot be read"), _NEW, ("new",)),
}
"""What is said where nothing else can be, for every owner."""

ASSUMED = _("({name} as of {versions}; its version is not known)")
"""Said behind a row that holds for versions of which it is only assumed that they run."""

NOBODY = _("no agent that reads it was seen: the next session reads it as it is now")
"""Said after a change while nobody carries anything."""


def row_of(way: Way, state: State) -> Row | None:
    """The row of a state; None where the program cannot be in it."""
    return next((row for row in ROWS[way] if row.state == state), None)
