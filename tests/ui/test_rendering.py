"""Markdown as lines to read: marks gone, everything else there and safe, and each line knows its source."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.core.safety import display
from memtui.ui.rendering.blocks import render
from memtui.ui.rendering.lines import Rendered

MARKDOWN = st.lists(
    st.sampled_from(
        [
            *(
                "# ",
                "## ",
                "- ",
                "* ",
                "1. ",
                "12) ",
                "> ",
                ">",
                "```",
                "~~~",
                "```py",
                "    ",
                "  ",
                "\t",
                "---",
            ),
            *(
                "- [ ] ",
                "- [x] ",
                "| a | b |",
                "|--|:-:|",
                "|",
                "***",
                "[",
                "](",
                ")",
                "![",
                "<",
                ">",
                "`",
                "``",
            ),
            *(
                "*",
                "**",
                "_",
                "\\",
                "&amp;",
                "&#27;",
                "&#x202E;",
                "[r]: x",
                "[r]",
                "==",
                "http://x.y",
                "<a@b.c>",
            ),
            *(
                "word",
                "two words",
                "12",
                "日本",
                "e\u0301",
                "\u0301",
                "\u200d",
                "👨‍👩‍👧",
                "\u202e",
                "\x1b]52;c;eA==\x07",
            ),
            *(
                "\n",
                "\n",
                "\n\n",
                " ",
                "  \n",
                "\\\n",
                "\u2028",
                "\r",
                "\x0b",
                "\x00",
                "\udcff",
                "name: x",
                "\ufdd0",
            ),
        ]
    ),
    max_size=40,
).map("".join)


def lines_of(text: str) -> list[str]:
    return render(display.lines(text)).lines  # type: ignore[return-value]


def shown(text: str) -> list[str]:
    return [line for line in render(text.split("\n")).lines if line]


def inks(rendered: Rendered, number: int) -> list[tuple[str, str]]:
    line = rendered.lines[number - 1]
    return [
        (line[start:stop].strip(), ink)
        for start, stop, ink in rendered.inks[number - 1]
        if line[start:stop].strip()
    ]


def letters(text: str) -> list[str]:
    return [char for char in text if char.isalnum()]


def is_subsequence(wanted: list[str], there: str) -> bool:
    found = iter(there)
    return all(char in found for char in wanted)


@given(st.one_of(MARKDOWN, st.text(max_size=200), MARKDOWN.map(lambda body: f"---\nname: x\n---\n{body}")))
@example("| a | b |\n|--|--|\n| 1 | 2 | 3 |")
@example("> " * 200 + "deep")
@example("3.\n")
@example("[a]: b 'title'\n\n[a]")
@example("---\nname: x\n--- \n# y")
def test_nothing_is_lost_nothing_acts_and_places_are_known(text: str) -> None:
    source = display.lines(text)
    rendered = render(source)
    assert is_subsequence(letters("".join(source)), "".join(rendered.lines))
    assert all(display.line(line) == line for line in rendered.lines)
    count = len(rendered.lines)
    assert len(rendered.inks) == len(rendered.leads) == len(rendered.sources) == count
    starts = [first for first, _last in rendered.sources]
    assert starts == sorted(starts)
    assert all(1 <= first <= last <= len(source) for first, last in rendered.sources)
    for line, spans in zip(rendered.lines, rendered.inks, strict=True):
        ends = [place for start, stop, _ink in spans for place in (start, stop)]
        assert ends == sorted(ends) and all(0 <= place <= len(line) for place in ends)
    for number in range(1, len(source) + 1):
        line = rendered.line_of(number)
        assert 1 <= line <= max(1, count)
        if count:
            rule, _is_exact = rendered.cut_after(number)
            assert 0 <= rule <= count


def test_marks_are_gone_and_inks_stand_for_them() -> None:
    rendered = render(["# Head", "Some *em* and **strong** `code` and [[wiki]]"])
    assert rendered.lines == ("Head", "Some em and strong code and [[wiki]]")
    assert inks(rendered, 1) == [("Head", "heading")]
    assert inks(rendered, 2) == [("em", "em"), ("strong", "strong"), ("code", "code"), ("[[wiki]]", "link")]


def test_lists_and_quotes_hang() -> None:
    one = "one " * 15
    rendered = render([f"- {one}", "  goes on", "  1. deep", "- [x] done", "", f"> {one}", "> too"])
    assert rendered.lines == (f"• {one}goes on", "  1. deep", "[x] done", "", f"│ {one}too")
    assert rendered.leads == ("  ", "     ", "    ", "", "│ ")
    assert rendered.sources == ((1, 2), (3, 3), (4, 4), (5, 5), (6, 7))


def test_t08_every_target_is_visible_and_stays_as_it_was_typed() -> None:
    text = (
        "[docs](https://x.test/a) [open](file:///etc/passwd) [x](javascript:1) [y](../../secret.md)"
        ' ![pic](%2e%2e/p.png "a title") <http://auto.test> [e](&#x6a;s:1)'
    )
    assert shown(text) == [
        "docs ‹https://x.test/a› open ‹file:///etc/passwd› x ‹javascript:1› y ‹../../secret.md›"
        ' image pic ‹%2e%2e/p.png "a title"› http://auto.test e ‹&#x6a;s:1›'
    ]


@pytest.mark.parametrize(
    "text",
    [
        'mail [a@b.c] arr[0] {"a":[true,false]}',
        r"\[x] and C:\[dir] and a\_b",
        "[$primary]x[/] [@click=app.quit]fix[/] range [/",
        "<b>html</b> <script>x</script> <!-- comment -->",
        "&#27;]52; &lt; &amp; ~~struck~~",
        "[foo]: http://x.test",
    ],
)
def test_t05_t06_t07_what_is_no_mark_stays_to_the_letter(text: str) -> None:
    assert shown(text) == [text]
    assert shown(f"- {text}") == [f"• {text}"]


def test_t07_tasks_keep_their_boxes() -> None:
    assert shown("- [ ] task [x] done") == ["[ ] task [x] done"]


def test_t01_t09_what_is_hidden_or_acts_is_visible_in_every_kind_of_block() -> None:
    piece = "\x1b]52;c;eA==\x07 a\u202eb"
    text = f"---\nname: {piece}\n---\n# {piece}\n- {piece}\n\n> `{piece}`\n\n```{piece}\n{piece}\n```\n\n|{piece}|\n|-|\n|{piece}|\n"
    rendered = render(text.split("\n"))
    assert "\x1b" not in "".join(rendered.lines)
    assert sum("␛]52;c;eA==␇ a<U+202E>b" in line for line in rendered.lines) == 8


def test_fields_at_the_start_are_a_list_and_a_rule_is_none() -> None:
    text = '---\nname: x\ndescription: "a: b"\nmetadata:\n  type: user\n---\n\nBody'
    assert lines_of(text) == (
        *("name         x", 'description  "a: b"', "metadata     ", "  type: user", "", "Body"),
    )
    assert shown("---\nSome prose.\n\nMore: of it\n---\n")[-1] != ""
    assert "Some prose." in " ".join(shown("---\nSome prose.\n\nMore: of it\n---\n"))


def test_tables_have_columns_and_wide_ones_stay_source() -> None:
    table = "| name | size |\n|:--|--:|\n| **a** | 1 |\n| 日本 | 1000 |"
    assert shown(table) == ["name  size", "────  ────", "a        1", "日本  1000"]
    wide = f"| a | b |\n|-|-|\n| {'x' * 80} | y |"
    assert shown(wide) == wide.split("\n")
    assert shown(f"> {table.replace(chr(10), chr(10) + '> ')}")[0] == "> | name | size |"


def test_code_is_indented_line_by_line() -> None:
    rendered = render(["Text", "", "```python", "def f():", "    return 1", "```", "end"])
    assert rendered.lines == ("Text", "", "python", "  def f():", "      return 1", "end")
    assert rendered.sources[3:] == ((4, 4), (5, 5), (7, 7))


def test_lines_that_were_broken_on_purpose_stay_lines_and_the_others_are_joined() -> None:
    why, how = "**Why:** " + "the mocks hid a broken migration, " * 3, "**How to apply:** use a real database"
    assert shown(f"{why}\n{how}") == [why.replace("**", "").strip(), how.replace("**", "")]
    assert shown("host: a.test\nport: 2222") == ["host: a.test", "port: 2222"]
    assert shown("- one thing\n  of two\n- more") == ["• one thing", "  of two", "• more"]
    full = "Words that fill a line which was broken because there was no more room for any"
    assert shown(f"{full}\nfurther {full[8:]}\nend.") == [f"{full} further {full[8:]} end."]


def test_a_cut_falls_on_the_nearer_end_of_a_paragraph() -> None:
    two = "two " * 16
    rendered = render(["one", "", two, two, "on", "", two, "word"])
    assert rendered.cut_after(1) == (1, True)
    assert rendered.cut_after(3) == (2, False)
    assert rendered.cut_after(4) == (3, False)
    assert rendered.cut_after(5) == (3, True)
    assert rendered.cut_after(7) == (4, False)


@pytest.mark.parametrize(
    ("piece", "count"), [("[", 30_000), ("![[", 10_000), ("- ", 300), ("> ", 400), ("|a", 2000), ("*a_", 5000)]
)
def test_texts_made_to_take_long_end_as_source_or_soon(piece: str, count: int) -> None:
    text = f"{piece * count}\n{'|-' * count}"
    assert "".join(shown(text)).count("a") == text.count("a")
