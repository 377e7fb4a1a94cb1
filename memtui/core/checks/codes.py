"""The codes of all problems. They are stable: scripts go by them."""

from __future__ import annotations

CODES = (
    *("dead-link", "orphan", "no-index", "duplicate-line", "outside", "symlink", "not-loaded", "body-cut"),
    *("over-limit", "long-line", "not-injected", "not-utf8", "unreadable", "crlf", "no-final-newline"),
    *("strict-yaml", "value-altered", "duplicate-key", "unclosed-frontmatter", "late-frontmatter"),
    *("no-frontmatter", "no-description", "unknown-type", "hook-mismatch", "drift", "entry-over-limit"),
    *("shadowed", "threat", "hidden-chars", "secret", "stale-reference", "relative-date", "past-deadline"),
    *(
        "conflicting-values",
        "duplicate",
        "near-duplicate",
        "leftover",
        "stale-lock",
        "shared-store",
        "case-twin",
    ),
    *("orphaned-store", "command-clash", "bad-config", "came-back", "reverted"),
)
"""Every code."""
