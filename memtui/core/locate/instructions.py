"""Instruction files that a person wrote for their agents, found on the way up from the working directory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.git_root import find_git_root

NAMES = ("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")
"""What the files are called, in each directory (agents.md, and the manual of Claude Code on its memory)."""

LIMIT_BYTES = 512 << 10
"""A larger file is no instruction to anybody."""


class Instructions(NamedTuple):
    """One instruction file; what is not UTF-8 in its text is replaced."""

    path: Path
    text: str


def instructions(env: Env) -> tuple[Instructions, ...]:
    """The instruction files from the working directory up to home, or to the root of a repository that lies
    elsewhere. Never raises; a file that is reached by two names counts once."""
    found: dict[Path, Instructions] = {}
    for folder in _folders(env):
        for name in NAMES:
            path = folder / name
            real = fs.real_path(path)
            if real in found:
                continue
            try:
                data = fs.read_file(real, limit_bytes=LIMIT_BYTES).data
            except OSError:
                continue
            found[real] = Instructions(path, data.decode("utf-8", "replace"))
    return tuple(found.values())


def _folders(env: Env) -> Iterator[Path]:
    top = env.home
    if top != env.cwd and top not in env.cwd.parents:
        git = find_git_root(env.cwd)
        top = env.cwd if git is None else git.worktree
    for folder in (env.cwd, *env.cwd.parents):
        yield folder
        if folder == top:
            return
