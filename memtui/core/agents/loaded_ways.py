"""What the owners' programs do with memory while they run, by version: when they take it from disk, and what
loses it. Data; every entry names where it comes from: a section of a fact sheet, the owner's own text or code.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from memtui.core.agents.base import PI
from memtui.late import re
from memtui.late.dataclasses import dataclass

State = Literal[
    "unchanged",
    "body-changed",
    "body-shown",
    "index-changed",
    "compacted",
    "resumed",
    "branch-switched",
    "never",
    "empty",
    "off",
    "not-known",
]
"""How what a session carries stands to what is on disk.

`body-changed`: only texts that are no part of what it carries; `body-shown`: and it was shown them before.
`index-changed`: what it carries was changed since. `compacted`, `resumed`, `branch-switched`: nothing was, but
this happened since it began; for an owner that loses or keeps something by it, that it did.
"""

Moment = Literal["start", "recorded", "process", "compaction", "given", "message", "request"]
"""When what a session carries is taken from disk: at its start (`recorded`: at that of the session that it was
forked from), when the program starts, at a compaction, where an entry of the session says so, with every
message of the person, with every request of the model."""

Refresh = Literal["message", "request", "memory-reload", "reload", "resume", "compaction", "clear", "new"]
"""What brings the newest memory into a session: its next message, its next request, `/memory reload`,
`/reload`, resuming it, a compaction, `/clear`, a new session."""

Bodies = Literal["on-demand", "shown", "whole"]
"""How the texts of memories get into a session: read when the model wants them, shown with a message that they
fit, or all of them as a part of what it carries."""

_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)*)(-[0-9A-Za-z.-]+)?(?:\+.*)?")


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions `first` to `last` (`2.3` means every 2.3.x); '' leaves an end open.

    A version with a tag (`-beta.1`) is only one of them where it is named. `is_assumed`: where the version of
    the program cannot be read, it is taken for one of these, and that is said.
    """

    first: str
    last: str
    is_assumed: bool = False

    def hold(self, version: str) -> bool:
        """Whether a version is one of these; '' = not known."""
        if not version:
            return self.is_assumed
        match = _NUMBERS.fullmatch(version)
        if match is None:
            return False
        if match[2] or "-" in self.first:
            return version.removeprefix("v") in (self.first, self.last)
        numbers, least, most = (_parts(text) for text in (match[1], self.first, self.last))
        return numbers >= least and (not most or numbers[: len(most)] <= most)

    @property
    def text(self) -> str:
        """The range as a person reads it."""
        return "–".join(dict.fromkeys(text for text in (self.first, self.last) if text))


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)


@dataclass(frozen=True, slots=True)
class Way:
    """What one program does with its memory while it runs.

    `taken` names when what a session carries is taken from disk; `given` is the type of the custom entries
    that say so, `section` the part of pi's system message that it stands in, `shown` the type of the custom
    messages that texts of memories are shown in, `reads` the tools that read such texts. `loses`: a compaction
    may take away what was given. `by_branch`: what is carried depends on the branch of the session. `forgets`:
    after a compaction a text that was shown may be shown again. `is_unsure_resumed`: whether it takes the
    memory anew when a session is resumed depends on how that was done, and shows with the next message.
    """

    agent: str
    owner: str
    name: str
    versions: Versions
    taken: frozenset[Moment]
    bodies: Bodies
    source: str
    given: str = ""
    section: str = ""
    shown: str = ""
    reads: tuple[str, ...] = ()
    loses: bool = False
    by_branch: bool = False
    forgets: bool = False
    is_unsure_resumed: bool = False

    @property
    def is_always_new(self) -> bool:
        """Whether it takes the memory anew each time that something is said."""
        return not self.taken.isdisjoint({"message", "request"})


def _moments(*names: Moment) -> frozenset[Moment]:
    return frozenset(names)


ZCODE_MEMORY = Way(
    *(PI, "zcode", "pi-zcode-memory", Versions("", "1", is_assumed=True)),
    *(_moments("given"), "on-demand"),
    source="README of pi-zcode-memory (which names no version but v1): Design tradeoffs",
    given="zcode-memory/injected",
    reads=("memory_read",),
    loses=True,
    by_branch=True,
)
YANDY_1 = Way(
    *(PI, "yandy", "@yandy0725/pi-memory", Versions("1.0", "1.4")),
    *(_moments("start", "process"), "shown"),
    source="README of @yandy0725/pi-memory 1.3 (snapshot semantics), its code of 1.3.4, and its design of 2.0",
    shown="memory-auto-surfacing",
)
YANDY_2 = Way(
    *(PI, "yandy", "@yandy0725/pi-memory", Versions("2.0", "2.3")),
    *(_moments("recorded", "compaction"), "shown"),
    source="README of @yandy0725/pi-memory 2.x and its design of 2.0, 9.1 (D13, D14) and 10",
    section="memory_index",
    shown="memory-auto-surfacing",
    forgets=True,
    is_unsure_resumed=True,
)
AMASTER_BETA = Way(
    *(PI, "amaster", "@amaster.ai/pi-memory", Versions("0.1.2-beta.15", "0.1.2-beta.15")),
    *(_moments("message"), "whole"),
    source="entries sheet 8; README of @amaster.ai/pi-memory 0.1.2-beta.15: Prompt snapshot",
)
AMASTER = Way(
    *(PI, "amaster", "@amaster.ai/pi-memory", Versions("0.1.37", "0.1.37")),
    *(_moments("start", "compaction"), "whole"),
    source="README of @amaster.ai/pi-memory 0.1.37: Prompt snapshot, Lifecycle reference",
    by_branch=True,
)
MEMWEAVE = Way(
    *(PI, "memweave", "@godice/memweave", Versions("0.1.0", "0.1.0")),
    *(_moments("request"), "whole"),
    source="README of @godice/memweave 0.1.0 (run-time files); memweave sheet 1",
)
ZCODE = Way(
    *("zcode", "zcode", "ZCode", Versions("0.16.9", "0.16.9", is_assumed=True)),
    *(_moments("start", "process"), "on-demand"),
    source="README of pi-zcode-memory: Boundaries and known limits; pi-and-zcode sheet B2",
)
CLAUDE = Way(
    *("claude", "claude", "Claude Code", Versions("2.1.59", "2.1.283", is_assumed=True)),
    *(_moments("start", "process"), "on-demand"),
    source="other-agents sheet 1.1",
)
HERMES = Way(
    *("hermes", "hermes", "Hermes", Versions("0.19", "0.22", is_assumed=True)),
    *(_moments("start", "process"), "whole"),
    source="other-agents sheet 3",
)
WAYS = (ZCODE_MEMORY, YANDY_1, YANDY_2, AMASTER_BETA, AMASTER, MEMWEAVE, ZCODE, CLAUDE, HERMES)
"""What is known of each program, one entry a range of versions."""

Why = Literal["version", "no-version", "extension", "session", "no-session", "too-long", "resumed", "unread"]
"""Why it is not known what a session carries."""


def way_of(agent: str, owner: str, version: str) -> Way | Why:
    """What is known of the program by which an agent reads an owner's memory, or why nothing is."""
    ways = [way for way in WAYS if (way.agent, way.owner) == (agent, owner)]
    found = next((way for way in ways if way.versions.hold(version)), None)
    return found or ("version" if version else "no-version")


def reads(agent: str, owner: str, read_by: Collection[str] = ()) -> bool:
    """Whether memtui knows a program by which this agent reads an owner's memory; where `read_by` names such
    programs, whether it is one of those."""
    ways = [way for way in WAYS if way.owner == owner]
    named = [way for way in ways if way.name in read_by]
    return any(way.agent == agent for way in named or ways)
