"""In which directories ZCode was used, as its own list of sessions tells (pi-and-zcode sheet B4)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from memtui.core.databases import rows
from memtui.core.env import Env

VARIABLES = ("ZCODE_SESSION_DB_PATH", "ZCODE_SESSION_DB")
_SELECT = "SELECT directory, COUNT(*), MAX(time_updated) FROM session {where} GROUP BY directory"
_LOCAL = "WHERE workspace_id IS NULL"
"""A session with an identity of its own may be of another machine, whose paths say nothing here."""


def zcode_directories(env: Env, cancelled: Callable[[], bool]) -> Iterator[tuple[str, int, float]]:
    """Each directory with its number of sessions and when the newest was changed (seconds since 1970, 0 =
    that is not known). Never raises; nothing is created."""
    path = _database(env)
    # older databases know no workspaces
    found = rows(path, _SELECT.format(where=_LOCAL), cancelled)
    if found is None:
        found = rows(path, _SELECT.format(where=""), cancelled)
    for directory, count, updated_ms in found or ():
        if isinstance(directory, str) and isinstance(count, int):
            yield directory, count, updated_ms / 1000 if isinstance(updated_ms, int | float) else 0.0


def _database(env: Env) -> Path:
    named = next((env.get(name) for name in VARIABLES if os.path.isabs(env.get(name))), "")
    return Path(named) if named else env.home / ".zcode" / "cli" / "db" / "db.sqlite"
