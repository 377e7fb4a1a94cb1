"""The table of verbs: which module does each (imported when it is asked for)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memtui.cli.call import Verb


def load(name: str) -> Verb:
    """The verb of this name."""
    return _GROUPS[name]()[name]


def _looking() -> Mapping[str, Verb]:
    from memtui.cli.looking import VERBS

    return VERBS


def _checking() -> Mapping[str, Verb]:
    from memtui.cli.checking import VERBS

    return VERBS


def _comparing() -> Mapping[str, Verb]:
    from memtui.cli.comparing import VERBS

    return VERBS


def _searching() -> Mapping[str, Verb]:
    from memtui.cli.searching import VERBS

    return VERBS


def _indexing() -> Mapping[str, Verb]:
    from memtui.cli.indexing import VERBS

    return VERBS


def _session_changes() -> Mapping[str, Verb]:
    from memtui.cli.session_changes import VERBS

    return VERBS


def _changing() -> Mapping[str, Verb]:
    from memtui.cli.changing import VERBS

    return VERBS


def _moving() -> Mapping[str, Verb]:
    from memtui.cli.moving import VERBS

    return VERBS


def _adopting() -> Mapping[str, Verb]:
    from memtui.cli.adopting import VERBS

    return VERBS


def _joining() -> Mapping[str, Verb]:
    from memtui.cli.joining import VERBS

    return VERBS


def _mending() -> Mapping[str, Verb]:
    from memtui.cli.mending import VERBS

    return VERBS


def _purging() -> Mapping[str, Verb]:
    from memtui.cli.purging import VERBS

    return VERBS


def _going_back() -> Mapping[str, Verb]:
    from memtui.cli.going_back import VERBS

    return VERBS


def _others() -> Mapping[str, Verb]:
    from memtui.cli.others import VERBS

    return VERBS


def _demo() -> Mapping[str, Verb]:
    from memtui.cli.demo import VERBS

    return VERBS


_GROUPS: Mapping[str, Callable[[], Mapping[str, Verb]]] = {
    **dict.fromkeys(("where", "list", "show"), _looking),
    **dict.fromkeys(("check", "status"), _checking),
    "duplicates": _comparing,
    **dict.fromkeys(("search", "sessions"), _searching),
    **dict.fromkeys(("index", "index status", "index build", "index clear"), _indexing),
    **dict.fromkeys(("sessions rename", "sessions delete", "sessions archive"), _session_changes),
    **dict.fromkeys(("add", "set", "rename", "delete"), _changing),
    **dict.fromkeys(("move", "place", "retype"), _moving),
    "adopt": _adopting,
    **dict.fromkeys(("merge", "split"), _joining),
    **dict.fromkeys(("repair", "backups"), _mending),
    **dict.fromkeys(("redact", "purge"), _purging),
    **dict.fromkeys(("undo", "redo", "history"), _going_back),
    **dict.fromkeys(("changes", "restore"), _others),
    "demo": _demo,
}
