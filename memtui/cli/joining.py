"""`merge` and `split ID`: one memory of several, several of one. One call is one change, one undo."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.cli.call import Answer, Call, Verb
from memtui.cli.changing import body_of, what_goes
from memtui.cli.effects import perform, prepare
from memtui.cli.finding import find
from memtui.cli.parser import Parser, add_change_options
from memtui.cli.summaries import SUMMARIES
from memtui.core.errors import UsageError
from memtui.core.text_actions import NewText, TextActions
from memtui.core.workspace import Memory, Snapshot
from memtui.i18n import _

# merge


def _merge_arguments(parser: Parser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help=_("memories, as `memtui list` gives their ids"))
    parser.add_argument("--into", metavar="ID", default="", help=_("the one that stays; else the first"))
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--keep", action="store_true", help=_("it stays as it is, the others go"))
    text.add_argument("--body", metavar="TEXT", help=_("its text from now on"))
    text.add_argument("--body-file", metavar="F", help=_("a file with its text, - for the standard input"))
    parser.add_argument("--yes", action="store_true", help=_("do it; without, say what would go"))
    add_change_options(parser, insists=True)


def _merge(call: Call) -> Answer:
    asked = call.arguments
    body = body_of(call)
    if body is None and not asked.keep:
        raise UsageError(_("say what it says from now on: --keep, --body TEXT or --body-file F"))
    if asked.yes:
        prepare(call)
    named = [asked.into, *asked.ids] if asked.into else asked.ids
    found = [find(call, memory_id) for memory_id in dict.fromkeys(named)]
    # an id has two spellings, with `.md` and without
    distinct = {(snapshot.store.id, memory.id): (snapshot, memory) for snapshot, memory in found}
    memories = [(snapshot, memory.id) for snapshot, memory in distinct.values()]
    new = None if body is None else NewText(body, part="body", insists=asked.insist)
    actions = TextActions(call.workspace)
    if not asked.yes and not asked.dry_run:
        actions.plan_merge(memories, new)
        raise UsageError(_needs_yes(list(distinct.values())), code="needs-yes")
    return perform(
        call,
        lambda: actions.plan_merge(memories, new),
        lambda locks: actions.merge(memories, new, takes_over=locks),
    )


def _needs_yes(found: list[tuple[Snapshot, Memory]]) -> str:
    (_snapshot, kept), *others = found
    what = ", ".join(what_goes(snapshot, memory) for snapshot, memory in others)
    projects = dict.fromkeys(project for snapshot, _memory in found for project in snapshot.store.shared_by)
    if projects:
        what = _("{what}, which is also the memory of {projects}").format(
            what=what, projects=", ".join(projects)
        )
    text = _("this would keep {title} and delete {what}; add --yes to do it")
    return text.format(title=kept.title, what=what)


# split


def _split_arguments(parser: Parser) -> None:
    # -h is tmux's word for a pane at the side
    parser.conflict_handler = "resolve"
    parser.add_argument(
        "id", nargs="?", metavar="ID", help=_("the memory's id, as `memtui list` gives it; without, see below")
    )
    add_change_options(parser)
    pane = parser.add_argument_group(_("without ID: open memtui beside this pane of tmux"))
    sides = pane.add_mutually_exclusive_group()
    pane.conflict_handler = sides.conflict_handler = "resolve"
    sides.add_argument("-h", action="store_true", dest="right", help=_("at its right"))
    sides.add_argument("-v", action="store_true", dest="below", help=_("below it, as without either"))
    pane.add_argument("--size", metavar="N", help=_("so many cells wide or high; N%%: a part of the pane"))
    pane.add_argument("--owner", metavar="OWNER", default="", help=_("only this agent's memory"))
    pane.add_argument(
        "--new", action="store_true", help=_("also where this window has one that shows the same")
    )


def _split(call: Call) -> Answer:
    asked = call.arguments
    if asked.id is None:
        from memtui.cli.own_pane import open_split

        return open_split(call)
    if asked.right or asked.below or asked.size is not None or asked.owner or asked.new:
        raise UsageError(_("a memory is split without -h, -v, --size, --owner and --new"))
    prepare(call)
    snapshot, memory = find(call, call.arguments.id)
    actions = TextActions(call.workspace)
    return perform(
        call,
        lambda: actions.plan_split(snapshot, memory.id),
        lambda locks: actions.split(snapshot, memory.id, takes_over=locks),
    )


VERBS: Mapping[str, Verb] = {
    "merge": Verb(SUMMARIES["merge"], _merge_arguments, _merge),
    "split": Verb(SUMMARIES["split"], _split_arguments, _split),
}
