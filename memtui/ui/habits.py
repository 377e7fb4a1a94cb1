"""What memtui keeps of a person from run to run, while it runs. Lives in the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.late.dataclasses import replace

if TYPE_CHECKING:
    from memtui.core.env import Env
    from memtui.core.remembered import Remembered
    from memtui.ui.work import Work

KNOWN_AFTER = 3
"""Uses of a command after which no hint tells of its key any more."""


class Habits:
    """Reads what is remembered when it is first asked for, and writes it on the work thread."""

    def __init__(self, env: Env, work: Work) -> None:
        self._env = env
        self._work = work
        self._remembered: Remembered | None = None

    @property
    def remembered(self) -> Remembered:
        """What is remembered now."""
        if self._remembered is None:
            from memtui.core.remembered import load_remembered

            self._remembered = load_remembered(self._env)
        return self._remembered

    def remember(self, **changes: Any) -> None:
        """Remember other values for fields of `Remembered`."""
        from memtui.core.remembered import save_remembered

        after = replace(self.remembered, **changes)
        if after == self._remembered:
            return
        self._remembered = after
        env = self._env
        # a comfort that cannot be kept is not worth a word
        self._work.do(lambda workspace: save_remembered(env, after), _done, channel="remember", failed=_done)

    def knows(self, command_id: str) -> bool:
        """Whether the person used a command often enough to need no hint of its key."""
        return self.remembered.used.get(command_id, 0) >= KNOWN_AFTER

    def was_used(self, command_id: str) -> None:
        """Count the use of a command."""
        if not self.knows(command_id):
            used = self.remembered.used
            self.remember(used={**used, command_id: used.get(command_id, 0) + 1})


def _done(result: object) -> None:
    """Nobody waits for this."""
