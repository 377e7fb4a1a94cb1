"""`index`: how the search index stands, building and clearing it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.parser import Parser
from memtui.cli.summaries import INDEX_SUMMARIES, SUMMARIES
from memtui.core.library import IndexStatus, Library
from memtui.core.safety import display
from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.library import Progress

TELL_EVERY_S = 0.1


def _no_arguments(parser: Parser) -> None:
    """Nothing beside the common options."""


def index_document(status: IndexStatus) -> documents.Json:
    """What `--json` says of the index."""
    return {
        "state": status.state,
        "folder": status.folder or None,
        "sessions": status.sessions,
        "indexed": status.files,
        "behind_bytes": status.behind_bytes,
        "size_bytes": status.size_bytes,
        "why": status.why or None,
    }


def _status(call: Call) -> Answer:
    library = Library(call.env)
    return _answer(call, library.index_status(library.session_files()))


def _build(call: Call) -> Answer:
    library = Library(call.env)
    files = library.session_files()
    teller = _Teller() if sys.stderr is not None and sys.stderr.isatty() and not call.as_json else None
    try:
        progress = library.update_index(files, told=teller)
    finally:
        if teller is not None:
            teller.wipe()
    notes = []
    if progress.unreadable:
        said = ngettext("{count} file cannot be read", "{count} files cannot be read", progress.unreadable)
        notes.append(said.format(count=progress.unreadable))
    return _answer(call, library.index_status(files), tuple(notes))


def _clear(call: Call) -> Answer:
    was_there = Library(call.env).clear_index()
    said = _("the index is removed; `memtui index build` and the app make it again")
    return Answer(
        document=lambda: {"cleared": was_there},
        lines=lambda: [said if was_there else _("there is no index")],
    )


def _answer(call: Call, status: IndexStatus, notes: tuple[str, ...] = ()) -> Answer:
    return Answer(
        document=lambda: {"index": index_document(status)},
        lines=lambda: _lines(call, status),
        notes=notes,
    )


def _lines(call: Call, status: IndexStatus) -> Iterator[str]:
    if status.state == "off":
        yield _("no index: {why}; every search reads the files").format(why=status.why)
        return
    if status.state == "none":
        yield _("no index yet: every search reads the files; `memtui index build` makes one")
        return
    held = _("{files} of {sessions} sessions are indexed").format(files=status.files, sessions=status.sessions)
    yield held if status.state == "ready" else _("{held}; not all were read yet").format(held=held)
    if status.behind_bytes:
        behind = _("{size} were written since: a search reads them from the files")
        yield behind.format(size=plain.size(status.behind_bytes))
    folder = display.path(status.folder, home=call.env.home)
    yield _("{size} in {folder}, which may be deleted at any time").format(
        size=plain.size(status.size_bytes), folder=folder
    )


class _Teller:
    """One line on a terminal that says how far the building is, and how long it will take."""

    def __init__(self) -> None:
        self._began_at = self._told_at = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._told_at < TELL_EVERY_S or not progress.total_bytes:
            return
        self._told_at = now
        share = progress.done_bytes / progress.total_bytes
        left_s = (now - self._began_at) / share * (1 - share) if share > 0.02 else None
        phase = _("what was said") if progress.phase == "said" else _("what tools gave")
        said = _("{share}% indexed, now {phase}").format(share=int(share * 100), phase=phase)
        if left_s is not None:
            said = _("{said}, about {seconds} s left").format(said=said, seconds=int(left_s) + 1)
        sys.stderr.write(f"\r{said}\x1b[K")
        sys.stderr.flush()

    def wipe(self) -> None:
        """Take the line away."""
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


VERBS: Mapping[str, Verb] = {
    "index": Verb(SUMMARIES["index"], _no_arguments, _status),
    "index status": Verb(INDEX_SUMMARIES["status"], _no_arguments, _status),
    "index build": Verb(INDEX_SUMMARIES["build"], _no_arguments, _build),
    "index clear": Verb(INDEX_SUMMARIES["clear"], _no_arguments, _clear),
}
