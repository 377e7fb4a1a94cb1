"""A screen with a list, what is said about the row under the cursor, and a question bar of its own.

Its keys are those of the table: what `j`, `u` or `y` mean elsewhere, they mean here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from memtui.i18n import _
from memtui.ui.commands import BY_ID
from memtui.ui.screens.edge import edge_keys
from memtui.ui.screens.own_keys import TABLE_KEYS, Meaning, own_offers, says_unused
from memtui.ui.screens.text_screen import ink_spans_of
from memtui.ui.widgets.ask_bar import AskBar
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.row_list import Row, RowList
from memtui.ui.widgets.span_lines import FactLines
from memtui.ui.widgets.spans import INK_CLASSES, Span

MOVES: Mapping[str, Callable[[RowList], None]] = {
    "down": lambda rows: rows.move_by(1),
    "up": lambda rows: rows.move_by(-1),
    "first": lambda rows: rows.move_to_first(),
    "last": lambda rows: rows.move_to_last(),
    "page_down": lambda rows: rows.move_pages(1),
    "page_up": lambda rows: rows.move_pages(-1),
}
"""Commands that move the cursor."""

HALVES = {"half_down": 0.5, "half_up": -0.5}
"""Commands that move what is told of the row by pages, or the list where nothing is told beside it."""

Do = Callable[[str], None]
"""Does a command; hears the id of the row under the cursor."""


class ListScreen(ModalScreen[None]):
    """A list over the screen. `commands` are ids of the table with what they do here, in the order of the key
    bar; `meanings` are their words where those of the table say something else. `tell` gives the lines about a
    row, where the screen is to tell of rows. `?` lists these keys. All text must be safe."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(",".join(BY_ID[name].keys), f"move('{name}')", show=False) for name in (*MOVES, *HALVES)),
        *(Binding(",".join(BY_ID[name].keys), f"keys('{name}')", show=False) for name in ("help", "palette")),
        Binding(",".join((*BY_ID["back"].keys, *BY_ID["leave"].keys)), "leave", show=False),
    ]

    def __init__(
        self,
        title: str,
        commands: Mapping[str, Do],
        *,
        opener: str,
        meanings: Mapping[str, Meaning] | None = None,
        tell: Callable[[str], Sequence[Sequence[Span]]] | None = None,
    ) -> None:
        super().__init__()
        self._heading = title
        self._commands = commands
        self._meanings = meanings or {}
        self._bound = frozenset((*commands, *MOVES, *HALVES, *TABLE_KEYS, opener))
        self.why_not: Callable[[str], str] = lambda command_id: ""
        """Gives the reason why a command of this list cannot be done now, '' when it can."""
        self._tell = tell
        self._is_made = False
        self._waiting: tuple[Sequence[Row], Sequence[Sequence[Span]]] | None = None
        # a key that is a sign needs the name that only a Binding gives it
        bound = [Binding(",".join(BY_ID[name].keys), f"do('{name}')", show=False) for name in commands]
        bound.append(Binding(",".join(BY_ID[opener].keys), "leave", show=False))
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(bound)])

    def compose(self) -> ComposeResult:
        """The list, what is told of its row, what is said, and a question."""
        with Vertical(id="sheet", classes="-active -list" if self._tell is None else "-active -list -telling"):
            yield RowList(id="rows")
            if self._tell is not None:
                yield LineView(id="about")
            yield FactLines(id="said")
            yield AskBar(id="ask")

    def on_mount(self) -> None:
        """Show what was given before the screen was there."""
        self.query_one("#sheet").border_title = Content(self._heading)
        self.query_one("#said").display = False
        self.rows.set_rows((), empty=[[(_("reading …"), "muted")]])
        self._is_made = True
        if self._waiting is not None:
            self.show_rows(*self._waiting)

    def on_resize(self) -> None:
        """Show the keys that there is room for."""
        self._fit()

    def _fit(self) -> None:
        sheet = self.query_one("#sheet")
        sheet.border_subtitle = edge_keys(self._key_words(whole=True), sheet.outer_size.width, always=2)

    def _key_words(self, *, whole: bool = False) -> list[tuple[str, str]]:
        """Keys and what they do here, in the order of the bar, all of a command's keys or the first."""
        words = []
        for name in self._commands:
            key, meaning = BY_ID[name].key, self._meanings.get(name)
            words.append(
                (key if whole else key.partition(" ")[0], meaning[0] if meaning else BY_ID[name].label)
            )
        return [*words, ("?", _("keys")), ("q", _("back"))]

    @property
    def rows(self) -> RowList:
        """The list."""
        return self.query_one("#rows", RowList)

    @property
    def ask_bar(self) -> AskBar:
        """Where questions are asked."""
        return self.query_one("#ask", AskBar)

    def show_rows(self, rows: Sequence[Row], empty: Sequence[Sequence[Span]]) -> None:
        """Show other rows; the cursor stays on its id."""
        if not self._is_made:
            self._waiting = (rows, empty)
        if not self._is_made or not self.is_attached:
            return
        self.rows.set_rows(rows, empty=empty)
        self._tell_row()

    def say(self, text: str, ink: str = "") -> None:
        """Say one sentence under the list; '' takes it away."""
        if not self._is_made or not self.is_attached:
            return
        said = self.query_one("#said", FactLines)
        said.display = bool(text)
        said.show([[(" ", ""), (text, ink)]] if text else [])

    # Keys

    def on_key(self, event: events.Key) -> None:
        """A question takes every key; one that does nothing here says so."""
        if self.ask_bar.asking:
            self.ask_bar.take_key(event)
        elif said := says_unused(event, self._bound):
            self.say(said, "muted")

    def action_keys(self, name: str) -> None:
        """List the keys of this list, or find one by its name."""
        from memtui.ui.screens.command_screen import CommandScreen

        offers = own_offers(self._commands, self._meanings, (*MOVES, *HALVES), self.why_not)
        title = _("Keys here: {list}").format(list=self._heading)
        self.app.push_screen(CommandScreen(offers, self._do_chosen, finds=name == "palette", title=title))

    def _do_chosen(self, name: str) -> None:
        if name in self._commands:
            self.action_do(name)
        elif name == "leave":
            self.action_leave()
        else:
            self.action_move(name)

    def action_move(self, name: str) -> None:
        """Move the cursor, or what is told of its row."""
        if name in MOVES:
            MOVES[name](self.rows)
        elif self._tell is not None:
            self.query_one("#about", LineView).move_pages(HALVES[name])
        else:
            self.rows.move_pages(HALVES[name])

    def action_do(self, name: str) -> None:
        """Do a command of this screen on the row under the cursor."""
        self.say("")
        self._commands[name](self.rows.cursor_id)

    def action_leave(self) -> None:
        """Back to what lies below."""
        self.dismiss()

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """Tell of the row that the cursor is on."""
        event.stop()
        self._tell_row()

    def on_row_list_selected(self, event: RowList.Selected) -> None:
        """A click is what Enter is."""
        event.stop()
        if not self.ask_bar.asking and "open" in self._commands:
            self.action_do("open")

    def _tell_row(self) -> None:
        if self._tell is None or not self._is_made:
            return
        lines = self._tell(self.rows.cursor_id)
        texts = ["".join(text for text, _ink in line) for line in lines]
        self.query_one("#about", LineView).show(texts, inks=[ink_spans_of(line) for line in lines])
