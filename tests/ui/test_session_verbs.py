"""What the keys do to a session: its title in place, the trash with its question, and back again."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from app_driver import Driver, MakeEnv, running, tree

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

WIDE = (120, 36)


def titles(driver: Driver) -> list[str]:
    return [" ".join(cell.text for cell in row.cells) for row in driver.app.desk.search.list.rows]


async def test_i_changes_the_title_by_one_line_and_u_takes_it_back(env: Env, demo: DemoHome) -> None:
    before = tree(demo.home / ".pi")
    async with running(env, WIDE) as driver:
        await driver.press("3", "i", "ctrl+u", *"CSV", "enter")
        assert any("CSV" in title for title in titles(driver))
        after = tree(demo.home / ".pi")
        [changed] = [name for name in after if after[name] != before[name]]
        assert after[changed].startswith(before[changed])
        assert after[changed].count(b"\n") == before[changed].count(b"\n") + 1
        await driver.press("u")
        assert any("Staging deploy hangs" in title for title in titles(driver))
    assert tree(demo.home / ".pi") == before


async def test_d_asks_and_moves_a_session_to_the_trash_until_u(env: Env, demo: DemoHome) -> None:
    before = tree(demo.home / ".pi")
    async with running(env, WIDE) as driver:
        await driver.press("3", "d")
        assert "Move “Staging deploy hangs” to the trash?" in driver.words
        await driver.press("n")
        assert tree(demo.home / ".pi") == before
        await driver.press("d", "y")
        assert not any("Staging deploy hangs" in title for title in titles(driver))
        assert len(tree(demo.home / ".pi")) == len(before) - 1
        await driver.press("u")
        assert any("Staging deploy hangs" in title for title in titles(driver))
    assert tree(demo.home / ".pi") == before


async def test_s19_the_question_names_what_happens_to_a_live_session(make_env: MakeEnv, demo: DemoHome) -> None:
    [newest] = (demo.home / ".pi").rglob("*000000000001.jsonl")
    written = newest.stat().st_mtime
    env = make_env(home=demo.home, cwd=demo.project)
    moment = env.now() - timedelta(seconds=env.now().timestamp() - written - 5)
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: moment)
    async with running(env, WIDE) as driver:
        index = next(n for n, title in enumerate(titles(driver)) if "Staging deploy hangs" in title)
        await driver.press("3", "g", *(["j"] * index), "d")
        assert "This session may be in use" in driver.words
        assert "has no header" in driver.words
        await driver.press("n")
    assert newest.exists()


async def test_a_system_prompt_is_one_line_until_t(make_env: MakeEnv, tmp_path: Path) -> None:
    cwd = tmp_path / "home" / "app"
    folder = tmp_path / "home" / ".pi" / "agent" / "sessions" / "--x--"
    cwd.mkdir(parents=True)
    folder.mkdir(parents=True)
    lines = (
        f'{{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-29T09:00:00.000Z","cwd":"{cwd}"}}\n'
        '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-11-29T09:00:01.000Z","message":'
        '{"role":"system","content":"","sections":{"preamble":"You are an agent","rules":"one\\ntwo"}}}\n'
        '{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-11-29T09:00:02.000Z","message":'
        '{"role":"user","content":"hello there","timestamp":1764406802000}}\n'
    )
    (folder / "2026-11-29T09-00-00-000Z_s-1.jsonl").write_text(lines)
    env = make_env(home=tmp_path / "home", cwd=cwd)
    async with running(env, WIDE) as driver:
        await driver.press("3", "enter")
        assert "hello there" in driver.words
        assert "(2 parts, t)" in driver.words
        assert "You are an agent" not in driver.words
        await driver.press("t")
        assert "You are an agent" in driver.words


def put_twice(env: Env, number: int = 60) -> tuple[Path, Path]:
    """A session in two files; the second has one message more."""
    lines = SessionLines(number, str(env.cwd), env.now() - timedelta(hours=1))
    folder = env.home / ".pi" / "agent" / "sessions" / "--twice--"
    folder.mkdir(parents=True)
    lines.user("quince one")
    lines.agent("quince two")
    lines.user("quince three")
    first = folder / lines.file_name
    first.write_bytes(lines.data)
    lines.agent("quince four")
    second = folder / f"{first.stem}-1.jsonl"
    second.write_bytes(lines.data)
    return first, second


async def test_s13_one_session_in_two_files_is_one_row_and_each_message_one_hit(env: Env) -> None:
    first, second = put_twice(env)
    async with running(env, WIDE) as driver:
        rows = [row for row in driver.app.desk.search.list.rows if "quince" in row.cells[1].text]
        assert [row.tail for row in rows] == ["2 files · 2 turns"]
        await driver.press("3", "g", "enter")
        session = driver.app.desk.reading.session
        assert session is not None and session.file == second
        assert f"also ~/.pi/agent/sessions/--twice--/{first.name}"[:60] in driver.words
        await driver.press("q", "/", *"quince")
        assert "4 hits" in driver.words


async def test_s13_d_says_that_the_other_file_stays(env: Env) -> None:
    first, second = put_twice(env)
    async with running(env, WIDE) as driver:
        await driver.press("3", "g", "d")
        assert "It is in another file, too, which stays:" in driver.words
        await driver.press("y")
        assert first.exists() and not second.exists()
        [row] = [row for row in driver.app.desk.search.list.rows if "quince" in row.cells[1].text]
        assert row.tail == "2 turns"


async def test_a_row_says_in_words_what_is_damaged(env: Env, demo: DemoHome) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("3", "H")
        tails = {row.cells[1].text: row.tail for row in driver.app.desk.search.list.rows if len(row.cells) > 1}
        assert tails["first question before the crash"] == "3 turns · 3 damaged"


async def test_archive_copies_a_session_to_a_directory_and_never_over_a_file(env: Env, demo: DemoHome) -> None:
    [newest] = (demo.home / ".pi").rglob("*000000000001.jsonl")
    folder = demo.home / "kept"
    folder.mkdir()
    async with running(env, WIDE) as driver:
        for place in ("~/kept", str(folder)):
            await driver.press("3", ":", *"archive", "enter")
            assert "copy “Staging deploy hangs” to which directory" in driver.words
            await driver.press("ctrl+u", *place, "enter")
            assert "copied to ~/kept/" in driver.app.desk.status.said
        names = sorted(path.name for path in folder.iterdir())
        assert names == sorted([newest.name, f"{newest.stem}-1.jsonl"])
        assert {path.read_bytes() for path in folder.iterdir()} == {newest.read_bytes()}
        await driver.press(":", *"archive", "enter", "ctrl+u", *"~/nowhere/at/all", "enter")
        assert "there is no directory" in driver.words and driver.app.desk.is_typing
