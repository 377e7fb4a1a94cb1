"""What pi's package settings mean: where a package lies, and which of its extension files are loaded.

The rules are pi's own (pi-and-zcode sheet A4; its package manager 1.6): how a source is read, what a package
offers, and how patterns beside a source choose among it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.sessions.pi_places import follow
from memtui.late import re
from memtui.late.dataclasses import dataclass

PACKAGE_NAME = "package.json"
PACKAGE_LIMIT_BYTES = 1 << 18
SUFFIXES = (".ts", ".js")

_NPM = re.compile(r"(@?[^@]+(?:/[^@]+)?)(?:@(.+))?")
_EXACT_VERSION = re.compile(r"v?\d+\.\d+\.\d+(?:[-+].*)?")
_ADDRESS = re.compile(r"(?:https?|ssh|git)://", re.IGNORECASE)
_SCP = re.compile(r"git@([^:]+):(.+)")
_HOSTS = {"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org"}


@dataclass(frozen=True, slots=True)
class Source:
    """A package that settings name: where it is or would be installed, the name that the source tells ('' for
    a local path), an exact version that it asks for ('' = none), and what makes it one package for pi."""

    place: Path
    name: str
    version: str
    identity: str

    @property
    def is_local(self) -> bool:
        """Whether the settings name a path."""
        return self.identity.startswith("local:")


# Sources


def parse_source(env: Env, folder: Path, text: str) -> Source:
    """Read one source; `folder` is the agent directory or the project's `.pi`.

    A bare `@scope/name` and anything else without a known prefix is a local path.
    """
    if text.startswith("npm:"):
        spec = text.removeprefix("npm:").strip()
        match = _NPM.fullmatch(spec)
        name, version = (match[1], match[2] or "") if match is not None else (spec, "")
        exact = version if _EXACT_VERSION.fullmatch(version) else ""
        return Source(folder / "npm" / "node_modules" / name, name, exact.removeprefix("v"), f"npm:{name}")
    address = _git_address(text.strip())
    if address is not None:
        return Source(folder / "git" / address, address.rsplit("/", 1)[-1], "", f"git:{address}")
    path, _relative = follow(text.strip(), folder, env.home)
    return Source(path, "", "", f"local:{path}")


def _git_address(text: str) -> str | None:
    """Host and path of a git source, without what it is pinned to; None when it is none."""
    has_prefix = text.startswith("git:") and not _ADDRESS.match(text)
    if not has_prefix and not _ADDRESS.match(text):
        return None
    rest = text.removeprefix("git:").strip() if has_prefix else text
    rest = rest.partition("#")[0]
    if (match := _SCP.fullmatch(rest)) is not None:
        host, path = match[1], match[2]
    elif "://" in rest:
        try:
            host, path = urlsplit(rest).hostname or "", urlsplit(rest).path.lstrip("/")
        except ValueError:
            return None
    else:
        host, colon, path = rest.partition(":")
        if colon and host in _HOSTS:
            host = _HOSTS[host]
        else:
            host, _slash, path = rest.partition("/")
            if "." not in host and host != "localhost":
                host, path = "github.com", rest
    path = path.partition("@")[0].removesuffix(".git")
    parts = path.split("/")
    if not host or len(parts) < 2 or ".." in parts or "" in parts:
        return None
    return f"{host}/{path}"


# What is in a package


def read_package(place: Path) -> Mapping[str, Any]:
    """The package.json of a folder; empty when there is none that can be read."""
    try:
        data = fs.read_file(fs.real_path(place / PACKAGE_NAME), limit_bytes=PACKAGE_LIMIT_BYTES).data
        values = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def package_files(place: Path, *, bare: bool) -> list[Path]:
    """The extension files that a package offers: what its package.json names, else its folder `extensions`.

    `bare`: a folder without either is an extension itself.
    """
    pi = read_package(place).get("pi")
    named = pi.get("extensions") if isinstance(pi, Mapping) else None
    if isinstance(named, list):
        entries = [entry for entry in named if isinstance(entry, str)]
        plain = [entry for entry in entries if not _is_override(entry)]
        offered = [file for entry in plain for file in _files_at(place, entry)]
        return chosen(offered, [entry for entry in entries if _is_override(entry)], place)
    folder = place / "extensions"
    if fs.is_dir(folder):
        return discovered(folder)
    return [place] if bare and pi is None and fs.is_dir(place) else []


def discovered(folder: Path) -> list[Path]:
    """The extension files that pi finds in a folder: its own entry, else files and sub-folders, one level."""
    own = _entries_of(folder)
    if own:
        return own
    try:
        entries = fs.list_dir(folder)
    except OSError:
        return []
    files: list[Path] = []
    for entry in entries:
        if entry.name.startswith(".") or entry.name == "node_modules":
            continue
        path = folder / entry.name
        if fs.is_dir(path):
            files += _entries_of(path)
        elif entry.name.endswith(SUFFIXES) and is_file(path):
            files.append(path)
    return files


def _entries_of(folder: Path) -> list[Path]:
    pi = read_package(folder).get("pi")
    named = pi.get("extensions") if isinstance(pi, Mapping) else None
    if isinstance(named, list):
        found = [_below(folder, entry) for entry in named if isinstance(entry, str)]
        found = [path for path in found if is_file(path) or fs.is_dir(path)]
        if found:
            return found
    return [folder / name for name in ("index.ts", "index.js") if is_file(folder / name)][:1]


def _files_at(place: Path, entry: str) -> list[Path]:
    path = _below(place, entry)
    if "*" in entry or "?" in entry:
        pattern = _pattern(path.name)
        try:
            names = [e.name for e in fs.list_dir(path.parent) if not e.name.startswith(".")]
        except OSError:
            return []
        paths = [path.parent / name for name in names if pattern.fullmatch(name)]
    else:
        paths = [path]
    files: list[Path] = []
    for found in paths:
        files += discovered(found) if fs.is_dir(found) else [found] if is_file(found) else []
    return files


def _below(folder: Path, entry: str) -> Path:
    path, _relative = follow(entry, folder, folder)
    return path


def is_file(path: Path) -> bool:
    """Whether `path` is a regular file, symlinks followed."""
    kind = fs.kind_of(path)
    return kind == "file" or (kind == "symlink" and fs.kind_of(fs.real_path(path)) == "file")


# Patterns


def chosen(files: Sequence[Path], patterns: Iterable[str], root: Path) -> list[Path]:
    """Which files patterns choose: plain ones first (all without any), `!` takes away, `+` adds one path
    again, `-` takes one path away for good."""
    signed = [(p[0], p[1:]) if _is_override(p) else ("", p) for p in patterns]
    plain = [body for sign, body in signed if not sign]
    found = [file for file in files if not plain or _matches(file, plain, root)]
    found = [file for file in found if not _matches(file, [b for s, b in signed if s == "!"], root)]
    added = [b for s, b in signed if s == "+"]
    found += [file for file in files if file not in found and _is_named(file, added, root)]
    return [file for file in found if not _is_named(file, [b for s, b in signed if s == "-"], root)]


def changed(files: Sequence[Path], patterns: Iterable[str], root: Path) -> dict[Path, bool]:
    """What the patterns of an entry with `autoload: false` say of files: on, off, or nothing at all."""
    found: dict[Path, bool] = {}
    for pattern in patterns:
        sign, body = (pattern[0], pattern[1:]) if _is_override(pattern) else ("", pattern)
        meets = _is_named if sign in ("+", "-") and sign else _matches
        for file in files:
            if meets(file, [body], root):
                found[file] = sign not in ("-", "!")
    return found


def _is_override(pattern: str) -> bool:
    return pattern[:1] in ("!", "+", "-") and bool(pattern)


def _relative(file: Path, root: Path) -> str:
    return str(file.relative_to(root)) if file.is_relative_to(root) else str(file)


def _matches(file: Path, patterns: Iterable[str], root: Path) -> bool:
    texts = (_relative(file, root), file.name, str(file))
    return any(_pattern(pattern).fullmatch(text) for pattern in patterns for text in texts)


def _is_named(file: Path, paths: Iterable[str], root: Path) -> bool:
    texts = (_relative(file, root), str(file))
    return any(path.removeprefix("./") in texts for path in paths)


def _pattern(glob: str) -> re.Pattern[str]:
    """A shell pattern in which `*` stops at a slash and `**` does not."""
    parts = re.split(r"(\*\*/?|\*|\?)", glob)
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts), re.DOTALL)
