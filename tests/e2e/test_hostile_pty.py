"""The whole program on a real terminal, over text that attacks terminals: not one of its bytes acts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from app_home import MEMTUI, AppHome, fact, make_home
from pty_tools import Terminal, stray_controls, strip_textual

from memtui.demo import DemoHome, build_demo

TITLE = "\x1b]0;owned\x07"
DCS = "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\"
KITTY = "\x1b_Gf=100;AAAA\x1b\\"
RESET = "\x1bc"
RED = "\x1b[31m"
ATTACK = f"{TITLE}{DCS}{KITTY}{RESET}{RED}red\x1b[?1049l\x1b[6n\x9d0;owned\x9c \x85 \u2028 \r back"

NEVER = tuple(
    piece.encode()
    for piece in (
        *("\x1b]52", "\x1b]0", "\x1b[2J", "\x1bP", "\x1b_", "\x1bc", "\x1b[31m", "\x1b[6n"),
        *("\x9b", "\x9d", "\x85", "\u202e", "\u202c", "\u200b", "\u2028", "\u2066", "\u2069", "\U000e0041"),
    )
)
"""Pieces of the hostile text that Textual itself has no use for."""

PASTED = "\x1b[200~a\x1b]52;c;eA==\x07b\x1b[31m[/bold]\u202e\x1b[201~"
"""An attack from the clipboard, as a terminal pastes it."""

COMMANDS = (
    ["where"],
    ["list"],
    ["show", "hostile.md"],
    ["show", "attack.md"],
    ["show", "--agent-view", "--store", "zcode"],
    ["check"],
    ["status"],
    ["status", "--line"],
    ["history"],
)


@pytest.fixture
def demo(tmp_path: Path) -> DemoHome:
    """The demo, its problem-ridden store with one more attack."""
    built = build_demo(tmp_path / "demo")
    text = fact("attack", f"{ATTACK}\n" * 3, ATTACK.replace("\r", ""))
    (built.messy_store / "attack.md").write_bytes(text.encode())
    (built.messy_store / f"name{RED}{TITLE}.md").write_bytes(fact("name").encode())
    (built.messy_project / ".pi" / "zcode-memory.json").write_bytes(
        (built.messy_project / ".pi" / "zcode-memory.json").read_bytes().replace(b"false", b"true")
    )
    return built


def assert_harmless(raw: bytes) -> None:
    """No control byte that Textual did not send, and nothing of what the content holds."""
    assert stray_controls(raw) == []
    assert [piece for piece in NEVER if piece in raw] == []


def toured(demo: DemoHome, environ: Mapping[str, str], columns: int, rows: int) -> Terminal:
    """memtui on the problem-ridden store, read."""
    command = [*MEMTUI, "--home", str(demo.home)]
    terminal = Terminal(command, environ=environ, cwd=demo.messy_project, columns=columns, rows=rows)
    terminal.wait_for("Dangling")
    terminal.wait_until_quiet()
    return terminal


def press(terminal: Terminal, *keys: str) -> None:
    """Press keys one after the other, each once the screen has come to rest; Esc is one after a while only."""
    for key in keys:
        terminal.press(key)
        terminal.wait_until_quiet(0.2 if key == "escape" else 0.04)


def answer_yes(terminal: Terminal) -> None:
    """Say yes to the question that stands, once it is painted in whole: an earlier yes does not count."""
    seen = terminal.wait_until_quiet(0.1)
    press(terminal, "y")
    terminal.wait_for("undoes", after=seen)


@pytest.mark.parametrize(("columns", "rows"), [(120, 36), (45, 20)])
def test_no_byte_of_a_memory_acts_on_the_terminal(
    demo: DemoHome, child_environ: Mapping[str, str], columns: int, rows: int
) -> None:
    with toured(demo, child_environ, columns, rows) as terminal:
        # the texts beside the list, where there is room; every text of the list by Enter
        press(terminal, *["j"] * (20 if columns > 100 else 4), "enter", "ctrl+d", "G", "g", "p", "p", "q", "g")
        for query in ("hostile", "attack", "clip", "name")[: 4 if columns > 100 else 3]:
            press(terminal, "f", query, "enter", "enter", "G", "q")
            press(terminal, "d", "n", "t", "escape", "i", "escape", "I", "escape", "escape")
        press(
            terminal, "a", PASTED, "escape", "f", PASTED, "escape", "w", "G", "q", "?", "G", "q", "4", "G", "1"
        )
        terminal.resize(80, 24)
        terminal.wait_until_quiet(0.1)
        press(terminal, "z", "z", "]", "!", "s", "G", "g", "f5", "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    for shown in ("␛[31m", "␛]0;owned␇", "<U+202E>", "clip␛]52", "<U+009D>0;owned"):
        assert shown.encode() in strip_textual(terminal.raw), f"{shown} was never on the screen"


def test_no_byte_of_a_change_acts_on_the_terminal(demo: DemoHome, child_environ: Mapping[str, str]) -> None:
    with toured(demo, child_environ, 45, 20) as terminal:
        # marks, the question about many with its look, what is said of it, the history and its differences
        press(terminal, "f", "attack", "enter", "space", "d", "o", "G", "q", "n", "space", "escape")
        press(terminal, "f", "attack", "enter", "d")
        terminal.wait_for("Delete")
        answer_yes(terminal)
        press(terminal, "escape", "U", "enter", "G", "q", "q", "1", "u")
        terminal.wait_for("undid")
        press(terminal, "ctrl+r", "u", ":", "del", "escape", ":", PASTED, "escape", "1", "q", "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    assert (demo.messy_store / "attack.md").exists()


def test_no_byte_of_a_session_or_an_answer_acts_on_the_terminal(
    demo: DemoHome, child_environ: Mapping[str, str]
) -> None:
    with toured(demo, child_environ, 120, 36) as terminal:
        press(terminal, "3", "H", "j", "k", "f", "owned", "enter", "enter")
        terminal.wait_for("title ␛]0;owned␇")
        press(
            terminal, "t", "T", "J", "K", "G", "g", "i", "escape", "d", "n", "/", "look", "enter", "n", "N", "q"
        )
        # two answers: a hit in a session, and one in a memory; a query that is an attack itself
        for query in ("evil", "gnp", PASTED):
            press(terminal, "1", "/", "ctrl+u", query)
            terminal.wait_until_quiet(0.3)
            press(terminal, "down", "up", "enter", "n", "G", "q")
        press(terminal, "1", "escape", "q", "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    for shown in ("look: ␛]52;c;", "[@click=app.quit]fix[/]", "<U+202E>"):
        assert shown.encode() in strip_textual(terminal.raw), f"{shown} was never on the screen"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_byte_of_the_content_leaves_a_command(
    demo: DemoHome, child_environ: Mapping[str, str], words: list[str]
) -> None:
    command = [*MEMTUI, *words, "--home", str(demo.home)]
    with Terminal(command, environ=child_environ, cwd=demo.messy_project, columns=200) as terminal:
        assert terminal.wait_for_end() in (0, 1)
    assert terminal.raw.strip()
    assert b"\x1b" not in terminal.raw
    assert_harmless(terminal.raw)


def started(home: AppHome, environ: Mapping[str, str]) -> Terminal:
    return Terminal(home.command, environ=environ, cwd=home.project, columns=120, rows=36)


def test_t10_controls_in_a_file_name(tmp_path: Path, child_environ: Mapping[str, str]) -> None:
    files = {"a\x1b[31m.md": fact("one"), "b\nc.md": fact("two"), b"d\xff.md": fact("three")}
    try:
        home = make_home(tmp_path, "", files)
    except OSError:
        pytest.skip("this file system takes no such names")
    with started(home, child_environ) as terminal:
        terminal.wait_for("a␛[31m.md")
        press(terminal, "f", "two", "enter")
        terminal.wait_for("b␊c.md")
        press(terminal, "d")
        terminal.wait_for("Delete b␊c.md?")
        answer_yes(terminal)
        press(terminal, "escape", "f", "three", "enter")
        terminal.wait_for(r"d\xff.md")
        press(terminal, "d")
        terminal.wait_for(r"Delete d\xff.md?")
        answer_yes(terminal)
        press(terminal, "q", "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    assert sorted(path.name for path in home.store.iterdir()) == ["MEMORY.md", "a\x1b[31m.md"]


def test_t11_links_that_leave_the_directory(tmp_path: Path, child_environ: Mapping[str, str]) -> None:
    targets = ("../../secret.md", "%2e%2e/%2e%2e/secret.md", "/etc/hostname", "sub/../../x.md")
    index = "".join(f"- [Way {number}]({target}) — out\n" for number, target in enumerate(targets))
    home = make_home(tmp_path, index + "- [In](in.md) — in\n", {"in.md": fact("in")})
    secret = home.store.parent.parent / "secret.md"
    secret.write_text("a marker that nobody may show\n")
    with started(home, child_environ) as terminal:
        terminal.wait_for("Way 3")
        terminal.wait_until_quiet()
        # the first two lines lead to one file
        for numbers in ("lines 1, 2", "line 1", "line 1"):
            seen = len(terminal.raw)
            press(terminal, "enter", "q", "e")
            terminal.wait_for("outside", after=seen)
            press(terminal, "d")
            terminal.wait_for(f"Delete {numbers} of MEMORY.md?", after=seen)
            answer_yes(terminal)
        press(terminal, "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    assert b"a marker" not in terminal.raw
    assert secret.read_text() == "a marker that nobody may show\n"
    assert (home.store / "MEMORY.md").read_text() == "- [In](in.md) — in\n"


def test_t12_a_symlink_to_elsewhere(tmp_path: Path, child_environ: Mapping[str, str]) -> None:
    home = make_home(tmp_path, "- [Leak](leak.md) — a link\n- [In](in.md) — in\n", {"in.md": fact("in")})
    key = home.home / "private" / "key.txt"
    key.parent.mkdir()
    key.write_text("a key that nobody may show\n")
    (home.store / "leak.md").symlink_to(key)
    with started(home, child_environ) as terminal:
        terminal.wait_for("private/key.txt")
        seen = terminal.wait_until_quiet()
        press(terminal, "enter", "q", "e")
        terminal.wait_for("symlink", after=seen)
        press(terminal, "d")
        terminal.wait_for("Delete leak.md and line 1 of MEMORY.md?")
        answer_yes(terminal)
        press(terminal, "q")
        assert terminal.wait_for_end() == 0
    assert_harmless(terminal.raw)
    assert b"a key" not in terminal.raw
    assert key.read_text() == "a key that nobody may show\n"
    assert sorted(path.name for path in home.store.iterdir()) == ["MEMORY.md", "in.md"]
    assert (home.store / "MEMORY.md").read_text() == "- [In](in.md) — in\n"
