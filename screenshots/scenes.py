"""The scenes that are pictured and compared: a project of the demo, a size, a theme, and keys to press."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.core.env import Env
from memtui.demo import FIXED_NOW, DemoHome


@dataclass(frozen=True)
class Scene:
    """`project` is a name below the demo's `code`; `keys` are Textual's names; `theme` is one to choose."""

    name: str
    project: str = "app"
    size: tuple[int, int] = (120, 36)
    keys: tuple[str, ...] = ()
    theme: str = "dark"


USUAL = (80, 24)
NARROW = (45, 30)

_SESSION = ("3", "j", "enter")
_SEARCH = ("slash", *"port")
_MARKS = ("j", "space", "j", "space", "d")
_HISTORY = ("exclamation_mark", "d", "y", "j", "d", "y", "k", "d", "y", "u", "U")
_TRIAGE = ("S", "enter", "d", "y", "enter")
_HOSTILE = ("f", *"hostile", "enter")

SCENES = (
    Scene("index"),
    Scene("index-80x24", size=USUAL),
    Scene("index-45x30", size=NARROW),
    Scene("index-light", theme="light"),
    Scene("index-contrast", theme="contrast", size=USUAL),
    Scene("index-terminal", theme="terminal", size=USUAL),
    Scene("delete", size=USUAL, keys=("exclamation_mark", "d")),
    Scene("cut", "long", keys=("G",)),
    Scene("cut-45x30", "long", size=NARROW, keys=("G",)),
    Scene("search", keys=_SEARCH),
    Scene("search-light", size=USUAL, keys=_SEARCH, theme="light"),
    Scene("session", keys=_SESSION),
    Scene("session-45x30", size=NARROW, keys=_SESSION),
    Scene("hostile", "messy", keys=_HOSTILE),
    Scene("hostile-80x24", "messy", size=USUAL, keys=_HOSTILE),
    Scene("help", size=USUAL, keys=("question_mark",)),
    Scene("marks", size=USUAL, keys=_MARKS),
    Scene("history", keys=_HISTORY),
    Scene("triage", keys=_TRIAGE),
    Scene("limits-80x24", "long", size=USUAL, keys=("L",)),
)
"""Every scene."""


def scene_env(demo: DemoHome, scene: Scene) -> Env:
    """The environment of a scene, at the demo's own moment, in a demo that no other scene was played in."""
    home = demo.home
    config = home / ".config" / "memtui"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(f"theme: {scene.theme}\n", encoding="ascii")
    return Env(
        home=home,
        cwd=home / "code" / scene.project,
        environ={},
        config_dir=config,
        state_dir=home / ".local" / "state" / "memtui",
        cache_dir=home / ".cache" / "memtui",
        now=lambda: FIXED_NOW,
    )


def plain_svg(svg: str) -> str:
    """A picture without fonts from the network, with the same ids wherever it is made, every blank kept."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "monospace")
    svg = svg.replace("<svg class=", '<svg xml:space="preserve" class=', 1)
    return re.sub(r"\bterminal-\d+-", "terminal-", svg)
