"""The keys of a list over the panes: what they are called there, and that another one does nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from textual import events

from memtui.i18n import _
from memtui.late.dataclasses import replace
from memtui.ui.commands import BY_ID, COMMANDS
from memtui.ui.offers import Offer, WhyNot, key_names

Meaning = tuple[str, str]
"""What a command does in a list: its label, and one sentence."""

TABLE_KEYS = ("back", "leave", "help", "palette")
"""Commands that mean the same in every list."""


def own_offers(
    names: Iterable[str], meanings: Mapping[str, Meaning], moves: Iterable[str], why_not: WhyNot
) -> tuple[Offer, ...]:
    """What can be done in a list, in its own words, for a screen that shows commands."""
    here, moving = _("In this list"), _("Moving")
    found = []
    for name in names:
        label, sentence = meanings.get(name, (BY_ID[name].label, BY_ID[name].help))
        found.append(Offer(replace(BY_ID[name], label=label, help=sentence), here, why_not(name)))
    leave = replace(BY_ID["leave"], label=_("back"), help=_("Back to where you came from"), shown="q Esc")
    return (*found, *(Offer(BY_ID[name], moving) for name in moves), Offer(leave, moving))


def says_unused(event: events.Key, used: Collection[str]) -> str:
    """That the key of a command does nothing in a list that uses these commands; '' for every other key."""
    key = event.character if event.is_printable and event.character else event.key
    commands = [command for command in COMMANDS if key in key_names(command)]
    if not commands or any(command.id in used for command in commands):
        return ""
    said = _("{key} ({what}) does nothing in this list; ? shows what does")
    return said.format(key=commands[0].key.partition(" ")[0], what=commands[0].label)
