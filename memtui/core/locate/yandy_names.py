"""Directory names of yandy's pi-memory: a hash up to 1.3, a readable name from 1.4 (topics sheet 1, 9.1)."""

from __future__ import annotations

import hashlib
import posixpath
import unicodedata
from pathlib import Path
from urllib.parse import quote

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.git_config import Value, read_git_config
from memtui.core.locate.git_root import find_git_root
from memtui.core.text.javascript import JS_BLANKS
from memtui.late import re
from memtui.late.dataclasses import dataclass

HASH_DIGITS = 12
HASHED = re.compile(r"[0-9a-f]{12}")
SCHEMES = ("http", "https", "ssh", "git")
MOST_BYTES, KEPT_BYTES, DIGEST_DIGITS = 120, 100, 8

_SCP = re.compile(r"((?:[^/:\[\]]|\[[^\]]*\])+):(.*)", re.DOTALL)
_PORT = re.compile(r":[0-9]*")
_UNSAFE = re.compile(r'[<>:"|?*\x00-\x1f]')
_KEPT_IN_PATHS = "!$%&'()*+,-./:;=@[\\]^_|~"
_OWN_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Project:
    """What the owner keys memory by: a path, and the repository's configuration (empty outside of any)."""

    path: str
    config: tuple[Value, ...] = ()


def find_project(env: Env) -> Project:
    """The top level of the working tree that the working directory lies in, else the directory itself.

    As `git rev-parse --show-toplevel` tells it: symlinks are followed; without git, in a bare repository and
    in a git directory the path stays as pi has it. A linked worktree is a project of its own.
    """
    here = Project(str(env.cwd))
    import shutil

    if shutil.which("git", path=env.get("PATH") or _OWN_PATH) is None:
        return here
    cwd = fs.real_path(env.cwd)
    found = find_git_root(cwd)
    if found is None or _is_in_git_dir(cwd, found.worktree):
        return here
    config = tuple(read_git_config(found.git_dir / "config"))
    if not found.is_linked and _is_bare(config):
        return here
    path = str(found.worktree).strip(JS_BLANKS)
    return Project(path, config) if path else here


def toplevel(env: Env) -> str:
    """The path of `find_project`."""
    return find_project(env).path


def hashed_name(project: str) -> str:
    """The directory of a project in 0.x to 1.3.x."""
    return hashlib.sha256(_as_node_reads(project).encode()).hexdigest()[:HASH_DIGITS]


def readable_name(project: Project) -> tuple[str, str]:
    """The kind of directory (`git` or `local`) and its name, from 1.4 on."""
    for url in _remote_urls(project.config):
        key = remote_key(url)
        if key:
            return "git", name_of(key)
    return "local", name_of(project.path)


def remote_key(url: str) -> str:
    """Host and path of a remote, '' when it is none that the owner uses (a file, a local path)."""
    scheme, is_address, rest = url.partition("://")
    if is_address:
        scheme = scheme.lower().removeprefix("git+")
        if scheme not in SCHEMES:
            return ""
        authority, path = _parts_of(rest.replace("\\", "/") if scheme.startswith("http") else rest)
        authority = authority.rpartition("@")[2]
        host, port = _host_and_port(authority)
        if not _PORT.fullmatch(port or ":"):
            return ""
        path = posixpath.normpath("/" + quote(_as_node_reads(path), safe=_KEPT_IN_PATHS))
    else:
        match = _SCP.fullmatch(url)
        if match is None:
            return ""
        host, path = match[1].rpartition("@")[2], match[2]
    path = path.strip("/")
    if path.lower().endswith(".git"):
        path = path[:-4]
    path = path.strip("/")
    if not host or path in ("", "."):
        return ""
    return f"{_host(host)}/{path}"


def name_of(key: str) -> str:
    """A key as one directory name."""
    key = _as_node_reads(key)
    parts = [part for part in key.split("/") if part not in ("", ".", "..")]
    name = "__".join(_UNSAFE.sub(lambda found: f"_{ord(found[0]):02x}", part) for part in parts) or "root"
    if len(name.encode()) <= MOST_BYTES:
        return name
    digest = hashlib.sha256(key.encode()).hexdigest()[:DIGEST_DIGITS]
    return f"{_cut(name)}__{digest}"


# Where git looks


def _is_in_git_dir(cwd: Path, worktree: Path) -> bool:
    """Whether a directory lies in a `.git`, or in a bare repository that lies in this working tree."""
    if cwd.relative_to(worktree).parts[:1] == (".git",):
        return True
    between = [
        folder for folder in (cwd, *cwd.parents) if folder.is_relative_to(worktree) and folder != worktree
    ]
    return any(_is_git_dir(folder) for folder in between)


def _is_git_dir(folder: Path) -> bool:
    has_head = fs.kind_of(folder / "HEAD") is not None
    return has_head and fs.is_dir(folder / "objects") and fs.is_dir(folder / "refs")


def _is_bare(config: tuple[Value, ...]) -> bool:
    said = [value.text.lower() for value in config if (value.section, value.name) == ("core", "bare")]
    return bool(said) and said[-1] in ("true", "yes", "on", "1")


def _remote_urls(config: tuple[Value, ...]) -> list[str]:
    """The first address of each remote, `origin` first, then by name."""
    urls: dict[str, str] = {}
    for value in config:
        if value.section == "remote" and value.name == "url":
            urls.setdefault(value.subsection, value.text)
    return [urls[name] for name in sorted(urls, key=lambda name: (name != "origin", name))]


# Addresses as the URL class of JavaScript reads them


def _parts_of(rest: str) -> tuple[str, str]:
    """Host part and path of what follows the scheme, without query and fragment."""
    rest = re.split(r"[?#]", rest, maxsplit=1)[0]
    authority, _slash, path = rest.partition("/")
    return authority, path


def _host_and_port(authority: str) -> tuple[str, str]:
    if authority.startswith("["):
        end = authority.find("]") + 1
        return authority[:end], authority[end:]
    host, colon, port = authority.partition(":")
    return host, colon + port


def _host(host: str) -> str:
    try:
        return host.lower().encode("idna").decode("ascii")
    except UnicodeError:
        return host.lower()


def _as_node_reads(text: str) -> str:
    """Bytes that are not UTF-8 reach Node as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# Cutting between characters as people see them


def _cut(name: str) -> str:
    size = 0
    end = 0
    for position, char in enumerate(name):
        size += len(char.encode())
        if size > KEPT_BYTES:
            break
        end = position + 1
    while 0 < end < len(name) and _belongs_together(name, end):
        end -= 1
    return name[:end]


def _belongs_together(name: str, position: int) -> bool:
    """Whether the character at `position` is shown as one with what stands before it."""
    before, char = name[position - 1], name[position]
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or char == "\u200d" or before == "\u200d":
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if _is_flag_letter(char) and _is_flag_letter(before):
        run = len(name[:position]) - len(name[:position].rstrip("".join(map(chr, range(0x1F1E6, 0x1F200)))))
        return run % 2 == 1
    # the letters of a Korean syllable
    return "\u1160" <= char <= "\u11ff" and "\u1100" <= before <= "\u11ff"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
