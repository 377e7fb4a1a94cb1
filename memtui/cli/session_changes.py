"""`sessions rename`, `sessions delete` and `sessions archive`: what can be done to one conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from memtui.cli import documents
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import answer_outcome, answer_plan, prepare
from memtui.cli.parser import Parser, add_dry_run
from memtui.cli.summaries import SESSION_SUMMARIES
from memtui.core.errors import UsageError
from memtui.core.library import Library, Session
from memtui.core.safety import display
from memtui.core.session_actions import Archived, SessionActions
from memtui.i18n import _, ngettext


def _session(call: Call) -> Session:
    if not call.arguments.id:
        raise UsageError(_("a session's id cannot be empty; `memtui sessions` names them"))
    return Library(call.env).find_session(call.arguments.id)


def _add_id(parser: Parser) -> None:
    parser.add_argument(
        "id", metavar="ID", help=_("a session's id, as `memtui sessions` gives it, or its file")
    )


# rename


def _rename_arguments(parser: Parser) -> None:
    _add_id(parser)
    parser.add_argument("title", metavar="TITLE", help=_("its name; '' takes it away"))
    add_dry_run(parser)


def _rename(call: Call) -> Answer:
    title = call.arguments.title
    try:
        title.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(_("{name} is not UTF-8").format(name="TITLE"), code="not-utf8") from None
    prepare(call)
    session, actions = _session(call), SessionActions(call.workspace)
    if call.arguments.dry_run:
        return answer_plan(call, actions.plan_rename_session(session, title))
    return answer_outcome(call, actions.rename_session(session, title))


# delete


def _delete_arguments(parser: Parser) -> None:
    _add_id(parser)
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    parser.add_argument("--live", action="store_true", help=_("do it although a running pi may be using it"))
    add_dry_run(parser)


def _delete(call: Call) -> Answer:
    asked = call.arguments
    if asked.yes:
        prepare(call)
    session, actions = _session(call), SessionActions(call.workspace)
    if asked.dry_run:
        return answer_plan(call, actions.plan_trash_session(session, force=True))
    warning = actions.in_use(session)
    if not asked.yes:
        what = _("this would move the session {title} ({file}) to the trash; add --yes to do it").format(
            title=session.title, file=session.file
        )
        raise UsageError(f"{what}. {warning}" if warning else what, code="needs-yes")
    if warning and not asked.live:
        message = _("{consequence} Add --live to do it all the same.").format(consequence=warning)
        raise UsageError(message, code="live")
    return answer_outcome(call, actions.trash_session(session, force=asked.live))


# archive


def _archive_arguments(parser: Parser) -> None:
    _add_id(parser)
    parser.add_argument("dest", metavar="DEST", help=_("a directory, or a file's name that is free"))
    add_dry_run(parser)


def _archive(call: Call) -> Answer:
    session, actions = _session(call), SessionActions(call.workspace)
    if call.arguments.dry_run:
        return _archive_plan(session, actions, call.arguments.dest)
    archived = actions.archive_session(session, call.arguments.dest)
    return Answer(
        document=lambda: {
            "archive": {"path": str(archived.path), "bytes": archived.size_bytes},
            "notes": list(_notes(archived)),
        },
        lines=partial(_archive_lines, archived),
    )


def _archive_plan(session: Session, actions: SessionActions, dest: str) -> Answer:
    path = actions.archive_path(session, dest)
    sentence = _("a copy of {file}").format(file=session.file)
    planned: documents.Json = {"path": str(path), "before_sha256": None, "after_sha256": None, "diff": ""}
    return Answer(
        document=lambda: {"plan": [planned], "notes": [sentence]},
        lines=lambda: (_("would copy to {path}").format(path=display.line(str(path))),),
    )


def _archive_lines(archived: Archived) -> Iterator[str]:
    yield _("copied to {path} ({size:,} bytes)").format(
        path=display.line(str(archived.path)), size=archived.size_bytes
    )
    for sentence in _notes(archived):
        yield _("note: {sentence}").format(sentence=sentence)


def _notes(archived: Archived) -> Iterator[str]:
    if archived.left_out_bytes:
        yield ngettext(
            "its last line had no end yet; {count} byte was left out",
            "its last line had no end yet; {count} bytes were left out",
            archived.left_out_bytes,
        ).format(count=archived.left_out_bytes)


VERBS: Mapping[str, Verb] = {
    "sessions rename": Verb(SESSION_SUMMARIES["rename"], _rename_arguments, _rename),
    "sessions delete": Verb(SESSION_SUMMARIES["delete"], _delete_arguments, _delete),
    "sessions archive": Verb(SESSION_SUMMARIES["archive"], _archive_arguments, _archive),
}
