"""A home with realistic memory to try memtui on, built the same wherever it is: `memtui demo`, tests, pictures.

Three projects below `code/`: `app` (small, a few things to clean up, also with Claude Code memory), `long`
(205 index lines) and `messy` (every problem, hostile text). ZCode names a project's directory by a hash of
its path, so the demo pins each store with `dir` in `.pi/zcode-memory.json`, which must be absolute; pi's
sessions are filed under their project's path, and name it in their first line; so is the memory of a project
that is gone. Those alone differ between two builds, every other byte and time is equal.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from memtui.core import fs
from memtui.core.env import DEMO_NOTE
from memtui.core.errors import StorageError, UsageError
from memtui.core.locate.claude import encoded_name
from memtui.demo import app, long, messy
from memtui.demo.conversations import conversations
from memtui.demo.tree import Item, below, put, text
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

FIXED_NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The moment that the files' ages count from, unless another is given."""

PROJECT = "code/app"
GONE = "code/gone"
"""A project that is not there: its sessions and its memory are."""

_ZCODE = ".zcode/cli/memories/projects"
_CLAUDE = ".claude/projects"
_PINNED = {
    "app": "app-1c3f58a90d6e27b4",
    "long": "long-5e0b7d21c8946fa3",
    "messy": "messy-9a64d1f03c7b852e",
}


@dataclass(frozen=True, slots=True)
class DemoHome:
    """A built demo: `project` is where memtui starts; the others show one thing each."""

    home: Path
    project: Path
    long_project: Path
    messy_project: Path

    @property
    def store(self) -> Path:
        """The ZCode store of `project`."""
        return self.home / _ZCODE / _PINNED["app"] / "memory"

    @property
    def long_store(self) -> Path:
        """The ZCode store of `long_project`."""
        return self.home / _ZCODE / _PINNED["long"] / "memory"

    @property
    def messy_store(self) -> Path:
        """The ZCode store of `messy_project`."""
        return self.home / _ZCODE / _PINNED["messy"] / "memory"


def build_demo(home: Path, now: datetime | None = None) -> DemoHome:
    """Build the demo in `home`, an absolute path that is empty or does not exist; `now` sets the files' ages.

    A finished demo that is there already is left as it is, with whatever was changed in it. Raises UsageError
    when anything else is there, StorageError when the disk refuses.
    """
    demo = DemoHome(home, home / PROJECT, home / "code" / "long", home / "code" / "messy")
    if fs.kind_of(home / DEMO_NOTE) == "file":
        return demo
    try:
        fs.make_dirs(home)
        if fs.list_dir(home):
            message = _("{path} is not empty; give a directory that is, or one that does not exist yet")
            raise UsageError(message.format(path=home), code="not-empty")
        # the note is last, so that half a demo is never taken for a whole one
        moment = now or FIXED_NOW
        items = [*_items(home), *conversations(home, moment), text(DEMO_NOTE, f"{PROJECT}\n")]
        put(home, items, moment)
    except OSError as error:
        message = _("the demo cannot be written to {path} ({reason}); give another directory")
        raise StorageError(message.format(path=home, reason=error.strerror or error)) from error
    return demo


def _items(home: Path) -> list[Item]:
    items: list[Item] = []
    for name, store in (("app", app.STORE), ("long", long.STORE), ("messy", messy.STORE)):
        folder = f"{_ZCODE}/{_PINNED[name]}/memory"
        settings: dict[str, object] = {"dir": str(home / folder)}
        if name == "messy":
            settings["injectIndex"] = False
        items += below(folder, store)
        items.append(text(f"code/{name}/.pi/zcode-memory.json", json.dumps(settings, indent=2) + "\n"))
    for name, store in (("app", app.CLAUDE_STORE), ("messy", messy.CLAUDE_STORE)):
        folder = f"{_CLAUDE}/code-{name}/memory"
        pin = {"autoMemoryDirectory": f"~/{folder}"}
        items += below(folder, store)
        items.append(text(f"code/{name}/.claude/settings.local.json", json.dumps(pin, indent=2) + "\n"))
    items += below(f"{_CLAUDE}/{encoded_name(str(home / GONE))}/memory", app.GONE_STORE)
    return items + below("code/app", app.PROJECT) + below("code/messy", messy.PROJECT)
