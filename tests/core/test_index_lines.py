"""Index lines: every spelling that real indexes have, and edits that touch one line only."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.text import index_edits as edits
from memtui.core.text import index_lines
from memtui.core.text.document import BOM, parse, splice
from memtui.core.text.index_lines import Index, parse_bytes


def index_of(text: str | bytes) -> Index:
    return parse_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))


def rows(text: str | bytes) -> list[tuple[int, str, str, str | None]]:
    return [(number, link.title, link.target, link.hook) for number, _, link in index_of(text).links()]


def applied(index: Index, splices: list) -> bytes:
    return splice(index.document.raw, splices)


# Reading


def test_f01_two_hundred_and_five_lines_are_all_read():
    text = "".join(f"- [T{n}](t{n}.md) — hook {n}\n" for n in range(1, 206))
    assert rows(text) == [(n, f"T{n}", f"t{n}.md", f"hook {n}") for n in range(1, 206)]


F03 = (
    "# Memory\n\n## Deploy\n- [A](a.md) — x\n- [B](b.md) — y\n\n"
    "Some prose the user wrote.\n<!-- keep -->\n## Later\n- [C](c.md) — z\n"
)


def test_f03_removing_an_entry_between_headings_and_prose_takes_its_line_only():
    index = index_of(F03)
    assert rows(F03) == [(4, "A", "a.md", "x"), (5, "B", "b.md", "y"), (10, "C", "c.md", "z")]
    assert applied(index, edits.remove_line(index, 4)).decode() == F03.replace("- [A](a.md) — x\n", "")


def test_f06_fragments_and_dot_slash_name_the_same_file():
    assert rows("- [A](a.md) — old\n- [A2](./a.md#x) — new\n") == [
        (1, "A", "a.md", "old"),
        (2, "A2", "a.md", "new"),
    ]


def test_f07_parentheses_in_the_file_name():
    text = "- [Deploy (old)](deploy(1).md) — x\n- [Deploy](deploy.md) — y\n"
    assert rows(text) == [(1, "Deploy (old)", "deploy(1).md", "x"), (2, "Deploy", "deploy.md", "y")]
    index = index_of(text)
    assert applied(index, edits.remove_line(index, 1)) == "- [Deploy](deploy.md) — y\n".encode()


def test_f09_brackets_in_the_title():
    text = "- [Fix [urgent]](fix.md) — x\n- [A \\] b](ab.md) — y\n"
    assert rows(text) == [(1, "Fix [urgent]", "fix.md", "x"), (2, "A ] b", "ab.md", "y")]
    index = index_of(text)
    assert applied(index, edits.remove_line(index, 1)) == "- [A \\] b](ab.md) — y\n".encode()


@pytest.mark.parametrize("target", ["笔记.md", "%E7%AC%94%E8%AE%B0.md"])
def test_f10_a_cjk_name_resolves_plain_and_percent_encoded(target):
    text = f"- [笔记]({target}) — x\n"
    assert rows(text) == [(1, "笔记", "笔记.md", "x")]
    index = index_of(text)
    added = splice(index.document.raw, [edits.add_line(index, "日志", "日志.md", "")]).decode()
    spelled = "%E6%97%A5%E5%BF%97.md" if target.startswith("%") else "日志.md"
    assert added == text + f"- [日志]({spelled})\n"


F11 = (
    "- [A](a.md) — x\n- [B](b.md) - y\n* [C](c.md): z\n- [D](d.md)— w\n- [E](e.md)\n"
    "1. [F](f.md) v\n- **[G](g.md)** — u\n"
)


def test_f11_every_separator_gives_its_hook():
    assert [row[3] for row in rows(F11)] == ["x", "y", "z", "w", None, "v", "u"]
    assert [row[1] for row in rows(F11)] == list("ABCDEFG")


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, "- [A](a.md) — new"),
        (2, "- [B](b.md) - new"),
        (3, "* [C](c.md): new"),
        (4, "- [D](d.md)— new"),
        (5, "- [E](e.md) — new"),
        (6, "1. [F](f.md) new"),
        (7, "- **[G](g.md)** — new"),
    ],
)
def test_f11_editing_a_hook_changes_that_line_only_and_keeps_its_separator(number, line):
    index = index_of(F11)
    expected = F11.splitlines()
    expected[number - 1] = line
    assert applied(index, edits.set_hook(index, number, 0, "new")).decode().splitlines() == expected


def test_f12_crlf_without_a_final_newline():
    raw = "- [A](a.md) — x\r\n- [B](b.md) — y\r\n- [C](c.md) — z".encode()
    index = index_of(raw)
    assert [row[3] for row in rows(raw)] == ["x", "y", "z"]
    assert applied(index, edits.remove_line(index, 2)) == "- [A](a.md) — x\r\n- [C](c.md) — z".encode()
    assert applied(index, edits.remove_line(index, 3)) == "- [A](a.md) — x\r\n- [B](b.md) — y\r\n".encode()
    added = splice(raw, [edits.add_line(index, "D", "d.md", "w")])
    assert added == raw + "\r\n- [D](d.md) — w".encode()


def test_f13_a_byte_order_mark_stays_once():
    raw = BOM + "- [A](a.md) — x\n- [B](b.md) — y\n".encode()
    index = index_of(raw)
    assert rows(raw)[0] == (1, "A", "a.md", "x")
    assert applied(index, edits.remove_line(index, 1)) == BOM + "- [B](b.md) — y\n".encode()


def test_f14_bytes_that_are_not_utf8_stay_as_they_are():
    raw = b"- [Caf\xe9](cafe.md) \x97 x\n- [B](b.md) \xe2\x80\x94 y\n"
    index = index_of(raw)
    assert [row[2] for row in rows(raw)] == ["cafe.md", "b.md"]
    assert applied(index, edits.remove_line(index, 2)) == b"- [Caf\xe9](cafe.md) \x97 x\n"


def test_f22_what_looks_like_an_entry_but_is_not():
    text = "- `[A](a.md)`\n\n```\n- [B](b.md)\n```\n\n| [C](c.md) | x |\n\n- [D] (d.md)\n- [[E]]\n"
    assert rows(text) == []
    index = index_of(text)
    assert [(wiki.name, wiki.line) for wiki in index.wiki_links] == [("E", 10)]
    start, end = index.wiki_links[0].span
    assert index.document.raw[start:end] == b"E"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("+ [A](a.md) – x", ("A", "a.md", "x")),
        ("12) [A](<a b.md>) — x", ("A", "a b.md", "x")),
        ("- [A](a.md 'the title') — x", ("A", "a.md", "x")),
        ("- [A](sub/dir/a.md) — x", ("A", "sub/dir/a.md", "x")),
        ("- [A](sub/../a.md) — x", ("A", "a.md", "x")),
        ("- [A](a%20b.md) — x", ("A", "a b.md", "x")),
        ("- [A](a b.md) — x", ("A", "a b.md", "x")),
        ("- [A](a\\(b.md) — x", ("A", "a(b.md", "x")),
        ("- [A](c#.md) — x", ("A", "c#.md", "x")),
        ("## [A](a.md)", ("A", "a.md", None)),
        ("See [A](a.md) for more.", ("A", "a.md", "for more.")),
        ("> - [A](a.md) — x", ("A", "a.md", "x")),
        ("- [ ] [A](a.md) — x", ("A", "a.md", "x")),
        ("- **[A](a.md):** x", ("A", "a.md", "x")),
        ("- [**A**](a.md) — x", ("A", "a.md", "x")),
        ("- [use `[x](y.md)`](a.md) — x", ("use `[x](y.md)`", "a.md", "x")),
        ("- [A](a.md).", ("A", "a.md", None)),
        ("- [A](a.md) —", ("A", "a.md", None)),
        ("- [A](a.md) — x <!-- old: [B](b.md) -->", ("A", "a.md", "x")),
        ("<!-- x --> - [A](a.md) — x", ("A", "a.md", "x")),
        ("- [A](a.md) — **x** - y", ("A", "a.md", "**x** - y")),
        ("- [A](../a.md) — x", ("A", "../a.md", "x")),
        ("- [A](%2e%2e/%2e%2e/s.md) — x", ("A", "../../s.md", "x")),
        ("- [A](/etc/a.md) — x", ("A", "/etc/a.md", "x")),
        ("- [A](a.md) ： x", ("A", "a.md", "x")),
    ],
)
def test_one_entry_in_its_spelling(line, expected):
    assert [row[1:] for row in rows(line + "\n")] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "- [A](http://x.org/a.md)",
        "- [A](mailto:a@b.md)",
        "- [A](#a.md)",
        "- [A](a.txt)",
        "- ![A](a.md)",
        "- [A][a.md]",
        "- \\[A](a.md)",
        "    - [A](a.md)",
        "\t[A](a.md)",
        "<!--\n- [A](a.md)\n-->",
        "- x <!-- y\n  [A](a.md) -->",
        "~~~\n- [A](a.md)",
        "````\n```\n- [A](a.md)\n````",
        "- [A](.md)",
    ],
)
def test_what_is_no_entry(text):
    assert rows(text) == []


def test_nested_items_and_an_unclosed_inline_comment_are_still_read():
    assert [row[1] for row in rows("- a\n    - [A](a.md)\n        - [B](b.md)\n")] == ["A", "B"]
    assert [row[1] for row in rows("- [A](a.md) — <!-- x\n- [B](b.md) -->\n")] == ["A", "B"]


def test_outside_is_marked():
    links = [link for _, _, link in index_of("[a](../a.md) [b](/b.md) [c](C:/c.md) [d](x/../d.md)").links()]
    assert [link.outside for link in links] == [True, True, True, False]


def test_several_links_in_a_line():
    text = "- [A](a.md) — x; [B](b.md), [C](c.md) — y\n"
    assert rows(text) == [(1, "A", "a.md", "x"), (1, "B", "b.md", None), (1, "C", "c.md", "y")]


def test_spans_are_the_bytes_of_title_target_and_hook():
    raw = BOM + 'é\n- [日本](<./a b.md#x> "t") — höök \r\n'.encode()
    ((_, _, link),) = index_of(raw).links()
    cut = [raw[slice(*span)].decode() for span in (link.title_span, link.target_span, link.hook_span)]
    assert cut == ["日本", "./a b.md#x", "höök"]
    assert raw[slice(*link.link_span)].decode() == '[日本](<./a b.md#x> "t")'


# Editing


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (0, "- [B](b.md), [C](c.md) — y\n"),
        (1, "- [A](a.md) — x; [C](c.md) — y\n"),
        (2, "- [A](a.md) — x; [B](b.md) — y\n"),
    ],
)
def test_removing_one_of_several_links_keeps_the_others(position, expected):
    index = index_of("- [A](a.md) — x; [B](b.md), [C](c.md) — y\n")
    assert applied(index, edits.remove_links(index, 1, [position])).decode() == expected


def test_removing_all_links_removes_the_line_but_never_a_sentence():
    index = index_of("- [A](a.md), [B](b.md)\nRead [C](c.md) first.\n")
    assert applied(index, edits.remove_links(index, 1, [0, 1])) == b"Read [C](c.md) first.\n"
    assert applied(index, edits.remove_links(index, 2, [0])).endswith(b"Read C first.\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- [A](a.md) — x  ", "- [A](n.md) — x  "),
        ("- [A](./a.md#x) — x", "- [A](./n.md#x) — x"),
        ("- [A](<a b.md>)", "- [A](<n.md>)"),
    ],
)
def test_a_target_keeps_its_spelling_style(line, expected):
    index = index_of(line)
    assert applied(index, edits.set_target(index, 1, 0, "n.md")).decode() == expected


def test_a_target_is_spelled_percent_encoded_where_it_was():
    index = index_of("- [A](%E7%AC%94.md)")
    assert applied(index, edits.set_target(index, 1, 0, "记 x.md")) == b"- [A](%E8%AE%B0%20x.md)"


@pytest.mark.parametrize(
    "title", ["Fix [urgent]", "a ] b", "back\\slash\\", "`code` [x]", "odd ` tick", "*x*y", "<!-- x"]
)
def test_a_written_title_reads_back(title):
    index = index_of("- [A](a.md) — x `y`\n- [B](b.md)\n")
    after = applied(index, edits.set_title(index, 1, 0, title))
    (_, _, link), _ = index_of(after).links()
    assert (link.target, link.hook) == ("a.md", "x `y`")
    assert link.title in (title, title.replace("*x*y", "x*y"))
    assert after.split(b"\n")[1:] == index.document.raw.split(b"\n")[1:]


def test_a_hook_is_one_line_and_an_empty_one_takes_its_separator():
    index = index_of("- [A](a.md) — x\n- **[B](b.md):** y\n")
    assert applied(index, edits.set_hook(index, 1, 0, "one\r\n two")).startswith(
        "- [A](a.md) — one two\n".encode()
    )
    assert applied(index, edits.set_hook(index, 1, 0, "")).startswith(b"- [A](a.md)\n")
    assert applied(index, edits.set_hook(index, 2, 0, "")).endswith(b"- **[B](b.md)**\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "- [N](n.md) — h\n"),
        ("# Memory\n\n", "# Memory\n\n- [N](n.md) — h\n"),
        ("* [A](./a.md): x\n\nprose\n", "* [A](./a.md): x\n* [N](./n.md): h\n\nprose\n"),
        (
            "- [A](a.md) - x\n  more of it\n- plain\n",
            "- [A](a.md) - x\n  more of it\n- [N](n.md) - h\n- plain\n",
        ),
        ("1. [A](a.md) — x\n2. [B](b.md) — y\n", "1. [A](a.md) — x\n2. [B](b.md) — y\n3. [N](n.md) — h\n"),
        ("- [A](a.md) — x\n  - [B](b.md) — y\n", "- [A](a.md) — x\n  - [B](b.md) — y\n- [N](n.md) — h\n"),
        ("prose\n```\ncode", "prose\n- [N](n.md) — h\n```\ncode"),
        ("prose\r\n", "prose\r\n- [N](n.md) — h\r\n"),
    ],
)
def test_a_new_line_in_the_style_of_the_index(text, expected):
    index = index_of(text)
    assert splice(index.document.raw, [edits.add_line(index, "N", "n.md", "h")]).decode() == expected


# Properties

FRAGMENTS = st.sampled_from(
    [
        "- ",
        "* ",
        "1. ",
        "[A](a.md)",
        "[B](<b c.md>)",
        "[c](%E7.md)",
        " — ",
        " - ",
        ": ",
        "hook",
        "**",
        "`",
        "```",
        "<!--",
        "-->",
        "[[w]]",
        "|",
        "\\",
        "(",
        ")",
        "[",
        "]",
        "<",
        "#",
        "    ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\ufeff",
        "é",
        "日",
        "\x00",
        "\x1b[31m",
        "\u2028",
        "a.md",
        "../x.md",
        "\udcff",
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=40).map(lambda parts: "".join(parts).encode("utf-8", "surrogateescape"))
BYTES = TEXTS | st.binary(max_size=200)
LINES = st.text(st.characters(codec="utf-8"), max_size=30)


@given(BYTES)
def test_parsing_never_raises_and_spans_lie_in_their_line(raw):
    index = parse_bytes(raw)
    lines = {line.number: line for line in parse(raw).lines}
    for number, _, link in index.links():
        line = lines[number]
        for start, end in (link.link_span, link.title_span, link.target_span, link.hook_span):
            assert line.start <= start <= end <= line.end


PLAIN = st.lists(
    st.tuples(
        st.sampled_from(["- ", "* ", "+ ", "-", "  - "]),
        st.sampled_from(["T", "a b", " T", "x*", "日"]),
        st.sampled_from(["a.md", "日.md", "a/b.md", "./a.md", "a%20.md", "..md", "~a.md"]),
        st.sampled_from(["", " — ", " – ", " - ", ": ", ":", " -- ", " ", " — - "]),
        st.sampled_from(["", "hook", "- x", ": x", "**x** y ", "x\u00a0", "x\r", "[b](b.md)", "."]),
        st.sampled_from(["\n", "\r\n", " \n"]),
    ),
    max_size=4,
).map(lambda rows: "".join(f"{b}[{t}]({p}){s}{h}{e}" for b, t, p, s, h, e in rows).encode())


@given(PLAIN | BYTES)
def test_the_short_way_for_plain_lines_reads_what_the_long_way_reads(raw):
    with mock.patch.object(index_lines, "_PLAIN_LINE", re.compile("(?!)")):
        expected = parse_bytes(raw)
    assert parse_bytes(raw) == expected


@given(BYTES, LINES, st.data())
def test_an_edit_touches_no_other_line(raw, text, data):
    index = parse_bytes(raw)
    found = list(index.links())
    if not found:
        return
    number, position, _ = data.draw(st.sampled_from(found))
    edit = data.draw(st.sampled_from([edits.set_hook, edits.set_title, edits.set_target]))
    after = splice(raw, edit(index, number, position, text + ".md"))
    before_lines, after_lines = raw.split(b"\n"), after.split(b"\n")
    assert len(before_lines) == len(after_lines)
    del before_lines[number - 1], after_lines[number - 1]
    assert before_lines == after_lines


@given(BYTES, LINES)
def test_adding_then_removing_gives_the_same_bytes(raw, hook):
    index = parse_bytes(raw)
    added = splice(raw, [edits.add_line(index, "A new title", "a new one.md", hook)])
    fresh = parse_bytes(added)
    (number,) = [number for number, _, link in fresh.links() if link.target == "a new one.md"]
    removed = splice(added, edits.remove_line(fresh, number))
    missing_newline = removed[len(raw) :]
    assert removed[: len(raw)] == raw and missing_newline in (b"", b"\n", b"\r\n")


@settings(max_examples=30)
@given(st.text(st.sampled_from("ab ()[]<>%#\\`é日*_&.\udcff"), min_size=1, max_size=12))
def test_every_file_name_that_is_written_resolves_to_itself(stem):
    name = stem.strip() + "x.md"
    for text in ("", "- [A](%E7.md)\n", "- [A](./a.md)\n"):
        index = index_of(text)
        added = splice(index.document.raw, [edits.add_line(index, "T", name, "h")])
        assert name in [link.target for _, _, link in parse_bytes(added).links()]


def test_only_comments_at_top_level_are_told_apart():
    text = "<!-- a -->\n- [A](a.md) <!-- b -->\n  <!-- c -->\n<!-- d\nd -->\n`<!-- e -->`\nprose <!-- f -->\n"
    index = index_of(text)
    assert [index.document.raw[slice(*span)] for span in index.comments] == [b"<!-- a -->", b"<!-- d\nd -->"]


def test_t11_absolute_paths_count_whatever_their_suffix():
    (found,) = index_of("- [a](/etc/hostname) — x\n").links()
    assert (found[2].target, found[2].outside) == ("/etc/hostname", True)
