"""The environment, read once: home, working directory, the agents' variables, memtui's own folders, the clock.

No other module reads `os.environ`, the home directory or the working directory (ruff's banned-api and a test
enforce it). With `--home` that directory stands in for HOME: memtui's own folders lie below it and the
agents' variables are not read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from memtui.core.errors import UsageError

AGENT_PREFIXES = ("PI_", "CLAUDE_", "ZCODE_", "CODEX_", "HERMES_", "XDG_")
"""Variables of agents, which `--home` hides."""

DEMO_NOTE = ".memtui-demo"
"""File in a demo home whose first line is the demo's project directory."""


def system_now() -> datetime:
    """The present moment with its time zone."""
    return datetime.now(UTC).astimezone()


@dataclass(frozen=True, slots=True)
class Env:
    """Where memtui runs.

    `cwd` is the physical working directory (or what `--cwd` named, made absolute, which need not exist);
    `logical_cwd` is `$PWD` where that resolves to the same directory under another name, else None.
    `config_dir`, `state_dir`, `cache_dir` are memtui's own and may not exist. `platform` is `win32` or `posix`.
    """

    home: Path
    cwd: Path
    environ: Mapping[str, str]
    config_dir: Path
    state_dir: Path
    cache_dir: Path
    logical_cwd: Path | None = None
    platform: str = "posix"
    now: Callable[[], datetime] = field(default=system_now, compare=False)

    def get(self, name: str) -> str:
        """A variable's value, '' when it is unset."""
        return self.environ.get(name, "")


def build_env(
    home: str | None = None, cwd: str | None = None, now: Callable[[], datetime] = system_now
) -> Env:
    """Read the environment once. Raises UsageError when `--home` is given without a cwd that belongs to it."""
    environ = dict(os.environ)
    here = _physical_cwd()
    if home is None:
        home_path = _system_home(environ)
        config_dir, state_dir, cache_dir = _own_dirs()
    else:
        home_path = Path(os.path.abspath(home))
        config_dir = home_path / ".config" / "memtui"
        state_dir = home_path / ".local" / "state" / "memtui"
        cache_dir = home_path / ".cache" / "memtui"
        environ = {name: value for name, value in environ.items() if not name.startswith(AGENT_PREFIXES)}
    logical = None
    if cwd is not None:
        cwd_path = Path(os.path.normpath(here / cwd))
    elif home is not None and not _is_below(here, home_path):
        cwd_path = _demo_project(home_path)
    else:
        cwd_path = here
        logical = _logical_cwd(environ.get("PWD", ""), here)
    return Env(
        home=home_path,
        cwd=cwd_path,
        environ=environ,
        config_dir=config_dir,
        state_dir=state_dir,
        cache_dir=cache_dir,
        logical_cwd=logical,
        platform="win32" if sys.platform == "win32" else "posix",
        now=now,
    )


def _physical_cwd() -> Path:
    try:
        return Path(os.getcwd())
    except FileNotFoundError:
        raise UsageError(
            "the current directory no longer exists; change to one that does, or give --cwd DIR",
            code="no-cwd",
        ) from None


def _system_home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME", "")
    return Path(named) if named and os.path.isabs(named) else Path(os.path.expanduser("~"))


def _own_dirs() -> tuple[Path, Path, Path]:
    from platformdirs import PlatformDirs

    dirs = PlatformDirs("memtui", appauthor=False)
    return Path(dirs.user_config_dir), Path(dirs.user_state_dir), Path(dirs.user_cache_dir)


def _is_below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents or os.path.realpath(root) in map(str, (path, *path.parents))


def _demo_project(home: Path) -> Path:
    try:
        with open(home / DEMO_NOTE, encoding="utf-8", errors="surrogateescape") as note:
            named = note.readline().rstrip("\n")
    except OSError:
        named = ""
    if not named:
        raise UsageError(
            f"--home {home} is given but the current directory is not below it; add --cwd DIR",
            code="home-without-cwd",
        )
    return Path(os.path.normpath(home / named))


def _logical_cwd(pwd: str, physical: Path) -> Path | None:
    if not pwd or not os.path.isabs(pwd):
        return None
    logical = Path(os.path.normpath(pwd))
    if logical == physical:
        return None
    try:
        return logical if os.path.samefile(logical, physical) else None
    except OSError:
        return None
