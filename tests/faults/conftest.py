"""What the tests of faults share: a small store, its workspace and journal, and poorer file systems."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import make_store, open_workspace

from memtui.core import fs, renames
from memtui.core.env import Env
from memtui.core.history.journal import Journal
from memtui.core.operations.plan import Plan
from memtui.core.workspace import Workspace
from memtui.core.writing.apply import Applied, apply


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A memory directory with three facts."""
    return make_store(tmp_path)


@pytest.fixture
def workspace(env: Env, root: Path) -> Workspace:
    """memtui on that directory."""
    return open_workspace(env, root)


@pytest.fixture
def journal(env: Env) -> Journal:
    """The history that the workspace writes."""
    return Journal(env.state_dir, env.now)


@pytest.fixture
def carry_out(env: Env, journal: Journal) -> Callable[[Plan], Applied]:
    """Apply a plan that means the same whatever happens, and settle it."""

    def run(plan: Plan) -> Applied:
        applied = apply(plan, lambda: plan, journal, env.state_dir)
        for handover in applied.handovers:
            assert handover.settle(0) == []
        return applied

    return run


@pytest.fixture
def plain_renames_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that can neither exchange two names nor move to a name only if it is free."""

    def refuse(*_paths: Path) -> None:
        raise fs.UnsupportedEffectError(errno.EINVAL, "cannot")

    monkeypatch.setattr(renames, "exchange", refuse)
    monkeypatch.setattr(renames, "move", refuse)
