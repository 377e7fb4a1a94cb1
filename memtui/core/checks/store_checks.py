"""Problems of a store as a whole: what lies beside the memories, who else uses it, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Problem, Severity, Snapshot
from memtui.core.text.leftovers import leftover_kind
from memtui.i18n import _, ngettext

NAMED_LEFTOVERS = 3
"""So many left files are named; of more only the numbers are told."""

_SEVERITIES: dict[str, Severity] = {"unreadable": "error", "shared-store": "note"}


def findings(snapshot: Snapshot) -> Iterator[Problem]:
    """What was found while locating the store, a broken configuration for instance."""
    for code, sentence in snapshot.store.findings:
        yield Problem(code, _SEVERITIES.get(code, "warning"), sentence)


def shared(snapshot: Snapshot) -> Iterator[Problem]:
    """Other projects that have this same memory."""
    store = snapshot.store
    if store.shared_by and not any(code == "shared-store" for code, _sentence in store.findings):
        text = _("also the memory of {projects}: what is changed here changes there")
        yield Problem("shared-store", "note", text.format(projects=", ".join(store.shared_by)))


def case_twins(snapshot: Snapshot) -> Iterator[Problem]:
    """Memories whose names differ in upper and lower case only: one file to macOS and syncing tools."""
    twins: dict[str, list[str]] = {}
    owners = {memory.file: memory.id for memory in snapshot.memories if memory.state in ("ok", "symlink")}
    for file in owners:
        twins.setdefault(file.casefold(), []).append(file)
    for group in twins.values():
        for file in group if len(group) > 1 else ():
            others = ", ".join(other for other in group if other != file)
            text = _("differs from {others} in upper and lower case only: on some systems they are one file")
            yield Problem("case-twin", "warning", text.format(others=others), owners[file], file)


def leftovers(snapshot: Snapshot) -> Iterator[Problem]:
    """Second versions and backups beside the memories; editors' swap files go by themselves."""
    if snapshot.store.profile.only_looked_at:
        return
    found: dict[str, list[str]] = {"conflict": [], "backup": [], "temp": []}
    for path in sorted(snapshot.files):
        kind = leftover_kind(path.rpartition("/")[2])
        if kind is not None and kind in found:
            found[kind].append(path)
    counted = {
        "conflict": ngettext("{count} sync conflict", "{count} sync conflicts", len(found["conflict"])),
        "backup": ngettext("{count} backup", "{count} backups", len(found["backup"])),
        "temp": ngettext("{count} temporary file", "{count} temporary files", len(found["temp"])),
    }
    parts = [counted[kind].format(count=len(paths)) for kind, paths in found.items() if paths]
    names = [path for paths in found.values() for path in paths]
    if parts:
        text = ", ".join(parts)
        if len(names) <= NAMED_LEFTOVERS:
            text = _("{counted}: {names}").format(counted=text, names=", ".join(names))
        yield Problem("leftover", "warning" if found["conflict"] else "note", text)


CHECKS = (findings, shared, case_twins, leftovers)
"""The checks of this family."""
