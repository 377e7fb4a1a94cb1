"""Text from disk becomes screen text that cannot act on a terminal and hides nothing."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.safety import display

HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Mn", "Me"]),
        st.sampled_from("\u200d\u200c\ufe0f\ufe0e\u202e\u2028\n\t\r👩👨👧🏽❤क्षنa\u0301\U000e0100\U000e0041"),
    ),
    max_size=40,
)


def unsafe(text: str, allowed: str = "") -> list[str]:
    """The characters of a screen text that may not be there; joiners count only where nothing joins them."""
    found = []
    for position, character in enumerate(text):
        if character in allowed:
            continue
        if character in "\u200c\u200d":
            if position == 0 or unicodedata.category(text[position - 1]) not in (
                "So",
                "Sk",
                "Lo",
                "Mn",
                "Mc",
                "Sm",
            ):
                found.append(character)
        elif unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            found.append(character)
    return found


@given(HOSTILE)
def test_no_line_holds_a_control_or_hidden_character(text: str) -> None:
    assert unsafe(display.line(text)) == []


@given(HOSTILE)
def test_no_block_holds_a_control_but_the_line_end(text: str) -> None:
    assert unsafe(display.block(text), allowed="\n") == []


@given(HOSTILE)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert display.line(display.line(text)) == display.line(text)
    assert display.block(display.block(text)) == display.block(text)


@given(HOSTILE)
def test_marks_never_pile_up_and_never_stand_alone(text: str) -> None:
    shown = display.block(text)
    for row in shown.split("\n"):
        run = 0
        for character in row:
            run = run + 1 if "\u0300" <= character <= "\u036f" else 0
            assert run <= display.MARKS_KEPT
        assert not row or not "\u0300" <= row[0] <= "\u036f"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain text [with] \\[brackets] and `code`",
        "日本語のメモ — 漢字",
        "naïve café Ångström Tiếng Việt",
        "שָׁלוֹם عَرَبِيّ हिन्दी ภาษาไทย",
        "👍 👨‍👩‍👧 🇫🇷 ● ▶ 👩🏽‍🚀",
        "a\u00a0b\u3000c\u2003d",
        "private \ue0b0 use",
        "می\u200cخواهم ക്\u200d क्\u200dष",
    ],
)
def test_ordinary_text_comes_back_as_it_is(text: str) -> None:
    assert display.line(text) == text
    assert display.block(text) == text
    assert display.hidden_characters(text) == 0


def test_block_keeps_line_ends_and_widens_tabs() -> None:
    assert display.block("a\tb\r\nc\n") == "a   b\nc\n"
    assert display.block("a\rb\x0bc") == "a␍b␋c"
    assert display.lines("a\n\nb\n") == ["a", "", "b"]
    assert display.lines("") == []


def test_line_shows_line_ends_and_tabs_as_signs() -> None:
    assert display.line("a\tb\r\nc") == "a␉b␍␊c"
    assert display.line("é\tb\n") == "é␉b␊"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]52;c;UEFZTE9BRA==\x07 tail", "␛]52;c;UEFZTE9BRA==␇ tail"),
        ("ok\x1b[2J\x1b[1;1HDelete all? y", "ok␛[2J␛[1;1HDelete all? y"),
        ("\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\", "␛Ptmux;␛␛]52;c;eA==␇␛\\"),
        ("\x08\x7f\x00", "␈␡␀"),
        ("é\x9b31m", "é<U+009B>31m"),
        ("é\x85", "é<U+0085>"),
    ],
)
def test_t01_t03_t04_terminal_sequences_are_shown_not_sent(text: str, shown: str) -> None:
    assert display.line(text) == shown


@pytest.mark.parametrize(
    "text", ["[@click=app.quit]fix[/]", "range [/", "- [ ] task [x] done", "$primary", "\\[x]"]
)
def test_t05_t06_t07_markup_is_plain_text(text: str) -> None:
    assert display.line(text) is text


def test_t09_hidden_characters_are_visible_and_counted() -> None:
    text = "a\u202eb\u200bc\u2066d\U000e0041\U000e0042\U000e0043"
    assert display.line(text) == "a<U+202E>b<U+200B>c<U+2066>d<U+E0041><U+E0042><U+E0043>"
    assert display.hidden_characters(text) == 6
    assert display.hidden_characters("tab\tand\r\nline ends\n and \udcff") == 0
    assert display.hidden_characters("bell\x07") == 1
    assert display.hidden_characters("👨‍👩‍👧 ⚠️") == 0


def test_stray_joiners_are_hidden_characters() -> None:
    assert display.line("pass\u200dword") == "pass<U+200D>word"
    assert display.line("a\u200cb") == "a<U+200C>b"
    assert display.line("👨\u200d") == "👨<U+200D>"
    assert display.hidden_characters("a\u200db") == 1


def test_one_variation_selector_is_dropped_and_more_are_data() -> None:
    assert display.line("⚠️ ✂️ 1️⃣ 葛\U000e0100") == "⚠ ✂ 1⃣ 葛"
    assert display.line("🏳️‍🌈") == "🏳‍🌈"
    assert display.line("😀\ufe0f\U000e0101\U000e0102") == "😀<U+E0101><U+E0102>"
    assert display.hidden_characters("😀\ufe0f\U000e0101\U000e0102") == 2


def test_t10_names_that_are_not_utf8_or_hold_controls() -> None:
    assert display.path(Path("/m/a\x1b[31m.md")) == "/m/a␛[31m.md"
    assert display.path("b\nc.md") == "b␊c.md"
    assert display.path("d\udcff.md") == "d\\xff.md"
    assert display.path("\ud800") == "<U+D800>"
    display.path("d\udcff.md").encode("utf-8")


def test_paths_below_home_start_with_a_tilde() -> None:
    home = Path("/home/ada")
    assert display.path("/home/ada/code", home=home) == "~/code"
    assert display.path("/home/ada", home=home) == "~"
    assert display.path("/home/adam/x", home=home) == "/home/adam/x"


def test_combining_floods_are_cut_and_say_so() -> None:
    assert display.line("e" + "\u0301" * 20 + "!") == "e" + "\u0301" * 8 + "<+12>!"
    assert display.line("\u0301x") == "\u25cc\u0301x"
    assert display.block("a\n\u0301x") == "a\n\u25cc\u0301x"


def test_separators_and_noncharacters_are_visible() -> None:
    assert display.line("a\u2028b\u2029c") == "a<U+2028>b<U+2029>c"
    assert display.block("a\u2028b") == "a<U+2028>b"
    assert display.line("\uffff\ufdd0\U0001fffe\ufeff") == "<U+FFFF><U+FDD0><U+1FFFE><U+FEFF>"


def test_every_character_of_unicode_alone_is_safe() -> None:
    for code in range(0x110000):
        shown = display.line(f"x{chr(code)}x")
        assert unsafe(shown) == [], hex(code)
