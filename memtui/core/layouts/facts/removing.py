"""Taking a fact away with its index lines, or one of those lines, and what names it then."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Refusal, Remove, Snapshot
from memtui.core.layouts.facts.change import named_in, require_index, splice_file
from memtui.core.layouts.facts.names import wiki_forms
from memtui.core.layouts.facts.scan import Place, index_file, places
from memtui.core.layouts.facts.wiki import apart, is_shared, left_alone, other_files, wiki_splices
from memtui.core.text.document import Splice
from memtui.core.text.index_edits import remove_line, remove_links, set_hook, set_target, set_title
from memtui.core.text.index_lines import Index
from memtui.i18n import _


def remove(snapshot: Snapshot, memory: Memory, wish: Remove) -> Draft | Refusal:
    """A draft without a fact and its lines; where it has an heir, what names it names the heir.

    A link within a sentence of the index goes alone (with an heir it stays, and leads there). Links in other
    facts and `[[links]]` of the index follow as those to a renamed one do. Raises RefusedError.
    """
    if wish.line is not None:
        return _remove_line(snapshot, memory, wish.line)
    _require_deletable(memory)
    heir = snapshot.memory(wish.heir) if wish.heir else None
    if wish.heir and (heir is None or heir.state != "ok"):
        return Refusal(_("{memory} is gone").format(memory=wish.heir), conflict=True)
    changes: list[FileChange] = []
    notes: list[str] = []
    forms: frozenset[str] = frozenset()
    if heir is not None:
        if is_shared(snapshot, memory):
            notes.append(left_alone(memory))
        else:
            forms = wiki_forms(memory.file)
        changes += other_files(snapshot, memory.file, heir.file, forms, notes)
    index_change = _index_without(snapshot, memory, heir, forms, notes)
    changes += [] if index_change is None else [index_change]
    own = _without_file(snapshot, memory)
    return Draft((*changes, *own.changes), own.summary, (*notes, *own.notes))


def remove_all(snapshot: Snapshot, memories: Sequence[Memory]) -> tuple[Draft, ...]:
    """A draft for each of these facts, which leave no heir; the first one holds the index without all of them.

    Raises RefusedError.
    """
    for memory in memories:
        _require_deletable(memory)
    file = index_file(snapshot.files, snapshot.store.profile)
    index = None if file.kind in ("missing", "dir") else require_index(snapshot)[0]
    named = places(index, snapshot.files, snapshot.store.profile)
    going: dict[int, list[int]] = {}
    drafts = []
    for memory in memories:
        where = named.get(memory.file, [])
        for place in where:
            going.setdefault(place.line, []).append(place.position)
        own = _without_file(snapshot, memory)
        notes = _sentence_notes(index, file.path, where)
        drafts.append(Draft(own.changes, own.summary, (*notes, *own.notes)))
    if index is not None and going:
        splices = [
            splice for line, positions in going.items() for splice in remove_links(index, line, positions)
        ]
        first = drafts[0]
        changes = (splice_file(file, splices), *first.changes)
        drafts[0] = Draft(changes, first.summary, first.notes)
    return tuple(drafts)


def _require_deletable(memory: Memory) -> None:
    if "delete" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["delete"]))


def _without_file(snapshot: Snapshot, memory: Memory) -> Draft:
    """What taking a fact away does to its own file."""
    target = snapshot.files.get(memory.file)
    if target is None or memory.state in ("missing", "outside"):
        return Draft((), _("removed the index line of {title}").format(title=memory.title))
    notes: tuple[str, ...] = ()
    if memory.state == "symlink":
        notes = (_("only the link went, not {target}").format(target=memory.link_target),)
    gone = FileChange(target.path, target, None)
    return Draft((gone,), _("deleted {file}").format(file=memory.file), notes)


def _sentence_notes(index: Index | None, path: str, where: Sequence[Place]) -> list[str]:
    """What to say of lines that mention a fact within a sentence, which stays."""
    said = _("line {line} of {index} mentions it in a sentence: only the link went")
    numbers = dict.fromkeys(place.line for place in where)
    lines = [index.line(number) for number in numbers] if index is not None else []
    return [
        said.format(line=line.number, index=path) for line in lines if line is not None and not line.is_entry
    ]


def _index_without(
    snapshot: Snapshot, memory: Memory, heir: Memory | None, forms: frozenset[str], notes: list[str]
) -> FileChange | None:
    where = named_in(snapshot, memory)
    if not where and not forms:
        return None
    if snapshot.index is None:
        return None
    index, file = require_index(snapshot)
    inherits = heir is not None and not heir.index_lines
    splices: list[Splice] = []
    for number in memory.index_lines:
        here = [place for place in where if place.line == number]
        line = index.line(number)
        is_sentence = line is not None and not line.is_entry
        if heir is not None and (is_sentence or inherits):
            splices += [
                splice for place in here for splice in set_target(index, place.line, place.position, heir.file)
            ]
            if not is_sentence:
                splices += _as_line_of(index, here[0], heir)
                inherits = False
            continue
        splices += remove_links(index, number, [place.position for place in here])
        notes += _sentence_notes(index, file.path, here)
    if heir is not None:
        links = wiki_splices(index.document.raw, forms, memory.file, heir.file)
        splices = apart(splices, links)
    return splice_file(file, splices) if splices else None


def _as_line_of(index: Index, place: Place, heir: Memory) -> list[Splice]:
    """The line that an heir takes over, with its own title and, where it has one, its description."""
    splices = set_title(index, place.line, place.position, heir.title)
    if heir.description:
        splices += set_hook(index, place.line, place.position, heir.description)
    return splices


def _remove_line(snapshot: Snapshot, memory: Memory, number: int) -> Draft:
    index, file = require_index(snapshot)
    where = [place for place in named_in(snapshot, memory) if place.line == number]
    line = index.line(number)
    if line is None or not where:
        raise RefusedError(
            _("line {line} of {index} does not name {memory}").format(
                line=number, index=file.path, memory=memory.id
            )
        )
    whole = len(where) == len(line.links)
    splices = (
        remove_line(index, number)
        if whole
        else remove_links(index, number, [place.position for place in where])
    )
    summary = _("removed an index line of {title}").format(title=memory.title)
    return Draft((splice_file(file, splices),), summary)
