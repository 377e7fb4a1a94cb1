"""A home with one project and one ZCode store for tests that start the whole program."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

NAMES = ("alpha", "beta", "gamma", "delta")
"""The memories of `four_memories`, in their order."""

MEMTUI = [sys.executable, "-m", "memtui"]


@dataclass(frozen=True)
class AppHome:
    """`command` starts memtui in `project`, whose memory is `store`."""

    home: Path
    project: Path
    store: Path

    @property
    def command(self) -> list[str]:
        """The program as a person starts it, with this home."""
        return [*MEMTUI, "--home", str(self.home)]


def fact(name: str, body: str = "text", description: str = "") -> str:
    """A fact file."""
    head = f"name: {name}\ndescription: {description or f'about {name}'}\nmetadata:\n  node_type: memory\n"
    return f"---\n{head}  type: project\n---\n\n{body}\n"


def make_home(root: Path, index: str, files: Mapping[str | bytes, str]) -> AppHome:
    """Write a home below `root`: the index and the files of its store, by name."""
    home = root / "home"
    made = AppHome(home, home / "app", home / "zcode" / "one" / "memory")
    made.store.mkdir(parents=True)
    (made.project / ".pi").mkdir(parents=True)
    (made.project / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(made.store)}))
    (made.store / "MEMORY.md").write_text(index)
    for name, text in files.items():
        path = bytes(made.store) + b"/" + (name if isinstance(name, bytes) else name.encode())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return made


def four_memories(root: Path) -> AppHome:
    """A home with four memories, each with its line."""
    index = "# Memory\n\n" + "".join(f"- [{name.title()}]({name}.md) — about {name}\n" for name in NAMES)
    return make_home(root, index, {f"{name}.md": fact(name, f"Text of {name}.") for name in NAMES})


def tree(home: AppHome) -> dict[str, bytes]:
    """The files of its store."""
    return {path.name: path.read_bytes() for path in home.store.iterdir() if not path.name.startswith(".")}
