"""`R`, `A` and `>`: what is asked, what reaches the pi beside memtui, and what is copied with which reason."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from app_driver import Driver, MakeEnv, running
from played_pi import PlayedPi
from played_tmux import OWN, PlayedPane, PlayedTmux, at_once

from memtui.core.agent_typing import Clock
from memtui.core.agents.finder import Finder
from memtui.core.agents.process import Process, Processes
from memtui.core.agents.tmux import Tmux
from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.owners import build_owners_home
from memtui.demo.session_lines import SessionLines
from memtui.ui.agents.reaching import Reach

PACKAGES = {
    "zcode": ("@momenttttt/pi-zcode-memory", "0.1.3"),
    "yandy": ("@yandy0725/pi-memory", "2.0.0"),
}

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WIDE = (120, 36)
SIZES = [WIDE, (80, 24), (45, 20), (40, 10)]


@pytest.fixture
def there(make_env: MakeEnv, demo: DemoHome) -> Env:
    """In the demo's project, in tmux, with pi-zcode-memory in pi's settings."""
    install(demo, "zcode")
    return with_tmux(make_env, demo)


def with_tmux(make_env: MakeEnv, demo: DemoHome) -> Env:
    environ = {"PATH": "/nowhere", "TMUX": "/tmp/t,1,0", "TMUX_PANE": OWN}
    return make_env(home=demo.home, cwd=demo.project, environ=environ)


OFFERS = {
    "memory": "[u:npm:@momenttttt/pi-zcode-memory] Show memory status",
    "name": "Set session display name",
    "reload": "Reload keybindings, extensions, skills",
}
"""What pi's menu suggests, with pi-zcode-memory."""


def pane(demo: DemoHome, number: int = 1, **state: Any) -> PlayedPane:
    """A pane with pi in the demo's project; by keyword what is different with it."""
    return PlayedPane(f"%{number}", demo.project, PlayedPi(**({"commands": OFFERS, "chance": at_once} | state)))


def install(demo: DemoHome, *owners: str) -> None:
    """Have pi's settings name the extensions of these owners."""
    agent = demo.home / ".pi" / "agent"
    names = []
    for owner in owners:
        name, version = PACKAGES[owner]
        names.append(f"npm:{name}")
        folder = agent / "npm" / "node_modules" / name
        folder.mkdir(parents=True)
        package = {"name": name, "version": version, "pi": {"extensions": ["./index.ts"]}}
        (folder / "package.json").write_text(json.dumps(package))
        (folder / "index.ts").write_text("export default () => {};\n")
    (agent / "settings.json").write_text(json.dumps({"packages": names}))


def play(driver: Driver, tmux: PlayedTmux, began: datetime = NOW) -> PlayedTmux:
    """Let the app see these panes, each with a process of its own."""
    reach = driver.app.methods["reload_agent"].__self__.reach  # type: ignore[attr-defined]
    assert isinstance(reach, Reach)
    processes = tuple(
        Process(it.pid, str(it.cwd), "pi", (1,), it.tty, is_front=True, started=began.timestamp())
        for it in tmux.panes.values()
        if it.pi.program == "pi"
    )
    listed = Processes(processes, is_known=True)
    seconds = iter(range(100_000))
    reach.clock = Clock(lambda: next(seconds) / 100, lambda _seconds: None)
    env, desk = driver.app.env, driver.app.desk
    desk.beside.finder = Finder(env, Tmux(env.environ, tmux.run), lambda: listed, lambda pid: True)
    return tmux


def said(driver: Driver) -> str:
    return " ".join((driver.sentences + " " + driver.app.desk.status.said).split())


async def test_r_y_reloads_in_the_pi_beside_and_says_so(there: Env, demo: DemoHome) -> None:
    async with running(there, WIDE) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one))
        await driver.press("R")
        assert "Send “/memory reload” to pi in work:0.1 (~/code/app)?" in driver.words and one.submitted == []
        await driver.press("n")
        assert one.submitted == [] and one.text == "" and driver.app.clipboard == ""
        keys = ["R", "y"]
        await driver.press(*keys)
        assert one.submitted == ["/memory reload"] and one.text == "" and driver.app.clipboard == ""
        assert "/memory reload" in driver.app.desk.status.said and "work:0.1" in driver.app.desk.status.said
    assert len(keys) == 2


async def test_r_says_first_when_nothing_needs_typing(there: Env, demo: DemoHome) -> None:
    folder = demo.home / ".pi" / "agent" / "sessions" / f"--{str(demo.project)[1:].replace('/', '-')}--"
    lines = SessionLines(90, str(demo.project), NOW - timedelta(minutes=50))
    lines.user("hello")
    lines.entry("custom", customType="zcode-memory/injected", data={"indexHash": "ab"})
    file = folder / lines.file_name
    file.write_bytes(lines.data)
    moment = (NOW - timedelta(minutes=40)).timestamp()
    os.utime(file, (moment, moment))
    async with running(there, WIDE) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one), began=NOW - timedelta(minutes=55))
        await driver.press("R")
        assert "carries the index as it is now" in driver.words and "nothing needs typing" in driver.words
        assert "Send “/memory reload” to pi in work:0.1" in driver.words
        await driver.press("n")
        # the index is another one than it was given: the next message brings that by itself
        index = demo.store / "MEMORY.md"
        index.write_bytes(index.read_bytes().replace(b"- [", b"* [", 1))
        os.utime(index, (NOW.timestamp(), NOW.timestamp()))
        await driver.press("f5", "R")
        assert "its next message brings the new one, nothing to do" in driver.words and one.submitted == []


async def test_r_says_what_is_known_where_nothing_can_be_typed(make_env: MakeEnv, demo: DemoHome) -> None:
    home = demo.home.parent / "owners"
    shop = build_owners_home(home)
    settings = home / ".pi" / "agent" / "settings.json"
    settings.write_text(json.dumps({"packages": ["npm:@yandy0725/pi-memory", "npm:@amaster.ai/pi-memory"]}))
    environ = {"PATH": "/nowhere", "TMUX": "/tmp/t,1,0", "TMUX_PANE": OWN}
    async with running(make_env(home=home, cwd=shop, environ=environ), WIDE) as driver:
        one = pane(demo)
        one.cwd = shop
        play(driver, PlayedTmux(one))
        await driver.press("R")
        assert "nothing to type · yandy: " in said(driver)
        assert not driver.app.desk.is_asking and driver.app.clipboard == ""
        await driver.press("A")
        assert (
            "/dream" in driver.words
            and "/memory status" in driver.words
            and "/memory reload" not in driver.words
        )


UNREADY: dict[str, dict[str, Any]] = {
    "copy mode": {"in_mode": True},
    "draft": {"lines": ["half a thought"]},
    "a draft": {"lines": ["several", "lines", ""]},
    "in its editor": {"dialog": True},
    "no suggestions came": {"commands": {"name": "Set session display name"}},
}
"""States of a pane in which nothing may be sent, by words of the reason."""


async def test_what_cannot_be_sent_is_copied_with_the_reason_and_the_draft_is_unharmed(
    there: Env, demo: DemoHome
) -> None:
    async with running(there, WIDE) as driver:
        for reason, state in UNREADY.items():
            one = pane(demo, **state)
            play(driver, PlayedTmux(one))
            driver.app._clipboard = ""
            await driver.press("R")
            if driver.app.desk.ask_bar.asking:
                await driver.press("y")
            told = driver.app.desk.status.said
            assert driver.app.clipboard == "/memory reload", reason
            assert one.submitted == [] and one.text == "\n".join(state.get("lines", [""]))
            assert told.startswith("work:0.1: nothing was typed: ") and reason in told
            assert "sent to the terminal" in told and "“/memory reload”" in told
            assert not driver.app.desk.is_asking


async def test_a_draft_begun_after_the_question_is_never_sent(there: Env, demo: DemoHome) -> None:
    async with running(there, WIDE) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one))
        await driver.press("R")
        one.pi.person_types("dear agent")
        await driver.press("y")
        assert one.submitted == [] and one.text == "dear agent"
        assert driver.app.clipboard == "/memory reload"


@pytest.mark.parametrize("kind", ["no tmux", "no server", "no pi"])
async def test_where_there_is_nobody_it_is_copied_with_the_reason(
    make_env: MakeEnv, demo: DemoHome, kind: str
) -> None:
    install(demo, "zcode")
    env = with_tmux(make_env, demo)
    if kind == "no tmux":
        env = make_env(home=demo.home, cwd=demo.project, environ={"PATH": "/nowhere"})
    reasons = {
        "no tmux": "memtui does not run in tmux",
        "no server": "tmux: no server running ␛[2J",
        "no pi": "no pi runs beside memtui",
    }
    async with running(env, WIDE) as driver:
        play(driver, PlayedTmux(problem="no server running \x1b[2J" if kind == "no server" else ""))
        await driver.press("R")
        assert (
            f"{reasons[kind]}; to the clipboard instead · sent to the terminal" in driver.app.desk.status.said
        )
        assert driver.app.clipboard == "/memory reload"
        await driver.press("A")
        assert reasons[kind] in driver.sentences and "nobody to type to" in driver.sentences
        assert "Enter copy" in driver.words
        await driver.press("j", "enter")
        assert driver.app.clipboard == "/memory" and reasons[kind] in driver.sentences
        await driver.press("q")
        await driver.press(">")
        assert reasons[kind] in driver.app.desk.status.said and "name: user-role" in driver.app.clipboard


async def test_of_several_the_person_chooses_and_the_others_are_named(
    there: Env, demo: DemoHome, make_env: MakeEnv
) -> None:
    async with running(there, WIDE) as driver:
        one, two = pane(demo), pane(demo, 2)
        two.title = "π - parser - \x1b]0;owned\x07"
        play(driver, PlayedTmux(one, two))
        await driver.press("R")
        assert "Which pi?" in driver.words and "parser - ␛]0;owned␇" in driver.words
        await driver.press("2")
        assert "to pi in work:0.2 (~/code/app)?" in driver.words
        await driver.press("y")
        assert one.submitted == [] and two.submitted == ["/memory reload"]
        # one beside memtui is meant, and that there is another is said
        two.window = "@7"
        await driver.press("R")
        assert "to pi in work:0.1 (~/code/app)?" in driver.words and "1 other pi runs" in driver.words
        await driver.press("y")
        assert one.submitted == ["/memory reload"]


async def test_of_several_each_is_named_by_the_session_that_it_surely_has(there: Env, demo: DemoHome) -> None:
    async with running(there, WIDE) as driver:
        play(driver, PlayedTmux(pane(demo), pane(demo, 2)))
        session = driver.app.desk.searching.sessions[0]
        finder = driver.app.desk.beside.finder
        assert finder is not None
        finder.opened["%2"] = session.file
        await driver.press("R")
        assert f"2 work:0.2 · “{session.title[:20]}" in driver.words and "1 work:0.1 · “" not in driver.words


async def test_where_two_claim_the_command_the_right_one_runs_and_a_copy_says_so(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    install(demo, "zcode", "yandy")
    clash = "several extensions claim /memory: pi has /memory:1 of @momenttttt/pi-zcode-memory"
    async with running(with_tmux(make_env, demo), WIDE) as driver:
        offers = {
            f"memory:{number}": f"[u:npm:{PACKAGES[owner][0]}] Memory"
            for number, owner in ((1, "yandy"), (2, "zcode"))
        }
        one = pane(demo, commands=offers)
        play(driver, PlayedTmux(one))
        await driver.press("R")
        assert "Send “/memory reload” to pi in work:0.1" in driver.words and clash in driver.words
        await driver.press("y")
        assert (
            one.submitted == ["/memory:2 reload"] and "/memory:2 reload was sent" in driver.app.desk.status.said
        )
        await driver.press("A", "y")
        assert driver.app.clipboard == "/memory reload" and clash in driver.sentences


@pytest.mark.parametrize("size", SIZES)
async def test_the_menu_says_what_there_is_and_what_must_hold_and_sends(
    there: Env, demo: DemoHome, size: tuple[int, int]
) -> None:
    async with running(there, size) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one))
        await driver.press("A")
        assert "/memory reload" in driver.words and "work:0.1" in driver.words
        assert "/dream" not in driver.words
        assert "Enter send" in driver.words
        await driver.press("enter")
        assert "Send “/memory reload” to pi in work:0.1" in driver.sentences
        await driver.press("y")
        assert one.submitted == ["/memory reload"]
        assert "work:0.1" in driver.sentences
        # what is in the way stands beside it, by a mark and a word
        one.pi.in_mode = True
        await driver.press("f5")
        assert "Enter copy" in driver.words
        if size[1] >= 20:
            assert "x " in driver.words and "not ok" in driver.words
        await driver.press("enter")
        assert driver.app.clipboard == "/memory reload" and "copy mode" in driver.sentences
        await driver.press("q")
        assert len(driver.app.screen_stack) == 1


async def test_the_cursor_of_the_menu_stays_with_its_agent(there: Env, demo: DemoHome) -> None:
    async with running(there, WIDE) as driver:
        one, two = pane(demo), pane(demo, 2)
        play(driver, PlayedTmux(one, two))
        await driver.press("A", "G", "k", "k")
        assert "goes to pi in work:0.2" in driver.sentences
        # the first one ends: the second is the one that is meant now
        play(driver, PlayedTmux(two))
        await driver.press("f5", "enter")
        assert "Send “/memory” to pi in work:0.2" in driver.sentences
        # and a pane that goes meanwhile gets nothing
        play(driver, PlayedTmux(one))
        await driver.press("y")
        assert one.submitted == two.submitted == [] and driver.app.clipboard == "/memory"


async def test_the_menu_asks_for_a_name_and_copies_without_sending(there: Env, demo: DemoHome) -> None:
    async with running(there, (80, 24)) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one))
        await driver.press("A", "G", "y")
        assert driver.app.clipboard == "/name" and one.submitted == []
        await driver.press("enter", *"Parser", "enter")
        assert "Send “/name Parser” to pi in work:0.1" in driver.sentences
        await driver.press("y")
        assert one.submitted == ["/name Parser"]


async def test_a_memory_and_a_message_go_into_the_editor_without_enter(there: Env, demo: DemoHome) -> None:
    async with running(there, WIDE) as driver:
        one = pane(demo)
        play(driver, PlayedTmux(one))
        item = driver.app.desk.item
        assert item is not None
        keys = [">", "y"]
        await driver.press(keys[0])
        assert f"Put the text of {item.memory.file}" in driver.words
        assert "into the editor of pi in work:0.1 (~/code/app), without Enter?" in driver.words
        await driver.press(keys[1])
        await driver.press("Y")
        assert one.text == driver.app.clipboard.rstrip() and "\n" in one.text and one.submitted == []
        # what stands there now is a draft: nothing is put beside it
        await driver.press("j", ">")
        assert "draft" in said(driver) and driver.app.clipboard != one.text
        one.pi.lines = [""]
        await driver.press("/", *"deploy", "enter", ">")
        assert "Put the message" in driver.words
        await driver.press("y")
        inserted = one.text
        await driver.press("Y")
        assert inserted == driver.app.clipboard.rstrip() and "deploy" in inserted and one.submitted == []
    assert len(keys) == 2


async def test_q_waits_for_what_is_being_typed(there: Env, demo: DemoHome) -> None:
    gate, reached = threading.Event(), threading.Event()
    async with running(there, WIDE) as driver:
        one = pane(demo)
        tmux = PlayedTmux(one)
        run = tmux.run

        def gated(words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
            if any("paste-buffer" in word for word in words):
                reached.set()
                gate.wait(20)
            return run(words, environ, given)

        tmux.run = gated  # type: ignore[method-assign]
        play(driver, tmux)
        await driver.press("R")
        await driver.pilot.press("y")
        for _look in range(2000):
            if not reached.is_set():
                await driver.pilot.pause(0.001)
        assert reached.is_set()
        await driver.pilot.press("q")
        await driver.pilot.pause()
        assert "Something is being typed into the agent; memtui leaves once it is." in driver.words
        gate.set()
        await driver.settled()
        assert not driver.app.is_running and one.submitted == ["/memory reload"]
