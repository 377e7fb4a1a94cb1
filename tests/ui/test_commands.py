"""The table of commands: no key with two meanings, no forbidden key, everything it names exists."""

from __future__ import annotations

from unittest.mock import Mock

from textual.keys import _character_to_key

from memtui.ui.commands import (
    BY_ID,
    COMMANDS,
    NEVER,
    SCOPES,
    Command,
    answers_to_key,
    clashes,
    is_in,
)
from memtui.ui.doers import doers_of, methods_of
from memtui.ui.navigation import Navigation
from memtui.ui.offers import Offer, key_bar, offers, ranked
from memtui.ui.why_not import ASKS_THE_HISTORY, ON_A_STORE, ON_MARKED, RULES, VERBS


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


def nothing(_command_id: str) -> str:
    return ""


def keys_of(bar: list[tuple[str, str]]) -> list[str]:
    return [key for key, _label in bar]


def test_key_bar_shows_what_can_be_done_most_used_first_and_the_help_last() -> None:
    bar = key_bar("memory", nothing)
    assert [key for key, _label in bar][:5] == ["Enter", "/", "d", "e", "a"] and bar[-1][0] == "?"
    assert bar[2] == ("d", BY_ID["delete"].label)
    refused = {"delete", "undo", "help"}
    assert not {"d", "u"} & set(keys_of(key_bar("memory", lambda i: "no" if i in refused else "")))
    assert keys_of(key_bar("memory", lambda _id: "no")) == ["?"]


def test_key_bar_in_a_text_begins_with_the_keys_of_a_text() -> None:
    assert keys_of(key_bar("memory", nothing, pane="topic"))[:3] == ["n", "N", "/"]
    assert "n" not in keys_of(key_bar("memory", nothing))
    session = keys_of(key_bar("session", nothing, pane="search"))
    assert session[:3] == ["Enter", "r", "/"] and "H" in session and "!" not in session
    assert not {"H", "f"} & set(keys_of(key_bar("session", nothing, pane="topic")))


def test_key_bar_says_on_how_many_marked_memories_a_key_acts() -> None:
    bar = dict(key_bar("memory", nothing, marks=3))
    assert (bar["d"], bar["t"], bar["e"]) == ("delete 3", "type 3", "edit")
    assert dict(key_bar("memory", nothing))["d"] == "delete"


def test_help_names_every_command_once_and_those_of_the_thing_under_the_cursor_first() -> None:
    for scope in ("memory", "session"):
        told = offers(scope, nothing)
        assert sorted(offer.command.id for offer in told) == sorted(BY_ID)
        assert told[0].command.scope == scope and told[0].group == f"On this {scope}"
        shown = {key for key, _label in key_bar(scope, nothing)}
        assert shown <= {offer.command.key.split(" ")[0] for offer in told}
    assert offers("memory", nothing, pane="topic")[0].group == "In a text"
    assert offers("memory", nothing, is_on_one=False)[0].group == "On a memory"


def found(typed: str, *refused: str) -> list[str]:
    among = offers("memory", lambda command_id: "no" if command_id in refused else "")
    return [offer.command.id for offer in ranked(typed, among)]


def test_the_palette_ranks_the_key_first_then_beginnings_then_words_then_likeness() -> None:
    assert found("d")[:2] == ["delete", "trash_session"]
    assert found("ctrl+r")[0] == "redo"
    assert found("?")[0] == "help"
    assert found("und")[0] == "undo"
    assert found("del")[:2] == ["delete", "trash_session"]
    assert found("store next")[0] == "next_store"
    assert found("undol")[0] == "undo" and found("fliter")[0] == "filter"
    assert found("nxtst")[0] == "next_store"
    assert found("qqqq") == []
    assert found("") == [offer.command.id for offer in offers("memory", nothing)]


def test_what_cannot_be_done_stands_behind_what_can() -> None:
    assert found("d", "delete")[:2] == ["trash_session", "delete"]


def test_a_command_without_a_key_is_found_by_its_name() -> None:
    command = Command("theme", (), "everywhere", "theme", "Choose a theme")
    assert command.key == ""
    assert [offer.command.id for offer in ranked("the", [Offer(command, "")])] == ["theme"]


def test_a_key_of_another_kind_of_thing_answers_only_where_nothing_here_has_it() -> None:
    assert answers_to_key(BY_ID["next_message"], "memory")
    assert not answers_to_key(BY_ID["trash_session"], "memory")
    assert answers_to_key(BY_ID["undo"], "session")


def test_reasons_are_given_for_commands_that_exist() -> None:
    named = {*RULES, *VERBS, *ON_A_STORE, *ON_MARKED, *ASKS_THE_HISTORY}
    assert named <= set(BY_ID)
