"""Every layout by its name."""

from __future__ import annotations

from memtui.core.layouts.base import LayoutTable
from memtui.core.layouts.entries import ENTRIES
from memtui.core.layouts.events import EVENTS
from memtui.core.layouts.facts import FACTS
from memtui.core.layouts.notes import NOTES
from memtui.core.layouts.topics import TOPICS

LAYOUTS: LayoutTable = {layout.name: layout for layout in (FACTS, ENTRIES, TOPICS, NOTES, EVENTS)}
