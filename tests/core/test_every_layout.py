"""Every layout through the same verbs: add, set, delete, then everything back and forth, with bytes compared."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from carry_stores import FILES
from cli_home import CliHome

from memtui.core.env import build_env
from memtui.core.locate.yandy_names import find_project, hashed_name, readable_name

ENTRIES = FILES["entries"]


@dataclass(frozen=True)
class Subject:
    """One owner's store in a home: where it lies, what stands in it, and the bytes that each verb makes.

    `add` are the words behind `add`; `added` and `edited` are whole files after it and after the `set`,
    `edit` the words behind `set ID`; `title` finds the memory that was added.
    """

    layout: str
    files: dict[str, str]
    add: tuple[str, ...]
    title: str
    edit: tuple[str, ...]
    added: dict[str, str]
    edited: dict[str, str]


def _yandy_note(text: str, description: str = "what it says") -> str:
    return f"---\nname: Fresh\ndescription: {description}\ntype: user\ncreated: DAY\nmodified: NOW\n---\n\n{text}\n"


FACT = "---\nname: fresh\ndescription: what it says\nmetadata:\n  node_type: memory\n  type: user\n---\n\n{}\n"
TOPIC = "---\nname: fresh\ndescription: Fresh\ntype: user\nupdated: DAY\n---\n\n## Fresh\n\n{}\n"
USUAL = ("--title", "Fresh", "--description", "what it says", "--type", "user", "--body", "one")

SUBJECTS = {
    "zcode": Subject(
        "facts",
        FILES["facts"],
        USUAL,
        "Fresh",
        ("--body", "two"),
        {
            "fresh.md": FACT.format("one"),
            "MEMORY.md": FILES["facts"]["MEMORY.md"] + "- [Fresh](fresh.md) — what it says\n",
        },
        {"fresh.md": FACT.format("two")},
    ),
    "claude": Subject(
        "facts",
        FILES["facts"],
        USUAL,
        "Fresh",
        ("--type", "project"),
        {
            "fresh.md": FACT.format("one"),
            "MEMORY.md": FILES["facts"]["MEMORY.md"] + "- [Fresh](fresh.md) — what it says\n",
        },
        {"fresh.md": FACT.format("one").replace("type: user", "type: project")},
    ),
    "yandy-1": Subject(
        "topics",
        FILES["topics"],
        (*USUAL, "--topic", "fresh"),
        "Fresh",
        ("--body", "two"),
        {
            "fresh.md": TOPIC.format("one"),
            "MEMORY.md": FILES["topics"]["MEMORY.md"] + "- [fresh](fresh.md) — Fresh\n",
        },
        {"fresh.md": TOPIC.format("two")},
    ),
    "yandy-2": Subject(
        "notes",
        FILES["notes"],
        USUAL,
        "Fresh",
        ("--description", "other words"),
        {
            "Fresh.md": _yandy_note("one"),
            "MEMORY.md": FILES["notes"]["MEMORY.md"] + "- [Fresh](Fresh.md) — what it says\n",
        },
        {
            "Fresh.md": _yandy_note("one", "other words"),
            "MEMORY.md": FILES["notes"]["MEMORY.md"] + "- [Fresh](Fresh.md) — other words\n",
        },
    ),
    **{
        owner: Subject(
            "entries",
            ENTRIES,
            ("--title", "Fresh", "--body", "one", "--group", "user"),
            "Fresh",
            ("--title", "Fresher"),
            {"USER.md": ENTRIES["USER.md"] + "\n§\nFresh\none"},
            {"USER.md": ENTRIES["USER.md"] + "\n§\nFresher\none"},
        )
        for owner in ("amaster", "hermes")
    },
}


def _root(cli: CliHome, name: str) -> Path:
    project = os.path.realpath(cli.project)
    if name == "zcode":
        return cli.store
    if name == "claude":
        return cli.fill_claude({})
    if name == "hermes":
        return cli.home / ".hermes" / "memories"
    if name == "amaster":
        return cli.home / ".pi" / "agent" / "memories"
    if name == "yandy-1":
        return cli.home / ".pi" / "memory" / hashed_name(project)
    kind, folder = readable_name(find_project(build_env(str(cli.home), str(cli.project))))
    return cli.home / ".pi" / "memory" / kind / folder


class Stand:
    """A home with one store, and the verbs upon it."""

    def __init__(self, home: Path, capfdbinary, name: str) -> None:
        self.cli = CliHome(home, capfdbinary)
        self.subject = SUBJECTS[name]
        self.root = _root(self.cli, name)
        self.cli.fill(self.subject.files, self.root)
        stores = self.cli.run("where", "--json").json["stores"]
        self.store_id = next(
            store["id"] for store in stores if os.path.realpath(store["path"]) == os.path.realpath(self.root)
        )

    def run(self, *words: str):
        """A command on the store that has to succeed."""
        answered = self.cli.run("--store", self.store_id, "--json", *words)
        assert answered.status == 0, answered
        return answered.json

    def id_of(self, title: str) -> str:
        """The id of the memory of this title."""
        (store,) = self.run("list")["stores"]
        assert store["store"]["layout"] == self.subject.layout
        return next(memory["id"] for memory in store["memories"] if memory["title"] == title)

    def files(self) -> dict[str, bytes]:
        """The store's files with their bytes."""
        return self.cli.tree(self.root)

    def assert_holds(self, wanted: dict[str, str]) -> None:
        """Those files have these texts, and all others what they had at first (days and moments aside)."""
        files = {name: data.decode() for name, data in self.files().items()}
        for name, text in (self.subject.files | wanted).items():
            now = re.sub(r"(created|updated): \d{4}-\d\d-\d\d", r"\1: DAY", files.pop(name))
            now = re.sub(r"modified: \d{4}-\d\d-\d\dT\S+Z", "modified: NOW", now)
            text = re.sub(r"(created|updated): \d{4}-\d\d-\d\d", r"\1: DAY", text)
            assert now == re.sub(r"modified: \d{4}-\d\d-\d\dT\S+Z", "modified: NOW", text), name
        # Hermes' own lock file stays for ever
        assert set(files) <= {"MEMORY.md.lock", "USER.md.lock"}


@pytest.fixture(params=SUBJECTS)
def stand(request, home, capfdbinary) -> Stand:
    return Stand(home, capfdbinary, request.param)


def test_add_edit_delete_undo_redo(stand):
    subject, states = stand.subject, [stand.files()]

    def step(*words: str) -> None:
        stand.run(*words)
        states.append(stand.files())

    step("add", *subject.add)
    stand.assert_holds(subject.added)
    step("set", stand.id_of(subject.title), *subject.edit)
    stand.assert_holds(subject.added | subject.edited)
    title = "Fresher" if "Fresher" in subject.edit else subject.title
    step("delete", stand.id_of(title), "--yes")
    stand.assert_holds({})
    kept = {name for name in states[-1] if name.endswith(".lock")}
    states[0] |= dict.fromkeys(kept, b"")
    for state in states[-2::-1]:
        stand.run("undo")
        assert stand.files() == state | dict.fromkeys(kept, b"")
    for state in states[1:]:
        stand.run("redo")
        assert stand.files() == state | dict.fromkeys(kept, b"")


def test_a_dry_run_writes_nothing_and_shows_the_same(stand):
    before = stand.cli.tree()
    planned = stand.run("add", *stand.subject.add, "--dry-run")["plan"]
    assert {Path(item["path"]).name for item in planned} == set(stand.subject.added)
    assert all("+" in item["diff"] for item in planned)
    assert stand.cli.tree() == before


def test_delete_names_the_memory_and_waits_for_yes(stand):
    stand.run("add", *stand.subject.add)
    before = stand.files()
    answered = stand.cli.run("--store", stand.store_id, "delete", stand.id_of(stand.subject.title))
    assert answered.status == 2 and "--yes" in answered.err and stand.files() == before
    if stand.subject.layout in ("entries", "topics"):
        assert "Fresh in " in answered.err
