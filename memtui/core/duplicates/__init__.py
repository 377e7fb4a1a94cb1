"""Duplicates: which memories say the same, or nearly so, as others or as an instruction file.

Pure functions: texts in, pairs and groups out. Nothing is read here, and nothing is ever merged by itself.
"""

from __future__ import annotations

from memtui.core.duplicates.differing import Span, differing
from memtui.core.duplicates.grouping import Group, Pair, Text, find_pairs, group
from memtui.core.duplicates.judging import Code
from memtui.core.duplicates.passages import Passage, passages

__all__ = ["Code", "Group", "Pair", "Passage", "Span", "Text", "differing", "find_pairs", "group", "passages"]
