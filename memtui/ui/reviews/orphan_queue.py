"""The queue of orphaned stores: whose each was, what is in it, and the way into this project."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui import wording
from memtui.ui.reviews.reviewing import Review
from memtui.ui.screens.review_screen import Entry
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from memtui.core.adoption import Adopted, LeftBehind, Offer
    from memtui.core.errors import MemtuiError
    from memtui.core.workspace import Outcome, Plan, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.spans import Span

COUNT_CELLS = 5
OWNER_CELLS = 9

Line = list["Span"]


class OrphanQueue(Review):
    """The queue of orphaned stores on the screen."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        own = {
            "move": self._adopt,
            "open": self._look,
            "copy_path": self._copy_path,
            "rescan": lambda row_id: self.load(locate_again=True),
        }
        title, meanings = (
            _("Orphaned stores"),
            {
                "move": (_("adopt"), _("Copy its memories into this project; asks, y does it")),
                "open": (_("look"), _("What adopting it would change, line by line")),
                "copy_path": (_("copy path"), _("Copy the path of the store")),
            },
        )
        super().__init__(desk, title, opener="orphans", own=own, passed=("undo",), meanings=meanings)
        self._changing = changing
        self._offers: Mapping[str, Offer] = {}
        self._is_closed = False

    def load(self, *, locate_again: bool = False) -> None:
        """Look for them, in the background; leaving ends that."""

        def job(workspace: Workspace) -> list[tuple[Offer, Entry]]:
            workspace.locate(again=locate_again)
            return self._found(workspace)

        self._desk.work.do(job, self._show, channel="orphans", failed=self._desk.say_error)

    def closed(self) -> None:
        """Nobody waits for what is still being looked for."""
        self._is_closed = True
        self._desk.work.forget("orphans")

    def change_ended(self, about: str, outcome: Outcome | None) -> None:
        """What was copied is here now, and what was undone is not."""
        self.load()

    def _found(self, workspace: Workspace) -> list[tuple[Offer, Entry]]:
        """Runs on the work thread."""
        from memtui.core.adoption import Adoption

        offers = Adoption(workspace).offers(lambda: self._is_closed)
        return [(offer, entry_of(offer, workspace.env.home, workspace.env.now())) for offer in offers]

    def _show(self, found: list[tuple[Offer, Entry]]) -> None:
        self._offers = {entry.row.id: offer for offer, entry in found}
        entries = [entry for _offer, entry in found]
        proven = sum(bool(offer.one.orphan.code) for offer, _entry in found)
        words = ngettext("{count} project is gone", "{count} projects are gone", proven)
        parts = [words.format(count=proven)] if proven else []
        if len(found) > proven:
            parts.append(_("{count} not known").format(count=len(found) - proven))
        self.show(entries, [[(_("no memory of a project that is gone"), "good")]])
        self.screen.show_progress(parts)

    # What its keys do

    def _adopt(self, row_id: str, *, insists: bool = False) -> None:
        from memtui.core.adoption import Adoption, Wish
        from memtui.core.safety import display

        offer = self._offers.get(row_id)
        if offer is None:
            return
        target, home = offer.target, self._desk.app.env.home
        if target is None or not offer.comes:
            why = display.line(offer.why_not) if target is None else _("all of it is here already")
            self.say(why, "warn" if target is None else "muted")
            return
        wish = Wish(insists=insists)

        def plan_of(workspace: Workspace) -> Plan:
            return Adoption(workspace).plan(offer.one, target, wish)

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            return Adoption(workspace).adopt(offer.one, target, wish, takes_over=takes_over)

        def refused(error: MemtuiError) -> None:
            again = partial(self._adopt, row_id, insists=True)
            self._changing.unless_insisted(error, again, lambda: self._changing.failed(error))

        text = ngettext(
            "Copy {count} memory of {project} into {store}?",
            "Copy {count} memories of {project} into {store}?",
            offer.comes,
        )
        whose, store = _whose(offer.one, home), display.line(target.owner)
        self._changing.propose(
            text.format(count=offer.comes, project=whose, store=store),
            plan_of,
            lambda: self._changing.do(job, refused, count=offer.comes),
            refused=refused,
            opener="M",
            hint=_("(u takes it back)"),
        )

    def _look(self, row_id: str) -> None:
        """What adopting would change, as a diff."""
        offer = self._offers.get(row_id)
        if offer is None:
            return
        target = offer.target
        if target is None:
            self._adopt(row_id)
            return

        def lines(workspace: Workspace) -> list[str]:
            from memtui.core.adoption import Adoption
            from memtui.ui.differences import made_plan_lines

            return made_plan_lines(workspace, Adoption(workspace).plan(offer.one, target))

        def show(found: list[str]) -> None:
            from memtui.ui.screens.diff_screen import DiffScreen

            if self.is_open and self._desk.is_on_top and not self.screen.is_asking:
                self._desk.app.push_screen(DiffScreen(_("What adopting it would change"), found))

        self._desk.work.do(lines, show, channel="diff", failed=self._desk.say_error)

    def _copy_path(self, row_id: str) -> None:
        from memtui.ui.copying import copy_text

        offer = self._offers.get(row_id)
        if offer is not None:
            root = offer.one.store.root
            name = wording.place(root, self._desk.app.env.home)
            copy_text(self._desk, lambda workspace: (str(root), name), self.screen.say)


# Words


def entry_of(offer: Offer, home: Path, now: datetime) -> Entry:
    """One row of the queue with what stands beside it; safe for display."""
    from memtui.core.safety import display

    one = offer.one
    is_proven = bool(one.orphan.code)
    cells = (
        Cell("!" if is_proven else "?", "warn" if is_proven else "muted", width=2),
        Cell(f"{one.count:,}".rjust(COUNT_CELLS - 1), "", width=COUNT_CELLS),
        Cell(display.line(one.store.owner), "kind", width=OWNER_CELLS, from_width=44),
        Cell(_project(one, home)),
    )
    tail = wording.age(one.updated, now)
    if offer.target is not None and not offer.comes:
        tail = _("all here")
    row = Row(str(one.store.root), cells, tail, dim=not is_proven)
    return Entry(row, _reasons(offer, home, now), "", _lines(offer))


def _whose(one: LeftBehind, home: Path) -> str:
    """The paths that it was made for, else its id."""
    from memtui.core.safety import display

    paths = ", ".join(display.path(path, home=home) for path in one.orphan.projects)
    return paths or display.line(one.store.id)


def _project(one: LeftBehind, home: Path) -> str:
    """Whose it is, in a few words."""
    text = _("{project} (gone)") if one.orphan.projects else _("not known: {project}")
    return text.format(project=_whose(one, home))


def _reasons(offer: Offer, home: Path, now: datetime) -> list[Line]:
    """Why it is an orphan, what is in it and where it would go."""
    from memtui.core.safety import display

    one, orphan = offer.one, offer.one.orphan
    mark, ink = ("!", "warn") if orphan.code else ("?", "muted")
    lines: list[Line] = [[(f"{mark} ", ink), (wording.sentence(one.store.reason, home), ink)]]
    words = [ngettext("{count} memory", "{count} memories", one.count).format(count=f"{one.count:,}")]
    words.append(wording.size(one.size_bytes))
    if one.updated is not None:
        words.append(_("changed {when}").format(when=_ago(one.updated, now)))
    if orphan.sessions:
        counted = ngettext("{count} session", "{count} sessions", orphan.sessions)
        sessions = counted.format(count=orphan.sessions)
        if orphan.last_session is not None:
            when = _ago(orphan.last_session, now)
            sessions = _("{sessions}, the last {when}").format(sessions=sessions, when=when)
        words.append(sessions)
    lines.append([(" · ".join(words), "")])
    lines.append([(_("lies in") + "  ", "label"), (wording.place(one.store.root, home), "muted")])
    if offer.target is None:
        lines.append([(display.line(offer.why_not), "warn")])
    else:
        lines.append([(_("M into") + "   ", "label"), (wording.place(offer.target.root, home), "muted")])
    return lines


def _ago(then: datetime, now: datetime) -> str:
    age = wording.age(then, now)
    return _("just now") if age == _("now") else _("{age} ago").format(age=age)


def _lines(offer: Offer) -> list[Line]:
    """Its memories, with what would become of each."""
    from memtui.core.safety import display

    fates = {adopted.memory_id: adopted for adopted in offer.fates}
    lines: list[Line] = []
    for memory in offer.one.snapshot.memories:
        sign, ink, words = _fate(fates.get(memory.id))
        line: Line = [(f"{sign} ", ink), (display.line(memory.title), "title" if sign == "+" else "")]
        if memory.description:
            line.append((f"  {display.line(memory.description)}", "muted"))
        lines.append(line)
        if words:
            lines.append([("  ", ""), (words, ink)])
    return lines


def _fate(adopted: Adopted | None) -> tuple[str, str, str]:
    """A sign for what would become of a memory, its ink, and a sentence where one is needed."""
    from memtui.core.safety import display

    if adopted is None:
        return " ", "", ""
    if adopted.fate == "unfit":
        return "-", "warn", _("stays: {why}").format(why=display.line(adopted.why))
    return {
        "new": ("+", "good", ""),
        "conflict": ("+", "warn", _("one of its name says something else here: it comes beside that")),
        "same": ("=", "muted", _("here already, word for word")),
    }[adopted.fate]
