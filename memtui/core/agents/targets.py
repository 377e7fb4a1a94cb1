"""Into which running agents something can be typed, which of them is meant, and what each could be told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.agents.base import PI, Agent
from memtui.core.agents.slash_commands import SlashCommand, claimants, commands_for
from memtui.core.env import Env
from memtui.core.locate.pi_agent import agent_dir
from memtui.core.locate.pi_extensions import Extensions, find_extensions
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

RELOADS = "memory-reload"
"""The command that has an agent take its memory in anew."""


@dataclass(frozen=True, slots=True)
class Target:
    """An agent in a pane with the extensions that its settings name. `agent` None: there is nobody who could be
    typed to; then they are those of memtui's own directory."""

    agent: Agent | None
    extensions: Extensions

    @property
    def commands(self) -> tuple[SlashCommand, ...]:
        """What it can be told, in the order of the menu."""
        return commands_for(self.extensions)

    def clash_of(self, command: SlashCommand) -> str:
        """A sentence where pi does not know a command by its plain name, since several of the extensions claim
        it; '' where it does. Holds names from the disk."""
        rivals = [owner for owner in claimants(command.name) if self.extensions.loads(owner)]
        return self.extensions.clash if len(rivals) > 1 else ""

    @property
    def reload(self) -> SlashCommand | None:
        """The command with which it takes its memory in anew, None where no extension has one."""
        return next((command for command in self.commands if command.id == RELOADS), None)


def targets(env: Env, agents: Iterable[Agent]) -> tuple[Target, ...]:
    """Those agents that can be typed to, as they show in a pane, in their order. Reads their settings."""
    return tuple(
        Target(agent, _extensions_of(env, agent))
        for agent in agents
        if agent.agent == PI and agent.pane is not None
    )


def nobody(env: Env) -> Target:
    """What could be told to an agent that began here. Reads settings; never raises."""
    return Target(None, find_extensions(env, agent_dir(env)[0]))


def meant(found: Sequence[Target], cwd: Path) -> Target | None:
    """The one that a person means: the only one of memtui's window, else of all; of several there, the only one
    that works in memtui's directory. None where that leaves several, or there is none."""
    pairs = [(target, target.agent) for target in found if target.agent is not None]
    beside = [pair for pair in pairs if pair[1].pane is not None and pair[1].pane.is_shown]
    near = beside or pairs
    here = [pair for pair in near if os.path.normpath(pair[1].cwd) == str(fs.real_path(cwd))]
    those = near if len(near) == 1 else here
    return those[0][0] if len(those) == 1 else None


def _extensions_of(env: Env, agent: Agent) -> Extensions:
    there = dataclasses.replace(env, cwd=Path(agent.cwd or env.cwd), logical_cwd=None)
    return find_extensions(there, agent.agent_dir or agent_dir(env)[0])
