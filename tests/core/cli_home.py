"""A home with one ZCode store for tests of the command line, and a way to run commands in it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memtui.__main__ import main
from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root

BLOCK = "---\nname: {name}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: {type}\n---\n"


def fact(name: str, description: str = "", type: str = "project", body: str = "text") -> str:
    """A fact file as ZCode writes it."""
    block = BLOCK.format(name=name, description=description or f"about {name}", type=type)
    return f"{block}\n{body}\n"


USUAL = {
    "MEMORY.md": "# Memory\n\n- [Alpha](alpha.md) — about alpha\n- [Beta](beta.md) — about beta\n",
    "alpha.md": fact("alpha"),
    "beta.md": fact("beta", type="user"),
}
"""Two memories without a problem."""


@dataclass(frozen=True)
class Answered:
    """What one command did."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """stdout as one JSON document."""
        return json.loads(self.out)


class CliHome:
    """A home directory with the project `code/app`, whose commands run in this process."""

    def __init__(self, home: Path, capfdbinary) -> None:
        self.home = home
        self.project = home / "code" / "app"
        self.project.mkdir(parents=True, exist_ok=True)
        projects = projects_root(cli_root(home / ".zcode"))
        self.store = projects / project_dir_name(os.path.realpath(self.project), "posix") / "memory"
        self.store_id = f"zcode:{self.store.parent.name}"
        self._capture = capfdbinary

    def fill(self, files: Mapping[str, str | bytes] = USUAL, root: Path | None = None) -> None:
        """Write files into the store (or another directory)."""
        for name, content in files.items():
            path = (root or self.store) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def fill_claude(self, files: Mapping[str, str | bytes] = USUAL) -> Path:
        """Give the project Claude Code memory too."""
        name = "".join(c if c.isalnum() and c.isascii() else "-" for c in os.path.realpath(self.project))
        root = self.home / ".claude" / "projects" / name / "memory"
        self.fill(files, root)
        return root

    def run(self, *words: str) -> Answered:
        """Run a command as it would be typed in the project."""
        return self.run_bare("--home", str(self.home), "--cwd", str(self.project), *words)

    def run_bare(self, *words: str) -> Answered:
        """Run a command with exactly these words."""
        self._capture.readouterr()
        status = main(list(words))
        out, err = self._capture.readouterr()
        return Answered(status, out.decode(), err.decode())

    def tree(self, root: Path | None = None) -> dict[str, bytes]:
        """Every file below the home (or `root`) with its bytes, directories as empty, links as their target."""
        root = root or self.home
        found = {}
        for folder, folders, files in os.walk(root):
            for path in (Path(folder) / name for name in (*folders, *files)):
                key = str(path.relative_to(root))
                if path.is_symlink():
                    found[key] = os.fsencode(os.readlink(path))
                else:
                    found[key] = b"" if path.is_dir() else path.read_bytes()
        return found
