"""The app: the first frame, and who hears what. Everything heavy is imported after that frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import ModalScreen, Screen

from memtui.core.appearance import theme_to_begin_with
from memtui.core.env import Env
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui import commands
from memtui.ui.desk import Desk
from memtui.ui.garbage import Garbage
from memtui.ui.inspecting import Inspected
from memtui.ui.live import FilesChanged, MakeWatcher, make_watcher
from memtui.ui.navigation import Navigation
from memtui.ui.one_by_one import KeyDone, OneByOne
from memtui.ui.own_pane import OwnPane
from memtui.ui.screens.main import MainScreen
from memtui.ui.seeking import Sought
from memtui.ui.shelf import Shelf, ShelfHeard
from memtui.ui.styles import style_paths
from memtui.ui.themes import DARK, THEMES, theme_for
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.row_list import RowList
from memtui.ui.work import Work, WorkDone, WorkNotes, WorkWaits

if TYPE_CHECKING:
    from memtui.core.library import Launch, Library
    from memtui.core.workspace import Workspace


FAILED = 2
"""The exit status after a mistake of memtui's."""


class MemtuiApp(App[int]):
    """memtui's one screen. What is shown is the desk's; what keys do is the navigation's and the verbs'."""

    TITLE = "memtui"
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-medium"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(command.keys), f"do('{command.id}')", command.label, show=False, id=command.id)
        for command in commands.COMMANDS
        if command.keys
    ]

    def __init__(
        self,
        env: Env,
        make_workspace: Callable[[], Workspace],
        watcher: MakeWatcher | None = None,
        *,
        indexes: bool = False,
    ) -> None:
        """`watcher` makes what watches the files, None: nothing does; `indexes`: the search index is kept."""
        theme = theme_for(theme_to_begin_with(env), env.environ)
        super().__init__(css_path=style_paths(), ansi_color=True if theme.ansi else None)
        if not self.no_color:
            self.set_reactive(MemtuiApp.ansi_color, None)
        self.env = env
        self.work = Work(make_workspace, self.post_message)
        self.shelf = Shelf(self._library, self.post_message, indexes=indexes)
        self.launch: Launch | None = None
        self.own_pane: OwnPane | None = None
        self.desk = Desk(self, self.work, self.shelf, watcher)
        self.navigation = Navigation(self.desk)
        self.keys = OneByOne(self, self._hand_out)
        self.garbage = Garbage(self)
        for known in THEMES:
            self.register_theme(known)
        # a theme that is set in the usual way makes Textual read every style sheet twice before the first frame
        self.set_reactive(MemtuiApp.theme, theme.name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """memtui's own colours, for themes that do not name them."""
        return dict(DARK.variables)

    def _library(self) -> Library:
        from memtui.core.library import Library

        return Library(self.env)

    # The first frame

    def get_default_screen(self) -> Screen[Any]:
        """The screen with the panes."""
        return MainScreen(id="_default")

    async def on_ready(self) -> None:
        """Complete the screen and begin to read: the first frame is out."""
        self.garbage.start()
        await self.desk.complete()
        self.desk.show_item()
        self._start()

    def _start(self) -> None:
        from memtui.ui.theming import settle_theme

        self.work.start()
        self.work.do(_recover, self.desk.say_notes, failed=self.desk.say_error)
        self.desk.reload()
        if self.own_pane is not None:
            self.work.do(self.own_pane.note, self._leave_to)
        settle_theme(self.desk)
        self.work.do(lambda workspace: workspace.prune_history(), _nothing, failed=self.desk.say_error)
        self.desk.searching.start()

    def _leave_to(self, first: str) -> None:
        if first:
            self.exit(0)

    def on_driver_signal_resume(self) -> None:
        """Back from a pause (`fg`): the shell wrote over the screen, and the disk went on without us."""
        self.refresh(layout=True, repaint=True)
        if self.desk.is_complete:
            self.desk.reload(locate_again=True)

    def _handle_exception(self, error: Exception) -> None:
        # Textual's own would print the values of every variable: memories, raw; once it was asked to end, what
        # is still being mounted may complain
        if not self._exit or self.is_headless:
            self._return_code = FAILED
            if self._exception is None:
                self._exception = error
                self._exception_event.set()
        self._close_messages_no_wait()

    def on_unmount(self) -> None:
        """Stop watching, and let the thread end what it is doing."""
        self.desk.listing.keep_place()
        self.desk.live.close()
        self.desk.noticing.end()
        self.desk.searching.close()
        self.desk.seeker.close()
        self.desk.inspecting.close()
        self.work.finish()

    # What is heard

    def get_driver_class(self) -> type[Driver]:
        """The terminal, read in memtui's own way where it is Textual's usual one."""
        from textual.drivers.linux_driver import LinuxDriver

        from memtui.ui.terminal import Terminal

        usual = super().get_driver_class()
        return Terminal if usual is LinuxDriver else usual

    async def on_event(self, event: events.Event) -> None:
        """Take keys and pastes one by one."""
        if isinstance(event, events.Key | events.Paste | events.AppFocus | events.Resize):
            self.desk.beside.woken()
            self.garbage.key()
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.keys.take(event)
        else:
            await super().on_event(event)

    async def _hand_out(self, event: events.Event) -> None:
        if isinstance(event, events.Paste):
            self._tell_of_lines(event.text)
        await super().on_event(event)

    async def on_key_done(self, message: KeyDone) -> None:
        """All that a key led to is done."""
        message.stop()
        await self.keys.done(message)

    def _tell_of_lines(self, pasted: str) -> None:
        """Say how many lines of a paste a line of typing has no room for."""
        more = len(pasted.strip("\r\n").splitlines()) - 1
        if more > 0 and self.desk.is_typing:
            said = ngettext("{count} more line was left out", "{count} more lines were left out", more)
            self.desk.say(said.format(count=more), "warn")
            if self.desk.line_input.asking:
                # while a line is typed, it has the rows in which things are said elsewhere
                self.desk.line_input.tell(said.format(count=more))

    def on_work_done(self, done: WorkDone) -> None:
        """A job ended; one that nobody waits for any more is not shown."""
        if not self.work.heard(done) or not self.is_running:
            return
        if done.error is None:
            done.order.then(done.result)
        else:
            (done.order.failed or self.desk.say_error)(done.error)
        if done.order.is_change and not self.work.changes_in_flight:
            self.navigation.changes_ended(well=done.error is None)

    def on_work_notes(self, message: WorkNotes) -> None:
        """Something that the person should know."""
        self.desk.say_notes(message.notes)
        if message.settled:
            self.desk.live.look_again()

    def on_work_waits(self, message: WorkWaits) -> None:
        """A change waits for another program."""
        from memtui.ui import wording

        self.desk.say(wording.sentence(message.sentence, self.env.home), "muted")

    def on_files_changed(self, message: FilesChanged) -> None:
        """The watcher saw something."""
        self.desk.live.files_changed(message.paths)

    def on_shelf_heard(self, message: ShelfHeard) -> None:
        """Sessions were listed, or something was found."""
        if self.is_running:
            self.desk.searching.heard(message)

    def on_sought(self, message: Sought) -> None:
        """What was looked for was found, or not."""
        if self.is_running:
            self.desk.seeker.heard(message)
            self.desk.inspecting.heard(message)
            self.desk.live.crediting.heard(message)

    def on_inspected(self, message: Inspected) -> None:
        """The closer look goes on."""
        if self.is_running:
            self.desk.inspecting.goes_on(message)

    def on_line_view_near_edge(self, event: LineView.NearEdge) -> None:
        """More of a session may be wanted."""
        if self.is_running and event.line_view is self.desk.topic.text:
            self.desk.reading.near_edge(at_top=event.at_top)

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        """The cursor is on another row."""
        if not self.is_running:
            return
        if event.row_list.id == "found":
            self.desk.show_keys()
            if self.navigation.active == "search" and event.row_id:
                self.desk.searching.preview()
            return
        self.desk.show_status()
        if self.navigation.active == "index":
            self.desk.show_memory()
        else:
            self.desk.show_item()

    def on_row_list_selected(self, event: RowList.Selected) -> None:
        """A row was clicked."""
        if event.row_list.id == "found":
            self.navigation.activate("search")
            self.desk.searching.preview()
            return
        self.desk.item_was_chosen = True
        self.navigation.activate("index")

    def on_row_list_marks_changed(self, event: RowList.MarksChanged) -> None:
        """Some keys are about what is marked."""
        if self.is_running:
            self.desk.show_keys()

    def on_key(self, event: events.Key) -> None:
        """A question takes every key; a line being typed those that its field left; a sheet over them all."""
        if len(self.screen_stack) > 1:
            # also a key that was on its way to the panes while the sheet was opened
            if (take_key := getattr(self.screen, "take_key", None)) is not None:
                take_key(event)
            elif event.key == "ctrl+c" and not self.screen.get_selected_text():
                # bindings of the app end at a sheet
                event.stop()
                event.prevent_default()
                self.action_help_quit()
            return
        if self.desk.ask_bar.asking:
            self.desk.ask_bar.take_key(event)
        elif self.desk.searching.is_typing:
            self.desk.search.line.take_key(event)
        elif self.desk.is_typing:
            self.desk.line_input.take_key(event)

    # What is done

    def action_do(self, command_id: str) -> None:
        """Do a command of the table, or say why it cannot be done."""
        if self.desk.is_asking:
            return
        self.desk.seeker.cancel()
        self.desk.live.looked_at()
        self.desk.settle(moves=command_id in commands.MOVES)
        if self._is_possible(command_id):
            if commands.BY_ID[command_id].changes:
                self.desk.live.say_cautions()
            self.methods[command_id]()
            self.desk.live.looked_at()

    def _is_possible(self, command_id: str) -> bool:
        if not self.desk.is_complete:
            return True
        from memtui.ui.hints import HINTED
        from memtui.ui.why_not import ASKS_THE_HISTORY, why_not

        reason = "" if command_id in ASKS_THE_HISTORY else why_not(self.desk, command_id)
        if reason:
            self.desk.say(reason, "warn")
        elif command_id in HINTED:
            self.desk.habits.was_used(command_id)
        return not reason

    @cached_property
    def methods(self) -> Mapping[str, Callable[[], object]]:
        """What does each command; imported with the first key, after the first frame."""
        from memtui.ui.doers import doers_of, methods_of

        return methods_of(doers_of(self.desk))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key that two kinds of things have belongs to the one under the cursor."""
        command = commands.BY_ID.get(str(parameters[0])) if action == "do" and parameters else None
        if command is None or command.scope in commands.SHARED or not self.desk.is_complete:
            return True
        return commands.answers_to_key(command, self.desk.scope)

    def copy_to_clipboard(self, text: str) -> None:
        """What is selected in a text or a field (ctrl+c): copied as `Y` does, and where it went is said."""
        if not text:
            self.action_help_quit()
            return
        from memtui.ui.copying import copy_text
        from memtui.ui.selected import selected_text

        copy_text(self.desk, selected_text(self.desk, text), self.desk.say)

    def leave_for(self, launch: Launch) -> None:
        """Leave; this program is to have the terminal then."""
        self.launch = launch
        self.exit(0)

    def send_to_terminal(self, text: str) -> None:
        """Ask the terminal itself to take a text into its clipboard (OSC 52)."""
        super().copy_to_clipboard(text)

    async def action_quit(self) -> None:
        """ctrl+q, which Textual leaves with: no key of memtui's."""
        self.action_help_quit()

    def action_help_quit(self) -> None:
        """ctrl+c without a selection: leave what lies over the panes, else say how to leave."""
        screen = self.screen
        if isinstance(screen, ModalScreen):
            question = getattr(screen, "ask_bar", None)
            if question is not None and question.asking:
                question.leave()
            else:
                screen.dismiss()
            return
        self.desk.say(_("q leaves memtui; ctrl+c copies selected text"), "muted")


def _recover(workspace: Workspace) -> tuple[str, ...]:
    from memtui.ui.editing import draft_notes

    return (*workspace.recover(), *draft_notes(workspace))


def _nothing(result: object) -> None:
    """Nobody waits for this."""


@dataclass(frozen=True, slots=True)
class Left:
    """How the app was left: the exit status, the program that it was left for (None: for none), and the pane of
    the memtui that was there already ('' = none)."""

    status: int
    launch: Launch | None = None
    first: str = ""


def run_app(env: Env, owner: str, path: Path | None, *, is_new: bool = False) -> Left:
    """Run the app until the person leaves it. stdin and stderr must be a terminal.

    Where the window of tmux has one that shows the same it goes there and ends, unless this `is_new`.

    Raises MemtuiError when a mistake of memtui's ended it.
    """

    def make_workspace() -> Workspace:
        from memtui.core.workspace import Workspace

        return Workspace(env, owner=owner, path=path)

    app = MemtuiApp(env, make_workspace, make_watcher, indexes=True)
    own_pane = app.own_pane = OwnPane(env, owner, path, is_new=is_new)
    error: Exception | None = None
    try:
        app.run()
        error = app._exception
    except Exception as uncaught:
        error = uncaught
    finally:
        app.work.stop()
        own_pane.leave()
    if error is not None:
        from memtui.ui.ending import crashed

        raise crashed(env, error) from None
    status = app.return_code or 0
    return Left(status, None if status else app.launch, own_pane.first)
