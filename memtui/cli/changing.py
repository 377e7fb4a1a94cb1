"""`add`, `set`, `rename` and `delete`: the verbs that change memories. One call is one change, one undo."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from memtui.cli import plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import change, prepare
from memtui.cli.finding import find
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import UsageError
from memtui.core.workspace import Add, Edit, FieldName, Memory, Remove, Rename, SetField, SetText, Snapshot
from memtui.i18n import _, ngettext

STDIN = "-"

FIELDS: tuple[FieldName, ...] = ("title", "description", "type", "hook")
"""The fields that `set` knows, in the order in which it sets them: an explicit hook wins over a description."""


# add


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("--title", required=True, metavar="T", help=_("its title; the file is named after it"))
    parser.add_argument("--description", default="", metavar="D", help=_("one line: what it is about"))
    parser.add_argument("--type", default="", metavar="TYPE", help=_("a type that the store's owner knows"))
    parser.add_argument("--topic", metavar="FILE", help=_("the file to put it in, where a store has topics"))
    parser.add_argument(
        "--group", default="", metavar="GROUP", help=_("memory or user, where a store has both")
    )
    _body_arguments(parser)
    add_change_options(parser, insists=True)


def _add(call: Call) -> Answer:
    asked = call.arguments
    edit = Add(
        title=_utf8("--title", asked.title),
        description=_utf8("--description", asked.description),
        type=_utf8("--type", asked.type),
        body=(body_of(call) or b"").decode("utf-8"),
        topic=asked.topic,
        group=asked.group,
        insists=asked.insist,
    )
    store = call.workspace.choose_writable_store(call.store)
    prepare(call)
    return change(call, call.workspace.scan(store), "add", (edit,))


# set


def _set_arguments(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help=_("the memory's id, as `memtui list` gives it"))
    parser.add_argument("--title", metavar="T", help=_("the text of its link, and its name where that said so"))
    parser.add_argument(
        "--description", metavar="D", help=_("one line; also the hook where that said the same")
    )
    parser.add_argument("--type", metavar="TYPE", help=_("a type that the store's owner knows"))
    parser.add_argument("--hook", metavar="H", help=_("the text behind the dash of its index line"))
    _body_arguments(parser)
    add_change_options(parser, insists=True)


def _set(call: Call) -> Answer:
    asked = call.arguments
    values = {field: getattr(asked, field) for field in FIELDS}
    values = {field: _utf8(f"--{field}", value) for field, value in values.items() if value is not None}
    body = body_of(call)
    if not values and body is None:
        raise UsageError(_("say what to set: --title, --description, --type, --hook, --body or --body-file"))
    prepare(call)
    snapshot, memory = find(call, asked.id)
    edits: list[Edit] = [
        SetField(memory.id, field, values[field], asked.insist) for field in FIELDS if field in values
    ]
    if body is not None:
        edits.append(SetText(memory.id, body, part="body", insists=asked.insist))
    return change(call, snapshot, "set", tuple(edits))


# rename


def _rename_arguments(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help=_("the memory's id, as `memtui list` gives it"))
    parser.add_argument("name", metavar="NEW", help=_("its new name; index lines and [[links]] follow"))
    add_change_options(parser)


def _rename(call: Call) -> Answer:
    name = _utf8("NEW", call.arguments.name)
    prepare(call)
    snapshot, memory = find(call, call.arguments.id)
    return change(call, snapshot, "rename", (Rename(memory.id, name),))


# delete


def _delete_arguments(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help=_("memories, as `memtui list` gives their ids"))
    parser.add_argument("--line", type=int, metavar="N", help=_("remove only this line of the index"))
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    add_change_options(parser)


def _delete(call: Call) -> Answer:
    asked = call.arguments
    if asked.line is not None and len(asked.ids) > 1:
        raise UsageError(_("--line goes with one memory"))
    if asked.yes:
        prepare(call)
    found = [find(call, memory_id) for memory_id in dict.fromkeys(asked.ids)]
    stores = {snapshot.store.id: snapshot for snapshot, _memory in found}
    if len(stores) > 1:
        raise UsageError(
            _("these memories are in several stores; delete them store by store: {ids}").format(
                ids=", ".join(stores)
            ),
            code="several-stores",
        )
    snapshot = found[0][0]
    memories = list({memory.id: memory for _snapshot, memory in found}.values())
    edits = tuple(Remove(memory.id, asked.line) for memory in memories)
    if not asked.yes and not asked.dry_run:
        call.workspace.plan(snapshot, "delete", edits)
        what = ", ".join(what_goes(snapshot, memory, asked.line) for memory in memories)
        if snapshot.store.shared_by:
            what = _("{what}, which is also the memory of {projects}").format(
                what=what, projects=", ".join(snapshot.store.shared_by)
            )
        raise UsageError(_("this would delete {what}; add --yes to do it").format(what=what), code="needs-yes")
    return change(call, snapshot, "delete", edits)


def what_goes(snapshot: Snapshot, memory: Memory, only_line: int | None = None) -> str:
    """What deleting a memory takes away, or the line of the index only. Text from disk."""
    numbers = memory.index_lines if only_line is None else (only_line,)
    lines = ngettext("line {numbers} of {index}", "lines {numbers} of {index}", len(numbers)).format(
        numbers=plain.numbers(numbers), index=snapshot.store.profile.index_name
    )
    if only_line is not None or memory.state in ("missing", "outside"):
        return lines
    if memory.span is not None:
        # one of several in its file, which stays
        return _("{title} in {file}").format(title=memory.title, file=memory.file)
    return _("{file} with {lines}").format(file=memory.file, lines=lines) if numbers else memory.file


# Texts


def _body_arguments(parser: Parser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--body", metavar="TEXT", help=_("its text (--body=TEXT if it begins with a dash)"))
    group.add_argument("--body-file", metavar="F", help=_("a file with its text, - for the standard input"))


def body_of(call: Call) -> bytes | None:
    """The text given by `--body` or `--body-file`, None without either. Raises UsageError."""
    asked = call.arguments
    if asked.body is not None:
        return _utf8("--body", asked.body).encode("utf-8")
    if asked.body_file is None:
        return None
    name = _("the standard input") if asked.body_file == STDIN else asked.body_file
    try:
        data = _read(asked.body_file)
    except OSError as error:
        raise UsageError(
            _("{file} cannot be read: {reason}").format(file=name, reason=error.strerror or error),
            code="unreadable",
        ) from error
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            _("{file} is not UTF-8 at byte {offset}").format(file=name, offset=error.start),
            code="not-utf8",
        ) from None
    return data


def _read(named: str) -> bytes:
    if named == STDIN:
        return b"" if sys.stdin is None else sys.stdin.buffer.read()
    with open(os.fsencode(named), "rb") as file:
        return file.read()


def _utf8(name: str, value: str) -> str:
    """The value, if it can be written as UTF-8. Raises UsageError."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(_("{name} is not UTF-8").format(name=name), code="not-utf8") from None
    return value


VERBS: Mapping[str, Verb] = {
    "add": Verb(SUMMARIES["add"], _add_arguments, _add),
    "set": Verb(SUMMARIES["set"], _set_arguments, _set),
    "rename": Verb(SUMMARIES["rename"], _rename_arguments, _rename),
    "delete": Verb(SUMMARIES["delete"], _delete_arguments, _delete),
}
