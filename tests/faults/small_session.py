"""A small pi session, what a person does with it, and a program that goes on writing to it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.library import Library
from memtui.core.session_actions import SessionActions
from memtui.core.sessions.base import Session
from memtui.core.workspace import Outcome, Workspace

HEADER = (
    b'{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-01T09:00:00.000Z","cwd":"/home/dev/app"}\n'
)
NAME = "2026-11-01T09-00-00-000Z_s-1.jsonl"


def entry(number: int, text: str = "") -> bytes:
    """A user message as pi writes it; its parent is the one before."""
    parent = f'"{number - 1:08x}"' if number > 1 else "null"
    return (
        b'{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-11-01T09:00:07.000Z",'
        b'"message":{"role":"user","content":"%s"}}\n'
    ) % (number, parent.encode(), (text or f"line {number}").encode())


OLD = HEADER + entry(1) + entry(2)
MEANWHILE = entry(3) + entry(4)


def sessions_dir(env: Env) -> Path:
    """Where pi keeps the sessions of the environment's project."""
    return Library(env).places.own


def make_session(env: Env, data: bytes = OLD) -> Path:
    """A session of this project with two entries, with a mode that is not the default."""
    path = sessions_dir(env) / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    path.chmod(0o640)
    return path


def row_of(env: Env) -> Session:
    """The session as the library lists it now."""
    (session,) = Library(env).sessions()
    return session


def act(env: Env, verb: str) -> Outcome:
    """Do something as a command does it, up to its exit."""
    workspace = Workspace(env)
    actions = SessionActions(workspace)
    if verb == "rename":
        outcome = actions.rename_session(row_of(env), "named")
    elif verb == "delete":
        outcome = actions.trash_session(row_of(env), force=True)
    elif verb == "redo":
        outcome = workspace.redo()
    else:
        outcome = workspace.undo()
    workspace.settle()
    return outcome


VERBS: dict[str, tuple[str, ...]] = {
    "rename": (),
    "delete": (),
    "undo a rename": ("rename",),
    "undo a delete": ("delete",),
    "undo a delete beside pi": ("delete", "pi writes"),
    "redo a delete": ("delete", "undo"),
}
"""What a person does, and what came before it."""


def prepare(env: Env, verb: str) -> Path:
    """A home in which this can be done; the session's file."""
    path = make_session(env)
    for earlier in VERBS[verb]:
        if earlier == "pi writes":
            path.write_bytes(MEANWHILE)
            path.chmod(0o640)
        else:
            act(env, earlier)
    return path


def trash_of(env: Env) -> list[bytes]:
    """The files in memtui's trash for sessions."""
    folder = env.state_dir / "history" / "sessions"
    return sorted(path.read_bytes() for path in folder.iterdir()) if folder.exists() else []


def every_line(env: Env) -> set[bytes]:
    """All lines of sessions that are anywhere: under their name, beside it, in the trash."""
    folder = sessions_dir(env)
    files = sorted(folder.iterdir()) if folder.exists() else []
    texts = [path.read_bytes() for path in files] + trash_of(env)
    return {line for text in texts for line in lines_of(text)}


@pytest.fixture
def two_file_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """memtui's own folders lie on another file system than everything else."""
    real: Callable[[Path, Path], None] = fs.replace

    def replace(source: Path, target: Path) -> None:
        if ("history" in source.parts) != ("history" in target.parts):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(source), None, str(target))
        real(source, target)

    monkeypatch.setattr(fs, "replace", replace)


def lines_of(data: bytes) -> set[bytes]:
    """The lines of a session, each with its end."""
    return {line + b"\n" for line in data.split(b"\n")[:-1]}
