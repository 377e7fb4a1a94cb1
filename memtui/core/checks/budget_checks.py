"""Problems of size: what an owner cuts off, and what a configuration keeps it from loading at all."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Budget, Problem, Snapshot
from memtui.i18n import _

_UNITS = {
    "lines": _("lines"),
    "bytes": _("bytes"),
    "utf16": _("UTF-16 units"),
    "codepoints": _("code points"),
}


def over_limit(snapshot: Snapshot) -> Iterator[Problem]:
    """Budgets that are used up: the index, or what an owner accepts at all."""
    name = snapshot.store.profile.index_name
    for budget in snapshot.budgets:
        if budget.used <= budget.limit or budget.scope == "body":
            continue
        if budget.scope == "write":
            message = _("{group} holds {used:,} of {limit:,} {unit}: the agent refuses to add more")
        elif not snapshot.store.loads:
            message = _("{group} has {used:,} of {limit:,} {unit}")
        else:
            message = _("{group} has {used:,} of {limit:,} {unit}: {loaded}")
        text = message.format(
            group=budget.group or name,
            used=budget.used,
            limit=budget.limit,
            unit=_UNITS[budget.unit],
            loaded=_loaded(budget),
        )
        yield Problem("over-limit", "error", text, file=name or None)


def _loaded(budget: Budget) -> str:
    if budget.loaded is None:
        return _("the agent loads only a part")
    first, last = budget.loaded
    if last < 1:
        return _("the agent loads no whole line")
    return _("the agent loads lines {first:,} to {last:,} only").format(first=first, last=last)


def body_cut(snapshot: Snapshot) -> Iterator[Problem]:
    """Memories of which a recall carries only the beginning."""
    limits = [limit for limit in snapshot.store.profile.limits if limit.scope == "body"]
    if not limits:
        return
    for memory in snapshot.memories:
        file = snapshot.files.get(memory.file)
        if memory.state != "ok" or memory.span is not None or file is None or file.data is None:
            continue
        block = snapshot.frontmatters.get(memory.file)
        data = _without_blank_line(file.data[block.body_start if block else 0 :])
        sizes = {
            "bytes": len(data),
            "lines": data.count(b"\n") + (not data.endswith(b"\n") if data else 0),
        }
        over = [limit for limit in limits if sizes.get(limit.unit, 0) > limit.limit]
        if over:
            message = _(
                "{used:,} {unit}: a recall carries only the first {limit:,}, unless the agent reads the file"
            )
            text = message.format(used=sizes[over[0].unit], unit=_UNITS[over[0].unit], limit=over[0].limit)
            yield Problem("body-cut", "note", text, memory.id, memory.file)


def _without_blank_line(body: bytes) -> bytes:
    return body.removeprefix(b"\r\n") if body.startswith(b"\r\n") else body.removeprefix(b"\n")


def not_injected(snapshot: Snapshot) -> Iterator[Problem]:
    """A configuration keeps the agent from seeing the index."""
    if not snapshot.store.loads:
        reason = snapshot.store.loads_not_because
        text = _("not injected: {reason}").format(reason=reason)
        yield Problem("not-injected", "warning", text)


CHECKS = (not_injected, over_limit, body_cut)
"""The checks of this family."""
