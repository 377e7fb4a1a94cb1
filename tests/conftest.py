"""What every test gets: a temporary home, a clean environment, a frozen clock, and a guard on the disk."""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import hypothesis
import hypothesis.configuration
import pytest

from memtui.core.env import Env

TESTS = Path(__file__).resolve().parent
GUARD_DIR = TESTS / "guard"
sys.path.insert(0, str(GUARD_DIR))

import write_guard  # noqa: E402

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The moment at which every test takes place."""

REMOVED_PREFIXES = (
    *("TEXTUAL", "PI_", "CLAUDE", "ZCODE_", "CODEX_", "HERMES_", "XDG_", "MEMTUI_", "TMUX", "GIT_", "LC_"),
    *("PYTHON", "HYPOTHESIS_", "PYTEST_XDIST"),
)
REMOVED_NAMES = (
    *("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLORTERM", "COLORFGBG", "COLUMNS", "LINES", "LANGUAGE"),
    *("EDITOR", "VISUAL", "PAGER", "DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "STY", "ENV"),
)

_guard: write_guard.Guard | None = None


# The workers


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker a core and one more, as tests of the app wait a third of their time; none where speed is measured, where pictures are accepted (each worker would take those
    of the others for old ones), and where only a few tests are asked for: a file, some names, the last failures.
    Those are done before workers have started."""
    few = any(not Path(place).is_dir() for place in config.option.file_or_dir)
    few = few or any(config.getoption(name, False) for name in ("keyword", "lf", "update_snapshots"))
    return _usable_cores() + 1 if "not bench" in config.option.markexpr and not few else 0


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# The guard


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Install the guard before any test module is imported, and keep Hypothesis's own files out of the way."""
    global _guard
    if _guard is not None:
        return
    factory = config._tmp_path_factory  # type: ignore[attr-defined]
    base = Path(factory.getbasetemp())
    scratch = base / "tempfile"
    scratch.mkdir(exist_ok=True)
    tempfile.tempdir = str(scratch)
    os.environ["TMPDIR"] = str(scratch)
    hypothesis.configuration.set_hypothesis_home_dir(base / "hypothesis")
    hypothesis.settings.register_profile("same-every-time", derandomize=True, deadline=None, database=None)
    hypothesis.settings.load_profile("same-every-time")
    # a worker's snapshots go where the process that started it collects them
    pictures = os.environ.get("TEXTUAL_SNAPSHOT_TEMPDIR")
    writable = [base, Path(pictures)] if pictures else [base]
    rules = write_guard.make_rules(writable, TESTS.parent, base / "outside.log")
    _guard = write_guard.install(rules)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Watch while a test runs: pytest's own caches are written outside of tests."""
    assert _guard is not None
    _guard.active = True
    try:
        return (yield)
    finally:
        _guard.active = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Fail a test that touched what it may not, even where the code under test swallowed the error."""
    result = yield
    assert _guard is not None
    if violations := _guard.take_violations():
        pytest.fail("outside of the test's own directories:\n" + "\n".join(violations), pytrace=False)
    return result


# Coroutines


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run `async def` tests in an event loop of their own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


# Folders

_numbers = itertools.count()


def _make_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    # `factory.mktemp` looks through the folders of all tests before this one
    folder = factory.getbasetemp() / "each" / f"{name}{next(_numbers)}"
    folder.mkdir(mode=0o700, parents=True)
    return folder


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder of this test, kept as long as pytest keeps its own."""
    return _make_folder(tmp_path_factory, re.sub(r"\W", "_", request.node.name)[:30])


# The environment


@pytest.fixture(scope="session")
def real_environ() -> Mapping[str, str]:
    """The environment that the test run was started in, before it was cleaned."""
    return dict(os.environ)


@pytest.fixture(autouse=True)
def clean_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, real_environ: Mapping[str, str]
) -> Iterator[Path]:
    """A temporary HOME for this test, and nothing in the environment that could change its outcome.

    Python children are watched by the guard as well (by PYTHONPATH).
    """
    assert _guard is not None
    home = _make_folder(tmp_path_factory, "home")
    for name in list(os.environ):
        if name.startswith(REMOVED_PREFIXES) or name in REMOVED_NAMES:
            monkeypatch.delenv(name)
    clean = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "xterm-256color",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTHONPATH": os.pathsep.join([str(GUARD_DIR), str(TESTS.parent)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        write_guard.RULES_VARIABLE: _guard.as_json(),
    }
    for name, value in clean.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    yield home
    for folder, _, _ in os.walk(home):
        os.chmod(folder, 0o700)


@pytest.fixture(autouse=True)
def no_flushing(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Nothing waits for the disk, except where speed is measured: only a loss of power would show that."""
    if request.node.get_closest_marker("bench") is None:
        monkeypatch.setattr(os, "fsync", _check_descriptor)


@pytest.fixture(autouse=True)
def no_agents(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """No agent runs on this machine, except for tests that start one themselves."""
    if "real_processes" in request.fixturenames:
        return
    if "e2e" not in request.path.parts and request.node.get_closest_marker("bench") is None:
        processes = _make_folder(tmp_path_factory, "proc")
        (processes / "self").mkdir()
        monkeypatch.setattr("memtui.core.agents.processes.PROCESSES", processes)


@pytest.fixture
def real_processes() -> None:
    """The processes of this machine are seen: for tests that start an agent."""


@pytest.fixture
def home(clean_home: Path) -> Path:
    """The temporary HOME, empty."""
    return clean_home


@pytest.fixture
def child_environ(home: Path) -> dict[str, str]:
    """The clean environment as a mapping, for tests that start children with a changed one."""
    return dict(os.environ)


@pytest.fixture
def make_env(home: Path) -> Callable[..., Env]:
    """Build an Env in the temporary home at the frozen moment; keywords replace its parts."""
    return functools.partial(_make_env, home)


@pytest.fixture
def env(make_env: Callable[..., Env]) -> Env:
    """An Env with a temporary home and the existing working directory `home/code/app`."""
    return make_env()


def _check_descriptor(descriptor: int) -> None:
    os.fstat(descriptor)


def _make_env(
    default_home: Path,
    *,
    home: Path | None = None,
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
    logical_cwd: Path | None = None,
    platform: str = "posix",
    now: Callable[[], datetime] = lambda: NOW,
) -> Env:
    home = home or default_home
    if cwd is None:
        cwd = home / "code" / "app"
        cwd.mkdir(parents=True, exist_ok=True)
    return Env(
        home=home,
        cwd=cwd,
        environ=dict(environ or {}),
        config_dir=home / ".config" / "memtui",
        state_dir=home / ".local" / "state" / "memtui",
        cache_dir=home / ".cache" / "memtui",
        logical_cwd=logical_cwd,
        platform=platform,
        now=now,
    )
