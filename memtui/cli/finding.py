"""Finding the memory that an argument names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.call import Call
from memtui.core.errors import UnknownIdError, UsageError
from memtui.core.safety import display
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.stores import Stores
    from memtui.core.workspace import Memory, Snapshot


def find(call: Call, memory_id: str, stores: Stores | None = None) -> tuple[Snapshot, Memory]:
    """A memory by its id, or by what a plain `list` shows of an id with control characters.

    `stores` are looked through, without any those of the workspace: for whoever wants to change it.
    Raises UnknownIdError, which names the memory that may be meant, and UsageError.
    """
    if not memory_id:
        raise UsageError(_("a memory's id cannot be empty; `memtui list` names them"))
    stores = call.workspace if stores is None else stores
    try:
        return stores.find_memory(memory_id, call.store)
    except UnknownIdError as error:
        memories = [
            (snapshot, memory) for snapshot in stores.snapshots(call.store) for memory in snapshot.memories
        ]
        found = [(snapshot, memory) for snapshot, memory in memories if display.line(memory.id) == memory_id]
        if len(found) == 1:
            return found[0]
        meant = _meant(memory_id, [memory for _snapshot, memory in memories])
        if meant:
            message = _("no memory {id} here; did you mean {other}?").format(id=memory_id, other=meant)
            raise UnknownIdError(message) from error
        raise


def _meant(memory_id: str, memories: list[Memory]) -> str:
    wanted = memory_id.casefold()
    for memory in memories:
        if wanted in (memory.id.casefold(), memory.id.casefold().removesuffix(".md"), memory.title.casefold()):
            return memory.id
    return ""
