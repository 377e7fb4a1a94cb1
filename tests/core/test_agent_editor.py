"""What pi's editor and its menu are seen to be: on screens of the real pi, and on drawn ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pi_screens import screens

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.conditions import conditions_of, first_failing
from memtui.core.agents.editor_screen import Look, State, look_at, parse_look, read_editor
from memtui.core.agents.insertion import harmless, holds_text
from memtui.core.agents.slash_commands import SlashCommand, commands, commands_for
from memtui.core.agents.suggestions import Choice, Menu, Suggestion, choose, read_menu
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.core.locate.pi_extensions import Extension, Extensions

SCREENS = screens()
COMMANDS = {command.id: command for command in commands()}
AGENT = Agent("pi", 0, "/w", Pane("%1", "@1", "0:0.0", 0, "pi", "π", "/w"))


def installed(*owners: str, version: str = "2.1.0", loaded: bool = True) -> Extensions:
    """Extensions of these owners."""
    return Extensions(tuple(Extension(o, f"@x/{o}", version, Path("s"), loaded) for o in owners), True)


@pytest.mark.parametrize("name", SCREENS)
def test_what_a_screen_of_pi_is(name: str) -> None:
    state, look = SCREENS[name]
    editor = read_editor(look)
    assert editor.state is state
    doing = {"at work": "Working", "compacting": "Compacting"}
    assert next((words for part, words in doing.items() if part in name), "") in editor.doing
    if state is State.EMPTY:
        assert bool(editor.doing) == any(part in name for part in doing)
        assert not read_menu(look, editor).rows


def test_the_words_of_an_editor() -> None:
    def rows(name: str) -> tuple[str, ...]:
        return read_editor(SCREENS[name][1]).rows

    assert rows("fullscreen: a draft") == ("a draft",)
    assert rows("fullscreen: a draft, cursor in its empty second line") == ("a draft", "")
    assert len(rows("fullscreen: scrolled")) == 5
    assert rows("narrow, padding 2: wrapped") == ("  a draft that is longer than the row", "  by some words")
    assert read_editor(SCREENS["narrow, padding 2: the name"][1]).holds("/memory", 2)
    assert not read_editor(SCREENS["narrow, padding 2: the name"][1]).holds("/memory", 0)


@given(
    st.lists(st.text("ab /─>", max_size=6), min_size=1, max_size=5),
    st.integers(0, 3),
    st.lists(st.text("xy─ ", max_size=10), max_size=3),
    st.integers(0, 11),
    st.integers(0, 9),
)
def test_only_an_empty_row_between_the_rules_is_empty(
    draft: list[str], padding: int, below: list[str], x: int, y: int
) -> None:
    rule = "─" * 12
    rows = ["chat", rule, *(" " * padding + line for line in draft), rule, *below]
    look = Look(tuple(row.rstrip() for row in rows), x, min(y, len(rows) - 1), 12, 12, "pi")
    is_empty = read_editor(look).state is State.EMPTY
    assert not is_empty or ("".join(draft).strip() == "" and len(draft) == 1 and x <= 3 and look.cursor_y == 2)
    if draft == [""] and look.cursor_y == 2 and x <= 3:
        assert is_empty


def test_a_look_is_one_call_and_bad_answers_are_errors() -> None:
    def answering(answer: bytes | TmuxError) -> Tmux:
        def run(words: object, environ: object, given: bytes) -> bytes:
            if isinstance(answer, TmuxError):
                raise answer
            return answer

        return Tmux({}, run)

    tmux = answering(b"1\t2\t80\t3\t0\t0\t0\t1\t77\tpi\na\nb\xff\nc\n")
    look = look_at(tmux, "%1")
    assert (look.cursor_x, look.cursor_y, look.rows, look.pid, tmux.calls) == (
        1,
        2,
        ("a", "b\ufffd", "c"),
        77,
        1,
    )
    assert read_editor(look_at(answering(TmuxError("can't find pane: %1")), "%1")).state is State.GONE
    for answer in (b"", b"x", b"1\t2\t80\t3\t0\t0\t0\t1\tx\tpi\n", TmuxError("no server running on /x")):
        with pytest.raises(TmuxError):
            look_at(answering(answer), "%1")
    # a program may call itself anything
    assert parse_look(b"1\t2\t80\t3\t0\t0\t0\t1\t77\tp\ti\n").command == "p\ti"


# The menu


def test_the_menus_of_pi() -> None:
    def menu(name: str) -> Menu:
        look = SCREENS[name][1]
        return read_menu(look, read_editor(look))

    two = menu("fullscreen: two claim it")
    assert [(row.name, row.source) for row in two.rows] == [("memory:1", ""), ("memory:2", "")]
    assert two.rows[1].words == "Show memory status, toggle enabled, or open files"
    assert two == menu("regular: two claim it") == menu("regular: two claim it, at work")
    assert [(row.name, row.source) for row in menu("fullscreen: commands of its own").rows][:2] == [
        ("resume", None),
        ("reload", None),
    ]
    assert menu("fullscreen: an unknown command") == Menu() == menu("fullscreen: the name while it starts")
    assert menu("narrow, padding 2: the name") == Menu((Suggestion("memory"),), 2)
    assert menu("fullscreen: dialog confirm") == Menu()


def test_a_menu_that_is_longer_than_it_shows() -> None:
    rows = ("─" * 20, "/m", "─" * 20, "  model  x", "→ memory  y", "  (2/7)", "~/work")
    look = Look(rows, 2, 1, 20, 7, "pi")
    assert read_menu(look, read_editor(look)) == Menu(
        (Suggestion("model", "x"), Suggestion("memory", "y")), 0, False
    )


AMASTERS = "Manage persistent memory. Subcommands: sta"
YANDYS = "Show memory status, toggle enabled, or open files"
SHARED = "Show the shared memory"


@pytest.mark.parametrize(
    ("command", "rows", "owners", "name"),
    [
        ("memory-status", {"memory": f"[u] {AMASTERS}"}, ("amaster",), "memory"),
        ("memory-reload", {"memory": f"[u] {AMASTERS}"}, ("zcode",), ""),
        ("memory-reload", {"memory": f"[t] {SHARED}"}, ("zcode",), "memory"),
        ("memory-reload", {"memory": ""}, ("zcode",), "memory"),
        ("memory-reload", {"memory": ""}, ("zcode", "amaster"), ""),
        (
            "memory-reload",
            {"memory:1": f"[u] {YANDYS}", "memory:2": f"[u] {SHARED}"},
            ("zcode", "yandy"),
            "memory:2",
        ),
        (
            "memory-on",
            {"memory:1": f"[u] {YANDYS}", "memory:2": f"[u] {SHARED}"},
            ("zcode", "yandy"),
            "memory:1",
        ),
        ("memory-reload", {"memory:1": "[u] what", "memory:2": f"[u] {SHARED}"}, ("zcode",), ""),
        ("memory-reload", {"memory:1": f"[t] {AMASTERS}", "memory:2": f"[u] {SHARED}"}, ("zcode",), "memory:2"),
        ("memory-reload", {"memory": f"[u:npm:@momenttttt/pi-zcode-memory] {SHARED}"}, ("zcode",), "memory"),
        ("memory-reload", {"memory": f"[u:npm:@other/memory@1.2] {SHARED}"}, ("zcode",), ""),
        ("memory-status", {"memory": f"[u:npm:@other/memory] {AMASTERS}"}, ("amaster",), ""),
        (
            "memory-status",
            {"memory": f"[p:npm:@amaster.ai/pi-memory@0.3.1] {AMASTERS}"},
            ("amaster",),
            "memory",
        ),
        ("memory-status", {"memory:1": f"[u] {AMASTERS}", "memory:2": f"[p] {AMASTERS}"}, ("amaster",), ""),
        ("memory-status", {"memory-x": f"[u] {AMASTERS}", "memory:x": f"[u] {AMASTERS}"}, ("amaster",), ""),
        ("memory-status", {"memory": "[u] Manage"}, ("amaster",), "memory"),
        ("memory-reload", {"memory": "[u] Manage"}, ("amaster", "zcode"), ""),
        ("dream", {"dream": "[u] Tidy up"}, ("yandy",), "dream"),
        ("dream", {}, ("yandy",), ""),
        ("reload", {"reload": "Reload keybindings", "resume": "Resume"}, (), "reload"),
        ("reload", {"reload": "[u] Reload keybindings"}, (), ""),
        ("reload", {"reload": "Reload keybindings", "reload:1": "[u] mine"}, (), ""),
    ],
)
def test_whose_command_a_suggestion_is(
    command: str, rows: dict[str, str], owners: tuple[str, ...], name: str
) -> None:
    menu = Menu(tuple(Suggestion(*row) for row in rows.items()))
    choice = choose(COMMANDS[command], menu, installed(*owners))
    assert choice.name == name
    assert bool(choice.because) != bool(name)
    if not name or ":" in name:
        # the others may be further down
        assert choose(COMMANDS["memory-reload"], replace(menu, is_whole=False), installed("zcode")).name == ""


def test_the_commands_of_what_is_installed() -> None:
    def ids(extensions: Extensions) -> set[str]:
        return {command.id for command in commands_for(extensions)} - {"reload", "name"}

    assert ids(installed()) == set()
    assert ids(installed("zcode", "memweave")) == {"memory", "memory-reload"}
    assert ids(installed("zcode", loaded=False)) == set()
    assert ids(installed("amaster")) == {"memory-status"}
    below = {"yandy-memory", "memory-on", "memory-off", "dream"}
    assert ids(installed("yandy", version="1.3.4")) == below == ids(installed("yandy", version=""))
    assert ids(installed("yandy")) == {*below, "memory-unlock"}
    texts = {command.text for command in commands()}
    assert {"/memory", "/memory reload", "/memory on", "/dream", "/memory unlock", "/reload", "/name"} <= texts
    assert all(command.source and command.does for command in commands())
    assert COMMANDS["name"].with_argument(" a\n\x1b[201~b \u202e c ").text == "/name a [201~b c"


# Conditions


@pytest.mark.parametrize(
    ("screen", "change", "command", "failing"),
    [
        ("fullscreen: empty", {}, "memory-reload", None),
        ("fullscreen: at work", {}, "memory-reload", None),
        ("fullscreen: at work", {}, "reload", "rests"),
        ("fullscreen: compacting", {}, "reload", "rests"),
        ("fullscreen: empty", {}, "dream", "offered"),
        ("fullscreen: empty", {}, "name", "asked"),
        ("fullscreen: empty", {"command": "tmux"}, "memory-reload", "pane"),
        ("fullscreen: empty", {"command": "vim"}, None, "pane"),
        ("fullscreen: empty", {"dead": True}, "memory-reload", "pane"),
        ("fullscreen: empty", {"pid": 1}, "memory-reload", "user"),
        ("fullscreen: copy mode", {}, "memory-reload", "keys"),
        ("fullscreen: empty", {"input_off": True}, "memory-reload", "keys"),
        ("fullscreen: a draft", {}, "memory-reload", "editor"),
        ("fullscreen: a draft", {}, None, "editor"),
        ("fullscreen: /resume", {}, None, "editor"),
        ("fullscreen: dialog editor", {}, None, "editor"),
    ],
)
def test_what_has_to_hold(
    screen: str,
    change: dict[str, object],
    command: str | None,
    failing: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.getuid", lambda: 4711)
    monkeypatch.setattr(
        "memtui.core.agents.conditions.belongs_to_us", lambda pid: {0: None, 1: False}.get(pid, True)
    )
    look = replace(SCREENS[screen][1], **change)
    command_meant = COMMANDS[command] if command else None
    found = conditions_of(AGENT, look, read_editor(look), installed("zcode", "amaster"), command_meant)
    first = first_failing(found)
    assert (first.id if first else None) == failing
    assert all(condition.demands and condition.stands for condition in found)


def test_a_line_that_is_longer_than_a_row_does_not_fit() -> None:
    look = SCREENS["fullscreen: empty"][1]

    def fits(command: SlashCommand) -> bool:
        found = conditions_of(AGENT, look, read_editor(look), installed("zcode"), command)
        return first_failing(found) is None

    name = COMMANDS["name"]
    assert fits(name.with_argument("x" * 60))
    assert not fits(name.with_argument("x" * 70))


# Insertion


@given(st.text("ab \n\t\r\0\x03\x1b\x7f\x9b[201~é字\ud800\u202e"))
def test_nothing_in_an_inserted_text_presses_a_key(text: str) -> None:
    made = harmless(text)
    assert not any((sign < " " and sign not in "\n\t") or "\x7f" <= sign <= "\x9f" for sign in made)
    assert harmless(made) == made
    assert made.encode("utf-8").decode("utf-8") == made


def test_an_inserted_text_is_found_again() -> None:
    assert harmless("\n a\r\nb\rc\x1b[201~\n \n") == " a\nb\nc␛[201~"
    look = SCREENS["narrow, padding 2: wrapped"][1]
    whole = "a draft that is longer than the row by some words"
    assert holds_text(read_editor(look), whole)
    assert holds_text(read_editor(look), f"before that\n{whole}")
    assert not holds_text(read_editor(look), f"{whole} and more")
    assert not holds_text(read_editor(SCREENS["fullscreen: empty"][1]), whole)
    marker = Look(("─" * 30, "[paste #12 +123 lines]", "─" * 30), 5, 1, 30, 3, "pi")
    assert holds_text(read_editor(marker), "x\n" * 123)


def test_an_unknown_choice_says_why() -> None:
    assert choose(COMMANDS["dream"], Menu(), installed("yandy")) == Choice("", "it does not offer /dream")
