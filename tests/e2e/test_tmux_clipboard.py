"""Copying in a real tmux and without one: where the text went, and that what is said about it is true."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from app_home import AppHome, fact
from pty_tools import Terminal
from tmux_pane import Pane, needs_tmux

OpenPane = Callable[..., Pane]

LONG_BYTES = 100_000


@needs_tmux
@pytest.mark.parametrize("setting", ["off", "external", "on"])
def test_u05_the_tmux_buffer_has_the_text_whatever_tmux_is_set_to(
    open_pane: OpenPane, app_home: AppHome, setting: str
) -> None:
    pane = open_pane(99, 24)
    if not pane.is_found_from_inside:
        pytest.skip("the temporary directory's path is too long for a socket")
    pane.tmux("set-option", "-s", "set-clipboard", setting)
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    pane.keys("Y")
    pane.wait_for("tmux buffer")
    assert pane.tmux("show-buffer") == (app_home.store / "beta.md").read_text()
    pane.keys("y")
    pane.wait(lambda: pane.tmux("show-buffer") == str(app_home.store / "beta.md"), "the path is not copied")


@needs_tmux
def test_u05_a_hundred_kilobytes_are_in_the_buffer_whole(open_pane: OpenPane, app_home: AppHome) -> None:
    text = fact("alpha", "x" * 79 + "\n" + ("y" * 79 + "\n") * (LONG_BYTES // 80))
    (app_home.store / "alpha.md").write_text(text)
    pane = open_pane(99, 24)
    if not pane.is_found_from_inside:
        pytest.skip("the temporary directory's path is too long for a socket")
    pane.keys("Y")
    pane.wait_for("tmux buffer only")
    assert pane.tmux("show-buffer") == text


@pytest.mark.parametrize(
    ("body", "says", "is_sent"),
    [("short", "sent to the terminal", True), ("y" * LONG_BYTES, "too long", False)],
    ids=["short", "long"],
)
def test_u05_without_tmux_nothing_is_called_copied(
    app_home: AppHome, child_environ: Mapping[str, str], body: str, says: str, is_sent: bool
) -> None:
    (app_home.store / "alpha.md").write_text(fact("alpha", body))
    command = ["env", "TERM=xterm", *app_home.command]
    with Terminal(command, environ=child_environ, cwd=app_home.project, columns=99, rows=24) as terminal:
        terminal.wait_for("name: alpha")
        seen = terminal.wait_until_quiet(0.2)
        terminal.press("Y")
        terminal.wait_for(says, after=seen)
        terminal.press("q")
        assert terminal.wait_for_end() == 0
    assert (b"\x1b]52;c;" in terminal.raw) is is_sent
    assert b"copied" not in terminal.raw[seen:].lower()
