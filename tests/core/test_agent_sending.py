"""Sending to an agent: never an Enter on anything but our own line, whatever happens between two steps."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import chain, count, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_pi import DIALOG, PlayedPi

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.sending import conditions_for, insert, send
from memtui.core.agents.sent import Clock, Outcome, Sent
from memtui.core.agents.slash_commands import commands
from memtui.core.agents.tmux import Tmux
from memtui.core.locate.pi_extensions import Extension, Extensions

COMMANDS = {command.id: command for command in commands()}
RELOAD = COMMANDS["memory-reload"]
LINE = RELOAD.text
ALONE = {
    "memory": "[u] Shared memory",
    "model": "Select model",
    "reload": "Reload keybindings",
    "name": "Set name",
}
TWO = {"memory:1": "[u] Manage persistent memory. Subcommands: status", "memory:2": "[u] Shared memory"}
NO_MEMORY = {"model": "Select model"}

AGENT = Agent("pi", 0, "/w", Pane("%1", "@1", "0:0.0", 0, "pi", "\x1b]0;#(touch /tmp/x)", "/w"))


def clock() -> Clock:
    """Every look at it takes a hundredth of a second."""
    ticks = count()
    return Clock(lambda: next(ticks) / 100, lambda _seconds: None)


def extensions(*owners: str) -> Extensions:
    return Extensions(tuple(Extension(owner, owner, "2.1.0", Path("s")) for owner in owners), True)


def give(pi: PlayedPi, command_id: str = "memory-reload") -> Sent:
    """Send a command, where as many extensions are installed as claim `/memory`."""
    installed = extensions("zcode", "amaster") if "memory:2" in pi.commands else extensions("zcode")
    return send(Tmux({}, pi.run), AGENT, installed, COMMANDS[command_id], clock())


def quick(pi: PlayedPi) -> None:
    """Takes and draws everything at once."""
    pi.take()
    pi.draw()


def by_turns(*steps: Callable[[PlayedPi], object]) -> Callable[[PlayedPi], None]:
    """One step at each call of tmux, and from then on all is quick."""
    left = chain(steps, repeat(quick))
    return lambda pi: next(left)(pi) and None


def test_a_line_is_sent_once_and_to_the_right_one() -> None:
    for commands_of_pi, line in ((ALONE, LINE), (TWO, "/memory:2 reload")):
        for padding in (0, 3):
            pi = PlayedPi(commands_of_pi, quick, padding)
            sent = give(pi)
            quick(pi)
            assert pi.entered == [(line, True)]
            assert (sent.outcome, sent.copy) == (Outcome.RAN, "")
            assert (pi.lines, pi.is_off, pi.sign, pi.buffers, pi.waiting) == ([""], False, "", {}, [])
    pi = PlayedPi(ALONE, quick)
    assert give(pi, "reload").outcome is Outcome.RAN
    assert pi.entered == [("/reload", True)]


@pytest.mark.parametrize(
    "state",
    [
        {"lines": ["a draft"]},
        {"lines": ["a draft", ""]},
        {"lines": ["", "", ""]},
        {"lines": [" "]},
        {"lines": ["     "]},
        {"lines": [LINE]},
        {"dialog": True},
        {"in_mode": True},
        {"is_off": True},
        {"program": "tmux"},
        {"program": "bash"},
        {"commands": NO_MEMORY},
        {"commands": {"memory": "[u] Manage persistent memory. Subcommands: status"}},
        {"starting": True},
    ],
    ids=str,
)
def test_nothing_changes_where_a_line_may_not_go(state: dict[str, object]) -> None:
    pi = PlayedPi(**{"commands": ALONE, **deepcopy(state)})  # type: ignore[arg-type]
    before = (list(pi.lines), pi.dialog, pi.in_mode, pi.is_off, list(pi.rows), pi.cursor)
    pi.chance = quick
    sent = give(pi)
    quick(pi)
    assert (sent.outcome, sent.copy, pi.entered) == (Outcome.REFUSED, LINE, [])
    assert (list(pi.lines), pi.dialog, pi.in_mode, pi.is_off, list(pi.rows), pi.cursor) == before
    inserted = insert(Tmux({}, pi.run), AGENT, "some\n\x1b[201~ text\n", clock())
    if not {"commands", "starting"} & set(state) and state != {"lines": [" "]}:
        assert (inserted.outcome, inserted.copy) == (Outcome.REFUSED, "some\n\x1b[201~ text\n")
        assert (list(pi.lines), pi.dialog, pi.in_mode, pi.is_off, list(pi.rows), pi.cursor) == before


def test_an_inserted_text_stays_without_an_enter() -> None:
    pi = PlayedPi(ALONE, quick)
    sent = insert(Tmux({}, pi.run), AGENT, "one\r\ntwo \x1b[201~ \x03three\n", clock())
    assert (sent.outcome, sent.copy) == (Outcome.INSERTED, "")
    assert pi.lines == ["one", "two ␛[201~ ␃three"]
    assert pi.entered == []
    assert insert(Tmux({}, pi.run), AGENT, "more", clock()).copy == "more"
    assert insert(Tmux({}, pi.run), AGENT, " \n ", clock()).outcome is Outcome.REFUSED


def test_a_dialog_gets_a_slash_at_most() -> None:
    pi = PlayedPi(ALONE)
    pi.chance = by_turns(quick, PlayedPi.ask)
    sent = give(pi)
    assert (sent.outcome, sent.copy, pi.entered) == (Outcome.REFUSED, LINE, [])
    pi = PlayedPi(ALONE)
    # it comes when the key is on its way
    pi.chance = by_turns(quick, quick, lambda pi: setattr(pi, "dialog", True), quick)
    sent = give(pi)
    assert (sent.outcome, sent.copy, pi.entered, pi.dialog) == (Outcome.LEFT, LINE, [], True)


def test_tmux_that_fails_on_the_way() -> None:
    for moment in range(14):
        for failure in ("no server running on /tmp/x", "can't find pane: %1"):
            pi = PlayedPi(ALONE)

            def fail(pi: PlayedPi, failure: str = failure) -> None:
                if failure.startswith("no server"):
                    pi.failing = failure
                else:
                    pi.is_there = False

            pi.chance = by_turns(*[quick] * moment, fail)
            sent = give(pi)
            is_sent = bool(pi.entered or any(key.text == "Enter" for key in pi.waiting))
            assert sent.copy == ("" if sent.arrived else LINE)
            assert sent.arrived or not is_sent
            # with the very call that presses Enter, nobody knows
            assert is_sent or not sent.arrived or sent.outcome is Outcome.SENT
            assert sent.said
    gone = conditions_for(Tmux({}, pi.run), AGENT, extensions("zcode"), RELOAD)
    assert [condition.id for condition in gone if condition.holds is False] == ["pane"]
    nowhere = send(Tmux({}, pi.run), Agent("pi", 1, "/w"), extensions("zcode"), RELOAD, clock())
    assert (nowhere.outcome, nowhere.copy) == (Outcome.REFUSED, LINE)


THINGS: dict[str, Callable[[PlayedPi], object]] = {
    "types": lambda pi: pi.person_types("x"),
    "types a line": lambda pi: pi.person_types("a\nb"),
    "types a blank": lambda pi: pi.person_types(" "),
    "clears": lambda pi: pi.person_types("\x03"),
    "asks": PlayedPi.ask,
    "copy mode": lambda pi: setattr(pi, "in_mode", True),
    "input off": lambda pi: setattr(pi, "is_off", True),
    "ends": PlayedPi.end,
}


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("lag", [0, 1, 3])
def test_one_thing_at_any_moment(thing: str, lag: int) -> None:
    """`lag`: so many looks later pi takes and draws what was typed."""
    for moment in range(16):
        pi = PlayedPi(ALONE)
        if thing == "input off" and moment:
            # by the person, who would have to be quicker than tmux tells us
            break
        late = [lambda pi: None] * lag
        pi.chance = by_turns(*[quick] * moment, lambda pi: (THINGS[thing](pi), lag or quick(pi)), *late)
        sent = give(pi)
        was_off = pi.is_off
        pi.chance = quick
        quick(pi)
        ours = [text for text, is_ours in pi.entered if is_ours]
        assert ours == ([LINE] if sent.outcome in (Outcome.RAN, Outcome.SENT) else [])
        assert sent.copy == ("" if sent.arrived else LINE)
        assert was_off == (thing == "input off")
        assert not pi.in_mode or thing == "copy mode"
        if thing.startswith("types") and sent.outcome is Outcome.REFUSED:
            assert "".join(pi.lines) in ("x", "ab", " ", "")


STEPS = st.one_of(
    st.tuples(st.just("types"), st.text("ab/ m\n", min_size=1, max_size=3)),
    st.tuples(st.just("takes"), st.integers(0, 4)),
    st.tuples(st.sampled_from(["draws", "quick", "quick", "asks", "mode", "open"]), st.none()),
)


@given(
    st.lists(st.lists(STEPS, max_size=3), max_size=30), st.sampled_from([ALONE, TWO, NO_MEMORY]), st.booleans()
)
def test_no_enter_of_ours_falls_on_anything_but_our_line(
    moments: list[list[tuple[str, object]]], offered: dict[str, str], is_inserting: bool
) -> None:
    left = iter(moments)
    typed = ""
    has_asked = False

    def chance(pi: PlayedPi) -> None:
        nonlocal typed, has_asked
        for what, value in next(left, [("quick", None)]):
            if what == "types":
                typed += str(value)
                pi.person_types(str(value))
            elif what == "takes":
                pi.take(int(str(value)))
            elif what == "asks":
                has_asked = True
                pi.ask()
            elif what == "mode":
                pi.in_mode = True
            elif what == "open":
                # the person's, or tmux's own after a while
                pi.in_mode = pi.is_off = False
            elif what == "draws":
                pi.draw()
            else:
                quick(pi)

    pi = PlayedPi(offered, chance)
    sent = insert(Tmux({}, pi.run), AGENT, "a passage", clock()) if is_inserting else give(pi)
    quick(pi)
    ours = [text for text, is_ours in pi.entered if is_ours]
    assert DIALOG not in ours
    assert ours in ([], [LINE], ["/memory:2 reload"])
    assert bool(ours) == (sent.outcome in (Outcome.RAN, Outcome.SENT))
    assert sent.copy == ("" if sent.arrived else "a passage" if is_inserting else LINE)
    assert pi.buffers == {}
    assert not pi.is_off
    if sent.outcome is Outcome.REFUSED and not typed and not has_asked:
        assert pi.lines == [""]
