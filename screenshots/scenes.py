"""The scenes that are pictured and compared: a project of the demo, a size, and the keys that lead there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.core.env import Env
from memtui.demo import FIXED_NOW, DemoHome


@dataclass(frozen=True)
class Scene:
    """`project` is a name below the demo's `code`; `keys` are Textual's names; `is_pictured`: it has a file."""

    name: str
    project: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()
    is_pictured: bool = True


WIDE = (120, 36)
USUAL = (80, 24)

SCENES = (
    Scene("index", "app", WIDE),
    Scene("index-80x24", "app", USUAL),
    Scene("delete", "app", USUAL, ("!", "d")),
    Scene("delete-wide", "app", WIDE, ("!", "d"), is_pictured=False),
    Scene("cut", "long", WIDE, ("G",)),
    Scene("cut-80x24", "long", USUAL, ("G",), is_pictured=False),
    Scene("hostile", "messy", WIDE, ("f", *"hostile", "enter")),
    Scene("hostile-80x24", "messy", USUAL, ("f", *"hostile", "enter"), is_pictured=False),
)
"""Every scene."""


def scene_env(demo: DemoHome, scene: Scene) -> Env:
    """The environment of a scene, at the demo's own moment."""
    home = demo.home
    return Env(
        home=home,
        cwd=home / "code" / scene.project,
        environ={},
        config_dir=home / ".config" / "memtui",
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
