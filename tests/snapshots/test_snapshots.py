"""The screens that matter most, cell by cell; `--snapshot-update` accepts what they look like now."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot
from textual.pilot import Pilot

from memtui.core.workspace import Workspace
from memtui.demo import build_demo
from memtui.ui.app import MemtuiApp

sys.path.insert(0, str(Path(__file__).parents[2] / "screenshots"))
sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

from app_driver import Driver
from scenes import SCENES, Scene, plain_svg, scene_env

REPORTS = "TEXTUAL_SNAPSHOT_TEMPDIR"


@pytest.fixture(autouse=True)
def plugin(monkeypatch: pytest.MonkeyPatch, real_environ: Mapping[str, str]) -> None:
    """Give the plugin the folder that it made for its report, and pictures without fonts from the network."""
    monkeypatch.setenv(REPORTS, real_environ[REPORTS])
    monkeypatch.setattr(pytest_textual_snapshot, "normalize_svg", plain_svg)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_the_screen_looks_as_accepted(tmp_path: Path, snap_compare: Callable[..., bool], scene: Scene) -> None:
    env = scene_env(build_demo(tmp_path / "demo"), scene)
    app = MemtuiApp(env, lambda: Workspace(env))

    async def play(pilot: Pilot[Any]) -> None:
        driver = Driver(app, pilot)
        await driver.read()
        await driver.press(*scene.keys)

    try:
        assert snap_compare(app, terminal_size=scene.size, run_before=play)
    finally:
        app.work.stop()
