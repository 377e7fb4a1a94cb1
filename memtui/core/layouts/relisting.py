"""What all layouts with an index share when its lines are put right: hidden characters, and what to say."""

from __future__ import annotations

from collections.abc import Collection

from memtui.core.layouts.base import Relist
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.core.text.document import Document, Splice
from memtui.i18n import _, ngettext


def visible_lines(document: Document, numbers: Collection[int]) -> bytes:
    """The text with these lines (from 1) without the characters that nobody sees."""
    splices = [
        Splice(line.start, line.end, documents.encode(display.without_hidden(line.text)))
        for line in (document.lines if numbers else ())
        if line.number in numbers
    ]
    return documents.splice(document.raw, splices)


def said(wish: Relist, index: str) -> str:
    """What was done to the index, for the history."""
    drops, adds = len({number for _path, number in wish.drops}), len(wish.adds)
    parts = [
        ngettext("took {count} line out of {index}", "took {count} lines out of {index}", drops),
        ngettext("added {count} line to {index}", "added {count} lines to {index}", adds),
        ngettext(
            "wrote {count} line of {index} anew", "wrote {count} lines of {index} anew", len(wish.derives)
        ),
        _("took the hidden characters out of {index}"),
    ]
    counts = (drops, adds, len(wish.derives), len(wish.shows))
    told = [text.format(count=count, index=index) for text, count in zip(parts, counts, strict=True) if count]
    return ", ".join(told)
