"""Taking a fact away with its index lines, or one of those lines, and what names it then."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Refusal, Remove, Snapshot
from memtui.core.layouts.facts.change import named_in, require_index, splice_file
from memtui.core.layouts.facts.names import wiki_forms
from memtui.core.layouts.facts.scan import Place
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
    if "delete" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["delete"]))
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
    target = snapshot.files.get(memory.file)
    if target is None or memory.state in ("missing", "outside"):
        summary = _("removed the index line of {title}").format(title=memory.title)
        return Draft(tuple(changes), summary, tuple(notes))
    if memory.state == "symlink":
        notes.append(_("only the link went, not {target}").format(target=memory.link_target))
    changes.append(FileChange(target.path, target, None))
    return Draft(tuple(changes), _("deleted {file}").format(file=memory.file), tuple(notes))


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
        places = [place for place in where if place.line == number]
        line = index.line(number)
        is_sentence = line is not None and not line.is_entry
        if heir is not None and (is_sentence or inherits):
            splices += [
                splice
                for place in places
                for splice in set_target(index, place.line, place.position, heir.file)
            ]
            if not is_sentence:
                splices += _as_line_of(index, places[0], heir)
                inherits = False
            continue
        splices += remove_links(index, number, [place.position for place in places])
        if is_sentence:
            notes.append(
                _("line {line} of {index} mentions it in a sentence: only the link went").format(
                    line=number, index=file.path
                )
            )
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
