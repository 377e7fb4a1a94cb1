"""Painted rows that are kept until they are wanted again."""

from __future__ import annotations

from typing import TypeVar

from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip
from textual.widget import Widget

K = TypeVar("K")


class Strips(FIFOCache[K, Strip]):
    """Rows by what they were painted from, and the style that all of them begin with.

    (A cache that forgets the least used one first holds itself in a circle: all that is cleared would wait for
    the garbage collector, which is in the way of keys.)
    """

    _base: Style | None = None

    def clear(self) -> None:
        """Forget them."""
        super().clear()
        self._base = None

    def base_of(self, widget: Widget) -> Style:
        """The style of a widget, put together once: that takes a third of the paint of a row."""
        if self._base is None:
            self._base = widget.rich_style
        return self._base
