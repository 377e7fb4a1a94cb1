"""A home with the memory of every owner at once, for one project: `code/shop`.

pi loads four memory extensions there; `~/.pi/memory` is shared by pi-memory 2.x, what its 1.x left, the 0.x
directory of another project, and memweave. Hermes and Claude Code keep theirs beside it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from memtui.core.env import DEMO_NOTE
from memtui.core.fs import make_dirs
from memtui.core.locate.yandy_names import hashed_name
from memtui.demo.tree import Item, below, put, text

PROJECT = "code/shop"
FIXED_NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NOTES = ".pi/memory/git/github.com__ana__shop"
ZCODE = ".zcode/cli/memories/projects/shop-4be0a1c77d2f9c35/memory"
CLAUDE = ".claude/projects/code-shop/memory"

_PACKAGES = {
    "@momenttttt/pi-zcode-memory": "0.2.0",
    "@yandy0725/pi-memory": "2.3.0",
    "@amaster.ai/pi-memory": "0.1.37",
    "@godice/memweave": "0.1.0",
}


def build_owners_home(home: Path, now: datetime | None = None) -> Path:
    """Build it in `home`, an absolute path that is empty or not there; gives the project. Raises OSError."""
    make_dirs(home)
    put(home, _items(home), now or FIXED_NOW)
    return home / PROJECT


def _items(home: Path) -> list[Item]:
    pinned = {"dir": str(home / ZCODE)}
    claude = {"autoMemoryDirectory": f"~/{CLAUDE}"}
    return [
        *below(PROJECT, _project()),
        _json(f"{PROJECT}/.pi/zcode-memory.json", pinned),
        _json(f"{PROJECT}/.claude/settings.local.json", claude),
        *_pi(),
        *below(NOTES, _notes()),
        *below(f".pi/memory/{hashed_name(str(home / PROJECT))}", _topics()),
        *below(".pi/memory/583f97f48ef4", _old_topics()),
        *below(".pi/memory", _weave()),
        *below(".pi/agent/memories", _entries("memory_add", "Ana reviews in the morning, in German.")),
        *below(".hermes/memories", _entries("the memory tool", "Ana likes short answers.")),
        *below(ZCODE, _facts("node_type: memory\n  type: project")),
        *below(CLAUDE, _facts("node_type: memory\n  type: project")),
        text(DEMO_NOTE, f"{PROJECT}\n"),
    ]


def _json(path: str, value: object) -> Item:
    return text(path, json.dumps(value, indent=2) + "\n")


def _project() -> list[Item]:
    config = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@github.com:ana/shop.git\n'
    return [
        text("README.md", "# shop\n"),
        text(".git/HEAD", "ref: refs/heads/main\n"),
        text(".git/config", config),
        Item(".git/objects"),
        Item(".git/refs/heads"),
    ]


def _pi() -> list[Item]:
    items = [
        _json(
            ".pi/agent/settings.json",
            {
                "packages": [f"npm:{name}" for name in _PACKAGES],
                "compaction": {"enabled": False},
                "pi-memory": {"memoryCharLimit": 3_000},
            },
        )
    ]
    for name, version in _PACKAGES.items():
        package = {"name": name, "version": version, "pi": {"extensions": ["./index.ts"]}}
        folder = f".pi/agent/npm/node_modules/{name}"
        items += [
            _json(f"{folder}/package.json", package),
            text(f"{folder}/index.ts", "export default () => {};\n"),
        ]
    return items


def _notes() -> list[Item]:
    entries = (
        ("Prices are in cents", "project", "Every amount in the code is an integer number of cents."),
        ("Ask before migrations", "feedback", "Show the SQL first; Ana runs migrations herself."),
        ("Staging database", "reference", "staging-db.internal, port 5433, read-only for agents."),
    )
    items, lines = [], []
    for day, (name, kind, body) in enumerate(entries, 2):
        file = f"{name.replace(' ', '-')}.md"
        stamp = f"created: 2026-11-{day:02}\nmodified: 2026-11-{day:02}T09:00:00.000Z"
        head = f"---\nname: {name}\ndescription: {body}\ntype: {kind}\n{stamp}\n---\n"
        items.append(text(file, f"{head}\n{body}\n", 24.0 * (30 - day)))
        lines.append(f"- [{name}]({file}) — {body}\n")
    return [text("MEMORY.md", "# Memory Index\n\n" + "".join(lines), 30), *items]


def _topics() -> list[Item]:
    topic = (
        "---\nname: testing\ndescription: Run one test; Slow tests\ntype: project\nupdated: 2026-08-14\n---\n\n"
        "## Run one test\n\nnpm test -- cart.spec.ts\n\n## Slow tests\n\nMarked @slow, only in CI.\n"
    )
    return [
        text("MEMORY.md", "- [testing](testing.md) — Run one test; Slow tests\n", 2_500),
        text("testing.md", topic, 2_500),
    ]


def _old_topics() -> list[Item]:
    return [
        text("MEMORY.md", "- [Use pnpm](tools.md)\n", 3_600),
        text("tools.md", "---\nupdated: 2026-07-02\n---\n\n## Use pnpm\n\nNot npm.\n", 3_600),
    ]


def _weave() -> list[Item]:
    events = (
        {"id": "G", "kind": "goal", "text": "Checkout works with gift cards", "status": "active"},
        {"id": "F1", "text": "Gift cards are rows of table vouchers", "evidence": ["T20"], "status": "active"},
        {"id": "D1", "decision": "Reserve the amount before the payment", "evidence": ["U3"]},
    )
    state = "".join(json.dumps(event) + "\n" for event in events)
    picture = "# Goal\nCheckout works with gift cards\n\n- F1 Gift cards are rows of table vouchers\n"
    return [
        text("rule.md", "Keep facts short. Cite what they rest on.\n"),
        _json("config.json", {}),
        _json("index.json", {"tasks": [{"task_id": "task_gift_cards", "status": "active"}]}),
        _json("setup/done.json", {"version": "0.1.0"}),
        Item("blobs/3f1c0a.txt", b"342 passed\n"),
        text("shop/tasks/task_gift_cards/state.json", state, 3),
        text("shop/tasks/task_gift_cards/state.md", picture, 3),
    ]


def _entries(tool: str, person: str) -> list[Item]:
    memory = ("The cart is kept in Redis for 14 days.", f"Written with {tool}.", "CI needs node 22.")
    return [
        Item("MEMORY.md", "\n§\n".join(memory).encode(), 50),
        Item("USER.md", person.encode(), 50),
    ]


def _facts(metadata: str) -> list[Item]:
    facts = (
        ("release-day", "Releases go out on Tuesdays", "Never on a Friday."),
        ("money-type", "Money is its own type", "See src/money.ts; no floats."),
    )
    items = [
        text(f"{name}.md", f"---\nname: {name}\ndescription: {about}\nmetadata:\n  {metadata}\n---\n\n{body}\n")
        for name, about, body in facts
    ]
    index = "".join(f"- [{about}]({name}.md) — {about}\n" for name, about, _body in facts)
    return [text("MEMORY.md", f"# Memory\n\n{index}"), *items]
