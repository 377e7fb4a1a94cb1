"""What is different between two looks at a store: by file, by memory, and in `rows` for a person."""

from __future__ import annotations

from memtui.core.changes.difference import (
    ChangedFile,
    Changes,
    How,
    Written,
    between,
    expected_files,
    is_same,
)

__all__ = ["ChangedFile", "Changes", "How", "Written", "between", "expected_files", "is_same"]
