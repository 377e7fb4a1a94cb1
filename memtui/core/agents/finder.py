"""Looking for the running agents: one call of tmux a look, and files only where something changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memtui.core import fs
from memtui.core.agents.base import PI, Agent, Pane
from memtui.core.agents.process import Process, Processes
from memtui.core.agents.processes import is_running, list_processes
from memtui.core.agents.running import SLACK_S, Home, match, name_in_title
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.core.env import Env
from memtui.core.locate.pi_agent import locate_pi
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import session_files
from memtui.core.sessions.pi_places import SessionPlaces
from memtui.core.sessions.quick import look_at
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass, field

MOST_NEAR = 200
"""So many files of a directory are opened at most to find the session of one agent, the newest first."""


@dataclass(frozen=True, slots=True)
class Running:
    """Who runs now. `is_known` = the system shows its processes: who is not among `agents` does not run here.

    `beside` are those that a person means who looks at memtui: in its window, or at work in its directory.
    `is_seen` = somebody has memtui's own pane before their eyes, as far as can be told; `problem` says why tmux
    named no panes, '' when it did, or where there is no tmux. `rows` are the sessions of the agents by file.
    """

    agents: tuple[Agent, ...] = ()
    is_known: bool = False
    is_seen: bool = True
    problem: str = ""
    rows: Mapping[Path, Session] = field(default_factory=dict)
    beside: tuple[Agent, ...] = ()


class Finder:
    """Finds the running agents again and again. Belongs to one thread.

    While neither the panes nor the rows given change, and every agent still runs, a look is one call of tmux
    and opens no file. `processes` and `still` are the seams to the system.
    """

    def __init__(
        self,
        env: Env,
        tmux: Tmux | None = None,
        processes: Callable[[], Processes] = list_processes,
        still: Callable[[int], bool] = is_running,
    ) -> None:
        self._env = env
        self.opened: dict[str, Path] = {}
        """The sessions that memtui opened, by the id of the pane."""
        self.tmux = Tmux(env.environ) if tmux is None else tmux
        self._list_processes, self._still = processes, still
        self._processes: Processes | None = None
        self._panes_then: tuple[tuple[object, ...], ...] = ()
        self._unexplained_ns = 0
        self._sessions_then: Sequence[Session] | None = None
        self._places: dict[tuple[int, float], tuple[Home, SessionPlaces]] = {}
        self._near: dict[Path, tuple[int, tuple[Session, ...]]] = {}
        self._last: tuple[tuple[object, ...], Running] | None = None

    def find(self, sessions: Sequence[Session] | None = None, *, again: bool = False) -> Running:
        """Who runs now. Never raises.

        `sessions` are the rows of memtui's own session directory, of all projects; None: what is needed of
        them is read here. `again`: the processes are looked at even if nothing speaks for a change.
        """
        panes, problem = self._look_at_panes()
        is_new = again or self._has_changed(panes, sessions)
        if is_new:
            self._processes = self._list_processes()
            self._panes_then = _who(panes)
            self._near.clear()
        processes = self._processes or Processes()
        rows = self._rows(panes, processes, sessions)
        key = (panes, processes, rows, problem, tuple(self.opened.items()))
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        homes = {pid: home for (pid, _started), (home, _places) in self._places.items()}
        agents = match(panes, processes, rows, self._env.now(), self._env.environ, homes, self.opened)
        self._unexplained_ns, self._sessions_then = _unexplained(agents, sessions), sessions
        own = next((pane for pane in panes if pane.id == self.tmux.own_pane), None)
        files = {file for agent in agents for file in agent.sessions}
        theirs = {row.file: row for row in rows if row.file in files}
        beside = tuple(
            agent
            for agent in agents
            if (agent.pane is not None and agent.pane.is_shown) or self._is_here(agent.cwd)
        )
        is_seen = own is None or own.is_seen
        running = Running(agents, processes.is_known, is_seen, problem, theirs, beside)
        self._last = (key, running)
        return running

    def _look_at_panes(self) -> tuple[tuple[Pane, ...], str]:
        if not self.tmux.is_here:
            return (), ""
        try:
            return self.tmux.panes(), ""
        except TmuxError as error:
            return (), str(error)

    def _has_changed(self, panes: Iterable[Pane], sessions: Sequence[Session] | None) -> bool:
        if self._processes is None or _who(panes) != self._panes_then:
            return True
        if not all(self._still(process.pid) for process in self._processes.agents):
            return True
        # a session that grows while nobody is known to write it: by an agent that began since
        if sessions is None or sessions is self._sessions_then:
            return False
        agents = () if self._last is None else self._last[1].agents
        return _unexplained(agents, sessions) > self._unexplained_ns

    # The rows

    def _rows(
        self, panes: Iterable[Pane], processes: Processes, sessions: Sequence[Session] | None
    ) -> tuple[Session, ...]:
        """The rows among which the sessions of the agents are: those given, and what they do not cover."""
        rows = [] if sessions is None else list(sessions)
        known = {(process.pid, process.started) for process in processes.agents}
        self._places = {key: places for key, places in self._places.items() if key in known}
        shown = {pane.tty for pane in panes if pane.is_shown}
        read: set[Path] = set()
        for process in processes.agents:
            if process.agent != PI or not process.cwd:
                continue
            places = self._places_of(process)
            is_own = places.directory == self._own_directory
            # what has nothing to do with this project, nor with this home, is not read
            is_wanted = sessions is None if is_own else process.tty in shown or self._is_here(process.cwd)
            if not is_wanted or places.own in read:
                continue
            read.add(places.own)
            rows += self._rows_near(places.own, [p for p in processes.agents if p.cwd == process.cwd], panes)
        return tuple(rows)

    def _places_of(self, process: Process) -> SessionPlaces:
        key = (process.pid, process.started)
        if key not in self._places:
            found = locate_pi(_env_of(process, self._env))
            is_told = process.environ is not None
            home = Home(found.agent_dir, found.sessions.directory) if is_told else Home()
            self._places[key] = home, found.sessions
        return self._places[key][1]

    def _is_here(self, directory: str) -> bool:
        """Whether a physical directory is memtui's own, or lies below it."""
        return directory == self._own_cwd or directory.startswith(f"{self._own_cwd.rstrip('/')}/")

    @cached_property
    def _own_cwd(self) -> str:
        return os.fspath(fs.real_path(self._env.cwd))

    @cached_property
    def _own_directory(self) -> Path:
        return locate_pi(self._env).sessions.directory

    def _rows_near(
        self, folder: Path, processes: Sequence[Process], panes: Iterable[Pane]
    ) -> tuple[Session, ...]:
        changed_ns = _changed_ns(folder)
        known = self._near.get(folder)
        if known is None or known[0] != changed_ns:
            began = min(process.started for process in processes) - SLACK_S
            is_named = any(name_in_title(pane.title, processes[0].cwd) for pane in panes)
            known = changed_ns, tuple(_read_near(folder, began, is_named=is_named))
            self._near[folder] = known
        return known[1]


def find_agents(env: Env, sessions: Sequence[Session] | None = None, tmux: Tmux | None = None) -> Running:
    """Who runs now, as `Finder.find` tells it, once. Some tens of milliseconds; never raises."""
    return Finder(env, tmux).find(sessions)


def _who(panes: Iterable[Pane]) -> tuple[tuple[object, ...], ...]:
    """What of panes tells that another program may be in one: titles change all the time."""
    return tuple((pane.id, pane.pid, pane.command, pane.tty, pane.dead) for pane in panes)


def _unexplained(agents: Iterable[Agent], sessions: Sequence[Session] | None) -> int:
    """When a session grew last that no agent is known to write (ns since 1970), 0 for never."""
    known = {file for agent in agents for file in agent.sessions}
    return max((row.mtime_ns for row in sessions or () if row.file not in known), default=0)


def _env_of(process: Process, env: Env) -> Env:
    """The environment as the agent has it; memtui's own where that cannot be read."""
    cwd = Path(process.cwd)
    if process.environ is None:
        return dataclasses.replace(env, cwd=cwd, logical_cwd=None)
    given = dict(process.environ)
    home = Path(given["HOME"]) if os.path.isabs(given.get("HOME", "")) else env.home
    return dataclasses.replace(env, home=home, cwd=cwd, logical_cwd=None, environ=given)


def _changed_ns(folder: Path) -> int:
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return 0


def _read_near(folder: Path, began: float, *, is_named: bool) -> Iterator[Session]:
    """Rows of a directory: of the files written to since `began`; where a name is looked for, of others too."""
    places = SessionPlaces(PI, folder, folder, flat=True, cwd=folder)
    for file in session_files(places)[:MOST_NEAR]:
        if not is_named and file.mtime_ns < began * 1e9:
            return
        with contextlib.suppress(OSError):
            yield look_at(file.path)
