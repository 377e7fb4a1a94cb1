"""Which agent runs in which pane, and which session it writes. Pure.

No file tells which session a pi has (it opens one for every line and keeps none open, pi-and-zcode sheet A2),
so it is told by the directory in the session's header, by the name in the title of the pane, and by what was
written since the process began. What that leaves open stays open: then all that may be are named.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from memtui.core.agents.base import AGENTS, PI, Agent, Pane
from memtui.core.agents.process import Process, Processes
from memtui.core.sessions.base import Session
from memtui.i18n import _, ngettext
from memtui.late import dataclasses, re
from memtui.late.dataclasses import dataclass, field

SLACK_S = 2.0
"""How far the start of a process and the times of files may be apart: one is counted since the boot."""

AHEAD_S = 120.0
"""The clock of a file server may be ahead; a time beyond this is none of a file that is written now."""

LEADS_ELSEWHERE = frozenset({"tmux", "tmux: client", "screen", "zellij", "ssh", "mosh-client", "telnet"})
"""Programs that show other terminals in a pane: what runs there is not in it."""

SESSION_FILE, SESSION_ID = "PI_SESSION_FILE", "PI_SESSION_ID"
"""Variables that pi gives to the programs of its shell tool, and to nothing else."""

_PI_TITLE = "π - "
_NOT_IN_TITLES = re.compile(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff\ufffd]+")


@dataclass(frozen=True, slots=True)
class Home:
    """Where an agent keeps its files: its settings and its sessions (None = not known)."""

    agent_dir: Path | None = None
    sessions_dir: Path | None = None


def match(
    panes: Iterable[Pane],
    processes: Processes,
    sessions: Iterable[Session],
    now: datetime,
    environ: Mapping[str, str],
    homes: Mapping[int, Home] | None = None,
    opened: Mapping[str, Path] | None = None,
) -> tuple[Agent, ...]:
    """The running agents: those in the window of memtui first, then those in other panes, then the rest.

    `sessions` are the rows among which theirs are looked for; `environ` is memtui's own environment, `homes`
    says by process where each keeps its files, `opened` by the id of a pane which session memtui opened in it.
    """
    rows, homes = tuple(sessions), homes or {}
    agents = [_with_home(agent, homes) for agent in _agents(tuple(panes), processes)]
    candidates = [_without_children(_candidates(agent, rows, now), agent, agents) for agent in agents]
    own = _own(agents, processes, environ, rows)
    told = [
        _told_at_once(agent, those, own) or _opened_here(agent, those, opened or {})
        for agent, those in zip(agents, candidates, strict=True)
    ]
    sure = {number for number, agent in enumerate(told) if agent is not None and agent.session is not None}
    taken = {agent.session for agent in told if agent is not None and agent.session is not None}
    found = []
    for number, agent in enumerate(agents):
        rivals = {n for n, other in enumerate(agents) if n != number and _may_share(agent, other)}
        by_growth = (candidates[number], taken, len(rivals), len(rivals - sure))
        found.append(told[number] or _told_by_growth(agent, *by_growth))
    return tuple(sorted(found, key=_order))


# Agents and panes


def _agents(panes: Sequence[Pane], processes: Processes) -> list[Agent]:
    left = list(processes.agents)
    pis = {process.pid for process in left if process.agent == PI}
    agents = []
    for pane in panes:
        if pane.dead or pane.command in LEADS_ELSEWHERE:
            continue
        process = _in_pane(pane, left)
        if process is not None:
            left.remove(process)
            agents.append(_agent(process, pane, pis))
        elif pane.command in AGENTS and not processes.is_known:
            agents.append(Agent(pane.command, 0, pane.cwd, pane))
    return agents + [_agent(process, None, pis) for process in left]


def _in_pane(pane: Pane, processes: Iterable[Process]) -> Process | None:
    """The agent that a pane shows: a process of its own on its own terminal, the one that gets the keys first.

    A terminal's device alone does not tell: in a container another one has the same name.
    """
    inside = [
        process
        for process in processes
        if pane.pid in (process.pid, *process.ancestors) and process.tty == pane.tty
    ]
    return min(inside, key=lambda process: (not process.is_front, len(process.ancestors)), default=None)


def _agent(process: Process, pane: Pane | None, pis: Collection[int]) -> Agent:
    cwd = process.cwd or (pane.cwd if pane is not None else "")
    parent = next((pid for pid in process.ancestors if pid in pis), 0)
    return Agent(process.agent, process.pid, cwd, pane, started=process.started, started_by=parent)


def _with_home(agent: Agent, homes: Mapping[int, Home]) -> Agent:
    home = homes.get(agent.pid)
    if home is None:
        return agent
    return dataclasses.replace(agent, agent_dir=home.agent_dir, sessions_dir=home.sessions_dir)


def _order(agent: Agent) -> tuple[bool, bool, str, int]:
    pane = agent.pane
    return pane is None or not pane.is_shown, pane is None, "" if pane is None else pane.place, agent.pid


# Agents and sessions


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Sessions of an agent's directory: those `named` as its pane's title says, those that `grew` since it
    began; the newest first. `name` is the one in the title, None where the title is none of pi's."""

    named: list[Session] = field(default_factory=list)
    grew: list[Session] = field(default_factory=list)
    name: str | None = None


def _candidates(agent: Agent, rows: Iterable[Session], now: datetime) -> _Candidates:
    if agent.agent != PI or not agent.cwd:
        return _Candidates()
    name = None if agent.pane is None else name_in_title(agent.pane.title, agent.cwd)
    here = sorted(
        (row for row in rows if row.pi_opens and _is_of(row, agent)), key=lambda row: (-row.mtime_ns, row.file)
    )
    named = [row for row in here if name and row.name and _as_in_titles(row.name) == name]
    # without its start nothing can be told from growth, and a time to come is no sign
    since, until = agent.started - SLACK_S, now.timestamp() + AHEAD_S
    grew = [row for row in here if agent.started and since <= row.mtime <= until]
    return _Candidates(named, grew, name)


def _is_of(row: Session, agent: Agent) -> bool:
    if row.cwd != agent.cwd and row.cwd.rstrip("/") != agent.cwd:
        return False
    return agent.sessions_dir is None or agent.sessions_dir in row.file.parents


def name_in_title(title: str, cwd: str) -> str | None:
    """The session's name in the title that pi gives its pane, '' for none; None for a title that is not pi's.

    What a title cannot hold is left out of it.
    """
    base = _as_in_titles(os.path.basename(cwd))
    title = _as_in_titles(title)
    if title == _as_in_titles(_PI_TITLE + base):
        return ""
    lead, end = _PI_TITLE, f" - {base}"
    if not title.startswith(lead) or not title.endswith(end.rstrip()) or len(title) < len(lead) + len(end):
        return None
    return title[len(lead) : len(title) - len(end.rstrip())].strip()


def _as_in_titles(text: str) -> str:
    return _NOT_IN_TITLES.sub("", text).strip()


def _without_children(those: _Candidates, agent: Agent, agents: Iterable[Agent]) -> _Candidates:
    """What a pi that another one started writes began with it, and is not what that other one writes."""
    began = agent.started if agent.started_by else 0.0
    ended = min((it.started for it in agents if agent.pid and it.started_by == agent.pid), default=None)
    if not began and ended is None:
        return those
    grew = []
    for row in those.grew:
        at = 0.0 if row.started is None else row.started.timestamp()
        if at >= began - SLACK_S and (ended is None or at < ended):
            grew.append(row)
    return dataclasses.replace(those, grew=grew)


def _may_share(agent: Agent, other: Agent) -> bool:
    """Whether another agent may write into the same sessions."""
    if other.agent != PI or other.cwd != agent.cwd:
        return False
    if (agent.pid and agent.pid == other.started_by) or (other.pid and other.pid == agent.started_by):
        return False
    return None in (other.sessions_dir, agent.sessions_dir) or other.sessions_dir == agent.sessions_dir


def _told_at_once(agent: Agent, those: _Candidates, own: tuple[Agent, Path] | None) -> Agent | None:
    """The agent with its sessions where something names them, whatever other agents do."""
    if agent.agent != PI:
        return dataclasses.replace(agent, because=_("memtui knows only the sessions of pi"), is_sure=False)
    if own is not None and agent is own[0]:
        return dataclasses.replace(agent, sessions=(own[1],), because=_("its shell tool started memtui"))
    if not those.named:
        return None
    rows = [row for row in those.named if row in those.grew] or those.named
    because = _("the title of its pane names it")
    files = tuple(row.file for row in rows)
    return dataclasses.replace(agent, sessions=files, because=because, is_sure=len(files) == 1)


def _opened_here(agent: Agent, those: _Candidates, opened: Mapping[str, Path]) -> Agent | None:
    """The agent with the session that memtui opened it with, while nothing else of its directory grew: then it
    may have gone on to another."""
    file = None if agent.pane is None else opened.get(agent.pane.id)
    if file is None or any(row.file != file for row in those.grew):
        return None
    return dataclasses.replace(agent, sessions=(file,), because=_("memtui opened it there"))


def _told_by_growth(
    agent: Agent, those: _Candidates, taken: Collection[Path], rivals: int, unsure_rivals: int
) -> Agent:
    """The agent with what was written since it began; `taken` are the sessions of others."""
    grew = [row for row in those.grew if row.file not in taken]
    # a session that has a name now may have got it from elsewhere, which the title does not tell
    nameless = [row for row in grew if not row.name] if those.name == "" else []
    files = tuple(row.file for row in nameless or grew)
    if not files:
        because = _("no session of its directory was written to since it began")
    elif not rivals or (not unsure_rivals and len(files) == 1):
        because = _("it was written to last since pi began")
        return dataclasses.replace(agent, sessions=files[:1], because=because)
    else:
        because = ngettext(
            "{count} other pi runs in its directory", "{count} other pi run in its directory", rivals
        ).format(count=rivals)
    return dataclasses.replace(agent, sessions=files, because=because, is_sure=False)


def _own(
    agents: Iterable[Agent], processes: Processes, environ: Mapping[str, str], rows: Iterable[Session]
) -> tuple[Agent, Path] | None:
    """The agent whose shell tool started memtui, and the session that it told.

    The variables alone are not enough: a tmux server that was started so hands them on to every window.
    """
    known = {agent.pid: agent for agent in agents if agent.agent == PI}
    starter = next((known[pid] for pid in processes.own if pid in known), None)
    if starter is None:
        return None
    if named := environ.get(SESSION_FILE, ""):
        return starter, Path(named)
    wanted = environ.get(SESSION_ID, "")
    found = [row.file for row in rows if wanted and row.id == wanted]
    return (starter, found[0]) if len(found) == 1 else None
