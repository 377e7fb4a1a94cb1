"""The fields of the index, and where it lies: one folder a version, a cache that may be deleted at any time.

One document holds what one message says (`title`, `body`), another one what its tools got and gave (`tool`),
since the first of all files are indexed before any of the second. Texts are not stored: they are read again
from the session file. All numbers are fast fields.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import fs
from memtui.late import re

if TYPE_CHECKING:
    import tantivy

META_NAME = "meta.json"
"""The engine's file that names all its others."""

VERSION = 1
"""Changes with the fields, with what is taken from a message, and with how texts are cut into words."""

LONGEST_WORD_BYTES = 72
"""Longer words are not indexed: nothing else is as long but keys, signatures and other encoded bytes (a SHA-256
has 64)."""

TOKENIZER = "words"
TEXTS = ("title", "body", "tool")
SAID = TEXTS[:2]
NUMBERS = ("sid", "place", "ts", "kind", "key")
"""The file's number in the log, the record's place in it (`pack_place`), time (seconds since 1970), kind (index
of `sessions.base.KINDS`), and what copies of a message have in common (0 = nothing)."""

_LENGTH_BITS = 26


def pack_place(offset: int, length: int) -> int:
    """Offset and length of a record (bytes, at most 32 MB) as one number that rises with the offset."""
    return offset << _LENGTH_BITS | length


def unpack_place(place: int) -> tuple[int, int]:
    """Offset and length of a record."""
    return place >> _LENGTH_BITS, place & (1 << _LENGTH_BITS) - 1


def index_dir(cache_dir: Path) -> Path:
    """The folder of this version's index below memtui's cache directory."""
    return cache_dir / f"index-v{VERSION}-{_engine_format()}"


def has_engine() -> bool:
    """Whether the engine, and what reads sessions for it, can be imported; they are not imported for it."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("tantivy", "msgspec"))


def is_older_index(name: str) -> bool:
    """Whether a name in the cache directory is that of an index of an older version."""
    match = re.fullmatch(r"index-v(\d+)-(\d+)", name)
    return match is not None and (int(match[1]), int(match[2])) < (VERSION, _engine_format())


@cache
def _engine_format() -> int:
    """The version of the engine's own files; `TypeError` and the like cannot happen: it always names one."""
    import tantivy

    return int(str(vars(tantivy)["__version__"]).rpartition("index_format v")[2])


@cache
def schema() -> tantivy.Schema:
    """The fields."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in TEXTS:
        builder.add_text_field(name, stored=False, tokenizer_name=TOKENIZER, index_option="position")
    for name in NUMBERS:
        builder.add_unsigned_field(name, stored=False, indexed=name == "sid", fast=True)
    return builder.build()


def number_between(field: str, first: int | None, last: int | None) -> tantivy.Query:
    """Documents whose number lies in a range (both ends included; None = open)."""
    import tantivy

    return tantivy.Query.range_query(schema(), field, tantivy.FieldType.Unsigned, first, last)


@cache
def analyzer() -> tantivy.TextAnalyzer:
    """What cuts a text (as `words.indexed` gives it) into words, for documents and for queries."""
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(LONGEST_WORD_BYTES + 1))
    return builder.filter(tantivy.Filter.lowercase()).build()


def open_index(path: Path, *, create: bool = False) -> tantivy.Index:
    """The index in a folder. Raises FileNotFoundError when there is none, and whatever the engine raises."""
    import tantivy

    if not create and fs.kind_of(path / META_NAME) is None:
        raise FileNotFoundError(2, "no index", str(path))
    index = tantivy.Index(schema(), path=str(path), reuse=True)
    index.register_tokenizer(TOKENIZER, analyzer())
    # else a thread of the engine's looks at the folder all the time
    index.config_reader("manual")
    return index
