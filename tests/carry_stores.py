"""Four stores side by side, one of each layout that can be written, and a workspace over them."""

from __future__ import annotations

from pathlib import Path

from memtui.core.env import Env
from memtui.core.layouts.base import Snapshot, Store
from memtui.core.layouts.owners import AMASTER, YANDY, ZCODE
from memtui.core.layouts.topic_owners import YANDY_2
from memtui.core.store_actions import StoreActions
from memtui.core.workspace import Workspace

PROFILES = {"facts": ZCODE, "topics": YANDY, "notes": YANDY_2, "entries": AMASTER}
LAYOUTS = tuple(PROFILES)

FILES: dict[str, dict[str, str]] = {
    "facts": {
        "MEMORY.md": "# Memory\n\n- [SSH port](ssh-port.md) — staging only\n- [Other](other.md) — other\n",
        "ssh-port.md": "---\nname: ssh-port\ndescription: ssh is on 2222\nmetadata: \n  node_type: memory\n"
        "  type: user\n  origin: abc\n---\n\nAsk Ana for the key.\n\n## Why\n\nScans.\n",
        "other.md": "---\nname: other\ndescription: other\n---\n\nother\n",
    },
    "topics": {
        "MEMORY.md": "# Memory Index\n\n- [net](net.md) — Staging; Other\n",
        "net.md": "---\nname: net\ndescription: Staging; Other\ntype: user\nupdated: 2026-01-02\n---\n"
        "\n## Staging\n\nssh is on 2222.\nAsk Ana.\n\n## Other\n\nother\n",
    },
    "notes": {
        "MEMORY.md": "# Memory Index\n\n- [Gateway](Gateway.md) — ssh is on 2222\n- [Else](Else.md) — other\n",
        "Gateway.md": "---\nname: Gateway\ndescription: ssh is on 2222\ntype: user\ncreated: 2026-10-01\n"
        "modified: 2026-10-02T00:00:00.000Z\n---\n\nAsk Ana for the key.\n",
        "Else.md": "---\nname: Else\ndescription: other\ntype: user\ncreated: 2026-10-01\n"
        "modified: 2026-10-02T00:00:00.000Z\n---\n\nother\n",
    },
    "entries": {
        "MEMORY.md": "- SSH port of staging is 2222\nAsk Ana for the key.\n§\nother",
        "USER.md": "likes tea",
    },
}
"""What stands in each; the first memory is the one to carry."""


def store_of(parent: Path, layout: str) -> Store:
    """The store of a layout below a directory."""
    return Store(layout, parent / layout, PROFILES[layout], exists=True, used=True, reason="test")


def fill(parent: Path, *layouts: str) -> None:
    """Write the files of these layouts (all without any)."""
    for layout in layouts or LAYOUTS:
        for name, text in FILES[layout].items():
            path = parent / layout / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def files_of(parent: Path, *layouts: str) -> dict[str, bytes]:
    """Every file of these stores with its bytes."""
    roots = [parent / layout for layout in layouts or LAYOUTS]
    paths = [path for root in roots for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(parent).as_posix(): path.read_bytes() for path in sorted(paths)}


def open_actions(env: Env) -> tuple[Workspace, StoreActions]:
    """A workspace and the actions on stores in it."""
    workspace = Workspace(env)
    return workspace, StoreActions(workspace)


def first(snapshot: Snapshot) -> str:
    """The id of the memory to carry."""
    return snapshot.memories[0].id
