"""Make the pictures anew: `.venv-dev/bin/python screenshots/make.py`.

They are made from the demo at its own moment, so that the same code gives the same bytes everywhere.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "ui"))

from app_driver import running
from scenes import SCENES, Scene, plain_svg, scene_env

from memtui.demo import DemoHome, build_demo


async def picture(demo: DemoHome, scene: Scene) -> str:
    """One scene as SVG."""
    async with running(scene_env(demo, scene), scene.size) as driver:
        await driver.press(*scene.keys)
        return plain_svg(driver.app.export_screenshot(simplify=True))


def main() -> None:
    """Write every pictured scene beside this file."""
    with tempfile.TemporaryDirectory() as scratch:
        demo = build_demo(Path(scratch) / "demo")
        for scene in SCENES:
            if scene.is_pictured:
                path = Path(__file__).parent / f"{scene.name}.svg"
                path.write_text(asyncio.run(picture(demo, scene)), encoding="utf-8")
                print(path.name)


if __name__ == "__main__":
    main()
