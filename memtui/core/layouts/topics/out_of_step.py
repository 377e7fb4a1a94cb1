"""Index lines and descriptions of a topics store that do not say what the owner makes of each topic's titles.

Rules: topics sheet 3.1, 3.2 (hook and description are the titles joined, cut to 150 UTF-16 units; of one title
the hook is that title, uncut), 5 (the index).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from memtui.core.layouts.base import Problem, Relist, Reshape, Store
from memtui.core.layouts.dash_index import Entry
from memtui.core.layouts.topics import writing
from memtui.core.layouts.topics.reading import Topic, owner_titles
from memtui.core.layouts.topics.rules import rules_of
from memtui.core.text.javascript import JS_BLANKS
from memtui.i18n import _


def hook_of(titles: list[str], units: int) -> str:
    """The hook that the owner gives a topic with these titles."""
    return titles[0].strip(JS_BLANKS) if len(titles) == 1 else writing.hook_of(titles, units)


def out_of_step(
    store: Store, topics: Mapping[str, Topic], entries: Iterable[Entry], first_ids: Mapping[str, str]
) -> Iterator[Problem]:
    """Index lines and descriptions that do not say what the owner makes of the titles."""
    rules = rules_of(store.profile)
    if not rules.has_hooks:
        return
    hooks: dict[str, list[Entry]] = {}
    for entry in entries:
        hooks.setdefault(posixpath.normpath(entry.file), []).append(entry)
    for path, topic in topics.items():
        titles = owner_titles(topic.data)
        if not titles:
            continue
        right = {text.strip(JS_BLANKS) for text in (hook_of(titles, rules.hook_units), "; ".join(titles))}
        right.add(writing.hook_of(titles, rules.hook_units).strip(JS_BLANKS))
        for entry in hooks.get(path, ()):
            if entry.hook not in right:
                text = _("the owner makes this line of the titles in {file}, and they say something else now")
                repair = Relist(derives=(path,)) if store.writable else None
                yield Problem(
                    "hook-mismatch",
                    "note",
                    text.format(file=path),
                    first_ids.get(path),
                    store.profile.index_name,
                    entry.number,
                    repair,
                    is_safe=_is_of(entry.hook, titles),
                )
        description = topic.fields.get("description", "")
        if description and description not in right:
            text = _("the owner makes the description of {file} of its titles, and they say something else now")
            yield Problem(
                "hook-mismatch",
                "note",
                text.format(file=path),
                first_ids.get(path),
                path,
                _line_of(topic),
                Reshape(path, "describe") if store.writable else None,
                is_safe=_is_of(description, titles),
            )


def _line_of(topic: Topic) -> int:
    """The line of a topic's description."""
    lines = topic.data[: topic.front_end].split(b"\n")
    return next((number for number, line in enumerate(lines, 1) if line.startswith(b"description:")), 1)


def _is_of(hook: str, titles: list[str]) -> bool:
    """Whether all that a hook says stands in the titles too: none of it is lost when it is written anew."""
    known = {title.strip(JS_BLANKS) for title in titles}
    whole = "; ".join(titles)
    return whole.startswith(hook) or all(part.strip(JS_BLANKS) in known for part in hook.split(";"))
