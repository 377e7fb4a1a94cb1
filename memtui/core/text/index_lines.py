"""The lines of a MEMORY.md that name files, read leniently: any bullet, any separator, prose and headings too.

Code (fenced, indented, inline), HTML comments and table rows name nothing. The rules are CommonMark's, as far
as a list of links needs them; what a real index may look like is in the pi-and-zcode sheet B2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memtui.core.text import document as documents
from memtui.core.text.blocks import BULLET, HEADING, Blocks
from memtui.core.text.document import Document, Line
from memtui.core.text.links import (
    SUFFIX,
    Masked,
    RawLink,
    find_links,
    find_wiki_links,
    is_outside,
    literal_path,
    normal_path,
    target_path,
    unescape,
)
from memtui.late import re
from memtui.late.dataclasses import dataclass

Span = tuple[int, int]

_INDENT = re.compile(r"[ \t]*")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|~~)$")
_SEPARATOR = re.compile(r"[ \t]*(?:—|–|―|->|→|--|-|:|：)[ \t]*")
_JOINTS = (",", ";", "|", "/", "&", "·", "•", "+", "、", "，", "；", " and")
_PLAIN_TITLE = r"[^\s\[\]\\*_`<>!](?:[^\[\]\\*_`<>!]*[^\s\[\]\\*_`<>!])?"
_PLAIN_TARGET = r"[^\x00-\x20\x7f()\\<>%#&:/~.][^\x00-\x20\x7f()\\<>%#&:/]*\.md"
_PLAIN_HOOK = r"[^\s\[\]<](?:[^\[\]]*[^\s\[\]])?"
_PLAIN_LINE = re.compile(
    rf"([-*+]) \[({_PLAIN_TITLE})\]\(({_PLAIN_TARGET})\)(?:( — | – | - |: )({_PLAIN_HOOK}))?[ \t]*$"
)
_NOTHING = re.compile(r"[\s.,;)*_~!?。，；]*$")


class Link(NamedTuple):
    """One link to a `.md` file. Spans are byte offsets in the document.

    `title` is the text with escapes resolved; `target` the path it means, decoded and resolved (absolute or
    starting with `..` when `outside`); `literal` the same without percent decoding; `raw_target` as typed.
    `link_span` covers all of it with its emphasis marks; `title_span` the text between the brackets;
    `target_span` the target without `<` and `>`. `separator` is the exact text between link and hook ('' when
    there is none), `hook` the text after it or None, `hook_span` its place (empty and behind the separator
    when there is no hook); `separator_at` the byte where the separator starts or would start.
    """

    title: str
    target: str
    raw_target: str
    literal: str
    link_span: Span
    title_span: Span
    target_span: Span
    is_angle: bool
    separator: str
    separator_at: int
    hook: str | None
    hook_span: Span

    @property
    def outside(self) -> bool:
        """Whether the target leaves the index's folder."""
        return is_outside(self.target)


class WikiLink(NamedTuple):
    """One `[[name]]`: the name without alias, its line (from 1) and its byte span."""

    name: str
    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line with links. `bullet` is its list marker ('' when it is no list item), `indent` the blanks
    before it. `is_entry` is False where the links are mentions within a sentence, so that taking the link
    away must not take the sentence."""

    number: int
    links: tuple[Link, ...]
    bullet: str = ""
    indent: str = ""
    gap: str = " "
    is_entry: bool = True


@dataclass(frozen=True, slots=True)
class Index:
    """A parsed index: the lines with links in order, and all `[[wiki]]` links.

    `comments` are the byte spans of the HTML comments that stand at top level (not within a list item, a
    quote or a sentence). `open_line` is the line (from 1) of a fence or comment that is never closed and so
    hides all after it, or None.
    """

    document: Document
    lines: tuple[IndexLine, ...]
    wiki_links: tuple[WikiLink, ...] = ()
    open_line: int | None = None
    comments: tuple[Span, ...] = ()

    def line(self, number: int) -> IndexLine | None:
        """The line of this number (from 1), or None when it has no links."""
        return next((line for line in self.lines if line.number == number), None)

    def links(self) -> Iterator[tuple[int, int, Link]]:
        """All links in order: line number, position in the line (from 0), link."""
        for line in self.lines:
            for position, link in enumerate(line.links):
                yield line.number, position, link


def parse(document: Document) -> Index:
    """Find the links of an index. Never raises."""
    lines: list[IndexLine] = []
    wiki_links: list[WikiLink] = []
    blocks = Blocks(document.lines)
    for line, masked in blocks.text_lines():
        if "[" not in masked.text:
            continue
        plain = _PLAIN_LINE.match(line.text) if masked.text is line.text else None
        if plain is not None:
            lines.append(_plain_line(line, plain))
            continue
        offsets = _Offsets(line)
        raw_links = find_links(masked.text)
        if raw_links:
            index_line = _index_line(line, masked, raw_links)
            if index_line.links:
                lines.append(index_line)
        for name, start, end in find_wiki_links(masked.text):
            if name:
                wiki_links.append(WikiLink(name, line.number, (offsets.at(start), offsets.at(end))))
    return Index(document, tuple(lines), tuple(wiki_links), blocks.open_line, tuple(blocks.comments))


def parse_bytes(raw: bytes) -> Index:
    """`parse` for bytes."""
    return parse(documents.parse(raw))


def _plain_line(line: Line, match: re.Match[str]) -> IndexLine:
    """The line that nearly all indexes consist of, without the search for everything else."""
    bullet, title, target, separator, hook = match.groups(default="")
    title_start = line.start + 3
    title_end = title_start + len(documents.encode(title))
    target_start = title_end + 2
    target_end = target_start + len(documents.encode(target))
    hook_start = target_end + 1 + len(documents.encode(separator))
    link = Link(
        title=title,
        target=target,
        raw_target=target,
        literal=target,
        link_span=(title_start - 1, target_end + 1),
        title_span=(title_start, title_end),
        target_span=(target_start, target_end),
        is_angle=False,
        separator=separator,
        separator_at=target_end + 1,
        hook=hook or None,
        hook_span=(hook_start, hook_start + len(documents.encode(hook))),
    )
    return IndexLine(line.number, (link,), bullet)


class _Offsets:
    """Byte offsets of a line's characters, asked in ascending order (so that a long line stays linear)."""

    def __init__(self, line: Line) -> None:
        self._text = line.text
        self._is_ascii = line.end - line.start == len(line.text)
        self._start = line.start
        self._char, self._byte = 0, line.start

    def at(self, position: int) -> int:
        if self._is_ascii:
            return self._start + position
        if position < self._char:
            self._char, self._byte = 0, self._start
        self._byte += len(documents.encode(self._text[self._char : position]))
        self._char = position
        return self._byte


def _index_line(line: Line, masked: Masked, raw_links: Sequence[RawLink]) -> IndexLine:
    text = line.text
    offsets = _Offsets(line)
    visible_end = _visible_end(text, masked)
    links = []
    kept = [(raw, path) for raw in raw_links if (path := _path(text, raw)) is not None]
    for position, (raw, path) in enumerate(kept):
        following = kept[position + 1][0].start if position + 1 < len(kept) else None
        links.append(_link(text, masked.text, raw, path, following, visible_end, offsets))
    bullet = BULLET.match(text)
    marker, indent, gap = (
        (bullet.group(2), bullet.group(1), bullet.group(3) or " ") if bullet else ("", "", " ")
    )
    is_entry = bool(bullet) or bool(HEADING.match(text))
    if not is_entry and kept:
        quote = _QUOTE.match(text)
        is_entry = not masked.text[quote.end() if quote else 0 : kept[0][0].start].strip(" \t*_~\x00")
    return IndexLine(line.number, tuple(links), marker, indent, gap, is_entry)


def _path(text: str, raw: RawLink) -> str | None:
    raw_target = text[raw.target_start : raw.target_end]
    # most links of a text point elsewhere, and decoding a target is what costs
    is_candidate = raw_target[:1] == "/" or SUFFIX[1:] in raw_target or "%" in raw_target or "&" in raw_target
    return target_path(raw_target) if is_candidate else None


def _visible_end(text: str, masked: Masked) -> int:
    """Where the line's text ends when blanks and comments at its end are left out."""
    end = len(text.rstrip(" \t\r"))
    for start, stop in reversed(masked.comments):
        if stop < end:
            break
        end = len(text[:start].rstrip(" \t\r"))
    if masked.open_comment < 0 and len(masked.text) < len(text):
        end = min(end, len(masked.text.rstrip(" \t\r")))
    return end


def _link(
    text: str, masked: str, raw: RawLink, path: str, following: int | None, visible_end: int, offsets: _Offsets
) -> Link:
    raw_target = text[raw.target_start : raw.target_end]
    emphasis = _EMPHASIS.search(text, max(0, raw.start - 3), raw.start)
    marks = emphasis.group() if emphasis else ""
    end = raw.end
    if marks and text.startswith(marks, end):
        start, end, marks = raw.start - len(marks), raw.end + len(marks), ""
    else:
        start = raw.start
    limit = max(visible_end if following is None else following, end)
    if following is not None:
        limit = _joint_start(text, end, following)
    separator, hook_start = _separator(text, end, limit, marks, following is None)
    hook = text[hook_start:limit]
    inner_start, inner_end = _inner(text, raw.text_start, raw.text_end)
    link_start = offsets.at(start)
    title_span = (offsets.at(inner_start), offsets.at(inner_end))
    target_span = (offsets.at(raw.target_start), offsets.at(raw.target_end))
    link_end = offsets.at(end)
    hook_span = (offsets.at(hook_start), offsets.at(limit if hook else hook_start))
    literal = literal_path(raw_target)
    return Link(
        title=unescape(text[inner_start:inner_end]),
        target=path,
        raw_target=raw_target,
        literal=normal_path(literal),
        link_span=(link_start, link_end),
        title_span=title_span,
        target_span=target_span,
        is_angle=text[raw.target_start - 1 : raw.target_start] == "<",
        separator=separator,
        separator_at=link_end,
        hook=hook or None,
        hook_span=hook_span,
    )


def _joint_start(text: str, end: int, following: int) -> int:
    """Where the text between two links ends when what joins it to the second is left out."""
    emphasis = _EMPHASIS.search(text, max(end, following - 3), following)
    between = text[end : emphasis.start() if emphasis else following].rstrip(" \t")
    for joint in _JOINTS:
        if between.endswith(joint):
            between = between[: -len(joint)].rstrip(" \t")
            break
    return end + len(between)


def _separator(text: str, end: int, limit: int, marks: str, is_last: bool) -> tuple[str, int]:
    """The separator behind a link and where its hook starts (`limit` when there is no hook).

    Only the last link of a line may have a hook without a dash or colon: between two links such text joins
    them. `marks` is emphasis opened before the link and not closed right behind it (`**[A](a.md):** x`).
    """
    match = _SEPARATOR.match(text, end, limit)
    if match is None:
        if not is_last or _NOTHING.match(text, end, limit):
            return "", limit
        after = _after_blanks(text, end, limit)
    else:
        after = match.end()
        if marks and text.startswith(marks, after, limit):
            after = _after_blanks(text, after + len(marks), limit)
    return text[end:after], after


def _after_blanks(text: str, start: int, limit: int) -> int:
    match = _INDENT.match(text, start, limit)
    return match.end() if match else start


def _inner(text: str, start: int, end: int) -> Span:
    """The link's text without blanks and without emphasis around the whole of it."""
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t":
        end -= 1
    for marks in ("**", "__", "*", "_"):
        size = len(marks)
        inner = text[start + size : end - size]
        if end - start > 2 * size and text.startswith(marks, start) and text.endswith(marks, start, end):
            return (start + size, end - size) if marks not in inner and inner.strip() == inner else (start, end)
    return start, end
