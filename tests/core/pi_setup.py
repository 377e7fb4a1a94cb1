"""Parts of a home with pi: its settings, installed extensions, sessions, and memory as the extensions keep it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

YANDY, AMASTER, MEMWEAVE, ZCODE = (
    "@yandy0725/pi-memory",
    "@amaster.ai/pi-memory",
    "@godice/memweave",
    "@momenttttt/pi-zcode-memory",
)


def write_json(path: Path, value) -> Path:
    """Write a value as JSON, or a text as it stands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def write(root: Path, **files: str) -> Path:
    """Write Markdown files (`a="text"` is a.md) into a directory."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / f"{name}.md").write_text(text, "utf-8")
    return root


def agent_dir(home: Path) -> Path:
    return home / ".pi" / "agent"


def settings(home: Path, **values) -> Path:
    """pi's global settings."""
    return write_json(agent_dir(home) / "settings.json", values)


def make_package(
    place: Path, name: str, version: str = "", entries=("./index.ts",), files=("index.ts",)
) -> Path:
    """A package as npm or git would put it there."""
    package: dict[str, object] = {"name": name}
    if version:
        package["version"] = version
    if entries is not None:
        package["pi"] = {"extensions": list(entries)}
    write_json(place / "package.json", package)
    for file in files:
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        (place / file).write_text("export default () => {}\n")
    return place


def install(home: Path, *packages: str, **versions: str) -> None:
    """Install packages for the user and list them; a version is given as `yandy="1.3.4"`."""
    names = {"yandy": YANDY, "amaster": AMASTER, "memweave": MEMWEAVE, "zcode": ZCODE}
    wanted = {**dict.fromkeys(packages, ""), **versions}
    for owner, version in wanted.items():
        make_package(agent_dir(home) / "npm" / "node_modules" / names[owner], names[owner], version)
    settings(home, packages=[f"npm:{names[owner]}" for owner in wanted])


def session(home: Path, folder: str, cwd: Path | str, name: str = "2026_a") -> Path:
    """A pi session of a directory."""
    header = {
        "type": "session",
        "version": 3,
        "id": name,
        "timestamp": "2026-11-01T00:00:00.000Z",
        "cwd": str(cwd),
    }
    return write_json(agent_dir(home) / "sessions" / folder / f"{name}.jsonl", json.dumps(header) + "\n")


def git(*words: str | Path, cwd: Path | None = None) -> str:
    """Run git with a person's name; its output."""
    names = ["-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *names, *map(str, words)], cwd=cwd, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


# Memory

TOPIC = "---\nname: build\ndescription: Use make\ntype: project\nupdated: 2026-08-01\n---\n\n## Use make\n\nAlways.\n"
TOPIC_INDEX = "- [build](build.md) — Use make\n"
OLD_TOPIC = "---\nupdated: 2026-07-01\n---\n\n## Use make\n\nAlways.\n"
OLD_INDEX = "- [Use make](build.md)\n"
NOTE = (
    "---\nname: Use tabs\ndescription: In Go\ntype: feedback\ncreated: 2026-10-01\n"
    "modified: 2026-10-01T00:00:00.000Z\n---\n\nIn Go.\n"
)
NOTE_INDEX = "# Memory Index\n\n- [Use tabs](Use-tabs.md) — In Go\n"
PROJECT_MEMORY_TOPIC = "---\nname: a\ndescription: b\nupdated: 2026-08-01\n---\n\n## b\n\nx\n"


def topics(root: Path) -> Path:
    """A directory of 1.x."""
    return write(root, MEMORY=TOPIC_INDEX, build=TOPIC)


def old_topics(root: Path) -> Path:
    """A directory of 0.x."""
    return write(root, MEMORY=OLD_INDEX, build=OLD_TOPIC)


def notes(root: Path) -> Path:
    """A directory of 2.x."""
    return write(root, MEMORY=NOTE_INDEX, **{"Use-tabs": NOTE})


def weave(root: Path, *, tasks: bool = True) -> Path:
    """memweave's files (invented, no real sample is known)."""
    write(root, rule="Remember.\n")
    write_json(root / "config.json", {})
    write_json(root / "index.json", {})
    write_json(root / "setup" / "done.json", {"version": "0.1.0"})
    (root / "blobs").mkdir(exist_ok=True)
    (root / "blobs" / "ab.bin").write_bytes(b"\x00\x01")
    if tasks:
        write_json(
            root / "key1" / "tasks" / "task_1" / "state.json", '{"id":"F1","text":"staging uses 2222"}\n'
        )
        write(root / "key1" / "tasks" / "task_1", state="# State\n\n- staging uses 2222\n")
    return root


def tree(root: Path):
    """Everything below a directory with its times, to see that nothing was made or touched."""
    return {
        str(p): (p.lstat().st_mode, p.lstat().st_mtime_ns, p.lstat().st_ino, p.lstat().st_size)
        for p in [root, *root.rglob("*")]
    }
