"""`move`, `place` and `retype`: where a memory stands, and what it is. One call is one change, one undo."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.cli.call import Answer, Call, Verb
from memtui.cli.effects import change, perform, prepare
from memtui.cli.finding import find
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import UsageError
from memtui.core.store_actions import Place, Regroup, StoreActions, Wish
from memtui.core.workspace import SetField, Snapshot, Store
from memtui.i18n import _

# move


def _move_arguments(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help=_("memories, as `memtui list` gives their ids"))
    parser.add_argument("--to", metavar="STORE", default="", help=_("the store's id, or its owner"))
    parser.add_argument("--copy", action="store_true", help=_("leave them where they are as well"))
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--topic", metavar="T", default="", help=_("the topic to put them in"))
    place.add_argument("--group", metavar="G", default="", help=_("memory or user, where a store has both"))
    add_change_options(parser, insists=True)


def _move(call: Call) -> Answer:
    asked = call.arguments
    within = asked.topic or asked.group
    if not asked.to and (asked.copy or not within):
        raise UsageError(_("say where to: --to STORE, or within a store --topic T or --group G"))
    prepare(call)
    snapshot, ids = _found(call, asked.ids)
    target = call.workspace.choose_store(asked.to) if asked.to else snapshot.store
    if target.id == snapshot.store.id and within and not asked.copy:
        return change(call, snapshot, "move", tuple(Regroup(memory_id, within) for memory_id in ids))
    return _carry(call, snapshot, ids, target)


def _carry(call: Call, snapshot: Snapshot, ids: tuple[str, ...], target: Store) -> Answer:
    asked, actions = call.arguments, StoreActions(call.workspace)
    wish = Wish(asked.topic, asked.group, asked.insist)
    return perform(
        call,
        lambda: actions.plan_move(snapshot, ids, target, copy=asked.copy, wish=wish),
        lambda locks: actions.move(snapshot, ids, target, copy=asked.copy, wish=wish, takes_over=locks),
    )


def _found(call: Call, asked: list[str]) -> tuple[Snapshot, tuple[str, ...]]:
    """The one store that holds these memories, and their ids."""
    found = [find(call, memory_id) for memory_id in dict.fromkeys(asked)]
    stores = dict.fromkeys(snapshot.store.id for snapshot, _memory in found)
    if len(stores) > 1:
        raise UsageError(
            _("these memories are in several stores; move them store by store: {ids}").format(
                ids=", ".join(stores)
            ),
            code="several-stores",
        )
    return found[0][0], tuple(dict.fromkeys(memory.id for _snapshot, memory in found))


# place


def _place_arguments(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help=_("the memory's id, as `memtui list` gives it"))
    parser.add_argument("position", type=int, metavar="POSITION", help=_("its place in its file, from 1"))
    add_change_options(parser)


def _place(call: Call) -> Answer:
    position = call.arguments.position
    if position < 1:
        raise UsageError(_("a position is counted from 1"))
    prepare(call)
    snapshot, memory = find(call, call.arguments.id)
    return change(call, snapshot, "place", (Place(memory.id, position),))


# retype


def _retype_arguments(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help=_("the memory's id, as `memtui list` gives it"))
    parser.add_argument("type", metavar="TYPE", help=_("a type that the store's owner knows"))
    add_change_options(parser)


def _retype(call: Call) -> Answer:
    prepare(call)
    snapshot, memory = find(call, call.arguments.id)
    return change(call, snapshot, "retype", (SetField(memory.id, "type", call.arguments.type),))


VERBS: Mapping[str, Verb] = {
    "move": Verb(SUMMARIES["move"], _move_arguments, _move),
    "place": Verb(SUMMARIES["place"], _place_arguments, _place),
    "retype": Verb(SUMMARIES["retype"], _retype_arguments, _retype),
}
