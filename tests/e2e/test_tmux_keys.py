"""Keys as terminals really send them: pasted, repeated, behind an Esc that is held back. In a real tmux."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app_home import AppHome, tree
from pty_tools import Terminal
from tmux_pane import Pane, needs_tmux

pytestmark = needs_tmux

OpenPane = Callable[..., Pane]


def test_text_pasted_without_brackets_deletes_nothing(open_pane: OpenPane, app_home: AppHome) -> None:
    before = tree(app_home)
    pane = open_pane()
    for burst in ("dy", "dyjdyjdy", "jddyy") * 2:
        pane.type(burst)
        pane.keys("Escape")
        pane.wait(lambda: "Delete" not in pane.text, "a question still stands")
    pane.keys("g")
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_pasted_text_is_not_read_as_keys(open_pane: OpenPane, app_home: AppHome) -> None:
    before = tree(app_home)
    pane = open_pane()
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    for pasted in ("dyq", "Gq", "d\ny\nq\n"):
        pane.tmux("set-buffer", pasted)
        pane.tmux("paste-buffer", "-p")
    # a key behind the pastes: once it acted, they are through
    pane.keys("j")
    pane.wait_for("▌.*Gamma")
    assert "Delete" not in pane.text and pane.is_taken
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_keys_typed_ahead_are_not_lost(open_pane: OpenPane) -> None:
    pane = open_pane()
    for typed, back in (("fgamma", ("1", "q")), ("/delta", ("1",))):
        # all at once, as a fast hand or a slow machine has it
        pane.tmux("send-keys", "-l", typed, ";", "send-keys", "Enter")
        pane.wait_for(f"Text of {typed[1:]}")
        pane.wait_for("all keys")
        pane.keys(*back)
        pane.wait_for("Alpha", "Delta")
    pane.keys("q")
    pane.wait_for_shell()


def test_u11_everything_is_left_by_a_key_other_than_esc(open_pane: OpenPane, app_home: AppHome) -> None:
    before = tree(app_home)
    pane = open_pane(120, 36)
    pane.tmux("set-option", "-s", "escape-time", "500")
    pane.keys("?")
    pane.wait_for("Everywhere")
    pane.keys("q")
    pane.wait_for("Alpha", "Delta", "all keys")

    pane.keys("d")
    pane.wait_for("Delete alpha")
    pane.keys("n")
    pane.wait(lambda: "Delete alpha" not in pane.text, "the question still stands")

    for opener in "fai":
        pane.keys(opener)
        pane.wait(lambda: "all keys" not in pane.text.splitlines()[-1], f"{opener} does not ask")
        pane.keys("C-c")
        pane.wait(lambda: "all keys" in pane.text.splitlines()[-1], f"{opener} is not left")

    pane.keys("/")
    pane.type("beta")
    pane.wait_for("/ beta")
    pane.keys("C-c")
    pane.keys("1", "G")
    pane.wait_for("▌.*Delta")

    pane.keys("Enter", "q", "k")
    pane.wait_for("▌.*Gamma")
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_u11_esc_and_a_fast_key_are_these_two_or_nothing(
    app_home: AppHome, child_environ: Mapping[str, str]
) -> None:
    before = tree(app_home)
    command = app_home.command
    with Terminal(command, environ=child_environ, cwd=app_home.project, columns=120, rows=36) as terminal:
        terminal.wait_for("Text of alpha")
        terminal.press("enter")
        terminal.wait_until_quiet(0.1)
        for key in "jkduxti":
            # one write: a terminal that holds Esc back sends both together, as alt and the key
            terminal.press(f"\x1b{key}")
            terminal.wait_until_quiet(0.1)
            terminal.press("escape")
            terminal.wait_until_quiet(0.15)
        assert tree(app_home) == before
        seen = len(terminal.raw)
        terminal.press("1", "g", "j")
        terminal.wait_for("Text of beta", after=seen)
        terminal.press("q")
        assert terminal.wait_for_end() == 0
    assert tree(app_home) == before
