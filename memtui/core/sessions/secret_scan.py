"""Which secrets a session's file holds, told by their kinds: what was said and what tools gave, every line.

Lines are looked at as they stand, JSON's commonest escapes taken away: that also finds what is in entries which
memtui does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs
from memtui.core.safety import secrets

_PIECE_BYTES = 4 << 20
_MOST_BYTES = 32 << 20
"""Of a longer line (a picture, in most cases) what is beyond is looked at as a line of its own."""

_ESCAPES = (("\\\\", "\\"), ("\\n", "\n"), ("\\r", "\n"), ("\\t", "\t"), ('\\"', '"'), ("\\/", "/"))


def secrets_in_file(path: Path) -> Counter[str]:
    """How many different secrets of each kind (in words) a file holds. Raises OSError."""
    found: set[tuple[str, str]] = set()
    for piece in _pieces(path):
        text = piece.decode("utf-8", "replace")
        for escape, sign in _ESCAPES:
            text = text.replace(escape, sign)
        for secret in secrets.find(text):
            found.add((secret.rule.name, text[secret.start : secret.end]))
    return Counter(name for name, _value in sorted(found))


def _pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a file, cut where lines end."""
    offset, rest = 0, b""
    while data := fs.read_from(path, offset, _PIECE_BYTES):
        offset += len(data)
        whole, end, rest_now = (rest + data).rpartition(b"\n")
        if end or len(rest_now) > _MOST_BYTES:
            yield whole + end + (b"" if end else rest_now)
        rest = rest_now if end or len(rest_now) <= _MOST_BYTES else b""
    if rest:
        yield rest
