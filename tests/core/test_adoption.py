"""Memory of projects that are gone: what is proven of it, and taking it into this project's memory."""

from __future__ import annotations

import dataclasses
import json
import os
import sqlite3
from pathlib import Path

import pytest
from carry_stores import FILES, LAYOUTS, files_of, fill, open_actions, store_of
from cli_home import CliHome, fact

from memtui.core.adoption import Adoption, LeftBehind
from memtui.core.errors import RefusedError, UnknownIdError, UsageError
from memtui.core.locate.claude import encoded_name
from memtui.core.locate.orphans import Orphan
from memtui.core.locate.yandy_names import hashed_name
from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root
from memtui.core.sessions.pi_places import session_dir_name
from memtui.core.workspace import Workspace

OLD = {
    "MEMORY.md": "# Memory\n\n- [Ports](ports.md) — which port is whose\n- [Build](build.md) — how to build\n",
    "ports.md": fact("ports", "which port is whose", body="old ports").replace(
        "type: project", "type: project\n  originSessionId: 0b"
    ),
    "build.md": fact("build", "how to build", body="make all"),
}
NEW = {
    "MEMORY.md": "# Mine\n\n* [Ports](ports.md): other ports\n",
    "ports.md": fact("ports", "other ports", body="new ports"),
}


def write(root: Path, files: dict[str, str]) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    return root


def claude_dir(home: Path, project: Path) -> Path:
    return home / ".claude" / "projects" / encoded_name(str(project))


def claude_session(home: Path, project: Path, name: str = "0b", lies_in: Path | None = None) -> None:
    record = {"type": "user", "cwd": str(project), "sessionId": name, "message": {"content": "hi"}}
    write(lies_in or claude_dir(home, project), {f"{name}.jsonl": f"{json.dumps(record)}\n"})


def pi_session(home: Path, project: Path, name: str = "2026-10-01T00-00-00-000Z_1") -> None:
    header = {"type": "session", "version": 3, "id": "1", "cwd": str(project)}
    write(
        home / ".pi" / "agent" / "sessions" / session_dir_name(str(project)),
        {f"{name}.jsonl": f"{json.dumps(header)}\n"},
    )


def found(env) -> dict[str, LeftBehind]:
    return {one.store.id: one for one in Adoption(Workspace(env)).left_behind()}


def fates(env) -> dict[str, str]:
    return {name: one.orphan.fate for name, one in found(env).items()}


@pytest.fixture
def d07(home, capfdbinary):
    """The case's home: memory and a session of `old`, which is not there; the current project has memory."""
    cli = CliHome(home, capfdbinary)
    old = home / "old"
    write(claude_dir(home, old) / "memory", OLD)
    claude_session(home, old)
    cli.claude = cli.fill_claude(NEW)
    cli.old = old
    return cli


# D07


def test_d07_a_project_that_is_gone_is_listed_with_its_path_and_adopted_with_one_undo(d07):
    before = d07.tree()
    listed = d07.run("adopt", "--json").json["orphans"]
    (one,) = listed
    assert (one["projects"], one["state"], one["code"]) == ([str(d07.old)], "gone", "orphaned-store")
    assert (one["memories"], one["sessions"], one["owner"]) == (2, 1, "claude")
    assert "~/old (gone)" in d07.run("adopt").out and "2 memories" in d07.run("adopt").out
    refused = d07.run("adopt", one["id"])
    assert refused.status == 2 and "adopted 2 memories" in refused.err and "--yes" in refused.err
    shown = d07.run("adopt", one["id"], "--dry-run", "--json").json
    assert {Path(step["path"]).name for step in shown["plan"]} == {"ports-2.md", "build.md", "MEMORY.md"}
    assert "ports.md is another memory here: this one is called ports-2.md" in shown["notes"]
    # nothing was created or changed by looking
    assert {name: data for name, data in d07.tree().items() if name in before} == before
    assert [name for name in d07.tree() if name not in before and "/memtui" not in name] == []
    assert d07.run("adopt", one["id"], "--yes").status == 0
    after = {path.name: path.read_text() for path in d07.claude.iterdir()}
    assert after["build.md"] == OLD["build.md"] and after["ports.md"] == NEW["ports.md"]
    assert after["ports-2.md"] == OLD["ports.md"].replace("name: ports\n", "name: ports-2\n")
    # the lines follow in the style of this index
    assert after["MEMORY.md"] == NEW["MEMORY.md"] + (
        "* [Ports](ports-2.md): which port is whose\n* [Build](build.md): how to build\n"
    )
    assert files_below(claude_dir(d07.home, d07.old) / "memory") == OLD
    assert d07.run("undo").status == 0
    assert files_below(d07.claude) == NEW


def files_below(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_check_names_them_where_it_is_asked_for_them(d07):
    assert "orphaned-store" not in d07.run("check").out
    answered = d07.run("check", "--only", "orphaned-store", "--json")
    named = [(store["id"], [p["code"] for p in store["problems"]]) for store in answered.json["stores"]]
    (id_,) = (one["id"] for one in d07.run("adopt", "--json").json["orphans"])
    assert answered.status == 1 and named[-1] == (id_, ["orphaned-store"])
    d07.old.mkdir()
    assert d07.run("check", "--only", "orphaned-store").status == 0


def test_what_is_there_word_for_word_is_left_out_and_a_second_run_changes_nothing(d07):
    write(d07.claude, {"here-too.md": OLD["build.md"]})
    name = str(d07.old)
    notes = d07.run("adopt", name, "--dry-run", "--json").json["notes"]
    assert "1 is there already, word for word, and left out: Build" in notes
    assert d07.run("adopt", name, "--yes").status == 0
    assert not (d07.claude / "build.md").exists()
    before = files_below(d07.claude)
    again = d07.run("adopt", name, "--yes", "--json")
    assert again.status == 0 and again.json["change"] is None and files_below(d07.claude) == before


def test_a_project_without_memory_of_its_own_gets_the_directory_and_undo_takes_it_away(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    write(claude_dir(home, home / "old") / "memory", OLD)
    claude_session(home, home / "old")
    root = claude_dir(home, Path(os.path.realpath(cli.project))) / "memory"
    assert cli.run("adopt", "claude", "--yes").status == 0
    assert files_below(root)["MEMORY.md"] == OLD["MEMORY.md"].replace("# Memory\n\n", "")
    assert files_below(root)["ports.md"] == OLD["ports.md"]
    assert cli.run("undo", "--store", "claude").status == 0
    assert not root.exists()


def test_names_from_disk_do_nothing_to_the_terminal(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    old = home / "old\x1b]0;x\x07\u202e"
    title = "# M\n- [a\x1b[2J](a.md) — x\n- [gone\x1b[2J](gone.md) — x\n"
    write(claude_dir(home, old) / "memory", {"MEMORY.md": title, "a.md": "\x1b[31mred\n"})
    claude_session(home, old)
    for words in ([], ["claude"], ["claude", "--dry-run"], ["claude", "--yes"]):
        answered = cli.run("adopt", *words)
        assert not {"\x1b", "\x07", "\u202e"} & set(answered.out + answered.err)
        assert answered.out + answered.err


# What is proven, and what is not


def at_zcode(home: Path, project: Path) -> Path:
    return projects_root(cli_root(home / ".zcode")) / project_dir_name(str(project), "posix") / "memory"


def at_yandy(home: Path, project: Path) -> Path:
    return home / ".pi" / "memory" / hashed_name(str(project))


def at_yandy_local(home: Path, project: Path) -> Path:
    return home / ".pi" / "memory" / "local" / "__".join(project.parts[1:])


@pytest.mark.parametrize(
    ("place", "files"),
    [(at_zcode, OLD), (at_yandy, FILES["topics"]), (at_yandy_local, FILES["notes"])],
)
def test_a_hashed_name_is_known_by_the_directory_of_a_session(env, place, files):
    old = env.home / "work" / "old"
    write(place(env.home, old), files)
    assert set(fates(env).values()) == {"unknown"}
    pi_session(env.home, old / "sub")
    pi_session(env.home, old, "2026-10-02T00-00-00-000Z_2")
    (one,) = found(env).values()
    assert (one.orphan.fate, one.orphan.projects, one.orphan.sessions) == ("gone", (str(old),), 2)
    assert one.count == 2 and one.orphan.last_session is not None
    assert ("orphaned-store", "warning") in {(p.code, p.severity) for p in one.snapshot.problems}
    old.mkdir(parents=True)
    assert found(env) == {}


@pytest.mark.parametrize("record", ["trust", "prompts"])
def test_other_records_name_paths_too(env, record):
    old = env.home / "old"
    write(at_zcode(env.home, old), OLD)
    if record == "trust":
        write(env.home / ".pi" / "agent", {"trust.json": json.dumps({str(old): True})})
    else:
        write(env.home / ".claude", {"history.jsonl": json.dumps({"display": "x", "project": str(old)}) + "\n"})
    assert set(fates(env).values()) == {"gone"}


def test_records_that_name_no_path_are_passed_over(env):
    old = env.home / "old"
    write(at_zcode(env.home, old), OLD)
    odd = [1, "relative/old", "nul\0", "/half\ud83d", None, "C:\\old", ["/x"]]
    lines = [json.dumps({"type": "session", "id": "1", "cwd": cwd}) for cwd in odd]
    for number, line in enumerate([*lines, "{", "[" * 9_000]):
        write(env.home / ".pi" / "agent" / "sessions" / "odd", {f"{number}.jsonl": f"{line}\n"})
    write(env.home / ".pi" / "agent", {"trust.json": json.dumps({"/half\ud83d": True, "x": 1})})
    assert set(fates(env).values()) == {"unknown"}


def zcode_database(
    path: Path, rows: list[tuple[object, ...]], columns: str = "directory, workspace_id, time_updated"
):
    """ZCode's list of sessions, with the connection of a ZCode that is running."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"CREATE TABLE session ({columns})")
    connection.executemany(f"INSERT INTO session VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return connection


def test_zcodes_own_sessions_name_directories_and_are_only_looked_at(env, make_env):
    old, other = env.home / "old", env.home / "other"
    write(at_zcode(env.home, old), OLD)
    write(at_zcode(env.home, other), OLD)
    path = env.home / ".zcode" / "cli" / "db" / "db.sqlite"
    rows = [(str(old), None, 1_790_000_000_000), (str(old), None, 5), (str(other), "remote:ssh:x", 5)]
    connection = zcode_database(path, rows)
    before = {name: name.read_bytes() for name in path.parent.iterdir() if "shm" not in name.name}
    one, unknown = found(env).values()
    assert (one.orphan.projects, one.orphan.sessions, unknown.orphan.fate) == ((str(old),), 2, "unknown")
    assert one.orphan.last_session is not None and one.orphan.last_session.year == 2026
    assert {name: name.read_bytes() for name in before} == before
    connection.close()
    left = set(path.parent.iterdir())
    assert len(found(env)) == 2 and set(path.parent.iterdir()) == left
    # an older one without workspaces, in another place; damage and what is no database say nothing
    elsewhere = env.home / "moved.sqlite"
    zcode_database(elsewhere, [(str(other), 7)], "directory, time_updated").close()
    path.write_bytes(b"SQLite format 3\0" + bytes(5_000))
    assert set(fates(env).values()) == {"unknown"}
    moved = make_env(environ={"ZCODE_SESSION_DB": str(elsewhere)})
    assert sorted(fates(moved).values()) == ["gone", "unknown"]


def test_two_paths_of_one_name_are_gone_only_when_both_are(env):
    one, other = env.home / "my_app", env.home / "my-app"
    write(claude_dir(env.home, one) / "memory", OLD)
    claude_session(env.home, one, "1")
    claude_session(env.home, other, "2")
    (orphan,) = found(env).values()
    assert set(orphan.orphan.projects) == {str(one), str(other)} and orphan.orphan.sessions == 2
    other.mkdir()
    assert found(env) == {}


def test_a_renamed_project_is_told_by_a_session_that_lies_in_both(env):
    old, new = env.home / "old", env.home / "new"
    new.mkdir()
    write(claude_dir(env.home, old) / "memory", OLD)
    claude_session(env.home, old, "same")
    claude_session(env.home, new, "another")
    assert set(fates(env).values()) == {"gone"}
    claude_session(env.home, new, "same")
    (one,) = found(env).values()
    assert (one.orphan.fate, one.orphan.now) == ("renamed", str(new))
    assert str(new) in one.store.reason and one.orphan.code == "orphaned-store"


def test_without_a_record_nothing_is_claimed(env):
    write(claude_dir(env.home, env.home / "old") / "memory", OLD)
    (one,) = found(env).values()
    assert (one.orphan.fate, one.orphan.code, one.store.findings) == ("unknown", "", ())


def test_a_name_given_by_a_variable_is_known_by_what_lies_beside_it(env):
    folder = env.home / ".claude" / "projects" / "my-name"
    write(folder / "memory", OLD)
    claude_session(env.home, env.home / "old", lies_in=folder)
    assert set(fates(env).values()) == {"gone"}
    (env.home / "old").mkdir()
    assert found(env) == {}


def test_what_cannot_be_asked_is_not_gone(env):
    round_about = env.home / "a"
    round_about.symlink_to(env.home / "b")
    write(at_zcode(env.home, round_about / "old"), OLD)
    pi_session(env.home, round_about / "old")
    assert set(fates(env).values()) == {"gone"}
    (env.home / "b").symlink_to(round_about)
    assert found(env) == {}


def test_d15_a_second_name_of_a_living_projects_memory_is_no_orphan(env):
    gone, living = env.home / "wt", env.home / "main"
    living.mkdir()
    write(claude_dir(env.home, living) / "memory", OLD)
    claude_session(env.home, living)
    claude_session(env.home, gone, "2")
    (claude_dir(env.home, gone) / "memory").symlink_to(claude_dir(env.home, living) / "memory")
    assert found(env) == {}


def test_d14_what_is_memweaves_or_empty_or_used_is_none(env):
    base = env.home / ".pi" / "memory"
    write(base, {"rule.md": "x", "index.json": "{}", "abcdefabcdef/tasks/task_1/state.json": "{}\n"})
    (base / "0123456789ab").mkdir()
    write(claude_dir(env.home, Path(os.path.realpath(env.cwd))) / "memory", NEW)
    write(at_zcode(env.home, Path(os.path.realpath(env.cwd))), OLD)
    write(claude_dir(env.home, env.home / "old") / "memory", {"MEMORY.md": "- [Gone](gone.md) — x\n"})
    claude_session(env.home, env.home / "old")
    assert found(env) == {}


def test_looking_for_orphans_can_be_cancelled(d07, make_env):
    adoption = Adoption(Workspace(make_env(cwd=d07.project)))
    assert adoption.left_behind(lambda: True) == ()
    assert len(adoption.left_behind()) == 1


# Adopting, in every layout


def behind(workspace: Workspace, store) -> LeftBehind:
    store = dataclasses.replace(store, used=False)
    return LeftBehind(Orphan(store, "gone", ("/old",)), workspace.scan(store))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_adopted_whole_once_and_undone_byte_for_byte(env, tmp_path, layout):
    fill(tmp_path / "old", layout)
    new = tmp_path / "new"
    fill(new, layout)
    text = {"facts": "other", "topics": "ssh is on 2222.", "notes": "other", "entries": "likes tea"}[layout]
    for path in new.rglob("*.md"):
        path.write_text(path.read_text().replace(text, "something else"))
    before, old = files_of(new), files_of(tmp_path / "old")
    workspace, _actions = open_actions(env)
    adoption = Adoption(workspace)
    one, target = behind(workspace, store_of(tmp_path / "old", layout)), store_of(new, layout)
    what = [adopted.fate for adopted in adoption.sort_out(one, target)]
    assert "same" in what and ("conflict" in what or layout == "entries")
    notes = " ".join(adoption.plan(one, target).notes)
    assert "left out" in notes and ("another memory here" in notes or "beside" in notes or layout == "entries")
    outcome = adoption.adopt(one, target)
    workspace.settle(0)
    assert outcome.change.summary == f"adopted {len(what) - what.count('same')} memory of old"
    words = {memory.title for memory in workspace.scan(target).memories}
    assert len(words) >= len(one.snapshot.memories)
    assert all(part.decode() in "".join(map(bytes.decode, files_of(new).values())) for part in [text.encode()])
    assert files_of(tmp_path / "old") == old
    after = files_of(new)
    assert adoption.adopt(one, target).change is None and files_of(new) == after
    workspace.undo()
    workspace.settle(0)
    assert files_of(new) == before


def test_a_file_below_a_folder_keeps_its_place_and_permissions_and_prose_of_the_index_stays(env, tmp_path):
    index = "# Memory\n\nRead the handbook.\n- [Team](team/rules.md) — rules\n- [Gone](gone.md) — x\n"
    old = write(tmp_path / "old", {"MEMORY.md": index, "team/rules.md": "no frontmatter\r\n"})
    (old / "team" / "rules.md").chmod(0o600)
    workspace, _actions = open_actions(env)
    one = behind(workspace, dataclasses.replace(store_of(tmp_path, "facts"), root=old))
    target = dataclasses.replace(store_of(tmp_path, "facts"), root=tmp_path / "new", exists=False)
    plan = Adoption(workspace).plan(one, target)
    assert any("gone.md" in note or "Gone" in note for note in plan.notes)
    assert "1 line of its index that names no memory stays there" in plan.notes
    Adoption(workspace).adopt(one, target)
    workspace.settle(0)
    copy = tmp_path / "new" / "team" / "rules.md"
    assert copy.read_bytes() == b"no frontmatter\r\n" and copy.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new" / "MEMORY.md").read_text() == "- [Team](team/rules.md) — rules\n"
    workspace.undo()
    workspace.settle(0)
    assert not (tmp_path / "new").exists()


def test_what_came_into_the_target_meanwhile_is_not_written_over(env, tmp_path):
    fill(tmp_path / "old", "facts")
    fill(tmp_path / "new", "entries")
    workspace, _actions = open_actions(env)
    one = behind(workspace, store_of(tmp_path / "old", "facts"))
    target = dataclasses.replace(store_of(tmp_path / "new", "facts"), exists=False)
    Adoption(workspace).plan(one, target)
    write(tmp_path / "new" / "facts", {"ssh-port.md": "written meanwhile"})
    Adoption(workspace).adopt(one, target)
    assert (tmp_path / "new" / "facts" / "ssh-port.md").read_text() == "written meanwhile"
    assert (tmp_path / "new" / "facts" / "ssh-port-2.md").exists()
    with pytest.raises(RefusedError, match="cannot be written"):
        Adoption(workspace).plan(one, dataclasses.replace(target, writable=False))


def test_a_store_is_named_by_id_place_or_project_and_the_target_by_its_owner(d07, make_env):
    workspace = Workspace(make_env(cwd=d07.project))
    adoption = Adoption(workspace)
    (one,) = orphans = adoption.left_behind()
    for name in (one.store.id, str(one.store.root), "../../old", "claude"):
        assert adoption.choose(name, orphans) is one
    with pytest.raises(UnknownIdError):
        adoption.choose("nothing", orphans)
    other = dataclasses.replace(one, orphan=dataclasses.replace(one.orphan, projects=()))
    with pytest.raises(UsageError, match="several stores"):
        adoption.choose("claude", [one, other])
    assert adoption.target(one).root == d07.claude
    yandy = dataclasses.replace(one.store, profile=store_of(d07.home, "topics").profile)
    with pytest.raises(UsageError, match="--to"):
        adoption.target(dataclasses.replace(one, orphan=dataclasses.replace(one.orphan, store=yandy)))
    # another owner of the same layout, where its own has no place here
    zcode = dataclasses.replace(one.store, profile=store_of(d07.home, "facts").profile)
    assert adoption.target(dataclasses.replace(one, orphan=dataclasses.replace(one.orphan, store=zcode)))
