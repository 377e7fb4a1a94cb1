"""A model server of one's own for the real pi, on loopback: it answers every request with the same few words.

Asked with `call NAME {…}` it has the agent call that tool with these arguments instead.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

SLOW = "SLOWLY"
"""A message with this word is answered for some seconds."""


class _Answers(BaseHTTPRequestHandler):
    heard: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """One streamed answer: the last words it was asked, or the call of a tool."""
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        content = (request.get("messages") or [{}])[-1].get("content") or ""
        if not isinstance(content, str):
            content = " ".join(part.get("text", "") for part in content)
        self.heard.append(content)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        said, reason_to_end = {"role": "assistant", "content": f"heard: {content[-40:]}"}, "stop"
        if content.startswith("call "):
            _call, name, arguments = content.split(" ", 2)
            function = {"name": name, "arguments": arguments}
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            said, reason_to_end = {"role": "assistant", "tool_calls": [call]}, "tool_calls"
        pieces = 60 if SLOW in content else 0
        more = [({"content": f" {number}"}, None) for number in range(pieces)]
        for delta, reason in ((said, None), *more, ({}, reason_to_end)):
            if pieces:
                time.sleep(0.05)
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            chunk = {
                "id": "c-1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
            self.wfile.write(
                b"data: " + json.dumps(chunk | ({"usage": usage} if reason else {})).encode() + b"\n\n"
            )
        self.wfile.write(b"data: [DONE]\n\n")

    def handle(self) -> None:
        """Whoever asked may be gone before the end."""
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def model_server(heard: list[str] | None = None) -> Iterator[str]:
    """The base address of a running server; what it is asked is added to `heard`."""
    answers = type("Answers", (_Answers,), {"heard": [] if heard is None else heard})
    server = ThreadingHTTPServer(("127.0.0.1", 0), answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
