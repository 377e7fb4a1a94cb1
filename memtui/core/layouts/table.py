"""Every layout by its name."""

from __future__ import annotations

from memtui.core.layouts.base import LayoutTable
from memtui.core.layouts.facts import FACTS

LAYOUTS: LayoutTable = {FACTS.name: FACTS}
