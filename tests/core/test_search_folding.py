"""Folding, queries, snippets, and the test on bytes that must never miss a line."""

from __future__ import annotations

import json
import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.safety import display
from memtui.core.search.prefilter import Prefilter
from memtui.core.search.query import parse, spans
from memtui.core.search.snippet import BEFORE_CHARACTERS, CUT, SNIPPET_CHARACTERS, snippet
from memtui.core.text.fold import fold, fold_with_places, place

TRICKY = (
    'aAéÉ\u0301\u0338ßẞſKﬁﬃİıŉΣςσάЯйИが\u3099か테\u1110\u1166\u11a8\uac00类\uf9d0𐐀😀≠µ"\\/\b\x1b*[%_<\udcff '
)
texts = st.one_of(st.text(alphabet=TRICKY, max_size=30), st.text(max_size=40))


@given(texts)
def test_places_fold_to_the_same_text(text: str) -> None:
    folded = fold_with_places(text)
    assert folded.text == fold(text)
    assert all(0 <= first < last <= len(text) for first, last in zip(folded.starts, folded.ends, strict=True))
    for index in range(0, len(folded.text), 7):
        assert place(text, index) == folded.starts[index]


def test_a_place_is_found_in_a_long_text_with_letters_that_grow_and_shrink() -> None:
    text = ("Straße " * 300 + "e\u0301\u0300" * 300) * 6 + "Nadel"
    assert place(text, fold(text).index("nadel")) == len(text) - 5
    assert place(text, 10**9) == len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CAFÉ", "cafe\u0301"),
        ("Straße", "STRASSE"),
        ("테스트", unicodedata.normalize("NFD", "테스트")),
        ("が", "か\u3099"),
        ("ΜΆΪΟΣ", "μαιος"),
        ("Ångström", "\u212bngstrom"),
    ],
)
def test_spellings_of_one_text_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("≠", "="), ("각", "가"), ("a_b", "a-b")])
def test_other_texts_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


# Queries


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", []),
        (" \t\u3000", []),
        ("one  TWO one", ["one", "two"]),
        ('"build  the\tindex" cache', ["build the index", "cache"]),
        ('"open', ['"open']),
        ('say "" twice', ["say", '""', "twice"]),
        ('"', ['"']),
        ("ERR_404::x", ["err_404::x"]),
        ("src/a.b/c-d.ts", ["src/a.b/c-d.ts"]),
        ("\u0301", []),
    ],
)
def test_words_and_phrases(typed: str, words: list[str]) -> None:
    assert [word.text for word in parse(typed).words] == words


def test_a_phrase_matches_across_any_white_space() -> None:
    query = parse('"build the index"')
    assert spans(query, "then Build\n\tthe  INDEX again") == ((5, 22),)
    assert spans(query, "build an index") == ()


def test_places_that_overlap_are_one() -> None:
    assert spans(parse("abc bcd"), "xabcd abc") == ((1, 5), (6, 9))


@given(st.one_of(st.text(), st.text(alphabet='"\\ *[(%_a\u0301\ud800', max_size=2000)))
def test_any_query_is_understood(typed: str) -> None:
    query = parse(typed)
    assert all(word.text and word.parts for word in query.words)
    Prefilter(query).lines(b'{"a":"b"}\n\\\x00\xff"')


# Snippets


@given(texts.flatmap(lambda text: st.tuples(st.just(text), st.integers(0, 40), st.integers(1, 9))))
def test_matches_lie_inside_of_a_snippet_that_is_safe(case: tuple[str, int, int]) -> None:
    text, at, size = case
    for typed in (text[at : at + size], f'"{text[at : at + size]}"', text[::-1]):
        found = snippet(parse(typed), text)
        assert display.line(found.text) == found.text
        ends = [0]
        for first, last in found.matches:
            assert ends[-1] <= first < last <= len(found.text)
            ends.append(last)


def test_a_snippet_is_one_row_around_the_words_that_stand_closest() -> None:
    text = "port\n" + "filler words " * 100 + "ssh listens on\n\n  port 2222 of the host\n" + "more " * 200
    found = snippet(parse("ssh port"), text)
    assert found.text.startswith(CUT) and found.text.endswith(CUT)
    assert "ssh listens on port 2222" in found.text
    assert [found.text[first:last] for first, last in found.matches] == ["ssh", "port"]
    assert found.matches[0][0] <= BEFORE_CHARACTERS + 1
    assert len(found.text) <= SNIPPET_CHARACTERS + 2


def test_a_snippet_shows_what_would_act_as_signs() -> None:
    found = snippet(parse("needle"), "\x1b[31m\u202eneedle\x07")
    assert found.text == "␛[31m<U+202E>needle␇"
    assert [found.text[first:last] for first, last in found.matches] == ["needle"]


# The test on bytes


def spelled(text: str, rng: random.Random) -> bytes:
    """A JSON string of a text, some of its characters escaped as a writer may do it."""
    out = bytearray()
    for character in text:
        plain = json.dumps(character, ensure_ascii=rng.random() < 0.3)[1:-1]
        if rng.random() < 0.15:
            units = character.encode("utf-16-be", "surrogatepass")
            digits = [units[at : at + 2].hex() for at in range(0, len(units), 2)]
            plain = "".join(f"\\u{rng.choice((item, item.upper()))}" for item in digits)
        elif character == "/" and rng.random() < 0.5:
            plain = "\\/"
        out += plain.encode("utf-8", "surrogateescape")
    return bytes(out)


@given(st.text(alphabet=TRICKY, min_size=1, max_size=24), st.integers(0, 23), st.integers(1, 12), st.randoms())
def test_no_line_with_a_match_is_missed(text: str, at: int, size: int, rng: random.Random) -> None:
    query = parse(fold(text)[at : at + size])
    folded = fold(text)
    line = b'{"type":"message","content":"' + spelled(text, rng) + b'"}'
    before = b'{"type":"other"}\n'
    lines = Prefilter(query).lines(before + line + b"\n")
    if query.words and all(word.find(folded) for word in query.words):
        assert (len(before), len(before) + len(line)) in lines


def test_one_letter_may_be_half_escaped() -> None:
    for line in (b'{"t":"\xe3\x81\x8b\\u3099"}', b'{"t":"\\u304b\xe3\x82\x99"}'):
        assert Prefilter(parse("が")).lines(line)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("word", ["테스트", "記憶", "Прйвет", "café", "STRASSE", "ﬁle", "ガラス", "𐐀𐐁", "類"])
def test_every_form_of_a_word_is_seen(word: str, form: str, escaped: bool) -> None:
    for text in (word, word.upper(), word.lower(), word.title()):
        line = json.dumps({"t": unicodedata.normalize(form, text)}, ensure_ascii=escaped).encode()
        assert Prefilter(parse(word)).lines(line) == [(0, len(line))]


def test_lines_without_the_words_are_passed_over() -> None:
    data = "\n".join(
        ['{"a":"cafe and tea"}', '{"a":"naïve — tea"}', '{"a":"记忆"}', '{"a":"\\u001b[0m"}']
    ).encode()
    assert len(Prefilter(parse("café tea")).lines(data)) == 1
    assert len(Prefilter(parse("记忆")).lines(data)) == 1
    assert Prefilter(parse("忆记")).lines(data) == []
    assert Prefilter(parse("")).lines(data) == []


def test_every_character_that_folds_to_ascii_is_looked_for() -> None:
    for code in (*range(0x80, 0x3100), *range(0xF900, 0x10000), *range(0x1D000, 0x1F200)):
        for letter in fold(chr(code)):
            if letter < "\x80" and not letter.isspace():
                line = json.dumps({"t": chr(code)}, ensure_ascii=False).encode()
                assert Prefilter(parse(letter if letter != '"' else '"')).lines(line), (hex(code), letter)
