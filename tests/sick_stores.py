"""Stores with everything in them that can be mended: lumps of index lines and files, one fault each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HIDDEN = "a\u202eb\u200b\u2066c\U000e0041\U000e0042"
"""`abc` with a direction override, a zero-width space, an isolate and two tag characters between."""


@dataclass(frozen=True)
class Lump:
    """One thing that is wrong (or right): lines of the index, files, and the codes of what is found."""

    lines: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    codes: frozenset[str] = frozenset()


def _fact(name: str, description: str = "d", kind: str = "user") -> str:
    return f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\nbody of {name}\n"


def _note(name: str, description: str = "d") -> str:
    head = f"name: {name}\ndescription: {description}\ntype: user\ncreated: 2026-10-01\nmodified: 2026-10-02T00:00:00Z"
    return f"---\n{head}\n---\n\nbody of {name}\n"


def _topic(name: str, *titles: str, description: str = "") -> str:
    said = description or "; ".join(titles)
    head = f"---\nname: {name}\ndescription: {said}\ntype: user\nupdated: 2026-01-02\n---\n"
    return head + "".join(f"\n## {title}\n\ntext\n" for title in titles)


def _lump(*lines: str, codes: str = "", **files: str) -> Lump:
    named = tuple((name.replace("__", "/") + ".md", text) for name, text in files.items())
    return Lump(lines, named, frozenset(codes.split()))


LUMPS: dict[str, tuple[Lump, ...]] = {
    "facts": (
        _lump("# A heading", "- [Fine](fine.md) — d", "", "Some words.", fine=_fact("fine")),
        _lump("- [Gone](gone.md) — it was", codes="dead-link"),
        _lump("See [gone too](lost.md) for more.", codes="dead-link"),
        _lump(codes="orphan", lone=_fact("lone", "nobody names it")),
        _lump("- [Two](two.md) — d", "- [Two](two.md) — d", codes="duplicate-line", two=_fact("two")),
        _lump("- [Tee](tee.md) — old", "- [T](./tee.md#x) — new", codes="duplicate-line", tee=_fact("tee")),
        _lump("- [Colon](colon.md) — d", codes="strict-yaml", colon=_fact("colon", "one: two")),
        _lump("- [Number](number.md) — d", codes="value-altered", number=_fact("number", "12")),
        _lump("- [Hash](hash.md) — d", codes="value-altered", hash=_fact("hash", "see issue #12 first")),
        _lump(
            "- [Twice](twice.md) — d",
            codes="duplicate-key",
            twice="---\nname: twice\ntype: user\ndescription: d\ntype: project\n---\ntext\n",
        ),
        _lump(
            "- [Open](open.md) — d",
            codes="unclosed-frontmatter strict-yaml",
            open="---\nname: open\ndescription: never: closed\n\ntext\n",
        ),
        _lump(
            "- [Shut](shut.md) — d",
            codes="unclosed-frontmatter",
            shut="---\nname: shut\ndescription: never closed\n\ntext\n",
        ),
        _lump("- [Late](late.md) — d", codes="late-frontmatter", late="\n\n" + _fact("late")),
        _lump("- [Plain](plain.md) — what it is", codes="no-frontmatter", plain="only text\n"),
        _lump("- [Bare](bare.md) — what: it is", codes="no-description", bare="---\nname: bare\n---\ntext\n"),
        _lump(f"- [Odd](odd.md) — {HIDDEN}", codes="hidden-chars", odd=_fact("odd")),
        _lump("- [Dark](dark.md) — d", codes="hidden-chars", dark=_fact("dark") + HIDDEN + "\n"),
        Lump(files=(("MEMORY.md.bak.1767225600", "old\n"),), codes=frozenset({"leftover"})),
    ),
    "topics": (
        _lump("# Memory Index", "", "- [fine](fine.md) — One", fine=_topic("fine", "One")),
        _lump("- [gone](gone.md) — it was", codes="dead-link"),
        _lump(codes="orphan", lone=_topic("lone", "Nobody", "Names it")),
        _lump(
            "- [two](two.md) — Two", "- [two](two.md) — Two", codes="duplicate-line", two=_topic("two", "Two")
        ),
        _lump("- [step](step.md) — A", codes="hook-mismatch", step=_topic("step", "A", "B")),
        _lump("- [dream](dream.md) — words of a dream", codes="hook-mismatch", dream=_topic("dream", "A", "B")),
        _lump(
            "- [said](said.md) — A; B", codes="hook-mismatch", said=_topic("said", "A", "B", description="A")
        ),
        _lump("- [crlf](crlf.md) — A", codes="crlf", crlf=_topic("crlf", "A").replace("\n", "\r\n")),
        _lump("- [end](end.md) — A", codes="no-final-newline", end=_topic("end", "A").rstrip("\n")),
        _lump("- [dark](dark.md) — A", codes="hidden-chars", dark=_topic("dark", "A") + HIDDEN + "\n"),
        Lump(files=(("net.md.orig", "old\n"),), codes=frozenset({"leftover"})),
    ),
    "notes": (
        _lump("# Memory Index", "", "- [fine](fine.md) — d", fine=_note("fine")),
        _lump("- [gone](gone.md) — it was", codes="dead-link"),
        _lump(codes="orphan", lone=_note("lone", "nobody names it")),
        _lump("- [two](two.md) — d", "- [two](two.md) — d", codes="duplicate-line", two=_note("two")),
        _lump("- [step](step.md) — the first", codes="hook-mismatch", step=_note("step", "the first words")),
        _lump("- [else](else.md) — other words", codes="hook-mismatch", **{"else": _note("else")}),
        _lump("- [crlf](crlf.md) — d", codes="crlf", crlf=_note("crlf").replace("\n", "\r\n")),
        _lump("- [dark](dark.md) — d", codes="hidden-chars", dark=_note("dark") + HIDDEN + "\n"),
        Lump(files=((".hook.tmp", "half"),), codes=frozenset({"leftover"})),
    ),
}
"""For each layout with an index."""

ENTRIES: tuple[dict[str, str], ...] = (
    {"MEMORY.md": "alpha\n§\nbeta", "USER.md": "tea"},
    {"MEMORY.md": "alpha\n\n§\nbeta\n", "USER.md": "tea\n§\n"},
    {"MEMORY.md": "alpha\r\n§\r\nbeta"},
    {"MEMORY.md": "alpha\r\n\r\n§\r\nbeta\r\n§\r\nalpha"},
    {"MEMORY.md": "alpha\n§\nbeta\n§\nalpha", "USER.md": f"tea {HIDDEN}"},
    {"MEMORY.md": "## One\ntext\n\n## Two\n" + "x" * 2300, "MEMORY.md.bak.1767225600": "alpha\n§\ngamma"},
)
"""Stores between section signs."""


def files_of(lumps: Sequence[Lump], *, end: str = "\n", ends: bool = True) -> dict[str, str]:
    """The files of a store with these lumps; without a line of an index it has none."""
    rows = [line for lump in lumps for line in lump.lines]
    text = end.join(rows) + (end if ends else "")
    index = {"MEMORY.md": text} if rows else {}
    return index | {name: content for lump in lumps for name, content in lump.files}
