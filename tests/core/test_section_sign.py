"""Files with entries between section signs: splitting, spans, counting, drift, and putting together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.text.document import decode
from memtui.core.text.javascript import JS_BLANKS
from memtui.core.text.section_sign import (
    DELIMITER,
    SIGN,
    TRIMMED_BY_PYTHON,
    Dialect,
    drift,
    has_sign_line,
    length,
    parse,
    serialise,
    too_long,
    total,
    unique,
)

AMASTER = Dialect(JS_BLANKS)
HERMES = Dialect(TRIMMED_BY_PYTHON, translates_line_ends=True)
dialects = pytest.mark.parametrize("dialect", [AMASTER, HERMES], ids=["amaster", "hermes"])

PARTS = (
    "a",
    "b c",
    SIGN,
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\xa0",
    "\ufeff",
    "\x85",
    "\x1c",
    DELIMITER,
    "日",
    "🚀",
)
FILES = st.lists(st.sampled_from(PARTS), max_size=12).map("".join).map(str.encode) | st.binary(max_size=30)


def texts(content, dialect=AMASTER):
    return list(parse(content.encode(), dialect).texts)


def test_only_the_exact_delimiter_parts_entries():
    assert texts(f"a{DELIMITER}b") == ["a", "b"]
    for whole in (f"see {SIGN} 4", f"a\n{SIGN} \nb", f"{SIGN}\na", f"a\n{SIGN}", f"a{SIGN}\n{SIGN}b"):
        assert texts(whole) == [whole]


def test_delimiters_do_not_overlap():
    assert texts(f"a\n{SIGN}\n{SIGN}\nb") == ["a", f"{SIGN}\nb"]


def test_what_javascript_trims_is_not_what_python_trims():
    assert texts("\ufeff\xa0a\u2028") == ["a"]
    assert texts("\ufeffa", HERMES) == ["\ufeffa"]
    assert texts("\x1c\x85a\x1f") == ["\x1c\x85a\x1f"]
    assert texts("\x1c\x85a\x1f", HERMES) == ["a"]
    whitespace = {chr(code) for code in range(0x110000) if chr(code).isspace()}
    assert set(TRIMMED_BY_PYTHON) == whitespace
    assert set(JS_BLANKS) == whitespace - set("\x1c\x1d\x1e\x1f\x85") | {"\ufeff"}


def test_line_ends_are_translated_for_hermes_only():
    content = f"a\r\n{SIGN}\r\nb\rc\r\n"
    assert texts(content) == [f"a\r\n{SIGN}\r\nb\rc"]
    assert texts(content, HERMES) == ["a", "b\nc"]


def test_a_piece_knows_its_bytes_and_its_line():
    data = f"\ufeff\n é🚀 {DELIMITER}\n\nb\nc\n".encode()
    first, second = parse(data, AMASTER).pieces
    assert data[first.start : first.end].decode() == "é🚀" and first.line == 2
    assert data[second.start : second.end] == b"b\nc" and second.line == 6


def test_blank_pieces_are_no_entries_and_a_blank_file_has_none():
    assert texts(f"a{DELIMITER} {DELIMITER}b{DELIMITER}") == ["a", "b"]
    for blank in ("", " \n\t\n", DELIMITER):
        assert texts(blank) == []


def test_lengths_are_in_the_owners_unit():
    assert (length("🚀", "utf16"), length("🚀", "codepoints")) == (2, 1)
    assert length(decode(b"caf\xe9"), "utf16") == 4
    assert total(["a", "b"], "utf16") == 5
    assert total(["a", "b", "a"], "utf16") == 5
    assert total([], "codepoints") == 0


@pytest.mark.parametrize(
    ("content", "reason", "line"),
    [
        (f"a{DELIMITER}b{DELIMITER}", "empty", 5),
        (f"a{DELIMITER}\n{SIGN}\nb", "empty", 3),
        (f"{DELIMITER}a", "empty", 1),
        (DELIMITER, "empty", 1),
        (f"alpha\n{DELIMITER}beta\n", "spacing", 2),
        (f"a {DELIMITER}b", "spacing", 2),
        (f"a\nb{DELIMITER} c", "spacing", 4),
    ],
)
def test_drift_names_its_reason_and_its_line(content, reason, line):
    found = drift(parse(content.encode(), AMASTER), None, "utf16")
    assert (found.reason, found.line) == (reason, line)


def test_blanks_around_the_file_and_duplicates_are_no_drift():
    for content in (f"\n\n a{DELIMITER}b\n\n", f"a{DELIMITER}a", " \n", "", "# A\n\n- b\n"):
        assert drift(parse(content.encode(), AMASTER), 20, "utf16") is None


def test_an_entry_over_the_limit_of_the_file_is_drift_and_one_of_exactly_that_length_is_not():
    file = parse(f"a{DELIMITER}{'y' * 21}".encode(), AMASTER)
    found = drift(file, 20, "utf16")
    assert (found.reason, found.line, found.piece) == ("too-long", 3, 1)
    assert drift(file, 21, "utf16") is None
    assert too_long(parse("🚀🚀".encode(), AMASTER), 3, "utf16")
    assert not too_long(parse("🚀🚀".encode(), HERMES), 3, "codepoints")


def test_a_line_that_is_exactly_the_sign_is_found():
    for content in (SIGN, f"a\n{SIGN}", f"{SIGN}\na", f"a\n{SIGN}\nb", f"a\r\n{SIGN}\r\nb", f"a\r{SIGN}\rb"):
        assert has_sign_line(content)
    for content in ("", "a", f"a {SIGN}\nb", f"{SIGN} a", f"a\n{SIGN} \nb"):
        assert not has_sign_line(content)


@dialects
@given(data=FILES)
def test_pieces_never_overlap_and_lie_in_the_file_in_order(dialect, data):
    file = parse(data, dialect)
    position = 0
    for piece in file.pieces:
        assert position <= piece.start < piece.end <= len(data)
        raw = decode(data[piece.start : piece.end])
        assert raw == piece.text or dialect.translates_line_ends
        assert piece.line == data.count(b"\n", 0, piece.start) + 1
        assert piece.text == piece.text.strip(dialect.trimmed) != ""
        position = piece.end


@dialects
@given(data=FILES)
def test_drift_is_what_does_not_round_trip(dialect, data):
    raw = decode(data)
    if dialect.translates_line_ends:
        raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    pieces = [piece for part in raw.split(DELIMITER) if (piece := part.strip(dialect.trimmed))]
    file = parse(data, dialect)
    assert list(file.texts) == pieces
    is_drift = raw.strip(dialect.trimmed) != DELIMITER.join(pieces)
    assert (drift(file, None, "utf16") is not None) == is_drift


@dialects
@given(data=FILES)
def test_what_was_put_together_parts_into_the_same_entries_again(dialect, data):
    entries = [text for text in unique(parse(data, dialect).texts) if not has_sign_line(text)]
    file = parse(serialise(entries), dialect)
    assert list(file.texts) == entries
    assert serialise(file.texts) == serialise(entries)
    assert drift(file, None, "utf16") is None
