"""Short words for the screen: problems, ages, sizes, budgets, places. Pure, and safe for display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from rich.cells import cell_len

from memtui.core.layouts.base import Budget, Problem, Snapshot
from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.ui.widgets.spans import ELLIPSIS, clip

MARKS = {"error": ("x", "error"), "warning": ("!", "warn"), "note": ("?", "note")}
"""Mark and ink of a problem, by severity; a word always stands beside it."""

SEVERITIES = ("error", "warning", "note")

_WORDS = {
    "dead-link": _("file missing"),
    "orphan": _("not in index"),
    "no-index": _("no index"),
    "duplicate-line": _("duplicate line"),
    "outside": _("outside"),
    "symlink": _("symlink"),
    "not-loaded": _("not loaded"),
    "body-cut": _("recall cut"),
    "over-limit": _("over limit"),
    "long-line": _("long line"),
    "not-injected": _("not injected"),
    "not-utf8": _("not UTF-8"),
    "unreadable": _("unreadable"),
    "crlf": _("CRLF"),
    "no-final-newline": _("no final newline"),
    "strict-yaml": _("YAML broken"),
    "value-altered": _("value altered"),
    "duplicate-key": _("key twice"),
    "unclosed-frontmatter": _("unclosed block"),
    "late-frontmatter": _("late block"),
    "no-frontmatter": _("no frontmatter"),
    "no-description": _("no description"),
    "unknown-type": _("unknown type"),
    "hook-mismatch": _("hook differs"),
    "entry-over-limit": _("entry too long"),
    "threat": _("agent blocks it"),
    "hidden-chars": _("hidden chars"),
    "secret": _("secret"),
    "leftover": _("leftover"),
    "stale-reference": _("stale reference"),
    "relative-date": _("relative date"),
    "past-deadline": _("past deadline"),
    "conflicting-values": _("values differ"),
    "duplicate": _("duplicate"),
    "near-duplicate": _("near duplicate"),
    "stale-lock": _("stale lock"),
    "shared-store": _("shared store"),
    "case-twin": _("case twin"),
    "bad-config": _("bad config"),
    "came-back": _("came back"),
    "reverted": _("reverted"),
}


def problem_word(code: str) -> str:
    """A problem's code in one or two words."""
    return _WORDS.get(code) or display.line(code.replace("-", " "))


def repair(snapshot: Snapshot, problems: Sequence[Problem]) -> str:
    """What the repairs of problems of one code do, in a few words; '' for those that have none."""
    from memtui.core.mending import repair_words

    return display.line(repair_words(snapshot, problems))


def rank(problem: Problem) -> int:
    """How bad a problem is, worst first."""
    return SEVERITIES.index(problem.severity)


def age(then: datetime | None, now: datetime) -> str:
    """How long ago, in one unit: `5m 3h 2d 3w 4mo 2y`; '' when that is not known."""
    if then is None:
        return ""
    if then.tzinfo is None:
        then = then.astimezone()
    seconds = max(0, int((now - then).total_seconds()))
    for unit, size in (
        ("y", 31_536_000),
        ("mo", 2_592_000),
        ("w", 604_800),
        ("d", 86_400),
        ("h", 3600),
        ("m", 60),
    ):
        if seconds >= size and not (unit == "w" and seconds < 2 * size):
            return f"{seconds // size}{unit}"
    return _("now")


def size(count: int) -> str:
    """A number of bytes for people."""
    if count < 1000:
        return _("{count} B").format(count=count)
    if count < 1_000_000:
        return _("{count} kB").format(count=f"{count / 1000:.1f}")
    return _("{count} MB").format(count=f"{count / 1_000_000:.1f}")


_UNITS = {
    "lines": _("lines"),
    "bytes": _("bytes"),
    "utf16": _("UTF-16 units"),
    "codepoints": _("code points"),
}


def unit(item: Budget) -> str:
    """The unit of a budget in words."""
    return _UNITS[item.unit]


def budget(item: Budget) -> str:
    """How much of a limit is used, with the group where it is that of one: `84/200 lines`, `203/200 lines, 3
    over`."""
    used = f"{display.line(item.group)} {amount(item)} {unit(item)}".strip()
    over = item.used - item.limit
    return _("{used}, {count:,} over").format(used=used, count=over) if over > 0 else used


def amount(item: Budget) -> str:
    """The two numbers of a budget alone: `84/200`."""
    return f"{item.used:,}/{item.limit:,}"


def budget_of(budgets: Sequence[Budget], group: str = "") -> Budget | None:
    """The budget that matters most for memories of a group: the binding one of what is loaded, else what may be
    written to the group; without a group the fullest."""
    loaded = [item for item in budgets if item.scope == "inject"]
    if loaded:
        return next((item for item in loaded if item.binding), loaded[0])
    grouped = [item for item in budgets if item.group and (not group or item.group == group)]
    return next((item for item in grouped if item.binding), grouped[0] if grouped else None)


def group_budgets(budgets: Sequence[Budget]) -> tuple[str, ...]:
    """How much of each group's limit is used, in full and ever shorter (`1,412/2,200 · 300/1,375 utf16`);
    () where no group has one."""
    grouped = [item for item in budgets if item.group]
    if not grouped:
        return ()
    units = {item.unit for item in grouped}
    word = f" {unit(grouped[0])}" if len(units) == 1 else ""
    amounts = " · ".join(amount(item) if word else f"{amount(item)} {unit(item)}" for item in grouped)
    named = " · ".join(f"{display.line(item.group)} {amount(item)}" for item in grouped)
    full = f"{named}{word}" if word else " · ".join(map(budget, grouped))
    return (full, f"{amounts}{word}", " · ".join(map(amount, grouped)))


def problems(count: int, notes: int = 0) -> str:
    """So many errors and warnings, and so many notes beside them, which are no problems."""
    words = ngettext("{count} problem", "{count} problems", count).format(count=count)
    if not notes:
        return words
    more = ngettext("{count} note", "{count} notes", notes).format(count=notes)
    return _("{problems}, {notes}").format(problems=words, notes=more)


def by_severity(counts: Mapping[str, int]) -> list[str]:
    """How many there are of each severity that occurs, worst first: `3 errors`, `3 warnings`, `1 note`."""
    words = {
        "error": ngettext("{count} error", "{count} errors", counts.get("error", 0)),
        "warning": ngettext("{count} warning", "{count} warnings", counts.get("warning", 0)),
        "note": ngettext("{count} note", "{count} notes", counts.get("note", 0)),
    }
    there = [severity for severity in SEVERITIES if counts.get(severity)]
    return [words[severity].format(count=f"{counts[severity]:,}") for severity in there]


def times(word: str, count: int) -> str:
    """A kind of problem and how often it occurs; once goes without saying."""
    return word if count == 1 else _("{word} ×{count}").format(word=word, count=f"{count:,}")


def sentence(text: str, home: Path) -> str:
    """A sentence of the core, safe for display, with `~` for the home directory in its paths."""
    return display.line(text.replace(f"{home}/", "~/"))


def place(path: Path, home: Path) -> str:
    """A path with `~` for the home directory."""
    return display.path(path, home=home)


def shorter_path(path: str, room: int) -> str:
    """A path in so many cells: the middle is left out, whole names at a time, the end stays longest."""
    if cell_len(path) <= room:
        return path
    first, *names = path.split("/")
    for start in range(1, len(names)):
        head, tail = first, "/".join(names[start:])
        for name in names[: start - 1]:
            if cell_len(f"{head}/{name}/{ELLIPSIS}/{tail}") > room:
                break
            head = f"{head}/{name}"
        if cell_len(shorter := f"{head}/{ELLIPSIS}/{tail}") <= room:
            return shorter
    last = names[-1] if names else path
    return f"{ELLIPSIS}/{last}" if least_of_path(path) <= room else clip(last, room)


def least_of_path(path: str) -> int:
    """The cells that a shortened path takes at least while its last name is whole."""
    return cell_len(f"{ELLIPSIS}/{path.rsplit('/', 1)[-1]}")


def shorter_paths(text: str, room: int) -> str:
    """A sentence whose longest path is shortened as far as needed for so many cells, where that is enough;
    else the sentence as it is."""
    over = cell_len(text) - room
    words = text.split(" ")
    longest = max(range(len(words)), key=lambda at: cell_len(words[at]) if "/" in words[at] else 0)
    least = least_of_path(words[longest])
    wanted = cell_len(words[longest]) - over
    if over <= 0 or "/" not in words[longest] or wanted < least:
        return text
    return " ".join([*words[:longest], shorter_path(words[longest], wanted), *words[longest + 1 :]])
