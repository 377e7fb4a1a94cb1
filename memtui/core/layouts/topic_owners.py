"""yandy's pi-memory as data: what each line of its versions reads, writes and cuts (topics sheet)."""

from __future__ import annotations

from memtui.core.layouts.base import Limit, LockRule, Profile
from memtui.core.layouts.notes.rules import NOTE_TYPES, NoteRules
from memtui.core.layouts.topics.rules import TOPIC_TYPES, TopicRules
from memtui.i18n import _
from memtui.late import dataclasses

_SOURCE = "pi-memory 1.3.1 to 1.3.3, its source (topics sheet 2)"
_SOURCE_134 = "pi-memory 1.3.4, its source (topics sheet 2)"

YANDY = Profile(
    owner="yandy",
    layout="topics",
    agents=("@yandy0725/pi-memory 1.x",),
    index_name="MEMORY.md",
    limits=(
        Limit("inject", "lines", 200, _SOURCE),
        Limit("inject", "bytes", 25_600, _SOURCE),
    ),
    types=TOPIC_TYPES,
    default_type="feedback",
    stamp=("name", "description", "type", "updated"),
    minds=frozenset({"crlf", "no-final-newline"}),
    names_groups=True,
    rules=TopicRules(),
)
"""1.0 to 1.3.3 with its defaults; a configuration changes the numbers (`dataclasses.replace`)."""

YANDY_134 = dataclasses.replace(
    YANDY,
    agents=("@yandy0725/pi-memory 1.3.4",),
    limits=(Limit("inject", "lines", 20, _SOURCE_134), Limit("inject", "bytes", 3_072, _SOURCE_134)),
    rules=TopicRules(surfaced_files=3, surfaced_topic_bytes=3_072, surfaced_bytes=10_240),
)
"""1.3.4: less of the index is injected and less surfaces; what an add accepts is the same."""

YANDY_03 = dataclasses.replace(
    YANDY,
    agents=("@yandy0725/pi-memory 0.x",),
    stamp=("updated",),
    rules=TopicRules(has_hooks=False, surfaces=False),
)
"""0.1 to 0.3: one index line an entry, one field of frontmatter. memtui only reads it."""

_SOURCE_2 = "pi-memory 2.3, its source as stored (topics sheet 9.2)"

YANDY_2 = Profile(
    owner="yandy",
    layout="notes",
    agents=("@yandy0725/pi-memory 2.x",),
    index_name="MEMORY.md",
    limits=(Limit("inject", "lines", 50, _SOURCE_2), Limit("inject", "bytes", 16_384, _SOURCE_2)),
    types=NOTE_TYPES,
    default_type="feedback",
    stamp=("name", "description", "type", "created", "modified"),
    approximate=(
        _("pi-memory 2.0 to 2.2 inject 200 lines or 25,600 bytes; the numbers of 2.3 are shown."),
        _("The words before the injected index are not known for 2.x."),
    ),
    minds=frozenset({"crlf"}),
    lock=LockRule("record", ".lock", (0.05,) * 100, None, "pi-memory 2.x, fs-lock (topics sheet 9.3)"),
    rules=NoteRules(),
    lists=(".backups/*/*",),
)
"""2.0 and later; a lock of theirs is never taken over by itself."""

_SOURCE_20 = "pi-memory 2.0 to 2.2, its source as stored (topics sheet 9.2)"

YANDY_20 = dataclasses.replace(
    YANDY_2,
    limits=(Limit("inject", "lines", 200, _SOURCE_20), Limit("inject", "bytes", 25_600, _SOURCE_20)),
    approximate=(
        _("Which end of the index pi-memory 2.0 to 2.2 cuts is not known; the start is cut as in 2.3."),
        _("The words before the injected index are not known for 2.x."),
    ),
)
"""2.0 to 2.2: more of the index is injected."""
