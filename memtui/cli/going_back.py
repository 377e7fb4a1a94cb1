"""`undo`, `redo` and `history`: what was changed here, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import perform, prepare
from memtui.cli.parser import Parser, add_change_options, add_dry_run
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import UsageError
from memtui.core.safety import display
from memtui.core.workspace import ChangeInfo, Pruned
from memtui.i18n import _, ngettext


def _undo_arguments(parser: Parser) -> None:
    parser.add_argument(
        "change",
        nargs="?",
        default="",
        metavar="CHANGE",
        help=_("a change's number; without, the last one here"),
    )
    add_change_options(parser)


def _undo(call: Call) -> Answer:
    prepare(call)
    change = call.arguments.change
    workspace = call.workspace
    return perform(
        call,
        lambda: workspace.plan_undo(change, call.store),
        lambda locks: workspace.undo(change, call.store, takes_over=locks),
    )


def _redo_arguments(parser: Parser) -> None:
    add_change_options(parser)


def _redo(call: Call) -> Answer:
    prepare(call)
    workspace = call.workspace
    return perform(
        call,
        lambda: workspace.plan_redo(call.store),
        lambda locks: workspace.redo(call.store, takes_over=locks),
    )


def _history_arguments(parser: Parser) -> None:
    parser.add_argument("change", nargs="?", metavar="CHANGE", help=_("what this change did, as a diff"))
    parser.add_argument(
        "--prune", action="store_true", help=_("remove from the history what the settings no longer keep")
    )
    add_dry_run(parser)


def _history(call: Call) -> Answer:
    if call.arguments.prune and call.arguments.change is not None:
        raise UsageError(_("--prune goes without a change: it is about all of them"))
    if call.arguments.prune:
        return _prune(call)
    if call.arguments.dry_run:
        raise UsageError(_("--dry-run goes with --prune: the history itself only looks"))
    if call.arguments.change is not None:
        return _one_change(call, call.arguments.change)
    changes = call.workspace.history(store_name=call.store)
    return Answer(
        document=lambda: {"changes": [documents.change(change) for change in changes]},
        lines=lambda: _history_lines(changes),
    )


def _one_change(call: Call, change_id: str) -> Answer:
    previews = call.workspace.change_diff(change_id)
    return Answer(
        document=lambda: documents.plan(previews, ()),
        lines=lambda: (row for preview in previews for row in display.lines(preview.diff)),
    )


def _history_lines(changes: tuple[ChangeInfo, ...]) -> Iterator[str]:
    if not changes:
        yield _("nothing was changed here")
        return
    rows = [
        (
            change.id,
            plain.when(change.when),
            display.line(change.store_id),
            display.line(change.summary),
            _state(change),
        )
        for change in changes
    ]
    yield from plain.table(rows, indent="")


def _state(change: ChangeInfo) -> str:
    if change.reverted:
        return _("wiped out by another program")
    return {"done": "", "undone": _("undone"), "interrupted": _("interrupted")}[change.state]


def _prune(call: Call) -> Answer:
    prepare(call)
    pruned = call.workspace.prune_history(dry_run=call.arguments.dry_run)
    sentence = _pruned_sentence(pruned, dry_run=call.arguments.dry_run)
    if call.arguments.dry_run:
        return Answer(document=lambda: documents.plan((), (sentence,)), lines=lambda: (sentence,))
    return Answer(
        document=lambda: {"pruned": {"changes": pruned.changes, "bytes": pruned.size_bytes}},
        lines=lambda: (sentence,),
    )


def _pruned_sentence(pruned: Pruned, *, dry_run: bool) -> str:
    count = ngettext("{count} change", "{count} changes", pruned.changes).format(count=pruned.changes)
    template = (
        _("would remove {changes}, {size:,} bytes") if dry_run else _("removed {changes}, {size:,} bytes")
    )
    return template.format(changes=count, size=pruned.size_bytes)


VERBS: Mapping[str, Verb] = {
    "undo": Verb(SUMMARIES["undo"], _undo_arguments, _undo),
    "redo": Verb(SUMMARIES["redo"], _redo_arguments, _redo),
    "history": Verb(SUMMARIES["history"], _history_arguments, _history),
}
