"""What is shown of an entries store: the source of an entry, and what the agent is given at its start.

Layout of the block: entries sheet 8.
"""

from __future__ import annotations

from memtui.core.layouts.base import AgentView, MemoryText, Snapshot
from memtui.core.layouts.entries.problems import is_replaced_notice
from memtui.core.layouts.entries.rules import BLOCK_NOTICE, EntryRules, Group, groups, rules_of
from memtui.core.safety.threats import scan as scan_threats
from memtui.core.text import section_sign
from memtui.core.text.document import encode
from memtui.i18n import _

RULE = "\u2550" * 46
"""The line above and below a header."""


def text(snapshot: Snapshot, memory_id: str) -> MemoryText | None:
    """The exact bytes of an entry, twice: it has no heading apart from its text. None for a file as a whole."""
    memory = snapshot.memory(memory_id)
    file = snapshot.files.get(memory.file) if memory is not None else None
    if memory is None or memory.span is None or file is None or file.data is None:
        return None
    raw = file.data[slice(*memory.span)]
    return MemoryText(raw, raw)


def agent_view(snapshot: Snapshot) -> AgentView:
    """Both blocks as the owner puts them before its agent; a file without entries gives none."""
    store = snapshot.store
    if not store.loads:
        return AgentView(b"", (store.loads_not_because,) if store.loads_not_because else ())
    rules = rules_of(store.profile)
    blocks: list[str] = []
    notes: list[str] = []
    for group in groups(snapshot.files, store.profile):
        unread = _why_unread(group, rules)
        if unread:
            notes.append(_("{file} was not read: {reason}").format(file=group.file.path, reason=unread))
        elif group.parsed.texts:
            blocks.append(_block(group, rules, notes))
    if blocks:
        notes = [*store.profile.approximate, *notes]
    view = encode("\n\n".join(blocks)).decode("utf-8", "replace").encode("utf-8")
    return AgentView(view, tuple(dict.fromkeys(notes)))


def usage(group: Group) -> str:
    """How much of its limit a file uses, in the owner's words and with English separators."""
    used = section_sign.total(group.parsed.texts, group.unit)
    if group.limit is None:
        return f"{used:,} chars"
    limit = group.limit.limit
    percent = min(100, 100 * used // limit) if limit > 0 else 100
    return f"{percent}% \u2014 {used:,}/{limit:,} chars"


def _why_unread(group: Group, rules: EntryRules) -> str:
    stored = group.stored
    if stored.kind == "symlink":
        return _("it is a symlink to {target}").format(target=stored.link_target)
    if not group.is_readable:
        return stored.error or stored.kind
    if group.bad_utf8_at is not None and not rules.reads_bad_utf8:
        return _("it is not UTF-8 at byte {offset}").format(offset=group.bad_utf8_at)
    return ""


def _block(group: Group, rules: EntryRules, notes: list[str]) -> str:
    shown = [_shown(text, group, rules, notes) for text in section_sign.unique(group.parsed.texts)]
    header = f"{group.file.header} [{usage(group)}]"
    return "\n".join([RULE, header, RULE, section_sign.DELIMITER.join(shown)])


def _shown(text: str, group: Group, rules: EntryRules, notes: list[str]) -> str:
    ids = scan_threats(text, rules.scanner)
    if not ids and not is_replaced_notice(text, rules):
        return text
    notes.append(_("How the notice of a blocked entry goes on is not known; it is shown as \u2026"))
    notes.append(
        _("Whether the header counts a blocked entry or its notice is not known; the entry is counted.")
    )
    if is_replaced_notice(text, rules):
        return f"{BLOCK_NOTICE} \u2026]"
    names = ", ".join(ids)
    return f"{BLOCK_NOTICE} {group.file.path} entry contained threat pattern(s): {names}. \u2026]"
