"""memtui's own pane in tmux: what is asked of tmux, by which notes a memtui is found, and what `split` refuses."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from cli_home import CliHome

from memtui.core.agents.tmux import Tmux
from memtui.core.agents.windows import go_to, is_size, pane_words
from memtui.core.env import Env
from memtui.core.own_pane import HANDED_ON, first_beside, key_of, mark, open_beside, unmark

KEY, OTHER_KEY = "0123456789abcdef", "fedcba9876543210"
IN_TMUX = {"TMUX": "/tmp/t,1,0", "TMUX_PANE": "%1"}


class Said:
    """Stands in for tmux: remembers its arguments, and gives one answer."""

    def __init__(self, answer: str = "") -> None:
        self.calls: list[list[str]] = []
        self._answer = answer

    def __call__(self, words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
        self.calls.append(list(words))
        return self._answer.encode()


SELF = os.getpid()
SESSION = os.getsid(0)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["%1 7 0 ", f"%2 {SESSION} 0 {SELF} {KEY}"], "%2"),
        # started by tmux itself, and not yet up
        (["%1 7 0 ", f"%2 7 0 0 {KEY}"], "%2"),
        (["%1 7 0 ", f"%2 7 0 7 {KEY}", f"%3 7 0 0 {KEY}"], "%2"),
        # our own pane, one that shows something else, one whose program ended
        ([f"%1 {SESSION} 0 {SELF} {KEY}"], ""),
        ([f"%2 {SESSION} 0 {SELF} {OTHER_KEY}"], ""),
        ([f"%2 {SESSION} 1 {SELF} {KEY}"], ""),
        # a process that is gone, and one that is elsewhere
        ([f"%2 {SESSION} 0 999999999 {KEY}"], ""),
        ([f"%2 {SESSION + 1} 0 {SELF} {KEY}"], ""),
        # what others may have written there
        ([f"%2 7 0 0 {KEY} x", "%2 7 0 x y", "%2 7 0", "", f"2 7 0 0 {KEY}", f"%2 7 0 99999999999 {KEY}"], ""),
    ],
)
def test_a_memtui_is_found_by_its_note_and_its_process(rows: list[str], found: str) -> None:
    said = Said("\n".join(rows) + "\n")
    tmux = Tmux(IN_TMUX, said)
    assert first_beside(tmux, KEY) == found
    assert tmux.calls == 1 and said.calls[0][:5] == ["tmux", "-u", "list-panes", "-t", "%1"]


def test_what_shows_the_same_has_the_same_key(make_env: Callable[..., Env], tmp_path: Path) -> None:
    env = make_env()
    keys = [
        key_of(env, "", None),
        key_of(env, "zcode", None),
        key_of(env, "", tmp_path),
        key_of(make_env(cwd=tmp_path), "", None),
        key_of(make_env(home=tmp_path), "", None),
    ]
    assert len(set(keys)) == len(keys) and all(re.fullmatch("[0-9a-f]{16}", key) for key in keys)
    assert key_of(make_env(), "", None) == keys[0]


def test_the_pane_is_noted_and_the_note_is_taken_away() -> None:
    said = Said()
    mark(Tmux(IN_TMUX, said), KEY, 7)
    unmark(Tmux(IN_TMUX, said))
    assert [call[2:] for call in said.calls] == [
        ["set-option", "-p", "-t", "%1", "@memtui", f"7 {KEY}"],
        ["set-option", "-p", "-u", "-t", "%1", "@memtui"],
    ]


def test_what_is_handed_to_tmux_is_arguments_only(make_env: Callable[..., Env], tmp_path: Path) -> None:
    directory = tmp_path / "it's #(touch x);"
    directory.mkdir()
    environ = {**IN_TMUX, "PATH": "/bin;", "PI_CODING_AGENT_DIR": "/a b", "CLAUDE_API_KEY": "secret"}
    env = make_env(cwd=directory, environ=environ)
    said = Said("%5 work;1:2.3\n")
    tmux = Tmux(env.environ, said)
    opened = open_beside(tmux, env, ("python", "--cwd", f"{directory}"), KEY, "right", "30%")
    assert opened == ("%5", "work;1:2.3") and tmux.calls == 1
    (words,) = said.calls
    assert words[2:9] == ["split-window", "-h", "-l", "30%", "-t", "%1", "-P"]
    # nothing but what decides what is shown, no word that ends the command but the one that is to
    assert words[words.index("env") + 1 : words.index("sh")] == ["PATH=/bin\\;", "PI_CODING_AGENT_DIR=/a b"]
    kept = str(directory)[:-1] + "\\;"
    assert words[words.index("memtui") + 1 :] == [
        *(kept, "python", "--cwd", kept, ";", "set-option", "-p", "@memtui", f"0 {KEY}")
    ]
    assert [word for word in words if word.endswith(";") and not word.endswith("\\;")] == [";"]
    assert pane_words("%1", "below", "/", (), {})[:5] == ["split-window", "-v", "-t", "%1", "-P"]


def test_every_variable_that_is_read_by_its_name_is_handed_on() -> None:
    root = Path(__file__).resolve().parents[2] / "memtui"
    sources = [path.read_text(encoding="utf-8") for path in root.rglob("*.py")]
    named = re.compile(r"\"((?:PI|CLAUDE|ZCODE|HERMES|XDG)_[A-Z_]*[A-Z]|VISUAL|EDITOR|NO_COLOR|COLORFGBG)\"")
    read = {name for source in sources for name in named.findall(source)}
    assert len(read) > 10 and read <= set(HANDED_ON)


def test_going_to_a_pane_is_one_call_and_takes_ids_only() -> None:
    said = Said()
    tmux = Tmux(IN_TMUX, said)
    go_to(tmux, "%12")
    assert tmux.calls == 1
    assert " ".join(said.calls[0][2:]) == (
        "select-window -t %12 ; select-pane -t %12 ; if-shell -F #{client_name} switch-client -t %12"
    )
    with pytest.raises(ValueError, match="kill"):
        go_to(tmux, "%12; kill-server")
    assert tmux.calls == 1


def test_sizes() -> None:
    assert all(map(is_size, ("1", "40", "12345", "1%", "40%", "99%")))
    assert not any(map(is_size, ("", "0", "-1", "0%", "100%", "4.5", "40 %", "%", "123456", "1\n", "١")))


# The command


@pytest.fixture
def cli(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> CliHome:
    cli = CliHome(home, capfdbinary)
    cli.fill()
    return cli


@pytest.fixture
def tmux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `tmux` on the PATH that writes down its arguments and opens pane %9; gives the file."""
    out = tmp_path / "calls"
    program = tmp_path / "bin" / "tmux"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\n[ "$2" = list-panes ] && exit\nprintf "%s\\n" "$@" > {out}\n'
        '[ -e "$0.not" ] && { echo "no space for new pane" >&2; exit 1; }\necho "%9 work:1.2"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    for name, value in IN_TMUX.items():
        monkeypatch.setenv(name, value)
    return out


def test_split_outside_of_tmux_is_status_2_and_one_sentence(
    cli: CliHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    answered = cli.run("split")
    assert (answered.status, answered.out, answered.err.count("\n")) == (2, "", 1)
    assert "beside a pane of tmux" in answered.err and "memtui split ID" in answered.err
    assert cli.run("split", "--json").json["error"]["code"] == "no-tmux"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "0"], "--size takes a number of cells"),
        (["--size", "100%"], "--size takes a number of cells"),
        (["--size", ""], "--size takes a number of cells"),
        (["-h", "-v"], "not allowed with"),
        (["--dry-run"], "need the id of a memory"),
        (["--store", "zcode"], "need the id of a memory"),
        (["--owner", "nobody"], "no owner nobody"),
        (["alpha.md", "-h"], "a memory is split without -h"),
        (["alpha.md", "--size", "4"], "a memory is split without -h"),
    ],
)
def test_split_refuses_what_makes_no_sense(cli: CliHome, tmux: Path, words: list[str], said: str) -> None:
    before = cli.tree(cli.store)
    answered = cli.run("split", *words)
    assert answered.status == 2 and said in answered.err and answered.out == ""
    assert not tmux.exists() and cli.tree(cli.store) == before


def test_split_opens_this_very_memtui_with_the_options_that_were_given(cli: CliHome, tmux: Path) -> None:
    answered = cli.run("split", "-h", "--size", "40%", "--owner", "zcode", "--new", "--json")
    assert answered.json == {"pane": "%9", "place": "work:1.2", "opened": True}
    words = tmux.read_text().splitlines()
    assert words[1:6] == ["split-window", "-h", "-l", "40%", "-t"]
    begins = words.index("memtui")
    assert words[begins + 1 :][:5] == [str(cli.project), sys.executable, "-P", "-m", "memtui"]
    given = ["--home", str(cli.home), "--cwd", str(cli.project), "--owner", "zcode", "--new"]
    assert words[begins + 6 : words.index(";")] == given
    assert cli.run_bare("split").out == "memtui is open in pane %9\n"
    words = tmux.read_text().splitlines()
    assert words[1:4] == ["split-window", "-v", "-t"] and "--home" not in words and "--cwd" not in words


def test_a_tmux_that_opens_no_pane_is_said(cli: CliHome, tmux: Path) -> None:
    (tmux.parent / "bin" / "tmux.not").touch()
    answered = cli.run("split")
    assert answered.status == 2
    assert answered.err == "memtui: tmux opened no pane: no space for new pane\n"


# The app


def test_the_app_notes_its_pane_or_goes_to_the_one_that_is_there(
    make_env: Callable[..., Env], tmp_path: Path
) -> None:
    from memtui.ui.own_pane import OwnPane

    program, log, rows = tmp_path / "tmux", tmp_path / "log", tmp_path / "rows"
    program.write_text(
        f'#!/bin/sh\n[ "$2" = list-panes ] && exec cat {rows}\nshift; echo "$*" >> {log}\n[ ! -e {tmp_path}/fails ]\n'
    )
    program.chmod(0o755)
    env = make_env(environ={**IN_TMUX, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    rows.write_text(f"%4 7 0 0 {key_of(env, '', None)}\n")

    def asked(own: OwnPane) -> list[str]:
        log.write_text("")
        own.note(None)  # type: ignore[arg-type]
        own.leave()
        return log.read_text().splitlines()

    own = OwnPane(env, "", None, is_new=False)
    (line,) = asked(own)
    assert own.first == "%4" and line.startswith("select-window -t %4 ;")
    noted = [
        f"set-option -p -t %1 @memtui {os.getpid()} {key_of(env, '', None)}",
        "set-option -p -u -t %1 @memtui",
    ]
    insisting = OwnPane(env, "", None, is_new=True)
    assert asked(insisting) == noted and insisting.first == ""
    # a tmux that does nothing, and a terminal without one
    (tmp_path / "fails").touch()
    failing = OwnPane(env, "", None, is_new=False)
    assert len(asked(failing)) == 2 and failing.first == ""
    assert asked(OwnPane(make_env(environ={"TMUX_PANE": "%1"}), "", None, is_new=False)) == []
