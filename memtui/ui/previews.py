"""The texts of the rows beside the cursor, laid out before it gets there, so that list and text move as one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.topic_text import TopicText
    from memtui.ui.view import View
    from memtui.ui.work import Work


class Previews:
    """Keeps the few texts that the next key may ask for; those of another view are forgotten."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._view: View | None = None
        self._as_rendered = False
        self._kept: dict[str, TopicText] = {}

    def get(self, view: View, row_id: str, *, as_rendered: bool) -> TopicText | None:
        """The text of a row, where it was laid out already."""
        if self._view is not view or self._as_rendered != as_rendered:
            return None
        return self._kept.get(row_id)

    def prepare(
        self, view: View, row_ids: Iterable[str], *, as_rendered: bool, shown: TopicText | None = None
    ) -> None:
        """Lay out the texts of these rows on the work thread; with `shown`, the one on the screen, no others
        are kept."""
        if self._view is not view or self._as_rendered != as_rendered:
            self._view, self._as_rendered, self._kept = view, as_rendered, {}
        wanted = [row_id for row_id in row_ids if row_id in view.items]
        known = {row_id: self._kept[row_id] for row_id in wanted if row_id in self._kept}
        if shown is not None:
            known[shown.row_id] = shown
        self._kept = known
        missing = [view.items[row_id] for row_id in wanted if row_id not in known]
        if not missing:
            return

        def job(workspace: Workspace) -> list[TopicText]:
            from memtui.ui.topic_text import build_topic

            return [build_topic(workspace, view, item, as_rendered=as_rendered) for item in missing]

        def keep(topics: list[TopicText]) -> None:
            if self._view is view and self._as_rendered == as_rendered:
                self._kept |= {topic.row_id: topic for topic in topics}

        # what fails here is asked for again when the cursor gets there, and said then
        self._work.do(job, keep, channel="ahead", failed=lambda error: None)
