"""Changes by others: what is noted of stores, what is different since, and bringing one or all of it back."""

from __future__ import annotations

import dataclasses
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from carry_stores import FILES, LAYOUTS, fill, store_of

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.history import sightings
from memtui.core.history.journal import Journal
from memtui.core.layouts.base import Remove, SetField, SetText, Snapshot, StoredFile
from memtui.core.layouts.table import LAYOUTS as TABLE
from memtui.core.others import Noter, Others, StoreChanges
from memtui.core.workspace import Workspace

START = datetime(2026, 11, 30, 14, 2, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **time: float) -> None:
        self.now += timedelta(**time)


class Desk:
    """One memtui on stores of every layout below a directory."""

    def __init__(self, env: Env, parent: Path, run: str = "run-1") -> None:
        self.parent = parent
        self.workspace = Workspace(env)
        self.others = Others(self.workspace, run)

    def look(self, layout: str = "facts") -> Snapshot:
        return self.workspace.scan(store_of(self.parent, layout))

    def note(self, layout: str = "facts") -> int:
        return self.others.note(self.look(layout))

    def changes(self, layout: str = "facts", since: str | datetime = "start") -> StoreChanges:
        return self.others.changes_in(self.look(layout), since)  # type: ignore[arg-type]

    def rows(self, layout: str = "facts", since: str | datetime = "start") -> list[tuple[str, str]]:
        return [(item.row.how, item.row.title) for item in self.changes(layout, since).rows]

    def files(self, layout: str = "facts") -> dict[str, bytes]:
        root = self.parent / layout
        return {path.name: path.read_bytes() for path in sorted(root.glob("*.md"))}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


@pytest.fixture
def env(make_env: Callable[..., Env], clock: Clock) -> Env:
    return make_env(now=clock)


@pytest.fixture
def desk(env: Env, parent: Path) -> Desk:
    return Desk(env, parent)


def by_another(desk: Desk, layout: str, *edits: object) -> None:
    """Another program writes what these edits would."""
    snapshot = desk.look(layout)
    for edit in edits:
        draft = TABLE[layout].edit(snapshot, edit)  # type: ignore[arg-type]
        for change in draft.changes:  # type: ignore[union-attr]
            path = desk.parent / layout / change.path
            if change.after is None:
                path.unlink()
            else:
                path.write_bytes(change.after)
        snapshot = desk.look(layout)


EIGHT = {f"f{n}.md": f"---\nname: f{n}\ndescription: about f{n}\n---\n\nbody {n}\n" for n in range(1, 9)}
INDEX = "# Memory\n\n" + "".join(f"- [F{n}](f{n}.md) — hook {n}\n" for n in range(1, 9))


@pytest.fixture
def eight(desk: Desk) -> Path:
    """A store of eight memories, noted, of which a program then removed five and rewrote the index (C12)."""
    root = desk.parent / "facts"
    for path in root.iterdir():
        path.unlink()
    for name, text in {**EIGHT, "MEMORY.md": INDEX}.items():
        (root / name).write_text(text)
    desk.note()
    for n in (2, 4, 5, 6, 8):
        (root / f"f{n}.md").unlink()
    (root / "MEMORY.md").write_text(
        "# Memory\n\n" + "".join(f"- [F{n}](f{n}.md) — hook {n}\n" for n in (1, 3, 7))
    )
    return root


# What is noted


def test_a_look_is_noted_once_a_run_and_where_something_changed_privately(
    desk: Desk, env: Env, clock: Clock
) -> None:
    journal = Journal(env.state_dir, env.now)
    noted = journal.sightings
    root = desk.parent / "facts"
    assert desk.note() == sum(len(text.encode()) for text in FILES["facts"].values())
    written = {path: path.read_bytes() for path in journal.root.rglob("*") if path.is_file()}
    clock.pass_by(minutes=1)
    assert desk.note() == 0
    assert written == {path: path.read_bytes() for path in journal.root.rglob("*") if path.is_file()}
    (root / "other.md").write_text("other text\n")
    clock.pass_by(minutes=1)
    assert desk.note() == len("other text\n")
    again = Desk(env, desk.parent, "run-2")
    assert again.note() == 0
    assert [(item.when.minute, item.run) for item in noted.of(root, "facts")] == [
        (2, "run-1"),
        (4, "run-1"),
        (4, "run-2"),
    ]
    first, second, _third = noted.of(root, "facts")
    assert first.files.keys() == second.files.keys() == FILES["facts"].keys()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in journal.root.rglob("*") if path.is_file()}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in journal.root.rglob("*") if path.is_dir()}
    assert (modes, folders) == ({0o600}, {0o700})


def test_what_is_only_listed_or_read_from_its_end_and_an_older_look_are_not_noted(
    desk: Desk, clock: Clock
) -> None:
    look = desk.look()
    end = StoredFile("end.md", "file", b"the end", offset=9)
    listed = StoredFile("listed.db", "file", None, size_bytes=7)
    desk.others.note(dataclasses.replace(look, files={**look.files, "end.md": end, "listed.db": listed}))
    (sighting,) = Journal(desk.workspace.env.state_dir, clock).sightings.of(look.store.root, look.store.layout)
    assert sighting.files.keys() == FILES["facts"].keys()
    clock.pass_by(minutes=1)
    (look.store.root / "other.md").unlink()
    desk.note()
    assert desk.others.note(look) == 0
    assert desk.rows() == [("removed", "Other")]


def test_with_the_history_off_nothing_is_noted_and_that_is_said(
    desk: Desk, env: Env, parent: Path, clock: Clock
) -> None:
    desk.note()
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("history:\n  enabled: false\n")
    off = Desk(env, parent)
    assert off.note("notes") == 0
    with pytest.raises(RefusedError, match="switched off"):
        off.others.changes()
    off.workspace.prune_history()
    journal = Journal(env.state_dir, clock)
    assert journal.sightings.logs() == {}
    assert journal.objects.kept() == {}


def test_a_kill_at_any_effect_leaves_what_was_noted_before(desk: Desk, env: Env, clock: Clock) -> None:
    root = desk.parent / "facts"
    desk.note()
    for number in range(100):
        text = f"version {number}\n"
        (root / "other.md").write_text(text)
        clock.pass_by(minutes=1)
        seen = desk.look()
        effects: Iterator[int] = iter(range(10_000))

        def killed(effect: str, phase: str, paths: tuple[Path, ...], at: int = number, effects=effects) -> None:
            if next(effects) >= at:
                raise KeyboardInterrupt

        try:
            with fs.observed_by(killed):
                desk.others.note(seen)
            break
        except KeyboardInterrupt:
            pass
        journal = Journal(env.state_dir, clock)
        log = journal.sightings.of(root, "facts")
        assert log
        texts = {journal.objects.get(seen.key) for item in log for seen in item.files.values()}
        assert None not in texts
    assert number > 5
    changes = desk.changes(since=START)
    assert changes.before.files["other.md"].data == FILES["facts"]["other.md"].encode()


def test_a_torn_line_is_passed_over_and_noted_again(desk: Desk, env: Env, clock: Clock) -> None:
    root = desk.parent / "facts"
    desk.note()
    clock.pass_by(minutes=1)
    (root / "other.md").write_text("two\n")
    desk.note()
    (log,) = (env.state_dir / "history" / "sightings").iterdir()
    log.write_bytes(log.read_bytes()[:-20])
    fresh = Desk(env, desk.parent)
    clock.pass_by(minutes=1)
    fresh.note()
    found = Journal(env.state_dir, clock).sightings.of(root, "facts")
    assert [len(item.files) for item in found] == [3, 3]
    assert fresh.rows() == [("changed", "Other")]


def test_old_sightings_go_with_their_texts_and_the_one_before_them_stays(
    desk: Desk, env: Env, clock: Clock
) -> None:
    root = desk.parent / "facts"
    for number in range(4):
        (root / "other.md").write_text(f"version {number}\n")
        desk.note()
        clock.pass_by(days=40)
    journal = Journal(env.state_dir, clock)
    assert len(journal.sightings.of(root, "facts")) == 4
    desk.workspace.prune_history(dry_run=True)
    assert len(journal.sightings.of(root, "facts")) == 4
    desk.workspace.prune_history()
    left = journal.sightings.of(root, "facts")
    texts = [journal.objects.get(item.files["other.md"].key) for item in left]
    assert texts == [b"version 1\n", b"version 2\n", b"version 3\n"]
    (env.config_dir).mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("history:\n  keep_mb: 0\n")
    Desk(env, desk.parent).workspace.prune_history()
    assert journal.sightings.of(root, "facts") == () and journal.objects.kept() == {}


def test_looks_close_together_are_noted_as_one_unless_text_goes(desk: Desk, env: Env, clock: Clock) -> None:
    root, noter = desk.parent / "facts", Noter(desk.others)
    noted = Journal(env.state_dir, clock).sightings

    def look() -> bool:
        noter.looked([desk.look()])
        assert noter.go_on()
        return noter.is_waiting

    assert not look()
    for number in range(5):
        clock.pass_by(seconds=1)
        with open(root / "other.md", "a") as file:
            file.write(f"line {number}\n")
        assert look()
    assert len(noted.of(root, "facts")) == 1
    clock.pass_by(seconds=1)
    (root / "other.md").unlink()
    assert not look()
    assert [len(item.files) for item in noted.of(root, "facts")] == [3, 3, 2]
    clock.pass_by(minutes=5)
    noter.end(clock())
    assert [item.when for item in noted.of(root, "facts")][-1] == clock()
    assert Desk(env, desk.parent, "").rows(since="last") == []


def test_a_busy_store_keeps_the_newest_looks_and_those_at_which_a_run_began(
    desk: Desk, env: Env, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, count in {"MOST": 20, "NEWEST": 4, "RUNS": 2}.items():
        monkeypatch.setattr(sightings, name, count)
    root = desk.parent / "facts"
    for number in range(60):
        clock.pass_by(minutes=1)
        (root / "other.md").write_text(f"version {number}\n")
        Desk(env, desk.parent, f"run-{number // 20}").note()
    journal = Journal(env.state_dir, clock)
    log = journal.sightings.of(root, "facts")
    assert len(log) <= 21
    texts = [(item.run, journal.objects.get(item.files["other.md"].key)) for item in log]
    for kept in (("run-1", b"version 20\n"), ("run-2", b"version 40\n"), ("run-2", b"version 59\n")):
        assert kept in texts
    assert texts[texts.index(("run-2", b"version 40\n")) - 1] == ("run-1", b"version 39\n")


# What is different


def test_rows_are_memories_and_files_without_what_memtui_did_itself(desk: Desk, clock: Clock) -> None:
    root = desk.parent / "facts"
    desk.note()
    clock.pass_by(minutes=1)
    desk.workspace.run(desk.look(), "set", (SetField("other.md", "hook", "mine"),))
    desk.workspace.run(desk.look(), "set", (SetField("other.md", "hook", "mine again"),))
    assert desk.rows() == []
    (root / "ssh-port.md").unlink()
    (root / "new.md").write_text("new\n")
    index = (root / "MEMORY.md").read_text()
    (root / "MEMORY.md").write_text(
        index.replace("# Memory\n", "# Memory of others\n") + "- [New](new.md) — new\n"
    )
    changes = desk.changes()
    assert [(item.row.how, item.row.id) for item in changes.rows] == [
        ("removed", "ssh-port.md"),
        ("new", "new.md"),
        ("changed", "MEMORY.md"),
    ]
    assert [item.after for item in changes.rows] == [START] * 3
    assert [item.until for item in changes.rows] == [clock()] * 3


def test_since_start_last_and_a_time_are_different_looks(desk: Desk, env: Env, clock: Clock) -> None:
    root = desk.parent / "facts"
    desk.note()
    clock.pass_by(hours=1)
    (root / "other.md").write_text("while away\n")
    now = Desk(env, desk.parent, "run-2")
    now.note()
    clock.pass_by(hours=1)
    (root / "ssh-port.md").write_text("while open\n")
    now.note()
    assert now.rows(since="last") == [("changed", "SSH port"), ("changed", "Other")]
    assert now.rows(since="start") == [("changed", "SSH port")]
    assert now.rows(since=START + timedelta(minutes=30)) == now.rows(since="last")
    early = now.changes(since=START - timedelta(days=1))
    assert (early.since, early.is_exact) == (START, False)
    # a command has no run of its own: it means the app that ran last
    command = Desk(env, desk.parent, "")
    assert command.rows(since="start") == [("changed", "SSH port")]
    assert command.rows(since="last") == []
    windows = {item.row.title: (item.after.hour, item.until.hour) for item in now.changes(since="last").rows}
    assert windows == {"Other": (14, 15), "SSH port": (15, 16)}


# The way back


def test_c12_five_of_eight_come_back_one_or_all_with_their_lines(desk: Desk, eight: Path, clock: Clock) -> None:
    clock.pass_by(minutes=1)
    lost = desk.files()
    changes = desk.changes()
    assert [(item.row.how, item.row.id) for item in changes.rows] == [
        ("removed", f"f{n}.md") for n in (2, 4, 5, 6, 8)
    ]
    done = desk.others.restore([(changes, ["f5.md"])])
    assert done.change is not None and done.change.summary == "brought back F5"
    assert (eight / "f5.md").read_text() == EIGHT["f5.md"]
    lines = (eight / "MEMORY.md").read_text().splitlines()
    assert lines == ["# Memory", "", *(f"- [F{n}](f{n}.md) — hook {n}" for n in (1, 3, 5, 7))]
    assert [item.row.id for item in desk.changes().rows] == [f"f{n}.md" for n in (2, 4, 6, 8)]
    whole = desk.changes()
    desk.others.restore([(whole, [item.row.id for item in whole.rows])])
    assert desk.files() == {name: text.encode() for name, text in {**EIGHT, "MEMORY.md": INDEX}.items()}
    for change in ("2", "1"):
        desk.workspace.undo(change)
    assert desk.files() == lost
    desk.workspace.redo(change_id="1")
    assert "f5.md" in desk.files()


def test_lines_come_back_in_the_style_that_the_index_has_by_now(desk: Desk, eight: Path) -> None:
    (eight / "MEMORY.md").write_bytes(b"Facts:\r\n* [F1](f1.md): hook 1\r\n* [F7](f7.md): hook 7")
    changes = desk.changes()
    desk.others.restore([(changes, ["f6.md", "f8.md"])])
    assert (eight / "MEMORY.md").read_bytes() == (
        b"Facts:\r\n* [F1](f1.md): hook 1\r\n* [F6](f6.md): hook 6\r\n* [F7](f7.md): hook 7\r\n* [F8](f8.md): hook 8"
    )


def test_what_changed_since_the_look_is_merged_or_shown_and_never_overwritten(desk: Desk, eight: Path) -> None:
    (eight / "f1.md").write_text(EIGHT["f1.md"].replace("body 1", "rewritten"))
    changes = desk.changes()
    (eight / "f2.md").write_text("another memory of this name\n")
    with pytest.raises(ConflictError, match="exists again"):
        desk.others.restore([(changes, ["f2.md"])])
    # a line of theirs below is kept, the changed one comes back
    (eight / "f1.md").write_text(EIGHT["f1.md"].replace("body 1", "rewritten\n\nmore"))
    desk.others.restore([(changes, ["f1.md"])])
    assert (eight / "f1.md").read_text() == EIGHT["f1.md"] + "\nmore\n"
    (eight / "f1.md").write_text(EIGHT["f1.md"].replace("body 1", "rewritten again"))
    with pytest.raises(ConflictError, match="same lines"):
        desk.others.restore([(changes, ["f1.md"])])
    # of several, what cannot come back is named, and the rest comes
    plan = desk.others.plan_restore([(changes, ["f2.md", "f4.md"])])
    assert any("f2.md exists again" in note for note in plan.notes)
    assert [step.path.name for step in plan.steps] == ["f4.md", "MEMORY.md"]
    assert (eight / "f2.md").read_text() == "another memory of this name\n"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("how", ["removed", "rewritten", "all gone"])
def test_every_layout_gives_back_byte_for_byte_and_undo_takes_it_away(
    desk: Desk, clock: Clock, layout: str, how: str
) -> None:
    before = desk.files(layout)
    desk.note(layout)
    clock.pass_by(minutes=1)
    look = desk.look(layout)
    if how == "all gone":
        shutil.rmtree(desk.parent / layout)
    elif how == "removed":
        by_another(desk, layout, Remove(look.memories[0].id))
    else:
        text = TABLE[layout].text(look, look.memories[0].id)
        assert text is not None
        other = text.text.replace(b"2222", b"2200").replace(b"Ana", b"Bob")
        by_another(desk, layout, SetText(look.memories[0].id, other))
    lost = desk.files(layout)
    changes = desk.changes(layout)
    assert changes.rows
    outcome = desk.others.restore([(changes, [item.row.id for item in changes.rows])])
    assert desk.files(layout) == before
    assert desk.changes(layout).rows == ()
    assert outcome.change is not None
    desk.workspace.undo(outcome.change.id)
    assert desk.files(layout) == lost


@pytest.mark.parametrize("layout", ["topics", "entries"])
def test_one_of_several_in_a_file_comes_back_beside_what_is_new_there(
    desk: Desk, clock: Clock, layout: str
) -> None:
    desk.note(layout)
    clock.pass_by(minutes=1)
    look = desk.look(layout)
    gone = look.memories[0]
    by_another(desk, layout, Remove(gone.id))
    path = desk.parent / layout / gone.file
    new = "\n## New\n\nnew\n" if layout == "topics" else "\n§\nnew"
    path.write_text(path.read_text() + new)
    changes = desk.changes(layout)
    desk.others.restore([(changes, [gone.id])])
    titles = [memory.title for memory in desk.look(layout).memories if memory.file == gone.file]
    assert titles == [gone.title, *(["Other", "New"] if layout == "topics" else ["other", "new"])]
    found = next(memory for memory in desk.look(layout).memories if memory.title == gone.title)
    text, was = (TABLE[layout].text(side, item.id) for side, item in ((desk.look(layout), found), (look, gone)))
    assert text is not None and was is not None and text.text == was.text


def test_a_directory_that_is_read_in_another_layout_has_lost_nothing(desk: Desk, clock: Clock) -> None:
    store = dataclasses.replace(store_of(desk.parent, "entries"), root=desk.parent / "facts")
    desk.note()
    clock.pass_by(minutes=1)
    other = desk.workspace.scan(store)
    assert desk.others.changes_in(other, "last").rows == ()
    desk.others.note(other)
    assert desk.rows() == desk.rows(since="last") == []


def test_what_was_written_beside_the_memories_of_a_file_stays(desk: Desk, clock: Clock) -> None:
    fill(desk.parent, "topics")
    path = desk.parent / "topics" / "net.md"
    path.write_text(path.read_text().replace("\n## Staging", "\nOld.\n\n## Staging"))
    desk.note("topics")
    clock.pass_by(minutes=1)
    path.write_text(path.read_text().replace("Old.", "Old, and new.").replace("2222", "3333"))
    changes = desk.changes("topics")
    (row,) = changes.rows
    desk.others.restore([(changes, [row.row.id])])
    assert "Old, and new." in path.read_text() and "2222" in path.read_text()


def test_rows_of_several_stores_are_one_change(desk: Desk, clock: Clock) -> None:
    whole = {layout: desk.files(layout) for layout in LAYOUTS}
    for layout in LAYOUTS:
        desk.note(layout)
    clock.pass_by(minutes=1)
    for layout in LAYOUTS:
        by_another(desk, layout, Remove(desk.look(layout).memories[0].id))
    lost = {layout: desk.files(layout) for layout in LAYOUTS}
    wanted = [(found, [item.row.id for item in found.rows]) for found in map(desk.changes, LAYOUTS)]
    outcome = desk.others.restore(wanted)
    assert {layout: desk.files(layout) for layout in LAYOUTS} == whole
    assert outcome.change is not None
    desk.workspace.undo(outcome.change.id)
    assert {layout: desk.files(layout) for layout in LAYOUTS} == lost


def test_two_memtuis_note_what_each_sees_once(desk: Desk, env: Env, clock: Clock) -> None:
    root, other = desk.parent / "facts", Desk(env, desk.parent, "run-2")
    desk.note()
    other.note()
    for number in range(6):
        clock.pass_by(minutes=1)
        (root / "other.md").write_text(f"version {number}\n")
        first, second = (desk, other) if number % 2 else (other, desk)
        early = second.look()
        assert first.note() > 0
        assert second.others.note(early) == 0
    log = Journal(env.state_dir, clock).sightings.of(root, "facts")
    assert len(log) == 2 + 6
    # a change of the other memtui is not one of another program
    other.workspace.run(other.look(), "delete", (Remove("ssh-port.md"),))
    assert desk.rows() == [("changed", "Other")]


def test_a_new_memory_and_a_read_only_store_cannot_be_brought_back(desk: Desk) -> None:
    desk.note()
    (desk.parent / "facts" / "new.md").write_text("new\n")
    changes = desk.changes()
    with pytest.raises(RefusedError, match="nothing of it was there"):
        desk.others.plan_restore([(changes, ["new.md"])])
    read_only = dataclasses.replace(changes, store=dataclasses.replace(changes.store, writable=False))
    with pytest.raises(RefusedError, match="cannot be written"):
        desk.others.plan_restore([(read_only, ["new.md"])])


# What was deleted from here and is there again


def test_a_deleted_memory_that_is_there_again_came_back(desk: Desk, clock: Clock) -> None:
    root = desk.parent / "facts"
    text, index = (root / "ssh-port.md").read_bytes(), (root / "MEMORY.md").read_bytes()

    def codes() -> dict[str, tuple[str | None, str]]:
        return {
            p.code: (p.memory, p.severity) for p in desk.look().problems if p.code in ("came-back", "reverted")
        }

    outcome = desk.workspace.run(desk.look(), "delete", (Remove("ssh-port.md"),))
    assert codes() == {}
    again = root / "learned-again.md"
    again.write_bytes(text.replace(b"name: ssh-port", b"name: learned-again"))
    # a copy that was there before has not come back
    os.utime(again, ((START - timedelta(days=1)).timestamp(),) * 2)
    assert codes() == {}
    os.utime(again, ((START + timedelta(minutes=1)).timestamp(),) * 2)
    assert codes() == {"came-back": ("learned-again.md", "warning")}
    (root / "learned-again.md").unlink()
    (root / "ssh-port.md").write_bytes(b"---\nname: ssh-port\n---\n\nsomething else entirely\n")
    assert codes() == {"came-back": ("ssh-port.md", "note")}
    (root / "ssh-port.md").write_bytes(text)
    (root / "MEMORY.md").write_bytes(index)
    (problem,) = [p for p in desk.look().problems if p.code in ("came-back", "reverted")]
    assert (problem.code, problem.memory) == ("came-back", "ssh-port.md")
    assert "change 1" in problem.message and "2026-11-30 14:02" in problem.message
    # one that memtui brings back itself did not come back
    (root / "ssh-port.md").unlink()
    (root / "MEMORY.md").write_bytes(index.replace("- [SSH port](ssh-port.md) — staging only\n".encode(), b""))
    assert outcome.change is not None
    desk.workspace.undo(outcome.change.id)
    assert codes() == {}


def test_an_entry_that_was_deleted_and_is_back_is_told(desk: Desk) -> None:
    path = desk.parent / "entries" / "MEMORY.md"
    before = path.read_bytes()
    look = desk.look("entries")
    desk.workspace.run(look, "delete", (Remove(look.memories[0].id),))
    path.write_bytes(b"other\n\xc2\xa7\n" + before.partition(b"\n\xc2\xa7\n")[0])
    found = [p.memory for p in desk.look("entries").problems if p.code == "came-back"]
    assert found == [look.memories[0].id]


def test_a_reverted_change_is_a_problem_for_a_week(desk: Desk, clock: Clock) -> None:
    index = desk.parent / "facts" / "MEMORY.md"
    old = index.read_bytes()
    desk.workspace.run(desk.look(), "set", (SetField("other.md", "hook", "mine"),))
    desk.note()
    index.write_bytes(old)
    (item,) = desk.changes().rows
    assert (item.row.id, item.undid) == ("other.md", (("1", "set the hook of other.md"),))
    assert "reverted" in [p.code for p in desk.look().problems]
    clock.pass_by(days=8)
    assert "reverted" not in [p.code for p in desk.look().problems]
