"""Where everything is: every store of this directory, who reads it and why, and the folders of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass, field
from memtui.ui import wording
from memtui.ui.widgets.row_list import Cell, Row
from memtui.ui.widgets.spans import Span, clip

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot, Store
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.screens.list_screen import ListScreen
    from memtui.ui.view import View

OWNER_CELLS = 10

APART_CELLS = 15
"""Cells that what tells stores of one owner apart takes at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """One row: its path (None = it is none), what is told of it, and where Enter leads."""

    row: Row
    lines: tuple[tuple[Span, ...], ...]
    path: Path | None = None
    store_id: str = ""
    is_used: bool = False
    holds_sessions: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """All of them, used stores first; `here` is the working directory. Everything is safe for display."""

    here: str
    places: Mapping[str, Place]
    rows: tuple[Row, ...] = field(default=())


def find_places(workspace: Workspace, known: Mapping[str, Snapshot]) -> Places:
    """Every store, folder of sessions and setting here; `known` are stores that were read already.

    Runs on the work thread.
    """
    located, home = workspace.locate(), workspace.env.home
    found: list[Place] = []
    apart = told_apart(located.stores)
    for number, store in enumerate(sorted(located.stores, key=lambda store: not store.used)):
        snapshot = known.get(store.id) or (workspace.scan(store) if store.exists else None)
        found.append(_store(f"store {number}", store, snapshot, home, apart))
    sessions = [
        _sessions(f"sessions {number}", root.agent, root.path, root.sessions, home)
        for number, root in enumerate(located.transcripts)
    ]
    told = {warning for store in located.stores for warning in store.warnings}
    others = [wording.sentence(warning, home) for warning in located.warnings if warning not in told]
    rows = [place.row for place in found]
    if sessions:
        rows.append(Row("heading sessions", (Cell(_("sessions"), "heading"),), kind="heading"))
        rows += [place.row for place in sessions]
    if others:
        found.append(_settings(others))
        rows.append(found[-1].row)
    places = {place.row.id: place for place in [*found, *sessions]}
    return Places(wording.place(located.cwd, home), places, tuple(rows))


def told_apart(stores: Sequence[Store]) -> Mapping[str, str]:
    """By the ids of stores whose owner has several: the part of its path that the others have not, short and
    safe for display."""
    from memtui.core.safety import display

    by_owner: dict[str, list[Store]] = {}
    for store in stores:
        by_owner.setdefault(store.owner, []).append(store)
    apart = {}
    for some in by_owner.values():
        for store in some if len(some) > 1 else ():
            others = [other.root for other in some if other is not store]
            apart[store.id] = clip(display.line(_own_part(store.root, others)), APART_CELLS)
    return apart


def _own_part(path: Path, others: Sequence[Path]) -> str:
    """The last part of a path that no other one has in its place, counted from the end."""
    for place, part in enumerate(reversed(path.parts), 1):
        if all(len(other.parts) < place or other.parts[-place] != part for other in others):
            return part
    return path.name


def _store(row_id: str, store: Store, snapshot: Snapshot | None, home: Path, apart: Mapping[str, str]) -> Place:
    from memtui.core.safety import display

    state, ink = store_state(store)
    worst = "!" if store.warnings or not store.loads or store.shared_by else ""
    counts = _counts(snapshot) if snapshot is not None else _("nothing there yet")
    cells = (
        Cell(worst, "warn", width=2),
        Cell(display.line(store.owner), "kind", width=OWNER_CELLS),
        Cell(f"{apart[store.id]}  {counts}" if store.id in apart else counts),
    )
    lines: list[list[Span]] = [[(wording.place(store.root, home), "title")]]
    lines.append([(counts, "" if snapshot is not None else "muted")])
    lines.append([(_("because") + "  ", "label"), (wording.sentence(store.reason, home), "")])
    if store.read_by:
        readers = ", ".join(display.line(reader) for reader in store.read_by)
        lines.append([(_("read by") + "  ", "label"), (readers, "")])
    lines.append([(_("id") + "       ", "label"), (display.line(store.id), "muted")])
    if not store.writable:
        lines.append([(_("read-only: nothing here can be changed"), "warn")])
    if not store.loads:
        why = wording.sentence(store.loads_not_because, home)
        lines.append([(_("not injected: {reason}").format(reason=why), "warn")])
    if store.shared_by:
        others = ", ".join(wording.sentence(other, home) for other in store.shared_by)
        lines.append([(_("also the memory of {projects}").format(projects=others), "warn")])
    lines += [[(wording.sentence(warning, home), "warn")] for warning in store.warnings]
    return Place(
        Row(row_id, cells, state, ink, dim=not store.used),
        tuple(map(tuple, lines)),
        store.root,
        store.id,
        store.used,
    )


def store_state(store: Store) -> tuple[str, str]:
    """Whether a store is read here, in two words at most, and the ink of that."""
    if not store.used:
        return _("not used"), "muted"
    if not store.loads:
        return _("not injected"), "warn"
    if not store.writable:
        return _("read-only"), "warn"
    return _("used"), "good"


def _counts(snapshot: Snapshot) -> str:
    memories, bad = len(snapshot.memories), sum(item.severity != "note" for item in snapshot.problems)
    words = [ngettext("{count} memory", "{count} memories", memories).format(count=f"{memories:,}")]
    injected = [budget for budget in snapshot.budgets if budget.scope == "inject"]
    binding = next((budget for budget in injected if budget.binding), None)
    words += [wording.budget(binding)] if binding is not None else []
    words += [wording.problems(bad)] if bad else []
    return " · ".join(words)


def _sessions(row_id: str, agent: str, path: Path, count: int, home: Path) -> Place:
    from memtui.core.safety import display

    counted = ngettext("{count} session", "{count} sessions", count).format(count=f"{count:,}")
    cells = (Cell("", width=2), Cell(display.line(agent), "kind", width=OWNER_CELLS), Cell(counted))
    lines = (((wording.place(path, home), "title"),), ((counted, ""),))
    return Place(Row(row_id, cells), lines, path, holds_sessions=True)


def _settings(sentences: Sequence[str]) -> Place:
    count = len(sentences)
    words = ngettext("{count} setting is not followed", "{count} settings are not followed", count)
    cells = (Cell("!", "warn", width=2), Cell(words.format(count=count), "warn"))
    return Place(Row("settings", cells), tuple(((sentence, "warn"),) for sentence in sentences))


class Where:
    """The command `where` and what the keys do on its screen. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def where(self) -> None:
        """Every store, who reads it, and why."""
        view = self._desk.view
        stores = () if view is None else view.stores
        known = {store.snapshot.store.id: store.snapshot for store in stores}
        self._desk.work.do(
            lambda workspace: find_places(workspace, known),
            self._show,
            channel="where",
            failed=self._desk.say_error,
        )

    def _show(self, found: Places) -> None:
        from memtui.ui.screens.list_screen import ListScreen

        def tell(row_id: str) -> Sequence[Sequence[Span]]:
            return found.places[row_id].lines if row_id in found.places else ()

        def open_place(row_id: str) -> None:
            place = found.places.get(row_id)
            if place is not None and not self._go_to(screen, place):
                screen.say(_("no agent reads it here; memtui PATH opens it, y copies the path"), "muted")

        def copy_path(row_id: str) -> None:
            place = found.places.get(row_id)
            if place is None or place.path is None:
                return
            from memtui.core.safety import display
            from memtui.ui.copying import copy_text

            path, name = str(place.path), display.path(place.path, home=self._desk.app.env.home)
            copy_text(self._desk, lambda workspace: (path, name), screen.say)

        commands = {"open": open_place, "copy_path": copy_path}
        title = _("Where, from {place}").format(place=found.here)
        meanings = {
            "open": (_("open"), _("To its memories or sessions")),
            "copy_path": (_("copy path"), _("Copy its path; says where to")),
        }
        screen = ListScreen(title, commands, opener="where", meanings=meanings, tell=tell)
        if len(self._desk.app.screen_stack) > 1:
            return
        self._desk.app.push_screen(screen)
        screen.show_rows(found.rows, [[(_("no store is known for this directory"), "warn")]])

    def _go_to(self, screen: ListScreen, place: Place) -> bool:
        """Leave the screen for what a place holds; False where nothing on the main screen is of it."""
        navigation = self._desk.app.navigation
        if place.holds_sessions:
            screen.dismiss()
            navigation.activate("search")
            return True
        row_id = _first_row(self._desk.view, place.store_id) if place.is_used else ""
        if not row_id:
            return False
        screen.dismiss()
        navigation.activate("index")
        self._desk.go_to_memory(row_id)
        return True


def _first_row(view: View | None, store_id: str) -> str:
    if view is None:
        return ""
    for number, store in enumerate(view.stores):
        if store.snapshot.store.id == store_id:
            empty = (row_id for row_id, at in view.empty_stores.items() if at == number)
            return store.items[0].row_id if store.items else next(empty, "")
    return ""
