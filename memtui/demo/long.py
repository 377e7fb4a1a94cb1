"""The demo's long project: 205 index lines, of which ZCode loads 200."""

from __future__ import annotations

from memtui.demo.app import fact
from memtui.demo.tree import Item, text

LINES = 205

_AREAS = ("api", "billing", "deploy", "import", "login", "queue", "search", "upload")
_HABITS = (
    "retries three times, then gives up",
    "is owned by the platform team",
    "has its own feature flag",
    "logs to the shared bucket",
    "needs the staging secrets",
)
_KINDS = ("project", "reference", "feedback", "user")


def _store() -> tuple[Item, ...]:
    lines: list[str] = []
    facts: list[Item] = []
    for number in range(1, LINES + 1):
        area, habit = _AREAS[number % len(_AREAS)], _HABITS[number % len(_HABITS)]
        kind = _KINDS[number * 7 // 5 % len(_KINDS)]
        stem = f"{area}-{number:03d}"
        title = f"{area.capitalize()} note {number}"
        lines.append(f"- [{title}]({stem}.md) — {area} {habit}\n")
        body = f"The {area} service {habit}.\n"
        facts.append(text(f"{stem}.md", fact(stem, f"{area} {habit}", kind, body), 24.0 + number * 11))
    return (text("MEMORY.md", "".join(lines), 12), *facts)


STORE: tuple[Item, ...] = _store()
"""Files of the ZCode store."""
