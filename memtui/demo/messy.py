"""The demo's messy project: every problem memtui finds in a fact store, and text that attacks terminals.

Made on purpose: nothing in it may get out of a row, ring a bell, reach the clipboard or become markup.
"""

from __future__ import annotations

from memtui.demo.tree import Item, text

CLIPBOARD = "\x1b]52;c;ZWNobyBvd25lZA==\x07"
"""Asks a terminal to put `echo owned` on the clipboard (OSC 52)."""

HOSTILE = (
    f"{CLIPBOARD}\x1b[2J\x1b[31mred\x1b[0m \x9b1m \u202egnp.exe\u202c zero\u200bwidth\u2066\u2069 "
    "[@click=app.quit]press[/] [bold red]loud[/] \x07\x08\U000e0041 tab\there"
)
"""One line with escape sequences, a bell, bidi and zero-width characters, a tag character and markup."""

_TO_HOME = "../../../../../.."

_INDEX_LINES = (
    "# Notes",
    "",
    "<!-- - [Commented](commented.md) — not a line -->",
    "- [Good](good.md) — nothing is wrong with this one",
    "- [Good, again](good.md#twice) — a second line for one file",
    "- [Gone](gone.md) — the file was deleted by hand",
    f"- [Outside]({_TO_HOME}/code/messy/NOTES.md) — leads out of the store",
    "- [Absolute](/etc/hostname) — leads out of the store",
    "- [Linked](linked.md) — a symlink",
    "- [Dangling](dangling.md) — a symlink to nothing",
    "- [A folder](folder.md) — a directory with the name of a file",
    "- [Café](cafe.md) — not UTF-8 inside",
    "* [Marked](bom-crlf.md): begins with a byte-order mark",
    "1. [Colon](colon.md) a strict reader rejects its description",
    "- [Comment](comment.md) — a strict reader cuts its description",
    "- [Twice](duplicate-key.md) - two values for one key",
    "- [Open](unclosed.md) — its block is never closed",
    "- [Late](late.md) — its block ends below line 30",
    "- [Blank first](blank-first.md) — its block begins below blank lines",
    "- [Plain](plain.md) — no block at all",
    "- [Nameless](no-description.md) — no description",
    "- [Gotcha](gotcha.md) — a type nobody knows",
    "- [Number](number.md) — a description that YAML reads as a number",
    "- [Tab](tab.md) — indented with a tab",
    "- [Empty](empty.md)",
    "- [Zeros](nul.md) — holds NUL bytes",
    "- [Long body](long-body.md) — longer than a recall",
    "- [Fix [urgent]](deploy(1).md) — brackets and parentheses",
    f"- [Hostile {HOSTILE}](hostile.md) — {HOSTILE}",
    "- [Stale](stale.md) — names what is gone, and days that are past",
    "- [Team](team/rules.md) — in a folder of its own",
    "See also [[good]] and [[nowhere]].",
    "- [Essay](essay.md) — " + "much too long for one line of an index, " * 640,
    "- [Beyond the cut](beyond.md) — never loaded",
)

INDEX = b"\xef\xbb\xbf" + "\r\n".join(_INDEX_LINES).encode()
"""The index: byte-order mark, CRLF, no newline at the end, more than 25,000 UTF-16 units."""


def _block(name: str, description: str, body: str = "Text.\n", kind: str = "project") -> str:
    head = f"name: {name}\ndescription: {description}\nmetadata:\n  node_type: memory\n  type: {kind}\n"
    return f"---\n{head}---\n\n{body}"


_LATE = (
    "---\nname: late\n" + "".join(f"x{number}: v\n" for number in range(1, 36)) + "description: d\n---\nText.\n"
)

_STALE = """Notes are read by `docs/reader.py`, which is started with `make notes`.

The move began last week. It is due 2026-01-31.
"""

STORE: tuple[Item, ...] = (
    Item("MEMORY.md", INDEX, 2),
    text("good.md", _block("good", "Nothing is wrong here", "Link to [[nowhere]].\n", "user")),
    text("orphan.md", _block("orphan", "No line of the index names this file")),
    text("essay.md", _block("essay", "Its line is longer than the whole index may be")),
    text("beyond.md", _block("beyond", "Behind the cut")),
    text("hostile.md", _block("hostile", HOSTILE, f"{HOSTILE}\n" * 3, "feedback")),
    Item("cafe.md", _block("cafe", "Caf\u00e9 \u2014 x").encode("cp1252")),
    Item("bom-crlf.md", b"\xef\xbb\xbf" + _block("bom-crlf", "Marked").replace("\n", "\r\n").encode().rstrip()),
    text("colon.md", _block("colon", "Release steps: tag, then push")),
    text("comment.md", _block("comment", "see issue #12 first")),
    text("duplicate-key.md", "---\nname: twice\ntype: user\ndescription: d\ntype: project\n---\nText.\n"),
    text("unclosed.md", "---\nname: unclosed\ndescription: never closed\n\nbody without a closing line\n"),
    text("late.md", _LATE),
    text("blank-first.md", "\n\n" + _block("blank-first", "Below two blank lines")),
    text("plain.md", "Only text, no block.\n"),
    text("no-description.md", "---\nname: no-description\nmetadata:\n  type: user\n---\nText.\n"),
    text("gotcha.md", _block("gotcha", "A type of its own", kind="gotcha")),
    text("number.md", _block("number", "0x1F")),
    text("tab.md", "---\nname: tab\nmetadata:\n\ttype: feedback\n---\nText.\n"),
    text("empty.md", ""),
    Item("nul.md", _block("nul", "Zeros inside").encode() + b"a\0b\0c\n"),
    text("long-body.md", _block("long-body", "Longer than a recall", "One line of many.\n" * 260)),
    text("deploy(1).md", _block("deploy", "Parentheses in the name")),
    text("stale.md", _block("stale", "Names what is gone", _STALE)),
    text("team/rules.md", _block("rules", "In a folder")),
    text("team/MEMORY.md", "- [Rules](rules.md) — an index that nobody loads\n"),
    Item("folder.md"),
    Item("linked.md", link_target=f"{_TO_HOME}/code/messy/NOTES.md"),
    Item("dangling.md", link_target="nowhere.md"),
    # leftovers of editors, of a synchroniser and of backups
    text("good.md~", "older\n"),
    text("#good.md#", "unsaved\n"),
    Item(".good.md.swp", b"b0VIM\0"),
    text("good.sync-conflict-20260101-101010-AB12CD3.md", "theirs\n"),
    text("MEMORY.md.bak.1767225600", "- [Good](good.md) — older\n"),
    # names that attack, or that are not UTF-8: a file system may refuse them
    Item(f"clip{CLIPBOARD}.md", _block("clip", "An escape sequence in its name").encode(), odd=True),
    Item("two\nlines.md", _block("two-lines", "A newline in its name").encode(), odd=True),
    Item("caf\udce9.md", _block("latin", "Its name is not UTF-8").encode(), odd=True),
    Item("evil\u202edm.exe.md", _block("bidi", "Its name is written backwards").encode(), odd=True),
    Item("[@click=app.quit]x[].md", _block("markup", "Markup in its name").encode(), odd=True),
)
"""Files of the ZCode store."""

CLAUDE_STORE: tuple[Item, ...] = (
    text("one.md", _block("one", "A memory without an index")),
    text("two.md", _block("two", "Another one")),
)
"""Files of Claude Code's memory of the same project: no index at all."""

PROJECT: tuple[Item, ...] = (
    text("docs/writer.py", "# the reader was removed\n"),
    text("Makefile", "all:\n\ttrue\n"),
    text("NOTES.md", "A file of the project, outside of any store.\n"),
    text(".claude/settings.json", '{ "permissions": // not JSON\n'),
)
"""Files of the project itself."""
