"""Characters that nobody sees, in a memory's text or in its index line; agents read them all the same.

Where the layout itself looks for them (it knows what its owner makes of each), nothing is added.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Problem, Snapshot
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.i18n import ngettext
from memtui.late import re

_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def hidden(snapshot: Snapshot) -> Iterator[Problem]:
    """One problem for each memory's text, and one for each index line, with the first line it is in."""
    told = {problem.memory for problem in snapshot.problems if problem.code == "hidden-chars"}
    index = snapshot.store.profile.index_name
    owners = {number: memory.id for memory in snapshot.memories for number in memory.index_lines}
    for memory in snapshot.memories:
        file = snapshot.files.get(memory.file)
        if memory.state != "ok" or memory.id in told or file is None or file.data is None:
            continue
        start, end = memory.span or (0, len(file.data))
        found = _found(file.data[start:end])
        if found is not None:
            count, line = found
            above = file.data.count(b"\n", 0, start)
            yield Problem("hidden-chars", "note", _sentence(count), memory.id, memory.file, above + line)
    if snapshot.index is None or _found(snapshot.index.document.raw) is None:
        return
    for row in snapshot.index.document.lines:
        count = display.hidden_characters(row.text)
        if count:
            yield Problem("hidden-chars", "note", _sentence(count), owners.get(row.number), index, row.number)


def _sentence(count: int) -> str:
    text = ngettext("{count} character that cannot be seen", "{count} characters that cannot be seen", count)
    return text.format(count=count)


def _found(data: bytes) -> tuple[int, int] | None:
    """How many there are in a text, and the first line (from 1) that has one; None without any."""
    data = data.removeprefix(documents.BOM)
    if data.isascii() and _CONTROLS.search(data) is None:
        return None
    text = documents.decode(data)
    count = display.hidden_characters(text)
    if not count:
        return None
    rows = text.split("\n")
    return count, next((n for n, row in enumerate(rows, 1) if display.hidden_characters(row)), 1)


CHECKS = (hidden,)
"""The checks of this family."""
