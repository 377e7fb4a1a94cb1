"""What the running agents carry of the memory, and what a change means for each. Lives in the UI thread; the
looking is done on the work thread, behind whatever a key asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.late.dataclasses import dataclass, field
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.agent_actions import Running
    from memtui.core.agent_memory import AgentMemory
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Snapshot
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.desk import Desk

OF_A_CHANGE = ("good", "warn")
"""The inks of what is said of a change."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was found, safe for display: the sentences of each agent (by its key), and the line that says what a
    change means for them ('' = none was made); `elsewhere` are the sentences, with their names, of those who
    share the memory and are not beside memtui. `waiting` are the sessions in which what is said would change
    something.
    """

    sentences: Mapping[object, Sequence[str]] = field(default_factory=dict)
    elsewhere: tuple[str, ...] = ()
    after: str = ""
    concerns_anyone: bool = False
    waiting: frozenset[Path] = frozenset()


class Carrying:
    """Keeps what is said of the running agents in step with the stores and their sessions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._snapshots: Sequence[Snapshot] = ()
        self._made: list[Path] = []
        self._memory: AgentMemory | None = None
        self._is_looking = False
        self._told = Told()

    @property
    def sentences(self) -> Mapping[object, Sequence[str]]:
        """What each agent carries and what refreshes it."""
        return self._told.sentences

    @property
    def status_lines(self) -> list[list[Span]]:
        """What the status says behind the agents beside memtui."""
        told = self._told
        lines: list[list[Span]] = [[(" " * 9, "label"), (said, "")] for said in told.elsewhere]
        if told.after and not told.concerns_anyone:
            lines.append([(" " * 9, "label"), (told.after, "muted")])
        return lines

    def made(self, outcome: Outcome) -> set[str]:
        """A change was made: what it means is told with the next look; gives its id. For the work thread."""
        if outcome.change is None:
            return set()
        self._made += outcome.change.paths
        return {outcome.change.id}

    def looked(self, snapshots: Sequence[Snapshot]) -> None:
        """Tell it anew where the stores were read again."""
        if snapshots is not self._snapshots:
            self._snapshots = snapshots
            self.refresh()

    def sessions_changed(self, files: Iterable[Path]) -> None:
        """Tell it anew where a session grew in which something was waited for."""
        if not self._is_looking and not self._told.waiting.isdisjoint(files):
            self.refresh()

    def refresh(self) -> None:
        """Look what those who run carry, once it is known who does."""
        running, snapshots = self._desk.beside.running, self._snapshots
        if running is None:
            return
        self._is_looking = True

        def job(workspace: Workspace) -> Told:
            return self._look(workspace, running, snapshots)

        def failed(error: MemtuiError) -> None:
            self._is_looking = False
            self._desk.say_error(error)

        self._desk.work.do(job, self._show, failed=failed)

    def _look(self, workspace: Workspace, running: Running, snapshots: Sequence[Snapshot]) -> Told:
        """Runs on the work thread."""
        made, self._made = self._made, []
        changed = {s.store.root for s in snapshots if any(path.is_relative_to(s.store.root) for path in made)}
        if not running.agents and not changed:
            return Told()
        from memtui.core.agent_memory import AgentMemory, line_of, sentence_of, sentences_of
        from memtui.core.safety import display

        if self._memory is None:
            self._memory = AgentMemory(workspace)
        found = self._memory.carried(running.agents, snapshots)
        meant = [item for item in found if item.store.root in changed]
        return Told(
            {
                agent.key: [display.line(said) for said in sentences_of(found, agent)]
                for agent in running.agents
            },
            tuple(display.line(sentence_of(item)) for item in found if item.agent not in running.beside),
            display.line(line_of(meant, is_known=running.is_known)) if changed else "",
            bool(meant),
            frozenset(item.session for item in found if item.session is not None and item.loaded.row.by),
        )

    def _show(self, told: Told) -> None:
        self._is_looking = False
        self._told = told
        self._desk.beside.tell()
        said = self._desk.telling.said
        if not (told.after and told.concerns_anyone and said and said[0][1] in OF_A_CHANGE):
            return
        # of two changes, one right after the other, the same is said once
        if told.after not in said[0][0]:
            self._desk.telling.add(told.after)
