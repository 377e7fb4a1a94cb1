"""The table of commands: no key with two meanings, no forbidden key, everything it names exists."""

from __future__ import annotations

from unittest.mock import Mock

from textual.keys import _character_to_key

from memtui.ui.commands import BY_ID, COMMANDS, NEVER, SCOPES, Command, clashes, help_lines, is_in, key_bar
from memtui.ui.doers import doers_of, methods_of
from memtui.ui.navigation import Navigation


def test_no_key_has_two_meanings_in_one_scope() -> None:
    assert clashes() == []


def test_a_clash_and_a_forbidden_key_are_found() -> None:
    twice = [Command("a", ("x",), "everywhere", "", ""), Command("b", ("x",), "memory", "", "")]
    assert clashes(twice) == ["x is a and b in memory"]
    for key in ("ctrl+a", "ctrl+z", "ctrl+left_square_bracket", "alt+x"):
        assert len(clashes([Command("a", (key,), "memory", "", "")])) == 1


def test_the_same_key_by_its_name_and_by_its_sign_is_one_key() -> None:
    for scope in SCOPES:
        here = [command for command in COMMANDS if is_in(command, scope)]
        names = [_character_to_key(key) if len(key) == 1 else key for command in here for key in command.keys]
        assert len(names) == len(set(names))
        assert not NEVER & set(names)


def test_every_command_can_be_done_and_has_a_sentence() -> None:
    assert len(BY_ID) == len(COMMANDS)
    desk = Mock()
    desk.app.navigation = Navigation(desk)
    assert methods_of(doers_of(desk)).keys() == BY_ID.keys()
    for command in COMMANDS:
        assert command.label and command.help


def test_the_keys_of_the_design_have_their_commands() -> None:
    keys = {key: command.id for command in COMMANDS if is_in(command, "memory") for key in command.keys}
    assert {keys[key] for key in ("d", "e", "E", "a", "i", "I", "t")} == {
        "delete",
        "edit",
        "edit_index",
        "add",
        "line",
        "rename",
        "type",
    }
    assert (keys["u"], keys["ctrl+r"], keys["f"], keys["w"], keys["?"], keys["f5"]) == (
        *("undo", "redo", "filter", "where", "help", "rescan"),
    )
    # Esc is never the only way
    assert all(command.keys != ("escape",) for command in COMMANDS)


def test_key_bar_and_help_are_made_from_the_table() -> None:
    bar = key_bar(on_memory=True)
    assert bar[0] == ("d", BY_ID["delete"].label) and bar[-1][0] == "?"
    assert "d" not in dict(key_bar(on_memory=False))
    told = [keys for kind, keys, _sentence in help_lines() if kind == "key"]
    assert sorted(told) == sorted(command.key for command in COMMANDS)
