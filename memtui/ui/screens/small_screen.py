"""The note that stands over everything while the terminal is too small for a list and its bars."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from memtui.i18n import _
from memtui.ui.screens.main import LEAST_HEIGHT, LEAST_WIDTH, is_too_small
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span, wrapped


class SmallNote(SpanLines):
    """The note, wrapped."""

    def laid_out(self, width: int) -> list[list[Span]]:
        """The rows at a width."""
        return wrapped(self._shown, width)


class SmallScreen(ModalScreen[None]):
    """Takes every key, so that nothing is done unseen, and goes when there is room again."""

    DEFAULT_CSS = """
    SmallScreen {
        background: $background;
    }
    SmallScreen > SmallNote {
        height: 1fr;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", show=False)]

    def compose(self) -> ComposeResult:
        """The note."""
        needed = _("memtui needs at least {width}x{height}").format(width=LEAST_WIDTH, height=LEAST_HEIGHT)
        yield SmallNote([[(needed, "")], [(_("q leaves"), "")]])

    def on_resize(self, event: events.Resize) -> None:
        """Go when there is room."""
        self._go_if_there_is_room()

    def on_screen_resume(self) -> None:
        """Go when there is room: it may have come while something else lay over this."""
        self._go_if_there_is_room()

    def _go_if_there_is_room(self) -> None:
        if self.is_current and not is_too_small(*self.app.size):
            self.dismiss()
