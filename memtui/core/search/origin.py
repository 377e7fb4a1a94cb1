"""Where a memory came from: what it is known by, and whether a tool call wrote it. Pure.

Agents write memories by a tool of their own (`memory_write`, `memory_add`, `memory`, …), which names them or
gives their text, or as files by the tools for files, which name a path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from os.path import normpath
from pathlib import Path
from typing import Any, Literal

from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.sessions.base import Session
from memtui.core.sessions.times import message_time, moment
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text.fold import fold
from memtui.late import re
from memtui.late.dataclasses import dataclass

Closeness = Literal["written", "noted", "closest"]
"""How sure it is: the very tool call that wrote it; the session whose id is noted in it; a text like it."""

TELLING_BYTES = 16
"""A text that is shorter (UTF-8) may stand in two places by chance."""

WORD_CHARACTERS, WIDE_CHARACTERS = 4, 4
"""The least characters of a telling word; of scripts without blanks, how many make one."""

ID_KEYS = ("originSessionId", "origin_session_id", "sessionId", "session_id", "session")
"""Keys of a frontmatter that name a session."""

PATH_KEYS = frozenset(
    {"path", "file", "file_path", "filepath", "filename", "file_name", "target_file", "target"}
)

FILE_TOOLS = frozenset(
    {"write", "edit", "multiedit", "multi_edit", "create", "insert", "append", "str_replace", "apply_patch"}
    | {"write_file", "edit_file", "create_file", "append_file", "str_replace_based_edit_tool", "replace"}
)
"""Tools that write files, by the names that agents give them."""

SHELL_TOOLS = frozenset(
    {"bash", "shell", "exec", "terminal", "run_command", "exec_command", "execute_command", "local_shell"}
)
"""Tools that run a command, by the names that agents give them."""

_REMOVING = re.compile(r"\b(?:rm|unlink|trash)\b")
_MEMORY_TOOL = re.compile("memor|remember")
_REMOVES = frozenset({"delete", "remove", "forget", "drop", "clear"})
_TAKES = _REMOVES | frozenset(
    {
        "read",
        "view",
        "search",
        "find",
        "list",
        "ls",
        "get",
        "recall",
        "query",
        "load",
        "show",
        "status",
        "check",
    }
)
"""Words of a tool's name, or of an action, that writes no memory."""

_WORD = re.compile(r"\w+")
_CLIENT = re.compile(r"^.*(?:__|[./:])")
"""What stands before a tool's own name where a server gives it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a memory is known by, folded where it is compared.

    `path` is its file; `names` is what a tool may call it; `said` are texts long enough to tell it;
    `shares_file`: its file holds others too; `session_id` is noted in it, '' = none. `words` are telling
    words, those of its title first, the longest first.
    """

    path: Path
    names: frozenset[str]
    said: tuple[str, ...]
    shares_file: bool
    session_id: str = ""
    words: tuple[str, ...] = ()
    title_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: the entry's `offset` in its session, the tool's name and its arguments.

    `removes`: it takes a memory away; `when` it was made, None = not known: its entry is written when the agent
    has said all of the message, and before the tool runs.
    """

    offset: int
    id: str
    name: str
    arguments: Mapping[str, Any]
    removes: bool = False
    when: datetime | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a memory came from: a session, and the entry in it (None = only the session is known).

    `tool` is what the call that wrote it is called, `typed` the query that found the closest text; '' for the
    others.
    """

    how: Closeness
    session: Session
    offset: int | None = None
    typed: str = ""
    tool: str = ""


def trace_of(snapshot: Snapshot, memory: Memory) -> Trace:
    """What a memory of a store is known by."""
    file = snapshot.files.get(memory.file)
    data = b"" if file is None or file.data is None else file.data
    noted = ""
    if memory.span is not None:
        data = data[slice(*memory.span)]
    else:
        block = frontmatters.parse(documents.parse(data))
        noted = _noted(block)
        data = data[block.body_start :] if block.state in ("ok", "late") else data
    body = data.decode("utf-8", "replace")
    stem = memory.file.rpartition("/")[2].removesuffix(".md")
    names = {memory.title} if memory.span is not None else {memory.title, stem, f"{stem}.md", memory.file}
    said = (normal(text) for text in (body, memory.description))
    title_words = _telling_words(memory.title)
    return Trace(
        path=snapshot.store.root / memory.file,
        names=frozenset(name for name in map(normal, names) if len(name) > 2),
        said=tuple(dict.fromkeys(text for text in said if is_telling(text))),
        shares_file=memory.span is not None,
        session_id=noted,
        words=tuple(dict.fromkeys((*title_words, *_telling_words(f"{memory.description} {body}")))),
        title_words=title_words,
    )


def normal(text: str) -> str:
    """A text as it is compared: folded, on one line."""
    return fold(" ".join(text.split()))


def is_telling(text: str) -> bool:
    """Whether a normal text is long enough to be no chance."""
    return len(text.encode("utf-8", "replace")) >= TELLING_BYTES


def is_noted(session: Session, trace: Trace) -> bool:
    """Whether the session is the one whose id is noted in a memory, with its agent's prefix or without."""
    noted = trace.session_id
    return bool(noted) and session.id in (noted, noted.partition("_")[2])


def writes_memory(name: str) -> bool:
    """Whether a tool of this name may write memories, and nothing but them."""
    own = _own_name(name)
    if _MEMORY_TOOL.search(own) is None:
        return False
    return not _takes(own)


def writes_files(name: str) -> bool:
    """Whether a tool of this name writes files."""
    return _own_name(name) in FILE_TOOLS


def calls_of(record: Mapping[str, Any], offset: int) -> Iterator[Call]:
    """The calls of an entry that may have written a memory, the last first. Never raises."""
    return (call for call in changing_calls_of(record, offset) if not call.removes)


def changing_calls_of(record: Mapping[str, Any], offset: int) -> Iterator[Call]:
    """The calls of an entry that may have written a memory or taken one away, the last first. Never raises."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in reversed(content) if isinstance(content, list) else ():
        if not isinstance(block, dict) or block.get("type") != "toolCall":
            continue
        name, arguments, call_id = block.get("name"), block.get("arguments"), block.get("id")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            continue
        removes = _removes_memory(name, arguments) or _removes_files(name, arguments)
        if removes or (writes_memory(name) and not _only_looks(arguments)) or writes_files(name):
            known_id = call_id if isinstance(call_id, str) else ""
            when = moment(record.get("timestamp")) or message_time(dict(record))
            yield Call(offset, known_id, name, arguments, removes, when)


def wrote(call: Call, trace: Trace, cwd: str, home: Path) -> bool:
    """Whether a call wrote a memory, or its file; or took it away, where it is one that does. `cwd` is where
    the agent ran."""
    leaves = list(_leaves(call.arguments))
    if call.removes and _own_name(call.name) in SHELL_TOOLS:
        words = (word.strip("'\"") for _key, value in leaves for word in value.split())
        # within a directory that the command went to, its name has to do
        is_named = any(
            _last(word) == trace.path.name or _same_path(word, trace.path, cwd, home) for word in words
        )
        return is_named and not trace.shares_file
    path_names = {value for key, value in leaves if key.lower() in PATH_KEYS}
    texts = [normal(value) for key, value in leaves if not key.lower().startswith("old")]
    says_it = any(_overlap(text, said) for text in texts for said in trace.said)
    if call.removes or writes_memory(call.name):
        return says_it or any(text in trace.names for text in texts)
    is_file = any(_same_path(value, trace.path, cwd, home) for value in path_names)
    if is_file and not trace.shares_file:
        return True
    is_named = is_file or any(_last(value) == trace.path.name for value in path_names) or not path_names
    return is_named and says_it


def _own_name(name: str) -> str:
    return _CLIENT.sub("", name).lower()


def _only_looks(arguments: Mapping[str, Any]) -> bool:
    """Whether a tool for everything about memories is asked for something else than writing."""
    return any(_takes(action) for action in _actions(arguments))


def _removes_memory(name: str, arguments: Mapping[str, Any]) -> bool:
    own = _own_name(name)
    if _MEMORY_TOOL.search(own) is None:
        return False
    return any(not _REMOVES.isdisjoint(_words_of(word)) for word in (own, *_actions(arguments)))


def _removes_files(name: str, arguments: Mapping[str, Any]) -> bool:
    if _own_name(name) not in SHELL_TOOLS:
        return False
    return any(_REMOVING.search(value) is not None for _key, value in _leaves(arguments))


def _actions(arguments: Mapping[str, Any]) -> list[str]:
    values = (arguments.get(key) for key in ("action", "command", "operation", "op", "mode"))
    return [value.lower() for value in values if isinstance(value, str)]


def _takes(name: str) -> bool:
    return not _TAKES.isdisjoint(_words_of(name))


def _words_of(name: str) -> list[str]:
    return re.split(r"[_\-]", name)


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of the arguments with the key that it stands under; decoded JSON is never too deep."""
    waiting = [(key, value)]
    while waiting:
        name, item = waiting.pop()
        if isinstance(item, str):
            yield name, item
        elif isinstance(item, dict):
            waiting.extend((str(inner), inner_value) for inner, inner_value in item.items())
        elif isinstance(item, list):
            waiting.extend((name, inner_value) for inner_value in item)


def _overlap(text: str, said: str) -> bool:
    return said in text or (is_telling(text) and text in said)


def _same_path(value: str, path: Path, cwd: str, home: Path) -> bool:
    if value.startswith("~/"):
        value = f"{home}/{value[2:]}"
    return normpath(f"{cwd}/{value}" if not value.startswith("/") else value) == normpath(path)


def _last(value: str) -> str:
    return value.replace("\\", "/").rpartition("/")[2]


def _noted(block: frontmatters.Frontmatter) -> str:
    for key in ID_KEYS:
        for path in (("metadata", key), (key,)):
            if found := block.get(*path):
                return found.strip()
    return ""


def _telling_words(text: str) -> tuple[str, ...]:
    words: list[str] = []
    for run in _WORD.findall(text):
        if run.isascii():
            words += [run] if len(run) >= WORD_CHARACTERS and not run.isdecimal() else []
        elif len(run) > WIDE_CHARACTERS and not _has_case(run):
            words += [run[at : at + WIDE_CHARACTERS] for at in range(0, len(run) - 1, WIDE_CHARACTERS)]
        elif len(run) > 1:
            words.append(run)
    unique = list(dict.fromkeys(map(fold, words)))
    return tuple(sorted(unique, key=lambda word: -len(word.encode("utf-8", "replace"))))


def _has_case(run: str) -> bool:
    return run.lower() != run.upper()
