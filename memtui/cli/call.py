"""What goes into a verb and what comes out of it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.parser import Parser
from memtui.core.env import Env
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.stores import Stores
    from memtui.core.workspace import Workspace

OpenApp = Callable[[Env, str, Path | None, bool], int]
"""Starts the app with an environment, an owner ('' = all) and a path, and returns its exit status; without
the last it goes to a memtui of this window of tmux that shows the same."""

BuildEnv = Callable[[str | None, str | None], Env]
"""Reads the environment, given `--home` and `--cwd`. Raises UsageError."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb says: `document` makes its JSON value, `lines` its plain lines, each safe to print.

    `notes` go to stderr in plain form; `status` is the exit status. Only the form asked for is made.
    """

    document: Callable[[], object]
    lines: Callable[[], Iterable[str]]
    status: int = 0
    notes: tuple[str, ...] = ()


@dataclass
class Call:
    """One run of a verb: its parsed arguments and the workspace it is about (built on first use)."""

    arguments: Namespace
    build_env: BuildEnv
    open_app: OpenApp

    @cached_property
    def env(self) -> Env:
        """The environment that `--home` and `--cwd` ask for."""
        return self.build_env(self.arguments.home, self.arguments.cwd)

    @cached_property
    def workspace(self) -> Workspace:
        """The door to the memories of this directory."""
        # the app opens its own after its first frame: what it does not need yet is not imported here
        from memtui.core.workspace import Workspace

        return Workspace(self.env)

    @cached_property
    def stores(self) -> Stores:
        """The stores of this directory, for who only looks at what is in them."""
        from memtui.core.stores import Stores

        return Stores(self.env)

    @property
    def store(self) -> str:
        """The store named by `--store`, '' without one."""
        return self.arguments.store or ""

    @property
    def as_json(self) -> bool:
        """Whether the answer is to be one JSON document."""
        return bool(self.arguments.json)


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: a line of help, its own arguments, and what it does. `run` raises MemtuiError."""

    help: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[Call], Answer]
