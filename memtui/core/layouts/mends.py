"""Files put right by their bytes alone (`Reshape`), the same for every layout whose memories are files.

What a layout does in a way of its own (the order of a store's entries, say) it does itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, How, Refusal, Snapshot
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.core.text import frontmatter_mends as fronts
from memtui.core.text.leftovers import leftover_kind
from memtui.i18n import _, ngettext

Mend = Callable[[bytes, int | None], bytes | None]
"""A file's bytes and how many lines of a frontmatter its owner reads, to the bytes put right (None = not)."""


def final_newline(data: bytes, max_lines: int | None = None) -> bytes | None:
    """The text with a line end at its end, in its own kind."""
    if not data or data.endswith(b"\n"):
        return None
    return data + documents.parse(data).newline.encode()


def lf(data: bytes, max_lines: int | None = None) -> bytes | None:
    """The text with LF for every CRLF."""
    return data.replace(b"\r\n", b"\n") if b"\r\n" in data else None


def visible(data: bytes, max_lines: int | None = None) -> bytes | None:
    """The text without the characters that nobody sees; a byte-order mark stays."""
    head = documents.BOM if data.startswith(documents.BOM) else b""
    text = documents.decode(data[len(head) :])
    after = head + documents.encode(display.without_hidden(text))
    return after if after != data else None


BY_BYTES: Mapping[How, Mend] = {"lf": lf, "final-newline": final_newline, "visible": visible}
"""The ways that hold for any text."""

OF_FRONTMATTER: Mapping[How, Mend] = {
    "lift": fronts.lift,
    "close": fronts.close,
    "one-key": fronts.one_key,
    "quote": fronts.quote,
    "quote-comment": fronts.quote_comment,
}
"""The ways that hold for a file with a frontmatter that strict readers read."""

_SUMMARIES: Mapping[How, str] = {
    "lf": _("line ends of {file} as the owner reads them"),
    "final-newline": _("put a line end at the end of {file}"),
    "visible": _("took the hidden characters out of {file}"),
    "lift": _("put the frontmatter of {file} where readers look"),
    "close": _("closed the frontmatter of {file}"),
    "one-key": _("left one line for each key of {file}"),
    "quote": _("put quotes around values of {file}"),
    "quote-comment": _("put quotes around values of {file}"),
    "describe": _("described {file} as its index line does"),
}


def draft_of(snapshot: Snapshot, path: str, how: How, mend: Mend | None) -> Draft:
    """The draft of one such mend. Raises RefusedError where it cannot be done, or nothing calls for it."""
    file = snapshot.files.get(path)
    if mend is None:
        raise RefusedError(_("{owner} knows nothing like that").format(owner=snapshot.store.owner))
    if file is None or file.kind != "file" or file.data is None:
        raise RefusedError(_("{file} cannot be read").format(file=path))
    bad_at = documents.parse(file.data).bad_utf8_at
    if bad_at is not None and how in (*OF_FRONTMATTER, "describe"):
        raise RefusedError(_("{file} is not UTF-8 at byte {offset}").format(file=path, offset=bad_at))
    after = mend(file.data, snapshot.store.profile.frontmatter_lines)
    if after is None:
        raise RefusedError(_("nothing in {file} calls for that").format(file=path))
    return Draft((FileChange(path, file, after),), _SUMMARIES[how].format(file=path))


def discard(snapshot: Snapshot, paths: tuple[str, ...]) -> Draft | Refusal:
    """Take leftovers away; the plan that carries it out keeps their bytes for an undo."""
    changes = []
    for path in dict.fromkeys(paths):
        file = snapshot.files.get(path)
        if file is None:
            return Refusal(_("{file} is gone").format(file=path), conflict=True)
        if leftover_kind(path.rpartition("/")[2]) in (None, "swap"):
            return Refusal(_("{file} is no leftover").format(file=path))
        if file.kind != "symlink" and (file.kind != "file" or file.data is None):
            reason = file.error or file.kind
            return Refusal(_("{file} cannot be read: {reason}").format(file=path, reason=reason))
        changes.append(FileChange(path, file, None))
    text = ngettext("deleted {count} leftover", "deleted {count} leftovers", len(changes))
    return Draft(tuple(changes), text.format(count=len(changes)))
