"""A home whose memory has grown for months, with something of everything to put right; and two writers in it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtui.core.locate.claude import encoded_name
from memtui.core.sessions.pi_places import session_dir_name
from memtui.demo.session_lines import SessionLines
from memtui.demo.tree import Item, put, text

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MEMORIES, INDEX_LINES, SESSIONS = 60, 205, 30
DEAD = ("dead-1.md", "dead-2.md", "dead-3.md")
ORPHANS = ("orphan-1.md", "orphan-2.md", "orphan-3.md", "orphan-4.md")
SESSION_OF_SSH = "000000000004.jsonl"
"""How the name of the session ends in which ssh is spoken of."""
HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202e\u200b\x9b31m"
"""What would clear a terminal, name its window, turn words round and colour them."""

COLON = "colon.md"
WORKLOG = "worklog.md"
DRIFTED = "The cart is kept in Redis.\n\n§\nCI needs node 22.\n"
_NEAR = "Run the linter and the type checker before you open a pull request on port 8080 of the gateway."
_TWINS = {
    "tea.md": "The user likes green tea in the morning.",
    "green-tea.md": "The user likes green tea in the morning.",
    "lint-first.md": f"{_NEAR}\nThe gateway runs both again, and it takes long.",
    "lint-again.md": f"{_NEAR}\nThe gateway runs both once more, and that takes long.",
}
TWINS = tuple(_TWINS)
"""Two pairs: of one text, and of nearly one."""

_WORDS = (
    *("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron"),
    *("inlet", "jetty", "karst", "lagoon", "maple", "north", "ochre", "pearl"),
)


def _fact(name: str, description: str, body: str) -> str:
    head = f"name: {name}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: project\n"
    return f"---\n{head}---\n\n{body}\n"


@dataclass(frozen=True)
class GrownHome:
    """Where everything is."""

    home: Path
    project: Path
    store: Path
    """Sixty facts and their index of 205 lines."""
    entries: Path
    """A file between § signs that its agent refuses to write."""
    here: Path
    """The project's memory of the owner of `gone`."""
    gone: Path
    """The memory of a project that is not there any more."""

    @property
    def index(self) -> Path:
        """The index of the store."""
        return self.store / "MEMORY.md"

    @property
    def roots(self) -> tuple[Path, ...]:
        """Every folder of memories."""
        return self.store, self.entries.parent, self.here, self.gone


def build(home: Path) -> GrownHome:
    """Build it in an empty directory."""
    project = home / "code" / "app"
    made = GrownHome(
        home,
        project,
        home / ".zcode/cli/memories/projects/app-1c3f58a90d6e27b4/memory",
        home / ".pi/agent/memories/MEMORY.md",
        home / ".claude/projects/code-app/memory",
        home / ".claude/projects" / encoded_name(str(home / "code" / "gone")) / "memory",
    )
    package = {"name": "@amaster.ai/pi-memory", "version": "0.1.37", "pi": {"extensions": ["./index.ts"]}}
    modules = home / ".pi/agent/npm/node_modules/@amaster.ai/pi-memory"
    files = {
        project / "README.md": "# app\n",
        project / ".pi/zcode-memory.json": json.dumps({"dir": str(made.store)}),
        project / ".claude/settings.local.json": json.dumps({"autoMemoryDirectory": str(made.here)}),
        home / ".pi/agent/settings.json": json.dumps({"packages": ["npm:@amaster.ai/pi-memory"]}),
        modules / "package.json": json.dumps(package),
        modules / "index.ts": "export default () => {};\n",
        made.entries: DRIFTED,
        made.here / "MEMORY.md": "- [Review style](review.md) — comments as questions\n",
        made.here / "review.md": _fact("review", "comments as questions", "Ask, then suggest."),
        made.gone / "MEMORY.md": "- [Certificates](certificates.md) — renewed by Ana in March\n",
        made.gone / "certificates.md": _fact("certificates", "renewed by Ana", "Ana renews them in March."),
    }
    facts = _facts()
    files |= {made.store / name: content for name, content in facts.items()}
    files[made.index] = _index([name for name in facts if name not in ORPHANS])
    items = [text(path.relative_to(home).as_posix(), content, 24.0) for path, content in files.items()]
    home.mkdir(parents=True)
    put(home, [*items, *_sessions(home, project)], NOW)
    return made


def _facts() -> dict[str, str]:
    found = {}
    plain = MEMORIES - len(TWINS) - len(ORPHANS) - 3
    for number in range(plain):
        one, two = _WORDS[number % 16], _WORDS[(number // 16 * 5 + number + 1) % 16]
        name = f"{one}-{number:02}"
        found[f"{name}.md"] = _fact(
            name, f"how {one} {number} works", f"Part {number} of {one} is about {two}."
        )
    for name, body in _TWINS.items():
        found[name] = _fact(name[:-3], f"about {name[:-3]}", body)
    for number, name in enumerate(ORPHANS):
        found[name] = _fact(name[:-3], f"nobody names {_WORDS[number]}", f"Orphaned text on {_WORDS[-number]}.")
    found[COLON] = _fact("colon", "deploy: on Tuesdays", "Never on a Friday.")
    found[WORKLOG] = _fact("worklog", "what the agent did", "What was done, line by line.")
    found["hostile.md"] = _fact("hostile", "sent by a stranger", f"Look: {HOSTILE} and go on.")
    return found


def _index(names: list[str]) -> str:
    lines = ["# Memory Index", ""]
    for number, name in enumerate(names):
        if number % 8 == 0 and number:
            lines += ["", f"## Area {number // 8}", ""]
        title = f"Hostile {HOSTILE}" if name == "hostile.md" else name[:-3].capitalize()
        lines.append(f"- [{title}]({name}) — about {name[:-3]}")
        if number < len(DEAD):
            lines.append(f"- [Dead {number}]({DEAD[number]}) — it was")
    lines += ["", "Notes from before the move:"]
    lines += [f"note {number} of the old wiki" for number in range(INDEX_LINES - len(lines))]
    return "\n".join(lines) + "\n"


def _sessions(home: Path, project: Path) -> list[Item]:
    items = []
    for number in range(1, SESSIONS + 1):
        cwd = project if number < SESSIONS else home / "code" / "gone"
        lines = SessionLines(number, str(cwd), NOW - timedelta(hours=number * 7))
        asked = "which port does ssh listen on at staging?" if number == 4 else f"look at build {number}"
        lines.user(f"{asked} {HOSTILE if number % 9 == 0 else ''}")
        if number == 7:
            lines.raw(b'{"type":"message","id":"half of a l\n\xff\xfe not json\n')
        lines.agent("It is 2222." if number == 4 else f"Build {number} is green.")
        folder = f".pi/agent/sessions/{session_dir_name(str(cwd))}"
        items.append(Item(f"{folder}/{lines.file_name}", lines.data, number * 7))
    return items


@dataclass
class Writers:
    """Two programs that append: one to the index and its worklog, one to the file between § signs."""

    home: GrownHome
    lines: dict[Path, list[str]] = field(default_factory=dict)
    turns: int = 0

    def write(self) -> list[Path]:
        """Append what is due at this turn; gives the files."""
        self.turns += 1
        if self.turns % 3:
            return []
        due = {self.home.store / WORKLOG: f"- did step {self.turns}\n"}
        if self.turns % 9 == 0:
            due[self.home.index] = f"appended by an agent, turn {self.turns}\n"
        if self.turns % 15 == 0:
            due[self.home.entries] = f"\n§\nan entry of turn {self.turns}"
        for path, line in due.items():
            self.lines.setdefault(path, []).append(line)
            with path.open("ab") as file:
                file.write(line.encode())
        return list(due)

    def without(self, path: Path, data: bytes) -> bytes:
        """The bytes of a file without what was appended; AssertionError where a line is not there once."""
        for line in self.lines.get(path, ()):
            assert data.count(line.encode()) == 1, (path.name, line)
            data = data.replace(line.encode(), b"")
        return data
