"""A process that adds memories to one store as fast as it can, and says which of them it was told are there.

Arguments: home, root, owner, a name, how many. Prints one JSON object: `acknowledged` texts, `refused` a count.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from memtui.core.env import build_env
from memtui.core.errors import ConflictError, LockedError
from memtui.core.layouts.base import Add, Store
from memtui.core.layouts.owners import AMASTER
from memtui.core.layouts.topic_owners import YANDY_2
from memtui.core.workspace import Workspace

LIMIT = 1_000_000
PROFILES = {
    "amaster": dataclasses.replace(
        AMASTER, limits=tuple(dataclasses.replace(limit, limit=LIMIT) for limit in AMASTER.limits)
    ),
    "yandy-2": YANDY_2,
}


def main(home: str, root: str, owner: str, name: str, count: str) -> None:
    """Add them one by one."""
    store = Store("s", Path(root), PROFILES[owner], exists=True, used=True, reason="test")
    workspace = Workspace(build_env(home, home))
    acknowledged, refused = [], 0
    for number in range(int(count)):
        text = f"memtui {name} {number}"
        try:
            outcome = workspace.run(workspace.scan(store), "add", (Add(text),))
        except (LockedError, ConflictError):
            refused += 1
        else:
            assert outcome.change is not None
            acknowledged.append(text)
        workspace.settle(0)
    print(json.dumps({"acknowledged": acknowledged, "refused": refused}))


if __name__ == "__main__":
    main(*sys.argv[1:])
