"""Names in a facts store: ids of memories, file names of new ones, and what an index link means."""

from __future__ import annotations

import hashlib
import posixpath
import unicodedata
from collections.abc import Collection, Mapping

from memtui.core.layouts.base import Profile, StoredFile
from memtui.core.text.document import encode
from memtui.core.text.index_lines import Link
from memtui.core.text.leftovers import leftover_kind
from memtui.core.text.links import SUFFIX, one_line
from memtui.late import re

NAME_LIMIT_BYTES = 200
"""A name's stem is cut to this many bytes (design: small print of `add`)."""

TITLE_LIMIT_BYTES = 80
"""The stem that is made of a title is cut to this many bytes: more is no name to read or type."""

_SURROGATES = re.compile("[\ud800-\udfff]+")


def memory_id(path: str) -> str:
    """A fact's id: its path; bytes that are not UTF-8 show as U+FFFD, and a hash keeps the id unique."""
    if not _SURROGATES.search(path):
        return path
    mark = hashlib.sha256(encode(path)).hexdigest()[:12]
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", path) + "~" + mark


def stem_of(path: str) -> str:
    """The file name without folder and suffix."""
    return posixpath.basename(path).removesuffix(SUFFIX)


def is_fact(path: str, profile: Profile) -> bool:
    """Whether this path is a memory's by its name (ZCode's manifest reader: `*.md`, no index at any depth)."""
    name = posixpath.basename(path)
    return name.endswith(SUFFIX) and name != SUFFIX and name != profile.index_name and not leftover_kind(name)


def kebab(title: str) -> str:
    """A title as a file stem: lower case, letters and digits of every script kept, all else one `-`.

    Cut to NAME_LIMIT_BYTES; '' when nothing is left.
    """
    text = unicodedata.normalize("NFC", one_line(title)).lower()
    kept = "".join(char if unicodedata.category(char)[0] in "LMN" else "-" for char in text)
    return _cut("-".join(part for part in kept.split("-") if part), NAME_LIMIT_BYTES)


def is_cut(title: str) -> bool:
    """Whether the file name that is made of a title does not hold all of it."""
    return len(kebab(title).encode()) > TITLE_LIMIT_BYTES


def _cut(stem: str, limit_bytes: int) -> str:
    return stem.encode()[:limit_bytes].decode("utf-8", "ignore").strip("-")


def is_taken(stem: str, folder: str, taken: Collection[str]) -> bool:
    """Whether a name in a folder is used already, upper and lower case not told apart."""
    return _key(folder, stem) in taken


def free_stem(title: str, folder: str, taken: Collection[str]) -> str:
    """The stem for a new file: the title's kebab form, with `-2`, `-3`, … where that is taken."""
    stem = _cut(kebab(title), TITLE_LIMIT_BYTES) or "note"
    number = 1
    candidate = stem
    while is_taken(candidate, folder, taken):
        number += 1
        ending = f"-{number}"
        candidate = _cut(stem, TITLE_LIMIT_BYTES - len(ending)) + ending
    return candidate


def free_path(path: str, taken: Collection[str]) -> str:
    """A path for a file that has a name already: that name, with `-2`, `-3`, … where it is taken."""
    folder, stem = posixpath.dirname(path), stem_of(path)
    number, candidate = 1, stem
    while is_taken(candidate, folder, taken):
        number += 1
        candidate = f"{stem}-{number}"
    return posixpath.join(folder, candidate + SUFFIX)


def taken_names(paths: Collection[str], folder: str, profile: Profile) -> set[str]:
    """What `is_taken` looks at: all known paths, and the index's own name in this folder."""
    keys = {unicodedata.normalize("NFC", path).casefold() for path in paths}
    keys.add(_key(folder, profile.index_name.removesuffix(SUFFIX)))
    return keys


def _key(folder: str, stem: str) -> str:
    path = posixpath.join(folder, stem + SUFFIX)
    return unicodedata.normalize("NFC", path).casefold()


def resolve(link: Link, files: Mapping[str, StoredFile]) -> str:
    """The path that an index link means: percent escapes decoded, unless only the literal name exists."""
    if link.target not in files and link.literal in files:
        return link.literal
    return link.target


def is_behind_symlink(path: str, files: Mapping[str, StoredFile]) -> bool:
    """Whether a folder on the way to this path is a symlink, so that it lies elsewhere."""
    at = path.find("/")
    while at > 0:
        file = files.get(path[:at])
        if file is not None and file.kind == "symlink":
            return True
        at = path.find("/", at + 1)
    return False


def wiki_forms(path: str) -> frozenset[str]:
    """How a `[[link]]` may name a file, casefolded: stem, stem with suffix, path without suffix, path."""
    return frozenset(
        form.casefold() for form in (stem_of(path), stem_of(path) + SUFFIX, path.removesuffix(SUFFIX), path)
    )
