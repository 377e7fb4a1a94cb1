"""Make the pictures anew: `.venv-dev/bin/python screenshots/make.py [NAME ...]`; without a name, all of them.

They are made from the demo at its own moment, so that the same code gives the same bytes everywhere. A picture
that no scene makes any more is removed.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "ui"))

from app_driver import running
from scenes import SCENES, Scene, plain_svg, scene_env

from memtui.demo import build_demo

FOLDER = Path(__file__).resolve().parent


async def picture(scene: Scene) -> str:
    """One scene as SVG, from a demo of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        demo = build_demo(Path(scratch) / "demo")
        async with running(scene_env(demo, scene), scene.size) as driver:
            await driver.press(*scene.keys)
            return plain_svg(driver.app.export_screenshot(simplify=True))


def main(names: list[str]) -> None:
    """Write the pictures of these scenes beside this file."""
    # Textual would make them grey
    os.environ.pop("NO_COLOR", None)  # noqa: TID251
    for scene in SCENES:
        if not names or scene.name in names:
            path = FOLDER / f"{scene.name}.svg"
            path.write_text(asyncio.run(picture(scene)), encoding="utf-8")
            print(path.name)
    known = {f"{scene.name}.svg" for scene in SCENES}
    for path in FOLDER.glob("*.svg"):
        if path.name not in known:
            path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
