"""`where`, `list` and `show`: verbs that only look. They create nothing, and a good file is never hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.finding import find
from memtui.cli.parser import Parser
from memtui.cli.summaries import SUMMARIES
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.safety import display
from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.workspace import AgentView, Located, Memory, MemoryText, Snapshot, Store


def _no_arguments(parser: Parser) -> None:
    """`where` and `list` take the common options only."""


# where


def _where(call: Call) -> Answer:
    located = call.stores.locate()
    stores = (call.stores.choose_store(call.store),) if call.store else located.stores
    said = {sentence for store in located.stores for sentence in store.warnings}
    return Answer(
        document=lambda: documents.where(located, stores),
        lines=lambda: _where_lines(located, stores, call.env),
        notes=tuple(sentence for sentence in located.warnings if sentence not in said),
    )


def _where_lines(located: Located, stores: tuple[Store, ...], env: Env) -> Iterator[str]:
    yield display.path(located.cwd, home=env.home)
    if not stores:
        yield _("no memory belongs here")
    for store in stores:
        yield ""
        yield plain.store_heading(store, env)
        facts = [_("used") if store.used else _("not used"), _("tier {tier}").format(tier=store.tier)]
        if not store.writable:
            facts.append(_("cannot be written"))
        yield f"  {', '.join(facts)}: {display.line(documents.reason(store))}"
        if store.shared_by:
            others = ", ".join(display.path(other, home=env.home) for other in store.shared_by)
            yield _("  also the memory of {projects}").format(projects=others)
        for warning in store.warnings:
            yield f"  ! {display.line(warning)}"
    roots = [root for root in located.transcripts if root.sessions]
    if roots:
        yield ""
        for root in roots:
            count = ngettext("{count} session", "{count} sessions", root.sessions).format(count=root.sessions)
            yield f"{display.line(root.agent)}  {count}  {display.path(root.path, home=env.home)}"


# list


def _list(call: Call) -> Answer:
    snapshots = call.stores.snapshots(call.store)
    return Answer(
        document=lambda: {"stores": [documents.memories(snapshot) for snapshot in snapshots]},
        lines=lambda: _list_lines(snapshots, call.env),
    )


def _list_lines(snapshots: tuple[Snapshot, ...], env: Env) -> Iterator[str]:
    if not snapshots:
        yield _("no memory belongs here")
    for position, snapshot in enumerate(snapshots):
        if position:
            yield ""
        yield plain.store_heading(snapshot.store, env)
        if budgets := plain.inject_budgets(snapshot):
            yield f"  {budgets}"
        if not snapshot.store.loads:
            yield f"  ! {display.line(snapshot.store.loads_not_because)}"
        for warning in snapshot.store.warnings:
            yield f"  ! {display.line(warning)}"
        if not snapshot.memories:
            yield "  " + _("no memories")
            continue
        yield from plain.table(_rows(snapshot))


def _rows(snapshot: Snapshot) -> list[tuple[str, ...]]:
    codes = documents.codes_by_memory(snapshot)
    # that a whole store is off stands above it once
    not_loaded = _("not loaded") if snapshot.store.loads else ""
    rows: list[tuple[str, ...]] = []
    for memory in snapshot.memories:
        remarks = list(codes.get(memory.id, ()))
        if not_loaded and not memory.loaded and "not-loaded" not in remarks:
            remarks.append(not_loaded)
        names = (display.line(memory.id), display.line(memory.type), display.line(memory.title))
        rows.append((*names, ", ".join(remarks)))
    return rows


# show


def _show_arguments(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help=_("the memory's id, as `memtui list` gives it"))
    parser.add_argument(
        "--agent-view", action="store_true", help=_("what the agent is given of the store at its start")
    )


def _show(call: Call) -> Answer:
    if call.arguments.agent_view:
        return _show_agent_view(call)
    if call.arguments.id is None:
        raise UsageError(_("name a memory by its id, or add --agent-view; `memtui list` names them"))
    snapshot, memory = find(call, call.arguments.id, call.stores)
    text = call.stores.text(snapshot, memory.id)
    codes = documents.codes_by_memory(snapshot).get(memory.id, [])
    return Answer(
        document=lambda: {"memory": documents.shown(memory, codes, text)},
        lines=lambda: _show_lines(snapshot, memory, text),
    )


def _show_lines(snapshot: Snapshot, memory: Memory, text: MemoryText | None) -> Iterator[str]:
    file = _("{size:,} bytes").format(size=memory.size_bytes) if memory.state == "ok" else _(memory.state)
    rows = [
        (_("id"), memory.id),
        (_("title"), memory.title),
        (_("description"), memory.description),
        (_("type"), memory.type),
        (_("file"), f"{snapshot.store.root / memory.file} ({file})"),
        (_("index lines"), plain.numbers(memory.index_lines)),
        (_("hook"), memory.hook or ""),
        (_("updated"), plain.when(memory.updated)),
        (_("loaded"), _("yes") if memory.loaded else _("no")),
    ]
    yield from plain.table([(name, display.line(value)) for name, value in rows if value], indent="")
    own = [problem for problem in snapshot.problems if problem.memory == memory.id]
    yield from dict.fromkeys(f"{item.severity}: {item.code}: {display.line(item.message)}" for item in own)
    if text is not None:
        yield ""
        yield from plain.text(text.text)


def _show_agent_view(call: Call) -> Answer:
    view = call.stores.agent_view(_snapshot_for_agent(call))
    return Answer(
        document=lambda: {
            "agent_view": {"text": documents.decode(view.text), "approximate": list(view.approximate)}
        },
        lines=lambda: _agent_view_lines(view),
        notes=() if call.as_json else view.approximate,
    )


def _agent_view_lines(view: AgentView) -> Iterator[str]:
    yield from plain.text(view.text)


def _snapshot_for_agent(call: Call) -> Snapshot:
    if call.arguments.id is not None:
        return find(call, call.arguments.id, call.stores)[0]
    if call.store:
        return call.stores.scan(call.stores.choose_store(call.store))
    stores = call.stores.used_stores()
    stores = tuple(store for store in stores if store.exists) or stores
    if len(stores) == 1:
        return call.stores.scan(stores[0])
    if not stores:
        raise UsageError(_("no memory belongs here; see `memtui where`"), code="no-store")
    raise UsageError(
        _("several stores are used here; name one with --store: {ids}").format(
            ids=", ".join(store.id for store in stores)
        ),
        code="several-stores",
    )


VERBS: Mapping[str, Verb] = {
    "where": Verb(SUMMARIES["where"], _no_arguments, _where),
    "list": Verb(SUMMARIES["list"], _no_arguments, _list),
    "show": Verb(SUMMARIES["show"], _show_arguments, _show),
}
