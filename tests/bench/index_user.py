"""One memtui of several: a library with a keeper of its index, asked for lines that were just written.

`python index_user.py HOME` reads a word a line; answers each with the seconds until it had looked, and how many
messages hold the word. Between the questions it keeps the index as the app does.
"""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from index_bench import env_of

from memtui.core.library import Library

if TYPE_CHECKING:
    from memtui.core.library import IndexKeeper


def keep(library: Library, keeper: IndexKeeper) -> None:
    """Have the index written if it is time to."""
    files = library.session_files()
    status = library.index_status(files)
    is_first = status.state != "ready"
    keeper.consider([file.path for file in files], status.behind_bytes, is_first=is_first)


def main(home: Path) -> None:
    """Answer until the input ends."""
    library = Library(env_of(home))
    keeper = library.keeper(lambda _writing: None)
    assert keeper is not None
    while True:
        keep(library, keeper)
        if not select.select([sys.stdin], [], [], 0.5)[0]:
            continue
        word = sys.stdin.readline().strip()
        if not word:
            break
        start = time.perf_counter()
        sessions = list(library.sessions())
        found = sum(1 for _hit in library.search(word, (), sessions))
        print(f"{time.perf_counter() - start:.4f} {found}", flush=True)
    keeper.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
