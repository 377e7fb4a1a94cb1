"""`adopt`: memory of projects that are gone, listed or taken into this one; one change, one undo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import perform, prepare
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.adoption import Adoption, LeftBehind, Wish
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.safety import display
from memtui.i18n import _, ngettext


def _arguments(parser: Parser) -> None:
    parser.add_argument(
        "orphan",
        nargs="?",
        metavar="STORE",
        help=_("the store's id, its directory, or the path its project was at; without, all are listed"),
    )
    parser.add_argument(
        "--to", metavar="STORE", default="", help=_("into this store instead of its owner's here")
    )
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would be done"))
    add_change_options(parser, insists=True)


def _adopt(call: Call) -> Answer:
    asked, adoption = call.arguments, Adoption(call.workspace)
    if asked.orphan is None:
        if asked.yes or asked.dry_run or asked.to:
            raise UsageError(_("name the store to adopt; `memtui adopt` lists them"))
        found = adoption.left_behind()
        return Answer(
            document=lambda: {"orphans": [_document(one) for one in found]},
            lines=lambda: _lines(found, call.env),
        )
    if asked.yes:
        prepare(call)
    one = adoption.choose(asked.orphan, adoption.left_behind())
    target, wish = adoption.target(one, asked.to or call.store), Wish(insists=asked.insist)
    if not asked.yes and not asked.dry_run and (plan := adoption.plan(one, target, wish)).steps:
        message = _("this would be done: {summary}, into {store}; add --yes to do it, or --dry-run to see it")
        raise UsageError(message.format(summary=plan.summary, store=target.id), code="needs-yes")
    return perform(
        call,
        lambda: adoption.plan(one, target, wish),
        lambda locks: adoption.adopt(one, target, wish, takes_over=locks),
    )


def _document(one: LeftBehind) -> dict[str, object]:
    orphan, store = one.orphan, one.store
    return {
        "id": store.id,
        "owner": store.owner,
        "layout": store.layout,
        "path": str(store.root),
        "state": orphan.fate,
        "code": orphan.code or None,
        "projects": list(orphan.projects),
        "now": orphan.now or None,
        "memories": one.count,
        "bytes": one.size_bytes,
        "updated": documents.moment(one.updated),
        "sessions": orphan.sessions,
        "last_session": documents.moment(orphan.last_session),
        "reason": store.reason,
    }


def _lines(found: Sequence[LeftBehind], env: Env) -> Iterator[str]:
    if not found:
        yield _("no memory of a project that is gone")
        return
    yield from plain.table([_row(one, env) for one in found], indent="")
    yield ""
    yield _("`memtui adopt STORE --dry-run` shows what would come into the memory of this project")


def _row(one: LeftBehind, env: Env) -> tuple[str, ...]:
    orphan = one.orphan
    paths = ", ".join(display.path(path, home=env.home) for path in orphan.projects)
    words = {
        "gone": _("{project} (gone)"),
        "renamed": _("{project} (gone; maybe {now} now)"),
        "unknown": _("project not known"),
    }[orphan.fate]
    now = display.path(orphan.now, home=env.home) if orphan.now else ""
    sessions = ngettext("{count} session", "{count} sessions", orphan.sessions).format(count=orphan.sessions)
    return (
        display.line(one.store.id),
        words.format(project=paths, now=now),
        ngettext("{count} memory", "{count} memories", one.count).format(count=one.count),
        sessions if orphan.sessions else "",
        plain.when(one.updated),
    )


VERBS: Mapping[str, Verb] = {"adopt": Verb(SUMMARIES["adopt"], _arguments, _adopt)}
