"""What is said of the search index while there is something to say. Pure; made in the UI thread."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.shelf import Indexed

TELLING_SHARE = 0.03
"""With less of it done nobody can say how long the rest will take."""


def index_spans(indexed: Indexed | None, began: datetime | None, now: datetime) -> list[Span]:
    """The line of the status: how far indexing is, or why sessions are not searched by an index; else nothing.

    `began` is when the process that writes now was first heard of.
    """
    if indexed is None:
        return []
    from memtui.core.safety import display

    label: Span = (_("search") + "   ", "label")
    if indexed.status.state == "off":
        why = display.line(indexed.status.why)
        return [label, (_("every file is read, there is no index: {why}").format(why=why), "muted")]
    writing = indexed.writing
    if writing is None:
        return []
    if writing.progress is None:
        if not writing.problem:
            return []
        problem = display.line(writing.problem)
        return [label, (_("the index cannot be written: {why}; files are read").format(why=problem), "warn")]
    if indexed.status.state == "ready":
        return []
    progress = writing.progress
    if not progress.total_bytes:
        return [label, (_("indexing …"), "muted")]
    share = progress.done_bytes / progress.total_bytes
    said = _("indexing: {share}%").format(share=int(share * 100))
    if began is not None and share >= TELLING_SHARE:
        left_s = (now - began).total_seconds() / share * (1 - share)
        said = _("{said}, about {seconds} s left").format(said=said, seconds=int(left_s) + 1)
    return [label, (said, "muted")]
