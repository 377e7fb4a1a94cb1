"""The one sanitiser: text from disk in, text that is safe to put on a screen out.

What cannot be seen, or would act on a terminal, becomes a visible sign in its place:

- C0 controls and DEL: their control picture (`␛`, `␀`, `␡`), one cell each;
- bytes that are not UTF-8 (surrogate escapes): `\\xff`;
- C1 controls, bidirectional controls, zero-width characters, tags, line and paragraph separators, stray
  joiners, fillers, noncharacters and every other format character: `<U+202E>`.

Kept: joiners inside emoji and behind letters of scripts that write with them, private use, all spaces.
Dropped without a sign: one variation selector behind a character (U+FE0F makes an emoji two cells wide for
Rich and one for tmux 3.3a; it changes a glyph, never a meaning). A second one in a row is hidden data and
becomes visible. At most `MARKS_KEPT` combining marks stay on one character, the rest become `<+12>`; a mark
without a character before it gets a dotted circle, so that it cannot land on a neighbour's cell.

Secrets are masked here too (`secrets`), for whatever is shown passes here.

Every function is idempotent, and gives ordinary text back as it is, after one look. Markup is not this
module's business: nothing that came from disk may ever be parsed as markup, safe or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from memtui.core.safety.secrets import masked, masked_lines
from memtui.late import re

MARKS_KEPT: Final = 8
"""Combining marks that stay on one character; Vietnamese and pointed Hebrew need three, Tibetan five."""

TAB_CELLS: Final = 4

_DOTTED_CIRCLE: Final = "\u25cc"

_CONTROLS = r"\x00-\x1f\x7f"
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOINERS = r"\u200c\u200d"
_HIDDEN = (
    r"\x80-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
) + "".join(f"\\U{plane:04x}fffe\\U{plane:04x}ffff" for plane in range(1, 17))
_MARKS = (
    r"\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0730-\u074a"
    r"\u08d3-\u08e1\u08e3-\u08ff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    r"\u0f71-\u0f7e\u0f80-\u0f84\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302d\u3099\u309a"
    r"\ua66f-\ua672\ua674-\ua67d\ufe20-\ufe2f"
)
_EMOJI = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# letters that join or split: Hebrew and Arabic to Sinhala, Tibetan, Myanmar, Khmer, Mongolian, Balinese,
# and the Brahmi-derived scripts of the first supplementary plane
_JOINING_SCRIPTS = r"\u0590-\u0dff\u0f00-\u109f\u1780-\u18af\u1b00-\u1cff\ua800-\uabff\U00010a00-\U00011fff"
_SKIN_TONES = r"\U0001f3fb-\U0001f3ff"

_SUSPECT_LINE = re.compile(
    f"[{_CONTROLS}{_SELECTORS}{_JOINERS}{_HIDDEN}]|[{_MARKS}]{{{MARKS_KEPT + 1}}}|^[{_MARKS}]"
)
_SUSPECT_BLOCK = re.compile(
    f"(?:(?!\n)[{_CONTROLS}{_SELECTORS}{_JOINERS}{_HIDDEN}])|[{_MARKS}]{{{MARKS_KEPT + 1}}}|^[{_MARKS}]",
    re.MULTILINE,
)
_SELECTOR = re.compile(f"(?<=[^\\s{_CONTROLS}{_SELECTORS}{_JOINERS}{_HIDDEN}])[{_SELECTORS}]")
_HIDDEN_SIGN = re.compile(
    f"(?P<kept>[{_EMOJI}][{_SKIN_TONES}]?(?:\u200d[{_EMOJI}][{_SKIN_TONES}]?){{1,5}}"
    f"|(?<=[{_JOINING_SCRIPTS}])[{_JOINERS}](?![{_JOINERS}]))"
    f"|(?P<control>[{_CONTROLS}])"
    f"|(?P<flood>(?<=[{_MARKS}]{{{MARKS_KEPT}}})[{_MARKS}]+)"
    f"|(?P<bare>^[{_MARKS}])"
    f"|(?P<hidden>[{_SELECTORS}{_JOINERS}{_HIDDEN}])",
    re.MULTILINE,
)
_ORDINARY_CONTROLS = frozenset("\t\n\r")


def line(text: str, *, is_masked: bool = False) -> str:
    """One row: like `block`, but line ends and tabs become visible too (`␊` `␍` `␉`).

    `is_masked`: it is a part of a text whose secrets are masked already.
    """
    text = text if is_masked else masked(text)
    if text.isascii():
        return text if text.isprintable() else text.translate(_PICTURES)
    if _SUSPECT_LINE.search(text) is None:
        return text
    return _cleaned(text).translate(_PICTURES)


def block(text: str) -> str:
    """Several rows: `\\n` and `\\r\\n` stay line ends (as `\\n`), tabs become spaces up to the next stop."""
    text = masked(text)
    if text.isascii() and text.isprintable():
        return text
    if _SUSPECT_BLOCK.search(text) is None:
        return text
    cleaned = _cleaned(text.replace("\r\n", "\n"))
    return cleaned.expandtabs(TAB_CELLS).translate(_PICTURES_WITHOUT_NEWLINE)


def lines(text: str) -> list[str]:
    """The rows of `block(text)`; no row for the nothing behind a final line end, `[]` for an empty text."""
    rows = block(text).split("\n")
    return rows if rows[-1] else rows[:-1]


def rows(texts: Sequence[str]) -> list[str]:
    """Lines that belong together, each as `line` gives it."""
    return [line(text, is_masked=True) for text in masked_lines(texts)]


def path(name: PurePath | str, *, home: PurePath | None = None) -> str:
    """A path as one row; with `home`, what lies below it starts with `~`."""
    shown = str(name)
    if home is not None and (shown == str(home) or shown.startswith(f"{home}/")):
        shown = "~" + shown[len(str(home)) :]
    return line(shown)


def hidden_characters(text: str) -> int:
    """How many characters of `text` a reader would not see: all that become visible here, except tabs and
    line ends (which are layout), bytes that are not UTF-8 (which are damage) and surplus combining marks."""
    if (text.isascii() and text.isprintable()) or _SUSPECT_BLOCK.search(text) is None:
        return 0
    without_selectors = _SELECTOR.sub("", text)
    return sum(1 for match in _HIDDEN_SIGN.finditer(without_selectors) if _is_hidden(match))


def without_hidden(text: str) -> str:
    """The text without the characters that `hidden_characters` counts; a selector behind one goes along."""
    while hidden_characters(text):
        selectors = {match.start() for match in _SELECTOR.finditer(text)}
        places = [place for place in range(len(text)) if place not in selectors]
        bare = "".join(text[place] for place in places)
        gone = {
            places[place]
            for match in _HIDDEN_SIGN.finditer(bare)
            if _is_hidden(match)
            for place in range(match.start(), match.end())
        }
        gone |= {place for place in selectors if place - 1 in gone}
        text = "".join(character for place, character in enumerate(text) if place not in gone)
    return text


def _is_hidden(match: re.Match[str]) -> bool:
    if match.lastgroup == "control":
        return match[0] not in _ORDINARY_CONTROLS
    return match.lastgroup == "hidden" and not "\udc80" <= match[0] <= "\udcff"


def _cleaned(text: str) -> str:
    """`text` with everything but controls replaced."""
    return _HIDDEN_SIGN.sub(_sign, _SELECTOR.sub("", text))


def _sign(match: re.Match[str]) -> str:
    found = match[0]
    if match.lastgroup in ("kept", "control"):
        return found
    if match.lastgroup == "flood":
        return f"<+{len(found)}>"
    if match.lastgroup == "bare":
        return _DOTTED_CIRCLE + found
    code = ord(found)
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"<U+{code:04X}>"


_PICTURES: Final = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_PICTURES_WITHOUT_NEWLINE: Final = {code: sign for code, sign in _PICTURES.items() if code != 0x0A}
