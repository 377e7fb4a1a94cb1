"""Where pi keeps its own files and its sessions (pi-and-zcode sheet A1, A2)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import deep_merge, read_json
from memtui.core.locate.located import TranscriptRoot
from memtui.core.locate.transcripts import count_sessions, first_values, session_files
from memtui.i18n import _

_FLAT_LIMIT_FILES = 2_000
_HEADER_BYTES = 1 << 13


@dataclass(frozen=True, slots=True)
class PiPlaces:
    """pi's agent directory and where it keeps this project's sessions."""

    agent_dir: Path
    transcripts: tuple[TranscriptRoot, ...]
    warnings: tuple[str, ...] = ()


def agent_dir(env: Env) -> tuple[Path, tuple[str, ...]]:
    """pi's agent directory, and a warning where the variable names it by a relative path.

    pi expands `~` and `~/…`, takes a `file://` address, trims nothing and resolves a relative path against
    its working directory; an empty value counts as unset.
    """
    named = env.get("PI_CODING_AGENT_DIR")
    if not named:
        return env.home / ".pi" / "agent", ()
    return _follow(env, named, "PI_CODING_AGENT_DIR")


def locate_pi(env: Env) -> PiPlaces:
    """pi's agent directory and the sessions of `env.cwd`. Never raises."""
    directory, warnings = agent_dir(env)
    in_one_place, more = _session_override(env, directory)
    warnings += more
    cwd = fs.real_path(env.cwd)
    if in_one_place is not None:
        root = TranscriptRoot("pi", in_one_place, _count_flat(in_one_place, cwd))
    else:
        path = directory / "sessions" / session_dir_name(str(cwd))
        root = TranscriptRoot("pi", path, count_sessions(path))
    return PiPlaces(directory, (root,), warnings)


def session_dir_name(cwd: str) -> str:
    """pi's directory name for an absolute path: one leading separator off, `/`, `\\` and `:` to `-`."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def _session_override(env: Env, directory: Path) -> tuple[Path | None, tuple[str, ...]]:
    named = env.get("PI_CODING_AGENT_SESSION_DIR")
    if named:
        return _follow(env, named, "PI_CODING_AGENT_SESSION_DIR")
    files = [read_json(directory / "settings.json"), read_json(env.cwd / ".pi" / "settings.json")]
    warnings = tuple(file.warning for file in files if file.warning)
    value = deep_merge(files[0].values, files[1].values).get("sessionDir")
    if not isinstance(value, str) or not value:
        return None, warnings
    path, more = _follow(env, value, "sessionDir")
    return path, warnings + more


def _follow(env: Env, named: str, setting: str) -> tuple[Path, tuple[str, ...]]:
    if named == "~" or named.startswith("~/"):
        return Path(os.path.normpath(str(env.home) + named[1:])), ()
    if named.startswith("file://"):
        named = unquote(urlsplit(named).path, errors="surrogateescape") or "/"
    if os.path.isabs(named):
        return Path(os.path.normpath(named)), ()
    path = Path(os.path.normpath(env.cwd / named))
    warning = _("{setting} is a relative path ({value}); pi reads it from where it is started: {path}")
    return path, (warning.format(setting=setting, value=named, path=path),)


def _count_flat(directory: Path, cwd: Path) -> int:
    """Sessions of this project in a directory where those of all projects lie side by side."""
    newest = session_files(directory)[-_FLAT_LIMIT_FILES:]
    return sum(str(cwd) in first_values(path, "cwd", _HEADER_BYTES) for path in newest)
