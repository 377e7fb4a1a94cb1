"""The help and the palette: every command with its key, what it does, and why it cannot be done now.

Keys come from the app, through `take_key`: an input with the focus would miss those that are typed before it
has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from memtui.i18n import _
from memtui.ui.offers import Offer, key_names, name_of, ranked
from memtui.ui.screens.main import MEDIUM, TALL, WIDE
from memtui.ui.widgets.field import typed
from memtui.ui.widgets.row_list import Cell, Row, RowList
from memtui.ui.widgets.span_lines import FactLines, SpanLines
from memtui.ui.widgets.spans import INK_CLASSES, Span

COLUMNS_FROM, NARROW = WIDE, MEDIUM
"""Cells of the screen from which on a help has a column of names, as a palette always has; below the second a
row is a key and a name, and the sentence stands below the list."""

SHARE = 0.9
"""The share of the screen that a list takes at most, as the styles have it."""

LEAVING = frozenset({"escape", "ctrl+c"})
MOVING: dict[str, Callable[[RowList], None]] = {
    "down": lambda rows: rows.move_by(1),
    "up": lambda rows: rows.move_by(-1),
    "tab": lambda rows: rows.move_by(1),
    "shift+tab": lambda rows: rows.move_by(-1),
    "pagedown": lambda rows: rows.move_pages(1),
    "pageup": lambda rows: rows.move_pages(-1),
    "home": lambda rows: rows.move_to_first(),
    "end": lambda rows: rows.move_to_last(),
}
"""Keys that move the cursor, also while letters are typed."""

READING: dict[str, Callable[[RowList], None]] = {
    "j": MOVING["down"],
    "k": MOVING["up"],
    "g": MOVING["home"],
    "G": MOVING["end"],
    "ctrl+d": lambda rows: rows.move_pages(0.5),
    "ctrl+u": lambda rows: rows.move_pages(-0.5),
}
"""Keys that move it while none are."""


class CommandScreen(ModalScreen[None]):
    """A list of commands with a line to find one.

    As a palette (`finds`) it takes letters at once; as help it begins to with `/` or `f`, and a key of the
    table leads to its row. `do` is called with the id of the command that was chosen, once the screen is gone.
    With a `title` of its own it is about a few commands, and as high as they are.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    AUTO_FOCUS = None

    def __init__(
        self, offers: Sequence[Offer], do: Callable[[str], None], *, finds: bool = False, title: str = ""
    ) -> None:
        super().__init__()
        self._heading = title
        self._offers = offers
        self._do = do
        self._is_palette = self._finds = finds
        self._query = ""
        self._shown: dict[str, Offer] = {}
        self._early: list[events.Key] = []
        self._is_made = False
        self._room = 0

    def compose(self) -> ComposeResult:
        """The line, the commands, and what the one under the cursor does."""
        with Vertical(id="sheet", classes="-active"):
            yield SpanLines([[]], id="typed")
            yield RowList(id="commands")
            yield FactLines([[]], id="told")

    def on_mount(self) -> None:
        """Show the commands, then take the keys that came before."""
        frame = self.query_one("#sheet")
        frame.border_title = Content(self._heading or (_("Commands") if self._is_palette else _("All keys")))
        self.set_class(self._fits, "-fits")
        self._is_made = True
        self._show()
        early, self._early = self._early, []
        for event in early:
            self.take_key(event)

    # Keys

    def take_key(self, event: events.Key) -> None:
        """Do what a key means here; it is used up whatever it is."""
        event.stop()
        event.prevent_default()
        if not self._is_made:
            self._early.append(event)
        elif event.key == "enter":
            self._choose()
        elif event.key in MOVING:
            MOVING[event.key](self._list)
        elif self._finds:
            self._type(event)
        else:
            self._read(event)

    def _type(self, event: events.Key) -> None:
        if event.key in LEAVING or event.key == "ctrl+p" or (event.key == "backspace" and not self._query):
            self._stop_finding()
        elif event.key == "backspace":
            self._find(self._query[:-1])
        elif event.key == "ctrl+w":
            self._find(self._query.rstrip().rpartition(" ")[0])
        elif event.key == "ctrl+u":
            self._find("")
        elif event.is_printable and event.character is not None:
            self._find(self._query + typed(event.character))

    def _read(self, event: events.Key) -> None:
        key = event.character if event.is_printable and event.character else event.key
        if event.key in LEAVING or key in ("q", "h", "?", "left"):
            self.dismiss()
        elif key in READING:
            READING[key](self._list)
        elif key in ("/", "f", ":", "ctrl+p"):
            self._finds = True
            self._show()
        else:
            named = [row_id for row_id, offer in self._shown.items() if key in key_names(offer.command)]
            possible = [row_id for row_id in named if not self._shown[row_id].why_not]
            if named:
                self._list.go_to((possible or named)[0])

    def on_paste(self, event: events.Paste) -> None:
        """Find what is pasted."""
        event.stop()
        if self._finds and self._is_made:
            self._find(self._query + typed(event.text))

    def _stop_finding(self) -> None:
        if self._is_palette:
            self.dismiss()
            return
        self._finds, self._query = False, ""
        self._show()

    def _find(self, query: str) -> None:
        self._query = query
        self._show()
        self._list.move_to_first()

    def _choose(self) -> None:
        offer = self._shown.get(self._list.cursor_id)
        if offer is not None:
            self.dismiss()
            self._do(offer.command.id)

    # Showing

    @property
    def _fits(self) -> bool:
        """Whether it is as high as its rows."""
        return self._is_palette or bool(self._heading)

    @property
    def _list(self) -> RowList:
        return self.query_one("#commands", RowList)

    def _show(self) -> None:
        chosen = ranked(self._query, self._offers)
        self._shown = {offer.command.id: offer for offer in chosen}
        width = self.app.size.width
        keys = max((cell_len(offer.command.key) for offer in self._offers), default=0) + 1
        has_names = self._finds or width >= COLUMNS_FROM or width < NARROW
        names = max((cell_len(name_of(offer.command)) for offer in self._offers), default=0) + 2
        columns = keys + (width >= NARROW), names if has_names else 0
        rows: list[Row] = []
        group = ""
        for offer in chosen:
            if offer.group != group and not self._query.strip():
                group = offer.group
                rows.append(Row(f"group {group}", (Cell(group, "heading"),), kind="heading"))
            rows.append(_row(offer, *columns, has_sentence=width >= NARROW))
        nothing = _("no command is called so; Backspace takes letters back")
        self._list.set_rows(rows, empty=[[(nothing, "muted")]])
        typing: list[Span] = [(" : ", "key"), (self._query, "title"), (" ", "caret")]
        reading: list[Span] = [(" ", ""), (_("a key shows what it does"), "muted")]
        line = self.query_one("#typed", SpanLines)
        line.set_class(self._finds, "-typing")
        line.show([typing if self._finds else reading])
        leave = _("Esc ctrl+c back") if self._finds else _("/ find · q back")
        self.query_one("#sheet").border_subtitle = Content(_("Enter does it") + " · " + leave)
        room = self._list.text_width - 2 - sum(columns)
        self._room = room if width >= NARROW and room > 0 else 0
        told = self.query_one("#told", FactLines)
        told.display = any(cell_len(_sentence(offer)) > self._room for offer in self._offers)
        if self._fits:
            self._fit(len(rows) or 2, 2 if told.display else 0)
        self._tell()

    def _fit(self, rows: int, below: int) -> None:
        height = self.app.size.height
        is_whole = self.app.size.width < NARROW or height < TALL
        most = (height if is_whole else int(height * SHARE)) - 3 - below
        self._list.styles.height = max(1, min(rows, most))

    def _tell(self) -> None:
        offer = self._shown.get(self._list.cursor_id)
        told = self.query_one("#told", FactLines)
        if offer is None or cell_len(_sentence(offer)) <= self._room:
            told.show([[]])
            return
        key, text, ink = offer.command.key, offer.command.help, ""
        if offer.why_not:
            text, ink = f"{_sentence(offer)} · {text}", "warn"
        told.show([[(f" {key}  " if key else " ", "key"), (text, ink)]])

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """Tell of the command that the cursor is on."""
        event.stop()
        if self._is_made:
            self._tell()

    def on_row_list_selected(self, event: RowList.Selected) -> None:
        """Do the command that was clicked."""
        event.stop()
        self._choose()

    def on_resize(self, event: events.Resize) -> None:
        """Lay the rows out for the new width."""
        if self._is_made:
            self._show()


def _row(offer: Offer, key_cells: int, name_cells: int, *, has_sentence: bool) -> Row:
    command = offer.command
    cells = [Cell(command.key, "key", width=key_cells)]
    if name_cells:
        cells.append(Cell(name_of(command), "", width=name_cells if has_sentence else 0))
    if has_sentence:
        cells.append(Cell(_sentence(offer), "muted" if name_cells else ""))
    return Row(command.id, tuple(cells), dim=bool(offer.why_not))


def _sentence(offer: Offer) -> str:
    """What a command does, or why it cannot be done."""
    return _("not now: {reason}").format(reason=offer.why_not) if offer.why_not else offer.command.help
