"""A topics store in step again: index lines and descriptions as the owner makes them of each topic's titles."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, Relist, Reshape, Snapshot
from memtui.core.layouts.dash_relist import relist as relist_dashes
from memtui.core.layouts.mends import BY_BYTES, draft_of
from memtui.core.layouts.topics import writing
from memtui.core.layouts.topics.out_of_step import hook_of
from memtui.core.layouts.topics.reading import owner_titles, parse_topic
from memtui.core.layouts.topics.rules import form_of, rules_of
from memtui.core.text.links import SUFFIX
from memtui.i18n import _


def relist(snapshot: Snapshot, wish: Relist) -> Draft:
    """The index as wished, each line as the owner makes it of the titles. Raises RefusedError."""
    rules = rules_of(snapshot.store.profile)

    def line_of(path: str) -> tuple[str, str]:
        file = snapshot.files.get(path)
        titles = owner_titles(file.data) if file is not None and file.data is not None else []
        if not titles or not rules.has_hooks:
            raise RefusedError(_("the owner makes no line for {file}").format(file=path))
        return path.removesuffix(SUFFIX), hook_of(titles, rules.hook_units)

    return relist_dashes(snapshot, wish, form_of(rules), line_of)


def reshape(snapshot: Snapshot, wish: Reshape) -> Draft:
    """A topic as its owner reads it. Raises RefusedError where nothing calls for it."""
    units = rules_of(snapshot.store.profile).hook_units

    def described(data: bytes, max_lines: int | None) -> bytes | None:
        after = writing.set_front_field(
            parse_topic(data), "description", writing.hook_of(owner_titles(data), units)
        )
        return after if after != data else None

    mend = described if wish.how == "describe" else BY_BYTES.get(wish.how)
    return draft_of(snapshot, wish.path, wish.how, mend)
