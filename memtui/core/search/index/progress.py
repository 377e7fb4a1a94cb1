"""What an update of the index says of itself: to whoever runs it, and from the process that does."""

from __future__ import annotations

from collections.abc import Callable

from memtui.late.dataclasses import dataclass

DONE, FAILED, BUSY = 0, 2, 3
"""Exit statuses of the process that writes the index."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an update came: bytes read of those there are to read. `phase` is what is being read.

    `skipped` counts lines above the cap, `unreadable` files that cannot be read; those hold `left_bytes`.
    """

    phase: str
    done_bytes: int
    total_bytes: int
    done_files: int
    total_files: int
    is_done: bool = False
    skipped: int = 0
    unreadable: int = 0
    left_bytes: int = 0


Told = Callable[[Progress], None]
