"""Inline Markdown links of one line, found leniently, and the spelling of link targets and titles.

Follows CommonMark for brackets, parentheses, escapes, `<...>` targets and titles, and is more lenient in one
point: a target may hold plain blanks when it ends in `.md`. Positions are code points of the line.
"""

from __future__ import annotations

import posixpath
from urllib.parse import quote_from_bytes, unquote_to_bytes

from memtui.core.text.document import decode, encode
from memtui.late import re
from memtui.late.dataclasses import dataclass

OPAQUE = "\x00"
"""Stands for each character of code and comments in a masked line."""

SUFFIX = ".md"

_MAX_PARENTHESES = 10
_TOKEN = re.compile(r"\\.|!\[|\[|\]")
_OPAQUE_START = re.compile(r"\\.|`+|<!--")
_ANGLE = re.compile(r"<((?:\\.|[^<>\\\x00])*)>")
_PLAIN_PART = re.compile(r"\\[!-/:-@\[-`{-~]|[^\x00-\x20\x7f()\\]+|[()\\]")
_SPACED = re.compile(r"([^\x00-\x1f()<>\\\[\]]*\.md(?:#[^\x00-\x20()<>\\\[\]]*)?)[ \t]*\)")
_LINK_TITLE = re.compile(r"""[ \t]+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))""")
_BLANKS = re.compile(r"[ \t]*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_WIKI = re.compile(r"\[\[([^\[\]|#\x00]+)(?:[|#][^\[\]\x00]*)?\]\](?!\()")
_LINE_ENDS = re.compile(r"[ \t]*[\r\n]+[ \t]*")


@dataclass(frozen=True, slots=True)
class RawLink:
    """Where one link stands in its line: the whole, its text between the brackets, its target as typed
    (without `<` and `>`)."""

    start: int
    end: int
    text_start: int
    text_end: int
    target_start: int
    target_end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A line with code and comments made opaque (same length); `comments` are the comments' positions and
    `open_comment` the start of one that does not end on this line, or -1."""

    text: str
    comments: tuple[tuple[int, int], ...] = ()
    open_comment: int = -1


def mask(text: str, start: int = 0) -> Masked:
    """Make code spans and HTML comments of a line opaque, from `start` on (what is before it is opaque)."""
    if not start and "`" not in text and "<!--" not in text:
        return Masked(text)
    parts = [OPAQUE * start]
    comments = [(0, start)] if start else []
    runs = _closing_runs(text)
    position = start
    while (match := _OPAQUE_START.search(text, position)) is not None:
        token = match.group()
        end = -1
        if token == "<!--":
            closing = text.find("-->", match.start() + 2)
            if closing < 0:
                parts.append(text[position:])
                return Masked("".join(parts), tuple(comments), match.start())
            end = closing + 3
            comments.append((match.start(), end))
        elif token[0] == "`":
            end = _code_end(runs, len(token), match.end())
        parts.append(text[position : match.start()])
        if end < 0:
            parts.append(token)
            position = match.end()
        else:
            parts.append(OPAQUE * (end - match.start()))
            position = end
    parts.append(text[position:])
    return Masked("".join(parts), tuple(comments))


def _closing_runs(text: str) -> dict[int, list[int]]:
    runs: dict[int, list[int]] = {}
    for match in re.finditer(r"`+", text):
        runs.setdefault(match.end() - match.start(), []).append(match.start())
    for starts in runs.values():
        starts.reverse()
    return runs


def _code_end(runs: dict[int, list[int]], length: int, after: int) -> int:
    starts = runs.get(length, [])
    while starts and starts[-1] < after:
        starts.pop()
    return starts[-1] + length if starts else -1


def find_links(masked: str) -> list[RawLink]:
    """The links of a masked line in order, images left out, whatever they point to."""
    links: list[RawLink] = []
    if "](" not in masked:
        return links
    openers: list[tuple[int, bool]] = []
    position = 0
    while (match := _TOKEN.search(masked, position)) is not None:
        position = match.end()
        token = match.group()
        if token in ("[", "!["):
            openers.append((match.start(), token == "!["))
        elif token == "]" and openers:
            start, is_image = openers.pop()
            target = _target(masked, position + 1) if masked.startswith("(", position) else None
            if target is None:
                continue
            target_start, target_end, end = target
            position = end
            if is_image:
                continue
            links.append(RawLink(start, end, start + 1, match.start(), target_start, target_end))
            openers = [opener for opener in openers if opener[1]]
    return links


def _target(masked: str, start: int) -> tuple[int, int, int] | None:
    """Start and end of the target and the end of the whole link, or None."""
    at = _skip_blanks(masked, start)
    angle = _ANGLE.match(masked, at)
    if angle is not None:
        span = (angle.start(1), angle.end(1))
        after = angle.end()
    else:
        after = _plain_end(masked, at)
        span = (at, after)
    if after >= 0:
        title = _LINK_TITLE.match(masked, after)
        closing = _skip_blanks(masked, title.end() if title else after)
        if masked.startswith(")", closing):
            return (*span, closing + 1)
    spaced = _SPACED.match(masked, at)
    return (spaced.start(1), spaced.end(1), spaced.end()) if spaced else None


def _plain_end(masked: str, at: int) -> int:
    if masked.startswith("<", at):
        return -1
    depth = 0
    while (part := _PLAIN_PART.match(masked, at)) is not None:
        if part.group() == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return -1
        elif part.group() == ")":
            if not depth:
                break
            depth -= 1
        at = part.end()
    return at if not depth else -1


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def find_wiki_links(masked: str) -> list[tuple[str, int, int]]:
    """The `[[name]]` links of a masked line: the name (without `|alias` and `#part`) and its position."""
    if "[[" not in masked:
        return []
    return [(match.group(1).strip(), match.start(1), match.end(1)) for match in _WIKI.finditer(masked)]


def unescape(text: str) -> str:
    """Backslash escapes of ASCII punctuation resolved."""
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


def literal_path(raw_target: str) -> str:
    """The path that a target spells when its percent signs are taken literally, without its fragment."""
    text = unescape(raw_target)
    if "&" in text:
        import html

        text = _ENTITY.sub(lambda match: html.unescape(match.group()), text)
    path = text.partition("#")[0]
    return text if path and not path.endswith(SUFFIX) and text.endswith(SUFFIX) else path


def target_path(raw_target: str) -> str | None:
    """The file that a target means: decoded, `./` and `x/..` resolved, `/`-separated.

    None when it is not a file name in `.md` (a web address, a mail address, an anchor, another suffix).
    Absolute paths count whatever their suffix: they, and what starts with `..`, lie outside the index's
    folder (case T11).
    """
    path = literal_path(raw_target)
    if _SCHEME.match(path):
        return None
    if "%" in path:
        path = decode(unquote_to_bytes(encode(path)))
    if path.startswith("/") and not path.startswith("//"):
        return normal_path(path)
    if not path.endswith(SUFFIX) or posixpath.basename(path) == SUFFIX:
        return None
    return normal_path(path)


def normal_path(path: str) -> str:
    """`path` with `./`, doubled slashes and `x/..` resolved; never touches the disk."""
    return posixpath.normpath(path) if "./" in path or "//" in path else path


def is_outside(path: str) -> bool:
    """Whether a resolved path leaves the folder that it is relative to."""
    return path.startswith(("/", "\\", "~/", "../")) or path == ".." or bool(_DRIVE.match(path))


def is_percent_encoded(raw_target: str) -> bool:
    """Whether a target is spelled with percent escapes."""
    return bool(_PERCENT.search(raw_target))


def spell_target(path: str, *, percent: bool = False, angle: bool = False, dotted: bool = False) -> str:
    """A path as the target of a link.

    `percent` encodes all that is not ASCII; else only what would break the link is encoded (also bytes that
    are not UTF-8). `angle`: the result stands between `<` and `>`. `dotted` puts `./` in front.
    """
    unsafe_pair = not percent and bool(_PERCENT.search(path))
    kept = "" if angle or _has_balanced_parentheses(path) else "()"
    plain_blanks = " " if angle and not percent else ""
    parts = []
    for char in path:
        if "\udc80" <= char <= "\udcff" or char in kept or char in "<>\\#`*[]&|\x7f" or char < " ":
            parts.append(quote_from_bytes(encode(char), safe=""))
        elif char == " " and not plain_blanks:
            parts.append("%20")
        elif char == "%" and (percent or unsafe_pair):
            parts.append("%25")
        elif percent and not char.isascii():
            parts.append(quote_from_bytes(encode(char), safe=""))
        else:
            parts.append(char)
    spelled = "".join(parts)
    return "./" + spelled if dotted or _SCHEME.match(spelled) else spelled


def _has_balanced_parentheses(path: str) -> bool:
    depth = 0
    for char in path:
        depth += (char == "(") - (char == ")")
        if not 0 <= depth <= _MAX_PARENTHESES:
            return False
    return depth == 0


def spell_title(title: str) -> str:
    """A title as the text of a link: one line, brackets and what would be read otherwise escaped."""
    text = one_line(title)
    text = re.sub(r"\\(?=[!-/:-@\[-`{-~]|$)", r"\\\\", text)
    text = re.sub(r"[\[\]]", r"\\\g<0>", text)
    if mask(text).text != text or "`" in text or "<!--" in text:
        text = text.replace("`", "\\`").replace("<!--", "\\<!--")
    return text


def one_line(text: str) -> str:
    """Line ends made single blanks, blanks around the whole taken off."""
    return _LINE_ENDS.sub(" ", text).strip(" \t\r\n")
