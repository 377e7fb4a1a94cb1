"""Sizes, and sizes that change under the program, in a real tmux."""

from __future__ import annotations

from collections.abc import Callable

from app_home import NAMES, AppHome, tree
from tmux_pane import Pane, needs_tmux

pytestmark = needs_tmux

SMALLEST = (40, 10)

SIZES = [(120, 36), (80, 24), (45, 20), SMALLEST]


def test_u09_a_deletion_and_the_way_back_in_the_smallest_size(
    open_pane: Callable[..., Pane], app_home: AppHome
) -> None:
    columns, rows = SMALLEST
    before = tree(app_home)
    pane = open_pane(columns, rows)
    screen = pane.text.splitlines()
    assert len(screen) == rows and all(len(line) <= columns for line in screen)
    assert all(name.title() in pane.text for name in NAMES)
    pane.keys("d")
    pane.wait_for("Delete alpha.md")
    pane.wait_for("yes")
    pane.answer("y", "Delete")
    pane.wait(lambda: "alpha.md" not in tree(app_home), "alpha.md is still there")
    pane.wait(lambda: "Alpha" not in pane.text.split("Beta")[0], "Alpha is still shown")
    assert b"Alpha" not in tree(app_home)["MEMORY.md"]
    pane.keys("u")
    pane.wait(lambda: tree(app_home) == before, "nothing came back")
    pane.wait_for("Alpha")
    pane.keys("q")
    pane.wait_for_shell()


def test_resizing_keeps_the_memory_under_the_cursor(open_pane: Callable[..., Pane]) -> None:
    pane = open_pane(120, 36)
    pane.keys("j", "j")
    pane.wait_for("▌.*Gamma")
    for columns, rows in [*SIZES[1:], *SIZES[:1]]:
        pane.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        pane.wait(
            lambda rows=rows: len(pane.text.splitlines()) == rows and "all keys" in pane.text, "not painted"
        )
        pane.wait_for("▌.*Gamma")
    pane.keys("q")
    pane.wait_for_shell()


def test_u01_the_selection_survives_a_pane_too_small_for_anything(open_pane: Callable[..., Pane]) -> None:
    pane = open_pane(120, 40)
    pane.keys("j", "j")
    pane.wait_for("▌.*Gamma")
    for columns, rows in ((30, 8), (20, 5), (2, 2)):
        pane.resize(columns, rows)
        assert pane.is_taken
    pane.resize(20, 5)
    pane.wait_for("Gamma|needs at")
    pane.resize(120, 40)
    pane.wait_for("▌.*Gamma", "all keys")
    pane.keys("q")
    pane.wait_for_shell()
