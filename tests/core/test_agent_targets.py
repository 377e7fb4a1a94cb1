"""Which agent a key is about: the one beside memtui, else the only one there is; never a guess."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.targets import Target, meant, nobody, targets
from memtui.core.env import Env
from memtui.core.locate.pi_extensions import Extensions

HERE, THERE = "/home/dev/app", "/home/dev/lib"


def agent(number: int, *, beside: bool, cwd: str = HERE, name: str = "pi") -> Agent:
    pane = Pane(
        f"%{number}", "@0" if beside else "@5", f"w:0.{number}", number, name, "t", cwd, is_shown=beside
    )
    return Agent(name, number, cwd, pane)


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ([], None),
        ([(1, True, THERE)], 1),
        ([(1, False, THERE)], 1),
        ([(1, True, THERE), (2, False, HERE)], 1),
        ([(1, True, HERE), (2, True, THERE)], 1),
        ([(1, True, HERE), (2, True, HERE)], None),
        ([(1, True, THERE), (2, True, THERE), (3, False, HERE)], None),
        ([(1, False, HERE), (2, False, THERE)], 1),
        ([(1, False, HERE), (2, False, HERE)], None),
        ([(1, False, THERE), (2, False, THERE)], None),
    ],
)
def test_the_one_beside_is_meant_and_several_are_asked_about(
    agents: list[tuple[int, bool, str]], expected: int | None
) -> None:
    found = [
        Target(agent(number, beside=beside, cwd=cwd), Extensions((), True)) for number, beside, cwd in agents
    ]
    one = meant(found, Path(HERE))
    assert (one.agent.pid if one is not None and one.agent is not None else None) == expected


def test_only_a_pi_in_a_pane_can_be_typed_to_and_nobody_is_told_what_an_agent_here_would_be(env: Env) -> None:
    several = (
        agent(1, beside=True),
        agent(2, beside=True, name="claude"),
        Agent("pi", 3, HERE),
    )
    assert [it.agent for it in targets(env, several)] == [several[0]]
    alone = nobody(env)
    assert alone.agent is None and alone.reload is None
    # pi's own commands are there without any extension
    assert {command.owner for command in alone.commands} == {"pi"}
