"""Getting a line into pi's editor through tmux: the protocol of design section 7.

Never an Enter on anything but our own line; never a key into anything but an editor that was seen to be empty.
Every step is taken on a fresh look, and only while the screen is as it was looked at (`keyboard`); anything
unexpected ends it. Then our own characters are taken back where they are alone, else everything is left.

1. The editor is proven empty. A `/` alone is typed, and seen: were the keys to go elsewhere, to a dialog say,
   it gets nothing that it could take for an answer.
2. The name is typed, and pi's own menu must offer it as this owner's command, under the name that it has
   there.
3. The rest of the line is pasted (a paste closes the menu), and from then on no key of the person reaches pi.
4. The row must be exactly our line; Enter; keys reach pi again. What pi made of it is looked at.

Blocks for some hundred milliseconds up to some seconds: for a work thread.
"""

from __future__ import annotations

from collections.abc import Callable

from memtui.core.agents.base import Agent
from memtui.core.agents.conditions import (
    Condition,
    conditions_of,
    first_failing,
    what_is_there,
)
from memtui.core.agents.editor_screen import GONE, Editor, Look, State, look_at, read_editor
from memtui.core.agents.insertion import harmless, holds_text
from memtui.core.agents.keyboard import Keyboard, Screen
from memtui.core.agents.proof import Before, after_enter, before_enter
from memtui.core.agents.sent import Clock, Outcome, Sent
from memtui.core.agents.slash_commands import SlashCommand
from memtui.core.agents.suggestions import Choice, choose, read_menu
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.core.locate.pi_extensions import Extensions
from memtui.i18n import _
from memtui.late.dataclasses import replace

SHOWN_S = 3.0
"""So long pi has to draw what was typed."""

OFFERED_S = 1.0
"""So long its menu has to come, once the name is there."""

CLOSED_S = 1.0
"""So long the person's keys are kept from pi at most."""

TAKEN_S = 3.0
"""So long pi has to take the line after Enter."""

STEADY_S = 0.3
"""So long a screen may be between two drawings."""

STRANGE_S = 0.05
"""So long something else has to be seen before that is believed."""

PAUSE_S = 0.01
CLOSED_PAUSE_S = 0.001


def conditions_for(
    tmux: Tmux, agent: Agent, extensions: Extensions | None, command: SlashCommand | None
) -> tuple[Condition, ...]:
    """How everything stands that must hold before `command` is sent (None: before a text is inserted).

    One call of tmux; never raises. For the question that is asked before anything is typed.
    """
    try:
        look = look_at(tmux, agent.pane.id) if agent.pane is not None else GONE
    except TmuxError:
        look = GONE
    return conditions_of(agent, look, read_editor(look), extensions, command)


def send(
    tmux: Tmux, agent: Agent, extensions: Extensions, command: SlashCommand, clock: Clock | None = None
) -> Sent:
    """Type a command into the agent's editor and press Enter, if everything that must hold does. Never raises.

    Only after the person agreed to the text and the pane. `command.asks_for` must have been answered
    (`with_argument`). `copy` of the answer is to be put on the clipboard by the caller where it is not ''.
    """
    return _Typist(tmux, agent, clock or Clock(), command.text).send(extensions, command)


def insert(tmux: Tmux, agent: Agent, text: str, clock: Clock | None = None) -> Sent:
    """Put a text into the agent's editor as a bracketed paste, without Enter, under the same conditions.

    Lines stay lines; control characters are made visible. Never raises.
    """
    return _Typist(tmux, agent, clock or Clock(), text).insert()


class _Stop(Exception):
    """The protocol ends here; the text says why."""


class _Typist:
    """One sending to one pane. `typed` is what stands in the editor by our doing, as far as is known."""

    def __init__(self, tmux: Tmux, agent: Agent, clock: Clock, text: str) -> None:
        self._tmux = tmux
        self._agent = agent
        self._clock = clock
        self._text = text
        self._typed = ""
        self._is_unseen = False
        """pi has not drawn all of it yet."""
        self._rest = ""
        """The end of it that was pasted."""
        self._start = 0
        self._is_closed = False
        """We switched off the input of the pane."""
        self._may_be_closed = False
        """As above, or tmux failed while we did."""
        self._is_entered = False

    def send(self, extensions: Extensions, command: SlashCommand) -> Sent:
        try:
            keys = self._keyboard()
            self._begin(extensions, command)
            self._type(keys, "/")
            self._type(keys, command.name)
            name = self._offered(command, extensions)
            line = command.text_as(name)
            # a blank where nothing is left: the paste closes the menu, and what pi takes is trimmed
            rest = line[len(self._typed) :] or " "
            self._paste(keys, rest)
            before = self._enter(keys)
            return self._taken(line, command, before)
        except _Stop as stop:
            return self._give_up(str(stop))
        except TmuxError as error:
            return self._lost(str(error))
        finally:
            self._open()

    def insert(self) -> Sent:
        text = harmless(self._text)
        if not text.strip():
            return Sent(Outcome.REFUSED, _("there is nothing to insert"))
        try:
            keys = self._keyboard()
            look = self._begin(None, None)
            if not keys.paste(text, Screen.of(look)):
                raise _Stop(_("its editor changed at that moment"))
            self._typed = text
            if self._wait(lambda _look, editor: holds_text(editor, text), SHOWN_S):
                return Sent(Outcome.INSERTED, _("it is in the editor, not sent"))
            return Sent(
                Outcome.LEFT, _("something was typed there at that moment: look at its editor"), self._text
            )
        except _Stop as stop:
            return Sent(Outcome.REFUSED, _("nothing was typed: {reason}").format(reason=stop), self._text)
        except TmuxError as error:
            return self._lost(str(error))

    # The steps

    def _keyboard(self) -> Keyboard:
        if self._agent.pane is None:
            raise _Stop(_("it runs in no pane of this tmux"))
        return Keyboard(self._tmux, self._agent.pane.id)

    def _begin(self, extensions: Extensions | None, command: SlashCommand | None) -> Look:
        look = self._look()
        editor = read_editor(look)
        deadline = self._clock.now() + STEADY_S
        while editor.state is State.OTHER and self._clock.now() < deadline:
            self._clock.sleep(PAUSE_S)
            look = self._look()
            editor = read_editor(look)
        failing = first_failing(conditions_of(self._agent, look, editor, extensions, command))
        if failing is not None:
            raise _Stop(failing.stands)
        if editor.state is not State.EMPTY:
            raise _Stop(what_is_there(editor))
        self._start = editor.cursor_x
        return look

    def _type(self, keys: Keyboard, more: str) -> None:
        """Type behind what is there, and see it there."""
        if not self._act(lambda seen: keys.type(more, seen)):
            raise _Stop(_("its editor changed at that moment"))
        self._typed += more
        self._is_unseen = True
        if not self._wait(lambda _look, _editor: True, SHOWN_S, exactly=self._typed):
            raise _Stop(_("it is not alone in the editor"))
        self._is_unseen = False

    def _offered(self, command: SlashCommand, extensions: Extensions) -> str:
        """The name by which pi's menu offers the command."""
        choice = Choice("", _("no suggestions came"))

        def is_offered(look: Look, editor: Editor) -> bool:
            nonlocal choice
            menu = read_menu(look, editor)
            if menu.rows and menu.column != self._start:
                choice = Choice("", _("there are blanks in its editor"))
            elif menu.rows:
                choice = choose(command, menu, extensions)
            return bool(choice.name)

        if not self._wait(is_offered, OFFERED_S, exactly=self._typed):
            raise _Stop(choice.because)
        return choice.name

    def _paste(self, keys: Keyboard, rest: str) -> None:
        """Paste the rest of the line, and keep the person's keys from pi from then on."""
        self._may_be_closed = True
        if not self._act(lambda seen: keys.paste(rest, seen, closed=True)):
            self._may_be_closed = False
            raise _Stop(_("its editor changed at that moment"))
        self._is_closed = True
        self._typed += rest
        self._rest = rest
        column = self._start + len(self._typed)

        def is_shown(look: Look, editor: Editor) -> bool:
            at_end = look.cursor_x == column or not self._typed.isascii()
            return at_end and not read_menu(look, editor).rows

        if not self._wait(is_shown, CLOSED_S, exactly=self._typed.rstrip()):
            raise _Stop(_("it is not alone in the editor"))

    def _enter(self, keys: Keyboard) -> Before:
        look, editor = self._see()
        if not (look.input_off and editor.holds(self._typed, self._start)):
            raise _Stop(_("it is not alone in the editor"))
        before = before_enter(look, self._agent.session)
        self._is_entered = True
        # either way keys reach pi again
        self._is_entered = keys.enter(Screen.of(look, look.rows[look.cursor_y]))
        self._is_closed = self._may_be_closed = False
        if not self._is_entered:
            raise _Stop(_("its editor changed at that moment"))
        return before

    def _taken(self, line: str, command: SlashCommand, before: Before) -> Sent:
        """See what pi made of the line."""
        looks_gone = 0

        def is_gone(_look: Look, editor: Editor) -> bool:
            # a screen that is just being drawn may lack the row for a moment
            nonlocal looks_gone
            looks_gone = 0 if editor.holds(self._typed, self._start) else looks_gone + 1
            return looks_gone > 3

        if not self._wait(is_gone, TAKEN_S) and not looks_gone:
            self._is_entered = False
            raise _Stop(_("pi did not take the line"))
        told = after_enter(self._look(), line, command, before)
        if not told.is_done:
            return Sent(Outcome.REFUSED, told.said, line)
        return Sent(Outcome.RAN if told.is_seen else Outcome.SENT, told.said)

    # How it ends early

    def _give_up(self, reason: str) -> Sent:
        """Take our own characters back where they are alone, and say what was the matter."""
        try:
            is_clean = self._take_back()
        except TmuxError as error:
            return self._lost(str(error))
        if is_clean:
            return Sent(Outcome.REFUSED, _("nothing was typed: {reason}").format(reason=reason), self._text)
        said = _("no Enter was sent, but something of it may stand in the editor: {reason}")
        return Sent(Outcome.LEFT, said.format(reason=reason), self._text)

    def _take_back(self) -> bool:
        """Whether nothing of ours is in the editor any more."""
        if not self._typed:
            return True
        deadline = self._clock.now() + STEADY_S
        while True:
            look, editor = self._see()
            if editor.state is State.EMPTY and not self._is_unseen:
                return self._wait(_is_clean, STEADY_S)
            # what pi has not drawn yet is on its way to it, and what takes it back comes behind that
            is_ours = editor.state is State.EMPTY or self._is_ours(look, editor)
            if is_ours and self._keyboard().erase(len(self._typed), Screen.of(look)):
                self._is_closed = self._may_be_closed = False
                # a menu that is still there would take the person's next Enter
                return self._wait(_is_clean, SHOWN_S)
            # it may be between two drawings, or its menu be moving the row
            is_between = is_ours or editor.state is State.OTHER
            if not is_between or self._clock.now() >= deadline:
                self._take_back_paste(look, editor)
                return False
            self._clock.sleep(PAUSE_S)

    def _take_back_paste(self, look: Look, editor: Editor) -> None:
        """As long as no key of the person reaches pi, what was pasted is the last that stands there."""
        row = editor.rows[0] if editor.state is State.TEXT and len(editor.rows) == 1 else ""
        if look.input_off and self._is_closed and row.endswith(self._rest.rstrip()) and row.isascii():
            is_last = look.cursor_x == len(row) + len(self._rest) - len(self._rest.rstrip())
            if is_last and self._keyboard().erase(len(self._rest), Screen.of(look)):
                self._is_closed = self._may_be_closed = False

    def _is_ours(self, look: Look, editor: Editor) -> bool:
        """Whether what was typed is all that is there, or the beginning of it that pi has drawn so far."""
        if not editor.begins(self._typed, self._start):
            return False
        row = editor.rows[0]
        return look.cursor_x >= len(row) or not row.isascii()

    def _lost(self, error: str) -> Sent:
        """tmux failed on the way."""
        if self._is_entered:
            said = _("whether it was sent could not be seen, look at its pane: {error}")
            return Sent(Outcome.SENT, said.format(error=error))
        said = _("tmux: {error}").format(error=error)
        return Sent(Outcome.LEFT if self._typed else Outcome.REFUSED, said, self._text)

    def _open(self) -> None:
        if self._may_be_closed and self._agent.pane is not None:
            self._is_closed = self._may_be_closed = False
            try:
                Keyboard(self._tmux, self._agent.pane.id).open()
            except TmuxError:
                return

    # Looking

    def _look(self) -> Look:
        assert self._agent.pane is not None
        return look_at(self._tmux, self._agent.pane.id)

    def _see(self) -> tuple[Look, Editor]:
        """A look, and the editor in it; where the pane's input is off, it may be by us."""
        look = self._look()
        return look, read_editor(replace(look, input_off=False) if self._is_closed else look)

    def _act(self, action: Callable[[Screen], bool]) -> bool:
        """Do something on a screen that holds exactly what was typed. pi may just be drawing, or its menu be
        moving the row: then again."""
        deadline = self._clock.now() + STEADY_S
        while True:
            look, editor = self._see()
            as_typed = editor.holds(self._typed, self._start) if self._typed else editor.state is State.EMPTY
            is_so = as_typed and look.cursor_x == self._start + len(self._typed)
            if is_so and action(Screen.of(look)):
                return True
            if self._clock.now() >= deadline:
                return False
            self._clock.sleep(PAUSE_S)

    def _wait(self, condition: Callable[[Look, Editor], bool], limit_s: float, exactly: str = "") -> bool:
        """Look until a condition holds and the editor has exactly this text. False when the time is over, or it
        can come to that no more: something else is in it."""
        deadline = self._clock.now() + limit_s
        strange_since: float | None = None
        while True:
            look, editor = self._see()
            if (not exactly or editor.holds(exactly, self._start)) and condition(look, editor):
                return True
            now = self._clock.now()
            is_strange = editor.state is State.TEXT and not editor.begins(exactly, self._start)
            strange_since = (strange_since or now) if exactly and is_strange else None
            is_over = now >= deadline or (strange_since is not None and now >= strange_since + STRANGE_S)
            if editor.state in (State.GONE, State.NOT_PI) or is_over:
                return False
            self._clock.sleep(CLOSED_PAUSE_S if self._is_closed else PAUSE_S)


def _is_clean(look: Look, editor: Editor) -> bool:
    return editor.state is State.EMPTY and not read_menu(look, editor).rows
