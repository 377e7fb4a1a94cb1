"""The bytes of topic files as the owner's program writes them (topics sheet 3.1, 3.2 and 6). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Snapshot
from memtui.core.layouts.topics.reading import (
    HEADING,
    RULE,
    Section,
    Topic,
    owner_titles,
    parse_topic,
)
from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS, cut_units
from memtui.i18n import _
from memtui.late import re

_LINE_END = re.compile(r"[\r\n]")


def day_of(snapshot: Snapshot) -> str:
    """The day that is written as `updated`, in UTC as the owner does it."""
    now = snapshot.store.read_at
    return "1970-01-01" if now is None else now.astimezone(UTC).date().isoformat()


def hook_of(titles: Sequence[str], most_units: int) -> str:
    """The titles of a topic in one line, at most so many UTF-16 units; a character is never split."""
    return cut_units("; ".join(titles), most_units)


def new_topic(name: str, title: str, body: str, kind: str, day: str) -> bytes:
    """A topic file with its first entry."""
    return documents.encode(
        f"---\nname: {name}\ndescription: {title}\ntype: {kind}\nupdated: {day}\n---\n\n## {title}\n\n{body}\n"
    )


def append_section(data: bytes, title: str, body: str) -> bytes:
    """A topic file with one more entry at its end."""
    text = documents.decode(data).rstrip(JS_BLANKS)
    return documents.encode(f"{text}\n\n## {title}\n\n{body}\n")


def cut_section(topic: Topic, section: Section) -> bytes:
    """A topic file without an entry; the blank lines around its neighbours stay, a last line end too."""
    before, after = topic.data[: section.start], topic.data[section.end :]
    return before + after if after else before.rstrip(b"\n") + b"\n"


def as_section(text: bytes, *, is_last: bool) -> bytes:
    """The text of an entry with the line ends that stand behind it in a topic file."""
    return text.rstrip(b"\n") + (b"\n" if is_last else b"\n\n")


def set_front_field(topic: Topic, field: str, value: str) -> bytes:
    """A topic file with another value for a field that its frontmatter has; without one it stays as it is."""
    if not topic.fields.get(field):
        return topic.data
    front = documents.decode(topic.data[: topic.front_end])
    pattern = re.compile(rf"^({re.escape(field)}:[ \t]*)\S.*$", re.MULTILINE)
    front = pattern.sub(lambda found: found[1] + value, front, count=1)
    return documents.encode(front) + topic.data[topic.front_end :]


# What cannot be written so that the owner reads it back


def require_title(title: str) -> None:
    """Raises RefusedError for a title that would not be one line of text."""
    if not title.strip(JS_BLANKS):
        raise RefusedError(_("a memory needs a title"))
    if _LINE_END.search(title):
        raise RefusedError(_("a title is one line"))
    bad_at = documents.parse(documents.encode(title)).bad_utf8_at
    if bad_at is not None:
        raise RefusedError(_("the title is not UTF-8"))


def require_body(body: str) -> None:
    """Raises RefusedError for a text that the owner would take apart."""
    for line in body.split("\n"):
        if line == RULE.decode():
            raise RefusedError(_("a line --- in the text would hide every entry behind it from the owner"))
        if line.startswith(HEADING.decode()) and len(line) > len(HEADING):
            message = _("the line {line} would be an entry of its own to the owner; ### is not")
            raise RefusedError(message.format(line=line))
    if "\r" in body:
        raise RefusedError(_("the text has carriage returns: the owner would not see its entries"))


def require_one_section(text: bytes) -> None:
    """Raises RefusedError for a text that is not exactly one entry, to people and to the owner."""
    topic = parse_topic(text)
    if not topic.sections or topic.sections[0].start:
        raise RefusedError(_("an entry begins with its heading: ## and a title"))
    if len(topic.sections) > 1 or len(owner_titles(text)) > 1:
        raise RefusedError(_("a line that begins with ## would be an entry of its own; ### is not"))
    if any(line == RULE for line in text.split(b"\n")):
        raise RefusedError(_("a line --- in the text would hide every entry behind it from the owner"))
    if topic.has_crlf or b"\r" in text:
        raise RefusedError(_("the text has carriage returns: the owner would not see its entries"))
