"""`redact` and `purge`: a secret out of a memory, and a text out of everything that memtui keeps itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from memtui.cli import documents
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import change, prepare
from memtui.cli.finding import find
from memtui.cli.parser import Parser, add_change_options, add_dry_run
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import RefusedError, UnknownIdError, UsageError, in_several_stores
from memtui.core.purging import Purged, Purging
from memtui.core.safety import display, secrets
from memtui.core.workspace import Memory, Snapshot
from memtui.i18n import _, ngettext

# redact


def _redact_arguments(parser: Parser) -> None:
    parser.add_argument("target", metavar="ID|FILE", help=_("a memory's id, or the index's file"))
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    add_change_options(parser)


def _redact(call: Call) -> Answer:
    asked = call.arguments
    if asked.yes:
        prepare(call)
    snapshot, memory, path = _target(call, asked.target)
    edit = Purging(call.workspace).redaction(snapshot, memory, path)
    if edit is None:
        raise RefusedError(_("no secret was found in {file}").format(file=path))
    if not asked.yes and not asked.dry_run:
        call.workspace.plan(snapshot, "redact", (edit,))
        count = len(edit.secrets)
        text = ngettext(
            "this would put {redacted} in the place of {count} secret in {file}; add --yes to do it",
            "this would put {redacted} in the place of {count} secrets in {file}; add --yes to do it",
            count,
        )
        said = text.format(redacted=secrets.REDACTED, count=count, file=path)
        raise UsageError(said, code="needs-yes")
    return change(call, snapshot, "redact", (edit,))


def _target(call: Call, name: str) -> tuple[Snapshot, Memory | None, str]:
    """The store, the memory if it is one, and the file that an argument names. Raises MemtuiError."""
    try:
        snapshot, memory = find(call, name)
    except UnknownIdError:
        holding = [item for item in call.workspace.snapshots(call.store) if name in item.files]
        if not holding:
            raise
        purging = Purging(call.workspace)
        # a name such as MEMORY.md stands in every store: meant is the one that is in need
        needy = [item for item in holding if purging.redaction(item, None, name) is not None] or holding[:1]
        if len(needy) > 1:
            raise in_several_stores(name, [item.store.id for item in needy]) from None
        return needy[0], None, name
    return snapshot, memory, memory.file


# purge


def _purge_arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("text", nargs="?", metavar="TEXT", help=_("the text; your shell remembers it, too"))
    what.add_argument("--secret-of", metavar="ID", help=_("the secrets of a memory, those redacted included"))
    what.add_argument("--stdin", action="store_true", help=_("the text is read from the standard input"))
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    add_dry_run(parser)


def _purge(call: Call) -> Answer:
    asked = call.arguments
    purging = Purging(call.workspace)
    if asked.yes:
        prepare(call)
    texts = _texts(call, purging)
    if asked.dry_run:
        return _answer(call, purging.look(texts), is_done=False)
    if not asked.yes:
        lines = _purged_lines(call, purging.look(texts), is_done=False)
        message = _("{what}; add --yes to do it, undo does not bring it back")
        raise UsageError(message.format(what="; ".join(lines)), code="needs-yes")
    return _answer(call, purging.purge(texts), is_done=True)


def _texts(call: Call, purging: Purging) -> tuple[str, ...]:
    asked = call.arguments
    if asked.secret_of is not None:
        found = purging.secrets_of(*find(call, asked.secret_of))
        if not found:
            raise RefusedError(_("no secret of {id} is known").format(id=asked.secret_of))
        return found
    if asked.stdin:
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()
        return (data.decode("utf-8", "surrogateescape").removesuffix("\n").removesuffix("\r"),)
    return (asked.text,)


def _answer(call: Call, purged: Purged, *, is_done: bool) -> Answer:
    removed = purged.removed
    return Answer(
        document=lambda: {
            "purged" if is_done else "would_purge": {
                "texts": len(removed.objects),
                "sessions": len(removed.trashed),
                "rewritten": [str(path) for path in removed.rewritten],
                "files": [str(path) for path in removed.files],
                "index": purged.has_index,
            },
            "left": _left(purged),
            "notes": list(_notes(purged)),
        },
        lines=lambda: _purged_lines(call, purged, is_done=is_done),
    )


def _left(purged: Purged) -> documents.Json:
    return {
        "memories": [str(path) for path in purged.memories],
        "sessions": [str(path) for path in purged.sessions],
        "settings": [str(path) for path in purged.settings],
    }


def _purged_lines(call: Call, purged: Purged, *, is_done: bool) -> Iterator[str]:
    removed = purged.removed
    parts = [
        (
            ngettext("{count} text of the history", "{count} texts of the history", len(removed.objects)),
            removed.objects,
        ),
        (
            ngettext("{count} session in the trash", "{count} sessions in the trash", len(removed.trashed)),
            removed.trashed,
        ),
        (ngettext("{count} file", "{count} files", len(removed.files)), removed.files),
        (
            ngettext("a part of {count} file", "a part of {count} files", len(removed.rewritten)),
            removed.rewritten,
        ),
    ]
    said = [text.format(count=len(things)) for text, things in parts if things]
    if purged.has_index:
        said.append(_("the search index"))
    what = ", ".join(said)
    if not what:
        yield _("memtui keeps nothing that holds it")
    else:
        yield (_("purged: {what}") if is_done else _("would purge: {what}")).format(what=what)
    groups = ((_("memory"), purged.memories), (_("session"), purged.sessions), (_("settings"), purged.settings))
    for name, paths in groups:
        for path in paths:
            yield _("still in {kind} {path}").format(kind=name, path=_shown(call, path))
    for sentence in _notes(purged):
        yield _("note: {sentence}").format(sentence=sentence)


def _shown(call: Call, path: Path) -> str:
    return display.path(path, home=call.env.home)


def _notes(purged: Purged) -> Iterator[str]:
    """What no program can promise, and what the person can do about the rest."""
    if purged.memories:
        yield _("redact or edit these memories first: what memtui keeps of them would hold it again")
    if purged.sessions:
        yield _(
            "lists and the search index will hold it again as long as these sessions do; delete or edit them"
        )
    yield _("not reached: blocks of the disk, your backups, git, other machines, a memtui that is still open")


VERBS: Mapping[str, Verb] = {
    "redact": Verb(SUMMARIES["redact"], _redact_arguments, _redact),
    "purge": Verb(SUMMARIES["purge"], _purge_arguments, _purge),
}
