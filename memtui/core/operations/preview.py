"""A plan in words a person can check: one unified diff a file."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path

from memtui.core.operations.compose import step_digests
from memtui.core.operations.plan import Append, Link, Plan, Stash, Step, Trash, Unstash, WholeFile
from memtui.core.text.document import decode
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

FileDigest = Callable[[Path, int, bytes], str | None]
"""SHA-256 of the first bytes (as many as the number says) of a file with some more behind them.

None for what is too large to read, or cannot be read.
"""


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a plan does to one file: SHA-256 digests and a unified diff of text from disk.

    A digest is None where the file is absent, and for a session that is too large to read.
    """

    path: Path
    before_sha256: str | None
    after_sha256: str | None
    diff: str


def preview(plan: Plan, file_digest: FileDigest) -> tuple[FilePreview, ...]:
    """Every step of a plan as a preview, in order."""
    return tuple(_preview(plan, step, file_digest) for step in plan.steps)


def _preview(plan: Plan, step: Step, file_digest: FileDigest) -> FilePreview:
    name = _name(step.path, plan)
    if isinstance(step, WholeFile):
        return _preview_whole(plan, step, name, file_digest)
    before, after = step_digests(step)
    if isinstance(step, Link) or (isinstance(step, Trash) and step.is_symlink):
        target = decode(plan.blobs[before or after or ""])
        sign = "-" if isinstance(step, Trash) else "+"
        return FilePreview(step.path, before, after, f"{sign}{name} -> {target}\n")
    old = None if before is None else plan.blobs[before]
    new = None if after is None else plan.blobs[after]
    return FilePreview(step.path, before, after, unified(old, new, name))


def unified(old: bytes | None, new: bytes | None, name: str) -> str:
    """A unified diff of text from disk; None = there is no such file."""
    diff = difflib.unified_diff(
        _lines(old or b""),
        _lines(new or b""),
        "/dev/null" if old is None else f"a/{name}",
        "/dev/null" if new is None else f"b/{name}",
    )
    return "".join(_ended(line) for line in diff)


def _name(path: Path, plan: Plan) -> str:
    """A path below its store; of two stores below what they share, so that two indexes are told apart."""
    if not plan.other_roots:
        return str(path.relative_to(plan.root))
    return str(path.relative_to(os.path.commonpath(plan.roots)))


def _preview_whole(plan: Plan, step: WholeFile, name: str, file_digest: FileDigest) -> FilePreview:
    if isinstance(step, Stash | Unstash):
        size = _("{name} ({size:,} bytes)").format(name=name, size=step.size_bytes)
        if isinstance(step, Stash):
            return FilePreview(step.path, file_digest(step.path, step.size_bytes, b""), None, f"-{size}\n")
        return FilePreview(step.path, None, file_digest(step.place, step.size_bytes, b""), f"+{size}\n")
    data = plan.blobs[step.data]
    short, long = file_digest(step.path, step.at, b""), file_digest(step.path, step.at, data)
    sign, before, after = ("+", short, long) if isinstance(step, Append) else ("-", long, short)
    changed = "".join(f"{sign}{_ended(line)}" for line in _lines(data) if line != "\n")
    return FilePreview(step.path, before, after, f"--- a/{name}\n+++ b/{name}\n{changed}")


def _lines(data: bytes) -> list[str]:
    parts = decode(data).split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
