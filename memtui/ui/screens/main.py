"""The main screen: the bars and the panes, and the inks that everything on it is painted with."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from memtui.ui.panes.index import IndexPane
from memtui.ui.panes.search import SearchPane
from memtui.ui.panes.status import StatusPane, StatusStrip
from memtui.ui.panes.topic import TopicPane
from memtui.ui.widgets.pane_line import PaneLine
from memtui.ui.widgets.span_lines import KeyBar, TopBar
from memtui.ui.widgets.spans import INK_CLASSES

WIDE, MEDIUM = 100, 70
"""Cells from which all panes stand side by side, and from which two do."""

TALL, LOW = 20, 9
"""Rows from which frames are whole and all panes have room, and below which only the bars that must be stay."""

LEAST_WIDTH, LEAST_HEIGHT = 30, 6
"""Cells and rows below which a note says that there is no room."""

CLASSES = ("-wide", "-medium", "-narrow", "-tall", "-short", "-low")
"""What the styles know of the size."""


def size_classes(width: int, height: int) -> frozenset[str]:
    """The classes of `CLASSES` that a screen of so many cells and rows has. A screen that is wide but short
    is laid out like a medium one: four panes would leave none of them rows enough."""
    across = "-narrow" if width < MEDIUM else "-medium" if width < WIDE or height < TALL else "-wide"
    down = {"-tall"} if height >= TALL else {"-short"} if height >= LOW else {"-short", "-low"}
    return frozenset({across, *down})


def is_too_small(width: int, height: int) -> bool:
    """Whether a list and its bars have no room; a size of nothing is no size yet."""
    return 0 < width < LEAST_WIDTH or 0 < height < LEAST_HEIGHT


class MainScreen(Screen[Any], inherit_bindings=False):
    """One DOM for every size; the styles rearrange it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    # without a screen's own tab, which would move a focus that nothing here has
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,super+c", "screen.copy_text", show=False)]
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012

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
        yield PaneLine(id="pane-line")
        yield KeyBar(id="keys")

    def on_resize(self, event: events.Resize) -> None:
        """Rearrange."""
        self._fit(event.size.width, event.size.height)

    def on_screen_resume(self) -> None:
        """Rearrange: another size is not told while something else lies over this screen."""
        self._fit(self.app.size.width, self.app.size.height)

    def _fit(self, width: int, height: int) -> None:
        has = size_classes(width, height)
        self.update_classes({name: name in has for name in CLASSES}, animate=False)
        if is_too_small(width, height) and self.is_current:
            from memtui.ui.screens.small_screen import SmallScreen

            self.app.push_screen(SmallScreen())
