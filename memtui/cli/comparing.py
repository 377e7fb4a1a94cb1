"""`duplicates`: the memories that say the same, or nearly so, with the words in which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.cli import plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.documents import Json
from memtui.cli.parser import Parser
from memtui.cli.summaries import SUMMARIES
from memtui.core.comparison import Alike, Member, differing, find_alike, stores_here
from memtui.core.env import Env
from memtui.core.safety import display
from memtui.i18n import _

FOUND = 1
MOST_PHRASES = 6
"""Differing parts of one memory on its plain line; JSON has them all."""


def _arguments(parser: Parser) -> None:
    parser.add_argument(
        "--all-stores",
        action="store_true",
        help=_("compare every store that is known here, those too that no agent in this directory reads"),
    )


def _duplicates(call: Call) -> Answer:
    workspace = call.workspace
    chosen = workspace.choose_store(call.store) if call.store else None
    stores = stores_here(workspace, all_stores=call.arguments.all_stores) if chosen is None else (chosen,)
    groups = find_alike(call.env, [workspace.scan(store) for store in stores])
    return Answer(
        document=lambda: {"groups": [_document(found) for found in groups]},
        lines=lambda: _lines(groups, call.env),
        status=FOUND if groups else 0,
    )


def _document(found: Alike) -> Json:
    return {
        "code": found.code,
        "score": found.score,
        "members": [
            {
                "kind": "memory" if member.is_memory else "instructions",
                "store": member.store or None,
                "id": member.memory or None,
                "title": member.title,
                "file": str(member.file),
                "line": member.line,
                "differing": _phrases(found, member),
            }
            for member in found.members
        ],
    }


def _phrases(found: Alike, member: Member) -> list[str]:
    """What a member says otherwise than the first one, and the first otherwise than the second."""
    other = found.members[member is found.members[0]]
    # what is shown is compared: secrets are masked before anything is cut out
    shown = display.block(member.text)
    ours, _theirs = differing(shown, display.block(other.text))
    return [shown[start:end] for start, end in ours]


def _lines(groups: tuple[Alike, ...], env: Env) -> Iterator[str]:
    if not groups:
        yield _("no duplicates")
    for position, found in enumerate(groups):
        if position:
            yield ""
        if found.code == "duplicate":
            yield _("duplicate")
        else:
            yield _("near-duplicate, {score} % alike").format(score=found.score)
        yield from plain.table([_row(found, member, env) for member in found.members])


def _row(found: Alike, member: Member, env: Env) -> tuple[str, ...]:
    phrases = _phrases(found, member)
    said = " · ".join(map(display.line, phrases[:MOST_PHRASES])) + (" · …" if phrases[MOST_PHRASES:] else "")
    if member.is_memory:
        names = (display.line(member.store), display.line(member.memory), display.line(member.title))
    else:
        names = (_("instructions"), f"{display.path(member.file, home=env.home)}:{member.line}", "")
    return (*names, said)


VERBS: Mapping[str, Verb] = {"duplicates": Verb(SUMMARIES["duplicates"], _arguments, _duplicates)}
"""The verbs of this module."""
