"""Lines of a facts store's index put right all at once: dead and doubled ones go, missing ones come."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Relist, Snapshot
from memtui.core.layouts.facts.change import require_index, splice_file
from memtui.core.layouts.facts.names import stem_of
from memtui.core.layouts.facts.scan import index_file, index_refusal, places
from memtui.core.layouts.relisting import said, visible_lines
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.core.text import index_lines
from memtui.core.text.index_edits import LineStyle, add_lines, remove_links, rows_in_style, style_of
from memtui.core.text.index_lines import Index
from memtui.i18n import _


def relist(snapshot: Snapshot, wish: Relist) -> Draft:
    """The index as wished. Raises RefusedError, also where a new line could not be read back."""
    if wish.derives:
        raise RefusedError(_("{owner} derives no index line").format(owner=snapshot.store.owner))
    profile = snapshot.store.profile
    file = index_file(snapshot.files, profile)
    reason = index_refusal(snapshot.store, file)
    if reason:
        raise RefusedError(reason)
    index = index_lines.parse_bytes(b"") if file.kind == "missing" else require_index(snapshot)[0]
    data = visible_lines(index.document, wish.shows)
    if wish.shows:
        index = index_lines.parse_bytes(data)
    data = documents.splice(data, _drops(snapshot, index, wish))
    if wish.adds:
        data = _added(snapshot, index, data, wish)
    before = file.data or b""
    if data == before:
        raise RefusedError(_("nothing in {file} calls for that").format(file=file.path))
    # the guard of every change of the index, on what is new in it
    splice_file(file, [documents.Splice(0, 0, data)] if wish.adds else [])
    return Draft((FileChange(file.path, file, data),), said(wish, file.path))


def _drops(snapshot: Snapshot, index: Index, wish: Relist) -> list[documents.Splice]:
    named = places(index, snapshot.files, snapshot.store.profile)
    positions: dict[int, set[int]] = {}
    for path, number in wish.drops:
        where = [place.position for place in named.get(path, ()) if place.line == number]
        if not where:
            message = _("line {line} of {index} does not name {memory}")
            index_name = snapshot.store.profile.index_name
            raise RefusedError(message.format(line=number, index=index_name, memory=path))
        positions.setdefault(number, set()).update(where)
    # whole lines at once: each alone would be looked for among all
    links = {line.number: len(line.links) for line in index.lines if line.is_entry}
    whole = {number for number, some in positions.items() if len(some) == links.get(number)}
    parts = ((number, some) for number, some in positions.items() if number not in whole)
    splices = [splice for number, some in parts for splice in remove_links(index, number, some)]
    return [*splices, *documents.remove_lines(index.document, whole)]


def _added(snapshot: Snapshot, styled: Index, data: bytes, wish: Relist) -> bytes:
    """The text with a line for each of these files, in the style that the index had."""
    style = style_of(styled)
    by_file = {memory.file: memory for memory in snapshot.memories}
    links = []
    for path in wish.adds:
        memory = by_file.get(path)
        if memory is None or memory.state != "ok":
            raise RefusedError(_("{file} cannot be read").format(file=path))
        if display.line(path) != path:
            raise _unnamed(snapshot, path)
        links.append(_link(style, memory))
    left = index_lines.parse_bytes(data)
    after = documents.splice(data, [add_lines(left, rows_in_style(styled, links))])
    read = places(index_lines.parse_bytes(after), snapshot.files, snapshot.store.profile)
    for path in wish.adds:
        if path not in read:
            raise _unnamed(snapshot, path)
    return after


def _link(style: LineStyle, memory: Memory) -> tuple[str, str, str]:
    """Title, target and hook of a new line: as much of them as names no other file."""
    title, hook = (display.without_hidden(text) for text in (memory.title, memory.description))
    for link in ((title, memory.file, hook), (title, memory.file, "")):
        row = index_lines.parse_bytes(documents.encode(style.line(*link)))
        if sum(len(line.links) for line in row.lines) == 1 and not row.wiki_links:
            return link
    return stem_of(memory.file), memory.file, ""


def _unnamed(snapshot: Snapshot, path: str) -> RefusedError:
    message = _("a line of {index} could not name {file}")
    return RefusedError(message.format(index=snapshot.store.profile.index_name, file=path))
