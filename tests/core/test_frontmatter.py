"""The lenient frontmatter reader and its surgical edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.errors import RefusedError
from memtui.core.text import document as documents
from memtui.core.text.document import BOM, encode
from memtui.core.text.frontmatter import (
    Frontmatter,
    format_block,
    insert_block,
    parse,
    pushes_out,
    quote,
    set_value,
)
from memtui.core.text.strict_yaml import strict_view


def read(raw: bytes | str, max_lines: int | None = None) -> Frontmatter:
    return parse(documents.parse(raw if isinstance(raw, bytes) else encode(raw)), max_lines=max_lines)


def changed(raw: bytes | str, path: tuple[str, ...], value: str, **options: bool) -> bytes:
    document = documents.parse(raw if isinstance(raw, bytes) else encode(raw))
    return documents.splice(document.raw, set_value(document, parse(document), path, value, **options))


TYPE = ("metadata", "type")


def test_plain_block_gives_values_lines_and_body() -> None:
    raw = "---\nname: a\ndescription: b c\nmetadata:\n  node_type: memory\n  type: user\n---\n\nbody\n"
    block = read(raw)
    assert (block.state, block.open_line, block.close_line, block.body_line) == ("ok", 1, 7, 8)
    assert raw.encode()[block.body_start :] == b"\nbody\n"
    assert block.get("name") == "a"
    assert block.get("metadata", "type") == "user"
    assert block.get("metadata") is None
    assert block.get("nope") is None
    field = block.field("description")
    assert field is not None
    assert raw.encode()[field.start : field.end] == b"b c"
    assert (field.first_line, field.last_line) == (3, 3)


def test_no_block() -> None:
    for raw in (b"", b"\n\n", b"# title\n---\nx\n", b"----\na: b\n---\n", BOM):
        block = read(raw)
        assert (block.state, block.fields, block.body_line) == ("none", (), 1)
        assert raw[block.body_start :] == raw.removeprefix(BOM)


def test_fences_with_trailing_blanks_are_read_but_not_by_a_strict_reader() -> None:
    assert read("---\na: b\n---\n").strict_close_line == 3
    block = read("---\na: b\n---  \nx\n")
    assert (block.state, block.get("a"), block.strict_close_line) == ("ok", "b", None)
    assert read("---\na: b\n--- \nc: d\n---\n").strict_close_line == 5
    assert read("--- \na: b\n---\n").strict_close_line is None


@pytest.mark.parametrize(
    ("source", "value", "text"),
    [
        ("'it''s'", "it's", "it's"),
        (r'"a \"b\" \u00e9\n\tc"', 'a "b" é c', 'a "b" é\n\tc'),
        ('"a" # note', "a", "a"),
        ("user # note", "user", "user"),
        ("see #12", "see #12", "see #12"),
        ("a  b", "a  b", "a  b"),
        ('"npm ci" first', '"npm ci" first', '"npm ci" first'),
        ('"never closed', '"never closed', '"never closed'),
        (">-\n  one\n  two\n\n  three", "one two three", "one two\nthree"),
        ("|\n  one\n    two", "one two", "one\n  two"),
        ("one\n  two\n\n  three", "one two three", "one two\nthree"),
        ('"one\n  two \\\n  three"', "one two three", "one two three"),
        ("\n  on the next line", "on the next line", "on the next line"),
        ("# only a comment", "", ""),
        ("", "", ""),
        ("[a, b]", "[a, b]", "[a, b]"),
    ],
)
def test_values_are_read_as_meant(source: str, value: str, text: str) -> None:
    block = read(f"---\nname: n\ndescription: {source}\ntype: user\n---\nbody\n")
    field = block.field("description")
    assert field is not None
    assert (field.value, field.text) == (value, text)
    assert block.get("type") == "user"


def test_flow_map_is_one_level_of_nesting() -> None:
    raw = '---\nname: a\nmetadata: {node_type: memory, type: "user", tags: [x, y]} # c\n---\n'
    block = read(raw)
    assert block.get("metadata", "type") == "user"
    assert block.get("metadata", "tags") == "[x, y]"
    assert changed(raw, TYPE, "project") == raw.replace("user", "project").encode()
    assert changed(raw, ("metadata", "node_type"), "a, b") == raw.replace("memory", '"a, b"').encode()
    assert changed(raw, ("metadata", "x"), "two") == raw.replace("y]}", "y], x: two}").encode()


def test_deeper_levels_belong_to_the_value_above() -> None:
    raw = "---\nmetadata:\n  extra:\n    deep: 1\n    type: hidden\n  type: user\nother:\n  - type: no\n---\n"
    block = read(raw)
    assert block.get("metadata", "type") == "user"
    assert [item.path for item in block.fields] == [
        ("metadata",),
        ("metadata", "extra"),
        TYPE,
        ("other",),
    ]


def test_replacing_keeps_quotes_comment_and_blanks() -> None:
    raw = "---\nname:   'a'   # why\ndescription: \"b\"\ntype:\tuser  \n---\n"
    assert changed(raw, ("name",), "it's") == raw.replace("'a'", "'it''s'").encode()
    assert changed(raw, ("description",), 'say "x"') == raw.replace('"b"', '"say \\"x\\""').encode()
    assert changed(raw, ("type",), "project") == raw.replace("user", "project").encode()
    assert changed(raw, ("name",), "a") == raw.encode()
    assert changed("---\ntype: user # why\n---\n", ("type",), "x") == b"---\ntype: x # why\n---\n"


@pytest.mark.parametrize("empty", ["", " ", "  ", " # c"])
def test_an_empty_value_gets_one_blank(empty: str) -> None:
    raw = f"---\ndescription:{empty}\ntype: user\n---\n"
    comment = empty if "#" in empty else ""
    assert changed(raw, ("description",), "d") == f"---\ndescription: d{comment}\ntype: user\n---\n".encode()


def test_same_value_gives_no_change_unless_it_is_to_be_quoted() -> None:
    raw = "---\ndescription: a: b\n---\n"
    assert changed(raw, ("description",), "a: b") == raw.encode()
    assert changed(raw, ("description",), "a: b", requote=True) == b'---\ndescription: "a: b"\n---\n'


def test_missing_keys_go_to_their_place() -> None:
    raw = "---\nname: a\nmetadata:\n    node_type: memory\n    originSessionId: s\nzz: 1\n---\nb\n"
    assert changed(raw, ("description",), "d") == raw.replace("name: a\n", "name: a\ndescription: d\n").encode()
    assert changed(raw, TYPE, "user") == raw.replace("memory\n", "memory\n    type: user\n").encode()
    assert changed(raw, ("other",), "o") == raw.replace("zz: 1\n", "zz: 1\nother: o\n").encode()
    assert changed("---\ndescription: d\n---\n", ("name",), "nn") == b"---\nname: nn\ndescription: d\n---\n"
    assert changed("---\nname: n\n---\n", TYPE, "user") == b"---\nname: n\nmetadata:\n  type: user\n---\n"
    assert changed("---\nmetadata: \nx: y\n---\n", TYPE, "u") == b"---\nmetadata: \n  type: u\nx: y\n---\n"
    assert changed("---\n---\n", ("name",), "nn") == b"---\nname: nn\n---\n"
    assert changed("---\nmetadata: {}\n---\n", TYPE, "u") == b"---\nmetadata: {type: u}\n---\n"


def test_edits_that_would_destroy_something_are_refused() -> None:
    with pytest.raises(RefusedError):
        changed("---\nmetadata:\n  a: b\n---\n", ("metadata",), "x")
    with pytest.raises(RefusedError):
        changed("---\nmetadata: word\n---\n", TYPE, "x")
    with pytest.raises(RefusedError):
        changed("---\nname: a\n\nbody\n", ("name",), "x")


def test_a_block_is_put_in_front_of_a_file_without_one() -> None:
    pairs = [
        (("name",), "a"),
        (("description",), "b: c"),
        (("metadata", "node_type"), "memory"),
        (TYPE, "user"),
    ]
    block = '---\nname: a\ndescription: "b: c"\nmetadata:\n  node_type: memory\n  type: user\n---\n'
    assert format_block(pairs, "\n") == block
    for raw in (b"body\n", BOM + b"body\r\nx", b""):
        document = documents.parse(raw)
        after = documents.splice(raw, [insert_block(document, pairs)])
        head = BOM if raw.startswith(BOM) else b""
        assert after == head + block.replace("\n", document.newline).encode() + raw[len(head) :]
    assert read(changed("body\n", ("name",), "nn")).get("name") == "nn"


def test_an_edit_can_push_the_closing_line_out_of_the_window() -> None:
    def document_of(count: int) -> documents.Document:
        return documents.parse(("---\n" + "x: v\n" * count + "---\n").encode())

    for count, pushed in ((27, False), (28, True), (40, False)):
        document = document_of(count)
        block = parse(document, max_lines=30)
        splices = set_value(document, block, ("name",), "n")
        assert pushes_out(document, block, splices) is pushed


def test_quote_is_plain_only_where_every_reader_agrees() -> None:
    for value in ("deploy", "Release steps, then push", "漢字 notes", "a:b", "it's", "2 files", "(old) x"):
        assert quote(value) == value
    for value in (
        *("", "no", "Yes", "on", "~", "null", "TRUE", "12", "1e3", "0x1F", "0o7", ".inf", "1_000", "12:30:45"),
        *("2026-07-13", "a: b", "a:", "a #b", "#a", "- a", "-a", "? a", "@a", "`a`", "%a", "*a", "&a", "!a"),
        *(
            "[a]",
            "{a}",
            "'a'",
            '"a"',
            "|",
            ">",
            " a",
            "a ",
            "a\nb",
            "a\tb",
            "a\x85b",
            "a\u2028b",
            "<<",
            "=",
            "---",
        ),
    ):
        assert quote(value).startswith('"'), value


# Cases of public reports


Y01 = "---\nname: deploy\ndescription: Release steps: tag, then push\ntype: project\n---\nbody\n"


def test_y01_colon_in_the_description_is_read_in_full_and_quoting_touches_one_line() -> None:
    block = read(Y01)
    assert block.get("description") == "Release steps: tag, then push"
    assert block.get("type") == "project"
    after = changed(Y01, ("description",), "Release steps: tag, then push", requote=True).decode()
    differing = [pair for pair in zip(Y01.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert differing == [
        ("description: Release steps: tag, then push", 'description: "Release steps: tag, then push"')
    ]


@pytest.mark.parametrize(
    "value",
    ["@team decides", "`npm ci` first", "*important* rule", "[WIP] note", "- dash first", "%20 is a space"],
)
def test_y02_values_that_start_with_an_indicator_are_read_as_written(value: str) -> None:
    block = read(f"---\nname: n\ndescription: {value}\ntype: user\n---\nx\n")
    assert (block.get("name"), block.get("description"), block.get("type")) == ("n", value, "user")


def test_y03_a_rule_in_the_body_is_no_second_block() -> None:
    raw = "---\nname: a\ntype: user\n---\nintro\n\n---\ntype: not-metadata\n---\nend\n"
    assert read(raw).get("type") == "user"
    assert changed(raw, ("type",), "project") == raw.replace("type: user", "type: project").encode()


def test_y05_crlf_block_keeps_its_line_ends() -> None:
    raw = Y01.replace("steps:", "steps").replace("\n", "\r\n").encode()
    assert read(raw).get("description") == "Release steps tag, then push"
    for path in (("description",), ("fresh",)):
        after = changed(raw, path, "new")
        assert after.count(b"\n") == after.count(b"\r\n")
        assert read(after).get(*path) == "new"


def test_y06_mark_or_blank_lines_before_the_block() -> None:
    raw = BOM + b"---\nname: a\n---\nx\n"
    assert (read(raw).state, read(raw).get("name"), read(raw).strict_close_line) == ("ok", "a", 3)
    assert changed(raw, ("name",), "b") == BOM + b"---\nname: b\n---\nx\n"
    late = b"\n\n---\nname: a\n---\nx\n"
    assert (read(late).state, read(late).get("name"), read(late).strict_close_line) == ("late", "a", None)
    assert changed(late, ("name",), "b") == late.replace(b": a", b": b")


def test_y07_closing_line_beyond_the_window() -> None:
    raw = "---\n" + "".join(f"x{n}: v\n" for n in range(35)) + "description: d\n---\nbody\n"
    assert read(raw, 30).get("description") == "d"
    assert not read(raw, 30).is_closed_within
    assert read(raw).is_closed_within


@pytest.mark.parametrize(
    "line", ["name: no", "name: 0123", "name: 12:30:45", "name: 1.10", "updated: 2026-07-13"]
)
def test_y08_words_that_yaml_turns_into_something_else_stay_as_typed(line: str) -> None:
    raw = f"---\n{line}\ntype: user\n---\nx\n"
    key, value = line.split(": ")
    assert read(raw).get(key) == value
    assert changed(raw, ("type",), "project") == raw.replace("user", "project").encode()


def test_y10_both_of_two_equal_keys_are_kept() -> None:
    raw = "---\ntype: user\nname: a\n\ntype: project\n---\nx\n"
    assert [[(item.value, item.first_line) for item in group] for group in read(raw).duplicates] == [
        [("user", 2), ("project", 5)]
    ]
    assert changed(raw, ("type",), "feedback") == raw.replace("project", "feedback").encode()


def test_y11_tab_indentation_is_read() -> None:
    raw = "---\nname: a\nmetadata:\n\ttype: feedback\n---\nx\n"
    assert read(raw).get("metadata", "type") == "feedback"
    assert changed(raw, TYPE, "user") == raw.replace("feedback", "user").encode()


def test_y12_type_is_changed_where_it_stands() -> None:
    nested = "---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n  extra: 1\n---\n"
    flat = "---\nname: a\ntype: user\n---\n"
    assert changed(nested, TYPE, "reference") == nested.replace("type: user", "type: reference").encode()
    assert changed(flat, ("type",), "reference") == flat.replace("type: user", "type: reference").encode()


def test_y13_a_block_that_is_never_closed_is_body() -> None:
    raw = b"---\nname: a\ndescription: d\n\nbody without a closing line\n"
    block = read(raw)
    assert (block.state, block.fields, raw[block.body_start :]) == ("unclosed", (), raw)


@pytest.mark.parametrize("source", [">-\n  first half\n  second half", "|\n  first half\n  second half"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_y14_folded_descriptions_are_one_line_and_go_whole(source: str, eol: str) -> None:
    raw = f"---\ndescription: {source}\ntype: user\n---\nx\n".replace("\n", eol)
    assert read(raw).get("description") == "first half second half"
    expected = "---\ndescription: new\ntype: user\n---\nx\n".replace("\n", eol)
    assert changed(raw, ("description",), "new") == expected.encode()


def test_y14_plain_continuation_lines_go_with_their_value() -> None:
    raw = "---\ndescription: first half\n  second half\ntype: user\n---\nx\n"
    assert read(raw).get("description") == "first half second half"
    assert changed(raw, ("description",), "new") == b"---\ndescription: new\ntype: user\n---\nx\n"


def test_y15_number_sign_in_the_description_is_text() -> None:
    assert read("---\ndescription: see issue #12 first\n---\n").get("description") == "see issue #12 first"


def test_y16_unknown_and_missing_types() -> None:
    assert read("---\ntype: gotcha\n---\n").get("type") == "gotcha"
    assert read("---\nname: a\n---\n").get("type") is None
    assert read("no block\n").get("type") is None


# Laws


anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
one_line = anything.filter(lambda text: "\n" not in text)
key = st.sampled_from([("name",), ("description",), TYPE, ("metadata", "node_type"), ("fresh",)])
old_value = st.sampled_from(
    [
        "v",
        "",
        "'q'",
        '"d"',
        ">-\n  a\n  b",
        "|\n  a\n\n  b",
        "a\n  b",
        "x # c",
        '"y" # c',
        "a: b",
        "[l]",
        "@x",
        "é",
    ]
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    lines = ["# a comment", "unknown: kept   "]
    for name in ("name", "description"):
        if draw(st.booleans()):
            lines.append(f"{name}: {draw(old_value)}")
    if draw(st.booleans()):
        lines += ["metadata: ", f"    node_type: {draw(old_value)}".replace("\n  ", "\n      ")]
        lines += ["    # inside"]
    lines.append("last: 1")
    body = draw(anything)
    text = "\n".join(["---", *lines, "---", body])
    raw = encode(text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))))
    return (BOM if draw(st.booleans()) else b"") + raw


@given(files(), key, anything)
def test_setting_a_value_changes_that_value_only(raw: bytes, path: tuple[str, ...], value: str) -> None:
    document = documents.parse(raw)
    block = parse(document)
    splices = set_value(document, block, path, value)
    after = documents.splice(raw, splices)
    again = parse(documents.parse(after))
    assert after[again.body_start :] == raw[block.body_start :]
    field = block.field(*path)
    if field is not None and splices:
        assert [(splice.start, splice.end) for splice in splices] == [(field.start, field.end)]
    for item in block.fields:
        if item.path != path:
            same = again.field(*item.path)
            assert same is not None
            assert same.raw == item.raw
    kept = again.field(*path)
    assert kept is not None
    assert kept.text == value or (not splices and kept.value == value)


@given(key, anything)
def test_a_value_that_was_set_is_read_back_by_a_strict_reader(path: tuple[str, ...], value: str) -> None:
    for source in ("'q'", '"d"', "v", ">-\n    a\n    b", "x # c"):
        raw = f"---\nname: {source}\ndescription: {source}\nmetadata:\n  type: {source}\n---\nbody\n"
        after = documents.parse(changed(raw, path, value))
        block = parse(after)
        strict = strict_view(after, block)
        assert strict.ok, strict.error
        kept = block.field(*path)
        assert kept is not None
        if kept.raw not in ("v", "x"):
            assert strict.text(*path) == value


@given(one_line)
def test_a_quoted_value_is_that_string_for_a_yaml_1_1_reader_too(value: str) -> None:
    import yaml

    assert yaml.safe_load(f"key: {quote(value)}\n") == {"key": value}


@given(st.binary(max_size=80))
def test_any_bytes_are_read_without_failing(raw: bytes) -> None:
    for head in (b"", b"---\n", b"---\nkey: "):
        document = documents.parse(head + raw + b"\n---\nx")
        block = parse(document, max_lines=30)
        strict_view(document, block)
        for item in block.fields:
            assert head.startswith(b"---") or block.state != "none"
            assert 0 <= item.start <= item.end <= len(document.raw)


yaml_soup = st.lists(
    st.sampled_from(
        [
            "a:",
            "b: c",
            "  d: e",
            "\tf: g",
            "- h",
            "  - i",
            ">",
            "|-",
            '"',
            "'",
            "{",
            "}",
            "[x",
            "]",
            "#",
            " # j",
            "",
            "  ",
            ": ",
            "*k",
            "&l m",
        ]
    ),
    max_size=8,
)


@given(yaml_soup, yaml_soup)
def test_any_block_is_read_and_its_spans_are_its_values(first: list[str], second: list[str]) -> None:
    text = "---\n" + "\n".join(first) + "\n" + " ".join(second) + "\n---\nbody"
    document = documents.parse(text.encode())
    block = parse(document)
    strict_view(document, block)
    for item in block.fields:
        assert document.raw[item.start : item.end].decode().strip() == item.raw.strip()
