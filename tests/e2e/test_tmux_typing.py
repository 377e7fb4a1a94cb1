"""Keys and pastes that come in together, and an Esc that tmux holds back. In a real tmux."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_home import AppHome, fact, tree
from tmux_pane import Pane, needs_tmux

pytestmark = needs_tmux

OpenPane = Callable[..., Pane]


def held(pane: Pane) -> None:
    """Have tmux hold an Esc back, as it does by default."""
    pane.tmux("set-option", "-s", "escape-time", "500")


def test_u11_a_letter_right_after_esc_is_not_typed(open_pane: OpenPane, app_home: AppHome) -> None:
    before = tree(app_home)
    pane = open_pane(120, 36)
    held(pane)
    pane.type("f")
    pane.wait_for("filter: ")
    pane.type("gam\x1bG")
    pane.wait_for("▌.*Delta", "Alpha", "all keys")
    pane.type("i")
    pane.wait_for("about delta")
    pane.type("more\x1bk")
    pane.wait_for("▌.*Gamma", "all keys")
    pane.type("d")
    pane.wait_for("Delete gamma")
    pane.type("\x1bg")
    pane.wait_for("▌.*Alpha", "all keys")
    pane.type("?")
    pane.wait_for("Everywhere")
    pane.type("\x1bG")
    pane.wait_for("▌.*Delta", "all keys")
    pane.type("i")
    pane.wait_for("about delta")
    pane.type("never\x1b\r")
    pane.wait_for("Text of delta", "all keys")
    pane.type("1")
    pane.type("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_a_line_that_enter_closes_gets_no_more_letters(open_pane: OpenPane, app_home: AppHome) -> None:
    pane = open_pane(120, 36)
    pane.type("afast\rdesc\r")
    pane.wait_for("added fast")
    made = (app_home.store / "fast.md").read_text()
    assert "desc" in made and "fastdesc" not in made
    assert "- [fast](fast.md) — desc\n" in (app_home.store / "MEMORY.md").read_text()
    pane.type("gi and more\rG")
    pane.wait_for("set the description of alpha.md", "▌.*fast")
    assert "description: about alpha and more\n" in (app_home.store / "alpha.md").read_text()
    pane.type("fbeta\rk")
    pane.wait_for("Text of beta")
    pane.type("\x1b")
    pane.wait_for("all keys")
    pane.type("g/gamma\r")
    pane.wait_for("Text of gamma", "all keys")


def test_a_question_that_was_not_seen_is_not_answered(open_pane: OpenPane, app_home: AppHome) -> None:
    before = tree(app_home)
    pane = open_pane()
    pane.type("dy")
    pane.wait_for("Delete alpha")
    pane.type("n")
    pane.wait(lambda: "Delete alpha" not in pane.text, "the question still stands")
    assert tree(app_home) == before


@pytest.mark.parametrize("pasted", ["abc\x1b[31mz", "abc\x1bx d", "abc\x1b", "\x1b\x1bd", "abc\x1b[201~dq"])
def test_a_paste_with_an_escape_in_it_is_no_keys(open_pane: OpenPane, app_home: AppHome, pasted: str) -> None:
    before = tree(app_home)
    pane = open_pane()
    pane.tmux("set-buffer", pasted)
    pane.tmux("paste-buffer", "-p")
    pane.type("j")
    pane.wait_for("▌.*Beta")
    assert "Delete" not in pane.text and "zoomed" not in pane.text
    pane.type("a")
    pane.wait_for("title")
    pane.tmux("set-buffer", f"{pasted}\nsecond\nthird")
    pane.tmux("paste-buffer", "-p")
    pane.wait_for("2 more lines were left out")
    pane.keys("C-c")
    pane.type("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_what_is_typed_while_the_editor_starts_does_nothing_later(
    open_pane: OpenPane, app_home: AppHome
) -> None:
    editor = app_home.home.parent / "editor"
    editor.write_text("#!/bin/sh\nsleep 1\nprintf 'edited\\n' >> \"$1\"\n")
    editor.chmod(0o755)
    pane = open_pane(EDITOR=str(editor))
    pane.type("eGzd")
    pane.wait(lambda: not pane.is_taken, "the editor does not start")
    pane.type("Gzd")
    pane.wait_for("all keys")
    pane.wait_for("▌.*Alpha")
    pane.wait(lambda: (app_home.store / "alpha.md").read_text().endswith("edited\n"), "not written")
    pane.type("j")
    pane.wait_for("▌.*Beta")
    assert "Delete" not in pane.text and "zoomed" not in pane.text
    assert (app_home.store / "delta.md").read_text() == fact("delta", "Text of delta.")
