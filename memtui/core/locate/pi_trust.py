"""Whether pi trusts a project: only then its own settings and extensions count (pi-and-zcode sheet A1)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import read_json

ASKS_FOR_TRUST = (
    "settings.json",
    "mcp.json",
    "extensions",
    "skills",
    "prompts",
    "themes",
    "SYSTEM.md",
    "APPEND_SYSTEM.md",
)
"""What in a project's `.pi` folder makes pi ask; a folder with none of it is trusted as it is."""


def is_trusted(env: Env, agent_dir: Path, settings: Mapping[str, Any]) -> bool:
    """Whether pi follows this project's settings, as far as it shows on disk; `settings` are the global ones.

    A decision that was stored counts first, that of the nearest directory above. What a person said in a
    running session, or on pi's command line, is not on disk. A project that pi would ask about is not trusted.
    """
    cwd = fs.real_path(env.cwd)
    decisions = read_json(agent_dir / "trust.json").values
    for folder in (cwd, *cwd.parents):
        decision = decisions.get(str(folder))
        if isinstance(decision, bool):
            return decision
    return not _asks(cwd, env.home) or settings.get("defaultProjectTrust") == "always"


def _asks(cwd: Path, home: Path) -> bool:
    if any(fs.kind_of(cwd / ".pi" / name) is not None for name in ASKS_FOR_TRUST):
        return True
    own = fs.real_path(home) / ".agents" / "skills"
    folders = (folder / ".agents" / "skills" for folder in (cwd, *cwd.parents))
    return any(folder != own and fs.kind_of(folder) is not None for folder in folders)
