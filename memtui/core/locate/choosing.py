"""Which of the stores a name means, and where something new goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.core.errors import UnknownIdError, UsageError
from memtui.core.layouts.base import Store
from memtui.i18n import _


def choose_store(stores: Sequence[Store], name: str) -> Store:
    """The store of this id, or the only one of this owner. Raises UnknownIdError or UsageError."""
    for store in stores:
        if store.id == name:
            return store
    of_owner = [store for store in stores if store.owner == name]
    of_owner = [store for store in of_owner if store.used] or of_owner
    if len(of_owner) == 1:
        return of_owner[0]
    if of_owner:
        raise UsageError(
            _("{name} has several stores here; name one: {ids}").format(name=name, ids=_ids(of_owner)),
            code="several-stores",
        )
    known = _ids(stores) or _("none")
    raise UnknownIdError(_("no store {name} here; there is: {known}").format(name=name, known=known))


def choose_writable(used: Iterable[Store]) -> Store:
    """The only one of the used stores that can be written. Raises UsageError."""
    stores = [store for store in used if store.writable]
    if len(stores) == 1:
        return stores[0]
    if not stores:
        raise UsageError(_("no store here can be written; see `memtui where`"), code="no-store")
    raise UsageError(
        _("several stores are used here; name one with --store: {ids}").format(ids=_ids(stores)),
        code="several-stores",
    )


def _ids(stores: Iterable[Store]) -> str:
    return ", ".join(store.id for store in stores)
