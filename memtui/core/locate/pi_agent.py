"""Where pi keeps its own files and its sessions (pi-and-zcode sheet A1, A2)."""

from __future__ import annotations

from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import read_json
from memtui.core.locate.located import TranscriptRoot
from memtui.core.locate.transcripts import count_sessions, first_values, session_files
from memtui.core.sessions.pi_places import SessionPlaces, follow, pi_places
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

_FLAT_LIMIT_FILES = 2_000
_HEADER_BYTES = 1 << 13


@dataclass(frozen=True, slots=True)
class PiPlaces:
    """pi's agent directory and where it keeps this project's sessions."""

    agent_dir: Path
    sessions: SessionPlaces
    warnings: tuple[str, ...] = ()

    def transcripts(self) -> tuple[TranscriptRoot, ...]:
        """The folder with this project's sessions, counted."""
        places = self.sessions
        count = _count_flat(places.directory, places.cwd) if places.flat else count_sessions(places.own)
        return (TranscriptRoot("pi", places.own, count),)


def agent_dir(env: Env) -> tuple[Path, tuple[str, ...]]:
    """pi's agent directory, and a warning where the variable names it by a relative path.

    pi expands `~` and `~/…`, takes a `file://` address, trims nothing and resolves a relative path against
    its working directory; an empty value counts as unset.
    """
    named = env.get("PI_CODING_AGENT_DIR")
    if not named:
        return env.home / ".pi" / "agent", ()
    path, is_relative = follow(named, env.cwd, env.home)
    if not is_relative:
        return path, ()
    warning = _("{setting} is a relative path ({value}); pi reads it from where it is started: {path}")
    return path, (warning.format(setting="PI_CODING_AGENT_DIR", value=named, path=path),)


def locate_pi(env: Env) -> PiPlaces:
    """pi's agent directory and the sessions of `env.cwd`. Never raises."""
    directory, warnings = agent_dir(env)
    files = [read_json(directory / "settings.json"), read_json(env.cwd / ".pi" / "settings.json")]
    sessions = pi_places(
        directory,
        fs.real_path(env.cwd),
        env.home,
        env.get("PI_CODING_AGENT_SESSION_DIR"),
        files[0].values,
        files[1].values,
    )
    warnings += tuple(file.warning for file in files if file.warning) + sessions.warnings
    return PiPlaces(directory, sessions, tuple(dict.fromkeys(warnings)))


def _count_flat(directory: Path, cwd: Path) -> int:
    """Sessions of this project in a directory where those of all projects lie side by side."""
    newest = session_files(directory)[-_FLAT_LIMIT_FILES:]
    return sum(str(cwd) in first_values(path, "cwd", _HEADER_BYTES) for path in newest)
