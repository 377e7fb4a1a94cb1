"""`repair` and `backups`: what is wrong and can be mended, and what owners' refusals left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.checking import wanted_codes
from memtui.cli.effects import answer_outcome, change, perform, prepare
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import RefusedError, UnknownIdError, UsageError, in_several_stores
from memtui.core.mending import Mending, Proposal, key_of
from memtui.core.safety import display
from memtui.core.store_actions import Backup, Discard, Reshape, StoreActions
from memtui.core.workspace import Outcome, Problem, Snapshot
from memtui.i18n import _, ngettext

# repair


def _repair_arguments(parser: Parser) -> None:
    parser.add_argument("target", nargs="?", metavar="ID|FILE", help=_("a memory's id, or a file of a store"))
    parser.add_argument("--safe", action="store_true", help=_("all that is proven safe, in all used stores"))
    parser.add_argument(
        "--only",
        metavar="CODE[,CODE]",
        action="append",
        default=[],
        help=_("only these problems, as `check` names them"),
    )
    parser.add_argument(
        "--how",
        choices=("normalise", "split-headings", "lf"),
        help=_(
            "write a file anew, whatever is wrong: as its owner spells it, with one memory a heading, or with "
            "LF at the ends of its lines"
        ),
    )
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would be done"))
    add_change_options(parser)


def _repair(call: Call) -> Answer:
    asked = call.arguments
    if asked.safe == bool(asked.target) or (asked.how and (asked.safe or asked.only)):
        raise UsageError(_("name a memory or a file to mend, or say --safe"))
    if asked.yes:
        prepare(call)
    if asked.how:
        return _reshape(call)
    wanted = _of_target(call) if asked.target else _safe(call)
    if not wanted:
        return answer_outcome(call, Outcome(None))
    mending = Mending(call.workspace)
    keys = {snapshot.store.id: [key_of(problem) for problem in problems] for snapshot, problems in wanted}
    proposal = mending.propose(
        [snapshot for snapshot, _problems in wanted], None if asked.safe and not asked.only else keys
    )
    if not asked.yes and not asked.dry_run:
        raise UsageError(_what_would_be_done(proposal), code="needs-yes")
    return perform(call, lambda: proposal.plan, lambda locks: mending.run(proposal, takes_over=locks))


def _what_would_be_done(proposal: Proposal) -> str:
    done = Counter(problem.code for _snapshot, problem in proposal.done)
    codes = ", ".join(f"{code} {count}" for code, count in sorted(done.items()))
    message = _("this would be done: {summary} ({codes}); add --yes to do it, or --dry-run to see it")
    return message.format(summary=proposal.plan.summary, codes=codes)


def _wanted(call: Call, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those of the problems that have a repair and that `--only` asks for."""
    only = wanted_codes(call.arguments.only)
    return tuple(item for item in problems if item.repair is not None and (not only or item.code in only))


Wanted = list[tuple[Snapshot, tuple[Problem, ...]]]


def _safe(call: Call) -> Wanted:
    found = [
        (snapshot, _wanted(call, (problem for problem in snapshot.problems if problem.is_safe)))
        for snapshot in call.workspace.snapshots(call.store)
    ]
    return [(snapshot, problems) for snapshot, problems in found if problems]


def _of_target(call: Call) -> Wanted:
    """The store that an argument is about, and what is wrong with that memory or file. Raises MemtuiError."""
    target = call.arguments.target
    found: Wanted = []
    for snapshot in call.workspace.snapshots(call.store):
        memory = snapshot.memory(target) or snapshot.memory(f"{target}.md")
        path, own = (memory.file, memory.id) if memory is not None else (target, target)
        about = [item for item in snapshot.problems if item.file == path or item.memory == own]
        if memory is not None:
            # what is wrong with others of its file is mended along only where that mends the whole file
            about = [item for item in about if item.memory in (None, own) or isinstance(item.repair, Reshape)]
        if memory is not None or path in snapshot.files or about:
            found.append((snapshot, _wanted(call, about)))
    if not found:
        raise UnknownIdError(_("no memory and no file {id} here").format(id=target))
    # a name such as MEMORY.md stands in every store: meant is the one that is in need
    needy = [item for item in found if item[1]]
    if not needy:
        raise RefusedError(_("nothing calls for a repair of {file}").format(file=target))
    if len(needy) > 1:
        raise in_several_stores(target, [snapshot.store.id for snapshot, _problems in needy])
    return needy


def _reshape(call: Call) -> Answer:
    """One way of mending a file, whether something is wrong with it or not."""
    asked = call.arguments
    found = [
        (snapshot, memory.file if (memory := snapshot.memory(asked.target)) is not None else asked.target)
        for snapshot in call.workspace.snapshots(call.store)
    ]
    found = [(snapshot, path) for snapshot, path in found if path in snapshot.files]
    if not found:
        raise UnknownIdError(_("no memory and no file {id} here").format(id=asked.target))
    if len(found) > 1:
        raise in_several_stores(asked.target, [snapshot.store.id for snapshot, _path in found])
    ((snapshot, path),) = found
    edits = (Reshape(path, asked.how),)
    if not asked.yes and not asked.dry_run:
        plan = call.workspace.plan(snapshot, "repair", edits)
        message = _("this would be done: {summary}; add --yes to do it, or --dry-run to see it")
        raise UsageError(message.format(summary=plan.summary), code="needs-yes")
    return change(call, snapshot, "repair", edits)


# backups


def _backups_arguments(parser: Parser) -> None:
    parser.add_argument("names", nargs="*", metavar="FILE", help=_("show one against its live file"))
    parser.add_argument("--delete", action="store_true", help=_("delete those named; undo brings them back"))
    parser.add_argument("--all", action="store_true", help=_("with --delete: all, half-written files too"))
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    add_change_options(parser)


def _backups(call: Call) -> Answer:
    asked = call.arguments
    if asked.delete:
        return _delete(call)
    if asked.all or asked.yes or asked.dry_run:
        raise UsageError(_("--all, --yes and --dry-run go with --delete"))
    actions = StoreActions(call.workspace)
    snapshots = call.workspace.snapshots(call.store)
    if not asked.names:
        found = [(snapshot, backup) for snapshot in snapshots for backup in actions.backups(snapshot)]
        return Answer(
            document=lambda: {"backups": [_document(snapshot, backup) for snapshot, backup in found]},
            lines=lambda: _lines(found),
        )
    diffs = [(name, actions.backup_diff(_holder(snapshots, [name]), name)) for name in asked.names]
    return Answer(
        document=lambda: {"diffs": [{"file": name, "lines": list(lines)} for name, lines in diffs]},
        lines=lambda: _diff_lines(diffs),
    )


def _delete(call: Call) -> Answer:
    asked, actions = call.arguments, StoreActions(call.workspace)
    if bool(asked.names) == asked.all:
        raise UsageError(_("name the backups to delete, or say --all"))
    if asked.yes:
        prepare(call)
    snapshots = call.workspace.snapshots(call.store)
    if asked.all:
        holding = [snapshot for snapshot in snapshots if actions.leftovers(snapshot)]
        if not holding:
            raise UnknownIdError(_("there are no backups here"))
        if len(holding) > 1:
            ids = ", ".join(snapshot.store.id for snapshot in holding)
            raise UsageError(
                _("several stores have backups; name one with --store: {ids}").format(ids=ids),
                code="several-stores",
            )
        snapshot, names = holding[0], actions.leftovers(holding[0])
    else:
        snapshot, names = _holder(snapshots, asked.names), tuple(dict.fromkeys(asked.names))
    edits = (Discard(names),)
    if not asked.yes and not asked.dry_run:
        call.workspace.plan(snapshot, "backups", edits)
        message = _("this would delete {names}{warning}; add --yes to do it")
        warning = _warning([item for item in actions.backups(snapshot) if item.path in names])
        raise UsageError(message.format(names=", ".join(names), warning=warning), code="needs-yes")
    return change(call, snapshot, "backups", edits)


def _warning(backups: list[Backup]) -> str:
    count = len({text for backup in backups for text in backup.only_here})
    if not count:
        return ""
    text = ngettext(
        ", with {count} entry that is nowhere else", ", with {count} entries that are nowhere else", count
    )
    return text.format(count=count)


def _holder(snapshots: tuple[Snapshot, ...], names: list[str]) -> Snapshot:
    """The store that holds these files. Raises UnknownIdError or UsageError."""
    found = [snapshot for snapshot in snapshots if any(name in snapshot.files for name in names)]
    if not found:
        raise UnknownIdError(_("no backup {name} here").format(name=", ".join(names)))
    if len(found) > 1:
        ids = ", ".join(snapshot.store.id for snapshot in found)
        raise UsageError(
            _("they are in several stores; name one with --store: {ids}").format(ids=ids),
            code="several-stores",
        )
    return found[0]


def _document(snapshot: Snapshot, backup: Backup) -> documents.Json:
    return {
        "store": snapshot.store.id,
        "file": backup.path,
        "group": backup.group,
        "of": backup.file,
        "taken": documents.moment(backup.taken),
        "entries": len(backup.entries) if backup.is_read else None,
        "only_here": list(backup.only_here),
    }


def _lines(found: list[tuple[Snapshot, Backup]]) -> Iterator[str]:
    rows = [
        (display.line(snapshot.store.id), display.line(backup.path), plain.when(backup.taken), _what(backup))
        for snapshot, backup in found
    ]
    yield from plain.table(rows, indent="")
    if not rows:
        yield _("no backups")


def _what(backup: Backup) -> str:
    if not backup.is_read:
        return _("it cannot be read")
    count, only = len(backup.entries), len(backup.only_here)
    entries = ngettext("{count} entry", "{count} entries", count).format(count=count)
    return _("{entries}, {only} of them only here").format(entries=entries, only=only)


def _diff_lines(diffs: list[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    for name, lines in diffs:
        yield display.line(name)
        yield from display.rows(lines)


VERBS: Mapping[str, Verb] = {
    "repair": Verb(SUMMARIES["repair"], _repair_arguments, _repair),
    "backups": Verb(SUMMARIES["backups"], _backups_arguments, _backups),
}
