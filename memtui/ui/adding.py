"""A new memory, asked for line by line: its place, its title, one line about it. Where a message is to be
remembered, its text is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass
from memtui.ui.asking import keyed, why_not_index
from memtui.ui.metering import Metering
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import StoreView

TITLE_WORDS, TITLE_CHARACTERS = 8, 50
"""How much of a message is proposed as the title."""

MARKUP = "#>*-_`~ \t"
"""What Markdown puts before words that are a title without it."""


@dataclass(frozen=True, slots=True)
class New:
    """What is to be added: to `snapshot`, which a person knows as `place`, in a group ('' = there are none).

    `body` is the text that it gets, '' = none yet; `title` what is proposed; `saved` what is said of the place
    afterwards.
    """

    snapshot: Snapshot
    place: str
    group: str = ""
    title: str = ""
    body: str = ""
    saved: str = ""

    def edits(self, title: str, description: str = "") -> tuple[Edit, ...]:
        """What adding it means."""
        from memtui.core.layouts.base import Add

        if not title.strip():
            return ()
        return (Add(title.strip(), description.strip(), body=self.body, group=self.group),)

    @property
    def is_complete(self) -> bool:
        """Whether nothing but its title is asked: a text in a file of several needs no line about it."""
        profile = self.snapshot.store.profile
        return bool(self.body) and bool(profile.groups or profile.names_groups)


class Adding:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._metering = Metering(desk, changing)
        self._last_topics: dict[str, str] = {}

    def add(self) -> None:
        """Ask for the group or topic where there are such, for a title, and one line about it; then make it."""
        self._begin(self._desk.store)

    def remember(self) -> None:
        """The same with the message under the cursor, or what is selected, as its text."""
        desk, session, offset = self._desk, self._desk.session, self._desk.message_offset
        if session is None or offset is None:
            desk.say(_("there is no message under the cursor"), "muted")
            return
        selected = desk.app.screen.get_selected_text() if desk.app.navigation.active == "topic" else None

        def job(workspace: Workspace) -> str:
            return unshown(selected) if selected else said_in(desk, session, offset)

        def then(body: str) -> None:
            if not body.strip():
                desk.say(_("nothing was said in this message: there is no text to remember"), "warn")
            elif not desk.is_asking:
                self._begin(store_for(desk, session), body)

        desk.work.do(job, then, failed=desk.say_error)

    def _begin(self, store: StoreView | None, body: str = "") -> None:
        desk = self._desk
        if store is None:
            desk.say(_("no store is used here; w shows them all"), "warn")
            return
        snapshot = store.snapshot
        why_not = why_not_index(snapshot)
        if why_not:
            desk.say(why_not, "warn")
            return
        profile, item = snapshot.store.profile, desk.item
        here = "" if item is None else item.memory.group
        new = New(snapshot, store.name, title=first_words(body), body=body)
        if body:
            new = dataclasses.replace(new, saved=self._saved_in(new))
        if profile.groups:
            self._ask_group(new, profile.groups)
        elif profile.names_groups:
            self._ask_topic(new, self._last_topics.get(snapshot.store.id) or here)
        else:
            self._ask_title(new)

    def _saved_in(self, new: New) -> str:
        from memtui.core.safety import display

        root = display.path(new.snapshot.store.root, home=self._desk.app.env.home)
        return _("saved in {store}, {directory}").format(store=new.place, directory=root)

    def _ask_group(self, new: New, groups: tuple[str, ...]) -> None:
        words = keyed(groups)

        def answered(key: str) -> None:
            if key:
                group = words[key]
                self._ask_title(dataclasses.replace(new, group=group, place=f"{new.place} · {group}"))

        text = _("Add to which group of {store}?")
        choices = [Choice(letter, group) for letter, group in words.items()]
        self._desk.ask_bar.ask(text.format(store=new.place), choices, answered, opener="a")

    def _ask_topic(self, new: New, first: str) -> None:
        from memtui.ui.topics import topics_of

        snapshot = new.snapshot
        known = topics_of(snapshot, first)

        def typed(topic: str | None) -> None:
            if topic is None:
                return
            topic = topic.strip()
            if topic:
                self._last_topics[snapshot.store.id] = topic
            self._ask_title(dataclasses.replace(new, group=topic, place=f"{new.place} · {topic}"))

        label = _("new in {store}, topic").format(store=new.place)
        value = known[0] if known else ""
        self._desk.line_input.ask(label, typed, value=value, suggestions=known, offers=True)

    def _ask_title(self, new: New) -> None:
        def titled(title: str) -> None:
            if title.strip():
                self._describe(new, title.strip())
            else:
                self._desk.say(_("nothing was added"), "muted")

        label = _("new in {store}, title") if new.is_complete else _("new in {store}, 1 of 2, title")
        self._metering.ask(
            label.format(store=new.place),
            new.snapshot,
            "add",
            new.edits,
            value=new.title,
            then=None if new.is_complete else titled,
            group=new.group,
            done=new.saved,
        )

    def _describe(self, new: New, title: str) -> None:
        label = _("new in {store}, 2 of 2, one line about “{title}”").format(store=new.place, title=title)
        self._metering.ask(
            label,
            new.snapshot,
            "add",
            lambda text: new.edits(title, text),
            group=new.group,
            done=new.saved,
        )


def store_for(desk: Desk, session: Session) -> StoreView | None:
    """The store for what was said in a session: the one under the cursor, unless the session's agent reads
    others only; then the first of these."""
    here, view = desk.store, desk.view
    if here is None or view is None or here.snapshot.store.profile.is_read_in(session.agent):
        return here
    others = (store for store in view.stores if store.snapshot.store.profile.is_read_in(session.agent))
    return next((store for store in others if not why_not_index(store.snapshot)), here)


def first_words(body: str) -> str:
    """The first words of a text, as a title that a person may go on from."""
    from memtui.core.safety.secrets import masked

    line = next((row for row in (row.lstrip(MARKUP) for row in masked(body).splitlines()) if row), "")
    shown = ("".join(sign for sign in word if sign.isprintable()) for word in line.split())
    words = [word for word in shown if word][:TITLE_WORDS]
    while len(words) > 1 and len(" ".join(words)) > TITLE_CHARACTERS:
        words.pop()
    return " ".join(words)[:TITLE_CHARACTERS].rstrip(" .,;:!?")


def said_in(desk: Desk, session: Session, offset: int) -> str:
    """What was said in a message, without thinking and tools. On the work thread. Raises StorageError."""
    from memtui.core.library import Library

    transcript = Library(desk.app.env).transcript(session.file, offset)
    position = transcript.position_of(offset)
    text = "" if position is None else transcript.message(position).text
    # half a character, as JSON can name it, stands in no file
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def unshown(selected: str) -> str:
    """Selected lines of a session without what stands before a message's text on the screen."""
    from memtui.ui.transcript_lines import OTHER_BRANCH

    return "\n".join(row.removeprefix(OTHER_BRANCH).removeprefix("  ") for row in selected.split("\n"))
