"""What lists and texts share: they have many rows, and paint those in view."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.widget import Widget


class LongView(ScrollView, can_focus=False):
    """Scrolls over rows. The screen is laid out anew only where that makes a difference, and once: each time is
    half of what a key costs."""

    def set_length(self, rows: int) -> None:
        """There are so many rows now."""
        if rows == self.virtual_size.height:
            return
        self.set_reactive(Widget.virtual_size, Size(0, rows))
        # lays out where the scroll bar comes or goes
        self._refresh_scrollbars()
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.window_virtual_size = rows
        if self._is_fitted:
            self.refresh(layout=True)

    @property
    def _is_fitted(self) -> bool:
        """Whether its size, or that of what it stands in, follows from how many rows there are."""
        around = (node for node in self.ancestors_with_self if isinstance(node, Widget))
        return any(node.styles.auto_dimensions for node in around)

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Where its own size is as it was, its scroll bar need not be painted because of another widget's."""
        if size == self._size and self._container_size == size - self.styles.gutter.totals:
            return False
        return super()._size_updated(size, virtual_size, container_size, layout)
