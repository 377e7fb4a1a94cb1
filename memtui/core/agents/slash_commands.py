"""The slash commands that memtui can send to an agent, as data: whose they are, and what they do.

pi runs `/name arguments`; an extension registers the name. What is here was read in the owners' own texts or
measured beside the real pi; a command of an extension that is not installed is never offered, for pi sends an
unknown one to the model as a prompt.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from memtui.core.locate.pi_extensions import Extensions
from memtui.core.locate.yandy_settings import parse_version
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace

PI_ITSELF = "pi"
"""The owner of commands that are built into pi."""


class Proof(enum.Enum):
    """By what it is seen that a command ran."""

    EDITOR = "editor"
    """pi took the line: the editor is empty again, and no prompt was added to the session."""
    NAME = "name"
    """The session's file ends with its new name."""


class Follows(enum.Enum):
    """What comes after a command."""

    NOTHING = "nothing"
    DIALOG = "dialog"
    """The agent asks a question in its pane."""
    TURN = "turn"
    """The next turn carries more: it costs tokens."""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command of one owner: its name without the slash, its arguments, a sentence about what it does.

    `since` is the version of the owner's extension that has it first ((0, 0, 0) = every one). `asks_for` is
    what a person has to type as the argument ('' = nothing), `needs_rest` says that the agent refuses it
    while it works, `source` where this was read.
    """

    id: str
    owner: str
    name: str
    arguments: str
    does: str
    follows: Follows = Follows.NOTHING
    proof: Proof = Proof.EDITOR
    since: tuple[int, int, int] = (0, 0, 0)
    asks_for: str = ""
    needs_rest: bool = False
    source: str = ""

    @property
    def text(self) -> str:
        """The exact line, as it is sent where one extension alone claims the name."""
        return self.text_as(self.name)

    def text_as(self, name: str) -> str:
        """The exact line under the name that pi gave the command (`memory:2` where two claim it)."""
        return f"/{name} {self.arguments}".rstrip()

    def with_argument(self, argument: str) -> SlashCommand:
        """This command with what a person typed for `asks_for`: one line, without control characters."""
        printable = "".join(c if c.isprintable() else " " for c in argument)
        return replace(self, arguments=" ".join(printable.split()), asks_for="")


@dataclass(frozen=True, slots=True)
class Description:
    """How an extension describes its own command in pi's menu: by this it is told whose a command is."""

    owner: str
    name: str
    words: str


DESCRIPTIONS = (
    # pi-and-zcode sheet A3; of the others none is known
    Description("amaster", "memory", "Manage persistent memory. Subcommands: status"),
    Description("yandy", "memory", "Show memory status, toggle enabled, or open files"),
)

REFUSALS = (
    "Wait for the current response to finish before reloading.",
    "Wait for compaction to finish before reloading.",
)
"""What pi 1.6.0 says instead of reloading."""


def claimants(name: str) -> frozenset[str]:
    """The owners whose extension registers a command of this name."""
    return frozenset(command.owner for command in commands() if command.name == name)


def commands() -> tuple[SlashCommand, ...]:
    """Every command of every owner, in the order of the menu."""
    return (
        SlashCommand(
            "memory-reload",
            "zcode",
            "memory",
            "reload",
            _("inject the index again with the next message"),
            Follows.TURN,
            source="pi-zcode-memory README",
        ),
        SlashCommand(
            "memory",
            "zcode",
            "memory",
            "",
            _("show the status and check the index"),
            source="pi-zcode-memory README",
        ),
        SlashCommand(
            "yandy-memory", "yandy", "memory", "", _("show the status"), source="@yandy0725/pi-memory README"
        ),
        SlashCommand(
            "memory-on", "yandy", "memory", "on", _("switch memory on in this session"), source="topics sheet 2"
        ),
        SlashCommand(
            "memory-off",
            "yandy",
            "memory",
            "off",
            _("switch memory off in this session"),
            source="topics sheet 2",
        ),
        SlashCommand(
            "memory-unlock",
            "yandy",
            "memory",
            "unlock",
            _("remove a lock that was left behind"),
            since=(2, 0, 0),
            source="topics sheet 9.3",
        ),
        SlashCommand(
            "dream",
            "yandy",
            "dream",
            "",
            _("tidy up all memories, by a model in the background"),
            Follows.DIALOG,
            source="@yandy0725/pi-memory README",
        ),
        SlashCommand(
            "memory-status",
            "amaster",
            "memory",
            "status",
            _("show how many entries there are"),
            source="@amaster.ai/pi-memory README",
        ),
        SlashCommand(
            "reload",
            PI_ITSELF,
            "reload",
            "",
            _("read settings and extensions again"),
            needs_rest=True,
            source="pi-and-zcode sheet A3",
        ),
        SlashCommand(
            "name",
            PI_ITSELF,
            "name",
            "",
            _("name the session"),
            proof=Proof.NAME,
            asks_for=_("the session's name"),
            source="pi-and-zcode sheet A2",
        ),
    )


def commands_for(extensions: Extensions) -> tuple[SlashCommand, ...]:
    """The commands that the installed extensions offer, and pi's own."""
    return tuple(_offered(extensions))


def _offered(extensions: Extensions) -> Iterator[SlashCommand]:
    for command in commands():
        if command.owner == PI_ITSELF:
            yield command
        elif extensions.loads(command.owner):
            extension = extensions.of(command.owner)
            # a version that is not known is below every other: what needs one is not offered then
            if parse_version(extension.version if extension else "") >= command.since:
                yield command
