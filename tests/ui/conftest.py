"""What most tests of the app start from: a demo home of their own, and the app's environment in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import MakeEnv

from memtui.core.env import Env
from memtui.demo import DemoHome, build_demo


@pytest.fixture
def demo(tmp_path: Path) -> DemoHome:
    """A demo home that the test may change."""
    return build_demo(tmp_path / "demo")


@pytest.fixture
def env(make_env: MakeEnv, demo: DemoHome) -> Env:
    """The environment in the demo's project."""
    return make_env(home=demo.home, cwd=demo.project)
