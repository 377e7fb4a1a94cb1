"""Frontmatter: the lenient reader, and edits that change one value and not one byte beside it.

Reading is `parse`; `set_value` and `insert_block` give splices for `document.splice`. Which keys a new block
has, and in which order, is data from the caller (pairs of path and value).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.core.errors import RefusedError
from memtui.core.text import document as documents
from memtui.core.text.document import BOM, Document, Splice, encode
from memtui.core.text.frontmatter_model import Field, Frontmatter, Path, State
from memtui.core.text.frontmatter_read import flow_items, parse
from memtui.core.text.scalars import (
    BLOCK_HEADER,
    Style,
    double_quoted,
    is_flow_safe,
    quote,
    single_quoted,
)
from memtui.i18n import _

__all__ = [
    "KEY_ORDER",
    "Field",
    "Frontmatter",
    "Path",
    "State",
    "Style",
    "format_block",
    "insert_block",
    "parse",
    "pushes_out",
    "quote",
    "set_value",
]

# ZCode's prompt asks for these in this order; its own stamp puts node_type in front of type (sheet B3)
KEY_ORDER: tuple[Path, ...] = (("name",), ("description",), ("metadata", "node_type"), ("metadata", "type"))


def set_value(
    document: Document,
    frontmatter: Frontmatter,
    path: Path,
    value: str,
    *,
    order: Sequence[Path] = KEY_ORDER,
    requote: bool = False,
) -> list[Splice]:
    """Give the key at `path` a new value, or make the key.

    Only the value's own bytes change: a trailing comment, blanks, quotes' kind and line ends stay, and a value
    of several lines goes whole. A value that reads the same already gives no splice, unless `requote` asks to
    write it so that a strict reader reads it too. Where a key is there twice, the last one changes. A missing
    key goes behind the last of those that come before it in `order`, else to the end of the block; a file
    without a block gets one. Raises RefusedError for a block that is not closed, and for a key that holds
    other keys or a value where keys would have to be.
    """
    if frontmatter.state == "unclosed":
        raise RefusedError(_("the frontmatter is not closed: put a line --- behind it first"))
    if frontmatter.state == "none":
        return [insert_block(document, [(path, value)])]
    field = frontmatter.field(*path)
    if field is None:
        return [_new_key(document, frontmatter, path, value, order)]
    if field.style == "map":
        raise RefusedError(_("{key} holds other keys, not a value").format(key=".".join(path)))
    if not requote and value in (field.value, field.text):
        return []
    return _replacement(document, field, value)


def insert_block(document: Document, pairs: Iterable[tuple[Path, str]]) -> Splice:
    """A block of these keys at the head of a file (behind a byte-order mark), in the file's own line end."""
    at = len(BOM) if document.has_bom else 0
    return Splice(at, at, encode(format_block(pairs, document.newline)))


def format_block(pairs: Iterable[tuple[Path, str]], newline: str) -> str:
    """A block with these keys in this order; paths of two names share their first name's key."""
    lines = ["---"]
    parent = ""
    for path, value in pairs:
        if len(path) == 1:
            lines.append(f"{path[0]}: {quote(value)}")
            parent = ""
            continue
        if path[0] != parent:
            parent = path[0]
            lines.append(f"{parent}:")
        lines.append(f"  {path[1]}: {quote(value)}")
    return newline.join([*lines, "---", ""])


def pushes_out(document: Document, frontmatter: Frontmatter, splices: Iterable[Splice]) -> bool:
    """Whether an edit would take a block out of a strict reader's sight that it sees now.

    That is so when the closing line moves beyond `frontmatter.max_lines`, or is no longer exact.
    """
    if not frontmatter.is_closed_within:
        return False
    after = documents.parse(documents.splice(document.raw, splices))
    return not parse(after, max_lines=frontmatter.max_lines).is_closed_within


def _replacement(document: Document, field: Field, value: str) -> list[Splice]:
    comment = ""
    if field.style in ("folded", "literal"):
        header = BLOCK_HEADER.fullmatch(field.raw.split("\n", 1)[0].rstrip("\r"))
        comment = header["comment"].rstrip(" \t") if header else ""
    source = _source(field, value) + comment
    before = document.raw[field.start - 1 : field.start]
    if before not in (b" ", b"\t", b"\n"):
        source = " " + source
    if field.in_flow and not field.raw and document.raw[field.end : field.end + 1] not in (b" ", b"\n", b"\r"):
        source += "" if document.raw[field.end : field.end + 1] in (b",", b"}") else " "
    return [Splice(field.start, field.end, encode(source))]


def _source(field: Field, value: str) -> str:
    if field.style == "single":
        return single_quoted(value) or double_quoted(value)
    if field.style == "double":
        return double_quoted(value)
    if field.in_flow:
        return value if is_flow_safe(value) else double_quoted(value)
    return quote(value)


def _new_key(
    document: Document, frontmatter: Frontmatter, path: Path, value: str, order: Sequence[Path]
) -> Splice:
    eol = document.lines[frontmatter.open_line - 1].eol.decode()
    tops = [item for item in frontmatter.fields if len(item.path) == 1]
    margin = _margin(document, tops[0]) if tops else ""
    if len(path) == 1:
        line = _line_for(frontmatter, path, order)
        return _line_behind(document, line, f"{margin}{path[0]}: {quote(value)}", eol)
    parent = frontmatter.field(path[0])
    if parent is None:
        text = f"{margin}{path[0]}:{eol}{margin}  {path[1]}: {quote(value)}"
        return _line_behind(document, _line_for(frontmatter, path, order), text, eol)
    if parent.in_flow:
        return _new_flow_key(parent, path[1], value)
    if parent.style != "map" and parent.raw:
        raise RefusedError(_("{key} holds a value, so it cannot hold {name}").format(key=path[0], name=path[1]))
    children = _children(frontmatter, parent)
    indent = _margin(document, children[0]) if children else _margin(document, parent) + "  "
    text = f"{indent}{path[1]}: {quote(value)}"
    if not children:
        return _line_behind(document, parent.last_line, text, eol)
    ahead = _predecessors(path, order)
    behind = [item for item in children if item.path in ahead] if path in order else children
    line = max((_last_line_of(frontmatter, item) for item in behind), default=parent.last_line)
    return _line_behind(document, line, text, eol)


def _predecessors(path: Path, order: Sequence[Path]) -> Sequence[Path]:
    return order[: order.index(path)] if path in order else ()


def _children(frontmatter: Frontmatter, parent: Field) -> list[Field]:
    return [item for item in frontmatter.fields if len(item.path) == 2 and item.path[0] == parent.path[0]]


def _line_for(frontmatter: Frontmatter, path: Path, order: Sequence[Path]) -> int:
    """The line behind which a new top-level key goes."""
    tops = [item for item in frontmatter.fields if len(item.path) == 1]
    end = max((_last_line_of(frontmatter, item) for item in frontmatter.fields), default=frontmatter.open_line)
    names = list(dict.fromkeys(item[0] for item in order))
    if path[0] not in names:
        return end
    ahead = names[: names.index(path[0])]
    behind = names[names.index(path[0]) + 1 :]
    lines = [_last_line_of(frontmatter, item) for item in tops if item.path[0] in ahead]
    if lines:
        return max(lines)
    first = next((item for item in tops if item.path[0] in behind), None)
    return first.first_line - 1 if first else end


def _last_line_of(frontmatter: Frontmatter, field: Field) -> int:
    """The last line of a field with all that hangs below it, deeper levels included."""
    starts = sorted({item.first_line for item in frontmatter.fields})
    if field.style != "map" or field.in_flow:
        return field.last_line
    if len(field.path) == 1:
        children = _children(frontmatter, field)
        return max((_last_line_of(frontmatter, item) for item in children), default=field.last_line)
    following = [line for line in starts if line > field.first_line]
    return (following[0] if following else frontmatter.close_line) - 1


def _margin(document: Document, field: Field) -> str:
    text = document.lines[field.first_line - 1].text
    return text[: len(text) - len(text.lstrip(" \t"))]


def _line_behind(document: Document, number: int, text: str, eol: str) -> Splice:
    line = document.lines[number - 1]
    at = line.end + len(line.eol)
    return Splice(at, at, encode(text + eol))


def _new_flow_key(parent: Field, key: str, value: str) -> Splice:
    source = f"{key}: {value if is_flow_safe(value) else double_quoted(value)}"
    items = flow_items(parent.raw) or [(1, len(parent.raw) - 1)]
    start, end = items[-1]
    inside = parent.raw[start:end]
    if not inside.strip():
        at = parent.start + len(encode(parent.raw[:start]))
        return Splice(at, at, encode(source if len(items) == 1 else f" {source}"))
    kept = parent.raw[: start + len(inside.rstrip())]
    at = parent.start + len(encode(kept))
    return Splice(at, at, encode(f", {source}"))
