"""Paths, tasks, commands and branches that a memory names, found in its prose. Pure; unsure means not found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from memtui.core.checks.closer.base import Subject
from memtui.core.checks.closer.prose import (
    Sentence,
    claims,
    fenced_lines,
    sentences,
    speaks_of_elsewhere,
)
from memtui.core.checks.closer.words import (
    COMMON_NAMES,
    EXTENSIONS,
    INTERPRETERS,
    MADE,
    NEW_BRANCH,
    PLACEHOLDERS,
    SOURCE_EXTENSIONS,
)
from memtui.late import re
from memtui.late.dataclasses import dataclass

ReferenceKind = Literal["path", "name", "task", "command", "branch"]


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that is named at a character of the text. `is_quoted` = between back quotes; `tool` is that of
    a task."""

    kind: ReferenceKind
    name: str
    at: int
    is_quoted: bool = True
    tool: str = ""


_ODD = re.compile(r"[*?<>{}\[\]$|\"'=,;:()\\%^&!#`\s]|\.\.\.|…|//|@")
"""Signs of a pattern, a placeholder, an address or code."""

_HAS_EXTENSION = re.compile(rf"\.(?:{'|'.join(sorted(EXTENSIONS))})$", re.IGNORECASE)
_SOURCE = re.compile(rf"\.(?:{'|'.join(sorted(SOURCE_EXTENSIONS))})$")

# not behind a letter, a host's colon, or the rest of an address
_BARE = re.compile(r"(?<![\w@:/.~%$#=&+\\-])(?:~/|\.{0,2}/)?[\w.+-]+(?:/[\w.+-]+)+/?", re.ASCII)
_PLACE = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$")

_TASK = re.compile(
    r"(?:\$ +)?(?:(?P<make>make)|(?P<npm>(?:npm|pnpm|yarn|bun) run)|(?P<just>just))"
    r"[ \t]+(?P<name>[A-Za-z_][\w:.-]*)"
    r"(?P<rest>[ \t]+\S.*)?$"
)
_COMMAND = re.compile(r"(?:\$ +)?(?P<name>[a-z][a-z0-9_-]{1,30})(?P<rest>[ \t]+\S.*)?$")
_RUNS = re.compile(
    r"(?:\b(?:run|runs|running|execute|command|invoke)s?|运行|执行|命令|跑)[ :：*_]*`*$", re.IGNORECASE
)
_NAMES_FILE = re.compile(
    r"(?:\b(?:see|in|edit|open|read|file|files|from|script|run|module|inside|at)|见|在|看|参考|修改|编辑|打开|阅读|文件|脚本|运行)"
    r"[ :：*_]*`*$",
    re.IGNORECASE,
)

_BRANCH_BEFORE = re.compile(
    r"(?:\bbranch(?: (?:is|named|called))?|分支(?:是|为|叫)?)[ :：*_]*`*$", re.IGNORECASE
)
_BRANCH_AFTER = re.compile(r"`*[*_ ]*(?:branch\b|分支)", re.IGNORECASE)
_BRANCH = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*$", re.ASCII)


def references(subject: Subject) -> Iterator[Reference]:
    """What a memory names and claims to be there, in order; one thing may come several times."""
    for sentence in sentences(subject):
        if ("`" in sentence.text or "/" in sentence.text) and claims(sentence):
            yield from _in_sentence(sentence)
    for at, line in fenced_lines(subject.text):
        if at >= subject.body_at:
            yield from _task(line.strip(), at + len(line) - len(line.lstrip()))


def _in_sentence(sentence: Sentence) -> Iterator[Reference]:
    elsewhere = speaks_of_elsewhere(sentence)
    for at, inside in sentence.spans():
        before = sentence.text[: at - sentence.start]
        after = sentence.text[at - sentence.start + len(inside) :]
        if _BRANCH_BEFORE.search(before) or _BRANCH_AFTER.match(after):
            if _BRANCH.match(inside) and not NEW_BRANCH.search(sentence.outside):
                yield Reference("branch", inside, at)
            continue
        tasks = list(_task(inside, at))
        yield from tasks
        if tasks or elsewhere:
            continue
        if path := as_path(inside):
            yield Reference("path", path, at)
        elif _names_a_file(inside) and _NAMES_FILE.search(before):
            yield Reference("name", _PLACE.sub("", inside), at)
        elif " " in inside or _RUNS.search(before):
            yield from _command(inside, at, is_run=bool(_RUNS.search(before)))
    if not elsewhere:
        outside = sentence.outside
        for found in _BARE.finditer(outside):
            token = found[0].rstrip(".")
            is_rooted = token.startswith(("/", "~/"))
            if (is_rooted or _HAS_EXTENSION.search(token)) and (path := as_path(token)):
                yield Reference("path", path, sentence.start + found.start(), is_quoted=False)


def as_path(words: str) -> str:
    """The path that these words certainly are, without a line number behind it; '' for anything else."""
    path = _PLACE.sub("", words)
    rest = path.removeprefix("~/").removeprefix("./").strip("/")
    parts = rest.split("/")
    if not rest or "/" not in path or _ODD.search(path) or path.startswith(("../", "-")) or ".." in parts:
        return ""
    if path.startswith("~/"):
        return path if could_be_here(parts) else ""
    if path.startswith("/"):
        return path if len(parts) > 1 else ""
    # a first name with a dot in it is that of a host
    is_other = "." in parts[0].lstrip(".") or parts[0].isdigit() or parts[-1].isdigit()
    return path if could_be_here(parts) and not is_other else ""


def could_be_here(parts: Sequence[str]) -> bool:
    """Whether these names, below a project or a home directory, are neither placeholders nor what comes and
    goes."""
    names = {part.partition(".")[0].lower() for part in parts}
    return names.isdisjoint(PLACEHOLDERS) and MADE.isdisjoint(parts)


def _names_a_file(words: str) -> bool:
    name = _PLACE.sub("", words)
    is_name = "/" not in name and not _ODD.search(name) and bool(_SOURCE.search(name))
    stem = name.partition(".")[0].lower()
    return is_name and len(stem) > 2 and name.lower() not in COMMON_NAMES and stem not in PLACEHOLDERS


def _task(words: str, at: int) -> Iterator[Reference]:
    found = _TASK.match(words)
    if found is None or "<" in words or "=" in found["name"]:
        return
    tool = next(tool for tool in ("make", "npm", "just") if found[tool])
    rest = found["rest"] or ""
    is_sure = not rest or tool == "npm" or re.match(r"[ \t]+(?:&&|\||;|#|[A-Z_]+=|--)", rest)
    if is_sure and found["name"].lower() not in PLACEHOLDERS:
        yield Reference("task", found["name"], at, tool=tool)


def _command(words: str, at: int, *, is_run: bool) -> Iterator[Reference]:
    found = _COMMAND.match(words)
    first, _blank, rest = words.removeprefix("$ ").strip().partition(" ")
    argument = rest.strip().split(" ")[0] if rest.strip() else ""
    is_script = first in INTERPRETERS and bool(_HAS_EXTENSION.search(argument))
    path = as_path(argument) if is_script else as_path(first) if rest else ""
    if path:
        yield Reference("path", path, at)
    elif found is not None and is_run:
        yield Reference("command", found["name"], at)
