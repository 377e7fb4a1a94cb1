"""Short words for the screen: problems, ages, sizes, budgets, places. Pure, and safe for display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from memtui.core.layouts.base import Budget, Problem
from memtui.core.safety import display
from memtui.i18n import _, ngettext

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
    "leftover": _("leftover"),
    "stale-lock": _("stale lock"),
    "shared-store": _("shared store"),
    "case-twin": _("case twin"),
    "bad-config": _("bad config"),
    "reverted": _("reverted"),
}


_REPAIRS = {
    "normalise": _("writing it as its owner does"),
    "split-headings": _("splitting it at its headings"),
    "lf": _("converting its line ends to LF"),
}


def problem_word(code: str) -> str:
    """A problem's code in one or two words."""
    return _WORDS.get(code) or display.line(code.replace("-", " "))


def repair(problem: Problem) -> str:
    """What the repair of a problem does, in a few words; '' for one that has none."""
    if problem.repair is None:
        return ""
    how = getattr(problem.repair, "how", "")
    return _REPAIRS.get(how) or _("its repair")


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


def budget(item: Budget) -> str:
    """How much of a limit is used: `84/200 lines`, with the group where it is that of one."""
    return f"{display.line(item.group)} {amount(item)} {item.unit}".strip()


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
    unit = f" {grouped[0].unit}" if len(units) == 1 else ""
    amounts = " · ".join(amount(item) if unit else f"{amount(item)} {item.unit}" for item in grouped)
    named = " · ".join(f"{display.line(item.group)} {amount(item)}" for item in grouped)
    full = f"{named}{unit}" if unit else " · ".join(map(budget, grouped))
    return (full, f"{amounts}{unit}", " · ".join(map(amount, grouped)))


def problems(count: int) -> str:
    """So many problems."""
    return ngettext("{count} problem", "{count} problems", count).format(count=count)


def sentence(text: str, home: Path) -> str:
    """A sentence of the core, safe for display, with `~` for the home directory in its paths."""
    return display.line(text.replace(f"{home}/", "~/"))


def place(path: Path, home: Path) -> str:
    """A path with `~` for the home directory."""
    return display.path(path, home=home)
