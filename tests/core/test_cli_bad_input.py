"""Bad input on disk: one clear line or a row that says so, the good files beside it, and nothing is lost."""

import errno
import json
import os
import re
import subprocess
import sys

import pytest
from cli_home import CliHome, fact
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core import fs
from memtui.demo import build_demo

CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f"
CONTROL = re.compile(f"[{CONTROLS}]")
ACTING = re.compile(f"[{CONTROLS}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
HOSTILE = "\x1b]52;c;UEFZTE9BRA==\x07 \x9b31m \u202egnp.exe \r\x08 [red]x[/] \x7f"
"""Escape sequences in seven and eight bits, a bidirectional override, overwriting, markup."""

LOOKS = (
    ["where"],
    ["list"],
    ["check"],
    ["status"],
    ["status", "--line"],
    ["history"],
    ["show", "--agent-view", "--store", "zcode"],
)


MAIN = "from memtui.__main__ import main\nsys.exit(main(sys.argv[1:]))"


@pytest.fixture
def cli(home, capfdbinary):
    return CliHome(home, capfdbinary)


def looks_fine(cli, *also):
    """Every looking verb answers without an error in both forms; returns what `list --json` gave."""
    for words in (*LOOKS, *also):
        plain, document = cli.run(*words), cli.run(*words, "--json")
        assert plain.status in (0, 1) and document.status == plain.status, (words, plain, document)
        assert not ACTING.search(plain.out + plain.err), words
        assert not CONTROL.search(document.out), words
        assert isinstance(document.json, dict)
    return cli.run("list", "--json").json["stores"][0]


def refusing(error_number, *names):
    """A stand-in for a reading effect that fails for some names, as the system would for another user."""

    def wrap(real):
        def read(path, **options):
            if path.name in names:
                raise OSError(error_number, os.strerror(error_number), str(path))
            return real(path, **options)

        return read

    return wrap


# Text that acts


def test_hostile_text_reaches_no_terminal(cli):
    in_a_link = "\x1b[31mred\x1b[0m \x9b31m \u202egnp.exe \x08 \x7f"
    cli.fill(
        {
            "MEMORY.md": f"- [{in_a_link}](alpha.md) — {HOSTILE}\n- [Gone]({HOSTILE}.md)\n",
            "alpha.md": fact("alpha", f'"{HOSTILE}"', HOSTILE, HOSTILE),
            f"name{HOSTILE.replace('/', '')}.md": HOSTILE,
        }
    )
    listed = looks_fine(cli, ["show", "alpha.md"])
    assert len(listed["memories"]) >= 2
    for words in (["delete", "alpha.md"], ["delete", "alpha.md", "--dry-run"], ["show", HOSTILE]):
        answered = cli.run(*words)
        assert not ACTING.search(answered.out + answered.err)
    for words in (["set", "alpha.md", "--hook", "x"], ["undo"], ["history"], ["delete", "alpha.md", "--yes"]):
        answered = cli.run(*words)
        assert answered.status == 0 and not ACTING.search(answered.out + answered.err)


def test_the_hostile_demo_reaches_no_terminal(home, capfdbinary):
    demo = build_demo(home / "demo")
    cli = CliHome(home, capfdbinary)
    cli.home, cli.project = demo.home, demo.messy_project
    listed = looks_fine(cli)
    for memory in listed["memories"]:
        answered = cli.run("show", "--store", "zcode", "--", memory["id"])
        assert answered.status == 0 and not ACTING.search(answered.out + answered.err)
        document = cli.run("show", "--store", "zcode", "--json", "--", memory["id"])
        assert document.json["memory"]["id"] == memory["id"]


ANY_TEXT = st.text(st.characters(codec=None, exclude_characters="/\x00"), max_size=12)


@settings(max_examples=40)
@given(title=ANY_TEXT, hook=ANY_TEXT, body=ANY_TEXT, raw=st.binary(max_size=12))
def test_no_text_at_all_reaches_a_terminal(title, hook, body, raw):
    from memtui.cli.plain import table
    from memtui.core.safety import display

    lines = [*table([(display.line(title), display.line(hook))]), *display.lines(body + os.fsdecode(raw))]
    assert not ACTING.search("".join(lines))


def test_names_that_are_not_utf8_and_names_with_controls_can_be_used(cli):
    cli.fill({"MEMORY.md": "", os.fsdecode(b"caf\xe9.md"): fact("latin"), "two\nlines\x1b.md": fact("two")})
    listed = looks_fine(cli)
    ids = [memory["id"] for memory in listed["memories"]]
    assert len(ids) == 2 and any(re.fullmatch("caf\ufffd\\.md~[0-9a-f]{12}", name) for name in ids)
    for name in ids:
        assert cli.run("show", name).status == 0
    shown = cli.run("list").out
    assert "two␊lines␛.md" in shown
    assert cli.run("show", "two␊lines␛.md").status == 0
    before = cli.tree(cli.store)
    for name in ids:
        assert cli.run("delete", name, "--yes").status == 0
    assert cli.tree(cli.store) == {"MEMORY.md": b""}
    assert cli.run("undo").status == 0 and cli.run("undo").status == 0
    assert cli.tree(cli.store) == before


# Things that are not what they should be


def test_a_directory_named_like_the_index(cli):
    cli.fill({"MEMORY.md/inside.md": "x", "alpha.md": fact("alpha")})
    before = cli.tree(cli.store)
    listed = looks_fine(cli)
    assert "alpha.md" in [memory["id"] for memory in listed["memories"]]
    assert cli.run("check").status == 1
    for words in (["add", "--title", "New"], ["delete", "alpha.md", "--yes"], ["rename", "alpha.md", "b"]):
        answered = cli.run(*words)
        assert answered.status == 2 and "MEMORY.md is a directory" in answered.err, answered
        assert answered.err.count("\n") == 1
    assert cli.tree(cli.store) == before


def test_a_store_that_is_a_file(cli):
    cli.store.parent.mkdir(parents=True)
    cli.store.write_text("a file")
    looks_fine(cli)
    answered = cli.run("add", "--title", "New", "--store", "zcode")
    assert answered.status == 2 and answered.err.count("\n") == 1
    assert cli.store.read_text() == "a file"


def test_a_topic_of_ten_megabytes(cli):
    body = "x" * 99 + "\n"
    cli.fill({"MEMORY.md": "- [Big](big.md)\n", "big.md": fact("big", body=body * 100_000)})
    memory = looks_fine(cli)["memories"][0]
    assert memory["bytes"] > 10_000_000 and "body-cut" in memory["problems"]
    assert len(cli.run("show", "big.md").out.splitlines()) > 100_000
    assert cli.run("set", "big.md", "--hook", "large").status == 0
    assert (cli.store / "MEMORY.md").read_text() == "- [Big](big.md) — large\n"


def test_a_pipe_and_a_symlink_among_the_memories(cli, tmp_path):
    (tmp_path / "secret").write_text("not ours")
    cli.fill(
        {"MEMORY.md": "- [Pipe](pipe.md)\n- [Link](link.md)\n- [Alpha](alpha.md)\n", "alpha.md": fact("alpha")}
    )
    os.mkfifo(cli.store / "pipe.md")
    (cli.store / "link.md").symlink_to(tmp_path / "secret")
    looks_fine(cli)
    assert "not ours" not in cli.run("show", "link.md").out
    answered = cli.run("set", "link.md", "--body", "x")
    assert answered.status == 2 and "symlink" in answered.err
    assert cli.run("delete", "link.md", "--yes").status == 0
    assert (tmp_path / "secret").read_text() == "not ours" and not (cli.store / "link.md").is_symlink()


# What the system refuses


def test_a_file_that_cannot_be_read(cli, monkeypatch):
    cli.fill()
    monkeypatch.setattr(fs, "read_file", refusing(errno.EACCES, "alpha.md")(fs.read_file))
    listed = looks_fine(cli)
    alpha, beta = listed["memories"]
    assert "unreadable" in alpha["problems"] and alpha["bytes"] is None and beta["bytes"] > 0
    answered = cli.run("delete", "alpha.md", "--yes")
    assert answered.status == 2 and "Permission denied" in answered.err and answered.err.count("\n") == 1
    assert (cli.store / "alpha.md").exists()


def test_an_index_that_cannot_be_read(cli, monkeypatch):
    cli.fill()
    monkeypatch.setattr(fs, "read_file", refusing(errno.EIO, "MEMORY.md")(fs.read_file))
    assert len(looks_fine(cli)["memories"]) == 2
    answered = cli.run("add", "--title", "New")
    assert answered.status == 2 and "cannot be read" in answered.err and not (cli.store / "new.md").exists()


def test_a_directory_that_cannot_be_read(cli, monkeypatch):
    cli.fill()
    monkeypatch.setattr(fs, "list_dir", refusing(errno.EACCES, "memory")(fs.list_dir))
    listed = looks_fine(cli)
    assert any("Permission denied" in sentence for sentence in listed["store"]["warnings"])
    assert cli.run("check").status == 1
    assert cli.run("show", "alpha.md").status == 3


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("nth", [1, 3, 6, 9, 12, 15])
def test_a_disk_that_refuses_in_the_middle_of_a_change(cli, number, nth):
    cli.fill()
    before = cli.tree(cli.store)
    count = 0

    def fail(effect, phase, paths):
        nonlocal count
        count += phase == "before"
        if count == nth:
            count += 1
            raise OSError(number, os.strerror(number), str(paths[0]))

    with fs.observed_by(fail):
        answered = cli.run("delete", "alpha.md", "--yes")
    assert answered.status in (0, 2), answered
    if answered.status == 2:
        assert answered.err.startswith("memtui: ") and "bug" not in answered.err
        cli.run("set", "beta.md", "--hook", "x")
        cli.run("undo")
    else:
        assert cli.run("undo").status == 0
    assert cli.tree(cli.store) == before


def test_a_store_that_cannot_be_written(cli, monkeypatch):
    cli.fill()
    monkeypatch.setattr(fs, "is_writable", lambda path: False)
    assert cli.run("where", "--json").json["stores"][0]["writable"] is False
    for words in (
        ["add", "--title", "New", "--store", "zcode"],
        ["add", "--title", "New"],
        ["set", "alpha.md", "--hook", "x"],
        ["delete", "alpha.md", "--yes"],
        ["delete", "alpha.md", "--yes", "--dry-run"],
    ):
        answered = cli.run(*words)
        assert answered.status == 2 and answered.err.count("\n") == 1, answered


# Things that go while we look


def test_files_deleted_under_our_feet(cli, monkeypatch):
    cli.fill()
    real = fs.read_file

    def read(path, **options):
        if path.name == "alpha.md":
            path.unlink(missing_ok=True)
        return real(path, **options)

    monkeypatch.setattr(fs, "read_file", read)
    listed = cli.run("list", "--json").json["stores"][0]["memories"]
    assert [(memory["id"], memory["problems"]) for memory in listed] == [
        ("alpha.md", ["dead-link"]),
        ("beta.md", []),
    ]


def test_a_memory_deleted_between_the_look_and_the_change_is_3(cli, monkeypatch):
    cli.fill()
    from memtui.core.workspace import Workspace

    real = Workspace.run

    def run(self, snapshot, verb, edits, **how):
        (cli.store / "alpha.md").write_text("somebody else's new text\n")
        return real(self, snapshot, verb, edits, **how)

    monkeypatch.setattr(Workspace, "run", run)
    answered = cli.run("delete", "alpha.md", "--yes", "--json")
    assert answered.status == 3 and answered.json["error"]["code"] == "conflict"
    assert (cli.store / "alpha.md").read_text() == "somebody else's new text\n"


def test_a_current_directory_that_is_gone(child_environ, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os, sys; os.rmdir({str(gone)!r})\n" + MAIN
    for words in (["list"], ["list", "--json"]):
        child = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=gone, env=child_environ, capture_output=True, text=True
        )
        gone.mkdir()
        assert child.returncode == 2 and "Traceback" not in child.stderr
        said = json.loads(child.stdout)["error"]["message"] if "--json" in words else child.stderr
        assert "no longer exists" in said
