"""Duplicates: which texts say the same, what differs in those that nearly do, and what they are compared with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.cli.run import run
from memtui.core.duplicates import Text, differing, find_pairs, group, passages
from memtui.core.duplicates.words import MOST_WORDS
from memtui.core.env import Env
from memtui.core.inspection import looked_closer
from memtui.core.locate.amaster import FOLDER
from memtui.core.locate.instructions import instructions
from memtui.core.workspace import Workspace

RULE = "Run the linter and the type checker before you open a pull request on the main repository."
REWORDED = "Before opening a pull request on the main repository, run the type checker and the linter."
LONGER = (
    "Before opening a pull request on the main repository, run the type checker, the linter and all the tests."
)


def code(one: str, other: str) -> str:
    """What two bodies without titles are to each other."""
    pairs = find_pairs([Text("", one), Text("", other)])
    return pairs[0].code if pairs else "different"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The GUARD is on!", "the guard is on", "duplicate"),
        ("１２ ﾃｽﾄ が あります", "12 テスト が あります", "duplicate"),
        ("Noted: 2026-02-03\nAsk before you deploy.", "Ask before you deploy.\n(2027-01-01)", "duplicate"),
        ("Freeze until 2027-02-03 for all teams.", "Freeze until 2027-02-04 for all teams.", "different"),
        ("Keep logs for 2 weeks on every host.", "Keep logs for two weeks on every host.", "duplicate"),
        ("Keep logs for 2 weeks on every host.", "Keep logs for 2 days on every host.", "different"),
        ("Upload at most 2,000 rows in one go.", "Upload at most 2000 rows in one go.", "duplicate"),
        ("You may push to the main branch.", "You must push to the main branch.", "different"),
        ("Prefer composition over inheritance.", "Prefer inheritance over composition.", "different"),
        ("Written in C++ by the core team.", "Written in C by the core team.", "different"),
        ("Use it.", "Use them.", "different"),
        ("", "", "different"),
        ("!!! ---", "*** ...", "different"),
    ],
)
def test_what_two_texts_are_to_each_other(one: str, other: str, expected: str) -> None:
    assert code(one, other) == code(other, one) == expected


@pytest.mark.parametrize(
    ("titles", "found"),
    [
        (("Small commits", "Commit size"), True),
        (("Staging", "Production"), False),
        (("Shard 1", "Shard 2"), False),
        (("note-2026-03-01", "note-2026-04-01"), True),
    ],
)
def test_titles_tell_equal_texts_apart(titles: tuple[str, str], found: bool) -> None:
    pairs = find_pairs([Text(title, "Reviewers want small and tidy commits.") for title in titles])
    assert bool(pairs) is found


def test_a_longer_text_may_differ_in_one_value() -> None:
    body = " ".join(f"Word{number} stays".lower() for number in range(20))
    assert code(f"{body} on port 8080.", f"{body} on port 8081.") == "near-duplicate"
    assert code(f"{body} for Ann on port 8080.", f"{body} for Bob on port 8081.") == "different"


def test_of_a_very_long_text_the_end_counts_too() -> None:
    body = " ".join(f"word{number}" for number in range(MOST_WORDS + 10))
    assert code(body, body) == "duplicate"
    assert code(f"{body} one end", f"{body} another end") == "near-duplicate"


def test_all_that_are_alike_stand_in_one_group() -> None:
    bodies = [RULE, "An unrelated remark on coffee.", REWORDED, RULE.upper(), LONGER]
    (found,) = group(find_pairs([Text("", body) for body in bodies]))
    assert (found.members, found.code) == ((0, 2, 3, 4), "near-duplicate")
    assert 70 <= found.score < 99
    (equal,) = group(find_pairs([Text("", bodies[0]), Text("", bodies[3]), Text("", bodies[0])]))
    assert (equal.members, equal.code, equal.score) == ((0, 1, 2), "duplicate", 100)


def test_what_is_like_one_of_a_group_only_stands_in_another() -> None:
    common = "the nightly job copies the database and checks every table of it"
    middle = f"{common}, slowly"
    bodies = [f"{common}, slowly, to 8080", middle, f"{common}, slowly, to 8081"]
    groups = group(find_pairs([Text("", body) for body in bodies]))
    assert [found.members for found in groups] == [(0, 1), (1, 2)]


def test_a_text_that_stands_whole_in_a_longer_one_is_found() -> None:
    other = [f"Rule number {number} is about something else entirely." for number in range(30)]
    long = "\n".join([*other[:10], "Integration tests must talk to a real database.", *other[10:]])
    (pair,) = find_pairs([Text("", "integration tests must talk to a real database"), Text("", long)])
    assert pair.code == "near-duplicate"


def test_passages_are_not_compared_with_each_other() -> None:
    texts = [Text("", RULE, is_fixed=True), Text("", RULE, is_fixed=True), Text("", REWORDED, is_fixed=True)]
    assert find_pairs(texts) == ()
    pairs = find_pairs([*texts, Text("", RULE)])
    assert {(pair.first, pair.second, pair.code) for pair in pairs} >= {(0, 3, "duplicate")}
    assert all(pair.second == 3 for pair in pairs)


def test_a_cancelled_comparison_ends_with_the_text_it_is_at() -> None:
    texts = [Text("", f"{RULE} {number}") for number in range(200)]
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    assert find_pairs(texts, cancelled) == ()
    assert asked < 30


@pytest.mark.parametrize(
    ("first", "second", "marked", "others"),
    [
        ("Port 8080 is **open**", "port 8081 is open", ["8080"], ["8081"]),
        ("Always run the linter", "Never run the linter", ["Always"], ["Never"]),
        ("run it", "run it at once", [], ["at once"]),
        ("先给结论，后写理由", "先给理由", ["结论，后写"], []),
        ("one\ntwo\nthree", "one\nx\nthree", ["two"], ["x"]),
        ("Café", "CAFE", [], []),
    ],
)
def test_differing_words(first: str, second: str, marked: list[str], others: list[str]) -> None:
    ours, theirs = differing(first, second)
    assert [first[begin:end] for begin, end in ours] == marked
    assert [second[begin:end] for begin, end in theirs] == others


def test_passages_of_an_instruction_file() -> None:
    text = "# Title\n\nA paragraph\nof two lines.\n\n## Rules\n- one\n  goes on\n- two\n```\n# no heading\n\n- x\n```"
    found = [(passage.line, passage.text) for passage in passages(text)]
    assert found[:3] == [
        (3, "A paragraph\nof two lines."),
        (7, "- one\n  goes on"),
        (9, "- two\n```\n# no heading\n\n- x\n```"),
    ]
    assert found[3][0] == 7 and len(found) == 4


def test_instruction_files_are_found_on_the_way_up(
    make_env: Callable[..., Env], home: Path, tmp_path: Path
) -> None:
    inside = home / "code" / "app" / "src"
    inside.mkdir(parents=True)
    (inside / "AGENTS.md").write_text("inner")
    (home / "code" / "CLAUDE.md").write_text("outer")
    (home / "code" / "AGENTS.md").symlink_to("CLAUDE.md")
    (home / ".claude").mkdir()
    (home / ".claude" / "CLAUDE.md").write_bytes(b"all \xff")
    (home.parent / "CLAUDE.md").write_text("above home")
    found = [(item.path.relative_to(home).as_posix(), item.text) for item in instructions(make_env(cwd=inside))]
    assert found == [
        ("code/app/src/AGENTS.md", "inner"),
        ("code/AGENTS.md", "outer"),
        (".claude/CLAUDE.md", "all \ufffd"),
    ]
    elsewhere = tmp_path / "else" / "repo" / "deep"
    (elsewhere.parent / ".git").mkdir(parents=True)
    (elsewhere.parent / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (elsewhere.parent / "AGENTS.md").write_text("root")
    (elsewhere.parent.parent / "AGENTS.md").write_text("beyond")
    assert [item.text for item in instructions(make_env(cwd=elsewhere))] == ["root"]


def fact(body: str) -> str:
    return f"---\nname: n\ndescription: d\nmetadata:\n  type: user\n---\n\n{body}\n"


@pytest.fixture
def stores(env: Env) -> Path:
    """A store of Claude's with two equal memories and one that Hermes and the instructions hold as well."""
    memory = env.home / ".claude" / "projects" / str(env.cwd).replace("/", "-") / "memory"
    memory.mkdir(parents=True)
    bodies = {
        "a": RULE,
        "b": f"**{RULE}**",
        "c": "The user likes green tea in the morning.",
        "d": "Only here, once.",
    }
    for name, body in bodies.items():
        (memory / f"{name}.md").write_text(fact(body))
    (memory / "MEMORY.md").write_text("".join(f"- [{name}]({name}.md) — h\n" for name in bodies))
    hermes = env.home / ".hermes" / "memories"
    hermes.mkdir(parents=True)
    (hermes / "USER.md").write_text("The user likes green tea in the morning")
    (env.cwd / "AGENTS.md").write_text(f"# Rules\n\n- {REWORDED}\n")
    return memory


def test_check_names_the_other_one(env: Env, stores: Path) -> None:
    found = [
        (snapshot.store.owner, problem.file, problem.code, problem.severity, problem.message)
        for snapshot in looked_closer(env, Workspace(env).snapshots())
        for problem in snapshot.problems
        if problem.code in ("duplicate", "near-duplicate")
    ]
    messages = {(owner, file): (code, severity, text) for owner, file, code, severity, text in found}
    assert len(found) == len(messages) == 4
    assert messages["claude", "a.md"] == ("duplicate", "warning", "says the same as “b”")
    assert messages["claude", "b.md"] == ("duplicate", "warning", "says the same as “a”")
    assert messages["claude", "c.md"][:2] == messages["hermes", "USER.md"][:2] == ("duplicate", "note")
    assert json.dumps(messages["claude", "c.md"][2]).count("hermes") == 1


def test_the_command_lists_groups_and_what_differs(
    env: Env, stores: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (stores / "b.md").write_text(fact(LONGER))
    status = run(["duplicates", "--json"], lambda _home, _cwd: env, _no_app)
    groups = json.loads(capfdbinary.readouterr().out)["groups"]
    assert status == 1
    same, near = sorted(groups, key=lambda found: found["code"])
    assert (same["code"], same["score"]) == ("duplicate", 100)
    assert {(item["kind"], item["differing"] == []) for item in same["members"]} == {("memory", True)}
    assert [item["id"] for item in near["members"]] == ["b.md", "a.md", None]
    assert [item["line"] for item in near["members"]] == [8, 8, 3]
    assert (
        near["members"][2]["file"] == str(env.cwd / "AGENTS.md")
        and near["members"][2]["kind"] == "instructions"
    )
    assert "and all the tests" in " ".join(near["members"][0]["differing"])
    assert run(["duplicates"], lambda _home, _cwd: env, _no_app) == 1
    plain = capfdbinary.readouterr().out.decode()
    assert "near-duplicate, " in plain and "instructions" in plain and "~/code/app/AGENTS.md:3" in plain


def test_the_command_looks_at_other_stores_when_asked(
    env: Env, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    unused = env.home / ".pi" / "agent" / FOLDER
    unused.mkdir(parents=True)
    (unused / "MEMORY.md").write_text(f"{RULE}\n§\n{RULE.lower()}")
    assert run(["duplicates"], lambda _home, _cwd: env, _no_app) == 0
    assert capfdbinary.readouterr().out.decode().strip() == "no duplicates"
    assert run(["duplicates", "--all-stores"], lambda _home, _cwd: env, _no_app) == 1
    assert capfdbinary.readouterr().out.decode().count("MEMORY.md") == 2


def _no_app(env: Env, owner: str, path: Path | None) -> int:
    raise AssertionError("a command opened the app")
