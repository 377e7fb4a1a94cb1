"""ZCode's names for things: the directory of a project and the root above it (pi-and-zcode sheet B1).

Pure text functions. Windows rules are computed wherever memtui runs, so that they can be tested anywhere.
"""

from __future__ import annotations

import hashlib
import ntpath
import posixpath
from pathlib import Path

from memtui.late import re

_FOREIGN = re.compile(r"[^a-z0-9._-]+")
_HASH_SUFFIX = re.compile(r"-[0-9a-f]{16}$")
_SLUG_LENGTH = 48


def project_dir_name(cwd: str, platform: str, identity: str = "") -> str:
    """`<slug>-<hash16>` for an absolute working directory on `posix` or `win32`.

    The hash is of the path's text as it stands: no symlink is resolved, nothing is normalised but dot
    segments and trailing separators. A workspace identity, trimmed, replaces the path in the hash and makes
    the slug the word `project`.
    """
    return f"{project_slug(cwd, platform, identity)}-{project_hash(cwd, platform, identity)}"


def project_hash(cwd: str, platform: str, identity: str = "") -> str:
    """First 16 hex digits of the SHA-256 that tells projects apart."""
    key = identity.strip() or _resolved(cwd, platform)
    if not identity.strip() and platform == "win32":
        key = key.lower()
    return hashlib.sha256(_as_node_reads(key).encode("utf-8", "replace")).hexdigest()[:16]


def project_slug(cwd: str, platform: str, identity: str = "") -> str:
    """The readable part: base name in lower case, foreign runs to one dash, dashes trimmed, then cut to 48."""
    if identity.strip():
        return "project"
    base = _base_name(_resolved(cwd, platform), platform)
    # Python and JavaScript lower-case alike here: both apply Unicode's full mapping
    slug = _FOREIGN.sub("-", base.lower()).strip("-")[:_SLUG_LENGTH]
    return slug or "project"


def has_hash_suffix(name: str) -> bool:
    """Whether a directory's name ends like one that ZCode computed."""
    return _HASH_SUFFIX.search(name) is not None


def cli_root(storage_dir: Path) -> Path:
    """`storage_dir` itself when its base name is exactly `cli`, else `cli` below it."""
    return storage_dir if storage_dir.name == "cli" else storage_dir / "cli"


def projects_root(cli: Path) -> Path:
    """The directory of all projects' memories below a `cli` root."""
    return cli / "memories" / "projects"


def _resolved(cwd: str, platform: str) -> str:
    text = _as_node_reads(cwd)
    if platform == "win32":
        return ntpath.normpath(text)
    # Python keeps exactly two leading slashes, as POSIX allows; Node does not
    return re.sub(r"^//+", "/", posixpath.normpath(text))


def _base_name(resolved: str, platform: str) -> str:
    if platform != "win32":
        return posixpath.basename(resolved)
    without_drive = re.sub(r"^[A-Za-z]:", "", resolved)
    return without_drive.rstrip("\\/").replace("/", "\\").rpartition("\\")[2]


def _as_node_reads(text: str) -> str:
    """Bytes that are not UTF-8 reach Node as U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
