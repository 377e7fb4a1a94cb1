"""What pi suggests for a command's name that is being typed, and whose command each of them is. Pure.

The menu stands below the editor's lower rule (pi 1.6.0, measured): `→ name   description` for the one that is
chosen, two blanks for the others, at most `autocompleteMaxVisible` of them and then `  (1/7)`; up to 40 columns
there are no descriptions. pi puts where an extension came from before its description: `[u]` a file of the
user, `[p]` of the project, `[t]` of the command line, `[u:npm:@scope/name]` an installed package. Two
extensions that claim one name are offered as `name:1` and `name:2`.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.agents.editor_screen import Editor, Look
from memtui.core.agents.slash_commands import DESCRIPTIONS, PI_ITSELF, SlashCommand, claimants
from memtui.core.locate.pi_extensions import OWNERS, Extensions
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

ARROW = "→ "
SHORTEST_PROOF = 10
"""So much of a description has to be shown before it tells whose it is; pi shows none that is shorter."""

_SOURCE = re.compile(r"\[[upt](?::([^\]]*))?\] ?")
_PACKAGE = re.compile(r"npm:\s*((?:@[^/@\s]+/)?[^/@\s]+)")
_COUNT = re.compile(r"\(\d+/\d+\)")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One row of the menu: the name, and the description as far as it is shown."""

    name: str
    description: str = ""

    @property
    def source(self) -> str | None:
        """Where pi says that it came from: `npm:@scope/name`, '' for a file, None for pi's own."""
        match = _SOURCE.match(self.description)
        return None if match is None else match[1] or ""

    @property
    def words(self) -> str:
        """The description without where it came from."""
        return _SOURCE.sub("", self.description, count=1)


@dataclass(frozen=True, slots=True)
class Menu:
    """The suggestions that are shown, the column that they begin in, and whether there are no others."""

    rows: tuple[Suggestion, ...] = ()
    column: int = 0
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Choice:
    """The name under which pi has the command, '' where none may be used; `because` is a sentence."""

    name: str = ""
    because: str = ""


def read_menu(look: Look, editor: Editor) -> Menu:
    """The menu below the editor; without rows where there is none."""
    below = look.rows[editor.lower_rule + 1 :] if editor.lower_rule >= 0 else ()
    # the chosen one may be any of the rows that are shown
    column = next((row.index(ARROW) for row in below if row.lstrip().startswith(ARROW)), -1)
    if column < 0:
        return Menu()
    rows = tuple(_menu_rows(below, column))
    ends = below[len(rows)].strip() if len(rows) < len(below) else ""
    has_choice = any(row[column:].startswith(ARROW) for row in below[: len(rows)])
    return Menu(rows, column, _COUNT.fullmatch(ends) is None) if has_choice else Menu()


def choose(command: SlashCommand, menu: Menu, extensions: Extensions) -> Choice:
    """Which of the suggestions is this command of its owner."""
    is_it = re.compile(re.escape(command.name) + r"(:\d+)?")
    offered = [row for row in menu.rows if is_it.fullmatch(row.name)]
    if not offered:
        return Choice("", _("it does not offer /{name}").format(name=command.name))
    if command.owner == PI_ITSELF:
        mine = [row for row in offered if row.name == command.name and row.source is None]
        if len(mine) == len(offered) == 1:
            return Choice(command.name)
        return Choice("", _("/{name} is not only its own command").format(name=command.name))
    whose = [owner_of(row, command.name) for row in offered]
    mine = [row for row, owner in zip(offered, whose, strict=True) if owner == command.owner]
    if not mine:
        mine = _left_over(command, offered, whose, menu, extensions)
    if len(mine) == 1:
        return Choice(mine[0].name)
    return Choice("", _("whose /{name} it offers cannot be told").format(name=command.name))


def owner_of(suggestion: Suggestion, name: str) -> str | None:
    """Whose command a suggestion is: by the package that pi names, else by its words; None = not known."""
    package = _PACKAGE.match(suggestion.source or "")
    if package is not None:
        # a package that is not known is somebody else's, whatever its words are
        return OWNERS.get(package[1], package[1])
    words = suggestion.words
    if len(words) < SHORTEST_PROOF:
        return None
    for known in DESCRIPTIONS:
        if known.name == name and (words.startswith(known.words) or known.words.startswith(words)):
            return known.owner
    return None


def _left_over(
    command: SlashCommand,
    offered: list[Suggestion],
    whose: list[str | None],
    menu: Menu,
    extensions: Extensions,
) -> list[Suggestion]:
    """The one suggestion whose owner is not known, where it can only be this command's: all the others that are
    installed and claim the name are there by their descriptions, and this one's is installed."""
    unknown = [row for row, owner in zip(offered, whose, strict=True) if owner is None]
    installed = {owner for owner in claimants(command.name) if extensions.loads(owner)}
    seen = {owner for owner in whose if owner is not None}
    is_left = menu.is_whole and len(unknown) == 1 and installed - seen == {command.owner}
    return unknown if is_left else []


def _menu_rows(below: tuple[str, ...], column: int) -> Iterator[Suggestion]:
    for row in below:
        mark, text = row[column : column + len(ARROW)], row[column + len(ARROW) :].rstrip()
        if row[:column].strip() or mark not in (ARROW, " " * len(ARROW)) or not text or text[0] in " (":
            return
        name, _blank, description = text.partition(" ")
        yield Suggestion(name, description.strip())
