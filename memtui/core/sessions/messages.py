"""One entry of a session as something to show: its parts, in order, with what is too big as a label.

Kinds and keys: pi-and-zcode sheet A2. Whatever does not have the expected shape is shown as far as it goes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from memtui.core.sessions.base import Branch, Kind, Message, Part
from memtui.core.sessions.records import parse_object
from memtui.core.sessions.texts import session_name
from memtui.core.sessions.times import message_time
from memtui.i18n import _

ARGUMENT_CHARACTERS = 300
_MAIN_ARGUMENTS = ("command", "path", "file_path", "pattern", "query", "url", "name")

Json = Mapping[str, Any]


def decode(
    data: bytes,
    offset: int,
    kind: Kind,
    *,
    branch: Branch = "unknown",
    recovered: bool = False,
    labels: Mapping[str, str] | None = None,
) -> Message:
    """The message that the bytes of a record make; unreadable bytes make one that says so. Never raises."""
    record = parse_object(data) if kind != "damaged" else None
    if record is None:
        return damaged(data, offset, branch)
    entry_id = _text(record, "id")
    message = record.get("message")
    body: Json = message if isinstance(message, dict) else {}
    role = _text(body, "role")
    parts = _of_message(role, body) if record.get("type") == "message" else _of_entry(record)
    provider, model = _text(body, "provider"), _text(body, "model")
    return Message(
        offset=offset,
        length=len(data),
        kind=kind,
        role=role,
        entry_id=entry_id,
        parent_id=_text(record, "parentId"),
        timestamp=message_time(record),
        parts=tuple(parts),
        branch=branch,
        label=(labels or {}).get(entry_id, ""),
        model=f"{provider}/{model}" if provider and model else model,
        stop_reason=_text(body, "stopReason"),
        recovered=recovered,
        hidden=role == "system" or record.get("display") is False or body.get("display") is False,
    )


def damaged(data: bytes, offset: int, branch: Branch = "unknown") -> Message:
    """Bytes that no program can read as a record, shown as text."""
    if not data.strip(b"\0"):
        what = Part("damaged", _("{count} zero bytes").format(count=len(data)), size_bytes=len(data))
    else:
        shown = data[: 4 * ARGUMENT_CHARACTERS].decode("utf-8", "surrogateescape")
        what = Part("damaged", shown, size_bytes=len(data))
    return Message(offset, len(data), "damaged", parts=(what,), branch=branch)


def too_long(head: bytes, offset: int, length: int, kind: Kind, branch: Branch = "unknown") -> Message:
    """A record above the cap: a label with its size, and how it begins."""
    begins = head[:ARGUMENT_CHARACTERS].decode("utf-8", "replace")
    return Message(offset, length, kind, parts=(Part("oversized", begins, size_bytes=length),), branch=branch)


def arguments_line(arguments: Any) -> str:
    """A tool call's arguments as one row: the telling one first, then the others as `key=value`."""
    if not isinstance(arguments, dict):
        return _row("" if arguments is None else _compact(arguments))
    main = next((name for name in _MAIN_ARGUMENTS if isinstance(arguments.get(name), str)), None)
    pieces = [arguments[main]] if main else []
    for name, value in arguments.items():
        if name != main and sum(map(len, pieces)) < ARGUMENT_CHARACTERS:
            pieces.append(f"{name}={value if isinstance(value, str) else _compact(value)}")
    return _row(" ".join(piece[: 2 * ARGUMENT_CHARACTERS] for piece in pieces))


def _of_message(role: str, body: Json) -> list[Part]:
    make = _ROLES.get(role)
    return make(body) if make is not None else _blocks(body.get("content"))


def _assistant(body: Json) -> list[Part]:
    parts = _blocks(body.get("content"))
    if error := _text(body, "errorMessage"):
        parts.append(Part("note", error, is_error=True))
    return parts


def _system(body: Json) -> list[Part]:
    sections = body.get("sections")
    named = sections.items() if isinstance(sections, dict) else ()
    notes = [Part("note", text, str(name)) for name, text in named if isinstance(text, str)]
    return [*_blocks(body.get("content")), *notes]


def _tool_result(body: Json) -> list[Part]:
    name, is_error = _text(body, "toolName"), body.get("isError") is True
    parts = _blocks(body.get("content"))
    results = [
        Part("tool_result", part.text, name, is_error) if part.kind == "text" else part for part in parts
    ]
    return results or [Part("tool_result", "", name, is_error)]


def _bash(body: Json) -> list[Part]:
    code = body.get("exitCode")
    failed = body.get("cancelled") is True or (isinstance(code, int) and code != 0)
    parts = [Part("bash", _text(body, "output"), _text(body, "command"), failed)]
    notes = {
        _("exit code {code}").format(code=code): isinstance(code, int) and code != 0,
        _("cancelled"): body.get("cancelled") is True,
        _("output cut by pi"): body.get("truncated") is True,
        _("not sent to the model"): body.get("excludeFromContext") is True,
    }
    return parts + [Part("note", note) for note, applies in notes.items() if applies]


def _custom(body: Json) -> list[Part]:
    return [Part("note", _text(body, "customType")), *_blocks(body.get("content"))]


def _summary(body: Json) -> list[Part]:
    return [Part("text", _text(body, "summary") or _text(body, "content"))]


_ROLES: dict[str, Callable[[Json], list[Part]]] = {
    "system": _system,
    "assistant": _assistant,
    "toolResult": _tool_result,
    "bashExecution": _bash,
    "custom": _custom,
    "hookMessage": _custom,
    "branchSummary": _summary,
    "compactionSummary": _summary,
}


def _blocks(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [Part("text", content)] if content else []
    if not isinstance(content, list):
        return []
    return [part for block in content if isinstance(block, dict) for part in _block(block)]


def _block(block: Json) -> list[Part]:
    match block.get("type"):
        case "text":
            return [Part("text", _text(block, "text"))]
        case "thinking":
            redacted = block.get("redacted") is True
            return [Part("thinking", _("(withheld by the provider)") if redacted else _text(block, "thinking"))]
        case "image":
            return [Part("image", "", _text(block, "mimeType"), size_bytes=_image_bytes(block.get("data")))]
        case "toolCall":
            return [Part("tool_call", arguments_line(block.get("arguments")), _text(block, "name"))]
        case other:
            return [Part("note", _row(f"{other}: {_compact(block)}"))]


def _image_bytes(data: Any) -> int:
    if not isinstance(data, str):
        return 0
    return len(data) * 3 // 4 - data[-2:].count("=")


def _of_entry(record: Json) -> list[Part]:
    match record.get("type"):
        case "compaction" | "branch_summary":
            return [Part("text", _text(record, "summary"))]
        case "custom_message":
            return _custom(record)
        case "custom":
            return [
                Part("note", _row(f"{_text(record, 'customType')} {_compact(record.get('data'))}".rstrip()))
            ]
        case "label":
            return [Part("note", _text(record, "label"), _text(record, "targetId"))]
        case "session_info":
            return [Part("note", session_name(dict(record)))]
        case "model_change":
            return [Part("note", f"{_text(record, 'provider')}/{_text(record, 'modelId')}")]
        case "thinking_level_change":
            return [Part("note", _text(record, "thinkingLevel"))]
        case "usage":
            return [Part("note", _text(record, "note") or _text(record, "kind"))]
        case "context_edit":
            replaced = record.get("replacement") is not None
            said = _("replaced for the model") if replaced else _("hidden from the model")
            return [Part("note", said, _text(record, "targetId"))]
        case "session":
            return [Part("note", _text(record, "cwd"), _text(record, "id"))]
        case _other:
            return [Part("note", _row(_compact(record)))]


def _text(record: Json, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _compact(value: Any) -> str:
    if value is None:
        return ""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return "…"


def _row(text: str) -> str:
    return " ".join(text[: 4 * ARGUMENT_CHARACTERS].split())[:ARGUMENT_CHARACTERS]
