"""Beside a pi that is writing: a session is named, taken away and brought back while its file grows.

What is promised holds for any timing. MEMTUI_RACES asks for that many rounds.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small_session import OLD, act, make_session, row_of, sessions_dir, trash_of, two_file_systems

from memtui.core import fs, streams
from memtui.core.env import Env, system_now
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.session_actions import SessionActions
from memtui.core.sessions.quick import look_at
from memtui.core.workspace import Workspace
from memtui.core.writing import moves

__all__ = ["two_file_systems"]

ROUNDS = int(os.environ.get("MEMTUI_RACES", "25"))


@pytest.fixture
def env(make_env: Callable[..., Env]) -> Env:
    """An environment whose clock runs: only so can a file be written to just now."""
    return make_env(now=system_now)


@pytest.fixture
def no_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that cannot keep others from opening a file."""
    monkeypatch.setattr(streams.Held, "be_alone", lambda self, wait_s=0.0: None)


class Pi:
    """The writing program."""

    def __init__(self, path: Path, stop: Path, pause_ms: float) -> None:
        script = Path(__file__).with_name("session_writer.py")
        command = [sys.executable, "-S", str(script), str(path), str(stop), str(pause_ms), "3"]
        self._child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._stop = stop
        assert self._child.stdout is not None and self._child.stdout.readline() == "ready\n"

    def stop(self) -> int:
        """Let it end; the number of its last entry."""
        self._stop.touch()
        out, _err = self._child.communicate()
        return int(out)


@pytest.fixture
def start_pi(tmp_path: Path) -> Iterator[Callable[[Path, float], Pi]]:
    with contextlib.ExitStack() as stack:

        def start(path: Path, pause_ms: float) -> Pi:
            pi = Pi(path, tmp_path / "stop", pause_ms)
            stack.callback(lambda: pi._child.poll() is None and pi.stop())
            return pi

        yield start


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def numbers(path: Path) -> list[int]:
    """The numbers of the entries in the file, in order."""
    return [int(item["id"], 16) for item in records(path) if item["type"] == "message"]


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def delete_and_undo(env: Env, path: Path, *, enough: int) -> None:
    act(env, "delete")
    wait_until(lambda: size(path) >= enough)
    assert not look_at(path).pi_opens
    act(env, "undo")


def test_s19_a_session_in_use_is_refused_and_comes_back_whole(
    env: Env, start_pi: Callable[[Path, float], Pi]
) -> None:
    path = make_session(env)
    pi = start_pi(path, 50)
    actions = SessionActions(Workspace(env))
    with pytest.raises(RefusedError) as caught:
        actions.trash_session(row_of(env))
    assert caught.value.code == "live" and "no header" in caught.value.message
    assert actions.in_use(row_of(env)) == caught.value.message
    assert numbers(path)[:2] == [1, 2] and trash_of(env) == []
    outcome = actions.trash_session(row_of(env), force=True)
    assert any("no header" in note for note in outcome.notes)
    wait_until(lambda: size(path) > 300)
    assert not look_at(path).pi_opens
    act(env, "undo")
    before = size(path)
    wait_until(lambda: size(path) > before)
    last = pi.stop()
    assert path.read_bytes().startswith(OLD)
    assert numbers(path) == list(range(1, last + 1))
    assert os.listdir(path.parent) == [path.name] and trash_of(env) == []
    assert look_at(path).pi_opens


@pytest.mark.parametrize("pause_ms", [50, 2, 0])
def test_s19_lines_written_meanwhile_come_back_in_order_and_once(
    pause_ms: float, env: Env, start_pi: Callable[[Path, float], Pi]
) -> None:
    path = make_session(env)
    pi = start_pi(path, pause_ms)
    for _round in range(3 if pause_ms == 50 else ROUNDS):
        delete_and_undo(env, path, enough=300)
    last = pi.stop()
    assert numbers(path) == list(range(1, last + 1))
    assert os.listdir(path.parent) == [path.name] and trash_of(env) == []


@pytest.mark.usefixtures("two_file_systems")
def test_s19_with_the_trash_on_another_file_system(env: Env, start_pi: Callable[[Path, float], Pi]) -> None:
    path = make_session(env)
    pi = start_pi(path, 2)
    for _round in range(ROUNDS):
        delete_and_undo(env, path, enough=300)
    last = pi.stop()
    assert numbers(path) == list(range(1, last + 1))
    assert os.listdir(path.parent) == [path.name] and trash_of(env) == []


@pytest.mark.usefixtures("no_leases")
def test_s19_without_leases_every_line_comes_back_once(env: Env, start_pi: Callable[[Path, float], Pi]) -> None:
    path = make_session(env)
    pi = start_pi(path, 2)
    for _round in range(ROUNDS):
        delete_and_undo(env, path, enough=300)
    last = pi.stop()
    assert sorted(numbers(path)) == list(range(1, last + 1))
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.usefixtures("no_leases")
def test_s19_without_leases_a_line_between_the_last_ones_doubles_none(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_session(env)
    act(env, "delete")
    lines = [b'{"type":"message","id":"%08x"}\n' % number for number in range(7)]
    path.write_bytes(b"".join(lines[:3]))
    exchange = moves.exchange_names

    def exchange_beside_pi(temp: Path, target: Path) -> None:
        exchange(temp, target)
        # one of its writes went to the file that was there, the next one to the one that came back
        for file, data in ((temp, lines[3]), (target, lines[4]), (temp, lines[5] + lines[6][:9])):
            with file.open("ab") as opened:
                opened.write(data)

    monkeypatch.setattr(moves, "exchange_names", exchange_beside_pi)
    act(env, "undo")
    after = path.read_bytes()
    assert after.startswith(OLD)
    found = after[len(OLD) :].split(b"\n")
    assert sorted(found) == sorted([*(line.rstrip() for line in lines[:6]), lines[6][:9]])
    assert os.listdir(path.parent) == [path.name] and trash_of(env) == []


def name_it(env: Env, rounds: int) -> list[str]:
    """Give the session one name after another; those that were given."""
    given = []
    for number in range(rounds):
        try:
            SessionActions(Workspace(env)).rename_session(row_of(env), f"name {number}")
            given.append(f"name {number}")
        except (ConflictError, RefusedError):
            # it grows without end, or its last line is just being written: a person would try again
            continue
    return given


@pytest.mark.parametrize("pause_ms", [20, 1])
def test_names_given_beside_a_writing_pi(
    pause_ms: float, env: Env, start_pi: Callable[[Path, float], Pi]
) -> None:
    path = make_session(env)
    pi = start_pi(path, pause_ms)
    given = name_it(env, ROUNDS)
    last = pi.stop()
    found = records(path)
    print(f"{len(given)} of {ROUNDS} names, {last} lines")
    assert numbers(path) == list(range(1, last + 1))
    assert [item["name"] for item in found if item["type"] == "session_info"] == given
    # while it grows every millisecond there is no moment to name it in
    assert given or pause_ms < 5
    before = dict(zip((item["id"] for item in found[1:]), found[:-1], strict=True))
    assert all(before[item["id"]]["id"] == item["parentId"] for item in found if item["type"] == "session_info")


@pytest.mark.usefixtures("no_leases")
def test_names_without_leases_lose_nothing(env: Env, start_pi: Callable[[Path, float], Pi]) -> None:
    path = make_session(env)
    pi = start_pi(path, 5)
    given = name_it(env, ROUNDS)
    last = pi.stop()
    assert numbers(path) == list(range(1, last + 1))
    assert [item["name"] for item in records(path) if item["type"] == "session_info"] == given


def test_a_line_that_lands_elsewhere_is_taken_back_and_written_anew(env: Env, no_leases: None) -> None:
    """pi writes between the last look and our own write: the name follows pi's entry, not the one before."""
    path = make_session(env)
    done: list[str] = []

    def slip_in(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if (effect, phase, paths) == ("append", "before", (path,)) and not done:
            done.append(effect)
            with open(path, "ab") as file:
                file.write(b'{"type":"message","id":"00000003","parentId":"00000002"}\n')

    with fs.observed_by(slip_in):
        act(env, "rename")
    *_others, theirs, ours = records(path)
    assert (theirs["id"], ours["parentId"], ours["name"]) == ("00000003", "00000003", "named")
    assert len([item for item in records(path) if item["type"] == "session_info"]) == 1
    act(env, "undo")
    assert numbers(path) == [1, 2, 3] and sessions_dir(env) == path.parent
