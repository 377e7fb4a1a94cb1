"""What a memory becomes in another store: title, type, description and text in that store's own form.

No text is lost: what has no place of its own there becomes a line of the text. What is no text (a type, a
date, a line of the index) and has no place is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Layout, Memory, Snapshot, Store
from memtui.core.layouts.edit_kinds import Original
from memtui.core.operations.phrases import DESCRIPTION_CHARACTERS, as_title, first_line, short, unless_said
from memtui.core.text import document as documents
from memtui.core.text.blocks import Blocks
from memtui.core.text.links import SUFFIX, one_line
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass, replace

_DATES = ("created", "modified", "updated")
_UNFIT_FOR_A_NAME = re.compile(r"[^\w.-]+")
_HEADING = "## "


@dataclass(frozen=True, slots=True)
class Form:
    """What a layout has a place for.

    `title`, `description`, `hook`: a memory has one apart from its text. `topics`: it lies in a topic that
    holds several. `describes`: the owner makes a description of the text itself. `parts_at_headings`: a line
    that begins with `## ` would be a memory of its own. `files`: a memory is a file, which another store of the
    same layout takes as it is.
    """

    title: bool = True
    description: bool = True
    hook: bool = False
    topics: bool = False
    describes: bool = False
    parts_at_headings: bool = False
    files: bool = False


FORMS = {
    "facts": Form(hook=True, files=True),
    "topics": Form(description=False, topics=True, parts_at_headings=True),
    "notes": Form(describes=True, files=True),
    "entries": Form(title=False, description=False),
    "events": Form(description=False),
}
"""By the name of the layout."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a person wants memories to stand in the other store; empty = as its layout does by itself."""

    topic: str = ""
    group: str = ""
    insists: bool = False


def carried(
    layout: Layout, source: Snapshot, memory: Memory, target: Store, wish: Wish
) -> tuple[Add, tuple[str, ...]]:
    """A memory as a new one for another store, and sentences about what does not go with it.

    Raises RefusedError for what has no text, or is not UTF-8.
    """
    return _Carrier(layout, source, memory, target, wish).carry()


def in_words(layout: Layout, source: Snapshot, memory: Memory, target: Store) -> Add:
    """What a memory says, in the parts that the other store has for it: never the file as it is.

    Raises as `carried`.
    """
    edit, _not_kept = _Carrier(layout, source, memory, target, Wish()).carry_words()
    return edit


def together(edits: Sequence[Add]) -> tuple[Add, ...]:
    """The same edits; files that are taken as they are in one go: no store of many is read anew after each."""
    if not edits or any(edit.original is None for edit in edits):
        return tuple(edits)
    return (replace(edits[0], also=tuple(edits[1:])),)


class _Carrier:
    def __init__(self, layout: Layout, source: Snapshot, memory: Memory, target: Store, wish: Wish) -> None:
        self._source = source
        self._memory = memory
        self._target = target
        self._wish = wish
        self._from = FORMS[source.store.layout]
        self._to = FORMS[target.layout]
        self._notes: list[str] = []
        self._body = self._text(layout)

    def carry(self) -> tuple[Add, tuple[str, ...]]:
        if self._to.files and self._source.store.layout == self._target.layout:
            return self._as_it_is(), ()
        return self.carry_words()

    def carry_words(self) -> tuple[Add, tuple[str, ...]]:
        title = self._title()
        description = self._description(title)
        kind = self._type()
        hook = self._hook(description)
        self._name_what_stays()
        if not self._to.title:
            title = self._unless_said(title)
        edit = Add(
            title=title,
            description=description,
            type=kind,
            body=self._body,
            hook=hook,
            topic=self._topic(title),
            group=self._group(),
            insists=self._wish.insists,
        )
        return edit, tuple(self._notes)

    def _as_it_is(self) -> Add:
        memory, file = self._memory, self._source.files[self._memory.file]
        return Add(
            title=one_line(memory.title),
            description=memory.description,
            hook=memory.hook,
            original=Original(file.path, file.data or b"", file.mode),
        )

    # Texts

    def _text(self, layout: Layout) -> str:
        memory = self._memory
        text = layout.text(self._source, memory.id) if memory.state == "ok" else None
        if text is None:
            raise RefusedError(_("{title} has no text that could be carried over").format(title=memory.title))
        body = documents.decode(text.body if self._from.title else text.text).removeprefix("\ufeff")
        for part in (body, memory.title, memory.description, memory.hook or ""):
            bad_at = documents.parse(documents.encode(part)).bad_utf8_at
            if bad_at is not None:
                raise RefusedError(_("{file} is not UTF-8: convert it first").format(file=memory.file))
        if "\r" in body:
            body = body.replace("\r\n", "\n").replace("\r", "\n")
            self._say(_("its line ends become LF"))
        body = body.strip("\n")
        return self._without_parting_headings(body) if self._to.parts_at_headings else body

    def _without_parting_headings(self, body: str) -> str:
        document = documents.parse(documents.encode(body))
        lines = [
            line for line, _masked in Blocks(document.lines).text_lines() if line.text.startswith(_HEADING)
        ]
        if not lines:
            return body
        self._say(
            _("its headings ## become ###, because {owner} would take each for a memory").format(
                owner=self._target.owner
            )
        )
        splices = [documents.Splice(line.start, line.start, b"#") for line in lines]
        return documents.decode(documents.splice(document.raw, splices))

    def _title(self) -> str:
        if self._from.title:
            return one_line(self._memory.title)
        return as_title(self._first_line())

    def _first_line(self) -> str:
        return first_line(self._body) or one_line(self._memory.title)

    def _description(self, title: str) -> str:
        memory = self._memory
        description = one_line(memory.description)
        if not description and self._from.hook:
            description = one_line(memory.hook or "")
        if self._to.description:
            if description or self._to.describes:
                return description
            return short(self._first_line(), DESCRIPTION_CHARACTERS) if self._body else title
        description = self._unless_said(description)
        if description and self._to.title:
            self._body = f"{description}\n\n{self._body}".rstrip("\n")
            self._say(_("its description becomes the first line of its text"))
            return ""
        return description

    def _unless_said(self, line: str) -> str:
        return unless_said(line, self._body)

    # The rest

    def _type(self) -> str:
        kind = self._memory.type or self._group_of_source()
        if kind in self._target.profile.types:
            return kind
        if self._memory.type and self._memory.type not in self._groups():
            self._say(_("type {type} is not kept by {owner}").format(type=kind, owner=self._target.owner))
        return ""

    def _hook(self, description: str) -> str | None:
        hook = one_line(self._memory.hook or "") if self._from.hook else ""
        if not hook or hook in (description, one_line(self._memory.description)):
            return None
        if self._to.hook:
            return hook
        if one_line(hook).casefold() not in one_line(f"{description} {self._body}").casefold():
            self._say(_("index line hook “{hook}” is not kept").format(hook=hook))
        return None

    def _name_what_stays(self) -> None:
        memory, profile = self._memory, self._source.store.profile
        dates = [key for key in profile.stamp if key in _DATES]
        if dates:
            self._say(_("its date ({fields}) is not kept").format(fields=", ".join(dates)))
        if self._from.topics and not self._to.topics:
            self._say(_("its topic {topic} is not kept").format(topic=memory.group))
        block = self._source.frontmatters.get(memory.file) if memory.span is None else None
        known = {*profile.stamp, "type", "metadata"}
        fields = () if block is None else (item for item in block.fields if item.style != "map")
        others = dict.fromkeys(".".join(item.path) for item in fields if ".".join(item.path) not in known)
        if others:
            self._say(_("fields of its frontmatter are not kept: {fields}").format(fields=", ".join(others)))

    def _group_of_source(self) -> str:
        return "" if self._from.title else self._memory.group

    def _groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(limit.group for limit in self._target.profile.limits if limit.group))

    def _group(self) -> str:
        if self._wish.group or self._to.title:
            return self._wish.group
        # a group that is called like the type says the same: USER.md holds what is of type user
        kind = self._memory.type or self._group_of_source()
        return kind if kind in self._groups() else ""

    def _topic(self, title: str) -> str | None:
        if not self._to.topics or self._wish.topic or self._wish.group:
            return self._wish.topic or None
        if self._from.topics:
            return self._memory.group
        if self._from.title and self._memory.span is None:
            return self._memory.file.rpartition("/")[2].removesuffix(SUFFIX)
        name = _UNFIT_FOR_A_NAME.sub("-", title).strip("-.")
        return re.sub(r"\.{2,}", ".", name) or _("moved")

    def _say(self, sentence: str) -> None:
        self._notes.append(sentence)
