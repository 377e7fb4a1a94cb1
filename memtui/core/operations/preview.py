"""A plan in words a person can check: one unified diff a file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from memtui.core.operations.compose import step_digests
from memtui.core.operations.plan import Link, Plan, Step, Trash
from memtui.core.text.document import decode


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a plan does to one file: SHA-256 digests (None = absent) and a unified diff of text from disk."""

    path: Path
    before_sha256: str | None
    after_sha256: str | None
    diff: str


def preview(plan: Plan) -> tuple[FilePreview, ...]:
    """Every step of a plan as a preview, in order."""
    return tuple(_preview(plan, step) for step in plan.steps)


def _preview(plan: Plan, step: Step) -> FilePreview:
    before, after = step_digests(step)
    name = str(step.path.relative_to(plan.root))
    if isinstance(step, Link) or (isinstance(step, Trash) and step.is_symlink):
        target = decode(plan.blobs[before or after or ""])
        sign = "-" if isinstance(step, Trash) else "+"
        return FilePreview(step.path, before, after, f"{sign}{name} -> {target}\n")
    old = _lines(plan.blobs[before]) if before is not None else []
    new = _lines(plan.blobs[after]) if after is not None else []
    diff = difflib.unified_diff(
        old,
        new,
        "/dev/null" if before is None else f"a/{name}",
        "/dev/null" if after is None else f"b/{name}",
    )
    return FilePreview(step.path, before, after, "".join(_ended(line) for line in diff))


def _lines(data: bytes) -> list[str]:
    parts = decode(data).split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _ended(line: str) -> str:
    return line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
