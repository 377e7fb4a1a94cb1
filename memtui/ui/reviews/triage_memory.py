"""What a triage remembers from run to run, while it runs. Lives in the UI thread, writes on the work thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from memtui.core.kept import Keeps, Kept, Run, TriageState, with_keep
from memtui.late.dataclasses import dataclass, replace

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk

RESUMED_FOR = timedelta(days=7)
"""A run that was left is gone on with for so long."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of this run: its row and title ('' = made before this start), what it was, and the change it
    made ('' = none).

    `keeps` is the memory (the ids of store and memory) that is kept because of it, `before` what was kept of it
    before.
    """

    row_id: str
    kind: str
    title: str
    change: str = ""
    keeps: tuple[str, str] | None = None
    before: Kept | None = None


class TriageMemory:
    """The keeps and the run of one triage."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.state = TriageState()
        self.log: tuple[Decision, ...] = ()
        self._key = ""
        self._earlier: Counter[str] = Counter()
        self._began = desk.app.env.now()
        self._unsaved: dict[tuple[str, str], Kept | None] = {}
        self._is_saving = self._is_dirty = False

    def begin(self, state: TriageState, key: str, *, is_empty: bool) -> None:
        """Begin with what was saved: a run that was left is gone on with, and one that ended is only shown
        where the queue `is_empty`."""
        self.state, self._key = state, key
        run = state.runs.get(key)
        is_fresh = run is not None and self._desk.app.env.now() - run.last < RESUMED_FOR
        if run is not None and is_fresh and (is_empty or not run.ended):
            self._began = run.began
            self.log = tuple(Decision("", kind, "", change) for kind, change in run.changes)
            self._earlier = Counter(run.counts) - Counter(kind for kind, _change in run.changes)

    # What was decided

    @property
    def counts(self) -> Mapping[str, int]:
        """How many were decided in this run, by kind."""
        return self._earlier + Counter(decision.kind for decision in self.log)

    @property
    def changes(self) -> tuple[str, ...]:
        """The changes that this run made, oldest first."""
        return tuple(decision.change for decision in self.log if decision.change)

    def decided(self, decision: Decision, kept: Kept | None = None) -> None:
        """Note a decision, and what is kept because of it."""
        memory = decision.keeps
        if memory is not None and kept is not None:
            decision = replace(decision, before=self.state.keeps.get(memory[0], {}).get(memory[1]))
            self._set(memory, kept)
        self.log = (*self.log, decision)
        self.save()

    def taken_back(self) -> Decision:
        """Forget the last decision, and what was kept because of it; gives it. Raises IndexError."""
        decision, self.log = self.log[-1], self.log[:-1]
        if decision.keeps is not None:
            self._set(decision.keeps, decision.before)
        self.save()
        return decision

    def forget_run(self) -> None:
        """Forget this run and all that was kept in it."""
        for store_id in self._key.split("\n"):
            for memory_id, kept in self.state.keeps.get(store_id, {}).items():
                if kept.when >= self._began:
                    self._set((store_id, memory_id), None)
        for decision in reversed(self.log):
            if decision.keeps is not None:
                self._set(decision.keeps, decision.before)
        self.log, self._earlier = (), Counter()
        self.save()

    def _set(self, memory: tuple[str, str], kept: Kept | None) -> None:
        self._unsaved[memory] = kept
        self.state = replace(self.state, keeps=with_keep(self.state.keeps, *memory, kept))

    # Writing

    def save(self, *, ended: bool = False) -> None:
        """Write what is not written yet; what comes while that is done is written behind it."""
        if self._is_saving and not ended:
            self._is_dirty = True
            return
        run, key = self._run(ended), self._key
        unsaved, self._unsaved = self._unsaved, {}
        self._is_saving, self._is_dirty = True, False

        def change(state: TriageState) -> TriageState:
            keeps: Keeps = state.keeps
            for (store_id, memory_id), kept in unsaved.items():
                keeps = with_keep(keeps, store_id, memory_id, kept)
            runs = {name: known for name, known in state.runs.items() if name != key}
            return TriageState(keeps, {**runs, key: run} if run is not None else runs)

        def job(workspace: Workspace) -> None:
            from memtui.core.kept import update_triage

            update_triage(workspace.env, change)

        def failed(error: MemtuiError) -> None:
            # with the next decision it is tried again
            self._unsaved = {**unsaved, **self._unsaved}
            self._not_saved(error)

        self._desk.work.do(job, self._saved, failed=failed)

    def _run(self, ended: bool) -> Run | None:
        if not self.counts:
            return None
        changes = tuple((decision.kind, decision.change) for decision in self.log if decision.change)
        return Run(self._began, self._desk.app.env.now(), dict(self.counts), changes, ended)

    def _saved(self, _result: object) -> None:
        self._is_saving = False
        if self._is_dirty:
            self.save()

    def _not_saved(self, error: MemtuiError) -> None:
        self._is_saving = False
        from memtui.core.safety import display
        from memtui.i18n import _

        said = _("what you kept could not be noted: {reason}").format(reason=display.line(error.message))
        self._desk.say(said, "warn")
