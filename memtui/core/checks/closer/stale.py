"""Stale references: what a memory names and what is not there any more, looked up and never executed.

Only what certainly is a path, a task, a command or a branch is looked up, and only what could have been here:
a path of another machine, an example or a pattern is none. Cases: public reports of made-up and removed paths
that later sessions keep trying to open.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memtui.core.checks.closer.base import Family, Subject, Surroundings
from memtui.core.checks.closer.references import Reference, could_be_here, references
from memtui.core.checks.closer.words import BUILT_IN, FLEETING, SHARED_FOLDERS, SOURCE_EXTENSIONS
from memtui.core.layouts.base import Problem, Severity
from memtui.i18n import _

CODE = "stale-reference"

MOST = 20
"""So many of one memory are told; who names more has seen enough."""

LOCAL_BINS = (".venv/bin", "venv/bin", "node_modules/.bin", "bin", "vendor/bin")
"""Folders of a project with programs of its own."""


def stale_references(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """What the memory names and what is not there, once each."""
    if subject.is_index:
        return
    told: set[tuple[str, str]] = set()
    for reference in references(subject):
        key = (reference.kind, reference.name)
        if key in told:
            continue
        for severity, sentence in _LOOK[reference.kind](reference, subject, around):
            told.add(key)
            yield subject.problem(CODE, severity, sentence, reference.at)
        if len(told) >= MOST:
            return


Found = Iterator[tuple[Severity, str]]


def _path(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    name = reference.name
    if name.startswith("~/"):
        path = around.home / name[2:]
    elif name.startswith("/"):
        path = Path(name)
    else:
        if subject.of_project:
            yield from _relative(reference, subject, around)
        return
    if path.parts[1] in FLEETING and not _is_below(path, around.project, around.home):
        return
    for root in (around.project, around.home):
        if root in path.parents and not could_be_here(path.relative_to(root).parts):
            return
    if around.kind_of(path) != "missing":
        return
    nearest = _nearest(path, around)
    if nearest is None:
        return
    sentence = _("names {path}, which is not there").format(path=name)
    if _is_below(nearest, around.project):
        yield "warning", sentence
    elif _is_below(nearest, around.home):
        below = nearest.relative_to(around.home).as_posix()
        if below != "." and below not in SHARED_FOLDERS:
            # what a program keeps for itself may be made when it is used
            yield "note" if below.startswith(".") else "warning", sentence
    elif nearest == path.parent and len(nearest.parts) > 2:
        # outside of the home directory another machine may be meant
        yield "note", _("names {path}, which is not there on this machine").format(path=name)


def _is_below(path: Path, *roots: Path) -> bool:
    return any(path == root or root in path.parents for root in roots)


def _nearest(path: Path, around: Surroundings) -> Path | None:
    """The nearest folder above that is there; None where one cannot be looked into."""
    for parent in path.parents:
        kind = around.kind_of(parent)
        if kind == "dir":
            return parent
        if kind != "missing":
            return None
    return None


def _relative(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    name = reference.name.removeprefix("./").rstrip("/")
    bases = (around.project, subject.root)
    if any(around.kind_of(base / name) != "missing" for base in bases):
        return
    paths, last = around.project_paths(name), name.rpartition("/")[2]
    if paths or ("." not in last and _is_module(name, around)):
        return
    first = name.partition("/")[0]
    is_ours = around.kind_of(around.project / first) == "dir" or first in (around.project_paths(first) or ())
    if not is_ours and (paths is None or first.startswith(".") or not reference.is_quoted or "." not in last):
        # of another project, or of a tool that is yet to be used
        return
    moved = around.project_paths(last)
    if moved is not None and len(moved) == 1:
        sentence = _("names {path}, which is not there; {other} is").format(path=reference.name, other=moved[0])
    elif is_ours:
        sentence = _("names {path}, which is not there").format(path=reference.name)
    else:
        sentence = _("names {path}, and nothing in the project is called that").format(path=reference.name)
    yield "warning" if is_ours else "note", sentence


def _is_module(name: str, around: Surroundings) -> bool:
    """Whether a path is that of a file without its ending, as an import has it."""
    return any(around.project_paths(f"{name}.{ending}") for ending in SOURCE_EXTENSIONS)


def _file_name(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    if not subject.of_project or around.kind_of(subject.root / reference.name) != "missing":
        return
    if around.project_paths(reference.name) == ():
        yield "note", _("names {path}, and nothing in the project is called that").format(path=reference.name)


def _task(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    if subject.of_project and around.has_task(reference.tool, reference.name) is False:
        sentence = {
            "make": _("names `make {task}`, which the Makefile does not define"),
            "npm": _("names the script {task}, which package.json does not define"),
            "just": _("names `just {task}`, which the justfile does not define"),
        }[reference.tool]
        yield "warning", sentence.format(task=reference.name)


def _command(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    name = reference.name
    if name in BUILT_IN or around.has_command(name):
        return
    if any(around.kind_of(around.project / folder / name) != "missing" for folder in LOCAL_BINS):
        return
    yield "note", _("names the command {name}, which is not on PATH here").format(name=name)


def _branch(reference: Reference, subject: Subject, around: Surroundings) -> Found:
    if subject.of_project and around.has_ref(reference.name) is False:
        sentence = _("names the branch {name}, which the repository does not have")
        yield "warning", sentence.format(name=reference.name)


_LOOK = {"path": _path, "name": _file_name, "task": _task, "command": _command, "branch": _branch}

FAMILY = Family("stale-references", (CODE,), each=stale_references)
"""This family."""
