"""Which memory extensions pi loads for a project, as its settings and folders say (pi-and-zcode sheet A4).

What is given on pi's command line (`-e`) is nowhere on disk: an extension that is not found here may still be
loaded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import read_json
from memtui.core.locate.pi_trust import is_trusted
from memtui.i18n import _

OWNERS = {
    "@yandy0725/pi-memory": "yandy",
    "@amaster.ai/pi-memory": "amaster",
    "@godice/memweave": "memweave",
    "@momenttttt/pi-zcode-memory": "zcode",
    "pi-zcode-memory": "zcode",
}
"""Whose store a package keeps, by the package's name."""

WITH_MEMORY_COMMAND = ("zcode", "yandy", "amaster")
"""Owners whose extension registers `/memory`."""

PACKAGE_LIMIT_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Extension:
    """A memory extension that pi knows of: its owner, its package, its version ('' = not known), the file or
    folder that says so, and whether it is loaded (a listed package may load none of its extensions)."""

    owner: str
    package: str
    version: str
    said_by: Path
    loaded: bool = True


@dataclass(frozen=True, slots=True)
class Extensions:
    """What pi loads here, in its own order; `trusted` says whether the project's own settings count."""

    found: tuple[Extension, ...]
    trusted: bool

    def of(self, owner: str) -> Extension | None:
        """The extension of an owner: the loaded one, else one that is only listed."""
        mine = [extension for extension in self.found if extension.owner == owner]
        return next((extension for extension in mine if extension.loaded), mine[0] if mine else None)

    def loads(self, owner: str) -> bool:
        """Whether pi loads an extension of this owner here."""
        extension = self.of(owner)
        return extension is not None and extension.loaded

    @property
    def clash(self) -> str:
        """A sentence when two of them claim `/memory`; '' otherwise."""
        mine = (e.owner for e in self.found if e.loaded and e.owner in WITH_MEMORY_COMMAND)
        owners = list(dict.fromkeys(mine))
        if len(owners) < 2:
            return ""
        return _("{first} and {second} both claim /memory: pi names them /memory:1 and /memory:2").format(
            first=owners[0], second=", ".join(owners[1:])
        )


def find_extensions(env: Env, agent_dir: Path) -> Extensions:
    """The memory extensions of `env.cwd`. Never raises."""
    own = read_json(agent_dir / "settings.json").values
    trusted = is_trusted(env, agent_dir, own)
    scopes = [(agent_dir, own)]
    if trusted:
        project = env.cwd / ".pi"
        scopes.insert(0, (project, read_json(project / "settings.json").values))
    found: list[Extension] = []
    taken: set[str] = set()
    for folder, settings in scopes:
        for extension, identity, is_delta in _packages(env, folder, settings):
            if identity not in taken:
                found.append(extension)
            if not is_delta:
                taken.add(identity)
    for folder, settings in scopes:
        for path in _listed_files(env, folder, settings):
            found += _at(path, folder / "settings.json")
    for folder, _settings in scopes:
        for path in _discovered(folder / "extensions"):
            found += _at(path, folder / "extensions")
    return Extensions(tuple(dict.fromkeys(found)), trusted)


def _packages(env: Env, folder: Path, settings: Mapping[str, Any]) -> Iterator[tuple[Extension, str, bool]]:
    items = settings.get("packages")
    for item in items if isinstance(items, Sequence) and not isinstance(items, str) else ():
        options = item if isinstance(item, Mapping) else {}
        source = item if isinstance(item, str) else options.get("source")
        if not isinstance(source, str):
            continue
        place, name, identity = _placed(env, folder, source)
        package = _package(place) if place is not None else {}
        name = str(package.get("name") or name)
        owner = OWNERS.get(name)
        if owner is None:
            continue
        version = str(package.get("version") or _version_of(source))
        is_delta = options.get("autoload") is False
        loaded = _loads(options, package)
        yield Extension(owner, name, version, folder / "settings.json", loaded), identity, is_delta


def _placed(env: Env, folder: Path, source: str) -> tuple[Path | None, str, str]:
    """Where a package is installed, the name that its source tells, and its identity for pi."""
    if source.startswith("npm:"):
        name = _without_version(source.removeprefix("npm:").strip())
        return folder / "npm" / "node_modules" / name, name, f"npm:{name}"
    if source.startswith("git:"):
        address = source.removeprefix("git:").strip().partition("#")[0].partition("@")[0]
        address = address.split("://", 1)[-1].removesuffix(".git")
        return folder / "git" / address, address.rsplit("/", 1)[-1], f"git:{address}"
    path = _followed(env, folder, source)
    return path, path.name, f"local:{path}"


def _without_version(name: str) -> str:
    head, at, _rest = name[1:].partition("@")
    return name[:1] + head if at else name


def _version_of(source: str) -> str:
    if not source.startswith("npm:"):
        return ""
    _head, at, version = source.removeprefix("npm:").strip()[1:].partition("@")
    return version if at and version[:1].isdigit() else ""


def _followed(env: Env, folder: Path, named: str) -> Path:
    if named == "~" or named.startswith("~/"):
        return Path(os.path.normpath(env.home / named[2:]))
    return Path(os.path.normpath(folder / named))


def _package(place: Path) -> Mapping[str, Any]:
    try:
        data = fs.read_file(fs.real_path(place / "package.json"), limit_bytes=PACKAGE_LIMIT_BYTES).data
        values = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _loads(options: Mapping[str, Any], package: Mapping[str, Any]) -> bool:
    """Whether a listed package's extensions are loaded, by the patterns beside it."""
    patterns = options.get("extensions")
    autoload = options.get("autoload") is not False
    if not isinstance(patterns, list):
        return autoload
    entries = _entries(package)
    if not patterns:
        return False
    loaded = set(entries) if autoload and not any(_is_plain(pattern) for pattern in patterns) else set()
    for pattern in patterns:
        if not isinstance(pattern, str):
            continue
        sign, body = (pattern[0], pattern[1:]) if pattern[:1] in ("!", "+", "-") else ("", pattern)
        matching = {entry for entry in entries if fnmatchcase(entry, body) or entry == body}
        loaded = loaded - matching if sign in ("!", "-") else loaded | matching
    return bool(loaded)


def _is_plain(pattern: object) -> bool:
    return isinstance(pattern, str) and pattern[:1] not in ("!", "+", "-")


def _entries(package: Mapping[str, Any]) -> list[str]:
    pi = package.get("pi")
    named = pi.get("extensions") if isinstance(pi, Mapping) else None
    entries = (
        [item.removeprefix("./") for item in named if isinstance(item, str)] if isinstance(named, list) else []
    )
    return entries or ["index.ts"]


def _listed_files(env: Env, folder: Path, settings: Mapping[str, Any]) -> Iterator[Path]:
    items = settings.get("extensions")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, str) and item[:1] not in ("!", "+", "-") and not item.startswith("builtin:"):
            yield _followed(env, folder, item)


def _discovered(folder: Path) -> Iterator[Path]:
    try:
        entries = fs.list_dir(folder)
    except OSError:
        return
    for entry in sorted(entries, key=lambda entry: entry.name):
        if entry.name.startswith(".") or entry.name == "node_modules":
            continue
        path = folder / entry.name
        if fs.is_dir(path) or entry.name.endswith((".ts", ".js")):
            yield path


def _at(path: Path, said_by: Path) -> list[Extension]:
    """The memory extension that a file or folder belongs to: the nearest package.json says."""
    for place in (path, *list(fs.real_path(path).parents)[:4]):
        package = _package(place)
        if package:
            owner = OWNERS.get(str(package.get("name")))
            if owner is None:
                return []
            return [Extension(owner, str(package["name"]), str(package.get("version") or ""), said_by)]
    return []
