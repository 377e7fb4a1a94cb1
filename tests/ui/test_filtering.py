"""The filter: what matches, what is marked, and the editor and the words that need no screen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.layouts.base import Limit, Memory, MemoryText
from memtui.ui import styles, wording
from memtui.ui.editor import editor_command
from memtui.ui.filtering import match
from memtui.ui.topic_text import recall_end
from memtui.ui.view import Item
from memtui.ui.widgets.row_list import Row


def item(title: str, description: str = "") -> Item:
    memory = Memory("a.md", title, description, "project", "", "a.md")
    return Item("0 a.md", 0, memory, title, "a.md", (), Row("0 a.md"))


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
    ],
)
def test_every_word_must_be_there_give_or_take_an_error(query: str, title: str, found: bool) -> None:
    assert (match(item(title), query.lower().split())[0] >= 0) is found


def test_the_description_counts_less_than_the_title() -> None:
    in_title, _hits = match(item("port"), ["port"])
    in_description, hits = match(item("other", "the port"), ["port"])
    assert in_title > in_description > 0 and hits == ()


def test_matched_letters_of_the_title_are_known() -> None:
    assert match(item("Staging port"), ["port"])[1] == (8, 9, 10, 11)
    # Its small form is longer, so the places are not told.
    assert match(item("İstanbul port"), ["port"])[1] == ()


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
