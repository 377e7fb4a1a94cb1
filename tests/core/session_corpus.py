"""Seeded sessions as pi writes them, for tests: small by default, of any size for measurements."""

from __future__ import annotations

import base64
import json
import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
WORDS = [
    *("cache", "parser", "index", "the", "a", "of", "build", "test", "error", "増分", "索引", "fix", "move"),
    *("read", "file", "line", "value", "state", "when", "\\d+", "{x}", '"q"'),
]


def iso(moment: datetime) -> str:
    """A moment as pi writes it: UTC, milliseconds, `Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def ms(moment: datetime) -> int:
    """A moment in epoch milliseconds."""
    return int(moment.timestamp() * 1000)


def line(record: dict[str, Any]) -> bytes:
    """One record as JavaScript's JSON.stringify writes it, with its line end."""
    return (
        json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
    )


def header(cwd: str = "/home/dev/app", session_id: str = "s-1", **more: Any) -> bytes:
    """A version 3 header line; keywords replace or add keys, None removes one."""
    record = {"type": "session", "version": 3, "id": session_id, "timestamp": iso(START), "cwd": cwd, **more}
    return line({name: value for name, value in record.items() if value is not None})


class Writer:
    """Builds the bytes of one session, entry by entry, each the child of the one before unless told."""

    def __init__(self, cwd: str = "/home/dev/app", session_id: str = "s-1", **more: Any) -> None:
        self.data = bytearray(header(cwd, session_id, **more))
        self.parent: str | None = None
        self.moment = START
        self.number = 0

    def entry(self, kind: str, *, parent: str | None = "", entry_id: str = "", **keys: Any) -> str:
        """Append an entry of a type and return its id."""
        self.number += 1
        self.moment += timedelta(seconds=7)
        entry_id = entry_id or f"{self.number:08x}"
        above = self.parent if parent == "" else parent
        self.data += line(
            {"type": kind, "id": entry_id, "parentId": above, "timestamp": iso(self.moment), **keys}
        )
        self.parent = entry_id
        return entry_id

    def message(
        self, role: str, content: Any, *, parent: str | None = "", entry_id: str = "", **keys: Any
    ) -> str:
        """Append a message entry and return its id."""
        stamp = {"timestamp": ms(self.moment + timedelta(seconds=7))}
        message = {"role": role, "content": content, **keys}
        return self.entry("message", parent=parent, entry_id=entry_id, message=message | stamp)

    def user(self, text: str, **keys: Any) -> str:
        """Append what the person said."""
        return self.message("user", [{"type": "text", "text": text}], **keys)

    def assistant(self, text: str, **keys: Any) -> str:
        """Append what the agent said."""
        return self.message("assistant", [{"type": "text", "text": text}], stopReason="stop", **keys)

    def tool(self, text: str, name: str = "bash", *, is_error: bool = False, **keys: Any) -> str:
        """Append a tool's result."""
        content = [{"type": "text", "text": text}]
        return self.message("toolResult", content, toolCallId="c", toolName=name, isError=is_error, **keys)

    def raw(self, data: bytes) -> None:
        """Append bytes as they are."""
        self.data += data

    def save(self, path: Path, mtime: datetime | None = None) -> Path:
        """Write the file (its directories too) and return its path."""
        return put(path, bytes(self.data), mtime)


def put(path: Path, data: bytes, mtime: datetime | None = None) -> Path:
    """Write a file, its directories too, with a time of last change where one is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if mtime is not None:
        os.utime(path, (mtime.timestamp(), mtime.timestamp()))
    return path


def words(rng: random.Random, size_bytes: int) -> str:
    """Text of about a size, with line ends, quotes, braces and CJK in it."""
    paragraph = " ".join(rng.choice(WORDS) + rng.choice(("", "", ".", "\n")) for _ in range(400))
    return (paragraph * (size_bytes // len(paragraph) + 1))[:size_bytes]


def grown(rng: random.Random, size_bytes: int, session_id: str = "s-1", cwd: str = "/home/dev/app") -> Writer:
    """A session of about a size with the usual mix: half tool results, some images, names, thinking."""
    session = Writer(cwd, session_id)
    session.moment = START + timedelta(hours=rng.randrange(500))
    session.entry("model_change", provider="fake", modelId="fake-1")
    while len(session.data) < size_bytes:
        blocks: list[dict[str, Any]] = [{"type": "text", "text": words(rng, rng.choice((60, 150, 400)))}]
        if rng.random() < 0.05 and size_bytes > 300_000:
            data = base64.b64encode(rng.randbytes(rng.randrange(90_000, 200_000))).decode()
            blocks.append({"type": "image", "data": data, "mimeType": "image/png"})
        session.message("user", blocks)
        for _ in range(rng.choice((0, 1, 2, 3, 5, 8))):
            call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": words(rng, 300)}}
            thought = {"type": "thinking", "thinking": words(rng, 200), "thinkingSignature": "x" * 400}
            usage = {"input": 1, "output": 2, "cost": {"input": 0.1, "total": 0.2}}
            more = {"api": "a", "provider": "p", "model": "m", "usage": usage, "stopReason": "toolUse"}
            session.message("assistant", [thought, call], **more)
            session.tool(words(rng, min(50_000, max(200, int(rng.lognormvariate(8.1, 1.0))))))
        session.assistant(words(rng, rng.choice((200, 600, 1500))))
        if rng.random() < 0.02:
            session.entry("session_info", name=f"name {session.number}")
    return session
