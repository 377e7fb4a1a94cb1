"""Which topics the owner can show by itself, and why not (topics sheet 3.3 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.core.layouts.base import Profile, StoredFile
from memtui.core.layouts.topics.reading import Topic
from memtui.core.layouts.topics.rules import TOPIC_TYPES, rules_of
from memtui.i18n import _

OPENING = b"---\n"
CLOSING = b"\n---\n"
FIELDS = ("name", "description", "type", "updated")


def why_never(path: str, topic: Topic) -> str:
    """Why a topic can never be shown by itself, '' when it can."""
    if "/" in path:
        return _("{file} lies in a folder: only topics at the top are shown by themselves").format(file=path)
    if not topic.data.startswith(OPENING) or CLOSING not in topic.data[len(OPENING) - 1 :]:
        return _("{file} does not begin with a frontmatter: it is never shown by itself").format(file=path)
    missing = [field for field in FIELDS if not topic.fields.get(field)]
    if missing:
        return _("{file} has no {fields} in its frontmatter: it is never shown by itself").format(
            file=path, fields=", ".join(missing)
        )
    if topic.fields["type"] not in TOPIC_TYPES:
        return _("{file} has a type that the owner does not know: it is never shown by itself").format(
            file=path
        )
    return ""


def never_surfaced(
    files: Mapping[str, StoredFile], topics: Mapping[str, Topic], profile: Profile
) -> Iterator[tuple[str, str]]:
    """The topics that are never shown by themselves, and those of which only a beginning is."""
    rules = rules_of(profile)
    if not rules.surfaces:
        return
    for path in files:
        reason = why_never(path, topics[path])
        size = len(topics[path].data)
        if reason:
            yield path, reason
        elif size > rules.surfaced_topic_bytes:
            message = _("{file} has {size:,} bytes: shown by itself, only its first {limit:,} are")
            yield path, message.format(file=path, size=size, limit=rules.surfaced_topic_bytes)
    if len(files) > rules.considered_files:
        message = _("{count} topics: only {limit} of them are ever looked at to be shown by themselves")
        yield "", message.format(count=len(files), limit=rules.considered_files)
