"""From a memory to the session that it came from, and from a session to its memories. Each returns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui.seeking import Cancelled, Errand

if TYPE_CHECKING:
    from memtui.core.library import Origin
    from memtui.ui.desk import Desk

HOW = {
    "written": _("“{title}” was written by this call of {tool}"),
    "noted": _("“{title}” is from this session (its id is noted in the memory)"),
    "closest": _("nothing says who wrote “{title}”: this is the closest text"),
}
"""What is said of an origin, by how sure it is."""

TITLE_SHOWN = 40


class Origins:
    """One method a command."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def origin(self) -> None:
        """To the call that wrote the memory under the cursor, else its session, else the closest text."""
        desk, item, view = self._desk, self._desk.item, self._desk.view
        if item is None or view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        snapshot, memory, title = view.stores[item.store].snapshot, item.memory, item.title[:TITLE_SHOWN]
        env, sessions, comes_from = desk.app.env, desk.searching.sessions, desk.app.navigation.active

        def job(cancelled: Cancelled) -> tuple[Origin | None, str]:
            from memtui.core.library import Library
            from memtui.core.safety import display

            library = Library(env)
            found = library.origin(snapshot, memory, sessions, cancelled)
            return found, display.line(library.noted_session(snapshot, memory))

        def then(found: tuple[Origin | None, str]) -> None:
            from memtui.core.safety import display

            origin, noted = found
            if origin is None:
                nowhere = _("no session here tells of “{title}”").format(title=title)
                elsewhere = _("“{title}” is from the session {id}, which is not among those that memtui reads")
                desk.say(elsewhere.format(title=title, id=noted) if noted else nowhere, "muted")
                return
            self._show(origin)
            desk.app.navigation.open_topic_from("index" if comes_from == "topic" else comes_from)
            said = HOW[origin.how].format(title=title, tool=display.line(origin.tool))
            desk.say(said, "note" if origin.how == "closest" else "good")

        self._seek(
            _("looking for where “{title}” came from …").format(title=title), Errand(job, then, desk.say_error)
        )

    def _show(self, origin: Origin) -> None:
        from memtui.core.library import parse

        query = parse(origin.typed) if origin.typed else None
        offsets = (origin.offset,) if query is not None and origin.offset is not None else ()
        self._desk.reading.open_session(origin.session, origin.offset, query, offsets)

    def memories_from(self) -> None:
        """To the memories that came from the session under the cursor: to the one, else to a list of them."""
        desk, session, view = self._desk, self._desk.session, self._desk.view
        if session is None or view is None:
            desk.say(_("there is no session under the cursor"), "muted")
            return
        env, snapshots = desk.app.env, [store.snapshot for store in view.stores]

        def job(cancelled: Cancelled) -> tuple[tuple[str, str], ...]:
            from memtui.core.library import Library

            return Library(env).memories_from(session, snapshots, cancelled)

        def then(found: tuple[tuple[str, str], ...]) -> None:
            from memtui.ui.view import row_id_of

            rows = [row_id for pair in found if (row_id := row_id_of(*pair)) in self._rows]
            if not rows:
                desk.say(_("no memory here came from this session"), "muted")
                return
            desk.app.navigation.activate("index")
            if len(rows) > 1:
                desk.listing.show_only(rows, _("from this session"))
            desk.go_to_memory(rows[0])
            said = ngettext(
                "this memory came from the session",
                "{count} memories came from the session; h shows all again",
                len(rows),
            )
            desk.say(said.format(count=len(rows)), "good")

        self._seek(_("looking for the memories of this session …"), Errand(job, then, desk.say_error))

    @property
    def _rows(self) -> frozenset[str]:
        view = self._desk.view
        return frozenset() if view is None else frozenset(view.items)

    def _seek(self, said: str, errand: Errand) -> None:
        self._desk.say(f"{said} " + _("(any key stops it)"), "muted")
        self._desk.seeker.seek(errand)
