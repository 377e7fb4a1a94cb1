"""The command line as a process: what it imports, and how it ends when its streams or its code fail it."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest
from cli_home import Answered, CliHome
from session_corpus import Writer

HEAVY = {
    *("textual", "rich", "asyncio", "yaml", "rapidfuzz", "platformdirs", "importlib.metadata", "subprocess"),
    *(
        "dataclasses",
        "inspect",
        "html",
        "difflib",
        "ctypes",
        "shutil",
        "secrets",
        "random",
    ),
}
"""What a command that only looks has no use for; each costs between one and two hundred milliseconds."""

MOST_MODULES = {"list": 110, "search": 130}
"""So many of memtui's own a command loads; each costs a quarter of a millisecond."""

RUN_AND_SAY = """
import sys
opened = []
def note(event, arguments):
    if event == "open":
        opened.append(str(arguments[0]))
sys.addaudithook(note)
from memtui.__main__ import main
status = main(sys.argv[1:])
from json import dumps
print(dumps([list(sys.modules), opened]), file=sys.stderr)
sys.exit(status)
"""


ENDING = """
import atexit, sys, threading, time
import memtui.__main__
def main():
    threading.Thread(target=lambda: (time.sleep(0.1), print("worked"))).start()
    threading.Thread(target=lambda: time.sleep(1000), daemon=True).start()
    atexit.register(lambda: print("at exit"))
    print("said")
    return 3
memtui.__main__.main = main
memtui.__main__.enter()
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


def modules_and_opened(cli, child_environ, *words):
    """What a command says, the modules that it loads, and the names of the files that it opens."""
    child = subprocess.run(
        [sys.executable, "-S", "-c", RUN_AND_SAY, *words_of(cli, *words)],
        env=child_environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0
    modules, opened = json.loads(child.stderr)
    own = [name for name in modules if name.split(".")[0] == "memtui"]
    assert HEAVY & set(modules) == set()
    assert len(own) <= MOST_MODULES[words[0]]
    return child.stdout, modules, opened


def test_list_imports_nothing_heavy(cli, child_environ):
    said, _modules, _opened = modules_and_opened(cli, child_environ, "list")
    assert "alpha.md" in said


def test_a_search_opens_what_it_found_and_loads_little(cli, child_environ):
    sessions = cli.home / ".pi" / "agent" / "sessions"
    for number in range(40):
        session = Writer("/elsewhere", f"s-{number}")
        session.number = 100 * number
        session.user("quince" if number in (3, 30) else "apple")
        session.save(sessions / f"--{number % 4}--" / f"{number}.jsonl")
    assert cli.run("index", "build").status == 0
    shutil.rmtree(cli.store.parent)
    for more in ({"30.jsonl", "3.jsonl"}, {"30.jsonl", "3.jsonl", "7.jsonl"}):
        said, modules, opened = modules_and_opened(cli, child_environ, "search", "quince", "--json")
        found = {os.path.basename(hit["file"]) for hit in json.loads(said)["hits"]}
        assert found == more
        read = [os.path.basename(name) for name in opened if name.endswith(".jsonl")]
        assert set(read) == more and len(read) <= 4 * len(more)
        assert not any(name.startswith("msgspec") for name in modules)
        # what came since is found, and again only that is read
        session.user("quince after all")
        session.save(sessions / "--3--" / "7.jsonl")


def test_a_process_ends_with_all_that_is_under_way(child_environ):
    child = subprocess.run(
        [sys.executable, "-c", ENDING], env=child_environ, capture_output=True, text=True, timeout=100
    )
    assert (child.returncode, child.stdout.split("\n")) == (3, ["said", "worked", "at exit", ""])


def test_the_module_runs_as_a_program(cli, child_environ):
    assert run_process(cli, child_environ, "check").returncode == 0
    listed = run_process(cli, child_environ, "list", "--json")
    assert listed.returncode == 0 and listed.stderr == "" and '"alpha.md"' in listed.stdout
    assert run_process(cli, child_environ, "show", "no.md").returncode == 3


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

    monkeypatch.setattr("memtui.core.stores.Stores.snapshots", interrupt)
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

    monkeypatch.setattr("memtui.core.stores.Stores.snapshots", fail)
    answered = cli.run("list")
    assert answered.status == 2 and answered.out == "" and answered.err.count("\n") == 1
    assert answered.err.startswith(f"memtui: {type(error).__name__}: ") and "bug in memtui" in answered.err
    assert "\x1b" not in answered.err
    assert cli.run("list", "--json").json["error"]["code"] == "bug"


def test_an_error_of_the_system_names_the_place(cli, monkeypatch):
    def fail(self, store_name=""):
        raise PermissionError(13, "Permission denied", "/some/where")

    monkeypatch.setattr("memtui.core.stores.Stores.snapshots", fail)
    answered = cli.run("list")
    assert (answered.status, answered.err) == (2, "memtui: /some/where: Permission denied\n")
    assert cli.run("list", "--json").json["error"]["code"] == "storage"
