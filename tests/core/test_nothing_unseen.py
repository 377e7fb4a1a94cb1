"""Every verb that changes something: what it removes is what `--dry-run`, or its question, has shown."""

from __future__ import annotations

import argparse
import hashlib
import os
import time
from collections import Counter

import pytest
from carry_stores import FILES
from cli_home import CliHome
from session_corpus import Writer

from memtui.cli import parser, verbs

SIGN = "\n§\n"
DRIFTED = "one\n\n§\ntwo\n§\n§\nthree"

VERBS: dict[str, list[str]] = {
    "add": ["add", "--title", "New", "--store", "zcode"],
    "set": ["set", "ssh-port.md", "--body", "all new", "--description", "d", "--title", "T", "--hook", "h"],
    "rename": ["rename", "other.md", "another"],
    "delete": ["delete", "ssh-port.md", "other.md", "--yes"],
    "move": ["move", "ssh-port.md", "other.md", "--to", "hermes", "--group", "user"],
    "merge": ["merge", "ssh-port.md", "other.md", "--keep", "--yes"],
    "split": ["split", "ssh-port.md"],
    "place": ["place", "likes tea", "2", "--store", "hermes"],
    "retype": ["retype", "ssh-port.md", "feedback"],
    "repair": ["repair", "MEMORY.md", "--how", "normalise", "--yes", "--store", "hermes"],
    "backups": ["backups", "--delete", "--all", "--yes"],
    "restore": ["restore", "other.md", "--yes"],
    "redact": ["redact", "keys.md", "--yes"],
    "undo": ["undo"],
    "redo": ["redo"],
    "sessions rename": ["sessions", "rename", "s-1", "Kiwi"],
    "sessions delete": ["sessions", "delete", "s-1", "--yes"],
}
"""A call of every verb that changes memories or sessions."""

ELSEWHERE = {
    "adopt": "only adds; what it shows and writes is compared in test_adoption.py",
    "history": "prunes memtui's own folder",
    "purge": "removes from memtui's own folders; agents' files are only named",
    "sessions archive": "writes a copy to a place of the person's choice",
}
"""What takes nothing away that an agent has."""


def changing_verbs() -> set[str]:
    """The verbs that know `--dry-run`."""
    found = set()
    for name in verbs._GROUPS:
        options = parser.Parser(prog=name, description="")
        verbs.load(name).add_arguments(options)
        if any("--dry-run" in action.option_strings for action in options._actions):
            found.add(name)
    assert isinstance(options, argparse.ArgumentParser)
    return found


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill(FILES["facts"] | {"third.md": "---\nname: third\n---\n\nsee [[other]] and [[ssh-port]]\n"})
    cli.fill({"keys.md": "---\nname: keys\n---\n\nthe token is ghp_" + "aB3dE6gH9j" * 3 + "kLmNoP\n"})
    cli.fill(
        {"MEMORY.md": DRIFTED, "USER.md": f"likes tea{SIGN}walks", "MEMORY.md.bak.1767225600": "zero"},
        home / ".hermes" / "memories",
    )
    session = Writer(os.path.realpath(cli.project), "s-1")
    session.user("what is a kiwi")
    name = "--" + os.path.realpath(cli.project).strip("/").replace("/", "-") + "--"
    path = session.save(home / ".pi" / "agent" / "sessions" / name / "a.jsonl")
    os.utime(path, (time.time() - 3600,) * 2)
    return cli


def theirs(cli: CliHome) -> dict[str, bytes]:
    """Every file of the agents."""
    folders = [cli.home / name for name in (".zcode", ".hermes", ".pi")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    # locks of the kind that stay, and files that still wait for late writers, are no memories
    kept = [path for path in files if not path.name.startswith(".memtui") and path.suffix != ".lock"]
    return {str(path): path.read_bytes() for path in kept}


def test_the_table_names_every_verb_that_changes_something():
    assert changing_verbs() == VERBS.keys() | ELSEWHERE.keys(), "name new verbs here, with a call of each"


@pytest.mark.parametrize("verb", VERBS)
def test_what_goes_is_what_a_dry_run_shows_and_what_the_question_names(cli, verb):
    words = list(VERBS[verb])
    if verb == "place":
        (listed,) = cli.run("list", "--store", "hermes", "--json").json["stores"]
        words[1] = next(memory["id"] for memory in listed["memories"] if memory["title"] == words[1])
    if verb in ("undo", "redo"):
        assert cli.run(*VERBS["merge"]).status == 0
    if verb == "redo":
        assert cli.run("undo").status == 0
    if verb == "restore":
        assert cli.run("changes", "--remember").status == 0
        (cli.store / "other.md").write_text("another program's\n")
    before = theirs(cli)
    planned = cli.run(*words, "--dry-run", "--json").json["plan"]
    asked = cli.run(*[word for word in words if word != "--yes"]) if "--yes" in words else None
    assert theirs(cli) == before
    assert cli.run(*words).status == 0
    after = theirs(cli)
    shown = {step["path"]: step for step in planned}
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed == shown.keys() and changed
    for path, step in shown.items():
        for data, key in ((before.get(path), "before_sha256"), (after.get(path), "after_sha256")):
            if verb == "sessions rename" and key == "after_sha256":
                # the line that is added has the time in it
                continue
            assert step[key] == (None if data is None else hashlib.sha256(data).hexdigest())
        if verb != "sessions delete":
            gone = Counter(_lines(before.get(path))) - Counter(_lines(after.get(path)))
            said = Counter(line[1:] for line in step["diff"].split("\n") if line.startswith("-"))
            # a secret is masked there too
            is_shown = sum(gone.values()) <= sum(said.values()) - 1 if verb == "redact" else gone <= said
            assert is_shown, path
    if asked is not None:
        assert asked.status == 2 and "add --yes" in asked.err
        files = [os.path.basename(path) for path in before.keys() - after.keys()]
        assert all(name in asked.err for name in files) or verb == "sessions delete"


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else [line for line in data.decode().split("\n") if line]
