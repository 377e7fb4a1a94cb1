"""The memory directories of all projects on this machine, and what in their names is made of a project's path.

A name cannot be read back to a path: paths that are known are tried instead (pi-and-zcode sheet B1,
other-agents sheet 1.1, topics sheet 1 and 9.1).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.claude import NAME_LENGTH, encoded_name
from memtui.core.locate.claude_settings import claude_settings
from memtui.core.locate.folders import list_folder
from memtui.core.locate.yandy_content import holds_memory
from memtui.core.locate.yandy_names import HASHED, hashed_name, name_of
from memtui.core.locate.yandy_settings import UNKNOWN, yandy_settings
from memtui.core.locate.zcode_names import cli_root, has_hash_suffix, project_hash, projects_root
from memtui.core.locate.zcode_settings import zcode_settings
from memtui.late.dataclasses import dataclass

HASH_DIGITS = 16

Key = tuple[str, str]
"""An owner, and the part of a directory's name that depends on the project's path."""


@dataclass(frozen=True, slots=True)
class ProjectDir:
    """A directory with the memory of one project; `key` is None where its name is of no path, `beside` the
    folder of the project's conversations, where its owner keeps both in one place."""

    owner: str
    root: Path
    key: Key | None
    beside: Path | None = None


def project_dirs(env: Env, agent_dir: Path) -> Iterator[ProjectDir]:
    """Every such directory of every owner that names one by the project. Never raises; nothing is opened."""
    yield from _zcode(env)
    for folder in claude_folders(env):
        yield from _claude(folder)
    yield from _yandy(env, agent_dir)


def claude_folders(env: Env) -> tuple[Path, ...]:
    """Where Claude Code keeps a folder a project: in force, and where it would be without its variable."""
    settings = claude_settings(env)
    return tuple(dict.fromkeys((settings.config_dir / "projects", settings.default_dir / "projects")))


def keys_of(path: str, platform: str) -> Iterator[Key]:
    """What the directories of a project at this path would be named after, for every owner."""
    yield "zcode", project_hash(path, platform)
    for text in dict.fromkeys((path, *(unicodedata.normalize(form, path) for form in ("NFC", "NFD")))):
        yield "claude", encoded_name(text)[:NAME_LENGTH]
    yield "yandy", hashed_name(path)
    yield "yandy", f"local/{name_of(path)}"


def _zcode(env: Env) -> Iterator[ProjectDir]:
    usual = projects_root(cli_root(env.home / ".zcode"))
    for folder in dict.fromkeys((usual, zcode_settings(env).projects)):
        for name in list_folder(folder, _is_folder).names:
            root = folder / name / "memory"
            if fs.is_dir(root):
                yield ProjectDir(
                    "zcode", root, ("zcode", name[-HASH_DIGITS:]) if has_hash_suffix(name) else None
                )


def _claude(folder: Path) -> Iterator[ProjectDir]:
    for name in list_folder(folder, _is_folder).names:
        root = folder / name / "memory"
        if fs.is_dir(root):
            yield ProjectDir("claude", root, ("claude", name[:NAME_LENGTH]), folder / name)


def _yandy(env: Env, agent_dir: Path) -> Iterator[ProjectDir]:
    # what is named after a remote belongs to the repository, wherever that lies
    settings = yandy_settings(env, agent_dir, trusted=False, version=UNKNOWN)
    for base in dict.fromkeys((settings.base, env.home / ".pi" / "memory")):
        for name in list_folder(base, _is_folder).names:
            if HASHED.fullmatch(name) and holds_memory(base / name):
                yield ProjectDir("yandy", base / name, ("yandy", name))
        for name in list_folder(base / "local", _is_folder).names:
            if holds_memory(base / "local" / name):
                yield ProjectDir("yandy", base / "local" / name, ("yandy", f"local/{name}"))


def _is_folder(entry: fs.Entry) -> bool:
    # dot names are the owners' locks and markers
    return entry.kind != "file" and not entry.name.startswith(".")
