"""What of the sessions the index holds, what is read beside it and when, and that each directory has its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from index_desk import Desk
from session_corpus import Writer

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.core.search.index.parts import Parts, parts_of
from memtui.core.search.searching import search


@pytest.fixture
def desk(home: Path) -> Desk:
    """`old` is indexed and grew since, `same` is indexed; `first`, `second` and `third` are new, in this order."""
    desk = Desk(home)
    for number, name in enumerate(("old", "same")):
        _save(desk, name, number)
    desk.update()
    for number, name in enumerate(("first", "second", "third")):
        _save(desk, name, number + 5)
    grown = Writer(session_id="old")
    grown.user("quince of old")
    grown.number = 9000
    grown.user("quince again")
    desk.save(grown, "old.jsonl")
    return desk


def _save(desk: Desk, name: str, number: int) -> Path:
    session = Writer(session_id=name)
    # no entry is a copy of one in another file
    session.number = 1000 * number
    session.user(f"quince of {name}")
    for _turn in range(number):
        session.assistant("so it is")
    return desk.save(session, f"{name}.jsonl")


def _parts(desk: Desk, *, reads_all: bool = True) -> Parts:
    assert desk.reader.refresh()
    return parts_of(tuple(desk.sessions), desk.reader, reads_all=reads_all)


def _names(sessions: list[object]) -> list[str]:
    return [session.id for session in sessions]  # type: ignore[attr-defined]


def _limit(monkeypatch: pytest.MonkeyPatch, **limits: int) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(f"memtui.core.search.index.parts.{name}", value)


def test_of_a_file_that_grew_only_the_rest_is_read(desk: Desk) -> None:
    parts = _parts(desk)
    starts = {path.stem: start for path, start in parts.starts.items()}
    assert {name for name, start in starts.items() if not start} == {"first", "second", "third"}
    assert 0 < starts["old"] < (desk.agent / "sessions" / "--home-dev-app--" / "old.jsonl").stat().st_size
    assert "same" not in starts
    assert sorted(Path(name).stem for name in parts.rows) == ["old", "same"]
    assert sorted(parts.sids) == sorted(row.sid for row in parts.rows.values())


def test_the_newest_are_read_before_the_index_is_asked_and_the_others_after_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = _parts(desk)
    newest = _names(everything.near)
    assert set(newest) == {"first", "second", "third", "old"} and everything.far == []
    room = sum(session.size_bytes for session in everything.near[:1])
    _limit(monkeypatch, NEAR_BYTES=room)
    parts = _parts(desk)
    assert _names([*parts.near, *parts.far]) == newest and len(parts.near) == 1
    hits = search("quince", (), tuple(desk.sessions), index=desk.reader).results().hits
    indexed = [hit.session for hit in hits if hit.snippet in ("quince of old", "quince of same")]
    assert [hit.session for hit in hits][:1] == newest[:1]
    assert [hit.session for hit in hits][1:3] == indexed
    assert [hit.session for hit in hits][3:] == newest[1:]
    assert {hit.snippet for hit in hits} >= {"quince again", "quince of third"}


@pytest.mark.parametrize(("reads_all", "unread"), [(True, 0), (False, 3)])
def test_what_is_much_is_left_out_until_it_is_indexed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, reads_all: bool, unread: int
) -> None:
    _limit(monkeypatch, READ_BYTES=_parts(desk).near[0].size_bytes)
    assert _parts(desk, reads_all=reads_all).unread == unread
    found = search("quince", (), tuple(desk.sessions), index=desk.reader, reads_all=reads_all).results()
    assert found.total == 6 - unread and found.hidden.get("not-indexed", 0) == unread


def test_the_same_sessions_are_looked_at_once_until_more_is_indexed(desk: Desk) -> None:
    sessions = tuple(desk.sessions)
    assert desk.reader.refresh()
    first = parts_of(sessions, desk.reader, reads_all=True)
    assert parts_of(sessions, desk.reader, reads_all=True) is first
    assert parts_of(sessions, desk.reader, reads_all=False) is not first
    desk.update()
    assert desk.reader.refresh()
    later = parts_of(sessions, desk.reader, reads_all=True)
    assert later is not first and not later.near and len(later.rows) == 5


# One index for each directory of sessions


def test_each_session_directory_has_an_index_of_its_own(make_env: Callable[..., Env], home: Path) -> None:
    flat = home / "all sessions"
    usual = home / ".pi" / "agent" / "sessions" / "--home-dev-app--"
    for folder, word in ((usual, "plum"), (flat, "quince")):
        session = Writer(session_id=word)
        session.user(f"a {word} and a medlar")
        session.save(folder / f"{word}.jsonl")
    here, there = Library(make_env()), Library(make_env(environ={"PI_CODING_AGENT_SESSION_DIR": str(flat)}))
    assert here.index_home != there.index_home and there.places.flat
    for library in (here, there):
        assert library.update_index(library.session_files()).is_done

    def found(library: Library) -> list[str]:
        return [hit.session for hit in library.search("medlar", (), tuple(library.sessions()), folds=True)]

    assert (found(here), found(there)) == (["plum"], ["quince"])
    assert here.index_status(here.session_files()).files == 1
    assert there.clear_index() and not there.clear_index()
    assert here.index_status(here.session_files()).state == "ready"
    assert there.index_status(there.session_files()).state == "none"
    # both go on: one by its index, the other by its files
    assert (found(here), found(there)) == (["plum"], ["quince"])
