"""The environment, read once: home, working directory, the agents' variables, memtui's own folders, the clock.

No other module reads `os.environ`, the home directory or the working directory (ruff's banned-api and a test
enforce it). With `--home` that directory stands in for HOME: memtui's own folders lie below it and the
agents' variables are not read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from memtui.core.errors import UsageError
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, field

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
    `logical_cwd` is `$PWD`, or what `--cwd` named, where that is the same directory under another name.
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


def build_env(home: str | None = None, cwd: str | None = None, now: Callable[[], datetime] = system_now) -> Env:
    """Read the environment once; `home` and `cwd` are the arguments of `--home` and `--cwd`.

    Raises UsageError when `home` is given without a cwd that belongs to it, or when the working directory is
    needed and no longer exists.
    """
    environ = dict(os.environ)
    if home is None:
        home_path = _system_home(environ)
        config_dir, state_dir, cache_dir = _own_dirs()
    else:
        home_path = _absolute(home)
        config_dir = home_path / ".config" / "memtui"
        state_dir = home_path / ".local" / "state" / "memtui"
        cache_dir = home_path / ".cache" / "memtui"
        environ = {name: value for name, value in environ.items() if not name.startswith(AGENT_PREFIXES)}
        environ["HOME"] = str(home_path)
    cwd_path, logical = _working_directory(cwd, home_path if home is not None else None, environ.get("PWD", ""))
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


def _working_directory(cwd: str | None, below: Path | None, pwd: str) -> tuple[Path, Path | None]:
    """The working directory and its logical name; it must lie below `below`, unless `--cwd` says it."""
    if cwd is not None:
        return _physical(_absolute(cwd))
    if below is None:
        here = _physical_cwd()
        return here, _logical_cwd(pwd, here)
    try:
        here = _physical_cwd()
    except UsageError:
        return _physical(_demo_project(below))
    if _is_below(here, below):
        return here, _logical_cwd(pwd, here)
    return _physical(_demo_project(below))


def _physical(named: Path) -> tuple[Path, Path | None]:
    """What a program started in `named` would call its working directory, and `named` where that differs."""
    physical = Path(os.path.realpath(named)) if named.is_dir() else named
    return physical, named if named != physical else None


def _absolute(named: str) -> Path:
    path = Path(named)
    return Path(os.path.normpath(path if path.is_absolute() else _physical_cwd() / path))


def _physical_cwd() -> Path:
    try:
        return Path(os.getcwd())
    except OSError:
        raise UsageError(
            _("the current directory no longer exists; change to one that does, or give --cwd DIR"),
            code="no-cwd",
        ) from None


def _system_home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME", "")
    if os.path.isabs(named):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.path.expanduser("~"))
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        raise UsageError(_("HOME is not set; set it, or give --home DIR"), code="no-home") from None


def _own_dirs() -> tuple[Path, Path, Path]:
    from platformdirs import PlatformDirs

    dirs = PlatformDirs("memtui", appauthor=False)
    return Path(dirs.user_config_dir), Path(dirs.user_state_dir), Path(dirs.user_cache_dir)


def _is_below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents or os.path.realpath(root) in map(str, (path, *path.parents))


def _demo_project(home: Path) -> Path:
    named = _demo_note(home / DEMO_NOTE)
    if not named:
        raise UsageError(
            _("--home {home} is given but the current directory is not below it; add --cwd DIR").format(
                home=home
            ),
            code="home-without-cwd",
        )
    return Path(os.path.normpath(home / named))


def _demo_note(note: Path) -> str:
    if not note.is_file():
        return ""
    try:
        with open(note, encoding="utf-8", errors="surrogateescape") as text:
            return text.readline(4096).rstrip("\n").replace("\0", "")
    except OSError:
        return ""


def _logical_cwd(pwd: str, physical: Path) -> Path | None:
    if not pwd or not os.path.isabs(pwd):
        return None
    logical = Path(os.path.normpath(pwd))
    if logical == physical:
        return None
    try:
        return logical if os.path.samefile(logical, physical) else None
    except (OSError, ValueError):
        return None
