"""Owners' rules as data: what ZCode with pi-zcode-memory, and Claude Code, read, load and write.

Every number names its source. What is not known stays unknown: it is None or empty here, and a sentence in
`approximate` says so wherever memtui shows a number that depends on it.
"""

from __future__ import annotations

from memtui.core.layouts.base import Limit, Profile, ProfileTable
from memtui.core.layouts.entry_owners import AMASTER, HERMES
from memtui.core.layouts.topic_owners import YANDY
from memtui.i18n import _

FACT_TYPES = ("user", "feedback", "project", "reference")
FACT_STAMP = ("name", "description", "metadata.node_type", "metadata.type")
"""pi-zcode-memory writes these four keys and no more (its README); Claude Code's own come in the same order."""

ZCODE = Profile(
    owner="zcode",
    layout="facts",
    agents=("ZCode", "pi-zcode-memory"),
    index_name="MEMORY.md",
    limits=(
        Limit("inject", "lines", 200, "ZCode's index reader (pi-and-zcode sheet B2)"),
        Limit("inject", "utf16", 25_000, "ZCode's index reader (pi-and-zcode sheet B2)"),
        Limit("body", "lines", 200, "memory_read of pi-zcode-memory (its README)"),
        Limit("body", "bytes", 4_096, "memory_read of pi-zcode-memory (its README)"),
    ),
    types=FACT_TYPES,
    stamp=FACT_STAMP,
    frontmatter_lines=30,
    strict_yaml=True,
    strips_comments=True,
    long_line_units=200,
    refused_folders=frozenset(
        {
            ".claude",
            ".git",
            ".vscode",
            ".zcode",
            "agents",
            "commands",
            "config",
            "head",
            "hooks",
            "node_modules",
            "objects",
            "refs",
            "skills",
        }
    ),
    approximate=(
        _("ZCode's limits are those of its published forks; whether pi-zcode-memory cuts alike is not known."),
    ),
)
"""Limits: pi-and-zcode sheet B2 (index, long lines, comments), B3 (30 lines, YAML, types, folder names)."""

CLAUDE = Profile(
    owner="claude",
    layout="facts",
    agents=("Claude Code",),
    index_name="MEMORY.md",
    limits=(
        Limit("inject", "lines", 200, "Claude Code's documentation of auto memory (other-agents sheet 1.1)"),
        Limit("inject", "bytes", 25_000, "Claude Code's documentation: 25 KB (other-agents sheet 1.1)"),
    ),
    types=FACT_TYPES,
    stamp=FACT_STAMP,
    approximate=(
        _(
            "Claude Code documents a limit of 25 KB; memtui counts 25,000 bytes, the exact number and unit "
            "are not known."
        ),
        _("Whether Claude Code takes HTML comments out of the index is not known; they are counted."),
        _("How much of one file Claude Code recalls at once is not known."),
    ),
)
"""Limits: other-agents sheet 1.1. No limit is known for a fact's frontmatter, body or index line."""

PROFILES: ProfileTable = {profile.owner: profile for profile in (ZCODE, CLAUDE, AMASTER, HERMES, YANDY)}
"""Every owner memtui knows, by its name."""
