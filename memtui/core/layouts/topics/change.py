"""What the edits of a topics store share: the files they may write, and a topic with its index line in step."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Snapshot, StoredFile
from memtui.core.layouts.dash_index import parse_entries, remove_entries, set_entry, sizes
from memtui.core.layouts.index_file import index_file
from memtui.core.layouts.topics import writing
from memtui.core.layouts.topics.reading import Section, Topic, owner_titles, parse_topic
from memtui.core.layouts.topics.rules import form_of, rules_of
from memtui.core.layouts.topics.scan import place_of, scan, stem_of
from memtui.core.text import document as documents
from memtui.i18n import _


def index_name(snapshot: Snapshot) -> str:
    """The name of the index file."""
    return snapshot.store.profile.index_name


def writable(file: StoredFile) -> Topic:
    """The parts of a topic that can be written. Raises RefusedError for CRLF and for what is not UTF-8."""
    if file.data is None:
        raise RefusedError(_("{file} cannot be written").format(file=file.path))
    topic = parse_topic(file.data)
    if topic.has_crlf:
        raise RefusedError(
            _("the line ends of {file} are CRLF: the owner sees no entry in it; convert it first").format(
                file=file.path
            )
        )
    bad_at = documents.parse(file.data).bad_utf8_at
    if bad_at is not None:
        raise RefusedError(
            _("{file} is not UTF-8 at byte {offset}: convert it first").format(file=file.path, offset=bad_at)
        )
    return topic


def require_allowed(memory: Memory, verb: str) -> None:
    """Raises RefusedError when the memory says why not."""
    if verb in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not[verb]))


def found_section(snapshot: Snapshot, memory: Memory) -> tuple[Topic | None, Section | None]:
    """The topic and the entry of a memory; None for what it has not."""
    place = place_of(snapshot, memory)
    return place.topic, place.section


def located_section(snapshot: Snapshot, memory: Memory) -> tuple[Topic, Section]:
    """The topic and the entry of a memory. Raises RefusedError when it is not an entry."""
    topic, section = found_section(snapshot, memory)
    if topic is None or section is None:
        raise RefusedError(_("{file} has no entries").format(file=memory.file))
    return topic, section


def stamped(snapshot: Snapshot, data: bytes, day: str) -> tuple[bytes, str]:
    """A topic's text with today's date and a description of its titles, and the hook for its index line."""
    hook = writing.hook_of(owner_titles(data), rules_of(snapshot.store.profile).hook_units)
    data = writing.set_front_field(parse_topic(data), "updated", day)
    return writing.set_front_field(parse_topic(data), "description", hook), hook


def rewritten(snapshot: Snapshot, memory: Memory, data: bytes, summary: str) -> Draft:
    """A topic with another text, its date, description and index line in step."""
    file = snapshot.files[memory.file]
    after, hook = stamped(snapshot, data, writing.day_of(snapshot))
    return Draft(topic_and_line(snapshot, file, after, hook), summary)


def topic_and_line(snapshot: Snapshot, file: StoredFile, after: bytes, hook: str) -> tuple[FileChange, ...]:
    """The topic, and its index line where it has one whose hook is another now."""
    changes = [FileChange(file.path, file, after)]
    if any(memory.file == file.path and memory.index_lines for memory in snapshot.memories):
        index = with_hook(snapshot, file.path, hook, checks_room=False)
        if index.after != index.before.data:
            changes.append(index)
    return tuple(changes)


def with_hook(snapshot: Snapshot, path: str, hook: str, *, checks_room: bool) -> FileChange:
    """The index with this hook for a topic; `checks_room`: raises RefusedError where the owner would refuse."""
    file = index_file(snapshot)
    after = set_entry(file.data or b"", stem_of(path), path, hook)
    if checks_room:
        rules = rules_of(snapshot.store.profile)
        count, size = sizes(parse_entries(after))
        if count > rules.write_lines or size > rules.write_bytes:
            raise RefusedError(
                _(
                    "{index} would have {count:,} lines and {size:,} bytes; "
                    "the owner accepts {lines:,} lines and {bytes:,} bytes"
                ).format(
                    index=file.path, count=count, size=size, lines=rules.write_lines, bytes=rules.write_bytes
                )
            )
    return FileChange(file.path, file, after)


def without_lines(snapshot: Snapshot, memory: Memory, heir_id: str = "") -> FileChange:
    """The index without the lines of a memory; the first becomes that of an heir whose topic has none."""
    file = index_file(snapshot)
    data = file.data or b""
    heir = snapshot.memory(heir_id) if heir_id else None
    topic = place_of(snapshot, heir).topic if heir is not None and not heir.index_lines else None
    if heir is not None and topic is not None and heir.file != memory.file:
        hook = writing.hook_of(owner_titles(topic.data), rules_of(snapshot.store.profile).hook_units)
        data = set_entry(data, stem_of(heir.file), heir.file, hook, renames=memory.file)
    for entry in parse_entries(file.data or b"", form_of(rules_of(snapshot.store.profile))):
        if entry.number in memory.index_lines:
            data = remove_entries(data, entry.file)
            break
    return FileChange(file.path, file, data)


def require_counted(data: bytes, title: str) -> None:
    """Raises RefusedError when the owner would not see an entry of this title."""
    if title not in owner_titles(data):
        raise RefusedError(_("a line --- above would hide {title} from the owner").format(title=title))


def applied(snapshot: Snapshot, draft: Draft) -> Snapshot:
    """The snapshot after a draft that deletes nothing."""
    files = dict(snapshot.files)
    for change in draft.changes:
        assert change.after is not None
        files[change.path] = StoredFile(change.path, "file", change.after, change.before.mode)
    return scan(snapshot.store, files.values())


def same_memory(snapshot: Snapshot, memory: Memory) -> Memory:
    """The same memory in a later snapshot in which its file did not change."""
    return next(m for m in snapshot.memories if m.file == memory.file and m.span == memory.span)


def united(first: Sequence[FileChange], second: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Two rounds of changes as one, each file once."""
    befores = {change.path: change.before for change in first}
    united = {change.path: change for change in first}
    for change in second:
        before = befores.get(change.path, change.before)
        united[change.path] = FileChange(change.path, before, change.after)
    return tuple(united.values())
