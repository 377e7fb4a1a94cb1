"""Choosing the theme: asked with letters, shown at once, kept for the next start.

A theme that `config.yaml` names comes before the one that was kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core.appearance import theme_to_begin_with
from memtui.i18n import _
from memtui.ui.asking import LEAVE, menu_question
from memtui.ui.themes import PREFIX, theme_for
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk

CHOICES = {
    "d": ("dark", _("dark")),
    "l": ("light", _("light")),
    "c": ("contrast", _("high contrast")),
    "t": ("terminal", _("terminal")),
    "a": ("auto", _("auto")),
}
"""The key of each choice, what is kept of it, and its words."""


class Theming:
    """The command of the theme."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def theme(self) -> None:
        """Ask which colours; any other key leaves them as they are."""
        now = next(words for name, words in CHOICES.values() if PREFIX + name == self._desk.app.theme)
        choices = [*(Choice(key, words) for key, (_name, words) in CHOICES.items()), LEAVE]
        self._desk.ask_bar.ask(menu_question(_("Colours"), now), choices, self._answered)

    def _answered(self, key: str) -> None:
        if key not in CHOICES:
            return
        name, words = CHOICES[key]
        desk, app = self._desk, self._desk.app
        app.theme = theme_for(name, app.env.environ).name
        desk.remember(theme=name)
        if app.no_color:
            desk.say(_("kept, but NO_COLOR is set, so there are no colours"), "warn")
            return

        def say(named: str) -> None:
            if named and named != name:
                sentence = _("colours: {name}, until memtui ends; config.yaml names {named}")
                desk.say(sentence.format(name=words, named=named), "warn")
            else:
                desk.say(_("colours: {name}").format(name=words), "good")

        desk.work.do(lambda workspace: workspace.config.theme, say, failed=desk.say_error)


def settle_theme(desk: Desk) -> None:
    """Show the theme that `config.yaml` names where a glance at the file did not find it."""

    def overlooked(workspace: Workspace) -> str:
        named = workspace.config.theme
        return named if named != theme_to_begin_with(workspace.env) else ""

    def show(named: str) -> None:
        if named:
            desk.app.theme = theme_for(named, desk.app.env.environ).name

    desk.work.do(overlooked, show, failed=desk.say_error)
