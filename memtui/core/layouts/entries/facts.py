"""What is to be known of an entries store beside its entries: backups, and when its owner tidied it last.

Rules: entries sheet 5 (backups), 7 (`dreaming-state.json`; other fields than the two are not known).
"""

from __future__ import annotations

import json

from memtui.core.layouts.base import Snapshot, StoreFact
from memtui.core.layouts.entries.backups import backups, only_in_backups
from memtui.i18n import _, ngettext

STATE_NAME = "dreaming-state.json"


def facts(snapshot: Snapshot) -> tuple[StoreFact, ...]:
    """What is known of backups and of the last consolidation; () where there is neither."""
    found = []
    count = len(backups(snapshot))
    if count:
        only = len(only_in_backups(snapshot))
        sentence = ngettext("{count} backup", "{count} backups", count).format(count=count)
        if only:
            text = ngettext(
                "{backups}; only in them: {only} text", "{backups}; only in them: {only} texts", only
            )
            sentence = text.format(backups=sentence, only=only)
        found.append(StoreFact(_("backups"), sentence))
    state = snapshot.files.get(STATE_NAME)
    if state is not None and state.data is not None:
        found.append(StoreFact(_("dreaming"), _dreaming(state.data)))
    return tuple(found)


def _dreaming(data: bytes) -> str:
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        return _("{file} cannot be read: the owner takes it that it never tidied up").format(file=STATE_NAME)
    last, turns = values.get("lastConsolidatedAt"), values.get("lastSessionCount")
    if not isinstance(last, str):
        return _("the owner has never tidied up")
    if isinstance(turns, int):
        return _("last tidied up {when}, after {turns:,} turns").format(when=last, turns=turns)
    return _("last tidied up {when}").format(when=last)
