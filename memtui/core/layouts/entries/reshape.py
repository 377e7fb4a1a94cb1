"""Repairs of a whole file: the owner's own form, line ends as it reads them, one entry for each heading."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, How, Problem, Reshape, Snapshot
from memtui.core.layouts.entries import change
from memtui.core.layouts.entries.rules import Group, rules_of
from memtui.core.text import document as documents
from memtui.core.text import section_sign
from memtui.core.text.blocks import HEADING, Blocks
from memtui.i18n import _
from memtui.late import dataclasses

MENDS: Mapping[str, How] = {
    "drift": "normalise",
    "duplicate": "normalise",
    "crlf": "lf",
    "entry-over-limit": "split-headings",
}
"""The way that mends a problem, by its code."""


def offered(snapshot: Snapshot, path: str) -> tuple[How, ...]:
    """The ways (`Reshape.how`) in which this file can be mended now, in the order to do them."""
    try:
        target = change.group_of(snapshot, path)
        change.require_readable(target)
    except RefusedError:
        return ()
    ways: list[How] = []
    trimmed = rules_of(snapshot.store.profile).dialect.trimmed
    if b"\r\n" in (target.stored.data or b"") or target.hidden_in:
        ways.append("lf")
    is_double = len(set(target.parsed.texts)) < len(target.parsed.texts)
    if (target.parsed.misshapen is not None or is_double) and not target.hidden_in:
        ways.append("normalise")
    if target.drift is not None and target.drift.reason == "too-long" and _split(target, trimmed) is not None:
        ways.append("split-headings")
    return tuple(ways)


def with_repairs(snapshot: Snapshot) -> Snapshot:
    """The snapshot with its problems' repairs, where its files can be mended that way now."""
    files = {problem.file for problem in snapshot.problems if problem.code in MENDS and problem.file}
    ways = {path: offered(snapshot, path) for path in files}

    def mended(problem: Problem) -> Problem:
        how = MENDS.get(problem.code)
        if how is None or problem.file is None or how not in ways[problem.file]:
            return problem
        repair = Reshape(problem.file, how)
        return dataclasses.replace(problem, repair=repair, is_safe=_is_safe(snapshot, repair))

    if not files:
        return snapshot
    return dataclasses.replace(snapshot, problems=tuple(mended(problem) for problem in snapshot.problems))


def _is_safe(snapshot: Snapshot, wish: Reshape) -> bool:
    """Whether the texts of all entries stay as the owner reads them, or as every other reader reads them."""
    if wish.how == "normalise":
        return True
    data = snapshot.files[wish.path].data or b""
    # a carriage return that ends no line may be part of a text
    return wish.how == "lf" and data.count(b"\r") == data.count(b"\r\n")


def reshape(snapshot: Snapshot, wish: Reshape) -> Draft:
    """The file in another form of the same text. Raises RefusedError where there is nothing to do."""
    target = change.group_of(snapshot, wish.path)
    change.require_readable(target)
    if target.stored.kind == "missing":
        raise RefusedError(_("there is no {file}").format(file=wish.path))
    if wish.how == "lf":
        return _to_lf(target)
    if wish.how == "normalise":
        return _normalise(snapshot, target)
    if wish.how == "split-headings":
        return _split_headings(snapshot, target)
    raise RefusedError(_("{owner} knows nothing like that").format(owner=snapshot.store.owner))


def _to_lf(target: Group) -> Draft:
    before = target.stored.data or b""
    after = before.replace(b"\r\n", b"\n")
    if target.hidden_in:
        # a lone CR beside a sign hides a delimiter as well
        after = after.replace(b"\r", b"\n")
    if after == before:
        raise RefusedError(_("{file} has no CRLF line ends").format(file=target.file.path))
    written = FileChange(target.file.path, target.stored, after)
    return Draft((written,), _("converted {file} to LF").format(file=target.file.path))


def _normalise(snapshot: Snapshot, target: Group) -> Draft:
    path = target.file.path
    stay, dropped = change.without_duplicates(target.parsed.texts)
    texts = [target.parsed.texts[number] for number in stay]
    written = change.written(target, rules_of(snapshot.store.profile), texts)
    if written.after == target.stored.data:
        raise RefusedError(_("{file} is in its owner's form already").format(file=path))
    notes = change.duplicate_notes(dropped, path)
    return Draft((written,), _("normalised {file}").format(file=path), notes)


def _split_headings(snapshot: Snapshot, target: Group) -> Draft:
    path = target.file.path
    texts = _split(target, rules_of(snapshot.store.profile).dialect.trimmed)
    if texts is None:
        raise RefusedError(_("no entry of {file} has a heading to split at").format(file=path))
    stay, dropped = change.without_duplicates(texts)
    kept = [texts[number] for number in stay]
    notes = list(change.duplicate_notes(dropped, path))
    limit = target.limit
    if limit is not None:
        longest = max(section_sign.length(text, target.unit) for text in kept)
        if longest > limit.limit:
            notes.append(_("an entry is still longer than the limit of {limit:,}").format(limit=limit.limit))
        elif section_sign.total(kept, target.unit) > limit.limit:
            notes.append(_("{file} is still over its limit: the agent refuses to add more").format(file=path))
    written = change.written(target, rules_of(snapshot.store.profile), kept)
    return Draft((written,), _("split {file} at its headings").format(file=path), tuple(notes))


def _split(target: Group, trimmed: str) -> list[str] | None:
    """The entries with those that are too long (else all) split at headings; None when that changes nothing."""
    limit = target.limit
    texts = target.parsed.texts
    too_long = [
        number
        for number, text in enumerate(texts)
        if limit is not None and section_sign.length(text, target.unit) > limit.limit
    ]
    wanted = set(too_long or range(len(texts)))
    found = [
        part
        for number, text in enumerate(texts)
        for part in (_sections(text, trimmed) if number in wanted else [text])
    ]
    return found if len(found) > len(texts) else None


def _sections(text: str, trimmed: str) -> list[str]:
    document = documents.parse(documents.encode(text))
    starts = [line.start for line, _masked in Blocks(document.lines).text_lines() if HEADING.match(line.text)]
    edges = [0, *(start for start in starts if start), len(document.raw)]
    parts = [documents.decode(document.raw[low:high]) for low, high in pairwise(edges)]
    return [part for part in (part.strip(trimmed) for part in parts) if part]
