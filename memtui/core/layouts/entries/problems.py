"""What is wrong in an entries store: what the owner will refuse, block, drop or destroy, before it does.

Rules: entries sheet 2 (line ends), 5 (drift), 8 (what is blocked), 9 (scanner).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.core.layouts.base import Memory, Problem, Severity, Store
from memtui.core.layouts.entries.rules import BLOCK_NOTICE, EntryRules, Group, rules_of
from memtui.core.safety import display
from memtui.core.safety.threats import scan as scan_threats
from memtui.core.text import section_sign
from memtui.i18n import _, ngettext


def problems(store: Store, read: Sequence[Group], memories: Sequence[Memory]) -> Iterator[Problem]:
    """All problems that only this layout can know."""
    rules = rules_of(store.profile)
    by_place = {(memory.file, memory.span): memory for memory in memories}
    for group in read:
        if group.stored.data is None:
            continue
        yield from _encoding(group, rules)
        yield from _drift(group)
        yield from _line_ends(group, by_place)
        seen: dict[str, int] = {}
        for number, piece in enumerate(group.parsed.pieces):
            memory = by_place[group.file.path, (piece.start, piece.end)]
            where = (memory.id, group.file.path, piece.line)
            if piece.text in seen:
                text = _("the same text as in line {line}: the owner drops it at its next write")
                yield Problem("duplicate", "note", text.format(line=seen[piece.text]), *where)
            seen.setdefault(piece.text, piece.line)
            yield from _too_long(group, number, memory)
            yield from _threat(piece.text, rules, *where)
            hidden = display.hidden_characters(piece.text)
            if hidden:
                text = ngettext(
                    "{count} character that cannot be seen", "{count} characters that cannot be seen", hidden
                )
                yield Problem("hidden-chars", "note", text.format(count=hidden), *where)


def is_blocked(text: str, rules: EntryRules) -> bool:
    """Whether the owner keeps this entry from its agent and shows a notice instead."""
    return is_replaced_notice(text, rules) or bool(scan_threats(text, rules.scanner))


def is_replaced_notice(text: str, rules: EntryRules) -> bool:
    """Whether an entry is blocked because it begins like a notice of a block."""
    return rules.replaces_block_notices and text.startswith(BLOCK_NOTICE)


def drift_sentence(group: Group) -> str:
    """What the owner stumbles over in a file, in plain words and without the consequence."""
    if group.drift is None:
        return ""
    reason = {
        "empty": _("an empty entry"),
        "spacing": _("blanks or blank lines beside a delimiter"),
        "too-long": _("an entry longer than the limit of the whole file"),
    }[group.drift.reason]
    return _("{file} does not round-trip: {reason} in line {line}").format(
        file=group.file.path, reason=reason, line=group.drift.line
    )


def _encoding(group: Group, rules: EntryRules) -> Iterator[Problem]:
    if group.bad_utf8_at is None:
        return
    if rules.reads_bad_utf8:
        text = _(
            "not UTF-8 at byte {position}: the agent reads a replacement sign there, and its next change of "
            "the file writes that in place of the byte"
        )
    else:
        text = _("not UTF-8 at byte {position}: the agent cannot read this file at all")
    line = (group.stored.data or b"").count(b"\n", 0, group.bad_utf8_at) + 1
    severity: Severity = "warning" if rules.reads_bad_utf8 else "error"
    yield Problem("not-utf8", severity, text.format(position=group.bad_utf8_at), None, group.file.path, line)


def _drift(group: Group) -> Iterator[Problem]:
    if group.parsed.misshapen is not None:
        text = _("{what}; the agent refuses to change it, and keeps one more backup at every try").format(
            what=drift_sentence(group)
        )
        yield Problem("drift", "error", text, None, group.file.path, group.parsed.misshapen.line)


def _too_long(group: Group, number: int, memory: Memory) -> Iterator[Problem]:
    piece = group.parsed.pieces[number]
    limit = group.limit
    if limit is None:
        return
    used = section_sign.length(piece.text, group.unit)
    if used > limit.limit:
        text = _(
            "this entry has {used:,} {unit}, more than the {limit:,} of the whole file: the agent refuses to "
            "change {file}, and keeps one more backup at every try"
        ).format(used=used, unit=_unit(group), limit=limit.limit, file=group.file.path)
        yield Problem("entry-over-limit", "error", text, memory.id, group.file.path, piece.line)


def _unit(group: Group) -> str:
    return _("UTF-16 units") if group.unit == "utf16" else _("code points")


def _line_ends(group: Group, by_place: dict[tuple[str, tuple[int, int] | None], Memory]) -> Iterator[Problem]:
    if group.stored.data is None or b"\r\n" not in group.stored.data:
        return
    for number in sorted(group.hidden_in):
        piece = group.parsed.pieces[number]
        memory = by_place[group.file.path, (piece.start, piece.end)]
        text = _(
            "line ends are CRLF: the agent reads several entries as this one, and removing one of them takes "
            "all away"
        )
        yield Problem("crlf", "error", text, memory.id, group.file.path, piece.line)
    if not group.hidden_in and any("\r\n" in text for text in group.parsed.texts):
        line = group.stored.data.count(b"\n", 0, group.stored.data.index(b"\r\n")) + 1
        text = _("line ends are CRLF: the agent reads the CR as part of the text")
        yield Problem("crlf", "note", text, None, group.file.path, line)


def _threat(text: str, rules: EntryRules, memory_id: str, path: str, line: int) -> Iterator[Problem]:
    ids = scan_threats(text, rules.scanner)
    if ids:
        sentence = _("agent will block this: {ids}").format(ids=", ".join(ids))
        if text.startswith(BLOCK_NOTICE):
            sentence = _("{sentence} (it is stored text, not a notice that it is blocked)").format(
                sentence=sentence
            )
        yield Problem("threat", "warning", sentence, memory_id, path, line)
    elif is_replaced_notice(text, rules):
        sentence = _("agent will block this: it begins with {notice}, but is stored text").format(
            notice=BLOCK_NOTICE
        )
        yield Problem("threat", "warning", sentence, memory_id, path, line)
