"""Lines of an index that come back: at their old place beside what is left, in the style the index has now.

Pure. A line that names one memory alone comes back as it was; where the index is written in another style by
now, or the line named others too, it is made anew in that style.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Memory, Snapshot, StoredFile
from memtui.core.text import document as documents
from memtui.core.text.document import Document
from memtui.core.text.index_edits import style_of
from memtui.core.text.index_lines import IndexLine
from memtui.core.text.index_lines import parse as parse_index
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

_Line = tuple[str, bytes]
"""A line's text and its line end, b'' for a line that has none yet."""


@dataclass(frozen=True, slots=True)
class LinesBack:
    """A memory whose lines are to be as they were: as it `was`, and as it is `now` (None = it is not there)."""

    was: Memory
    now: Memory | None


@dataclass(frozen=True, slots=True)
class Back:
    """The index with lines as they were; None where it has them already. `refused` says by the ids of memories
    why the lines of these are left as they are."""

    data: bytes | None
    refused: Mapping[str, str]


def with_lines_back(before: Snapshot, now: Snapshot, wanted: Iterable[LinesBack]) -> Back:
    """The index of `now` with the lines that these memories had in `before`."""
    wanted = tuple(wanted)
    try:
        return _Lines(before, now).back(wanted)
    except RefusedError as error:
        return Back(None, {item.was.id: error.message for item in wanted})


def with_prose_back(before: Snapshot, now: Snapshot, files: set[str]) -> bytes:
    """The index of `now` with those of its lines as they were that name none of these files."""
    was, is_now = _document(before), _document(now)
    old, new = _lines_of(was), _lines_of(is_now)
    kept_old, kept_new = _naming(before, files), _naming(now, files)
    lines: list[_Line] = []
    texts = [[text for text, _eol in side] for side in (old, new)]
    matcher = difflib.SequenceMatcher(None, texts[0], texts[1], autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            lines += new[new_start:new_end]
            continue
        lines += [(old[at][0], b"") for at in range(old_start, old_end) if at + 1 not in kept_old]
        lines += [new[at] for at in range(new_start, new_end) if at + 1 in kept_new]
    return _joined(lines, is_now)


class _Lines:
    def __init__(self, before: Snapshot, now: Snapshot) -> None:
        self._file = index_of(now)
        self._old = _document(before)
        self._new = _document(now) if self._file.kind == "file" else _prose(before)
        self._old_lines = {line.number: line for line in parse_index(self._old).lines}
        index = parse_index(self._new)
        self._new_lines = {line.number: line for line in index.lines}
        self._style = style_of(index)
        self._styles = {(line.bullet, line.indent) for line in index.lines if line.is_entry}
        self._lines: list[_Line | None] = [*_lines_of(self._new)]
        self._targets = [_target(self._new_lines.get(line.number)) for line in self._new.lines]

    def back(self, wanted: Sequence[LinesBack]) -> Back:
        missing: list[tuple[int, str]] = []
        refused: dict[str, str] = {}
        for item in wanted:
            try:
                missing += self._set_right(item)
            except RefusedError as error:
                refused[item.was.id] = error.message
        for number, text in sorted(missing):
            at = self._place(number)
            self._lines.insert(at, (text, b""))
            self._targets.insert(at, _target(self._old_lines.get(number)))
        if not missing and self._lines == _lines_of(self._new):
            return Back(None if self._file.kind == "file" or not wanted else self._new.raw, refused)
        return Back(_joined([line for line in self._lines if line is not None], self._new), refused)

    def _set_right(self, item: LinesBack) -> list[tuple[int, str]]:
        """Give a memory's lines their old text where they stand; those that are gone, by their old number."""
        old = [(number, self._text_back(item.was, number)) for number in item.was.index_lines]
        there = [] if item.now is None else list(item.now.index_lines)
        texts = [self._new.lines[number - 1].text for number in there]
        if sorted(text for _number, text in old) == sorted(texts):
            return []
        for number in there:
            self._require_own_line(item.was, number)
        for number, (_old_number, text) in zip(there, old, strict=False):
            self._lines[number - 1] = (text, self._new.lines[number - 1].eol)
        for number in there[len(old) :]:
            self._lines[number - 1] = None
        return old[len(there) :]

    def _text_back(self, memory: Memory, number: int) -> str:
        text = self._old.lines[number - 1].text
        line = self._old_lines.get(number)
        if line is None:
            return text
        if not line.is_entry:
            if any(known is not None and known[0] == text for known in self._lines):
                return text
            raise RefusedError(
                _("line {line} of {index} named {title} in a sentence: put it back by hand").format(
                    line=number, index=self._file.path, title=memory.title
                )
            )
        is_in_style = not self._styles or (line.bullet, line.indent) in self._styles
        if len(line.links) == 1 and is_in_style:
            return text
        titles = [link.title for link in line.links]
        title = memory.title if memory.title in titles else titles[0]
        return self._style.line(title, memory.file, memory.hook or "")

    def _require_own_line(self, memory: Memory, number: int) -> None:
        line = self._new_lines.get(number)
        if line is not None and (len(line.links) > 1 or not line.is_entry):
            raise RefusedError(
                _("line {line} of {index} names {title} among other things: put it back by hand").format(
                    line=number, index=self._file.path, title=memory.title
                )
            )

    def _place(self, number: int) -> int:
        """Where the old line of this number belongs now: beside the nearest entry that is left, else below
        the nearest line that is, else at the end."""
        targets = {target: at for at, target in reversed([*enumerate(self._targets)]) if target}
        for place in self._beside(number):
            target = _target(self._old_lines.get(place))
            if target in targets:
                return targets[target] + (place < number)
        texts = [None if line is None else line[0] for line in self._lines]
        for place in self._beside(number):
            text = self._old.lines[place - 1].text
            if text.strip() and text in texts:
                at = texts.index(text)
                return _below(texts, at + 1) if place < number else at
        return len(self._lines)

    def _beside(self, number: int) -> Iterator[int]:
        """The old lines around this one, the nearest first."""
        count = len(self._old.lines)
        for away in range(1, count + 1):
            yield from (place for place in (number - away, number + away) if 0 < place <= count)


def _below(texts: Sequence[str | None], at: int) -> int:
    """A heading and its first line are parted as they were everywhere: by the blank lines that are there."""
    while at < len(texts) and not (texts[at] or "").strip():
        at += 1
    return at


def _target(line: IndexLine | None) -> str:
    """What an entry names, '' for another line."""
    return line.links[0].target or "" if line is not None and line.is_entry else ""


def index_of(snapshot: Snapshot) -> StoredFile:
    """The file of the index as it was read, or as it is to be made. Raises RefusedError where it cannot be
    written."""
    name = snapshot.store.profile.index_name
    file = snapshot.files.get(name) or StoredFile(name, "missing")
    if file.kind == "missing":
        return file
    if file.kind != "file" or file.data is None:
        reason = file.error or _("it is a symlink to {target}").format(target=file.link_target)
        raise RefusedError(_("{index} cannot be written: {reason}").format(index=name, reason=reason))
    bad_at = documents.parse(file.data).bad_utf8_at
    if bad_at is not None:
        raise RefusedError(
            _("{file} is not UTF-8 at byte {offset}: convert it first").format(file=name, offset=bad_at)
        )
    return file


def _document(snapshot: Snapshot) -> Document:
    file = snapshot.files.get(snapshot.store.profile.index_name)
    return documents.parse((file.data if file is not None else None) or b"")


def _prose(snapshot: Snapshot) -> Document:
    """What an index said beside naming memories."""
    named = {number for memory in snapshot.memories for number in memory.index_lines}
    was = _document(snapshot)
    return documents.parse(documents.splice(was.raw, documents.remove_lines(was, named)))


def _naming(snapshot: Snapshot, files: set[str]) -> set[int]:
    return {number for memory in snapshot.memories if memory.file in files for number in memory.index_lines}


def _lines_of(document: Document) -> list[_Line]:
    return [(line.text, line.eol) for line in document.lines]


def _joined(lines: Sequence[_Line], like: Document) -> bytes:
    """Lines as bytes: each that was there keeps its line end, others get the one that most have; the last
    has one if the last had."""
    usual = documents.encode(like.newline)
    data = b"".join(documents.encode(text) + (eol or usual) for text, eol in lines)
    if lines and not like.ends_with_newline:
        data = data[: -len(lines[-1][1] or usual)]
    return (documents.BOM if like.has_bom else b"") + data
