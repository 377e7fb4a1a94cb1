"""The language of queries: words, filters, exact texts, ids; and that whatever else is typed is itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.search.dates import moment_of
from memtui.core.search.filters import ROLES, Filters
from memtui.core.search.query import filter_spans, parse
from memtui.core.text.fold import fold

ZONE = timezone(timedelta(hours=5, minutes=45))
NOW = datetime(2026, 3, 31, 14, 30, 7, tzinfo=ZONE)


def filters(typed: str) -> Filters:
    query = parse(typed, NOW)
    assert not query.words
    return query.filters


def words(typed: str) -> list[str]:
    return [word.text for word in parse(typed, NOW).words]


def local(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ZONE)


# Filters


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("agent:pi", Filters(agents=frozenset({"pi"}))),
        ("AGENT:Pi agent:claude", Filters(agents=frozenset({"pi", "claude"}))),
        ("store:zcode:app-1c3f", Filters(stores=frozenset({"zcode:app-1c3f"}))),
        ("type:Feedback", Filters(types=frozenset({"feedback"}))),
        ("in:memory in:TOOLS", Filters(places=frozenset({"memory", "tools"}))),
        ("in:session in:memories", Filters(places=frozenset({"sessions", "memory"}))),
        ("role:user role:branch_summary", Filters(roles=frozenset({"user", "branch_summary"}))),
        ('dir:"My App" dir:~/code/É', Filters(dirs=("my app", "/code/e"))),
        ("after:2026-03-05", Filters(after=local(2026, 3, 5))),
        ("before:2026-02", Filters(before=local(2026, 2, 1))),
        ("after:2026 after:2025-12", Filters(after=local(2025, 12, 1))),
        ("before:2026 before:2025-12", Filters(before=local(2026, 1, 1))),
    ],
)
def test_keywords(typed: str, expected: Filters) -> None:
    assert filters(typed) == expected
    assert expected and not Filters()


def test_words_and_filters_stand_in_any_order() -> None:
    query = parse('one role:user "two  three" in:sessions four', NOW)
    assert [word.text for word in query.words] == ["one", "two three", "four"]
    assert query.filters == Filters(roles=frozenset({"user"}), places=frozenset({"sessions"}))
    assert not query.is_empty and parse(" ").is_empty and not parse("role:user").is_empty


@pytest.mark.parametrize(
    "typed",
    [
        *("foo:bar", "http://x", "in:", "in:nowhere", "role:nobody", "role:system", "after:soon", "after:"),
        *(
            "before:2026-02-30",
            "after:99999y",
            "before:2026-13",
            "after:0000",
            "type::x",
            "store://x",
            "agent:*",
        ),
        *('agent:"pi', 'dir:"a"b', "xagent:pi", "-agent:pi", "agent=pi", "in:memory,tools", "agent:", ":pi"),
        *('"type:user"', '"after:today"'),
    ],
)
def test_what_is_no_filter_is_text(typed: str) -> None:
    query = parse(typed, NOW)
    assert not query.filters
    assert [word.text for word in query.words] == [typed.strip('"') if typed[0] == '"' else typed]


def test_an_empty_value_is_the_text_that_it_always_was() -> None:
    assert words('agent:"" x') == ['agent:""', "x"]
    assert words('dir:"  " x') == ['dir:"', '"', "x"]
    assert words("type: string") == ["type:", "string"]
    assert words('"a b"agent:pi') == ["a b", "agent:pi"]


def test_where_the_filters_stand() -> None:
    typed = 'x agent:pi  foo:bar dir:"my app" after:soon in:tools'
    assert [typed[first:last] for first, last in filter_spans(typed)] == [
        "agent:pi",
        'dir:"my app"',
        "in:tools",
    ]
    assert filter_spans("=agent:pi") == ()


# Times


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("today", local(2026, 3, 31)),
        ("Yesterday", local(2026, 3, 30)),
        ("3d", local(2026, 3, 28)),
        ("2w", local(2026, 3, 17)),
        ("6h", NOW - timedelta(hours=6)),
        ("1m", local(2026, 2, 28)),
        ("13m", local(2025, 2, 28)),
        ("1Y", local(2025, 3, 31)),
        ("2026-3-5", local(2026, 3, 5)),
        ("2026-03-05T10:20", local(2026, 3, 5, 10, 20)),
        ("2026-03-05 10:20:30", local(2026, 3, 5, 10, 20, 30)),
        ("2026-03-05t10:20:30.5z", datetime(2026, 3, 5, 10, 20, 30, 500_000, tzinfo=UTC)),
        ("2026-03-05T10:20+02:00", datetime(2026, 3, 5, 8, 20, tzinfo=UTC)),
    ],
)
def test_times_are_those_of_the_persons_own_zone(typed: str, expected: datetime) -> None:
    assert moment_of(typed, NOW) == expected


def test_a_day_begins_by_the_clock_of_that_day() -> None:
    berlin = datetime(2026, 4, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    assert moment_of("2026-01-05", berlin) == datetime(2026, 1, 4, 23, tzinfo=UTC)
    assert moment_of("1d", berlin) == datetime(2026, 3, 30, 22, tzinfo=UTC)
    assert moment_of("3d", berlin) == datetime(2026, 3, 28, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    "typed", ["", "d", "3", "-3d", "3 d", "٣d", "20260305", "2026-W05-1", "99999y", "now", "1e3d"]
)
def test_what_names_no_time(typed: str) -> None:
    assert moment_of(typed, NOW) is None


# One literal text


def test_an_exact_text_is_one_word_with_its_blanks_and_signs() -> None:
    query = parse('=agent:pi  said "Café"', NOW)
    (word,) = query.words
    assert query.is_exact and not query.filters
    assert word.text == 'agent:pi said "cafe"'
    assert word.find('then agent:pi\n\tsaid "cafe" so') == (5, 26)
    assert word.find("agent:pi and said") is None


@pytest.mark.parametrize(("typed", "is_exact"), [("=", False), ("=  ", False), ("==", True), ("= =", True)])
def test_equals_signs_alone_are_themselves(typed: str, is_exact: bool) -> None:
    assert (words(typed), parse(typed).is_exact) == (["="], is_exact)


def test_an_equals_sign_behind_something_is_a_sign() -> None:
    assert words("a =b") == ["a", "=b"]
    assert words(" =b c") == ["=b", "c"]


# Ids


@pytest.mark.parametrize(
    ("typed", "pasted_id"),
    [
        ("01a22d61", "01a22d61"),
        ("  01A22D61-77AA-7bbb-8ccc-0123456789ab ", "01a22d61-77aa-7bbb-8ccc-0123456789ab"),
        ("01a22d6", ""),
        ("01a2-d61", ""),
        ("--------", ""),
        ("01a22d61 x", ""),
        ("01a22d6g", ""),
        ("=01a22d61", ""),
        ('"01a22d61"', ""),
        ("a" * 65, ""),
    ],
)
def test_a_pasted_id(typed: str, pasted_id: str) -> None:
    query = parse(typed)
    assert query.pasted_id == pasted_id
    assert query.words


# Anything

PIECES = st.sampled_from(
    [
        *(
            "agent:",
            "store:",
            "type:",
            "in:",
            "role:",
            "dir:",
            "after:",
            "before:",
            "=",
            '"',
            " ",
            "\t",
            ":",
            "foo",
        ),
        *(
            "pi",
            "memory",
            "user",
            "today",
            "3d",
            "99999d",
            "2026-02-30",
            "2026",
            "0001",
            "9999-12-31",
            "é",
            "\u0301",
        ),
        *("\ud800", "\x1c", "\u2028", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00+23:00"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)))
def test_no_text_is_an_error(typed: str) -> None:
    query = parse(typed, NOW)
    assert all(word.text and word.parts for word in query.words)
    places = filter_spans(typed)
    assert all(first < last for first, last in places)
    assert bool(places) == bool(query.filters)


@given(
    st.lists(st.one_of(st.text(alphabet=':"=[](){}*?\\|^$+.-_a1é', min_size=1), PIECES), min_size=1, max_size=4)
)
def test_a_literal_text_stays_literal(parts: list[str]) -> None:
    """However odd a text is: between quotes and behind `=` it is searched as it is."""
    text = " ".join(parts)
    folded = " ".join(filter(None, (fold(part) for part in text.split())))
    exact = parse(f"={text}", NOW)
    if folded:
        assert [word.text for word in exact.words] == [folded] and not exact.filters
    plain = text.replace('"', "")
    quoted = parse(f'"{plain}"', NOW)
    if fold(plain).strip() and plain.strip():
        assert [word.text for word in quoted.words] == [
            " ".join(filter(None, (fold(part) for part in plain.split())))
        ]
        assert not quoted.filters


@given(st.lists(st.text(alphabet='agent:in role"=pi[*', min_size=1), max_size=5).map(" ".join))
def test_without_a_known_keyword_nothing_is_a_filter(typed: str) -> None:
    query = parse(typed.replace(":", ";"), NOW)
    assert not query.filters


def test_all_roles_can_be_asked_for() -> None:
    for role in ROLES:
        assert filters(f"role:{role}").roles == {role}
