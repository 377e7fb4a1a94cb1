"""Many writers on one store, each with the owner's lock: what was acknowledged is there, nobody dies.

MEMTUI_TEST_WRITES says how many each of them writes (few by default); PROPER_LOCKFILE names the folder of the
library that amaster locks with.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DELIMITER = "\n§\n"
WAIT_S = 1800


@pytest.fixture
def count(real_environ: Mapping[str, str]) -> int:
    return int(real_environ.get("MEMTUI_TEST_WRITES", "15"))


@pytest.fixture
def library(real_environ: Mapping[str, str]) -> str:
    """The library's main file."""
    named = real_environ.get("PROPER_LOCKFILE", "proper-lockfile")
    if shutil.which("node") is None:
        pytest.skip("node is not here")
    asked = subprocess.run(
        ["node", "-p", f"require.resolve({named!r})"], capture_output=True, text=True, check=False, timeout=60
    )
    if asked.returncode:
        pytest.skip("proper-lockfile is not here (PROPER_LOCKFILE names its folder)")
    return asked.stdout.strip()


def run_all(commands: list[list[str]]) -> list[dict]:
    """Run them at once; what each of them says at its end."""
    children = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for words in commands
    ]
    answers = [child.communicate(timeout=WAIT_S) for child in children]
    assert [child.returncode for child in children] == [0] * len(children), [err for _out, err in answers]
    return [json.loads(out) for out, _err in answers]


def memtui(home: Path, root: Path, owner: str, name: int, count: int) -> list[str]:
    return [sys.executable, str(HERE / "memory_writer.py"), str(home), str(root), owner, str(name), str(count)]


def acknowledged(answers: list[dict], count: int) -> list[str]:
    """All acknowledged texts; every write was either acknowledged or refused, and most were not refused."""
    for answer in answers:
        assert len(answer["acknowledged"]) + answer["refused"] == count
    texts = [text for answer in answers for text in answer["acknowledged"]]
    assert texts
    print({"writes": count * len(answers), "refused": [answer["refused"] for answer in answers]})
    return texts


def test_amasters_writers_and_memtuis_on_one_file(tmp_path, home, library, count):
    root = tmp_path / "memories"
    root.mkdir()
    file = root / "MEMORY.md"
    file.write_text("here before")
    node = [
        ["node", str(HERE / "lockfile_writer.cjs"), library, str(file), str(name), str(count)]
        for name in range(4)
    ]
    answers = run_all([*node, *(memtui(home, root, "amaster", name, count) for name in range(4))])
    texts = acknowledged(answers, count)
    assert sorted(file.read_text().split(DELIMITER)) == sorted(["here before", *texts])
    assert [path.name for path in root.iterdir()] == ["MEMORY.md"]


def test_memtuis_on_one_file_of_amasters(tmp_path, home, count):
    root = tmp_path / "memories"
    root.mkdir()
    answers = run_all([memtui(home, root, "amaster", name, count) for name in range(2)])
    texts = acknowledged(answers, count)
    assert sorted((root / "MEMORY.md").read_text().split(DELIMITER)) == sorted(texts)


@pytest.mark.parametrize("shares_state", [True, False], ids=["one-history", "two-histories"])
def test_two_memtuis_on_a_notes_store(tmp_path, home, count, shares_state):
    """Two of different homes know nothing of each other but the owner's lock."""
    root = tmp_path / "notes"
    root.mkdir()
    homes = [home, home if shares_state else tmp_path / "other"]
    homes[1].mkdir(exist_ok=True)
    answers = run_all([memtui(homes[name], root, "yandy-2", name, count) for name in range(2)])
    texts = acknowledged(answers, count)
    index = (root / "MEMORY.md").read_text()
    assert sorted(
        line.partition("](")[0].removeprefix("- [") for line in index.splitlines() if line[:1] == "-"
    ) == (sorted(texts))
    files = sorted(path.name for path in root.iterdir())
    assert files == sorted(["MEMORY.md", *(f"{text.replace(' ', '-')}.md" for text in texts)])
    assert not os.path.lexists(root / ".lock")
