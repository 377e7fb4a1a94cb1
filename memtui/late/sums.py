"""SHA-256 without what `hashlib` loads for it, as long as texts are short: names, paths, entries."""

from __future__ import annotations

from typing import Any

SHORT_BYTES = 1 << 10
"""A longer text is summed up so much faster by what `hashlib` loads that loading it pays."""

_short: Any = None


def sha256_hex(data: bytes) -> str:
    """SHA-256 in hex."""
    global _short
    if len(data) > SHORT_BYTES:
        from hashlib import sha256

        return sha256(data).hexdigest()
    if _short is None:
        _short = _builtin()
    return str(_short(data).hexdigest())


def _builtin() -> Any:
    """Python's own, whose module has changed its name; `hashlib`'s where there is none."""
    for name in ("_sha2", "_sha256"):
        try:
            return __import__(name).sha256
        except (ImportError, AttributeError):
            continue
    from hashlib import sha256

    return sha256
