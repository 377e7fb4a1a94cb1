"""The README's table of keys, made from the table of commands: `.venv-dev/bin/python tests/core/key_table.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memtui.ui.commands import COMMANDS, SCOPES
from memtui.ui.offers import key_names

README = Path(__file__).resolve().parents[2] / "README.md"
KEYS = re.compile(r"(?<=\n## Keys\n).*?(?=\n## )", re.DOTALL)


def section() -> str:
    """What stands below the heading `Keys`."""
    lines = ["", "`?` shows them for what is under the cursor, `:` finds a command by its name.", ""]
    lines += ["| key | what it does |", "|---|---|"]
    for scope, title in SCOPES.items():
        lines.append(f"| | **{title}** |")
        for command in COMMANDS:
            if command.scope == scope:
                keys = " ".join(f"`{key}`" for key in key_names(command))
                lines.append(f"| {keys or '`:` ' + command.label} | {command.help} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Put the table as it is now into the README."""
    text = README.read_text(encoding="utf-8")
    README.write_text(KEYS.sub(lambda _found: section(), text, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
