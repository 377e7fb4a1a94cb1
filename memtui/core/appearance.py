"""Which theme to begin with, found with a glance: the first frame waits for it, so nothing is imported here.

`config.yaml` and `remembered.json` are read properly elsewhere, with the imports that this needs; here one
line of each is looked for, in the form in which people and memtui write it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memtui.late import re

if TYPE_CHECKING:
    from memtui.core.env import Env

THEMES = ("auto", "dark", "light", "contrast", "terminal")
"""What can be chosen; `auto` is by what the terminal tells of itself."""

_LIMIT_BYTES = 1 << 18
_IN_CONFIG = re.compile(rb"""^theme[ \t]*:[ \t]+(["']?)(?P<name>[a-z]+)\1[ \t]*(?:#.*)?\r?$""", re.MULTILINE)
_REMEMBERED = re.compile(rb'\n "theme": "(?P<name>[a-z]+)"')


def theme_to_begin_with(env: Env) -> str:
    """One of THEMES: what `config.yaml` names, else what was chosen last in the app, else `auto`."""
    named = _IN_CONFIG.search(_head(env.config_dir / "config.yaml"))
    chosen = _REMEMBERED.search(_head(env.state_dir / "remembered.json"))
    names = [found["name"].decode("ascii") for found in (named, chosen) if found]
    return next((name for name in names if name in THEMES), "auto")


def _head(path: Path) -> bytes:
    try:
        # one that is not a file could make memtui wait for ever
        if not path.is_file():
            return b""
        with open(path, "rb") as file:
            return file.read(_LIMIT_BYTES)
    except OSError:
        return b""
