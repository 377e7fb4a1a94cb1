"""The command line as a process: what it imports, and how it ends when its streams or its code fail it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli_home import Answered, CliHome

HEAVY = {"textual", "rich", "asyncio", "yaml", "rapidfuzz", "platformdirs", "importlib.metadata", "subprocess"}
"""What a command that only lists has no use for; each costs between ten and two hundred milliseconds."""

LIST_AND_SAY = """
import sys
from memtui.__main__ import main
status = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill()
    return cli


def words_of(cli, *words):
    return ["--home", str(cli.home), "--cwd", str(cli.project), *words]


def run_process(cli, environ, *words, **options):
    command = [sys.executable, "-m", "memtui", *words_of(cli, *words)]
    return subprocess.run(command, env=environ, cwd=cli.project, capture_output=True, text=True, **options)


def test_list_imports_nothing_heavy(cli, child_environ):
    child = subprocess.run(
        [sys.executable, "-S", "-c", LIST_AND_SAY, *words_of(cli, "list")],
        env=child_environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0 and "alpha.md" in child.stdout
    assert HEAVY & set(child.stderr.split()) == set()


def test_the_module_runs_as_a_program(cli, child_environ):
    assert run_process(cli, child_environ, "check").returncode == 0
    listed = run_process(cli, child_environ, "list", "--json")
    assert listed.returncode == 0 and listed.stderr == "" and '"alpha.md"' in listed.stdout
    assert run_process(cli, child_environ, "show", "no.md").returncode == 3


def test_the_readmes_git_hook_and_cron_line_speak_only_when_something_is_wrong(cli, child_environ, tmp_path):
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    hook, line = re.findall(r"```sh\n(#!/bin/sh\n.*?|0 9 .*?)```", readme, re.DOTALL)
    shim = tmp_path / "memtui"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memtui "$@"\n')
    shim.chmod(0o700)
    environ = child_environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}

    def run(script):
        return subprocess.run(
            ["sh", "-c", script], env=environ, cwd=cli.project, capture_output=True, text=True
        )

    cron = line.split(maxsplit=5)[5]
    assert (run(hook).returncode, run(cron).stdout) == (0, "")
    (cli.store / "beta.md").unlink()
    pushed = run(hook)
    assert pushed.returncode == 1 and "dead-link" in pushed.stderr and pushed.stdout == ""
    assert "dead-link" in run(cron).stdout


def test_output_is_utf8_json_and_readable_text_in_any_locale(cli, child_environ):
    cli.fill({"wide.md": "日本語\n"})
    environ = child_environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "memtui", *words_of(cli, "show", "wide.md")]
    plain = subprocess.run(command, env=environ, capture_output=True)
    document = subprocess.run([*command, "--json"], env=environ, capture_output=True)
    assert plain.returncode == 0 and plain.stdout.endswith(b"\n???\n")
    assert "日本語".encode() in document.stdout


def test_u08_no_terminal_is_one_line_on_stderr(cli, child_environ):
    child = run_process(cli, child_environ, stdin=subprocess.DEVNULL)
    assert child.returncode == 2 and child.stdout == "" and child.stderr.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_error(cli, child_environ):
    cli.fill({f"m{number}.md": "text\n" * 2000 for number in range(3)})
    script = 'exec 3>&1; { "$@"; echo "status $?" >&3; } | head -n 1'
    command = [sys.executable, "-m", "memtui", *words_of(cli, "list", "--json")]
    child = subprocess.run(
        ["sh", "-c", script, "sh", *command], env=child_environ, capture_output=True, text=True
    )
    assert "status 0" in child.stdout and child.stderr == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_an_answer_that_cannot_be_written_is_2_with_one_line(cli, child_environ):
    for words in (["list"], ["list", "--json"], ["show", "no.md", "--json"]):
        command = [sys.executable, "-m", "memtui", *words_of(cli, *words)]
        # opened by a shell: this test may not write to devices itself
        child = subprocess.run(
            ["sh", "-c", '"$@" >/dev/full', "sh", *command], env=child_environ, capture_output=True, text=True
        )
        assert child.returncode == 2
        assert child.stderr == "memtui: the answer could not be written (No space left on device)\n"


def test_the_keyboard_interrupts_quietly(cli, monkeypatch):
    def interrupt(self, store_name=""):
        raise KeyboardInterrupt

    monkeypatch.setattr("memtui.core.workspace.Workspace.snapshots", interrupt)
    assert cli.run("list") == Answered(130, "", "")


def test_a_signal_from_the_keyboard_ends_a_waiting_command(cli, child_environ):
    command = [sys.executable, "-m", "memtui", *words_of(cli, "set", "alpha.md", "--body-file", "-")]
    child = subprocess.Popen(
        command, env=child_environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # the command has started for certain once it has taken more than a pipe holds
    child.stdin.write(b"x" * (1 << 20))
    child.stdin.flush()
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (130, b"", b"")
    assert (cli.store / "alpha.md").stat().st_size < 1000


@pytest.mark.parametrize("error", [ValueError("odd \x1b[31m"), RecursionError(), AssertionError("x")])
def test_a_bug_is_one_line_and_never_a_traceback(cli, monkeypatch, error):
    def fail(self, store_name=""):
        raise error

    monkeypatch.setattr("memtui.core.workspace.Workspace.snapshots", fail)
    answered = cli.run("list")
    assert answered.status == 2 and answered.out == "" and answered.err.count("\n") == 1
    assert answered.err.startswith(f"memtui: {type(error).__name__}: ") and "bug in memtui" in answered.err
    assert "\x1b" not in answered.err
    assert cli.run("list", "--json").json["error"]["code"] == "bug"


def test_an_error_of_the_system_names_the_place(cli, monkeypatch):
    def fail(self, store_name=""):
        raise PermissionError(13, "Permission denied", "/some/where")

    monkeypatch.setattr("memtui.core.workspace.Workspace.snapshots", fail)
    answered = cli.run("list")
    assert (answered.status, answered.err) == (2, "memtui: /some/where: Permission denied\n")
    assert cli.run("list", "--json").json["error"]["code"] == "storage"
