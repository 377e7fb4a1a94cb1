"""The process that writes the index, killed while it works: what it leaves opens, and the next run makes it whole."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from index_killing import documents, kill_after, opens, write_index

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from session_corpus import Writer, grown

KILLS = 6


@pytest.fixture
def quick(child_environ: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """Children that are compiled once: each is killed at work, not while it starts."""
    environ = {name: value for name, value in child_environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}


def test_an_index_whose_writer_was_killed_opens_and_becomes_whole(
    tmp_path: Path, quick: dict[str, str]
) -> None:
    rng = random.Random(4)
    sessions = [grown(rng, 250_000, f"s-{number}") for number in range(6)]
    files = [session.save(tmp_path / "sessions" / f"{number}.jsonl") for number, session in enumerate(sessions)]
    index = tmp_path / "index"
    write_index(tmp_path / "compiles", files[:1], quick)
    took_s = write_index(tmp_path / "measured", files, quick)
    killed = 0
    for number in range(KILLS):
        delay_s = took_s * (0.4 + 0.55 * number / KILLS)
        killed += kill_after(delay_s, index, files, quick)
        assert opens(index), number
        append(rng, sessions[number % len(sessions)], files[number % len(files)])
    write_index(index, files, quick)
    write_index(tmp_path / "clean", files, quick)
    found = documents(index)
    assert found == documents(tmp_path / "clean")
    # a message has one document of what is said and one of what tools gave
    assert max(found.values()) <= 2
    assert killed > 0


def append(rng: random.Random, session: Writer, path: Path) -> None:
    """Let a session go on."""
    session.user(f"go on {rng.random()}")
    session.tool("done " * 50)
    session.save(path)
