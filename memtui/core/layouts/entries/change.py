"""What every edit of an entries store needs: a file that may be changed, a text that may be written, and the
new file in its owner's form, read back before it is handed out.

Rules: entries sheet 3 (limit), 4 (order of the owner's checks, duplicates), 5 (drift), 9 (scanner).
"""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import FileChange, Limit, Refusal, Snapshot
from memtui.core.layouts.entries.problems import drift_sentence
from memtui.core.layouts.entries.rules import EntryRules, Group, Work, group, rules_of
from memtui.core.layouts.entries.scan import not_utf8_reason
from memtui.core.safety.threats import scan as scan_threats
from memtui.core.text import section_sign
from memtui.i18n import _, ngettext


class BlockedError(RefusedError):
    """The owner's scanner would refuse this text; it can be written where the person insists."""


def refusal(error: RefusedError) -> Refusal:
    """An error as the answer of an edit."""
    return Refusal(error.message, can_insist=isinstance(error, BlockedError))


def group_named(snapshot: Snapshot, name: str) -> Group:
    """A group by its name, '' = the first. Raises RefusedError for a name that the owner does not know."""
    profile = snapshot.store.profile
    files = rules_of(profile).files
    file = rules_of(profile).file_of(name or files[0].group)
    if file is None:
        known = ", ".join(file.group for file in files)
        raise RefusedError(
            _("{owner} has no group {group}: it has {known}").format(
                owner=profile.owner, group=name, known=known
            )
        )
    return group(snapshot.files, profile, file)


def group_of(snapshot: Snapshot, path: str) -> Group:
    """The group whose file this is. Raises RefusedError for any other file."""
    profile = snapshot.store.profile
    file = rules_of(profile).group_of(path)
    if file is None:
        raise RefusedError(_("{file} holds no entries").format(file=path))
    return group(snapshot.files, profile, file)


def require_readable(target: Group) -> None:
    """Raises RefusedError for a file that cannot be read, is not UTF-8 or is a symlink."""
    stored = target.stored
    if stored.kind == "symlink":
        raise RefusedError(
            _("{file} is a symlink to {target}: memtui does not write through it").format(
                file=stored.path, target=stored.link_target
            )
        )
    if not target.is_readable:
        reason = stored.error or stored.kind
        raise RefusedError(_("{file} cannot be read: {reason}").format(file=stored.path, reason=reason))
    if target.bad_utf8_at is not None:
        raise RefusedError(not_utf8_reason(target))


def require_undrifted(target: Group, rules: EntryRules, work: Work) -> None:
    """Raises RefusedError where the owner would refuse this work on a file that it did not write."""
    if target.drift is None or work not in rules.drift_stops:
        return
    repair = {
        "empty": _("normalise it first"),
        "spacing": _("normalise it first"),
        "too-long": _("shorten or remove that entry, or split it at its headings first"),
    }[target.drift.reason]
    raise RefusedError(
        _("{what}, so its owner refuses to change it: {repair}").format(
            what=drift_sentence(target), repair=repair
        )
    )


def as_stored(text: str, rules: EntryRules) -> str:
    """A text as the owner keeps it: trimmed, in its line ends."""
    if rules.dialect.translates_line_ends:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip(rules.dialect.trimmed)


def require_content(text: str, rules: EntryRules, insists: bool) -> str:
    """A text as it is to be written.

    Raises RefusedError for one that is blank, not UTF-8, or that would become two entries, and BlockedError
    for one that the owner's scanner refuses, unless the person insists.
    """
    content = as_stored(text, rules)
    if not content:
        raise RefusedError(_("an entry needs a text"))
    try:
        content.encode("utf-8")
    except UnicodeEncodeError as error:
        reason = _("the new text is not UTF-8 at character {offset}").format(offset=error.start)
        raise RefusedError(reason) from error
    if section_sign.has_sign_line(content):
        raise RefusedError(
            _(
                "a line of the new text is exactly {sign}: it would become two entries; add them one by "
                "one, or put another character on that line"
            ).format(sign=section_sign.SIGN)
        )
    ids = scan_threats(content, rules.scanner)
    if ids and not insists:
        raise BlockedError(
            _("its owner refuses this text, and would block it: {ids}").format(ids=", ".join(ids))
        )
    return content


def blocked_notes(content: str, rules: EntryRules) -> tuple[str, ...]:
    """What to say of a text that is written although the owner will block it."""
    ids = scan_threats(content, rules.scanner)
    return (_("agent will block this: {ids}").format(ids=", ".join(ids)),) if ids else ()


def require_room(target: Group, texts: Sequence[str]) -> None:
    """Raises RefusedError when these entries would be over the limit; less than now is always accepted."""
    limit = target.limit
    if limit is None:
        return
    now = section_sign.total(target.parsed.texts, target.unit)
    # what the owner counts before it writes: a duplicate that this very edit makes counts too
    then = section_sign.length(section_sign.DELIMITER.join(texts), target.unit)
    if then > limit.limit and then >= now:
        raise RefusedError(
            _("{file} would hold {then:,} of {limit:,} {unit} ({now:,} now): make room first").format(
                file=target.file.path, then=then, limit=limit.limit, unit=_unit(limit), now=now
            )
        )


def _unit(limit: Limit) -> str:
    return _("code points") if limit.unit == "codepoints" else _("UTF-16 units")


def written(target: Group, rules: EntryRules, texts: Sequence[str]) -> FileChange:
    """The file with these entries, in the owner's form. Raises RefusedError where it would not read back."""
    data = section_sign.serialise(texts)
    if section_sign.parse(data, rules.dialect).texts != tuple(texts):
        raise RefusedError(
            _(
                "{file} would read back differently, because an entry begins or ends with a line that is "
                "exactly {sign}: put another character on that line first"
            ).format(file=target.file.path, sign=section_sign.SIGN)
        )
    return FileChange(target.file.path, target.stored, data)


def without_duplicates(texts: Sequence[str], kept: int | None = None) -> tuple[list[int], int]:
    """The positions that stay when exact duplicates go as the owner drops them, and how many go.

    The position `kept` is the one an edit is about: it neither goes nor makes another go.
    """
    stay: list[int] = []
    seen: set[str] = set()
    for number, text in enumerate(texts):
        if number == kept:
            stay.append(number)
        elif text not in seen:
            seen.add(text)
            stay.append(number)
    return stay, len(texts) - len(stay)


def duplicate_notes(count: int, path: str) -> tuple[str, ...]:
    """What to say of duplicates that go because the owner drops them at every write."""
    if not count:
        return ()
    text = ngettext(
        "{count} duplicate in {file} goes, as its owner drops it at every write",
        "{count} duplicates in {file} go, as their owner drops them at every write",
        count,
    )
    return (text.format(count=count, file=path),)
