"""Damaged, torn, glued and odd lines: what is counted, what is recovered, and that nothing ever raises."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_corpus import START, Writer, header, line, put

from memtui.core.sessions import reader, records
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import look_once
from memtui.core.sessions.pi_places import Place
from memtui.core.sessions.tally import Tally, count, count_all, count_from
from memtui.core.sessions.transcript import Transcript


def four(middle: bytes, end: bytes = b"") -> bytes:
    """Header, two messages, some bytes, two messages, some bytes."""
    session = Writer()
    session.user("one")
    session.assistant("two")
    session.raw(middle)
    session.user("three")
    session.assistant("four")
    session.raw(end)
    return bytes(session.data)


def said(path):
    """The texts of a transcript's messages."""
    transcript = Transcript(path)
    messages = transcript.messages(0, len(transcript))
    return [message.text for message in messages if message.kind in ("user", "assistant")]


def message(text, entry_id="x1", parent=None):
    """A message line without its line end, as pi writes it."""
    body = {"role": "user", "content": text, "timestamp": 1795942807000}
    head = {"type": "message", "id": entry_id, "parentId": parent, "timestamp": "2026-11-30T16:54:08.286Z"}
    return line({**head, "message": body}).rstrip(b"\n")


def test_s01_one_line_is_not_json(tmp_path):
    path = put(tmp_path / "s.jsonl", four(b"not json\n"))
    before = path.read_bytes()
    counts = count(path)
    assert (counts.messages, counts.turns, counts.damaged) == (4, 2, 1)
    assert said(path) == ["one", "two", "three", "four"]
    kinds = [message.kind for message in Transcript(path).messages(0, 6)]
    assert kinds == ["session", "user", "assistant", "damaged", "user", "assistant"]
    assert path.read_bytes() == before


def test_s02_two_records_on_one_line_are_both_recovered(tmp_path):
    glued = message("glued one", "g1", "00000002") + message("glued two", "g2", "g1") + b"\n"
    path = put(tmp_path / "s.jsonl", four(glued))
    counts = count(path)
    assert (counts.messages, counts.recovered, counts.damaged) == (4, 2, 1)
    assert said(path) == ["one", "two", "glued one", "glued two", "three", "four"]
    transcript = Transcript(path)
    recovered = [item for item in transcript.messages(0, len(transcript)) if item.recovered]
    assert [item.text for item in recovered] == ["glued one", "glued two"]
    data = path.read_bytes()
    assert [json.loads(data[item.offset : item.offset + item.length])["id"] for item in recovered] == [
        "g1",
        "g2",
    ]


@pytest.mark.parametrize("cut", [30, 120, 170])
def test_s02_a_whole_record_behind_a_cut_one_is_recovered(tmp_path, cut):
    path = put(
        tmp_path / "s.jsonl", four(message("cut off " * 20, "c1")[:cut] + message("whole", "w1") + b"\n")
    )
    assert said(path) == ["one", "two", "whole", "three", "four"]
    counts = count(path)
    assert (counts.messages, counts.recovered, counts.damaged) == (4, 1, 1)


def test_s03_unicode_line_separators_are_text(tmp_path):
    session = Writer()
    session.user("before\u2028after\u2029\x85end")
    path = session.save(tmp_path / "s.jsonl")
    assert said(path) == ["before\u2028after\u2029\x85end"]
    assert count(path).damaged == 0


def test_s05_blocks_of_nul_bytes(tmp_path):
    path = put(tmp_path / "s.jsonl", four(b"\0" * 600 + b"\n", b"\0" * 1700))
    counts = count(path)
    assert (counts.messages, counts.damaged, counts.pending_bytes) == (4, 2, 0)
    assert said(path) == ["one", "two", "three", "four"]
    transcript = Transcript(path)
    shown = [part for item in transcript.messages(0, len(transcript)) for part in item.parts]
    assert [part.text for part in shown if part.kind == "damaged"] == ["600 zero bytes", "1700 zero bytes"]
    assert not any("\0" in part.text for part in shown)


def test_nul_bytes_before_a_record_do_not_hide_it(tmp_path):
    path = put(tmp_path / "s.jsonl", four(b"\0" * 50 + message("behind zeros") + b"\n"))
    assert said(path) == ["one", "two", "behind zeros", "three", "four"]
    assert count(path).damaged == 1


def test_blank_lines_and_carriage_returns_are_no_damage(tmp_path):
    data = four(b"\n  \n\r\n").replace(b"}}\n", b"}}\r\n")
    counts = count(put(tmp_path / "s.jsonl", data))
    assert (counts.messages, counts.turns, counts.damaged) == (4, 2, 0)
    assert counts.last_activity is not None


def test_bytes_that_are_not_utf8_and_lone_surrogates_stay_in_the_text(tmp_path):
    session = Writer()
    session.raw(message("bad X byte").replace(b"X", b"\xff") + b"\n")
    session.raw(message("lone X", "x2").replace(b"X", b"\\ud83d") + b"\n")
    path = session.save(tmp_path / "s.jsonl")
    assert said(path) == ["bad \udcff byte", "lone \ud83d"]
    assert count(path).damaged == 0


@pytest.mark.parametrize(
    "bad", [b"123", b"null", b"[]", b'"text"', b'{"a":NaN}', b"{}{", b"[" * 3000, b"{" * 3000]
)
def test_json_that_is_no_record_is_one_damaged_place(tmp_path, bad):
    path = put(tmp_path / "s.jsonl", four(bad + b"\n"))
    counts = count(path)
    assert (counts.messages, counts.damaged) == (4, 1)
    assert said(path) == ["one", "two", "three", "four"]


def test_keys_in_another_order_and_spacing_are_read(tmp_path):
    session = Writer()
    spaced = {
        "message": {"content": "by hand", "role": "user"},
        "id": "h1",
        "type": "message",
        "parentId": None,
    }
    session.raw(json.dumps(spaced).encode() + b"\n")
    nested = message("x", "n1", "h1").replace(b'"content"', b'"details":{"timestamp":9999999999999},"content"')
    session.raw(nested + b"\n")
    path = session.save(tmp_path / "s.jsonl")
    counts = count(path)
    assert (counts.messages, counts.turns, counts.first_text) == (2, 2, "by hand")
    assert counts.last_activity.timestamp() == 1795942807
    assert said(path) == ["by hand", "x"]


def test_a_time_inside_a_tool_call_is_not_the_messages_own(tmp_path):
    session = Writer()
    call = {"type": "toolCall", "name": "x", "arguments": {"timestamp": 4102444800000}}
    body = {"role": "assistant", "content": [call]}
    entry = {"type": "message", "id": "a", "parentId": None, "timestamp": "2026-11-30T10:00:00.000Z"}
    session.raw(line({**entry, "message": body}))
    session.raw(
        line({**entry, "message": {**body, "timestamp": 1795942807000, "diagnostics": {"a": {"timestamp": 5}}}})
    )
    assert count(session.save(tmp_path / "s.jsonl")).last_activity.isoformat() == "2026-11-30T10:00:00+00:00"


def test_a_line_above_the_cap_is_a_label_with_its_size(tmp_path, monkeypatch):
    for module in (records, reader):
        monkeypatch.setattr(module, "LINE_CAP_BYTES", 100_000)
    monkeypatch.setattr("memtui.core.sessions.transcript.LINE_CAP_BYTES", 100_000)
    session = Writer()
    session.user("before")
    big = session.tool("x" * 1_000_000)
    session.user("behind")
    path = session.save(tmp_path / "s.jsonl")
    transcript = Transcript(path)
    shown = transcript.messages(0, len(transcript))
    assert [item.kind for item in shown] == ["session", "user", "tool", "user"]
    assert {item.branch for item in shown} == {"active"}
    assert shown[2].parts[0].kind == "oversized"
    assert shown[2].parts[0].size_bytes == shown[2].length > 1_000_000
    with reader.opened(path) as file:
        pieces = list(reader.stretches(file, 0, file.status.size_bytes, chunk_bytes=30_000))
    assert [type(piece).__name__ for piece in pieces].count("Giant") == 1
    assert big.encode() in next(piece.head for piece in pieces if isinstance(piece, reader.Giant))
    assert count(path).messages == 3


JUNK = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [
            *(
                b"\n",
                b"\0\0\n",
                b"\r\n",
                b"not json\n",
                b"\xef\xbb\xbf",
                b'{"type":"message"',
                header(),
                b"{}\n",
            ),
            *(message("a", "m1"), message("b", "m2", "m1") + b"\n", message("c", "m3", "m9") + b"\n"),
            *(message("d", "m1", "m2") + b"\n", line({"type": "session_info", "id": "n", "name": "N"})),
            *(
                line({"type": "label", "id": "l", "parentId": "m2", "targetId": "m1", "label": "L"}),
                header(version=None),
            ),
            line(
                {
                    "type": "message",
                    "timestamp": "x",
                    "message": {"role": "user", "content": [None, {}, {"type": 3}]},
                }
            ),
            line({"type": ["x"], "id": 5, "parentId": {}, "message": []}),
        ]
    ),
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
KEYS = [
    *(
        "id",
        "parentId",
        "timestamp",
        "message",
        "role",
        "content",
        "summary",
        "name",
        "label",
        "targetId",
        "cwd",
    ),
    *("version", "text", "arguments", "output", "exitCode", "data", "display", "sections", "parentSession"),
]
ROLES = [*records.ROLE_KINDS, "x"]
TYPES = [*records.TYPE_KINDS, "message", "text", "image", "toolCall", "thinking"]
SHAPED = st.dictionaries(st.sampled_from(KEYS), ANY_JSON, max_size=6)


@st.composite
def odd_entries(draw):
    """A line with known keys and values of any shape."""
    message = draw(ANY_JSON | SHAPED.map(lambda body: {**body, "content": [{**body, "type": "text"}]}))
    if isinstance(message, dict):
        message = {**message, "role": draw(st.sampled_from(ROLES))}
    return line({**draw(SHAPED), "type": draw(st.sampled_from(TYPES) | ANY_JSON), "message": message})


@given(st.lists(odd_entries(), min_size=1, max_size=4), st.booleans())
def test_entries_of_any_shape_are_shown_and_listed(tmp_path_factory, lines, with_header):
    data = (header() if with_header else b"") + b"".join(lines)
    path = put(tmp_path_factory.mktemp("odd") / "s.jsonl", data)
    cache = SessionCache(path.parent / "cache")
    for _turn in range(2):
        row = look_once(Place(str(path)), cache)
        assert isinstance(row.title, str)
        assert row.counts == count(path)
        cache.save()
        cache = SessionCache(path.parent / "cache")
    transcript = Transcript(path)
    shown = transcript.messages(0, len(transcript))
    assert len(shown) == len(lines) + with_header
    assert all(isinstance(part.text, str) for item in shown for part in item.parts)


FILES = st.lists(JUNK, max_size=12).map(b"".join)


@given(FILES)
def test_no_bytes_raise_and_the_piecewise_count_is_that_of_the_whole(tmp_path_factory, data):
    path = put(tmp_path_factory.mktemp("any") / "s.jsonl", data)
    counts = count(path)
    assert counts == count_all(data)
    transcript = Transcript(path)
    shown = transcript.messages(0, len(transcript))
    assert [item.offset for item in shown] == sorted({item.offset for item in shown})
    assert sum(item.kind == "user" for item in shown) >= counts.turns
    assert path.read_bytes() == data


@given(FILES, st.lists(st.integers(0, 600), max_size=4))
def test_counting_on_from_any_byte_gives_the_count_of_the_whole(tmp_path_factory, data, cuts):
    path = tmp_path_factory.mktemp("on") / "s.jsonl"
    tally = Tally()
    for size in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        put(path, data[:size])
        with reader.opened(path) as file:
            counts, tally = count_from(file, tally)
    assert counts == count_all(data)


def test_a_count_that_is_cancelled_gives_nothing(tmp_path):
    path = put(tmp_path / "s.jsonl", four(b""))
    assert count(path, lambda: True) is None


def test_a_rewritten_file_is_counted_from_its_start(tmp_path):
    path = put(tmp_path / "s.jsonl", four(b""))
    with reader.opened(path) as file:
        tally = count_from(file, Tally())[1]
    other = Writer(session_id="other")
    for number in range(9):
        other.user(f"number {number}")
    other.save(path)
    with reader.opened(path) as file:
        counts, _tally = count_from(file, tally)
    assert (counts.messages, counts.first_text) == (9, "number 0")


def test_the_generator_writes_what_pi_writes():
    assert header().startswith(
        b'{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-01T09:00:00.000Z"'
    )
    assert START.tzinfo is not None
