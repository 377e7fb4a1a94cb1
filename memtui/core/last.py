"""The newest result of work whose input never changes, kept for whoever asks with the very same input again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Last(Generic[T]):
    """Keeps one result. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._kept: tuple[object, Hashable, T] | None = None

    def of(self, given: object, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives; made anew unless it was made for this very object (which must not change) and an
        equal key last time. A tuple is such an object, a list is not."""
        if self._kept is None or self._kept[0] is not given or self._kept[1] != key:
            self._kept = (given, key, make())
        return self._kept[2]
