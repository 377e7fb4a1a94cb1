"""memweave's store as data."""

from __future__ import annotations

from memtui.core.layouts.base import Profile
from memtui.i18n import _

TAIL_BYTES = 5_000_000

READ_ONLY = _("memweave: read-only, format not documented")

MEMWEAVE = Profile(
    owner="memweave",
    layout="events",
    agents=("@godice/memweave",),
    index_name="",
    limits=(),
    types=(),
    approximate=(
        _("What memweave gives the agent of this is not known; its own rendering is in state.md of each task."),
    ),
    only_looked_at=True,
    read_only=READ_ONLY,
    keeps=("rule.md",),
    lists=("blobs/*", "setup/*", "*.lock", "*lock"),
    tail_bytes=TAIL_BYTES,
)
"""Nothing of its files' form is documented (memweave sheet 0, 5)."""
