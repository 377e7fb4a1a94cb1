"""The closer look: what is looked at anew, what its findings rest on, and what it may ask of the disk."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.checks.closer import table as closer_table
from memtui.core.checks.closer.base import Cancelled, Family, Subject, Surroundings, subjects
from memtui.core.checks.closer.prose import LONGEST_SENTENCE, MOST_CHARACTERS, sentences
from memtui.core.env import Env
from memtui.core.inspection import Inspection, with_findings
from memtui.core.inspection.around import look_around
from memtui.core.layouts.base import Problem, Snapshot
from memtui.core.workspace import Workspace


def _each(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    for number, word in enumerate(subject.text.split("`")):
        if number % 2 and around.kind_of(around.project / word) == "missing":
            yield subject.problem("stale-reference", "warning", word, subject.text.index(word))


def _across(
    subjects: Sequence[Subject], around: Surroundings, cancelled: Cancelled
) -> Iterator[tuple[Subject, Problem]]:
    bodies = [subject.body.strip() for subject in subjects]
    for subject in subjects:
        if not subject.is_index and bodies.count(subject.body.strip()) > 1:
            yield subject, subject.problem("duplicate", "note", "twice")


FAMILIES = (Family("names", ("stale-reference",), each=_each), Family("twice", ("duplicate",), across=_across))


def fact(body: str) -> str:
    return f"---\nname: n\ndescription: d\nmetadata:\n  type: user\n---\n\n{body}\n"


@pytest.fixture
def root(env: Env) -> Path:
    folder = env.cwd / ".claude"
    memory = env.home / ".claude" / "projects" / str(env.cwd).replace("/", "-") / "memory"
    memory.mkdir(parents=True)
    folder.mkdir()
    for name, body in {"a": "see `x.py`", "b": "see `y.py`", "c": "plain"}.items():
        (memory / f"{name}.md").write_text(fact(body))
    (memory / "MEMORY.md").write_text("".join(f"- [{name}]({name}.md) — h\n" for name in "abc"))
    return memory


def read(env: Env) -> tuple[Snapshot, ...]:
    return Workspace(env).snapshots()


def found(inspection: Inspection, snapshots: Sequence[Snapshot]) -> list[tuple[str, str | None, int | None]]:
    findings = inspection.inspect(snapshots)
    merged = [with_findings(snapshot, findings) for snapshot in snapshots]
    codes = {code for family in FAMILIES for code in family.codes}
    return [(p.code, p.memory, p.line) for s in merged for p in s.problems if p.code in codes]


def test_one_changed_file_is_one_file_checked_again(env: Env, root: Path) -> None:
    inspection = Inspection(env, FAMILIES)
    (env.cwd / "y.py").touch()
    assert found(inspection, read(env)) == [("stale-reference", "a.md", 8)]
    assert inspection.looked_at == 4
    assert found(inspection, read(env)) == [("stale-reference", "a.md", 8)]
    assert inspection.looked_at == 0

    (root / "c.md").write_text(fact("two\nlines, `z.py`"))
    assert found(inspection, read(env)) == [("stale-reference", "a.md", 8), ("stale-reference", "c.md", 9)]
    assert inspection.looked_at == 1

    # the memories stay, what one of them speaks of goes
    (env.cwd / "y.py").unlink()
    assert [place for _code, place, _line in found(inspection, read(env))] == ["a.md", "b.md", "c.md"]
    assert inspection.looked_at == 1


def test_what_is_found_across_memories_goes_with_either_of_them(env: Env, root: Path) -> None:
    inspection = Inspection(env, FAMILIES)
    (root / "c.md").write_text(fact("see `x.py`"))
    (env.cwd / "x.py").touch()
    (env.cwd / "y.py").touch()
    assert found(inspection, read(env)) == [("duplicate", "a.md", None), ("duplicate", "c.md", None)]
    (root / "c.md").write_text(fact("other"))
    assert found(inspection, read(env)) == []


def test_findings_are_not_said_of_a_text_that_is_another_by_now(env: Env, root: Path) -> None:
    inspection = Inspection(env, FAMILIES)
    findings = inspection.inspect(read(env))
    (root / "a.md").write_text(fact("gone"))
    (now,) = read(env)
    assert [problem.memory for problem in with_findings(now, findings).problems] == ["b.md"]
    assert with_findings(now, None) is now


def test_a_cancelled_look_is_taken_up_where_it_was_left(env: Env, root: Path) -> None:
    inspection = Inspection(env, FAMILIES)
    seen: list[tuple[int, int]] = []
    assert (
        inspection.inspect(read(env), lambda: len(seen) == 3, lambda done, total: seen.append((done, total)))
        is None
    )
    assert seen == [(1, 4), (2, 4), (3, 4)]
    assert len(found(inspection, read(env))) == 2
    assert inspection.looked_at == 1


def test_d02_what_two_projects_share_is_not_measured_by_one_of_them(env: Env, root: Path) -> None:
    (snapshot,) = read(env)
    assert all(subject.of_project for _data, subject in subjects(snapshot))
    shared = dataclasses.replace(snapshot.store, shared_by=("/code/my_app",))
    assert not any(s.of_project for _data, s in subjects(dataclasses.replace(snapshot, store=shared)))


def test_lines_of_memories_that_share_a_file(make_env: Callable[..., Env], home: Path) -> None:
    folder = home / ".hermes" / "memories"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("first\nentry\n§\nsecond `no.py`\n§\nthird\n`no.py`")
    env = make_env()
    snapshots = (Workspace(env, path=folder, owner="hermes").scan(store_of(env, folder)),)
    places = found(Inspection(env, FAMILIES), snapshots)
    assert [line for _code, _memory, line in places] == [4, 7]
    assert len({memory for _code, memory, _line in places}) == 2


def store_of(env: Env, folder: Path):  # type: ignore[no-untyped-def]
    (store,) = Workspace(env, path=folder, owner="hermes").used_stores()
    return store


# The surroundings


def put(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_branches_and_tags_are_read_without_git(env: Env) -> None:
    assert look_around(env).has_ref("main") is None
    git = env.cwd / ".git"
    put(git, HEAD="ref: refs/heads/main\n", refs__heads__feature__login="0\n", refs__remotes__origin__old="0\n")
    (git / "packed-refs").write_text("# pack-refs with: peeled\n11 refs/tags/v1\n^22\n33 refs/heads/main\n")
    around = look_around(env)
    names = ("main", "feature/login", "old", "origin/old", "v1", "login", "feature", "gone")
    assert [name for name in names if around.has_ref(name)] == list(names[:5])
    assert around.has_ref("gone") is False
    (git / "config").write_text('[remote "origin"]\n\turl = x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')
    assert look_around(env).has_ref("gone") is False
    # a clone of one branch says nothing of the others
    (git / "config").write_text('[remote "origin"]\n\tfetch = +refs/heads/main:refs/remotes/origin/main\n')
    around = look_around(env)
    assert around.has_ref("gone") is None and around.has_ref("main") is True


def test_commands_are_looked_up_and_never_run(make_env: Callable[..., Env], home: Path) -> None:
    put(home / "bin", tool="#!/bin/sh\ntouch ran\n")
    (home / "bin" / "tool").chmod(0o755)
    around = look_around(make_env(environ={"PATH": f"{home / 'bin'}:relative:{home / 'none'}"}))
    assert around.has_command("tool") and not around.has_command("tools")
    assert not (home / "bin" / "ran").exists()


def test_tasks_of_a_project(env: Env) -> None:
    assert look_around(env).has_task("make", "all") is None
    (env.cwd / "Makefile").write_text("VAR := x\nall test: dep\n\techo no: no\n.PHONY: all\nlint:: \n")
    (env.cwd / "package.json").write_text('{"scripts": {"build": "x"}}')
    (env.cwd / "justfile").write_text("set shell := ['sh']\n@go arg='1':\n  echo\nstop:\n")
    around = look_around(env)
    wanted = {"make": "all test lint VAR no dep", "npm": "build deploy", "just": "go stop shell"}
    known = {
        tool: [name for name in names.split() if around.has_task(tool, name)] for tool, names in wanted.items()
    }
    assert known == {"make": ["all", "test", "lint"], "npm": ["build"], "just": ["go", "stop"]}
    (env.cwd / "Makefile").write_text("include other.mk\nall:\n")
    (env.cwd / "package.json").write_text("[1")
    around = look_around(env)
    assert around.has_task("make", "all") is None and around.has_task("npm", "build") is None


def test_paths_of_a_project(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    put(env.cwd, src__auth__login_py="", node_modules__x_py="")
    around = look_around(env)
    assert around.project_paths("auth/login_py") == ("src/auth/login_py",)
    assert around.project_paths("h/login_py") == () == around.project_paths("x_py")
    assert look_around(dataclasses.replace(env, cwd=env.home)).project_paths("login_py") is None
    empty = env.home / "empty"
    empty.mkdir()
    assert look_around(dataclasses.replace(env, cwd=empty)).project_paths("login_py") is None
    monkeypatch.setattr("memtui.core.inspection.around.MOST_NAMES", 2)
    assert look_around(env).project_paths("login_py") is None
    (env.cwd / "loop").symlink_to("loop")
    kinds = [look_around(env).kind_of(env.cwd / name) for name in ("src", "loop", "no", "src/auth/login_py/x")]
    assert kinds == ["dir", "unknown", "missing", "missing"]


# The shipped families

WORDS = (
    "`src/a.py`",
    "`make x`",
    "due 2020-01-01",
    "yesterday",
    "the API runs on port 80",
    "```\n",
    "\n\n- ",
    "。昨天 ",
)


NOWHERE = Env(*map(Path, ("/h", "/h/p")), {}, *map(Path, ("/h/c", "/h/s", "/h/k")))


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=30).map(" ".join))
@settings(max_examples=25)
def test_no_text_is_too_odd_for_a_family(text: str) -> None:
    around = dataclasses.replace(
        look_around(NOWHERE),
        kind_of=lambda path: "missing" if "a" in path.name else "dir",
        has_command=lambda name: False,
        has_ref=lambda name: False,
        has_task=lambda tool, name: False,
        project_paths=lambda ending: (),
    )
    subject = Subject(
        "s", "m.md", "o", "facts", Path("/h/s"), "m.md", "m", text, updated=datetime(2026, 11, 20, tzinfo=UTC)
    )
    for family in closer_table.FAMILIES:
        found = list(family.each(subject, around)) if family.each else []
        if family.across:
            other = dataclasses.replace(subject, memory="n.md")
            found += [problem for _subject, problem in family.across((subject, other), around, lambda: False)]
        assert {problem.code for problem in found} <= set(family.codes)
        lines = text.count("\n") + 1
        assert all(problem.line is None or 1 <= problem.line <= lines for problem in found)


def test_endless_texts_are_read_in_pieces_that_end() -> None:
    for endless in (
        "`" * 300_000,
        "`a `` " * 50_000,
        "```\n" * 60_000,
        "a-" * 150_000,
        "20" * 100_000,
        "port " * 60_000,
    ):
        subject = Subject(
            "s",
            "m.md",
            "o",
            "facts",
            Path("/h/s"),
            "m.md",
            "m",
            endless,
            updated=datetime(2026, 11, 20, tzinfo=UTC),
        )
        pieces = sentences(subject)
        assert all(len(sentence.text) <= LONGEST_SENTENCE for sentence in pieces)
        assert sum(len(sentence.text) for sentence in pieces) <= MOST_CHARACTERS
