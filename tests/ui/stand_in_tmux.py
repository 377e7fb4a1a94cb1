"""Stands in for tmux in tests of the app: no server, no panes, and what would have been opened is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.core.agents.tmux import TmuxError


class StandInTmux:
    """`calls` are the words behind `tmux -u`, without looks at the panes, which are counted; a command in
    `refused` fails with a sentence."""

    def __init__(self, answer: str = "%9 work:3", **refused: str) -> None:
        self.calls: list[list[str]] = []
        self.looks = 0
        self._answer = answer
        self.refused = {name.replace("_", "-"): problem for name, problem in refused.items()}

    def __call__(self, words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
        assert words[:2] == ("tmux", "-u")
        if words[2] == "list-panes":
            self.looks += 1
            return b""
        self.calls.append(list(words[2:]))
        if problem := self.refused.get(words[2]):
            raise TmuxError(problem)
        return self._answer.encode()
