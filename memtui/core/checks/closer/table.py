"""The families of the closer look, and the codes that they give."""

from __future__ import annotations

from memtui.core.checks.closer import dates, duplicates, stale, values
from memtui.core.checks.closer.base import Family

FAMILIES: tuple[Family, ...] = (stale.FAMILY, *dates.FAMILIES, values.FAMILY, duplicates.FAMILY)
"""All families, in the order in which equally severe problems of a memory are reported."""
