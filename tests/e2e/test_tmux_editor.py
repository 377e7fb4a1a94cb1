"""The person's own editor in a real tmux: which one it is, what it changes, and the screen that comes back."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from app_home import AppHome, tree
from tmux_pane import PROMPT, Pane, needs_tmux

pytestmark = needs_tmux

OpenPane = Callable[..., Pane]

WAITS = f"""#!{sys.executable}
import signal, sys
def interrupted(number, frame):
    open(sys.argv[-1], "a").write("Interrupted and well.\\n")
    sys.exit()
signal.signal(signal.SIGINT, interrupted)
print("waiting for ctrl+c")
signal.pause()
"""

needs_vim = pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed")
needs_vi = pytest.mark.skipif(shutil.which("vi") is None, reason="vi is not installed")


def script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({"VISUAL": "vim -u NONE", "EDITOR": "/nope"}, marks=needs_vim),
        pytest.param({}, marks=needs_vi),
    ],
    ids=["VISUAL before EDITOR, with its arguments", "neither: vi"],
)
def test_u03_a_real_editor_edits_and_gives_the_screen_back(
    open_pane: OpenPane, app_home: AppHome, variables: dict[str, str]
) -> None:
    before = tree(app_home)
    # wide enough that vi need not ask whether its own message was read
    pane = open_pane(180, 36, **variables)
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    pane.keys("e")
    pane.wait(lambda: "all keys" not in pane.text and "Text of beta." in pane.text, "no editor")
    pane.type("GoOne more line.")
    pane.wait_for("^One more line")
    pane.keys("Escape")
    pane.run(":wq")
    edited = before["beta.md"] + b"One more line.\n"
    pane.wait(lambda: tree(app_home)["beta.md"] == edited, "the text is not edited")
    pane.wait_for("One more line.", "▌.*Beta", "all keys")
    pane.keys("u")
    pane.wait(lambda: tree(app_home) == before, "the edit was not taken back")
    pane.keys("q")
    pane.wait_for_shell()


@pytest.mark.parametrize(("editor", "said"), [("false", "ended with 1"), ("/nope", "'/nope' cannot be found")])
def test_u03_an_editor_that_fails_is_said_and_changes_nothing(
    open_pane: OpenPane, app_home: AppHome, editor: str, said: str
) -> None:
    before = tree(app_home)
    pane = open_pane(120, 36, EDITOR=editor)
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    pane.keys("e")
    pane.wait(lambda: said in " ".join(pane.text.split()), f"no {said!r}")
    pane.wait_for("▌.*Beta", "all keys")
    pane.keys("j")
    pane.wait_for("▌.*Gamma")
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_u03_ctrl_c_in_an_editor_is_the_editors(open_pane: OpenPane, app_home: AppHome, tmp_path: Path) -> None:
    pane = open_pane(EDITOR=script(tmp_path / "waits", WAITS))
    pane.keys("e")
    pane.wait_for("waiting for ctrl")
    pane.keys("C-c")
    pane.wait(lambda: b"Interrupted and well." in tree(app_home)["alpha.md"], "the text is not edited")
    pane.wait_for("all keys", "▌.*Alpha")
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    pane.keys("q")
    pane.wait_for_shell()


def test_u04_ctrl_z_in_an_editor_gives_the_shell_back_and_fg_the_editor(
    open_pane: OpenPane, app_home: AppHome, tmp_path: Path
) -> None:
    pane = open_pane(EDITOR=script(tmp_path / "waits", WAITS))
    pane.keys("e")
    pane.wait_for("waiting for ctrl")
    pane.keys("C-z")
    pane.wait_for_shell()
    pane.run("echo in the shell")
    pane.wait_for("^in the shell")
    pane.run("fg")
    pane.wait(lambda: not pane.text.rstrip().endswith(PROMPT), "still in the shell")
    pane.keys("C-c")
    pane.wait(lambda: b"Interrupted and well." in tree(app_home)["alpha.md"], "the text is not edited")
    pane.wait_for("all keys", "▌.*Alpha")
    pane.keys("q")
    pane.wait_for_shell()


def test_u02_asked_to_end_beside_an_editor_memtui_ends_after_it(
    open_pane: OpenPane, app_home: AppHome, tmp_path: Path
) -> None:
    pane = open_pane(EDITOR=script(tmp_path / "waits", WAITS))
    memtui = pane.child()
    pane.keys("e")
    pane.wait_for("waiting for ctrl")
    os.kill(memtui, signal.SIGTERM)
    pane.keys("C-c")
    pane.wait_for_shell()
    pane.run("echo status $?")
    pane.wait_for(f"^status {128 + signal.SIGTERM}")
