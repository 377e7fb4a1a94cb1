"""What every key would cost with many sessions is done once for as long as nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from session_corpus import Writer

from memtui.core.last import Last
from memtui.core.search.index import parts as parts_module
from memtui.core.search.index.parts import parts_of
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.writer import update_index
from memtui.core.sessions.base import Session
from memtui.core.sessions.quick import look_at


def test_the_newest_result_is_given_again_for_the_very_same_thing_only() -> None:
    made: list[int] = []
    last: Last[int] = Last()

    def make() -> int:
        made.append(len(made))
        return made[-1]

    one = (1, 2, 3)
    other = (*one[:2], 3)
    assert one == other and one is not other
    given = [(one, "a"), (one, "a"), (one, "b"), (one, "b"), (other, "b"), (one, "b")]
    assert [last.of(thing, key, make) for thing, key in given] == [0, 0, 1, 1, 2, 3]


def test_sessions_are_looked_at_again_only_when_they_or_the_index_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    look = parts_module._look

    def counted(sessions: tuple[Session, ...], reader: IndexReader, *, reads_all: bool) -> parts_module.Parts:
        looks.append(len(sessions))
        return look(sessions, reader, reads_all=reads_all)

    monkeypatch.setattr(parts_module, "_look", counted)
    writers = [Writer(session_id=str(number)) for number in range(3)]
    for writer in writers:
        writer.user("quince")
    files = [writer.save(home / "sessions" / f"{number}.jsonl") for number, writer in enumerate(writers)]
    update_index(home / "cache", files[:2])
    reader = IndexReader(home / "cache")
    sessions = tuple(map(look_at, files))

    def parts() -> parts_module.Parts:
        assert reader.refresh()
        return parts_of(sessions, reader, reads_all=True)

    assert [session.id for session in parts().near] == ["2"]
    assert parts() is parts()
    assert looks == [3]
    update_index(home / "cache", files)
    assert parts().near == []
    assert looks == [3, 3]
    writers[0].user("more of it")
    writers[0].save(files[0])
    sessions = tuple(map(look_at, files))
    assert [session.id for session in parts().near] == ["0"]
    assert looks == [3, 3, 3]
