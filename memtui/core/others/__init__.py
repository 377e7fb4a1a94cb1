"""What other programs changed in the stores, and the way back: a door beside `workspace`.

It belongs to the thread of its workspace. What stores look like is noted by whoever looks at them for a person
(the app); commands that only look note nothing.
"""

from __future__ import annotations

from memtui.core.changes.rows import ChangedRow
from memtui.core.others.crediting import Credits, Found, Place, sought_in
from memtui.core.others.difference import difference
from memtui.core.others.looking import ByOthers, Others, Since, StoreChanges, Wanted
from memtui.core.others.noting import Noter
from memtui.core.others.since import parse_since
from memtui.core.search.writers import Sought, Writer

__all__ = ["ByOthers", "ChangedRow", "Noter", "Others", "Since", "StoreChanges", "Wanted", "Writer"]
__all__ += ["Credits", "Found", "Place", "Sought", "difference", "parse_since", "sought_in"]
