"""Directory names of yandy's pi-memory: a hash up to 1.3, a readable name from 1.4 (topics sheet 1, 9.1)."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import unicodedata
from pathlib import Path
from urllib.parse import unquote, urlsplit

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.git_root import find_git_root

HASH_DIGITS = 12
HASHED = re.compile(r"[0-9a-f]{12}")
SCHEMES = ("http", "https", "ssh", "git", "git+ssh", "git+https")
MOST_BYTES, KEPT_BYTES, DIGEST_DIGITS = 120, 100, 8
CONFIG_LIMIT_BYTES = 1 << 20

_SCP = re.compile(r"(?:[^/@:\s]+@)?([^/:\s\[\]]+):(?!//)(.+)")
_SECTION = re.compile(r'\s*\[remote\s+"((?:[^"\\]|\\.)*)"\]\s*(?:[#;].*)?', re.IGNORECASE)
_ANY_SECTION = re.compile(r"\s*\[")
_URL = re.compile(r"\s*url\s*=\s*(.*?)\s*", re.IGNORECASE)
_UNSAFE = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')


def toplevel(env: Env) -> str:
    """What `git rev-parse --show-toplevel` prints in the working directory, else the directory itself.

    git follows symlinks; without git, and in a bare repository or a git directory, the path stays as pi has
    it. A linked worktree is a project of its own.
    """
    here = str(env.cwd)
    if shutil.which("git", path=env.get("PATH") or None) is None:
        return here
    found = find_git_root(fs.real_path(env.cwd))
    if found is None or (found.is_bare and not found.is_linked):
        return here
    if ".git" in fs.real_path(env.cwd).relative_to(found.worktree).parts[:1]:
        return here
    return str(found.worktree)


def hashed_name(project: str) -> str:
    """The directory of a project in 0.x to 1.3.x."""
    return hashlib.sha256(os.fsencode(project)).hexdigest()[:HASH_DIGITS]


def readable_name(env: Env, project: str) -> tuple[str, str]:
    """The kind of directory (`git` or `local`) and its name, from 1.4 on."""
    for url in _remote_urls(Path(project)):
        key = remote_key(url)
        if key:
            return "git", name_of(key)
    return "local", name_of(project)


def remote_key(url: str) -> str:
    """Host and path of a remote, '' when it is none that the owner uses (a file, a local path)."""
    scheme = url.split("://", 1)[0].lower() if "://" in url else ""
    if scheme:
        if scheme not in SCHEMES:
            return ""
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return ""
        path = unquote(parts.path)
    else:
        match = _SCP.fullmatch(url)
        if match is None:
            return ""
        host, path = match[1], match[2]
    path = path.strip("/").removesuffix(".git").strip("/")
    if not host or not path:
        return ""
    try:
        host = host.lower().encode("idna").decode("ascii")
    except UnicodeError:
        host = host.lower()
    return f"{host}/{path}"


def name_of(key: str) -> str:
    """A key as one directory name."""
    parts = [part for part in key.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    name = "__".join(_UNSAFE.sub(lambda found: f"_{ord(found[0]):02x}", part) for part in parts) or "root"
    if len(os.fsencode(name)) <= MOST_BYTES:
        return name
    digest = hashlib.sha256(os.fsencode(key)).hexdigest()[:DIGEST_DIGITS]
    return f"{_cut(name)}__{digest}"


def _cut(name: str) -> str:
    size = 0
    end = 0
    for position, char in enumerate(name):
        size += len(os.fsencode(char))
        if size > KEPT_BYTES:
            break
        end = position + 1
    # a character and what is put on it stay together
    while end < len(name) and end > 0 and (unicodedata.combining(name[end]) or name[end] == "\u200d"):
        end -= 1
    return name[:end]


def _remote_urls(project: Path) -> list[str]:
    """The addresses of a repository's remotes, `origin` first, then by name."""
    found = find_git_root(project)
    if found is None:
        return []
    folder = found.main if found.is_bare else found.main / ".git"
    try:
        data = fs.read_file(fs.real_path(folder / "config"), limit_bytes=CONFIG_LIMIT_BYTES).data
    except (OSError, ValueError):
        return []
    urls: list[tuple[str, str]] = []
    name = None
    for line in os.fsdecode(data).splitlines():
        section = _SECTION.fullmatch(line)
        if section is not None:
            name = section[1]
        elif _ANY_SECTION.match(line):
            name = None
        elif name is not None and (match := _URL.fullmatch(line)) is not None:
            urls.append((name, match[1].strip('"')))
    return [url for _name, url in sorted(urls, key=lambda item: (item[0] != "origin", item[0]))]
