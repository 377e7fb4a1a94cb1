"""The newest result of work whose input never changes, kept for whoever asks with the very same input again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Last(Generic[T]):
    """Keeps one result. Where several threads ask at once each gets what it asked for."""

    def __init__(self) -> None:
        self._kept: tuple[object, Hashable, T] | None = None

    def of(self, given: object, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives; made anew unless it was made for this very object (which must not change) and an
        equal key last time. A tuple is such an object, a list is not."""
        kept = self._kept
        if kept is None or kept[0] is not given or kept[1] != key:
            kept = self._kept = (given, key, make())
        return kept[2]
