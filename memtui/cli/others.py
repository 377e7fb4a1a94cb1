"""`changes` and `restore`: what other programs changed in the stores, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import perform, prepare
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import UnknownIdError, UsageError, in_several_stores
from memtui.core.library import Library
from memtui.core.others import ByOthers, Others, StoreChanges, Wanted, Writer, difference, parse_since
from memtui.core.safety import display
from memtui.i18n import _, ngettext

Writers = Mapping[tuple[str, str], Writer]


def _since_argument(parser: Parser) -> None:
    parser.add_argument(
        "--since",
        default="last",
        metavar="WHEN",
        help=_("last (when memtui last looked), start (of the app that ran last), 14:02, 2026-11-30, 3d …"),
    )


# changes


def _changes_arguments(parser: Parser) -> None:
    _since_argument(parser)
    parser.add_argument(
        "--remember", action="store_true", help=_("from now on this is what memtui saw last (for scripts)")
    )


def _changes(call: Call) -> Answer:
    others, found = _found(call)
    writers: Writers = {}
    if any(item.rows for item in found):
        writers = others.writers(found, Library(call.env).sessions())
    if call.arguments.remember:
        for item in found:
            others.note(item.now)
    return Answer(
        document=lambda: {"stores": [_document(item, writers) for item in found]},
        lines=lambda: _lines(found, writers, call),
    )


def _found(call: Call) -> tuple[Others, tuple[StoreChanges, ...]]:
    since = parse_since(call.arguments.since, call.env.now())
    others = Others(call.workspace)
    return others, others.changes(since, call.store)


def _document(item: StoreChanges, writers: Writers) -> documents.Json:
    return {
        "id": item.store.id,
        "since": documents.moment(item.since),
        "exact": item.is_exact,
        "changes": [_row(item, change, writers.get((item.store.id, change.row.id))) for change in item.rows],
    }


def _row(item: StoreChanges, change: ByOthers, writer: Writer | None) -> documents.Json:
    row = change.row
    return {
        "id": row.id,
        "how": row.how,
        "title": row.title,
        "file": row.file,
        "memory": not row.is_file,
        "after": documents.moment(change.after),
        "until": documents.moment(change.until),
        "file_time": documents.moment(change.updated),
        "agent": None if writer is None else writer.session.agent,
        "session": None if writer is None else writer.session.id,
        "tool": None if writer is None else writer.tool,
        "when": None if writer is None else documents.moment(writer.when),
        "came_back": bool(change.came_back),
        "undid": [change_id for change_id, _summary in change.undid],
        "diff": difference(item, row),
    }


def _lines(found: tuple[StoreChanges, ...], writers: Writers, call: Call) -> Iterator[str]:
    if not found:
        yield _("no memory belongs here")
    for position, item in enumerate(found):
        if position:
            yield ""
        yield f"{plain.store_heading(item.store, call.env)}: {_heading(item)}"
        rows = [
            (
                _how(change.row.how),
                display.line(change.row.id),
                display.line(change.row.title),
                _when(change, writers.get((item.store.id, change.row.id))),
                _by(change, writers.get((item.store.id, change.row.id))),
            )
            for change in item.rows
        ]
        yield from plain.table(rows)


def _heading(item: StoreChanges) -> str:
    if item.since is None:
        return _("memtui has not looked at it before")
    when = plain.when(item.since)
    if not item.is_exact:
        when = _("{time}, the first look that is kept").format(time=when)
    count = len(item.rows)
    if not count:
        return _("nothing was changed by other programs since {when}").format(when=when)
    said = ngettext(
        "{count} change by other programs since {when}", "{count} changes by other programs since {when}", count
    )
    return said.format(count=count, when=when)


def _how(how: str) -> str:
    return {"removed": _("removed"), "changed": _("changed"), "new": _("new")}[how]


def _when(change: ByOthers, writer: Writer | None) -> str:
    exact: datetime | None = writer.when if writer is not None else change.updated
    if exact is not None:
        return plain.when(exact)
    return _("between {after} and {until}").format(
        after=plain.when(change.after), until=plain.when(change.until)
    )


def _by(change: ByOthers, writer: Writer | None) -> str:
    by = _("by another program")
    if writer is not None:
        by = _("by {agent}, session {id} ({tool})").format(
            agent=display.line(writer.session.agent),
            id=display.line(writer.session.id),
            tool=display.line(writer.tool),
        )
    if change.undid:
        ids = ", ".join(change_id for change_id, _summary in change.undid)
        by = _("{by}; it undid your change {ids}").format(by=by, ids=ids)
    return _("{by}; deleted here before").format(by=by) if change.came_back else by


# restore


def _restore_arguments(parser: Parser) -> None:
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help=_("what to bring back, as `memtui changes` names it")
    )
    parser.add_argument("--all", action="store_true", help=_("all that others removed or changed"))
    _since_argument(parser)
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would come back"))
    add_change_options(parser)


def _restore(call: Call) -> Answer:
    asked = call.arguments
    if asked.all == bool(asked.ids):
        raise UsageError(_("name what to bring back, or say --all; `memtui changes` shows what there is"))
    if asked.yes:
        prepare(call)
    others, found = _found(call)
    wanted = _wanted(found, asked.ids)
    if not asked.yes and not asked.dry_run:
        summary = others.plan_restore(wanted).summary
        message = _("this would be done: {summary}; add --yes to do it, or --dry-run to see it")
        raise UsageError(message.format(summary=summary), code="needs-yes")
    return perform(
        call,
        lambda: others.plan_restore(wanted),
        lambda locks: others.restore(wanted, takes_over=locks),
    )


def _wanted(found: tuple[StoreChanges, ...], ids: list[str]) -> list[Wanted]:
    """The rows that are meant, all that was lost without ids. Raises UnknownIdError, or UsageError where an id
    is in several stores."""
    if not ids:
        lost = [(item, [c.row.id for c in item.rows if c.row.how != "new"]) for item in found]
        return [(item, rows) for item, rows in lost if rows]
    wanted: dict[str, tuple[StoreChanges, list[str]]] = {}
    for named in dict.fromkeys(ids):
        places = [(item, c.row.id) for item in found for c in item.rows if _is_named(c.row.id, named)]
        if not places:
            said = _("other programs did not change {id} since then; `memtui changes` names what they did")
            raise UnknownIdError(said.format(id=named or '""'))
        if len(places) > 1:
            raise in_several_stores(named, [item.store.id for item, _row_id in places])
        item, row_id = places[0]
        wanted.setdefault(item.store.id, (item, []))[1].append(row_id)
    return list(wanted.values())


def _is_named(row_id: str, named: str) -> bool:
    return named in (row_id, row_id.removesuffix(".md"), display.line(row_id))


VERBS: Mapping[str, Verb] = {
    "changes": Verb(SUMMARIES["changes"], _changes_arguments, _changes),
    "restore": Verb(SUMMARIES["restore"], _restore_arguments, _restore),
}
