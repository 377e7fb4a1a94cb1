"""Problems of frontmatter: what a strict YAML reader rejects, alters or never sees.

Rules: the pi-and-zcode sheet B3 (ZCode's manifest reader: exact fences within the first 30 lines, YAML 1.2,
description only where it is a string, four words for the type).
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Problem, Profile, Severity, Snapshot
from memtui.core.text import document as documents
from memtui.core.text.frontmatter import Field, Frontmatter, Path
from memtui.core.text.strict_yaml import Altered, Strict, quick_view, strict_view
from memtui.i18n import _

_READ_KEYS: tuple[Path, ...] = (("name",), ("description",), ("type",), ("metadata", "type"))
_TYPE_KEYS: tuple[Path, ...] = (("metadata", "type"), ("type",))


def _blocks(snapshot: Snapshot) -> Iterator[tuple[str, str, Frontmatter]]:
    """Id, file and frontmatter of every readable memory that is a file of its own."""
    for memory in snapshot.memories:
        block = snapshot.frontmatters.get(memory.file)
        if block is not None and memory.state == "ok" and memory.span is None:
            yield memory.id, memory.file, block


def shape(snapshot: Snapshot) -> Iterator[Problem]:
    """Blocks that are missing, not closed, too late, or not where the owner's reader looks."""
    for memory, file, block in _blocks(snapshot):
        if block.state == "none":
            text = _("no frontmatter: readers see neither description nor type")
            yield Problem("no-frontmatter", "note", text, memory, file)
        elif block.state == "unclosed":
            text = _("frontmatter not closed: readers see no fields, and all of it is body")
            yield Problem("unclosed-frontmatter", "error", text, memory, file, block.open_line)
        elif block.state == "late":
            text = _("blank lines before the frontmatter: other readers see none")
            yield Problem("late-frontmatter", "warning", text, memory, file, block.open_line)
        elif not block.is_closed_within and block.max_lines is not None:
            yield _out_of_sight(snapshot.store.profile, memory, file, block)


def _out_of_sight(profile: Profile, memory: str, file: str, block: Frontmatter) -> Problem:
    reader = profile.agents[0] if profile.agents else profile.owner
    if block.strict_close_line is None:
        message = _("a line --- of the frontmatter has blanks behind it: {reader} sees no frontmatter")
        line = block.close_line
    else:
        message = _("frontmatter ends at line {line}, beyond the first {limit}: {reader} sees no frontmatter")
        line = block.strict_close_line
    text = message.format(line=line, limit=block.max_lines, reader=reader)
    return Problem("late-frontmatter", "warning", text, memory, file, line)


def strict(snapshot: Snapshot) -> Iterator[Problem]:
    """Blocks that a strict YAML 1.2 reader rejects or reads differently from what was typed."""
    severity: Severity = "error" if snapshot.store.profile.strict_yaml else "warning"
    for memory, file, block in _blocks(snapshot):
        view = quick_view(block)
        if view is None:
            data = snapshot.files[file].data if file in snapshot.files else None
            view = strict_view(documents.parse(data or b""), block)
        yield from _duplicates(memory, file, block, view, severity)
        if not view.ok and not view.repeats:
            message = _("strict YAML readers reject this block: {error}; they see no description and no type")
            yield Problem("strict-yaml", severity, message.format(error=view.error), memory, file, view.line)
        for item in view.altered:
            if item.field.path in _READ_KEYS:
                yield _altered(item, memory, file)


def _duplicates(
    memory: str, file: str, block: Frontmatter, view: Strict, severity: Severity
) -> Iterator[Problem]:
    for group in block.duplicates:
        yield Problem("duplicate-key", severity, _doubled(group), memory, file, group[-1].first_line)
    if view.repeats and not block.duplicates:
        message = _("{error}: strict YAML readers reject this block")
        yield Problem("duplicate-key", severity, message.format(error=view.error), memory, file, view.line)


def _doubled(group: tuple[Field, ...]) -> str:
    values = ", ".join(
        _('"{value}" in line {line}').format(value=item.value, line=item.first_line) for item in group
    )
    message = _(
        "{key} is there more than once ({values}): strict readers reject the block, others take the last"
    )
    return message.format(key=".".join(group[0].path), values=values)


def _altered(item: Altered, memory: str, file: str) -> Problem:
    key = ".".join(item.field.path)
    severity: Severity = "warning"
    if item.reason == "kind" or item.kind != "str":
        message = _("{key}: {typed} is no text to a strict YAML reader ({kind}): it counts as missing")
        severity = "note" if key == "name" else "warning"
    elif item.reason == "comment":
        message = _('{key}: strict YAML cuts it at the #, and reads only "{seen}"')
    else:
        message = _('{key}: a strict YAML reader reads "{seen}" instead of "{typed}"')
    text = message.format(key=key, typed=item.field.value, seen=item.seen, kind=item.kind)
    return Problem("value-altered", severity, text, memory, file, item.field.first_line)


def words(snapshot: Snapshot) -> Iterator[Problem]:
    """A block without a description, or with a type the owner does not know."""
    known = snapshot.store.profile.types
    for memory, file, block in _blocks(snapshot):
        if block.state not in ("ok", "late"):
            continue
        if not block.get("description"):
            text = _("no description: only its index line says what it is about")
            yield Problem("no-description", "note", text, memory, file, block.open_line)
        field = next((found for path in _TYPE_KEYS if (found := block.field(*path)) and found.value), None)
        if known and field is not None and field.value not in known:
            message = _("type {type} is none of {known}")
            text = message.format(type=field.value, known=", ".join(known))
            yield Problem("unknown-type", "note", text, memory, file, field.first_line)


CHECKS = (shape, strict, words)
"""The checks of this family."""
