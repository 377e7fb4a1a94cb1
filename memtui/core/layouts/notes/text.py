"""One note as bytes: what the owner reads of it, what it writes, the name of its file (topics sheet 9.2)."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection, Mapping
from datetime import UTC, datetime

from memtui.core.errors import RefusedError
from memtui.core.layouts.notes.rules import NOTE_TYPES
from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS, cut_units
from memtui.core.text.links import SUFFIX
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

OPENING = "---\n"
CLOSING = "\n---"
KEYS = ("name", "description", "type", "created", "modified")
MOST_NAME_BYTES = 100

_FIELD = re.compile(r"([A-Za-z_][\w-]*):[ \t]*(.*)")
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f-\x9f]')
_BLANKS = re.compile(f"[{JS_BLANKS}]+")
_MARK = re.compile(r"\s*(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)?")
_SENTENCE = re.compile(r".*?[.!?\u3002\uff01\uff1f](?=\s|$)|.*", re.DOTALL)
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Note:
    """A note as read: its fields, the byte where its body begins, and why the owner does not see it ('')."""

    data: bytes
    fields: Mapping[str, str]
    body_start: int
    hidden_because: str

    @property
    def body(self) -> str:
        """What is behind the frontmatter, trimmed as the owner trims it."""
        return documents.decode(self.data[self.body_start :]).strip(JS_BLANKS)


def parse_note(data: bytes) -> Note:
    """The parts of a note. Never raises."""
    text = documents.decode(data)
    end = text.find(CLOSING, len(OPENING) - 1)
    if not text.startswith(OPENING) or end < 0:
        return Note(data, {}, 0, _("it does not begin with a frontmatter"))
    fields: dict[str, str] = {}
    for line in text[len(OPENING) : max(end, len(OPENING))].split("\n"):
        match = _FIELD.fullmatch(line)
        if match is not None:
            fields.setdefault(match[1], match[2].strip(JS_BLANKS))
    after = text.find("\n", end + len(CLOSING))
    rest = len(text) if after < 0 else after + 1
    if text.startswith("\n", rest):
        rest += 1
    return Note(data, fields, len(documents.encode(text[:rest])), _hidden_because(fields))


def _hidden_because(fields: Mapping[str, str]) -> str:
    missing = [key for key in ("name", "created", "modified") if not fields.get(key)]
    if missing:
        return _("its frontmatter has no {fields}").format(fields=", ".join(missing))
    if fields.get("type") not in NOTE_TYPES:
        return _("its frontmatter has no type that the owner knows")
    if "description" not in fields:
        return _("its frontmatter has no description, not even an empty one")
    return ""


def format_note(fields: Mapping[str, str], body: str) -> bytes:
    """A note as the owner writes it: five fields, then the trimmed body."""
    head = "".join(f"{key}: {fields.get(key, '')}".rstrip(" ") + "\n" for key in KEYS)
    text = body.strip(JS_BLANKS)
    return documents.encode(f"{OPENING}{head}---\n" + (f"\n{text}\n" if text else ""))


def with_fields(note: Note, changes: Mapping[str, str]) -> bytes:
    """A note with other values for fields that it has; everything else stays byte for byte."""
    text = documents.decode(note.data)
    end = text.find(CLOSING, len(OPENING) - 1)
    lines = text[len(OPENING) : end].split("\n")
    for key, value in changes.items():
        for number, line in enumerate(lines):
            match = _FIELD.fullmatch(line)
            if match is not None and match[1] == key:
                lines[number] = f"{key}: {value}".rstrip(" ")
                break
    return documents.encode(OPENING + "\n".join(lines) + text[end:])


def with_body(note: Note, body: bytes) -> bytes:
    """A note with another body, trimmed, with one line end at its end."""
    head = note.data[: note.body_start].rstrip(b"\n") + b"\n"
    text = documents.decode(body).strip(JS_BLANKS)
    return head + (documents.encode(f"\n{text}\n") if text else b"")


def moment(now: datetime | None) -> tuple[str, str]:
    """The day and the moment that the owner stamps (`created`, `modified`), in UTC."""
    when = (now or datetime.fromtimestamp(0, UTC)).astimezone(UTC)
    return when.date().isoformat(), when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def described(body: str, name: str, most_units: int) -> str:
    """The description that the owner makes: the first sentence of the body, else the name."""
    for line in body.split("\n"):
        words = _MARK.sub("", line, count=1).strip(JS_BLANKS)
        if words:
            sentence = _SENTENCE.match(words)
            first = sentence[0].strip(JS_BLANKS) if sentence is not None else words
            cut = cut_units(first, most_units)
            return first if cut == first else cut_units(first, most_units - 1) + "\u2026"
    return name


def file_name(name: str, taken: Collection[str]) -> str:
    """The file of a note by its name; `taken` are the names that are in use, the index's own included."""
    stem = _BLANKS.sub("-", _UNSAFE.sub("_", name).strip(JS_BLANKS + "."))
    stem = _cut_bytes(stem, MOST_NAME_BYTES)
    if _DEVICE.fullmatch(stem):
        stem = f"_{stem}"
    if not stem:
        stem = "entry-" + hashlib.sha256(documents.encode(name)).hexdigest()[:8]
    used = {_key(path) for path in taken}
    number, found = 1, stem + SUFFIX
    while _key(found) in used:
        number += 1
        found = f"{stem}-{number}{SUFFIX}"
    return found


def _cut_bytes(text: str, most: int) -> str:
    size = 0
    for position, char in enumerate(text):
        size += len(documents.encode(char))
        if size > most:
            return text[:position]
    return text


def _key(path: str) -> str:
    # two spellings of one name would be one file on some systems
    return unicodedata.normalize("NFC", path).casefold()


def require_name(name: str) -> None:
    """Raises RefusedError for a name that the owner would not take, or could not read back."""
    if not name.strip(JS_BLANKS):
        raise RefusedError(_("a memory needs a title"))
    if "\n" in name or "\r" in name:
        raise RefusedError(_("a title is one line"))
    if "](" in name:
        raise RefusedError(_("a name with ]( in it would break its line of the index"))


def require_line(text: str, what: str) -> None:
    """Raises RefusedError for a value of more than one line."""
    if "\n" in text or "\r" in text:
        raise RefusedError(_("{field} is one line").format(field=what))
