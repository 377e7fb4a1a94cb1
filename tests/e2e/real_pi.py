"""The real pi in a tmux of its own, with extensions that write down what reaches them."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shutil
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.editor_screen import Editor, Look, State, look_at, read_editor
from memtui.core.agents.tmux import Tmux

PI = shutil.which("pi")
TMUX = shutil.which("tmux")
WHY_NOT = "needs the real pi and tmux on PATH"

LIMIT_S = 30.0

LOGGING = """import { appendFileSync } from "node:fs";
const log = (what) => appendFileSync(process.env.PROBE_LOG, JSON.stringify(what) + "\\n");
"""

WITH_COMPLETIONS = (
    LOGGING
    + """export default function (pi) {
  pi.registerCommand("memory", {
    description: "Manage persistent memory. Subcommands: status, reload",
    getArgumentCompletions: (start) =>
      ["status", "reload"].filter((word) => word.startsWith(start)).map((word) => ({ value: word, label: word })),
    handler: async (args, ctx) => { log({ ran: "amaster", args }); ctx.ui.notify("done " + args, "info"); },
  });
}
"""
)
"""As amaster's: with completions of its arguments."""

WITHOUT_COMPLETIONS = (
    LOGGING
    + """export default function (pi) {
  pi.registerCommand("memory", {
    description: "WORDS",
    handler: async (args, ctx) => { log({ ran: "OWNER", args }); ctx.ui.notify("done " + args, "info"); },
  });
}
"""
)

WATCHING = (
    LOGGING
    + """export default function (pi) {
  pi.on("input", async (event) => log({ prompt: event.text }));
  pi.on("session_start", async (event) => {
    log({ session: event.reason });
    if (event.reason === "startup") await new Promise((go) => setTimeout(go, Number(process.env.PROBE_WAIT_MS)));
  });
  const overlay = (_tui, _theme, _keys, done) => ({
    render: () => ["+-------+", "| hello |", "+-------+"],
    invalidate() {},
    handleInput(data) { log({ overlay: data }); if (data === "q") done("closed"); },
  });
  pi.registerCommand("ask", {
    handler: async (what, { ui }) => {
      const answer =
        what === "confirm" ? await ui.confirm("Dream?", "Really?")
        : what === "select" ? await ui.select("Pick one", ["one", "two"])
        : what === "input" ? await ui.input("Say it", "here")
        : what === "editor" ? await ui.editor("Write it", "")
        : await ui.custom(overlay, { overlay: true });
      if (answer) log({ answered: what, answer });
    },
  });
}
"""
)
"""Logs every prompt and every session, and opens dialogs by `/ask KIND`."""


def without_completions(owner: str, words: str) -> str:
    """An extension with a `/memory` that is described in these words."""
    return WITHOUT_COMPLETIONS.replace("OWNER", owner).replace("WORDS", words)


class RealPi:
    """One pi in a pane; `agent` is what memtui would take it for. `log` has what reached its extensions."""

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        address: str,
        extensions: Mapping[str, str],
        *,
        settings: Mapping[str, Any] | None = None,
        wait_ms: int = 0,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        home, agent = folder / "home", folder / "home" / ".pi" / "agent"
        (agent / "extensions").mkdir(parents=True)
        work = home / "work"
        work.mkdir()
        self._log = folder / "log"
        self._log.touch()
        self._read = 0
        self._client: subprocess.Popen[bytes] | None = None
        for name, text in {"watching": WATCHING, **extensions}.items():
            (agent / "extensions" / f"{name}.js").write_text(text)
        model = {"id": "m", "name": "M", "contextWindow": 128_000, "maxTokens": 1024}
        provider = {"baseUrl": address, "apiKey": "none", "api": "openai-completions", "models": [model]}
        (agent / "models.json").write_text(json.dumps({"providers": {"own": provider}}))
        own = {"defaultProvider": "own", "defaultModel": "m", "enableInstallTelemetry": False}
        own |= {"cacheWarming": "off", "lastChangelogVersion": "1.6.0", "compaction": {"keepRecentTokens": 1}}
        (agent / "settings.json").write_text(json.dumps({**own, **(settings or {})}))
        self._socket = folder / "t"
        variables = {
            "HOME": str(home),
            "PATH": environ["PATH"],
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "PI_CODING_AGENT_DIR": str(agent),
            "PROBE_LOG": str(self._log),
            "PROBE_WAIT_MS": str(wait_ms),
        }
        self.sessions = agent / "sessions"
        self._start = (
            "env",
            "-i",
            *(f"{name}={value}" for name, value in variables.items()),
            "pi",
            "--offline",
        )
        self._environ = {"PATH": environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        width, height = map(str, size)
        self.tmux("new-session", "-d", "-x", width, "-y", height, "-c", str(work), *self._start)
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", width, "-y", height)
        self._work = work
        self.pane = self.tmux("display-message", "-p", "#{pane_id}").strip()
        self.seam = Tmux({**self._environ, "TMUX": f"{self._socket},1,0"})

    @property
    def agent(self) -> Agent:
        """This pi, with its session where there is one."""
        pane = Pane(self.pane, "@0", "0:0.0", 1, "pi", "π - work", str(self._work))
        return Agent("pi", 0, str(self._work), pane, tuple(sorted(self.sessions.rglob("*.jsonl"))))

    def restart(self) -> None:
        """A new pi in the pane."""
        self.tmux("respawn-pane", "-k", "-t", self.pane, "-c", str(self._work), *self._start)

    def tmux(self, *words: str) -> str:
        """One tmux command; what it prints."""
        command = ["tmux", "-u", "-f", "/dev/null", "-S", str(self._socket), *words]
        done = subprocess.run(command, env=self._environ, capture_output=True, text=True, check=True)
        return done.stdout

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names."""
        self.tmux("send-keys", "-t", self.pane, *names)

    def type(self, text: str) -> None:
        """Type characters."""
        self.tmux("send-keys", "-t", self.pane, "-l", text)

    def look(self) -> Look:
        """What is on the pane now."""
        return look_at(self.seam, self.pane)

    @property
    def editor(self) -> Editor:
        """Its editor now."""
        return read_editor(self.look())

    @property
    def text(self) -> str:
        """The screen."""
        return "\n".join(self.look().rows)

    def wait(self, condition: Callable[[], object], what: str = "") -> None:
        """Until something holds; a test that waits in vain fails."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, f"{what} never came:\n{self.text}"
            time.sleep(0.01)

    def wait_for(self, words: str) -> None:
        """Until words are on the screen."""
        self.wait(lambda: words in self.text, words)

    def wait_empty(self) -> None:
        """Until the editor is empty, without blanks too."""
        self.wait(lambda: self.editor.state is State.EMPTY and not self.editor.cursor_x, "an empty editor")

    def wait_ready(self) -> None:
        """Until pi is up with its extensions."""
        self.wait_for("[Extensions]")
        self.wait_empty()

    def command(self, line: str) -> None:
        """Give pi a line as a person would, past the suggestions."""
        self.tmux("set-buffer", "-b", "own", line)
        self.tmux("paste-buffer", "-p", "-d", "-b", "own", "-t", self.pane)
        self.wait(lambda: any(line in row for row in self.editor.rows), line)
        self.keys("Enter")

    def news(self) -> list[dict[str, Any]]:
        """What was logged since the last call."""
        data = self._log.read_bytes()[self._read :]
        data = data[: data.rfind(b"\n") + 1]
        self._read += len(data)
        return [json.loads(line) for line in data.splitlines()]

    def attach(self) -> None:
        """A terminal of a person's, attached to it."""
        self._terminal, other = pty.openpty()
        termios.tcsetwinsize(other, (self.look().height, self.look().width))
        words = ["tmux", "-u", "-S", str(self._socket), "attach-session"]
        self._client = subprocess.Popen(words, stdin=other, stdout=other, stderr=other, env=self._environ)
        os.close(other)
        threading.Thread(target=self._drain).start()
        self.wait(lambda: self.tmux("list-clients"), "a client")

    def press(self, text: str) -> None:
        """Type in the person's terminal."""
        os.write(self._terminal, text.encode())

    def _drain(self) -> None:
        with contextlib.suppress(OSError):
            while os.read(self._terminal, 1 << 16):
                pass

    def close(self) -> None:
        """End it."""
        self.tmux("kill-server")
        if self._client is not None:
            self._client.wait()
            os.close(self._terminal)
