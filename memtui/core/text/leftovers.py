"""Names that editors, syncing tools and agents leave beside memories: never memories themselves.

Sources: what vim, Emacs, Syncthing and Dropbox call their side files, the backups that memory programs make
of `MEMORY.md`, and the temporary names of writers that replace files whole.
"""

from __future__ import annotations

from typing import Literal

from memtui.late import re

OWN_TEMP_PREFIX = ".memtui-"
"""memtui's own temp names: they wait for late writers for a moment, and go by themselves or at a recovery."""

LeftoverKind = Literal["swap", "backup", "conflict", "temp"]

_ORDINARY = re.compile(r"[\w-]+\.md")
_SWAP = re.compile(r"\.[^/]+\.sw[a-px]|#[^/]+#|\.#[^/]+|[^/]+~|\.netrwhist|4913", re.DOTALL)
_BACKUP = re.compile(r"[^/]+\.(?:bak|backup|old|orig)(?:[.-][0-9][0-9A-Za-z.:_-]*)?", re.DOTALL | re.IGNORECASE)
_CONFLICT = re.compile(
    r"[^/]+\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[A-Z0-9]{7})?(?:\.[^/.]+)?"
    r"|[^/]+ \([^()/]*conflicted copy[^()/]*\)(?:\.[^/.]+)?",
    re.DOTALL | re.IGNORECASE,
)
_TEMP = re.compile(
    r"\.?[^/]+\.(?:te?mp)(?:[.-][0-9A-Za-z_-]+)?|\.?~\$[^/]+|[^/]+\.part(?:ial)?", re.DOTALL | re.IGNORECASE
)


def leftover_kind(name: str) -> LeftoverKind | None:
    """What a file's last name says it is, or None for an ordinary name.

    `swap`: an editor's side file that goes by itself (`.a.md.swp`, `#a.md#`, `a.md~`); `backup`
    (`MEMORY.md.bak.1767225600`); `conflict`: a second version that a syncing tool kept
    (`a.sync-conflict-20260101-101010-AB12CD3.md`, which still ends in `.md`); `temp`: half of a write.
    """
    if _ORDINARY.fullmatch(name) or name.startswith(OWN_TEMP_PREFIX):
        return None
    if _CONFLICT.fullmatch(name):
        return "conflict"
    if _SWAP.fullmatch(name):
        return "swap"
    if _BACKUP.fullmatch(name):
        return "backup"
    if _TEMP.fullmatch(name):
        return "temp"
    return None
