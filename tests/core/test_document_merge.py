"""Lossless documents, and the three-way merge of lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.core.text.document import (
    BOM,
    Splice,
    decode,
    encode,
    insert_lines,
    parse,
    remove_lines,
    splice,
)
from memtui.core.text.merge import merge, split_lines


@given(st.binary())
def test_lines_cover_every_byte(raw: bytes) -> None:
    document = parse(raw)
    head = BOM if document.has_bom else b""
    assert head + b"".join(raw[line.start : line.end] + line.eol for line in document.lines) == raw
    assert encode("".join(line.text + line.eol.decode() for line in document.lines)) == raw[len(head) :]
    assert encode(document.text) == raw[len(head) :]
    assert encode(decode(raw)) == raw
    assert [line.number for line in document.lines] == list(range(1, len(document.lines) + 1))


def test_only_lf_and_crlf_end_a_line() -> None:
    document = parse("a\rb\u2028c\x85d\x0ce\nf\r\ng".encode())
    assert [line.text for line in document.lines] == ["a\rb\u2028c\x85d\x0ce", "f", "g"]
    assert [line.eol for line in document.lines] == [b"\n", b"\r\n", b""]
    assert document.mixes_newlines
    assert not document.ends_with_newline


def test_line_end_of_most_lines() -> None:
    assert parse(b"a\r\nb\r\nc\n").newline == "\r\n"
    assert parse(b"a\r\nb\n").newline == "\n"
    assert parse(b"").newline == "\n"


def test_first_bad_byte_is_named() -> None:
    assert parse(b"- [Caf\xe9](cafe.md)").bad_utf8_at == 6
    assert parse(BOM + b"a\xff").bad_utf8_at == 4
    assert parse("é\0漢".encode()).bad_utf8_at is None


def test_a_nul_is_text() -> None:
    assert [line.text for line in parse(b"a\0b\n\0").lines] == ["a\0b", "\0"]


def test_bom_stays_in_front() -> None:
    document = parse(BOM + b"a\nb\n")
    assert document.lines[0].text == "a"
    assert splice(document.raw, remove_lines(document, [1])) == BOM + b"b\n"
    assert splice(document.raw, [insert_lines(document, 0, ["x"])]) == BOM + b"x\na\nb\n"


def test_inserted_lines_end_as_the_document_ends() -> None:
    for raw, after, expected in (
        (b"a\r\nb", 2, b"a\r\nb\r\nx"),
        (b"a\r\nb", 1, b"a\r\nx\r\nb"),
        (b"a\n", 9, b"a\nx\n"),
        (b"", 0, b"x\n"),
        (BOM, 0, BOM + b"x\n"),
    ):
        assert splice(raw, [insert_lines(parse(raw), after, ["x"])]) == expected


def test_splices_keep_order_and_refuse_overlap() -> None:
    assert splice(b"abcd", [Splice(3, 4, b"D"), Splice(0, 1, b"")]) == b"bcD"
    try:
        splice(b"abcd", [Splice(0, 2, b""), Splice(1, 3, b"")])
    except ValueError:
        return
    raise AssertionError("overlapping splices were applied")


lines = st.lists(st.sampled_from([b"a", b"b", b"c", b"dd", b"e\r", b""]), max_size=8)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    joined = b"\n".join(draw(lines))
    return joined + (b"\n" if joined and draw(st.booleans()) else b"")


@given(texts(), texts())
def test_merge_with_one_side_unchanged_is_the_other_side(base: bytes, other: bytes) -> None:
    assert merge(base, base, other).data == other
    assert merge(base, other, base).data == other
    assert merge(base, other, other).data == other
    assert not merge(base, base, other).clash
    assert not merge(base, other, base).clash
    assert not merge(base, other, other).clash


@given(texts(), texts(), texts())
def test_merge_never_loses_a_line_that_theirs_added(base: bytes, theirs: bytes, ours: bytes) -> None:
    result = merge(base, theirs, ours)
    kept = [line.rstrip(b"\r\n") for line in split_lines(result.data)]
    known = {line.rstrip(b"\r\n") for line in split_lines(base)}
    for line in {line.rstrip(b"\r\n") for line in split_lines(theirs)} - known:
        assert kept.count(line) >= [item.rstrip(b"\r\n") for item in split_lines(theirs)].count(line)


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["edit", "delete", "insert"]))
def test_changes_of_different_lines_both_happen(first: int, second: int, kind: str) -> None:
    if first == second:
        return
    base = [b"line %d\n" % number for number in range(10)]
    theirs = list(base)
    theirs[first] = b"theirs\n"
    ours = list(base)
    if kind == "edit":
        ours[second] = b"ours\n"
    elif kind == "delete":
        del ours[second]
    else:
        ours.insert(second, b"ours\n")
    result = merge(b"".join(base), b"".join(theirs), b"".join(ours))
    assert not result.clash
    expected = list(ours)
    expected[expected.index(base[first])] = b"theirs\n"
    assert split_lines(result.data) == expected


def test_an_append_beside_a_deleted_last_line_both_happen() -> None:
    base = b"a\nb\n"
    assert merge(base, base + b"new\n", b"a\n").data == b"a\nnew\n"
    assert merge(base, b"a\n", base + b"new\n").data == b"a\nnew\n"
    assert not merge(base, base + b"new\n", b"a\n").clash


def test_two_appends_both_happen_theirs_first() -> None:
    result = merge(b"a\n", b"a\ntheirs\n", b"a\nours\n")
    assert (result.data, result.clash) == (b"a\ntheirs\nours\n", False)


def test_a_last_line_without_line_end_is_not_glued() -> None:
    assert merge(b"a", b"a\ntheirs", b"a\nours").data.split(b"\n")[:1] == [b"a"]
    result = merge(b"a\nb", b"a\nb\nnew", b"x\nb")
    assert (result.data, result.clash) == (b"x\nb\nnew", False)


def test_two_changes_of_one_line_clash_and_theirs_stays() -> None:
    result = merge(b"a\nb\nc\n", b"a\ntheirs\nc\n", b"a\nours\nc\nmore\n")
    assert (result.data, result.clash) == (b"a\ntheirs\nc\nmore\n", True)
