"""The process that writes the index leaves a processor to whoever works beside it, where there are few."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memtui.core.search.index import child
from memtui.core.search.index.progress import DONE
from memtui.core.search.index.writer import BESIDE, FULL, update_index


@pytest.mark.parametrize(("processors", "efforts"), [(1, BESIDE), (2, BESIDE), (4, FULL), (None, BESIDE)])
def test_a_build_beside_somebody_leaves_a_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int | None, efforts: object
) -> None:
    used: list[object] = []

    def update(*given: Any, **named: Any) -> object:
        used.append(named["efforts"])
        return update_index(*given, **named)

    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    monkeypatch.setattr(os, "nice", lambda _by: None)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    monkeypatch.setattr(child, "update_index", update)
    assert child.main(tmp_path) == DONE
    assert used == [efforts]
