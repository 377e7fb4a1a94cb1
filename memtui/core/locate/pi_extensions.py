"""Which memory extensions pi loads for a project, as its settings and folders say (pi-and-zcode sheet A4).

What is given on pi's command line (`-e`) is nowhere on disk: an extension that is not found here may still be
loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import read_json
from memtui.core.locate.pi_packages import (
    Source,
    changed,
    chosen,
    discovered,
    is_file,
    package_files,
    parse_source,
    read_package,
)
from memtui.core.locate.pi_trust import is_trusted
from memtui.core.sessions.pi_places import follow
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

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

PARENTS = 4
"""So many directories above an extension's file are looked at for its package.json."""


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
    """What pi knows of here, in the order in which it loads: files and folders of the project, of the user,
    then packages. `trusted` says whether the project's own settings count."""

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
        mine = [e for e in self.found if e.loaded and e.owner in WITH_MEMORY_COMMAND]
        packages = list({e.owner: e.package for e in mine}.values())
        if len(packages) < 2:
            return ""
        names = [
            _("/memory:{number} of {package}").format(number=number, package=package)
            for number, package in enumerate(packages, 1)
        ]
        return _("several extensions claim /memory: pi has {names} instead").format(names=", ".join(names))


@dataclass(frozen=True, slots=True)
class _Scope:
    """One of pi's two places for settings, with the file and what is in it."""

    folder: Path
    settings: Mapping[str, Any]

    def texts(self, name: str) -> list[str]:
        items = self.settings.get(name)
        return [item for item in items if isinstance(item, str)] if isinstance(items, list) else []


def find_extensions(env: Env, agent_dir: Path) -> Extensions:
    """The memory extensions of `env.cwd`. Never raises."""
    own = read_json(agent_dir / "settings.json").values
    trusted = is_trusted(env, agent_dir, own)
    scopes = [_Scope(agent_dir, own)]
    if trusted:
        project = env.cwd / ".pi"
        scopes.insert(0, _Scope(project, read_json(project / "settings.json").values))
    found: list[Extension] = []
    for scope in scopes:
        found += _of_files(_listed(env, scope), scope.folder / "settings.json")
        found += _of_files(_discovered(scope), scope.folder / "extensions")
    found += _of_packages(env, scopes)
    return Extensions(tuple(dict.fromkeys(found)), trusted)


# Files and folders


def _listed(env: Env, scope: _Scope) -> Iterator[tuple[Path, bool]]:
    """The files that the list `extensions` of settings names, each with whether it is on."""
    entries = scope.texts("extensions")
    # pi takes an entry with a wildcard for a pattern, never for a place
    patterns = [entry for entry in entries if entry[:1] in ("!", "+", "-") or "*" in entry or "?" in entry]
    files: list[Path] = []
    for entry in entries:
        if entry in patterns or entry.startswith("builtin:"):
            continue
        path, _relative = follow(entry.strip(), scope.folder, env.home)
        files += discovered(path) if fs.is_dir(path) else [path]
    on = chosen(files, patterns, scope.folder)
    for file in files:
        yield file, file in on


def _discovered(scope: _Scope) -> Iterator[tuple[Path, bool]]:
    overrides = [entry for entry in scope.texts("extensions") if entry[:1] in ("!", "+", "-")]
    files = discovered(scope.folder / "extensions")
    on = chosen(files, overrides, scope.folder)
    for file in files:
        yield file, file in on


def _of_files(files: Iterator[tuple[Path, bool]], said_by: Path) -> Iterator[Extension]:
    for file, is_on in files:
        package = _package_of(file)
        owner = OWNERS.get(str(package.get("name")))
        if owner is not None:
            version = str(package.get("version") or "")
            yield Extension(owner, str(package["name"]), version, said_by, is_on)


def _package_of(file: Path) -> Mapping[str, Any]:
    """The nearest package.json above a file that exists, or in a folder; symlinks are followed."""
    real = fs.real_path(file)
    if fs.kind_of(real) is None:
        return {}
    for place in (real, *list(real.parents)[:PARENTS]):
        package = read_package(place)
        if package:
            return package
    return {}


# Packages


@dataclass(frozen=True, slots=True)
class _Listed:
    """One entry of the list `packages`: `options` are None where it is a plain source."""

    source: Source
    options: Mapping[str, Any] | None
    said_by: Path
    is_project: bool

    @property
    def is_delta(self) -> bool:
        return self.options is not None and self.options.get("autoload") is False

    @property
    def patterns(self) -> list[str] | None:
        """The patterns for extensions, None where there is no list of them."""
        items = (self.options or {}).get("extensions")
        return [item for item in items if isinstance(item, str)] if isinstance(items, list) else None


def _of_packages(env: Env, scopes: list[_Scope]) -> Iterator[Extension]:
    entries = [entry for scope in scopes for entry in _entries(env, scope, is_project=scope is not scopes[-1])]
    kept: dict[str, list[_Listed]] = {}
    for entry in entries:
        same = kept.setdefault(entry.source.identity, [])
        # one in the project replaces that of the user, and without autoload it only changes it
        if not same or (same[-1].is_delta and same[-1].is_project and not entry.is_project):
            same.append(entry)
    for same in kept.values():
        yield from _of_package(same)


def _entries(env: Env, scope: _Scope, *, is_project: bool) -> Iterator[_Listed]:
    items = scope.settings.get("packages")
    for item in items if isinstance(items, list) else ():
        options = item if isinstance(item, Mapping) else None
        text = item if isinstance(item, str) else (options or {}).get("source")
        if isinstance(text, str) and text:
            source = parse_source(env, scope.folder, text)
            yield _Listed(source, options, scope.folder / "settings.json", is_project)


def _of_package(same: list[_Listed]) -> Iterator[Extension]:
    """What becomes of one package; the last entry is the one that is installed, those before it change it."""
    base = same[-1]
    place = base.source.place
    if fs.kind_of(place) is None:
        yield from _not_installed(same)
        return
    if base.source.is_local and is_file(place):
        # a single file is loaded whatever stands beside its path
        yield from _of_files(iter([(place, True)]), base.said_by)
        return
    files = package_files(place, bare=base.source.is_local and base.options is None)
    states: dict[Path, bool] = {}
    for entry in same:
        for file, is_on in _states(entry, files, place).items():
            states.setdefault(file, is_on)
    package = read_package(place)
    if str(package.get("name")) in OWNERS:
        yield _extension(package, base.said_by, any(states.values()))
        return
    # several packages in one repository
    for file in files:
        package = _package_of(file)
        if str(package.get("name")) in OWNERS:
            yield _extension(package, base.said_by, states.get(file, False))


def _states(entry: _Listed, files: list[Path], place: Path) -> dict[Path, bool]:
    patterns = entry.patterns
    if entry.is_delta:
        return changed(files, patterns or (), place)
    if patterns is None:
        return dict.fromkeys(files, True)
    on = chosen(files, patterns, place) if patterns else []
    return {file: file in on for file in files}


def _not_installed(same: list[_Listed]) -> Iterator[Extension]:
    """A package that pi will fetch at its next start; which files patterns leave of it cannot be seen."""
    base = same[-1]
    owner = OWNERS.get(base.source.name)
    if owner is not None:
        wants = base.patterns if base.is_delta else base.patterns is None or base.patterns
        yield Extension(owner, base.source.name, base.source.version, base.said_by, bool(wants))


def _extension(package: Mapping[str, Any], said_by: Path, loaded: bool) -> Extension:
    name = str(package["name"])
    return Extension(OWNERS[name], name, str(package.get("version") or ""), said_by, loaded)
