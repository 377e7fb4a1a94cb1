"""The main screen: the bars and the panes, and the inks that everything on it is painted with."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from memtui.ui.panes.index import IndexPane
from memtui.ui.panes.search import SearchPane
from memtui.ui.panes.status import StatusPane, StatusStrip
from memtui.ui.panes.topic import TopicPane
from memtui.ui.widgets.span_lines import KeyBar, TopBar
from memtui.ui.widgets.spans import INK_CLASSES


class MainScreen(Screen[Any]):
    """One DOM for every size; the styles rearrange it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)

    def compose(self) -> ComposeResult:
        """The bars and the panes; what the first frame leaves empty comes with `Desk.complete`."""
        yield TopBar(id="top")
        with Horizontal(id="panes"):
            with Vertical(id="left"):
                yield IndexPane(id="index", classes="-active")
                yield StatusPane(id="status")
            with Vertical(id="right"):
                yield TopicPane(id="topic")
                yield SearchPane(id="search")
        yield StatusStrip(id="strip")
        yield KeyBar(id="keys")
