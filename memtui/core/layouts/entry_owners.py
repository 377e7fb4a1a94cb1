"""Owners of section-sign stores as data: @amaster.ai/pi-memory, and Hermes whose store it is modelled on.

What is not known stays unknown: a sentence in `approximate` says so. Limits can be configured: whoever locates
a store replaces `limits` by those of its settings.
"""

from __future__ import annotations

from memtui.core.layouts.base import Limit, LockRule, Profile
from memtui.core.layouts.entries.rules import EntryFile, EntryRules
from memtui.core.text.javascript import JS_BLANKS
from memtui.core.text.section_sign import TRIMMED_BY_PYTHON, Dialect
from memtui.i18n import _

FILES = (
    EntryFile("memory", "MEMORY.md", "MEMORY (your personal notes)"),
    EntryFile("user", "USER.md", "USER PROFILE (who the user is)"),
)
"""Groups, names and headers, the same for both owners (entries sheet 1, 8)."""

GROUPS = tuple(file.group for file in FILES)

AMASTER = Profile(
    owner="amaster",
    layout="entries",
    agents=("@amaster.ai/pi-memory",),
    index_name="",
    limits=(
        Limit("write", "utf16", 2_200, "default of memoryCharLimit (entries sheet 1, 3)", "memory"),
        Limit("write", "utf16", 1_375, "default of userCharLimit (entries sheet 1, 3)", "user"),
    ),
    types=(),
    default_type="",
    stamp=(),
    approximate=(
        _("The numbers of the header follow the language of pi's process; English separators are shown."),
        _(
            "Read from the source of August 2026; what versions up to 0.1.37 changed is not known. Since then "
            "the agent keeps the text that it had at the start of its session."
        ),
    ),
    lock=LockRule(
        "directory",
        "{file}.lock",
        tuple(min(0.05 * 1.5**attempt, 0.5) for attempt in range(10)),
        30.0,
        "proper-lockfile 4.1.2 with amaster's options (entries sheet 7)",
    ),
    rules=EntryRules(
        files=FILES,
        dialect=Dialect(JS_BLANKS),
        scanner="amaster",
        drift_stops=frozenset({"add", "change"}),
        reads_bad_utf8=True,
        replaces_block_notices=True,
    ),
    reads_leftovers=True,
    groups=GROUPS,
    of_person=True,
)
"""Entries sheet: 2 (trimming), 3 (UTF-16 units), 5 (drift), 7 (lock), 8 (blocked notices since 2026-07-31)."""

HERMES = Profile(
    owner="hermes",
    layout="entries",
    agents=("Hermes",),
    index_name="",
    limits=(
        Limit("write", "codepoints", 2_200, "default of Hermes 0.19 (entries sheet 3)", "memory"),
        Limit("write", "codepoints", 1_375, "default of Hermes 0.19 (entries sheet 3)", "user"),
    ),
    types=(),
    default_type="",
    stamp=(),
    approximate=(_("Hermes after 0.19 also cuts very long stores, and its scanner differs in four patterns."),),
    lock=LockRule(
        "flock",
        "{file}.lock",
        tuple(min(0.05 * 1.5**attempt, 0.5) for attempt in range(10)),
        None,
        "Hermes 0.19 (entries sheet 7); how long it waits is not known, memtui waits as it does for amaster",
    ),
    rules=EntryRules(
        files=FILES,
        dialect=Dialect(TRIMMED_BY_PYTHON, translates_line_ends=True),
        scanner="hermes_0_19",
        drift_stops=frozenset({"change"}),
        reads_bad_utf8=False,
        replaces_block_notices=False,
        new_mode=0o600,
    ),
    reads_leftovers=True,
    groups=GROUPS,
    of_person=True,
)
"""Entries sheet: 2 (line ends, bytes that are not UTF-8), 3 (code points), 4 (add heals drift), 6 (mode)."""
