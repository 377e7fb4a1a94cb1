"""Reading another program's SQLite database: it is not written, not locked, and nothing is left beside it.

It is opened as one that cannot change (SQLite's `immutable`): then SQLite makes no `-wal` and no `-shm` file
and takes no lock. What its program has not yet put into the file itself is not seen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from memtui.core import fs

MOST_ROWS = 20_000
_STEPS = 20_000
"""Steps of SQLite's machine between two looks whether the query is still wanted."""


def rows(path: Path, query: str, cancelled: Callable[[], bool]) -> list[tuple[object, ...]] | None:
    """What a query gives, MOST_ROWS at most; None where there is no such file, table or column, where the file
    is damaged or looks so while its program writes, and after `cancelled()`. Never raises."""
    if fs.kind_of(path) != "file":
        return None
    import sqlite3

    try:
        address = f"{path.as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            connection.set_progress_handler(cancelled, _STEPS)
            return connection.execute(query).fetchmany(MOST_ROWS)
    except (sqlite3.Error, ValueError, OSError):
        return None
