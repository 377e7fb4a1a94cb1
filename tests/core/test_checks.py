"""Problems of stores, found on snapshots of the facts layout; nothing is read from a disk."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from memtui.core import checks
from memtui.core.checks.closer.table import FAMILIES
from memtui.core.checks.codes import CODES
from memtui.core.layouts.base import Problem, Profile, Store, StoredFile
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.owners import CLAUDE, ZCODE
from memtui.core.text.leftovers import leftover_kind

GOOD = "---\nname: n\ndescription: d\nmetadata:\n  node_type: memory\n  type: user\n---\n\nbody\n"


def found(
    files: dict[str, str | bytes | StoredFile], *, profile: Profile = ZCODE, **store: object
) -> list[Problem]:
    stored = []
    for path, content in files.items():
        if isinstance(content, StoredFile):
            stored.append(content)
        elif leftover_kind(path):
            stored.append(StoredFile(path, "file"))
        else:
            data = content if isinstance(content, bytes) else content.encode()
            stored.append(StoredFile(path, "file", data))
    base = Store("id", Path("/store"), profile, exists=True, used=True, reason="test")
    snapshot = FACTS.scan(dataclasses.replace(base, **store), stored)  # type: ignore[arg-type]
    return list(checks.run(snapshot))


def codes(problems: list[Problem]) -> list[tuple[str, str | None, int | None]]:
    return [(problem.code, problem.memory, problem.line) for problem in problems]


def of(problems: list[Problem], code: str) -> Problem:
    (problem,) = [problem for problem in problems if problem.code == code]
    return problem


def one(text: str | bytes, *, profile: Profile = ZCODE) -> list[Problem]:
    return found({"MEMORY.md": "- [A](a.md) — x\n", "a.md": text}, profile=profile)


def test_a_healthy_store_has_no_problems() -> None:
    assert one(GOOD) == []
    assert one(GOOD, profile=CLAUDE) == []
    assert found({}) == []
    assert found({}, exists=False) == []


def test_the_most_severe_come_first_and_what_cannot_be_written_has_no_repair() -> None:
    files: dict[str, str | bytes | StoredFile]
    files = {"MEMORY.md": "- [A](a.md) — x\n- [B](b.md)\n", "a.md": "x", "c.md": "---\na: b\n"}
    problems = found(files, writable=False)
    ranks = [("error", "warning", "note").index(problem.severity) for problem in problems]
    assert ranks == sorted(ranks)
    assert {problem.severity for problem in problems} == {"error", "warning", "note"}
    assert not any(problem.repairable for problem in problems)


def test_f01_lines_beyond_the_cut() -> None:
    index = "".join(f"- [T{n}](t{n}.md) — hook {n}\n" for n in range(1, 206))
    problems = found({"MEMORY.md": index, **{f"t{n}.md": GOOD for n in range(1, 206)}})
    assert (
        of(problems, "over-limit").message
        == "MEMORY.md has 205 of 200 lines: the agent loads lines 1 to 200 only"
    )
    beyond = [(problem.memory, problem.line) for problem in problems if problem.code == "not-loaded"]
    assert beyond == [(f"t{n}.md", n) for n in range(201, 206)]


def test_f04_dead_line() -> None:
    problems = found({"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "a.md": GOOD})
    assert codes(problems) == [("dead-link", "b.md", 2)]
    assert "file missing" in problems[0].message
    assert problems[0].file == "MEMORY.md"


def test_f05_orphan_and_names_that_are_no_orphans() -> None:
    problems = found(
        {
            "MEMORY.md": "- [A](a.md) — x\n",
            "a.md": GOOD,
            "b.md": GOOD.replace("name: n", "name: B"),
            "MEMORY.md.bak.1767225600": "",
            ".a.md.swp": "",
        }
    )
    assert codes(problems) == [("orphan", "b.md", None), ("leftover", None, None)]
    assert problems[0].message == "not in index: the agent is not told of it"
    assert problems[1].message == "1 backup: MEMORY.md.bak.1767225600"


def test_f06_two_lines_for_one_file_are_both_flagged() -> None:
    problems = found({"MEMORY.md": "- [A](a.md) — old\n- [A2](./a.md#x) — new\n", "a.md": GOOD})
    assert codes(problems) == [("duplicate-line", "a.md", 1), ("duplicate-line", "a.md", 2)]


def test_f14_bytes_that_are_not_utf8() -> None:
    index = b"- [Caf\xe9](cafe.md) \x97 x\n- [B](b.md) \xe2\x80\x94 y\n"
    problems = found({"MEMORY.md": index, "b.md": GOOD, "cafe.md": GOOD.encode() + b"\n\xff"})
    bad = [problem for problem in problems if problem.code == "not-utf8"]
    assert [(problem.file, problem.line, problem.memory) for problem in bad] == [
        ("MEMORY.md", 1, None),
        ("cafe.md", 11, "cafe.md"),
    ]
    assert "not UTF-8 at byte 6" in bad[0].message


def test_f15_topic_files_without_an_index() -> None:
    problems = found({"a.md": GOOD, "b.md": GOOD})
    assert codes(problems) == [("no-index", None, None)]
    assert problems[0].message == "no MEMORY.md: the agent loads nothing"


def test_f23_leftovers_are_counted_not_listed() -> None:
    files: dict[str, str | bytes | StoredFile] = {"MEMORY.md": "- [A](a.md) — x\n", "a.md": GOOD}
    for name in ("a.md~", ".a.md.swp", "#a.md#", "a.sync-conflict-20260101-101010-AB12CD3.md"):
        files[name] = ""
    for number in range(40):
        files[f"MEMORY.md.bak.{1767225600 + number}"] = ""
    problems = found(files)
    assert codes(problems) == [("leftover", None, None)]
    assert problems[0].message == "1 sync conflict, 40 backups"


def test_f23_a_few_leftovers_are_named() -> None:
    files: dict[str, str | bytes | StoredFile] = {"MEMORY.md": "- [A](a.md) — x\n", "a.md": GOOD}
    problems = found({**files, "a.md.bak": "", "MEMORY.md.tmp": ""})
    assert problems[0].message == "1 backup, 1 temporary file: a.md.bak, MEMORY.md.tmp"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[(name, "swap") for name in (".a.md.swp", ".a.md.swx", "#a.md#", "a.md~", ".#a.md")],
        *[(name, "backup") for name in ("MEMORY.md.bak.1767225600", "a.md.bak", "a.md.orig")],
        *[
            (name, "conflict")
            for name in ("a.sync-conflict-20260101-101010-AB12CD3.md", "a (conflicted copy).md")
        ],
        *[(name, "temp") for name in ("a.md.tmp", ".MEMORY.md.tmp-17")],
        *[
            (name, None)
            for name in ("a.md", "notes.old.md", "tmp.md", ".dream-meta.json", "C#.md", "sync-conflict.md")
        ],
    ],
)
def test_names_of_leftovers(name: str, kind: str | None) -> None:
    assert leftover_kind(name) == kind


def test_t11_lines_that_leave_the_directory() -> None:
    index = "- [S](../../secret.md)\n- [T](%2e%2e/%2e%2e/secret.md)\n- [X](sub/../../x.md)\n"
    problems = found({"MEMORY.md": index})
    assert {problem.code for problem in problems} == {"outside"}
    assert [problem.line for problem in problems] == [1, 2, 3]
    assert all("outside the memory directory" in problem.message for problem in problems)


def test_t12_a_symlink_is_named_with_its_target() -> None:
    link = StoredFile("leak.md", "symlink", link_target="/tmp/key.txt")
    problems = found({"MEMORY.md": "- [L](leak.md) — x\n", "leak.md": link})
    assert codes(problems) == [("symlink", "leak.md", None)]
    assert "/tmp/key.txt" in problems[0].message


@pytest.mark.parametrize("kind", ["dir", "unreadable", "other"])
def test_an_index_that_cannot_be_read(kind: str) -> None:
    problems = found({"MEMORY.md": StoredFile("MEMORY.md", kind, error="because"), "a.md": GOOD})  # type: ignore[arg-type]
    assert codes(problems) == [("unreadable", None, None)]
    assert problems[0].message == "MEMORY.md cannot be read (because): the agent loads nothing"


def test_an_unreadable_memory() -> None:
    bad = StoredFile("a.md", "unreadable", error="Permission denied")
    problems = found({"MEMORY.md": "- [A](a.md) — x\n", "a.md": bad})
    assert codes(problems) == [("unreadable", "a.md", None)]
    assert problems[0].message == "cannot be read: Permission denied"


def test_long_lines_count_utf16_units() -> None:
    index = f"- [A](a.md) — {'🚀' * 100}\n- [B](b.md) — {'x' * 100}\n"
    problems = found({"MEMORY.md": index, "a.md": GOOD, "b.md": GOOD})
    assert codes(problems) == [("long-line", "a.md", 1)]
    assert "214" in problems[0].message


def test_only_the_beginning_of_a_long_body_is_recalled() -> None:
    assert codes(one(GOOD + "x" * 4_090)) == []
    assert codes(one(GOOD + "x" * 4_092)) == [("body-cut", "a.md", None)]
    assert codes(one(GOOD + "x\n" * 200)) == [("body-cut", "a.md", None)]
    assert codes(one(GOOD + "x\n" * 5000, profile=CLAUDE)) == []


def test_a_configuration_that_hides_the_index() -> None:
    problems = found(
        {"MEMORY.md": "- [A](a.md)\n", "a.md": GOOD}, loads=False, loads_not_because="off in x.json"
    )
    assert codes(problems) == [("not-injected", None, None)]
    assert "off in x.json" in problems[0].message


def test_line_ends_matter_only_where_the_owner_minds() -> None:
    crlf = GOOD.replace("\n", "\r\n").rstrip("\r\n")
    assert one(crlf) == []
    minding = dataclasses.replace(ZCODE, minds=frozenset({"crlf", "no-final-newline"}))
    assert codes(one(crlf, profile=minding)) == [("crlf", "a.md", 1), ("no-final-newline", "a.md", 9)]


def test_what_locating_found_is_a_problem_too() -> None:
    problems = found({}, findings=(("bad-config", "x.json is broken"), ("case-twin", "two names")))
    assert [(problem.code, problem.severity, problem.message) for problem in problems] == [
        ("bad-config", "warning", "x.json is broken"),
        ("case-twin", "warning", "two names"),
    ]
    (shared,) = found({}, shared_by=("/one", "/two"))
    assert (shared.code, shared.severity) == ("shared-store", "note")
    assert "/one, /two" in shared.message


def test_names_that_differ_by_case_only() -> None:
    problems = found({"MEMORY.md": "- [A](a.md)\n- [B](A.md)\n", "a.md": GOOD, "A.md": GOOD})
    assert codes(problems) == [("case-twin", "a.md", None), ("case-twin", "A.md", None)]


# Frontmatter


def test_y01_strict_readers_reject_a_colon() -> None:
    problems = one("---\nname: deploy\ndescription: Release steps: tag, then push\ntype: project\n---\nbody\n")
    assert codes(problems) == [("strict-yaml", "a.md", 3)]
    assert problems[0].severity == "error"
    assert "strict YAML readers reject this block" in problems[0].message
    lenient = one("---\nname: a\ndescription: a: b\ntype: project\n---\nbody\n", profile=CLAUDE)
    assert [(problem.code, problem.severity) for problem in lenient] == [("strict-yaml", "warning")]


def test_y06_blank_lines_before_the_block() -> None:
    assert codes(one("\n\n" + GOOD)) == [("late-frontmatter", "a.md", 3)]
    assert one(b"\xef\xbb\xbf" + GOOD.encode()) == []


def test_y07_closing_line_beyond_what_the_owner_reads() -> None:
    text = "---\n" + "".join(f"x{n}: v\n" for n in range(35)) + "description: d\n---\nbody\n"
    problem = of(one(text), "late-frontmatter")
    assert problem.line == 38
    assert "ZCode sees no frontmatter" in problem.message
    assert one(text, profile=CLAUDE) == []


def test_a_fence_with_blanks_behind_it() -> None:
    problem = of(one(GOOD.replace("---\n\n", "---  \n\n")), "late-frontmatter")
    assert problem.line == 7


def test_y08_a_description_that_is_a_number() -> None:
    problem = of(one(GOOD.replace("description: d", "description: 1.10")), "value-altered")
    assert (problem.line, problem.severity) == (3, "warning")
    assert "1.10" in problem.message
    assert one(GOOD.replace("description: d", "description: no")) == []


def test_y10_both_values_of_a_doubled_key_are_named() -> None:
    problems = one("---\ndescription: d\ntype: user\nname: a\ntype: project\n---\nx\n")
    assert codes(problems) == [("duplicate-key", "a.md", 5)]
    assert '"user" in line 3' in problems[0].message
    assert '"project" in line 5' in problems[0].message


def test_y10_keys_that_only_a_strict_reader_takes_for_equal() -> None:
    assert codes(one("---\ndescription: d\ntype: user\n1: a\n1.0: b\n---\nx\n")) == [
        ("duplicate-key", "a.md", 5)
    ]


def test_y11_a_tab_that_indents() -> None:
    problems = one("---\nname: a\ndescription: d\nmetadata:\n\ttype: feedback\n---\nx\n")
    assert codes(problems) == [("strict-yaml", "a.md", 5)]


def test_y13_block_that_is_never_closed() -> None:
    problems = one("---\nname: a\ndescription: d\n\nbody without a closing line\n")
    assert codes(problems) == [("unclosed-frontmatter", "a.md", 1)]
    assert "frontmatter not closed" in problems[0].message


def test_y14_folded_descriptions_are_no_problem() -> None:
    for source in (
        ">-\n  first half\n  second half",
        "|\n  first half\n  second half",
        "first half\n  second half",
    ):
        assert one(f"---\nname: a\ndescription: {source}\ntype: user\n---\nx\n") == []


def test_y15_a_number_sign_cuts_the_description() -> None:
    problem = of(one(GOOD.replace("description: d", "description: see issue #12 first")), "value-altered")
    assert problem.line == 3
    assert '"see issue"' in problem.message


def test_y16_unknown_and_missing_types() -> None:
    assert codes(one("---\nname: a\ndescription: d\ntype: gotcha\n---\nx\n")) == [("unknown-type", "a.md", 4)]
    assert codes(one("---\nname: a\ndescription: d\n---\nx\n")) == []
    assert codes(one("no block\n")) == [("no-frontmatter", "a.md", None)]
    assert codes(one("---\nname: a\n---\nx\n")) == [("no-description", "a.md", 1)]


# Codes


def test_every_code_is_in_the_table_and_has_a_word() -> None:
    root = Path(checks.__file__).parents[2]
    source = "".join(path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    literal = set(re.findall(r"""(?:Problem|problem)\(\s*"([a-z0-9-]+)",\s*(?:"|severity)""", source))
    assert {"orphan", "drift", "past-deadline", "relative-date"} <= literal <= set(CODES)
    families = {code for family in FAMILIES for code in family.codes}
    assert families <= set(CODES) and len(CODES) == len(set(CODES))
    for code in families:
        assert f'"{code}": _(' in (root / "ui" / "wording.py").read_text(encoding="utf-8")
