"""A change that another program overtook: what it did meanwhile, beside what was asked. Work thread only."""

from __future__ import annotations

import difflib
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from memtui.core.errors import ConflictError, MemtuiError
from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass
from memtui.ui.differences import plan_lines, preview_lines

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot, StoredFile
    from memtui.core.workspace import Workspace

SHOWN_LINES = 3
"""Lines of each side that the question shows; `o` shows all."""

ALIKE_KEPT = 12
"""Characters that both sides begin with alike which are shown before what is different."""

SIGNS = ("+", "-")


@dataclass(frozen=True, slots=True)
class Clash:
    """What another program did to what a change is about.

    `now` is the store as it is told of here: doing yours on top of theirs starts from it. `is_gone` = there is
    nothing left to do it to. `what` is the sentence, `theirs` and `yours` their most telling lines, `lines`
    both sides in full as a diff; all of them safe for display.
    """

    now: Snapshot
    is_gone: bool
    what: str
    theirs: tuple[str, ...]
    yours: tuple[str, ...]
    lines: tuple[str, ...]


class Clashed(ConflictError):
    """A ConflictError with what it is about."""

    def __init__(self, error: ConflictError, clash: Clash) -> None:
        super().__init__(error.message, theirs=error.theirs, yours=error.yours)
        self.clash = clash


@dataclass(frozen=True, slots=True)
class _FileDifference:
    name: str
    updated: datetime | None
    lines: tuple[str, ...]

    @property
    def added(self) -> int:
        return sum(line.startswith("+") for line in self.lines[2:])

    @property
    def removed(self) -> int:
        return sum(line.startswith("-") for line in self.lines[2:])


def clash_of(
    workspace: Workspace,
    snapshot: Snapshot,
    verb: str,
    edits: tuple[Edit, ...],
    error: ConflictError,
    *,
    in_editor: bool,
) -> Clash:
    """Read the store again and tell what another program did since `snapshot` to what the edits are about."""
    from memtui.ui.outcomes import Batch

    now = workspace.scan(snapshot.store)
    wanted = [getattr(edit, "memory_id", "") for edit in edits]
    memories = [memory for name in wanted if (memory := snapshot.memory(name)) is not None]
    index = snapshot.store.profile.index_name
    files = [*dict.fromkeys(memory.file for memory in memories), index]
    differences = [found for name in files if (found := _difference(snapshot, now, name)) is not None]
    is_gone = bool(memories) and all(now.memory(memory.id) is None for memory in memories)
    named = [memory.file for memory in memories]
    try:
        plan = workspace.plan(snapshot, verb, edits)
        yours = preview_lines(workspace.preview(plan))
    except MemtuiError:
        yours = plan_lines(workspace, verb, [Batch(now, insisting(edits))])
    theirs = [line for item in differences for line in item.lines]
    full = [_("what another program did since you looked:"), "", *theirs]
    full += ["", _("what you asked for:"), "", *yours]
    of_theirs, of_yours = _short(
        _telling(_safe(error.theirs) or theirs, named), _telling(_safe(error.yours) or yours, named)
    )
    return Clash(
        now=now,
        is_gone=is_gone,
        what=_sentence(differences, error, is_gone, named, in_editor, workspace.env.now()),
        theirs=of_theirs,
        yours=of_yours,
        lines=tuple(full),
    )


def insisting(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits so that their lines stand where both sides changed one; theirs goes into the history first."""
    from memtui.core.layouts.base import SetIndex, SetText

    return tuple(
        dataclasses.replace(edit, insists=True) if isinstance(edit, SetText | SetIndex) else edit
        for edit in edits
    )


def _difference(before: Snapshot, now: Snapshot, name: str) -> _FileDifference | None:
    old, new = _text(before.files.get(name)), _text(now.files.get(name))
    if old == new:
        return None
    names = ("/dev/null" if old is None else f"a/{name}", "/dev/null" if new is None else f"b/{name}")
    lines = difflib.unified_diff((old or "").splitlines(), (new or "").splitlines(), *names, lineterm="")
    file = now.files.get(name)
    return _FileDifference(name, file.updated if file is not None else None, _safe(tuple(lines)))


def _text(file: StoredFile | None) -> str | None:
    if file is None or file.kind == "missing":
        return None
    return (file.data or b"").decode("utf-8", "surrogateescape")


def _sentence(
    differences: list[_FileDifference],
    error: ConflictError,
    is_gone: bool,
    named: list[str],
    in_editor: bool,
    now: datetime,
) -> str:
    if is_gone:
        what = _("{file} was taken away by another program meanwhile; nothing was written")
        return what.format(file=display.line(named[0]))
    if not differences:
        return display.line(error.message)
    item = differences[0]
    if in_editor:
        what = _("{file} was changed by another program while you were editing ({how}); nothing was written")
    else:
        what = _("{file} was changed by another program while you were deciding ({how}); nothing was written")
    how = [_moment(item.updated, now)] if item.updated is not None else []
    how += [_counts(item)]
    return what.format(file=display.line(item.name), how=", ".join(how))


def _moment(then: datetime, now: datetime) -> str:
    local = then.astimezone()
    is_today = local.date() == now.astimezone().date()
    return local.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M")


def _counts(item: _FileDifference) -> str:
    signs = [f"+{item.added}"] if item.added else []
    signs += [f"-{item.removed}"] if item.removed else []
    count = max(item.added, item.removed)
    return ngettext("{signs} line", "{signs} lines", count).format(signs=" ".join(signs) or "0")


def _safe(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(display.rows(lines))


def _telling(lines: tuple[str, ...] | list[str], named: list[str]) -> list[str]:
    """The few lines of a difference that say most: what names the memory, and what came before what went."""
    names = [display.line(name) for name in named]
    changed = [line for line in lines if line[:1] in SIGNS and not line.startswith(("--- ", "+++ "))]
    about = [line for line in changed if any(name in line for name in names)]
    came = [line for line in changed if line.startswith("+")]
    chosen = [line for line in about if line in came] or about or came or changed
    return [line for line in chosen if line[1:].strip()][:SHOWN_LINES]


def _short(theirs: list[str], yours: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sign and text of both sides; what they begin with alike gives way, so that the difference is in sight."""
    texts = sorted(line[1:] for line in (*theirs, *yours)) if theirs and yours else [""]
    pairs = zip(texts[0], texts[-1], strict=False)
    alike = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    skipped = alike - ALIKE_KEPT if alike > ALIKE_KEPT * 2 else 0
    begins = "…" if skipped else ""

    def shown(line: str) -> str:
        return f"{line[0]} {begins}{line[1 + skipped :]}"

    return tuple(map(shown, theirs)), tuple(map(shown, yours))
