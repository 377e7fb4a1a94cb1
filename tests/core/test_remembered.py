"""What memtui remembers of a person: kept from run to run, never a reason to stop, never half a file."""

from __future__ import annotations

import json
import os
import stat
import threading

import pytest

from memtui.core import fs
from memtui.core.remembered import Remembered, load_remembered, save_remembered

SOME = Remembered(
    used={"undo": 2, "add": 3},
    order="age",
    session_order="turns",
    theme="memtui-light",
    rendered=True,
    places={"zcode": "0 caf\udce9.md"},
)


def path_of(env):
    return env.state_dir / "remembered.json"


def test_nothing_saved_means_defaults_and_makes_nothing(env):
    assert load_remembered(env) == Remembered()
    assert not env.state_dir.exists()


def test_what_is_saved_comes_back_and_is_private(env):
    save_remembered(env, SOME)
    assert load_remembered(env) == SOME
    assert stat.S_IMODE(path_of(env).stat().st_mode) == 0o600
    assert stat.S_IMODE(env.state_dir.stat().st_mode) == 0o700


def test_saving_again_replaces_and_leaves_no_temp_file(env):
    save_remembered(env, SOME)
    path_of(env).with_name("remembered.json.tmp").write_bytes(b"left by one that was killed")
    save_remembered(env, Remembered(theme="other"))
    assert load_remembered(env) == Remembered(theme="other")
    assert sorted(os.listdir(env.state_dir)) == ["remembered.json", "remembered.lock"]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'"x"', b" " * 300_000]
)
def test_a_broken_file_means_defaults_and_is_replaced(env, data):
    env.state_dir.mkdir(parents=True)
    path_of(env).write_bytes(data)
    assert load_remembered(env) == Remembered()
    save_remembered(env, SOME)
    assert load_remembered(env) == SOME


def test_values_of_the_wrong_kind_and_unknown_names_are_passed_over(env):
    env.state_dir.mkdir(parents=True)
    values = {
        "used": {"undo": 1, "add": "many", "redo": True},
        "order": 7,
        "rendered": 1,
        "theme": "dark",
        "places": [],
        "later": {},
    }
    path_of(env).write_text(json.dumps(values))
    assert load_remembered(env) == Remembered(used={"undo": 1}, theme="dark")


def test_a_folder_or_a_link_in_its_place_is_no_reason_to_stop(env, tmp_path):
    path_of(env).mkdir(parents=True)
    assert load_remembered(env) == Remembered()
    path_of(env).rmdir()
    (tmp_path / "elsewhere").write_text('{"theme": "x"}')
    path_of(env).symlink_to(tmp_path / "elsewhere")
    assert load_remembered(env) == Remembered()


def test_a_write_that_fails_leaves_what_was_there(env):
    save_remembered(env, SOME)
    for failing in ("write_new", "replace"):

        def fail(effect, phase, paths, failing=failing):
            if effect == failing and phase in ("middle", "before"):
                raise OSError(28, "no space left")

        with fs.observed_by(fail), pytest.raises(OSError):
            save_remembered(env, Remembered())
        assert load_remembered(env) == SOME


def test_two_memtuis_at_once_leave_one_whole_file(env):
    wrote = [Remembered(places={str(n): "x" * 2000}) for n in range(2)]

    def write(which):
        for _round in range(10):
            save_remembered(env, which)

    threads = [threading.Thread(target=write, args=(which,)) for which in wrote]
    for thread in threads:
        thread.start()
    seen = []
    while any(thread.is_alive() for thread in threads):
        seen.append(load_remembered(env))
    for thread in threads:
        thread.join()
    assert load_remembered(env) in wrote
    assert all(found in [*wrote, Remembered()] for found in seen)


def test_tables_are_kept_small(env):
    save_remembered(env, Remembered(places={str(n): "x" for n in range(600)}))
    assert list(load_remembered(env).places)[::499] == ["100", "599"]
