"""The keys that mend: what is wrong with the row under the cursor, or all that is proven safe."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui.asking import why_read_only

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.core.layouts.base import Problem, Snapshot
    from memtui.core.mending import Key, Proposal
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item, Notice, StoreView, View
    from memtui.ui.widgets.spans import Span

SPELLED_OUT = 8
"""So many problems are named one by one in a question; of more only the kinds are told."""

LEAST_TOLD = 3
"""Rows about what would be mended that a question has on any screen; the look shows all."""


def mendable(store: StoreView | None, item: Item | None, notice: Notice | None) -> tuple[Problem, ...]:
    """The problems with a repair that the key is about: those of a memory and of its file as a whole.

    Where a memory has none of its own, what mends its whole file is meant.
    """
    if notice is not None:
        return (notice.problem,) if notice.problem.repair is not None else ()
    if store is None or item is None:
        return ()
    memory = item.memory
    problems = [problem for problem in store.snapshot.problems if problem.repair is not None]
    own = [
        problem
        for problem in problems
        if problem.memory == memory.id or (problem.memory is None and problem.file == memory.file)
    ]
    shared = [problem for problem in problems if getattr(problem.repair, "path", None) == memory.file]
    return tuple(own or shared)


def safe_problems(view: View | None, marked: Collection[Item]) -> list[tuple[Snapshot, Problem]]:
    """The problems with a safe repair: of the marked memories, or of every store."""
    ids = {(item.store, item.memory.id) for item in marked}
    return [
        (store.snapshot, problem)
        for number, store in enumerate(view.stores if view is not None else ())
        for problem in store.snapshot.problems
        if problem.is_safe and (not ids or (number, problem.memory) in ids)
    ]


class Mending:
    """The commands that mend."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def repair(self) -> None:
        """Ask with what is wrong here; `o` shows what would change, `y` does it."""
        from memtui.core.mending import key_of
        from memtui.ui.why_not import why_not

        desk, store = self._desk, self._desk.store
        problems = mendable(store, desk.item, desk.notice)
        if not problems or store is None:
            desk.say(why_not(desk, "repair"), "muted")
            return
        row = desk.item or desk.notice
        wanted = {store.snapshot.store.id: [key_of(problem) for problem in problems]}
        self._propose([store.snapshot], wanted, "x", row.row_id if row is not None else "")

    def repair_all(self) -> None:
        """Ask with all that is proven safe, of what is marked or of every store; `y` does it at once."""
        from memtui.core.mending import key_of
        from memtui.ui.why_not import why_not

        desk, view = self._desk, self._desk.view
        found = safe_problems(view, desk.marked)
        if not found or view is None:
            desk.say(why_not(desk, "repair_all"), "muted")
            return
        wanted: dict[str, list[Key]] | None = None
        if desk.marked:
            wanted = {}
            for snapshot, problem in found:
                wanted.setdefault(snapshot.store.id, []).append(key_of(problem))
        self._propose([store.snapshot for store in view.stores], wanted, "X", "")

    def _propose(
        self,
        snapshots: Sequence[Snapshot],
        wanted: Mapping[str, Collection[Key]] | None,
        opener: str,
        about: str,
    ) -> None:
        def job(workspace: Workspace) -> tuple[Proposal, list[str]]:
            from memtui.core.mending import Mending as Door
            from memtui.ui.differences import made_plan_lines

            proposal = Door(workspace).propose(snapshots, wanted)
            return proposal, made_plan_lines(workspace, proposal.plan)

        def ask(found: tuple[Proposal, list[str]]) -> None:
            from memtui.ui.hindrances import ask_once_more

            proposal, lines = found

            def mend() -> None:
                self._changing.do(lambda workspace, locks: _mend(workspace, proposal, locks))

            self._changing.ask_first(
                self._question(proposal),
                lambda workspace: lines,
                lambda: ask_once_more(self._desk.ask_bar, self._sharers(proposal), mend),
                details=self._details(proposal),
                opener=opener,
                hint=_("(u takes it back)"),
                about=about,
            )

        self._desk.work.do(job, ask, channel="propose", failed=self._changing.failed)

    def _sharers(self, proposal: Proposal) -> str:
        """The other projects that read what is mended, where that is much; safe, '' = none."""
        from memtui.ui import wording

        stores = [snapshot.store for snapshot, _problem in proposal.done] if len(proposal.done) > 1 else []
        projects = dict.fromkeys(project for store in stores for project in store.shared_by)
        return ", ".join(wording.sentence(project, self._desk.app.env.home) for project in projects)

    def _question(self, proposal: Proposal) -> str:
        from memtui.ui import wording

        done = _once(proposal.done)
        if len(done) == 1:
            ((snapshot, problem),) = done
            return _("Mend it by {repair}?").format(repair=wording.repair(snapshot, [problem]))
        count, stores = len(done), {snapshot.store.id for snapshot, _problem in done}
        problems = ngettext("{count} problem", "{count} problems", count).format(count=f"{count:,}")
        if len(stores) == 1:
            return _("Mend {problems}?").format(problems=problems)
        return _("Mend {problems} in {count} stores?").format(problems=problems, count=len(stores))

    def _details(self, proposal: Proposal) -> list[list[Span]]:
        """What is wrong and what would be done: one by one where they are few, else by kind; then the notes."""
        from memtui.core.safety import display
        from memtui.ui import wording

        home, done = self._desk.app.env.home, _once(proposal.done)
        texts: list[str] = []
        if len(done) == 1:
            texts.append(wording.sentence(done[0][1].message, home))
        elif len(done) <= SPELLED_OUT:
            texts += [_one(snapshot, problem, home) for snapshot, problem in done]
        else:
            texts += _by_kind(done)
        rows = [row for text in texts for row in self._desk.wrapped(text)]
        rows += [row for note in proposal.plan.notes for row in self._desk.wrapped(display.line(note))]
        room = max(LEAST_TOLD, self._desk.app.size.height // 2)
        spans: list[list[Span]] = [[(row, "warn")] for row in rows[:room]]
        if len(rows) > room:
            spans[-1] = [(_("… and more; o shows all"), "muted")]
        return spans


def _mend(workspace: Workspace, proposal: Proposal, locks: Collection[Path]) -> Outcome:
    from memtui.core.mending import Mending as Door

    return Door(workspace).run(proposal, takes_over=locks)


def _once(done: Iterable[tuple[Snapshot, Problem]]) -> list[tuple[Snapshot, Problem]]:
    """What is mended, once where one thing is said at several lines."""
    said: dict[tuple[str | None, ...], tuple[Snapshot, Problem]] = {}
    for snapshot, problem in done:
        what = snapshot.store.id, problem.file, problem.memory, problem.code, problem.message
        said.setdefault(what, (snapshot, problem))
    return list(said.values())


def _one(snapshot: Snapshot, problem: Problem, home: Path) -> str:
    from memtui.core.safety import display
    from memtui.ui import wording

    place = display.line(problem.memory or problem.file or snapshot.store.id)
    return _("{place}, {problem}: {repair}").format(
        place=place,
        problem=wording.problem_word(problem.code),
        repair=wording.repair(snapshot, [problem]),
    )


def _by_kind(done: Iterable[tuple[Snapshot, Problem]]) -> list[str]:
    from memtui.ui import wording

    kinds: dict[str, list[tuple[Snapshot, Problem]]] = {}
    for snapshot, problem in done:
        kinds.setdefault(problem.code, []).append((snapshot, problem))
    texts = []
    for code, found in kinds.items():
        first = found[0][0]
        here = [problem for snapshot, problem in found if snapshot is first]
        repair = wording.repair(first, here) if len(here) == len(found) else wording.repair(first, here[:1])
        what = wording.times(wording.problem_word(code), len(found))
        texts.append(_("{problem}: {repair}").format(problem=what, repair=repair))
    return texts


def why_not_mend(store: StoreView | None, item: Item | None, notice: Notice | None) -> str:
    """Why there is nothing to mend here, '' when there is something."""
    if mendable(store, item, notice):
        return ""
    reason = why_read_only(store.snapshot) if store is not None else ""
    return reason or _("nothing here calls for a repair")


def why_not_mend_all(view: View | None, marked: Collection[Item]) -> str:
    """Why there is nothing that could be mended at once, '' when there is something."""
    if safe_problems(view, marked):
        return ""
    stores = view.stores if view is not None else ()
    reasons = [why_read_only(store.snapshot) for store in stores]
    if reasons and all(reasons):
        return reasons[0]
    if not marked and any(problem.repair is not None for s in stores for problem in s.snapshot.problems):
        return _("nothing is left that is proven safe to mend; x mends one by one")
    return _("nothing here calls for a repair")
