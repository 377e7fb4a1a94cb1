"""The door to what the running agents carry of the memory, and what a change means for each of them.

Everything here reads files, and belongs to the thread of its workspace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.core.agents.base import PI, Agent
from memtui.core.agents.conversation import Reading, read_conversation
from memtui.core.agents.loaded import Conversation, FileState, Loaded, MemoryNow, loaded, not_known
from memtui.core.agents.loaded_table import NOBODY, NOT_KNOWN
from memtui.core.agents.loaded_ways import WAYS, Way, reads, way_of
from memtui.core.agents.using import name_of
from memtui.core.env import Env
from memtui.core.history.journal import Journal
from memtui.core.history.records import Record
from memtui.core.history.spells import Past
from memtui.core.layouts.base import Snapshot, Store, digest
from memtui.core.locate.pi_agent import agent_dir
from memtui.core.locate.pi_extensions import Extension, Extensions, find_extensions
from memtui.core.sessions.reader import status_of
from memtui.core.sessions.times import from_seconds
from memtui.core.stores import Stores
from memtui.core.workspace import Workspace
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

__all__ = ["AgentMemory", "Carried", "line_of", "sentence_of", "sentences_of"]

MOST_SESSIONS = 4
"""Where an agent may be in one of so many sessions, all are looked at: they may carry the same."""


TOLD_BY_TIMES = ("index-changed", "body-changed", "body-shown", "empty", "not-known")
"""States of which the history may know better."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What a running agent carries of the memory of a store; its sentences may hold text from disk.

    `session` is the file that tells it, None where none does.
    """

    agent: Agent
    store: Store
    session: Path | None
    loaded: Loaded
    carries: str
    brings: str


class AgentMemory:
    """What running agents carry of the stores of one workspace. What was read of a session that has not grown
    since is not read again."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._env = workspace.env
        self._journal = Journal(self._env.state_dir, self._env.now, keeps=workspace.config.history.enabled)
        self._records: tuple[Record, ...] = ()
        self._read: dict[Path, Reading] = {}
        self._extensions: dict[tuple[str, Path | None], Extensions] = {}
        self._elsewhere: dict[str, frozenset[Path]] = {}

    def carried(self, agents: Sequence[Agent], snapshots: Sequence[Snapshot]) -> tuple[Carried, ...]:
        """What each agent carries of each of these stores that it reads, as they are in the snapshots."""
        found: list[Carried] = []
        has_read = False
        self._extensions.clear()
        for snapshot in snapshots:
            those = [agent for agent in agents if self._reads(agent, snapshot.store)]
            if not those:
                continue
            talks = {agent: self._talks(agent) for agent in those}
            now = self._now(snapshot)
            told = [self._carried(agent, snapshot.store, talks, now) for agent in those]
            if any(item.loaded.state in TOLD_BY_TIMES for item in told):
                # times alone say that something changed: whether it was taken back, the history knows
                if not has_read:
                    self._read_records()
                    has_read = True
                now = self._now(snapshot, self._past(snapshot.store))
                told = [self._carried(agent, snapshot.store, talks, now) for agent in those]
            found += (item for item in told if self._is_here(item.agent) or _may_read(item))
        return tuple(found)

    # Which memory an agent reads

    def _reads(self, agent: Agent, store: Store) -> bool:
        if not reads(agent.agent, store.owner, store.read_by):
            return False
        if self._is_here(agent):
            return store.used
        if agent.cwd not in self._elsewhere:
            # where other projects keep their memory is found once: that is read from files
            there = Stores(self._env_of(agent)).used_stores()
            self._elsewhere[agent.cwd] = frozenset(other.root for other in there)
        return store.root in self._elsewhere[agent.cwd]

    def _is_here(self, agent: Agent) -> bool:
        """Whether it works in the directory of this workspace, or in one that is not known."""
        return not agent.cwd or Path(agent.cwd) in (self._env.cwd, self._env.logical_cwd)

    def _env_of(self, agent: Agent) -> Env:
        return dataclasses.replace(self._env, cwd=Path(agent.cwd or self._env.cwd), logical_cwd=None)

    def _extension(self, agent: Agent, owner: str) -> Extension | None:
        place = agent.cwd, agent.agent_dir
        if place not in self._extensions:
            env = self._env_of(agent)
            self._extensions[place] = find_extensions(env, agent.agent_dir or agent_dir(env)[0])
        return self._extensions[place].of(owner)

    # What they said

    def _talks(self, agent: Agent) -> list[tuple[Path, Conversation]]:
        """The sessions that an agent may be in, as far as they can be read."""
        talks = []
        for file in agent.sessions[: MOST_SESSIONS + 1]:
            try:
                known = self._read.get(file)
                if known is None or known.status != status_of(file):
                    known = self._read[file] = read_conversation(file, known)
            except OSError:
                continue
            talks.append((file, known.said))
        return talks

    def _carried(
        self,
        agent: Agent,
        store: Store,
        talks: dict[Agent, list[tuple[Path, Conversation]]],
        now: MemoryNow,
    ) -> Carried:
        others = [talk for other, those in talks.items() if other is not agent for _file, talk in those]
        given = tuple(
            (mark.text, mark.when)
            for talk in others
            for mark in talk.marks
            if mark.kind == "given" and mark.on_branch
        )
        now = dataclasses.replace(now, given=given)
        mine = talks[agent]
        if agent.sessions and not mine:
            what = not_known("unread")
        elif len(agent.sessions) > MOST_SESSIONS:
            what = not_known("session")
        else:
            answers = [self._loaded(agent, store, talk, now) for _file, talk in mine]
            answers = answers or [self._loaded(agent, store, None, now)]
            is_same = all(answer.row == answers[0].row for answer in answers)
            what = answers[0] if is_same else not_known("session")
        moment = self._env.now()
        session = mine[0][0] if len(mine) == 1 else None
        return Carried(agent, store, session, what, what.carries(moment), what.row.brings)

    def _loaded(self, agent: Agent, store: Store, talk: Conversation | None, now: MemoryNow) -> Loaded:
        version, name = "", agent.agent
        if agent.agent == PI:
            extension = self._extension(agent, store.owner)
            ways = [way for way in WAYS if (way.agent, way.owner) == (PI, store.owner)]
            if (extension is None or not extension.loaded) and not (talk and _has_used(talk, ways)):
                return not_known("extension")
            version, name = (extension.version, extension.package) if extension else ("", ways[0].name)
        way = way_of(agent.agent, store.owner, version)
        if isinstance(way, str):
            return not_known(way, name=name, version=version)
        process = from_seconds(agent.started) if agent.started else None
        return loaded(way, version, talk, process, now)

    # The memory

    def _read_records(self) -> None:
        """Read of the changes that memtui made those that it made since they were read last."""
        known = {record.id: at for at, record in enumerate(self._records) if record.state != "open"}
        new: list[Record] = []
        for record in self._journal.records():
            if record.id in known:
                self._records = (*new, *self._records[known[record.id] :])
                return
            new.append(record)
        self._records = tuple(new)

    def _past(self, store: Store) -> Past:
        return Past(store.root, self._records, self._journal.sightings.of(store.root, store.layout))

    def _now(self, snapshot: Snapshot, past: Past | None = None) -> MemoryNow:
        """A memory as it is; with its `past`, what that proves of earlier times."""
        store = snapshot.store
        titles = {memory.file: memory.title for memory in snapshot.memories}
        index = store.profile.index_name
        files = []
        for path in {*titles, index}:
            file = snapshot.files.get(path)
            if file is None or file.updated is None:
                continue
            same = past.spells(path, digest(file.data)) if past is not None and file.data is not None else ()
            files.append(FileState(path, file.updated, path == index, titles.get(path, ""), same))
        for path, when in past.removed().items() if past is not None else ():
            if path not in snapshot.files:
                files.append(FileState(path, when, path == index))
        return MemoryNow(tuple(files), "" if store.loads else store.loads_not_because)


def sentence_of(item: Carried) -> str:
    """What an agent carries and what refreshes it, with its name before it."""
    return f"{name_of(item.agent)}: {item.carries}; {item.brings}"


def sentences_of(found: Iterable[Carried], agent: Agent) -> list[str]:
    """What one agent carries, a sentence a store, with the owner before it where there are several."""
    mine = [item for item in found if item.agent == agent]
    owners = len({item.store.id for item in mine}) > 1
    said = (f"{item.store.owner}: " * owners + f"{item.carries}; {item.brings}" for item in mine)
    return list(dict.fromkeys(said))


def line_of(found: Sequence[Carried], *, is_known: bool) -> str:
    """What a change means for those who run, in one line; those for whom it means the same together.

    `is_known`: who is not among them does not run; '' where nothing is known of who does.
    """
    names: dict[str, list[str]] = {}
    for item in found:
        names.setdefault(f"{item.carries}; {item.brings}", []).append(name_of(item.agent))
    said = [f"{', '.join(dict.fromkeys(who))}: {what}" for what, who in names.items()]
    return " · ".join(said) or (NOBODY if is_known else "")


def _may_read(item: Carried) -> bool:
    """Whether it may share the memory: not where the settings there load nothing that does."""
    return item.loaded.row is not NOT_KNOWN["extension"]


def _has_used(talk: Conversation, ways: Iterable[Way]) -> bool:
    """Whether a session shows that a program was loaded in it, whatever the settings say now."""
    for way in ways:
        known = {way.section, way.shown, *way.reads} - {""}
        if any(mark.text in known or (mark.kind == "given" and way.given) for mark in talk.marks):
            return True
    return False
