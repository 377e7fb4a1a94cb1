"""Secrets taken out of files in place: the same bytes but for them, whatever the layout.

In the index and in a frontmatter some places take no square brackets (the text of a link, the start of a
value), and a link's target stays, for a line that leads nowhere would be one more problem.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Draft, FileChange, Redact, Refusal, Snapshot, StoredFile, digest
from memtui.core.safety import secrets
from memtui.core.text.document import decode, encode
from memtui.i18n import _, ngettext
from memtui.late import re

_ROUND = secrets.REDACTED.replace("[", "(").replace("]", ")")
_TARGETS = re.compile(rb"\]\([^)\n]*\)")
_TAKES_NO_BRACKET = re.compile(rb"\[[^\[\]\n]*$|^[ \t]*(?:[^\s:]+:|-)[ \t]*[\"']?$", re.MULTILINE)
_FRONTMATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?---[ \t]*\r?\n(?:.*\n)*?---[ \t]*(?:\r?\n|\Z)")
_WINDOW_BYTES = 300


def redacted(snapshot: Snapshot, edit: Redact) -> Draft | Refusal:
    """The file, and the index where it names them, without these secrets."""
    profile = snapshot.store.profile
    if profile.read_only or profile.only_looked_at:
        return Refusal(profile.read_only or _("memtui changes nothing of this store"))
    file = snapshot.files.get(edit.path)
    if file is None or file.kind != "file" or file.data is None or file.offset:
        return Refusal(_("{file} has no text that can be changed").format(file=secrets.masked(edit.path)))
    index = snapshot.files.get(profile.index_name)
    files = (
        [file]
        if index is None or index is file or index.data is None or index.kind != "file"
        else [file, index]
    )
    found = [value for value in _values(files) if not edit.secrets or digest(encode(value)) in edit.secrets]
    if not edit.secrets:
        found = [value for value in found if value in decode(file.data)]
    changes = [change for item in files if (change := _change(item, found, profile.index_name)) is not None]
    if not changes:
        return Refusal(
            _("there is no secret to take out of {file}").format(file=secrets.masked(edit.path)), True
        )
    count = len(found)
    text = ngettext("redacted {count} secret in {file}", "redacted {count} secrets in {file}", count)
    note = _("undo brings it back until `memtui purge` removes it; whoever issued it can replace it")
    return Draft(tuple(changes), text.format(count=count, file=secrets.masked(edit.path)), (note,))


def _values(files: list[StoredFile]) -> Iterator[str]:
    """The secrets of these files, each once, a longer one before what may be a part of it."""
    found = {value for file in files for value in secrets.values(decode(file.data or b""))}
    yield from sorted(found, key=lambda value: (-len(value), value))


def _change(file: StoredFile, values: list[str], index_name: str) -> FileChange | None:
    data = file.data or b""
    if not values:
        return None
    is_index = file.path == index_name
    targets = [match.span() for match in _TARGETS.finditer(data)] if is_index else []
    front = _FRONTMATTER.match(data)
    front_end = front.end() if front is not None else 0
    pieces: list[bytes] = []
    position = 0
    for match in re.compile(b"|".join(re.escape(encode(value)) for value in values)).finditer(data):
        if any(first < match.end() and match.start() < last for first, last in targets):
            continue
        line = data[max(position, match.start() - _WINDOW_BYTES) : match.start()]
        line = line[line.rfind(b"\n") + 1 :]
        is_plain = (is_index or match.start() < front_end) and _TAKES_NO_BRACKET.search(line) is not None
        pieces += [data[position : match.start()], encode(_ROUND if is_plain else secrets.REDACTED)]
        position = match.end()
    if not pieces:
        return None
    return FileChange(file.path, file, b"".join([*pieces, data[position:]]))
