"""What must hold before anything is typed into an agent's pane, each with how it stands now. For display.

A condition that only the agent can answer (does it offer the command?) is not known until the name was typed:
`holds` is None then, and it is checked on the way.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a stable id, what is demanded, whether it holds (None = seen only while typing), and how
    it stands in words. `stands` may hold text of the pane: through `safety/display` only."""

    id: str
    demands: str
    holds: bool | None
    stands: str


def all_hold(conditions: tuple[Condition, ...]) -> bool:
    """Whether none of them is known to fail."""
    return all(condition.holds is not False for condition in conditions)
