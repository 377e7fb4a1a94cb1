"""What the tests of the whole program share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from app_home import AppHome, four_memories
from tmux_pane import Pane


@pytest.fixture
def app_home(tmp_path: Path) -> AppHome:
    """Four memories, each with its line."""
    return four_memories(tmp_path)


@pytest.fixture
def open_pane(app_home: AppHome, child_environ: Mapping[str, str]) -> Iterator[Callable[..., Pane]]:
    """Opens panes with memtui running in them, or (`starts=False`) a shell only."""
    opened: list[Pane] = []

    def open_one(
        columns: int = 80, rows: int = 24, *, starts: bool = True, name: str = "t", **variables: str
    ) -> Pane:
        pane = Pane(app_home, {**child_environ, **variables}, columns, rows, name=name)
        opened.append(pane)
        if starts:
            pane.start(app_home)
        return pane

    yield open_one
    for pane in opened:
        pane.close()
