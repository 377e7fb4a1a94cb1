"""Facts whose frontmatter readers do not see, or see otherwise, put right by their bytes."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, Reshape, Snapshot
from memtui.core.layouts.facts.names import stem_of
from memtui.core.layouts.mends import BY_BYTES, OF_FRONTMATTER, draft_of
from memtui.core.safety import display
from memtui.core.text import frontmatter_mends as fronts
from memtui.i18n import _


def reshape(snapshot: Snapshot, wish: Reshape) -> Draft:
    """The file in a form that readers see whole. Raises RefusedError where nothing calls for it."""
    if wish.how == "describe":
        return _describe(snapshot, wish)
    return draft_of(snapshot, wish.path, wish.how, BY_BYTES.get(wish.how) or OF_FRONTMATTER.get(wish.how))


def _describe(snapshot: Snapshot, wish: Reshape) -> Draft:
    """The description that a fact lacks: what its only index line says."""
    memory = next((memory for memory in snapshot.memories if memory.file == wish.path), None)
    hook = memory.hook if memory is not None and len(memory.index_lines) == 1 else None
    if not hook or display.hidden_characters(hook):
        raise RefusedError(_("no index line describes {file}").format(file=wish.path))
    return draft_of(
        snapshot,
        wish.path,
        wish.how,
        lambda data, max_lines: fronts.describe(data, max_lines, stem_of(wish.path), hook),
    )
