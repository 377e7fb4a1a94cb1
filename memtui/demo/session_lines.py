"""Building pi sessions as data: the lines that pi 1.6 writes, with fixed ids and times."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

_STEP = timedelta(seconds=41)


class SessionLines:
    """One session in the making. Each entry is the child of the one before it, unless `go_back` said otherwise.

    `number` makes the ids of a session unique; `start` is the moment of its header (UTC).
    """

    def __init__(self, number: int, cwd: str, start: datetime, *, version: int = 3, parent: str = "") -> None:
        self.id = f"01a1{number:04x}-5e41-70b8-af72-{number:012x}"
        self.start = start
        self.moment = start
        self._number = number
        self._count = 0
        self._last: str | None = None
        self._is_tree = version >= 2
        header: dict[str, Any] = {"type": "session", "version": version, "id": self.id}
        header |= {"timestamp": iso(start), "cwd": cwd}
        if version == 1:
            del header["version"]
        if parent:
            header["parentSession"] = parent
        self.data = encode(header)

    @property
    def file_name(self) -> str:
        """The name that pi gives the file."""
        return f"{iso(self.start).replace(':', '-').replace('.', '-')}_{self.id}.jsonl"

    def entry(self, kind: str, **keys: Any) -> str:
        """Any entry; returns its id."""
        self._count += 1
        self.moment += _STEP
        entry_id = f"{self._number:04x}{self._count:04x}"
        base: dict[str, Any] = {"type": kind}
        if self._is_tree:
            base |= {"id": entry_id, "parentId": self._last}
        self.data += encode(base | {"timestamp": iso(self.moment)} | keys)
        self._last = entry_id
        return entry_id

    def go_back(self, entry_id: str | None) -> None:
        """The next entry is a child of this one: another branch."""
        self._last = entry_id

    def raw(self, data: bytes) -> None:
        """Bytes as they are: damage."""
        self.data += data

    def user(self, text: str, *, image: str = "") -> str:
        """A person's message, with an image of so many base64 characters."""
        blocks: list[Mapping[str, Any]] = [{"type": "text", "text": text}]
        if image:
            blocks.append({"type": "image", "data": image, "mimeType": "image/png"})
        return self._message({"role": "user", "content": blocks})

    def agent(self, text: str, *, thinking: str = "", stop: str = "stop") -> str:
        """The agent's answer."""
        blocks: list[Mapping[str, Any]] = []
        if thinking:
            blocks.append({"type": "thinking", "thinking": thinking})
        blocks.append({"type": "text", "text": text})
        return self._message(_assistant(blocks, stop))

    def tool(self, name: str, arguments: Mapping[str, Any], output: str, *, failed: bool = False) -> str:
        """A tool call and its result."""
        call = f"call_{self._number}_{self._count}"
        block = {"type": "toolCall", "id": call, "name": name, "arguments": arguments}
        self._message(_assistant([block], "toolUse"))
        return self._message(
            {
                "role": "toolResult",
                "toolCallId": call,
                "toolName": name,
                "content": [{"type": "text", "text": output}],
                "isError": failed,
            }
        )

    def bash(self, command: str, output: str, *, hidden: bool = False) -> str:
        """A command that the person ran with `!` (or `!!`, which the agent does not see)."""
        message: dict[str, Any] = {"role": "bashExecution", "command": command, "output": output}
        message |= {"exitCode": 0, "cancelled": False, "truncated": False}
        return self._message(message | ({"excludeFromContext": True} if hidden else {}))

    def _message(self, message: dict[str, Any]) -> str:
        stamp = int((self.moment + _STEP).timestamp() * 1000)
        return self.entry("message", message=message | {"timestamp": stamp})


def iso(moment: datetime) -> str:
    """A moment as pi writes it: UTC, milliseconds, `Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def encode(record: Mapping[str, Any]) -> bytes:
    """One line as JavaScript's JSON.stringify writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _assistant(blocks: list[Mapping[str, Any]], stop: str) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": blocks,
        "api": "openai-completions",
        "provider": "example",
        "model": "example-1",
        "usage": {"input": 120, "output": 40, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 160},
        "stopReason": stop,
    }
