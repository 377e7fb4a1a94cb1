"""Whatever somebody may remember of a message finds it: all of a word, its inside, a typing error, CJK."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from session_corpus import START, Writer

from memtui.core.env import Env
from memtui.core.library import Library

SESSIONS = 200

NEEDLES = {
    "zebrafish_quantum_cache": 10,
    "PhantomLatticeResolver": 5,
    "deterministic replay harness": 5,
    "增量索引更新": 5,
}
"""One session in so many holds it, each needle in others."""

TYPED = {
    **{needle: needle for needle in NEEDLES},
    "ZEBRAFISH_QUANTUM_CACHE": "zebrafish_quantum_cache",
    "zebrafish": "zebrafish_quantum_cache",
    "quantum": "zebrafish_quantum_cache",
    "phantomlattice": "PhantomLatticeResolver",
    "replay harness": "deterministic replay harness",
    "harness deterministic": "deterministic replay harness",
    "索引更新": "增量索引更新",
    "量索引": "增量索引更新",
    "latticeresolver": "PhantomLatticeResolver",
    "zebrafsh": "zebrafish_quantum_cache",
    "determinstic replay harness": "deterministic replay harness",
    "phantmlatticeresolver": "PhantomLatticeResolver",
}


@pytest.fixture(scope="module")
def held() -> dict[str, set[str]]:
    """Which sessions hold each needle."""
    found: dict[str, set[str]] = {}
    for number, (needle, every) in enumerate(NEEDLES.items()):
        found[needle] = {f"session-{at}" for at in range(number, SESSIONS, every)}
    return found


@pytest.fixture
def library(env: Env, home: Path, held: dict[str, set[str]]) -> Library:
    folder = home / ".pi" / "agent" / "sessions" / "--home-dev-app--"
    for number in range(SESSIONS):
        session = Writer(session_id=f"session-{number}")
        session.number, session.moment = 100 * number, START + timedelta(hours=number)
        session.user(f"第{number}个问题。我们要更新缓存，再看看量子。" if number % 2 else f"question {number}")
        for at, needle in enumerate(name for name, ids in held.items() if f"session-{number}" in ids):
            # said by somebody, or given by a tool
            say = session.user if (number + at) % 3 else session.tool
            say(f"接着把{needle}做完" if not needle.isascii() else f"and then {needle}, please")
        session.assistant("the cache of the resolver is a lattice; a replay, a quantum, an update")
        session.save(folder / f"{number:03}.jsonl")
    library = Library(env)
    assert library.update_index(library.session_files()).is_done
    return library


def test_every_way_of_remembering_finds_all_sessions(library: Library, held: dict[str, set[str]]) -> None:
    sessions = list(library.sessions())
    found = {typed: {hit.session for hit in library.search(typed, (), sessions, folds=True)} for typed in TYPED}
    counts = {typed: (len(found[typed] & held[needle]), len(held[needle])) for typed, needle in TYPED.items()}
    assert counts == {typed: (len(held[needle]), len(held[needle])) for typed, needle in TYPED.items()}
    assert {len(ids) for ids in held.values()} == {20, 40}
