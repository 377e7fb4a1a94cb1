"""The grammar of the command line: options anywhere, verbs first, errors in both forms, help."""

import pytest
from cli_home import CliHome

VERBS = (
    "redact",
    "purge",
    "where",
    "list",
    "show",
    "check",
    "duplicates",
    "status",
    "search",
    "sessions",
    "index",
    "add",
    "set",
    "rename",
    "delete",
    "move",
    "adopt",
    "merge",
    "split",
    "place",
    "retype",
    "repair",
    "backups",
    "undo",
    "redo",
    "history",
    "changes",
    "restore",
)


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill()
    return cli


def test_common_options_mean_the_same_before_and_after_the_verb(cli):
    options = ["--home", str(cli.home), "--cwd", str(cli.project), "--store", "zcode", "--json"]
    before, after = cli.run_bare(*options, "list"), cli.run_bare("list", *options)
    mixed = cli.run_bare(*options[:4], "list", *options[4:])
    joined = cli.run_bare(f"--home={cli.home}", "list", f"--cwd={cli.project}", "--store=zcode", "--json")
    assert before.status == 0 and len(before.json["stores"][0]["memories"]) == 2
    assert before == after == mixed == joined


def test_an_option_before_the_verb_may_be_a_verbs_own(cli):
    assert cli.run("--dry-run", "delete", "alpha.md").status == 0
    assert (cli.store / "alpha.md").exists()


def test_a_value_that_is_a_verb_is_a_value(cli):
    answered = cli.run("--store", "list", "check")
    assert answered.status == 3 and "no store list here" in answered.err


def test_options_are_not_guessed(cli):
    answered = cli.run("list", "--js")
    assert answered.status == 2
    assert answered.err == "memtui: unrecognized arguments: --js; see `memtui list --help`\n"
    assert answered.out == ""


def test_usage_errors_have_a_json_form(cli):
    answered = cli.run("--json", "rename", "alpha.md")
    assert answered.status == 2 and answered.err == ""
    assert set(answered.json) == {"error"} and set(answered.json["error"]) == {"code", "message"}
    assert answered.json["error"]["code"] == "usage" and "NEW" in answered.json["error"]["message"]


def test_a_text_may_begin_with_a_dash(cli):
    answered = cli.run("set", "alpha.md", "--body=-x", "--hook=--json", "--dry-run", "--json")
    diffs = "".join(step["diff"] for step in answered.json["plan"])
    assert answered.status == 0 and "+-x\n" in diffs and "— --json" in diffs


def test_json_as_the_text_of_another_option_is_not_asked_for(cli):
    answered = cli.run("set", "alpha.md", "--dry-run", "--hook=--json")
    assert answered.status == 0 and answered.out.startswith("--- a/")


def test_an_id_may_begin_with_a_dash(cli):
    cli.fill({"-x.md": "odd\n"})
    assert cli.run("--json", "show", "--", "-x.md").json["memory"]["id"] == "-x.md"


@pytest.mark.parametrize("verb", [*VERBS, "demo"])
def test_help_of_every_verb_is_short_and_says_what_it_does(cli, verb):
    answered = cli.run_bare(verb, "--help")
    assert answered.status == 0 and answered.err == ""
    assert answered.out.startswith(f"usage: memtui {verb}") and len(answered.out.splitlines()) < 40
    for option in ("--home", "--cwd", "--store", "--json"):
        assert option in answered.out
    looks = (
        "where",
        "list",
        "show",
        "check",
        "duplicates",
        "status",
        "search",
        "sessions",
        "index",
        "changes",
        "demo",
    )
    changes = verb not in looks
    assert ("--dry-run" in answered.out) == changes


def test_help_lists_exactly_the_verbs_there_are(cli):
    answered = cli.run_bare("--help")
    listed = [line.split()[0] for line in answered.out.split("commands")[1].splitlines()[1:] if line]
    assert sorted(listed) == sorted([*VERBS, "demo"])


def test_version(cli):
    import memtui

    assert cli.run_bare("--version").out == f"memtui {memtui.__version__}\n"


# Without a verb: the app


def test_u08_without_a_terminal_there_is_one_line_and_status_2(cli):
    answered = cli.run()
    assert answered.status == 2 and answered.out == ""
    assert answered.err.count("\n") == 1 and "is not a terminal" in answered.err and "\x1b" not in answered.err


def test_json_without_a_command_is_an_error_in_json(cli):
    answered = cli.run("--json")
    assert answered.status == 2 and "needs a command" in answered.json["error"]["message"]


class Terminal:
    """A stream that says it is a terminal."""

    encoding = "utf-8"
    closed = False

    def isatty(self):
        return True


@pytest.fixture
def opened(monkeypatch):
    """What the app would be opened with, on three streams that claim to be a terminal."""
    calls = []

    def open_app(env, owner, path, is_new):
        calls.append((env, owner, path, is_new))
        return 0

    monkeypatch.setattr("memtui.__main__._open_app", open_app)
    monkeypatch.setattr(
        "memtui.cli.app.sys", type("System", (), dict.fromkeys(("stdin", "stdout", "stderr"), Terminal()))
    )
    return calls


def test_the_app_opens_here_or_at_a_path(cli, opened):
    assert cli.run().status == 0
    assert cli.run(str(cli.store)).status == 0
    assert cli.run("--owner", "zcode", ".", "--new").status == 0
    assert [(env.cwd, *others) for env, *others in opened] == [
        (cli.project, "", None, False),
        (cli.project, "", cli.store, False),
        (cli.project, "zcode", cli.project, True),
    ]


def test_a_folder_named_like_a_verb_is_opened_by_its_path(cli, opened):
    (cli.project / "list").mkdir()
    assert cli.run("list").out.startswith(cli.store_id)
    assert cli.run("./list").status == 0
    assert cli.run("--", "list").status == 0
    assert [path for _env, _owner, path, _is_new in opened] == [cli.project / "list"] * 2


def test_a_dumb_terminal_is_no_terminal(cli, opened, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    answered = cli.run()
    assert answered.status == 2 and answered.err.startswith("memtui: TERM is dumb") and opened == []


def test_a_word_that_is_neither_command_nor_folder_gets_a_suggestion(cli, opened):
    answered = cli.run("lst")
    assert answered.status == 2 and "did you mean `memtui list`?" in answered.err
    assert cli.run("nothing-like-it").err.endswith("see `memtui --help`\n") and opened == []


def test_an_unknown_owner_is_named_with_the_known_ones(cli, opened):
    answered = cli.run("--owner", "nobody")
    assert answered.status == 2 and "zcode, claude" in answered.err and opened == []


# The environment


def test_home_without_a_cwd_below_it_says_what_to_add(cli, tmp_path):
    answered = cli.run_bare("--home", str(tmp_path / "elsewhere"), "list", "--json")
    assert answered.status == 2 and answered.json["error"]["code"] == "home-without-cwd"


def test_a_cwd_that_does_not_exist_is_fine(cli):
    answered = cli.run_bare("--home", str(cli.home), "--cwd", str(cli.home / "gone"), "list")
    assert answered.status == 0 and "(not there yet)" in answered.out


@pytest.mark.parametrize("words", [("delet", "a.md", "--yes"), ("lst", "--json"), ("lst",)])
def test_a_mistyped_command_is_named_whatever_stands_behind_it(cli, opened, words):
    answered = cli.run(*words)
    assert answered.status == 2 and "did you mean" in answered.out + answered.err
