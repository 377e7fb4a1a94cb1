"""YAML 1.2 values of a block, composed from PyYAML's events with the corrections that need the whole text.

PyYAML is a YAML 1.1 parser. It refuses signs that 1.2 accepts or takes them for line ends, lets text at the
margin and comments without a blank pass, and reports neither keys that are there twice nor unknown aliases.
Source: YAML 1.2.2, and measurements with the `yaml` package that ZCode's manifest reader uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from memtui.core.text.frontmatter_model import Path
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass, field

if TYPE_CHECKING:
    import yaml

Kind = Literal["str", "null", "bool", "int", "float", "map", "seq"]

_CORE = re.compile(
    r"(?P<null>|~|null|Null|NULL)"
    r"|(?P<bool>true|True|TRUE|false|False|FALSE)"
    r"|(?P<int>[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))"
)
REFUSED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n)"
)
_HEADER_COMMENT = re.compile(r"[|>][0-9+-]*#")
_STANDARD_TAG = "tag:yaml.org,2002:"
_TAGGED: dict[str, Kind] = {"null": "null", "bool": "bool", "int": "int", "float": "float"}
# private-use planes stand in for signs that the parser refuses; the numbers keep one sign one sign
_STAND_IN, _STAND_IN_SURROGATE = 0xF0000, 0x100000


@dataclass(frozen=True, slots=True)
class StrictValue:
    """One value of a block as a strict reader has it; `text` is empty for a map or a list."""

    kind: Kind
    text: str = ""


class RejectedError(Exception):
    """A strict reader stops here: one sentence, and the line of the block (from 0)."""

    def __init__(self, message: str, line: int, *, is_repeat: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.is_repeat = is_repeat


def compose(lines: list[str]) -> dict[Path, StrictValue]:
    """The values of a block's lines (without line ends) by path. Raises RejectedError."""
    return _Composer(lines).values()


def core_kind(text: str) -> Kind:
    """What a bare word is in the YAML 1.2 core schema."""
    match = _CORE.fullmatch(text)
    return match.lastgroup if match else "str"  # type: ignore[return-value]


@dataclass(slots=True)
class _Frame:
    kind: Literal["map", "seq"]
    path: Path | None
    margin: int
    is_flow: bool
    first_line: int
    seen: set[tuple[Kind, object]] = field(default_factory=set)
    key: str | None = None
    count: int = 0
    anchor: str | None = None


class _Composer:
    """Events to values, with the corrections that need more than one event."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = [REFUSED.sub(_stand_in, line) for line in lines]
        self._values: dict[Path, StrictValue] = {}
        self._anchors: dict[str, StrictValue] = {}
        self._frames: list[_Frame] = []

    def values(self) -> dict[Path, StrictValue]:
        import yaml

        documents = 0
        for event in _events("\n".join(self._lines) + "\n"):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    mark: Any = event.start_mark
                    raise RejectedError(_("a second document begins here"), mark.line)
            elif isinstance(event, yaml.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self._open(event, "map" if isinstance(event, yaml.MappingStartEvent) else "seq")
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close(event)
        return self._values

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark, event.end_mark
        if event.style in ("'", '"'):
            self._check_margin(start.line, end.line, end.column)
            self._check_behind(end.line, end.column)
        elif event.style in ("|", ">") and _HEADER_COMMENT.search(self._lines[start.line], start.column):
            raise RejectedError(_("a comment needs a blank before its #"), start.line)
        text = _restored(event.value)
        tag = event.tag
        kind: Kind = "str"
        if tag is None and event.implicit[0] and event.style not in ("'", '"', "|", ">"):
            kind = core_kind(text)
        elif tag is not None and tag.startswith(_STANDARD_TAG):
            wanted = tag[len(_STANDARD_TAG) :]
            kind = _TAGGED.get(wanted, "str")
        value = StrictValue(kind, text)
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        self._deliver(value, start.line)

    def _alias(self, event: Any) -> None:
        value = self._anchors.get(event.anchor)
        if value is None:
            message = _("*{name} points to an anchor that is not there").format(name=event.anchor)
            raise RejectedError(message, event.start_mark.line)
        self._deliver(value, event.start_mark.line)

    def _open(self, event: Any, kind: Literal["map", "seq"]) -> None:
        parent = self._frames[-1] if self._frames else None
        is_flow = bool(event.flow_style)
        margin = parent.margin if is_flow and parent else event.start_mark.column if not is_flow else -1
        path: Path | None = ()
        if parent is not None:
            path = self._path_below(parent)
        frame = _Frame(kind, path, margin, is_flow, event.start_mark.line, anchor=event.anchor)
        self._frames.append(frame)

    def _close(self, event: Any) -> None:
        frame = self._frames.pop()
        if frame.is_flow and not (self._frames and self._frames[-1].is_flow):
            self._frames.append(frame)
            self._check_margin(frame.first_line, event.end_mark.line, event.end_mark.column)
            self._frames.pop()
            self._check_behind(event.end_mark.line, event.end_mark.column)
        value = StrictValue(frame.kind)
        if frame.anchor is not None:
            self._anchors[frame.anchor] = value
        self._deliver(value, frame.first_line)

    @staticmethod
    def _path_below(frame: _Frame) -> Path | None:
        if frame.path is None:
            return None
        if frame.kind == "seq":
            return (*frame.path, str(frame.count))
        return None if frame.key is None else (*frame.path, frame.key)

    def _deliver(self, value: StrictValue, line: int) -> None:
        if not self._frames:
            self._values[()] = value
            return
        frame = self._frames[-1]
        if frame.kind == "map" and frame.key is None:
            identity = _identity(value)
            if identity is not None and identity in frame.seen:
                message = _("the key {name} is there twice").format(name=value.text or "~")
                raise RejectedError(message, line, is_repeat=True)
            if identity is not None:
                frame.seen.add(identity)
            frame.key = value.text
            return
        path = self._path_below(frame)
        if path is not None:
            self._values[path] = value
        frame.key = None
        frame.count += 1

    def _check_margin(self, first: int, last: int, end_column: int) -> None:
        margin = self._frames[-1].margin if self._frames else -1
        for number in range(first + 1, min(last + 1, len(self._lines))):
            text = self._lines[number]
            stripped = text.lstrip(" ")
            if not stripped.strip(" \t") or stripped[0] == "#" or len(text) - len(stripped) > margin:
                continue
            closes = stripped[0] in "]}" and number == last and end_column == len(text) - len(stripped) + 1
            if not (closes and len(text) - len(stripped) == margin):
                raise RejectedError(_("this line has to be indented"), number)

    def _check_behind(self, line: int, column: int) -> None:
        if line < len(self._lines) and self._lines[line][column : column + 1] == "#":
            raise RejectedError(_("a comment needs a blank before its #"), line)


def _identity(value: StrictValue) -> tuple[Kind, object] | None:
    """What makes two keys the same for the owner's reader: `1` and `1.0`, `true` and `True` are."""
    if value.kind in ("map", "seq"):
        return None
    if value.kind in ("int", "float"):
        number = _number(value.text)
        return None if number != number else ("float", number)
    if value.kind == "bool":
        return ("bool", value.text.casefold())
    return (value.kind, value.text if value.kind == "str" else "")


def _number(text: str) -> float:
    word = text.casefold().replace(".inf", "inf").replace(".nan", "nan")
    try:
        if word.startswith(("0o", "0x")):
            return float(int(word, 0))
        return float(word)
    except (ValueError, OverflowError):
        return float("nan")


def _events(text: str) -> Iterator[Any]:
    import yaml

    try:
        yield from yaml.parse(text, Loader=_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        raise RejectedError(_sentence(error, text.split("\n")[line]), line) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise RejectedError(_("this is not YAML"), 0) from None


@cache
def _loader() -> Any:
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _stand_in(match: re.Match[str]) -> str:
    number = ord(match.group())
    if 0xD800 <= number <= 0xDFFF:
        return chr(_STAND_IN_SURROGATE + number - 0xD800)
    return chr(_STAND_IN + number)


def _restored(text: str) -> str:
    if text.isascii() or max(text) < chr(_STAND_IN):
        return text
    return "".join(_original(character) for character in text)


def _original(character: str) -> str:
    number = ord(character)
    if _STAND_IN_SURROGATE <= number < _STAND_IN_SURROGATE + 0x800:
        return chr(number - _STAND_IN_SURROGATE + 0xD800)
    if number >= _STAND_IN and REFUSED.match(chr(number & 0xFFFF)):
        return chr(number & 0xFFFF)
    return character


def _sentence(error: yaml.MarkedYAMLError, line: str) -> str:
    """One plain sentence for the parser's own words."""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return _("a tab cannot be used to indent")
    words = f"{error.context or ''} {error.problem or ''}"
    for part, sentence in _sentences():
        if part in words:
            return sentence
    return _("not valid YAML: {words}").format(words=" ".join(words.split()))


def _sentences() -> tuple[tuple[str, str], ...]:
    return (
        ("mapping values are not allowed", _("a value with a colon and a blank has to be in quotes")),
        ("tab character", _("a tab cannot be used to indent")),
        ("cannot start any token", _("a value that starts with such a sign has to be in quotes")),
        ("sequence entries are not allowed", _("a value that starts with a dash has to be in quotes")),
        ("block sequence", _("a value that starts with a dash has to be in quotes")),
        ("mapping keys are not allowed", _("a value that starts with a question mark has to be in quotes")),
        ("alias", _("a value that starts with * has to be in quotes")),
        ("anchor", _("a value that starts with & has to be in quotes")),
        ("tag", _("a value that starts with ! has to be in quotes")),
        ("quoted scalar", _("a quote is not closed")),
        ("flow sequence", _("a value that starts with [ has to be in quotes, or the list be closed")),
        ("flow mapping", _("a value that starts with { has to be in quotes, or the braces be closed")),
        ("flow node", _("a bracket or brace is not closed")),
        ("comment or line break", _("no text may stand behind | or >")),
        ("simple key", _("a line without a colon stands among the keys")),
        ("block mapping", _("text stands behind a value, or a line is indented wrongly")),
    )
