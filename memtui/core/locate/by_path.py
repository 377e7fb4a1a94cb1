"""A memory directory opened directly, by its path instead of by a project's rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.layouts.base import Store
from memtui.core.locate.amaster import FOLDER, amaster_store_at, hermes_store_at, locate_hermes
from memtui.core.locate.claude import claude_store_at
from memtui.core.locate.memweave import looks_like_memweaves, memweave_store_at
from memtui.core.locate.yandy import yandy_store_at
from memtui.core.locate.yandy_content import is_named_like_yandys, looks_like_yandys
from memtui.core.locate.zcode import zcode_store_at
from memtui.i18n import _

INDEX_NAME = "MEMORY.md"
USER_NAME = "USER.md"
HEAD_BYTES = 1 << 16


def is_memory_dir(path: Path) -> bool:
    """Whether a path names memories rather than a project.

    It does when it is an index file, holds one, holds a USER.md or tasks of memweave, bears a name that yandy's
    pi-memory gives, is called `memory` and holds Markdown or nothing, or has a `memory` folder below
    `projects`, as ZCode and Claude Code lay them out.
    """
    return _memory_root(path) is not None


def store_at(env: Env, path: Path, owner: str = "") -> Store:
    """The memory directory at a path, with the rules of this owner, else of the one that it looks like.

    Raises UsageError when nothing is there, it is not a directory, or it cannot be read.
    """
    path = Path(os.path.normpath(env.cwd / path))
    if fs.kind_of(path) is None:
        raise UsageError(
            _("{path} does not exist; give a directory with memories").format(path=path), code="no-path"
        )
    root = _memory_root(path) or path
    if not fs.is_dir(root):
        raise UsageError(_("{path} is not a directory with memories").format(path=path), code="not-a-store")
    try:
        fs.list_dir(root)
    except OSError as error:
        message = _("{path} cannot be read ({reason}); check its permissions")
        raise UsageError(message.format(path=root, reason=error.strerror), code="unreadable") from None
    return _OPENERS[owner or _owner_of(env, root)](env, root)


_OPENERS: Mapping[str, Callable[[Env, Path], Store]] = {
    "zcode": zcode_store_at,
    "claude": claude_store_at,
    "yandy": yandy_store_at,
    "memweave": lambda env, root: memweave_store_at(root),
    "amaster": amaster_store_at,
    "hermes": hermes_store_at,
}
"""How a directory is opened for each owner."""


def _owner_of(env: Env, root: Path) -> str:
    if is_named_like_yandys(root):
        return "yandy"
    if looks_like_memweaves(root):
        return "memweave"
    if _is_claudes(root):
        return "claude"
    if ".hermes" in root.parts or any(store.root == root for store in locate_hermes(env)):
        return "hermes"
    if ".zcode" not in root.parts:
        if _has_entries(root):
            return "amaster"
        if looks_like_yandys(root):
            return "yandy"
    return "zcode"


def _has_entries(root: Path) -> bool:
    """Whether a file of entries is there: one with a section sign, or the two names; an index has links."""
    try:
        head = fs.read_head(root / INDEX_NAME, HEAD_BYTES)
    except OSError:
        head = b""
    is_named = fs.kind_of(root / USER_NAME) is not None or root.name == FOLDER
    return b"](" not in head and (is_named or b"\n\xc2\xa7\n" in head)


def _memory_root(path: Path) -> Path | None:
    if path.name == INDEX_NAME and fs.kind_of(path) == "file":
        return path.parent
    if not fs.is_dir(path):
        return None
    if path.parent.name == "projects" and fs.is_dir(path / "memory"):
        return path / "memory"
    try:
        entries = fs.list_dir(path)
    except OSError:
        return path if path.name == "memory" else None
    names = {entry.name for entry in entries if entry.kind == "file"}
    if names & {INDEX_NAME, USER_NAME} or is_named_like_yandys(path) or looks_like_memweaves(path):
        return path
    holds_markdown = any(name.endswith(".md") for name in names)
    return path if path.name == "memory" and (holds_markdown or not entries) else None


def _is_claudes(root: Path) -> bool:
    parts = root.parts
    if ".claude" in parts:
        return True
    return root.name == "memory" and parts[-3:-2] == ("projects",) and parts[-4:-3] != ("memories",)
