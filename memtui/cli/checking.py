"""`check` and `status`: what is wrong, and how much room is left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.parser import Parser
from memtui.cli.summaries import SUMMARIES
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.safety import display
from memtui.core.workspace import ChangeInfo, Problem, Snapshot
from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.store_actions import Background

PROBLEMS_FOUND = 1
ELSEWHERE = "orphaned-store"
"""The code of what is no problem of a store that is used here: it is looked for where it is asked for."""

STATUS_LOOKS_BACK = 1_000_000
"""How many changes `status` counts: all that the history keeps."""


# check


def _check_arguments(parser: Parser) -> None:
    from textwrap import fill

    from memtui.core.inspection import CODES

    parser.add_argument(
        "--only",
        metavar="CODE[,CODE]",
        action="append",
        default=[],
        help=_("only these problems; nothing else is looked for or counts for the exit status"),
    )
    codes = fill(" ".join(CODES), 78, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    parser.epilog = _("the codes of the problems:\n{codes}").format(codes=codes)


def _check(call: Call) -> Answer:
    from memtui.core.inspection import looked_closer

    wanted = wanted_codes(call.arguments.only)
    snapshots = looked_closer(call.env, call.workspace.snapshots(call.store), wanted)
    snapshots += _left_behind(call) if ELSEWHERE in wanted and not call.store else ()
    is_bad = any(problem.severity != "note" for snapshot in snapshots for problem in snapshot.problems)
    return Answer(
        document=lambda: {
            "stores": [
                {
                    "id": snapshot.store.id,
                    "problems": [documents.problem(problem) for problem in snapshot.problems],
                }
                for snapshot in snapshots
            ]
        },
        lines=lambda: _check_lines(snapshots, call.env),
        status=PROBLEMS_FOUND if is_bad else 0,
    )


def wanted_codes(lists: Iterable[str]) -> Collection[str]:
    """The codes that `--only` names, each time with commas or blanks between them. Raises UsageError."""
    from memtui.core.inspection import CODES

    names = [name for words in lists for name in words.replace(",", " ").split()]
    unknown = [name for name in names if name not in CODES]
    if unknown or (lists and not names):
        raise UsageError(
            _("{codes} is no code of a problem; `memtui check --help` names them").format(
                codes=", ".join(unknown) or "''"
            )
        )
    return names


def _left_behind(call: Call) -> tuple[Snapshot, ...]:
    """The stores of projects that are gone, with that as their only problem."""
    from memtui.core.adoption import Adoption
    from memtui.late.dataclasses import replace

    stores = (one.snapshot for one in Adoption(call.workspace).left_behind() if one.orphan.code)
    return tuple(
        replace(snapshot, problems=tuple(problem for problem in snapshot.problems if problem.code == ELSEWHERE))
        for snapshot in stores
    )


def _check_lines(snapshots: tuple[Snapshot, ...], env: Env) -> Iterator[str]:
    if not snapshots:
        yield _("no memory belongs here")
    for position, snapshot in enumerate(snapshots):
        if position:
            yield ""
        found = plain.counts(snapshot.problems)
        yield f"{plain.store_heading(snapshot.store, env)}: {plain.counts_in_words(found)}"
        rows = [
            (problem.severity, problem.code, _place(problem), display.line(problem.message))
            for problem in snapshot.problems
        ]
        yield from plain.table(rows)


def _place(problem: Problem) -> str:
    file = display.line(problem.file or problem.memory or "")
    return file if problem.line is None else f"{file}:{problem.line}"


# status


def _status_arguments(parser: Parser) -> None:
    parser.add_argument("--line", action="store_true", help=_("one line for the status bar of tmux"))


def _status(call: Call) -> Answer:
    snapshots = call.workspace.snapshots(call.store)
    if call.arguments.line:
        line = _status_line(snapshots)
        return Answer(document=lambda: {"line": line}, lines=lambda: (line,))
    from memtui.cli import carried
    from memtui.cli.beside import agents_document, agents_rows
    from memtui.core.agent_actions import find_agents
    from memtui.core.store_actions import StoreActions

    changes = call.workspace.history(STATUS_LOOKS_BACK, call.store)
    actions = StoreActions(call.workspace)
    busy = [(snapshot, actions.at_work(snapshot)) for snapshot in snapshots]
    running = find_agents(call.env)
    found = carried.look(call, running, snapshots)
    return Answer(
        document=lambda: (
            _status_document(snapshots, changes, busy, call.env) | agents_document(running, found, call.env)
        ),
        lines=lambda: chain(
            _status_lines(snapshots, changes, busy, call.env),
            plain.table(list(agents_rows(running, found, call.env)), indent=""),
        ),
    )


Busy = list[tuple["Snapshot", tuple["Background", ...]]]


def _status_document(
    snapshots: tuple[Snapshot, ...], changes: tuple[ChangeInfo, ...], busy: Busy, env: Env
) -> documents.Json:
    return {
        "stores": [
            {
                "store": documents.store(snapshot.store),
                "budgets": [documents.budget(budget) for budget in snapshot.budgets],
                "memories": len(snapshot.memories),
                "problems": plain.counts(snapshot.problems),
            }
            for snapshot in snapshots
        ],
        "background": [
            documents.background(item, snapshot.store, env.now()) for snapshot, items in busy for item in items
        ],
        "last_change": documents.change(changes[0]) if changes else None,
        "undo": _undoable(changes),
    }


def _status_lines(
    snapshots: tuple[Snapshot, ...], changes: tuple[ChangeInfo, ...], busy: Busy, env: Env
) -> Iterator[str]:
    from memtui.core.store_actions import background_sentence

    if not snapshots:
        yield _("no memory belongs here")
    for snapshot, items in busy:
        yield plain.store_heading(snapshot.store, env)
        found = plain.counts(snapshot.problems)
        rows = [
            (_("memories"), f"{len(snapshot.memories):,}"),
            (_("index"), plain.inject_budgets(snapshot)),
            (_("problems"), plain.counts_in_words(found) if any(found.values()) else _("none")),
        ]
        rows += [
            (_("at work"), display.line(background_sentence(item, env.now())))
            for item in items
            if item.state != "ended"
        ]
        yield from plain.table([row for row in rows if row[1]])
    if changes:
        last = changes[0]
        state = "" if last.state == "done" else f" ({_(last.state)})"
        sentence = _("last change {when}: {summary}{state}; {count} to undo")
        yield sentence.format(
            when=plain.when(last.when),
            summary=display.line(last.summary),
            state=state,
            count=_undoable(changes),
        )


def _undoable(changes: tuple[ChangeInfo, ...]) -> int:
    return sum(change.state != "undone" for change in changes)


def _status_line(snapshots: tuple[Snapshot, ...]) -> str:
    """`84/200 lines  3 problems  zcode`, one part a store that is there; never text from disk."""
    parts = [_line_of(snapshot) for snapshot in snapshots if snapshot.store.exists]
    if parts:
        return " | ".join(parts)
    return _("no memory") if not snapshots else f"{_('no memory')}  {snapshots[0].store.owner}"


def _line_of(snapshot: Snapshot) -> str:
    words = []
    budget = plain.binding(snapshot)
    if budget is not None:
        words.append(f"{budget.used}/{budget.limit} {plain.unit(budget)}")
    if not snapshot.store.loads:
        words.append(_("off"))
    found = plain.counts(snapshot.problems)
    bad = found["error"] + found["warning"]
    if bad:
        words.append(ngettext("{count} problem", "{count} problems", bad).format(count=bad))
    words.append(snapshot.store.owner)
    return "  ".join(words)


VERBS: Mapping[str, Verb] = {
    "check": Verb(SUMMARIES["check"], _check_arguments, _check),
    "status": Verb(SUMMARIES["status"], _status_arguments, _status),
}
