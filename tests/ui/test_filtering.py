"""The filter: what matches, how well, and the editor and the words that need no screen."""

from __future__ import annotations

import itertools
import re
import string
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.layouts.base import Limit, Memory, MemoryText
from memtui.core.workspace import Workspace
from memtui.demo import build_demo
from memtui.ui import styles, wording
from memtui.ui.arranging import Arrangement, arrange, match_item
from memtui.ui.editor import editor_command
from memtui.ui.matching import EXACT, INITIALS, INSIDE, LEFT_OUT, PREFIX, SAID, TYPO, WORD_START, match
from memtui.ui.topic_text import recall_end
from memtui.ui.view import Item, View, build_view
from memtui.ui.widgets.row_list import Row


def item(title: str, description: str = "") -> Item:
    memory = Memory("a.md", title, description, "project", "", "a.md")
    return Item("0 a.md", 0, memory, title, "a.md", (), Row("0 a.md"))


def rank_of(query: str, name: str, others: tuple[str, ...] = (), said: str = "") -> int:
    found = match(query.lower().split(), name, others, said)
    return -1 if found is None else found.rank


@pytest.mark.parametrize(
    ("query", "title", "found"),
    [
        ("port", "Staging port", True),
        ("PORT", "Staging port", True),
        ("prot", "Staging port", False),
        ("grafama", "Grafana, the old one", True),
        ("stagng", "Staging port", True),
        ("stag port", "Staging port", True),
        ("stag graf", "Staging port", False),
        ("xyz", "Staging port", False),
        ("project", "Staging port", True),
        ("日本", "日本語で返答", True),
        ("[/", "range [/", True),
        ("grf", "Grafana, the old one", True),
        ("gfn", "Grafana, the old one", True),
        ("rfn", "Grafana, the old one", False),
        ("go", "Grafana, the old one", True),
        ("gf", "Grafana, the old one", False),
        ("gl", "Grafana, the old one", False),
        ("port 2223", "Staging port 2222", False),
    ],
)
def test_every_word_must_be_there_give_or_take_letters(query: str, title: str, found: bool) -> None:
    assert (match_item(item(title), query.lower().split()) is not None) is found


def test_the_ways_to_match_have_ranks() -> None:
    ways = [
        (EXACT, rank_of("prefer small commits", "Prefer small commits")),
        (PREFIX, rank_of("pref", "Prefer small commits")),
        (PREFIX, rank_of("prefer small", "Prefer small commits")),
        (WORD_START, rank_of("small", "Prefer small commits")),
        (INSIDE, rank_of("mall", "Prefer small commits")),
        (SAID, rank_of("review", "Prefer small commits", said="asked twice in review")),
        (INITIALS, rank_of("psc", "Prefer small commits")),
        (INITIALS, rank_of("prsm", "Prefer small commits")),
        (LEFT_OUT, rank_of("cmmts", "Prefer small commits")),
        (TYPO, rank_of("comnits", "Prefer small commits")),
        # the name of the file counts as well as the title
        (EXACT, rank_of("no-mocks", "Never mock the database", ("no-mocks",))),
        (PREFIX, rank_of("no-m", "Never mock the database", ("no-mocks",))),
        # the weakest word decides
        (LEFT_OUT, rank_of("prefer cmmts", "Prefer small commits")),
    ]
    assert [found for _rank, found in ways] == [rank for rank, _found in ways]
    assert EXACT > PREFIX > WORD_START > INSIDE > SAID > INITIALS > LEFT_OUT > TYPO > -1


@pytest.mark.parametrize(
    ("query", "title", "hits"),
    [
        ("port", "Staging port", (8, 9, 10, 11)),
        ("grf", "Grafana", (0, 1, 3)),
        ("psc", "Prefer small commits", (0, 7, 13)),
        # where it begins a word rather than where it stands first
        ("port", "Report on a port", (12, 13, 14, 15)),
        # its small form is longer, so the places are not told
        ("port", "İstanbul port", ()),
    ],
)
def test_matched_letters_of_the_title_are_known(query: str, title: str, hits: tuple[int, ...]) -> None:
    found = match([query], title)
    assert found is not None and found.hits == hits


def test_the_description_counts_less_than_the_title() -> None:
    in_title, in_description = (
        match_item(item("port"), ["port"]),
        match_item(item("other", "the port"), ["port"]),
    )
    assert in_title is not None and in_description is not None
    assert in_title.rank > in_description.rank and in_description.hits == ()


@pytest.fixture(scope="module")
def long_view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The demo's store of two hundred memories."""
    demo = build_demo(tmp_path_factory.mktemp("long") / "demo")
    env = Env(demo.home, demo.long_project, {}, demo.home / "c", demo.home / "s", demo.home / "k")
    workspace = Workspace(env)
    return build_view(workspace, workspace.snapshots())


def test_two_letters_do_not_match_everything(long_view: View) -> None:
    items = list(long_view.items.values())
    for letters in itertools.product(string.ascii_lowercase, repeat=2):
        query = "".join(letters)
        loose = 0
        for shown in items:
            found = match_item(shown, [query])
            if found is not None and found.rank <= INITIALS:
                loose += 1
                # what matched are beginnings of words
                text = f" {shown.title.lower()} {shown.file.lower()}"
                assert all(re.search(rf"(?<![a-z0-9]){re.escape(letter)}", text) for letter in query)
        assert loose <= len(items) // 4, query


def test_better_matches_come_first_and_the_best_is_told(long_view: View) -> None:
    found = arrange(long_view, Arrangement("deploy note 1"))
    titles = [row.cells[-1].text for row in found.rows if row.kind == "row"]
    best = long_view.items[found.best].title
    assert titles[0] == best and best.startswith("Deploy note 1") and len(titles) == found.count
    assert not [row for row in found.rows if row.kind == "rule"]
    assert [row for row in arrange(long_view, Arrangement()).rows if row.kind == "rule"]


NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=5), "now"),
        (timedelta(minutes=5), "5m"),
        (timedelta(hours=3), "3h"),
        (timedelta(days=9), "9d"),
        (timedelta(days=21), "3w"),
        (timedelta(days=90), "3mo"),
        (timedelta(days=800), "2y"),
        (timedelta(days=-5), "now"),
    ],
)
def test_an_age_has_one_unit(ago: timedelta, words: str) -> None:
    assert wording.age(NOW - ago, NOW) == words


LIMITS = (Limit("body", "lines", 3, ""), Limit("body", "bytes", 20, ""), Limit("inject", "lines", 1, ""))


@pytest.mark.parametrize(
    ("head", "body", "after"),
    [
        (b"", b"a\nb\n", None),
        (b"", b"a\nb\nc\nd\n", 3),
        (b"---\nx: y\n---\n", b"a\nb\nc\nd\n", 6),
        (b"", b"0123456789\n0123456789\n", 1),
        (b"", b"a\nb\nc", None),
        (b"", b"x" * 50, 1),
    ],
)
def test_a_recall_ends_at_the_tighter_limit_of_the_body(head: bytes, body: bytes, after: int | None) -> None:
    assert recall_end(MemoryText(head + body, body), LIMITS) == after
    assert recall_end(MemoryText(head + body, body), ()) is None


def env_with(tmp_path: Path, **environ: str) -> Env:
    return Env(tmp_path, tmp_path, environ, tmp_path, tmp_path, tmp_path)


def test_u03_the_editor_is_visual_then_editor_then_vi_or_nano(tmp_path: Path) -> None:
    for name in ("one", "two", "nano"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    path = str(tmp_path)
    assert editor_command(env_with(tmp_path, PATH=path, VISUAL="one -u 'a b'", EDITOR="two"), "") == [
        "one",
        "-u",
        "a b",
    ]
    assert editor_command(env_with(tmp_path, PATH=path, EDITOR="two"), "") == ["two"]
    assert editor_command(env_with(tmp_path, PATH=path, EDITOR="two"), "one --wait") == ["one", "--wait"]
    assert editor_command(env_with(tmp_path, PATH=path, EDITOR=" "), "") == ["nano"]
    for wrong in ("/nope", "'unclosed"):
        with pytest.raises(UsageError):
            editor_command(env_with(tmp_path, PATH=path, EDITOR=wrong), "")
    (tmp_path / "nano").unlink()
    with pytest.raises(UsageError):
        editor_command(env_with(tmp_path, PATH=path), "")


def test_the_styles_are_found_in_a_checkout_and_in_an_installed_package(tmp_path: Path) -> None:
    assert [Path(path).is_file() for path in styles.style_paths()] == [True] * len(styles.ORDER)
    assert {path.stem for path in styles.styles_dir().glob("*.tcss")} == set(styles.ORDER)
    package = tmp_path / "memtui"
    (package / "styles").mkdir(parents=True)
    (package / "styles" / f"{styles.ORDER[0]}.tcss").touch()
    assert styles.styles_dir(package) == package / "styles"
    with pytest.raises(FileNotFoundError):
        styles.styles_dir(tmp_path / "elsewhere" / "memtui")
