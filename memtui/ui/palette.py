"""The commands in Textual's palette."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from memtui.ui.commands import COMMANDS, Command


class CommandProvider(Provider):
    """Every command of the table, with its key."""

    async def discover(self) -> Hits:
        """All of them."""
        for command in COMMANDS:
            yield DiscoveryHit(_words(command), partial(self._run, command), help=command.help)

    async def search(self, query: str) -> Hits:
        """Those that match."""
        matcher = self.matcher(query)
        for command in COMMANDS:
            score = matcher.match(f"{command.label} {command.help}")
            if score > 0:
                yield Hit(score, _words(command), partial(self._run, command), help=command.help)

    async def _run(self, command: Command) -> None:
        await self.app.run_action(f"do('{command.id}')")


def _words(command: Command) -> Content:
    return Content(f"{command.key:<9} {command.label}")
