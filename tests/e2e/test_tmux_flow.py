"""One sitting with the demo in a real tmux, at three sizes: what is on the screen, and the bytes on the disk."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from app_home import AppHome, tree
from tmux_pane import Pane, needs_tmux

from memtui.demo import build_demo

pytestmark = needs_tmux

SIZES = [(120, 36), (80, 24), (45, 20)]

EDITED = b"A line from the editor.\n"

EDITOR = f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'ab').write({EDITED!r})\n"


@pytest.fixture
def demo_home(tmp_path: Path) -> AppHome:
    """The demo, and an editor that adds a line."""
    demo = build_demo(tmp_path / "demo")
    editor = tmp_path / "editor"
    editor.write_text(EDITOR)
    editor.chmod(0o755)
    return AppHome(demo.home, demo.project, demo.store)


@pytest.fixture
def open_demo(
    demo_home: AppHome, tmp_path: Path, child_environ: Mapping[str, str]
) -> Iterator[Callable[..., Pane]]:
    """Opens a pane with memtui on the demo."""
    opened: list[Pane] = []

    def open_one(columns: int, rows: int) -> Pane:
        pane = Pane(demo_home, {**child_environ, "EDITOR": str(tmp_path / "editor")}, columns, rows)
        opened.append(pane)
        pane.run_memtui(demo_home)
        pane.wait_for("▌.*Role and preferences", "Merge freeze", "all keys")
        return pane

    yield open_one
    for pane in opened:
        pane.close()


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_sitting_from_the_first_screen_to_the_shell(
    open_demo: Callable[..., Pane], demo_home: AppHome, columns: int, rows: int
) -> None:
    before = tree(demo_home)
    pane = open_demo(columns, rows)
    screen = pane.text.splitlines()
    assert len(screen) == rows and all(len(line) <= columns for line in screen)

    pane.keys("j", "Down")
    pane.wait_for("▌.*No mocks in")
    pane.keys("k", "G")
    pane.wait(lambda: "▌" in pane.text and "▌  user" not in pane.text, "G does not move")
    pane.keys("g")
    pane.wait_for("▌.*Role and preferences")

    pane.keys("f")
    pane.wait_for("filter")
    pane.type("ticket")
    pane.wait_for("▌.*Ticket board")
    pane.keys("Enter")
    pane.wait(lambda: "Merge freeze" not in pane.text, "not filtered")
    pane.keys("Enter")
    pane.wait_for("pipeline")
    pane.keys("q")
    pane.wait_for("▌.*Ticket board")

    pane.keys("e")
    edited = {**before, "ticket-board.md": before["ticket-board.md"] + EDITED}
    pane.wait(lambda: tree(demo_home) == edited, "the text is not edited")
    pane.wait_for("▌.*Ticket board", "edited ticket", "all keys")

    pane.keys("d")
    pane.wait_for(r"Delete ticket-board\.md", "yes")
    pane.answer("y", "Delete ticket")
    pane.wait(lambda: "ticket-board.md" not in tree(demo_home), "it is still there")
    assert b"ticket-board" not in tree(demo_home)["MEMORY.md"]
    pane.keys("u")
    pane.wait(lambda: tree(demo_home) == edited, "it did not come back")
    pane.wait_for("undid: deleted")
    pane.keys("u")
    pane.wait(lambda: tree(demo_home) == before, "the edit was not taken back")
    pane.wait_for("undid: edited")
    pane.keys("q")
    pane.wait_for("Merge freeze")

    pane.keys("/")
    pane.type("lock check")
    pane.wait_for("2 hits", "▌memory")
    pane.keys("Enter")
    pane.wait_for("while a lock")
    pane.keys("q", "q")
    pane.wait_for("Merge freeze", "▌")

    for resized in (*(size for size in SIZES if size != (columns, rows)), (columns, rows)):
        pane.resize(*resized)
        pane.wait_for("Merge freeze", "all keys")
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(demo_home) == before
