"""What is shown of a facts store: the source of a memory, and what the agent is given at its start."""

from __future__ import annotations

from memtui.core.layouts.base import AgentView, MemoryText, Snapshot
from memtui.core.layouts.facts import budgets
from memtui.core.layouts.facts.scan import body_start, index_file
from memtui.i18n import _


def text(snapshot: Snapshot, memory_id: str) -> MemoryText | None:
    """The exact bytes of a fact and its body; None for what has no text here (dead, outside, a symlink)."""
    memory = snapshot.memory(memory_id)
    file = snapshot.files.get(memory.file) if memory is not None and memory.state == "ok" else None
    if file is None or file.data is None:
        return None
    return MemoryText(file.data, file.data[body_start(file.data, snapshot.frontmatters[file.path]) :])


def agent_view(snapshot: Snapshot) -> AgentView:
    """The index as the owner injects it; empty when a configuration keeps it away or there is none.

    Bytes that are not UTF-8 are given as U+FFFD, as the owner's decoder does.
    """
    store = snapshot.store
    if not store.loads:
        return AgentView(b"", (store.loads_not_because,) if store.loads_not_because else ())
    if snapshot.index is None:
        file = index_file(snapshot.files, store.profile)
        if file.kind == "missing":
            return AgentView(b"")
        is_link = file.kind == "symlink"
        reason = _("it is a symlink to {target}").format(target=file.link_target) if is_link else file.error
        return AgentView(b"", (_("{index} was not read: {reason}").format(index=file.path, reason=reason),))
    taken = budgets.injected(snapshot.index, store.profile)
    approximate = list(store.profile.approximate)
    if taken.is_cut:
        approximate.append(_("The owner adds a warning line behind the cut; its exact words are not known."))
    if store.profile.strips_comments and snapshot.index.comments:
        approximate.append(_("Which blank lines go with a removed comment is not known."))
    return AgentView(taken.cut_text.encode("utf-8", "replace"), tuple(approximate))
