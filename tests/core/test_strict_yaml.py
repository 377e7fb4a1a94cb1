"""What a strict YAML 1.2 reader makes of a block."""

from __future__ import annotations

import subprocess
import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.text import document as documents
from memtui.core.text import strict_yaml, yaml_compose
from memtui.core.text.document import encode
from memtui.core.text.frontmatter import parse
from memtui.core.text.strict_yaml import Strict, strict_view
from memtui.core.text.yaml_compose import StrictValue, compose, core_kind


def view(block: str, max_lines: int | None = 30) -> Strict:
    document = documents.parse(encode(block))
    return strict_view(document, parse(document, max_lines=max_lines))


def described(value: str) -> Strict:
    return view(f"---\nname: n\ndescription: {value}\nmetadata:\n  type: user\n---\nbody\n")


@pytest.fixture(params=["c", "pure"])
def each_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(yaml_compose, "_loader", lambda: yaml.BaseLoader)


def test_values_with_their_kinds() -> None:
    strict = view("---\na: b\nmap:\n  x: 1\n  y: {z: 'q'}\nlist: [p, 1.5]\nnil:\nyes: on\n---\n")
    assert strict.ok
    assert dict(strict.values) == {
        (): StrictValue("map"),
        ("a",): StrictValue("str", "b"),
        ("map",): StrictValue("map"),
        ("map", "x"): StrictValue("int", "1"),
        ("map", "y"): StrictValue("map"),
        ("map", "y", "z"): StrictValue("str", "q"),
        ("list",): StrictValue("seq"),
        ("list", "0"): StrictValue("str", "p"),
        ("list", "1"): StrictValue("float", "1.5"),
        ("nil",): StrictValue("null"),
        ("yes",): StrictValue("str", "on"),
    }
    assert strict.text("a") == "b"
    assert strict.text("map", "x") is None


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        *[
            (word, "str")
            for word in ("yes", "no", "on", "Off", "1_000", "2026-09-01", "12:30", "-x", "?x", ":x", "=")
        ],
        *[(word, "bool") for word in ("true", "True", "TRUE", "false")],
        *[(word, "null") for word in ("null", "~", "NULL", "")],
        *[(word, "int") for word in ("12", "0123", "-1", "0x1F", "0o7")],
        *[(word, "float") for word in ("1e3", ".inf", "-.INF", ".nan", "1.10", "1.", ".5")],
        *[(word, "str") for word in ("tRUE", "nUll", "0b1", "1e", ".", "+", "0x", ".inF", "1.2.3")],
    ],
)
def test_core_schema_typing(word: str, kind: str, each_parser: None) -> None:
    assert core_kind(word) == kind
    strict = described(word)
    assert strict.ok, strict.error
    assert strict.values[("description",)].kind == kind


@pytest.mark.parametrize(
    "value",
    [
        *(
            "a: b",
            "a:",
            "- a",
            "? a",
            "@a",
            "`a`",
            "%a",
            "*a",
            "*a* b",
            "[a",
            "{a",
            "[a] b",
            "> text",
            "| text",
        ),
        *(
            '"a" b',
            "'x'#c",
            ">#c\n  a",
            '"a\nb"',
            "'a\nb'",
            "[a,\nb]",
            "[a]#c",
            "{a: 1, a: 2}",
            '"open',
            "a\n  b: c",
        ),
        *("&a *b", "!x!y z", "a\nno colon", "\n\tb: c"),
    ],
)
def test_a_strict_reader_rejects(value: str, each_parser: None) -> None:
    strict = described(value)
    assert not strict.ok
    assert strict.error
    assert strict.line is not None
    assert 3 <= strict.line <= 8


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[
            (f"a{sign}b", f"a{sign}b")
            for sign in ("\x01", "\x7f", "\x85", "\x9f", "\u2028", "\u2029", "\ufeff", "\r")
        ],
        ("a\udce9b", "a\udce9b"),
        ("'a\u2028b'", "a\u2028b"),
        (r'"a\u2028\x41"', "a\u2028A"),
        ("&word rest", "rest"),
        ("!word rest", "rest"),
        ("! 12", "12"),
        ("!!str 12", "12"),
        ("🚀 漢字", "🚀 漢字"),
        (">-\n  a\n  b", "a b"),
        ("|\n  a\n  b", "a\nb\n"),
        ("a\n  b", "a b"),
        ("'it''s' # c", "it's"),
    ],
)
def test_a_strict_reader_reads(value: str, text: str, each_parser: None) -> None:
    strict = described(value)
    assert strict.ok, strict.error
    assert strict.text("description") == text


def test_aliases_stand_for_their_anchors() -> None:
    strict = view("---\na: &x one\nb: *x\nc: *y\n---\n")
    assert (strict.ok, strict.line) == (False, 4)
    assert view("---\na: &x one\nb: *x\n---\n").text("b") == "one"


@pytest.mark.parametrize(
    "keys",
    ["a: 1\na: 2", "1: x\n1.0: y", "true: x\nTrue: y", "m:\n  a: 1\n  a: 2", "~: x\nnull: y", "a: 1\n'a': 2"],
)
def test_equal_keys_are_an_error(keys: str, each_parser: None) -> None:
    strict = view(f"---\n{keys}\n---\n")
    assert not strict.ok
    assert strict.repeats == (strict.line,)


@pytest.mark.parametrize("keys", ["a: 1\nA: 2", "1: x\n'1': y", "a: 1\nm:\n  a: 2", "'true': x\ntrue: y"])
def test_keys_that_only_look_equal_are_not(keys: str, each_parser: None) -> None:
    assert view(f"---\n{keys}\n---\n").ok


def test_the_window_and_the_exact_fences() -> None:
    assert view("---\na: b\n---\n").is_closed_within
    assert not view("---\na: b\n---\n", max_lines=2).is_closed_within
    assert not view("---\na: b\n--- \n").is_closed_within
    late = view("---\na: b\n--- \nc: d\n---\n")
    assert (late.ok, late.is_closed_within) == (False, True)


def test_without_a_block_there_is_nothing_to_reject() -> None:
    for text in ("body", "", "---\nnot: closed\n"):
        assert view(text) == Strict(True)


def test_plain_blocks_need_no_yaml_parser() -> None:
    program = (
        "import sys\n"
        "from memtui.core.text import document, frontmatter, strict_yaml\n"
        "raw = b'---\\nname: a-b\\ndescription: some words, and more\\nmetadata:\\n  type: user\\n"
        "date: 2026-07-13\\nat: 2026-01-01T10:00:00.000Z\\n---\\nx'\n"
        "doc = document.parse(raw)\n"
        "assert strict_yaml.strict_view(doc, frontmatter.parse(doc)).ok\n"
        "assert 'yaml' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


scalar = st.one_of(
    st.text(st.sampled_from("ab 01.:#-'\"\\eE_~x"), max_size=12),
    st.sampled_from(["true", "null", "12", "1e3", "no", "2026-01-01", "a b", "'a'", '"b"', "x # c", "a #b"]),
)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c", "true"]), scalar), max_size=4))
def test_the_quick_way_agrees_with_the_parser(pairs: list[tuple[str, str]]) -> None:
    raw = "---\n" + "".join(f"{key}: {value}\n" for key, value in pairs) + "---\n"
    document = documents.parse(raw.encode())
    block = parse(document)
    quick = strict_yaml._quick_values(block)
    if quick is not None:
        full = compose([line.text for line in document.lines[1:-1]])
        full.pop((), None)
        assert {path: value.kind for path, value in quick.items()} == {
            path: value.kind for path, value in full.items()
        }
        assert all(quick[path].text == full[path].text for path in quick if quick[path].kind == "str")


# Cases of public reports


def test_y01_colon_in_the_description() -> None:
    strict = view("---\nname: deploy\ndescription: Release steps: tag, then push\ntype: project\n---\nbody\n")
    assert (strict.ok, strict.line) == (False, 3)
    assert "colon" in strict.error


@pytest.mark.parametrize(
    "value",
    ["@team decides", "`npm ci` first", "*important* rule", "[WIP] note", "- dash first", "%20 is a space"],
)
def test_y02_indicators_in_front(value: str) -> None:
    strict = described(value)
    assert (strict.ok, strict.line) == (False, 3)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("no", "str"), ("0123", "int"), ("12:30:45", "str"), ("1.10", "float"), ("2026-07-13", "str")],
)
def test_y08_words_of_another_kind_are_told_apart(value: str, kind: str) -> None:
    strict = view(f"---\nname: {value}\n---\n")
    assert strict.values[("name",)].kind == kind
    assert [item.reason for item in strict.altered] == ([] if kind == "str" else ["kind"])


def test_y10_duplicate_keys() -> None:
    strict = view("---\ntype: user\nname: a\ntype: project\n---\n")
    assert (strict.ok, strict.line, strict.repeats) == (False, 4, (4,))


def test_y11_tab_indentation() -> None:
    strict = view("---\nname: a\nmetadata:\n\ttype: feedback\n---\nx\n")
    assert (strict.ok, strict.line) == (False, 4)
    assert "tab" in strict.error


def test_y14_folded_values_are_not_called_altered() -> None:
    for source in (
        ">-\n  first half\n  second half",
        "|\n  first half\n  second half",
        "first half\n  second half",
    ):
        strict = described(source)
        assert (strict.ok, strict.altered) == (True, ())


def test_y15_a_comment_cuts_the_description() -> None:
    strict = described("see issue #12 first")
    assert strict.text("description") == "see issue"
    assert [(item.field.value, item.seen, item.reason) for item in strict.altered] == [
        ("see issue #12 first", "see issue", "comment")
    ]
    assert described("words # with a real comment").altered == ()
