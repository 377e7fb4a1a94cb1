"""Edits of an index as splices: each touches one line, in the style that the line or the index already has.

A new index gets exactly the line that ZCode's prompt asks for (pi-and-zcode sheet B2):
`- [Title](file.md) — hook` with an em dash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from memtui.core.text.document import Splice, decode, encode, insert_lines, remove_lines
from memtui.core.text.index_lines import Index, IndexLine, Link
from memtui.core.text.links import is_percent_encoded, one_line, spell_target, spell_title, target_path
from memtui.late import re
from memtui.late.dataclasses import dataclass, replace

DEFAULT_SEPARATOR = " — "

_MARKS = re.compile(r"[*_~]+")
_DASH = re.compile(r"[ \t]*(?:—|–|―|->|→|--|-|:|：)")
_ORDERED = re.compile(r"(\d{1,9})([.)])")


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How an index writes its lines: list marker with the blanks around it, separator, spelling of targets
    (`percent` = percent escapes, `dotted` = `./` in front)."""

    indent: str = ""
    bullet: str = "-"
    gap: str = " "
    separator: str = DEFAULT_SEPARATOR
    percent: bool = False
    dotted: bool = False

    def line(self, title: str, target: str, hook: str) -> str:
        """A new line without its line end; an empty hook leaves the separator out."""
        link = f"[{spell_title(title)}]({spell_target(target, percent=self.percent, dotted=self.dotted)})"
        text = one_line(hook)
        separator = self.separator
        if not separator.strip() and _DASH.match(text):
            separator = DEFAULT_SEPARATOR
        return f"{self.indent}{self.bullet}{self.gap}{link}" + (separator + text if text else "")


def set_hook(index: Index, number: int, position: int, text: str) -> list[Splice]:
    """Give the link at `position` (from 0) of line `number` another hook, keeping its separator.

    Without a separator ` — ` is used; an empty text takes the separator along. Line ends in `text` become
    blanks. Raises KeyError when there is no such link.
    """
    link = _link(index, number, position)
    hook = one_line(text)
    start, end = link.hook_span
    if not hook:
        if link.hook is None:
            return []
        return [Splice(link.separator_at, end, encode("".join(_MARKS.findall(link.separator))))]
    has_dash = bool(link.separator.strip())
    if link.separator and (has_dash or (link.hook is not None and not _DASH.match(hook))):
        blank = "" if link.separator[-1:] in " \t" or link.hook is not None else " "
        return [Splice(start, end, encode(blank + hook))]
    rest = link.separator or decode(index.document.raw[link.separator_at : end])
    closing = "".join(_MARKS.findall(rest))
    return [Splice(link.separator_at, end, encode(closing + DEFAULT_SEPARATOR + hook))]


def set_title(index: Index, number: int, position: int, text: str) -> list[Splice]:
    """Give a link another text; brackets in it are escaped. Raises KeyError when there is no such link."""
    start, end = _link(index, number, position).title_span
    return [Splice(start, end, encode(spell_title(text)))]


def set_target(index: Index, number: int, position: int, path: str) -> list[Splice]:
    """Let a link point to another file, spelled as before (plain or percent escapes, `<>`, `./`, `#part`).

    Raises KeyError when there is no such link.
    """
    link = _link(index, number, position)
    head, mark, fragment = link.raw_target.partition("#")
    spelled = spell_target(
        path,
        percent=is_percent_encoded(head),
        angle=link.is_angle,
        dotted=link.raw_target.startswith("./"),
    )
    if mark and target_path(head) is not None:
        spelled += mark + fragment
    return [Splice(*link.target_span, encode(spelled))]


def remove_line(index: Index, number: int) -> list[Splice]:
    """Take one whole line out with its own line end; the line before keeps its own."""
    return remove_lines(index.document, [number])


def remove_links(index: Index, number: int, positions: Collection[int]) -> list[Splice]:
    """Take some links of a line away, and the line with them when nothing else names a file in it.

    A link goes with its own hook and with what joins it to its neighbour; a hook that stands behind the last
    link only is taken for the whole line's and stays. Within a sentence (`is_entry` False) the title stays
    as plain text, so that the sentence is kept. Raises KeyError when the line has no links.
    """
    line = _line(index, number)
    gone = {position for position in positions if 0 <= position < len(line.links)}
    if not line.is_entry:
        return [_unlink(index, line.links[position]) for position in sorted(gone)]
    if len(gone) == len(line.links):
        return remove_line(index, number)
    kept = [position for position in range(len(line.links)) if position not in gone]
    splices = []
    last = kept[-1]
    for position in sorted(gone):
        link = line.links[position]
        if position < last:
            splices.append(Splice(link.link_span[0], line.links[position + 1].link_span[0], b""))
    if last + 1 < len(line.links):
        before, final = line.links[last], line.links[-1]
        own_hook = before.hook is not None
        start = before.hook_span[1] if own_hook else before.link_span[1]
        splices.append(Splice(start, final.hook_span[1] if own_hook else final.link_span[1], b""))
    return splices


def _unlink(index: Index, link: Link) -> Splice:
    return Splice(*link.link_span, index.document.raw[slice(*link.title_span)])


def add_line(index: Index, title: str, target: str, hook: str) -> Splice:
    """A new line in the index's own style: behind the last entry (and the lines that continue it), else at
    the end, but never inside a fence or comment that is not closed."""
    return add_lines(index, [style_of(index).line(title, target, hook)])


def add_lines(index: Index, rows: Sequence[str]) -> Splice:
    """New lines as they are, where `add_line` would put one."""
    return insert_lines(index.document, _place(index), rows)


def rows_in_style(index: Index, links: Sequence[tuple[str, str, str]]) -> list[str]:
    """Lines for several new links (title, target, hook) as one after the other would be written."""
    style = style_of(index)
    counts = style.bullet not in {line.bullet for line in index.lines}
    rows = []
    for link in links:
        rows.append(style.line(*link))
        ordered = _ORDERED.fullmatch(style.bullet) if counts else None
        if ordered is not None:
            style = replace(style, bullet=f"{int(ordered.group(1)) + 1}{ordered.group(2)}")
    return rows


def _place(index: Index) -> int:
    anchor = _anchor(index)
    lines = index.document.lines
    if anchor is None:
        return len(lines) if index.open_line is None else index.open_line - 1
    number = anchor.number
    while anchor.bullet and number < len(lines):
        text = lines[number].text
        blanks = len(text) - len(text.lstrip(" \t"))
        if not text.strip() or blanks <= len(anchor.indent):
            break
        number += 1
    return number


def _anchor(index: Index) -> IndexLine | None:
    entries = [line for line in index.lines if line.is_entry]
    return next((line for line in reversed(entries) if line.bullet), entries[-1] if entries else None)


def style_of(index: Index) -> LineStyle:
    """The style that most lines of an index have; the default where it has none."""
    items = [line for line in index.lines if line.bullet]
    links = [link for line in index.lines if line.is_entry for link in line.links]
    separators = Counter(
        separator for link in links if link.hook is not None and not _MARKS.search(separator := link.separator)
    )
    telling = [link for link in links if not link.literal.isascii() or is_percent_encoded(link.raw_target)]
    percent = sum(1 for link in telling if is_percent_encoded(link.raw_target))
    dotted = sum(1 for link in links if link.raw_target.startswith("./"))
    style = LineStyle(
        separator=_most_common(separators, DEFAULT_SEPARATOR),
        percent=percent * 2 > len(telling),
        dotted=dotted * 2 > len(links),
    )
    if not items:
        return style
    indent = min((line.indent for line in items), key=len)
    last = [line for line in items if line.indent == indent][-1]
    return LineStyle(indent, _next_bullet(items, last), last.gap, style.separator, style.percent, style.dotted)


def _most_common(counts: Counter[str], default: str) -> str:
    return max(counts, key=lambda key: (counts[key], key == default)) if counts else default


def _next_bullet(items: Iterable[IndexLine], last: IndexLine) -> str:
    ordered = _ORDERED.fullmatch(last.bullet)
    if ordered is None:
        return last.bullet
    same = [line for line in items if line.indent == last.indent and line.bullet == last.bullet]
    return last.bullet if len(same) > 1 else f"{int(ordered.group(1)) + 1}{ordered.group(2)}"


def _line(index: Index, number: int) -> IndexLine:
    line = index.line(number)
    if line is None:
        raise KeyError(number)
    return line


def _link(index: Index, number: int, position: int) -> Link:
    links = _line(index, number).links
    if not 0 <= position < len(links):
        raise KeyError(position)
    return links[position]
