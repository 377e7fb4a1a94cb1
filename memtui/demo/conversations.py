"""The demo's pi sessions: every shape that real ones have, damaged and legacy ones among them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtui.core.sessions.pi_places import session_dir_name
from memtui.demo.session_lines import SessionLines, encode, iso
from memtui.demo.tree import Item

SESSIONS = ".pi/agent/sessions"
_IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def conversations(home: Path, now: datetime) -> Iterator[Item]:
    """Every session as an item. The headers and folders name the projects, so these depend on the place."""
    now = now.astimezone(UTC)
    app, messy = home / "code" / "app", home / "code" / "messy"
    for hours, lines in _of_app(str(app), now):
        yield _item(app, lines, hours)
    for hours, lines in _of_messy(str(messy), now):
        yield _item(messy, lines, hours)
    gone = home / "code" / "gone"
    lines = SessionLines(30, str(gone), now - timedelta(hours=900))
    lines.user("rename the module before we archive this project")
    lines.agent("Renamed, and the tests pass.")
    yield _item(gone, lines, 900)
    folder = f"{SESSIONS}/{session_dir_name(str(messy))}"
    title = encode({"type": "title", "v": 1, "title": "not a header"})
    late = SessionLines(31, str(messy), now - timedelta(hours=300))
    late.user("this header is not the first line")
    yield Item(f"{folder}/{late.file_name}", title + late.data, 300)
    yield Item(f"{folder}/not-a-session.jsonl", b'{"type":"message"}\n', 301)
    yield Item(f"{folder}/empty.jsonl", b"", 302)


def _item(project: Path, lines: SessionLines, hours: float) -> Item:
    return Item(f"{SESSIONS}/{session_dir_name(str(project))}/{lines.file_name}", lines.data, hours)


def _of_app(cwd: str, now: datetime) -> Iterator[tuple[float, SessionLines]]:
    staging = SessionLines(1, cwd, now - timedelta(hours=3))
    staging.entry("model_change", provider="example", modelId="example-1")
    staging.user("which port does ssh listen on at staging? the deploy script hangs")
    staging.agent(
        "Let me look at the deploy script.", thinking="The port is probably in the script.", stop="toolUse"
    )
    staging.tool("bash", {"command": "grep -n ssh deploy.sh"}, "12:ssh -p 2222 deploy@staging ./install\n")
    staging.agent("ssh listens on port 2222 at staging; line 12 of `deploy.sh` uses it already.")
    staging.user("right, remember that port. the key is in the team vault")
    staging.tool(
        "memory_write",
        {"name": "staging-port", "description": "ssh on 2222, key in the team vault", "type": "reference"},
        "saved staging-port.md",
    )
    staging.agent("Saved as a reference memory.")
    staging.entry("session_info", name="Staging deploy hangs")
    yield 3, staging

    branching = SessionLines(2, cwd, now - timedelta(hours=27))
    root = branching.user("make the parser accept quoted commas")
    branching.agent("I can extend the tokenizer or switch to the csv module.")
    branching.user("extend the tokenizer")
    left = branching.agent("Extended; mango is the fixture that covers it.")
    branching.go_back(root)
    branching.entry(
        "branch_summary", fromId=left, summary="Tried to extend the tokenizer; it became hard to read."
    )
    branching.user("use the csv module instead")
    branching.tool("edit", {"path": "parser.py", "old": "split(',')", "new": "csv.reader"}, "edited parser.py")
    label = branching.agent("Done: the csv module handles quotes, 14 lines fewer.")
    branching.entry("label", targetId=label, label="the good one")
    yield 27, branching

    long = SessionLines(3, cwd, now - timedelta(hours=75))
    for number in range(1, 41):
        long.user(f"batch {number}: check what differs after the replay")
        rows = "".join(f"row {row:04d} kept the newer value\n" for row in range(number, number + 12))
        long.tool("bash", {"command": f"./replay --batch {number} --dry-run"}, rows)
        long.agent(f"Batch {number}: {number * 37 % 90 + 10} rows differed, all explained by the retry.")
    kept = long.user("sum it up for the incident report")
    long.entry(
        "compaction",
        summary="## Goal\nReplay the import batches.\n\n## Done\n40 batches checked, no data lost.",
        firstKeptEntryId=kept,
        tokensBefore=61_000,
    )
    long.agent("The incident report is in `docs/incident.md`: cause, the 60 batches, and the new lock check.")
    long.entry("session_info", name="Import incident, replay")
    yield 75, long

    chinese = SessionLines(4, cwd, now - timedelta(hours=120))
    chinese.user("他的聊天记录记忆断裂问题还在，帮我看看增量索引更新")
    chinese.agent("看过了：增量索引更新在半夜重启后没有继续。")
    yield 120, chinese

    picture = SessionLines(5, cwd, now - timedelta(hours=200))
    picture.user("what is wrong in this screenshot?", image=_IMAGE)
    picture.agent("The legend covers the last two bars.")
    picture.bash("git status --short", " M charts.py\n")
    picture.bash("cat .env", "TOKEN=not-a-real-one\n", hidden=True)
    picture.entry(
        "custom_message", customType="zcode-memory/index", content="(the memory index)", display=False
    )
    picture.entry("custom", customType="zcode-memory/injected", data={"indexHash": "1c3f58a90d6e27b4"})
    picture.tool("bash", {"command": "pytest -q"}, "2 failed, 41 passed\n", failed=True)
    yield 200, picture

    fork = SessionLines(6, cwd, now - timedelta(hours=26), parent=f"{cwd}/{branching.file_name}")
    fork.raw(branching.data[branching.data.index(b"\n") + 1 :])
    fork.go_back(label)
    fork.moment = branching.moment
    fork.user("and now the same for tabs")
    yield 26, fork

    for version, hours in ((1, 5000), (2, 4000)):
        old = SessionLines(6 + version, cwd, now - timedelta(hours=hours), version=version)
        old.user(f"a session of format version {version}: set up the linter")
        old.agent("The linter runs in CI now.")
        yield hours, old


def _of_messy(cwd: str, now: datetime) -> Iterator[tuple[float, SessionLines]]:
    damaged = SessionLines(20, cwd, now - timedelta(hours=50))
    damaged.user("first question before the crash")
    damaged.raw(b"not json\n")
    damaged.agent("An answer.")
    damaged.raw(b"\x00" * 600 + b"\n")
    damaged.user("second question")
    damaged.agent("glued to the next record")
    damaged.data = damaged.data[:-1]
    damaged.user("after the glue")
    damaged.raw(b'{"type":"message","id":"00ff00ff","parentId":"00')
    yield 50, damaged

    hostile = SessionLines(21, cwd, now - timedelta(hours=60))
    hostile.user("look: \x1b]52;c;UEFZTE9BRA==\x07 and \x1b[2J and [@click=app.quit]fix[/] \u202eevil\u202c")
    hostile.agent("[docs](https://x.test/a) [open](file:///etc/passwd) before\u2028after")
    hostile.entry("session_info", name="title \x1b]0;owned\x07 [/bold]")
    yield 60, hostile

    untimed = SessionLines(22, cwd, now - timedelta(hours=70))
    untimed.raw(
        encode(
            {
                "type": "message",
                "id": "00160001",
                "parentId": None,
                "timestamp": iso(now - timedelta(hours=70)),
                "message": {"role": "user", "content": "a message without a time of its own"},
            }
        )
    )
    yield 70, untimed

    future = SessionLines(23, cwd, now + timedelta(hours=24 * 400))
    future.user("a session from a clock that was wrong")
    yield -24 * 400, future
