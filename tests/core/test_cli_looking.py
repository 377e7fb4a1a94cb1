"""`where`, `list`, `show`, `check`, `status`: exact JSON shapes, exit statuses, and nothing is ever created."""

import json
import os
from pathlib import Path

import pytest
from cli_home import CliHome, fact

SHAPES = json.loads((Path(__file__).parents[1] / "golden" / "data" / "cli_shapes.json").read_text())


@pytest.fixture
def cli(home, capfdbinary):
    return CliHome(home, capfdbinary)


def shape(value):
    """Every key of a document by its place, in order."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return None


FILES = {
    "MEMORY.md": "- [Alpha](alpha.md) — about alpha\n- [Gone](gone.md) — gone\n- [Again](./alpha.md) — again\n",
    "alpha.md": fact("alpha"),
    "orphan.md": "no block\n",
}


@pytest.mark.parametrize("name", ["where", "list", "show", "check", "status", "agent view"])
def test_json_has_exactly_the_documented_names(cli, name):
    cli.fill(FILES)
    words = {"show": ["show", "alpha.md"], "agent view": ["show", "--agent-view"]}.get(name, [name])
    assert shape(cli.run(*words, "--json").json) == shape(SHAPES[name])


# where


def test_where_names_the_computed_directory_of_a_project_without_one(cli):
    answered = cli.run("where", "--json")
    store = answered.json["stores"][0]
    assert answered.status == 0 and answered.json["cwd"] == str(cli.project)
    assert (store["id"], store["path"], store["exists"]) == (cli.store_id, str(cli.store), False)
    assert (store["tier"], store["used"], store["writable"]) == ("none", True, True)
    assert "read by ZCode, pi-zcode-memory" in store["reason"]


def test_where_says_why_and_what_is_wrong_in_words(cli):
    cli.fill(FILES)
    (cli.home / ".config" / "memtui").mkdir(parents=True)
    (cli.home / ".config" / "memtui" / "config.yaml").write_text("[broken")
    answered = cli.run("where")
    assert answered.status == 0
    assert f"{cli.store_id}  ~/.zcode/cli/memories/projects/" in answered.out
    assert "used, tier computed: computed from" in answered.out
    assert answered.err.count("\n") == 1 and "config.yaml cannot be read" in answered.err


def test_store_narrows_every_verb(cli):
    cli.fill(FILES)
    cli.fill_claude({"MEMORY.md": "- [One](one.md)\n", "one.md": fact("one")})
    for verb in ("where", "list", "check", "status"):
        stores = cli.run(verb, "--json", "--store", "claude").json["stores"]
        assert len(stores) == 1 and "claude" in json.dumps(stores[0])
    assert len(cli.run("list", "--json").json["stores"]) == 2
    assert cli.run("list", "--store", "nobody").status == 3


# list


def test_list_gives_every_memory_with_its_place_and_problems(cli):
    cli.fill(FILES)
    when_s = 1_700_000_000
    os.utime(cli.store / "alpha.md", (when_s, when_s))
    (listed,) = cli.run("list", "--json").json["stores"]
    alpha, gone, orphan = listed["memories"]
    assert alpha == {
        "id": "alpha.md",
        "title": "Alpha",
        "description": "about alpha",
        "type": "project",
        "group": "",
        "file": "alpha.md",
        "index_lines": [1, 3],
        "updated": "2023-11-14T22:13:20+00:00",
        "bytes": len(fact("alpha")),
        "loaded": True,
        "problems": ["duplicate-line"],
    }
    assert (gone["id"], gone["index_lines"], gone["problems"]) == ("gone.md", [2], ["dead-link"])
    assert [gone[name] for name in ("description", "type", "updated", "bytes")] == [None] * 4
    assert (orphan["loaded"], orphan["index_lines"]) == (False, []) and "orphan" in orphan["problems"]
    lines = next(budget for budget in listed["budgets"] if budget["unit"] == "lines")
    assert (lines["used"], lines["limit"], lines["loaded"]) == (3, 200, None)


def test_list_names_what_is_loaded_of_a_long_index(cli):
    names = [f"m{number:03}" for number in range(205)]
    cli.fill({"MEMORY.md": "".join(f"- [{name}]({name}.md)\n" for name in names)})
    cli.fill({f"{name}.md": fact(name) for name in names})
    listed = cli.run("list", "--json").json["stores"][0]
    lines = next(item for item in listed["budgets"] if item["scope"] == "inject" and item["unit"] == "lines")
    assert (lines["used"], lines["binding"], lines["loaded"]) == (205, True, [1, 200])
    assert [memory["id"] for memory in listed["memories"] if not memory["loaded"]] == [
        f"m{number}.md" for number in range(200, 205)
    ]


def test_list_is_aligned_by_cells(cli):
    titles = {"plain.md": "plain", "wide.md": "項目部署", "marked.md": "e\u0301tude"}
    cli.fill({"MEMORY.md": "".join(f"- [{title}]({name})\n" for name, title in titles.items())})
    cli.fill(dict.fromkeys(titles, "no block, so that there is a code behind the title\n"))
    rows = [line for line in cli.run("list").out.splitlines() if ".md" in line]
    before = [row[: row.index("no-frontmatter")] for row in rows]
    widths = [sum(2 if c in "項目部署" else 0 if c == "\u0301" else 1 for c in text) for text in before]
    assert len(rows) == 3 and len(set(widths)) == 1


@pytest.mark.parametrize("verb", ["list", "where", "check", "status"])
def test_without_any_memory_all_is_fine(cli, verb):
    for words in ([verb], [verb, "--json"]):
        answered = cli.run(*words)
        assert answered.status == 0 and answered.err == ""


def test_a_store_that_is_switched_off_says_so_once(cli):
    cli.fill(FILES)
    settings = cli.project / ".pi" / "zcode-memory.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"dir": str(cli.store), "injectIndex": False}))
    answered = cli.run("list")
    assert answered.out.count("injectIndex") == 1 and "not loaded" not in answered.out
    assert cli.run("status", "--line").out.startswith("3/200 lines  off  ")


# show


def test_show_gives_the_exact_source_and_body(cli):
    cli.fill({**FILES, "crlf.md": b"\xef\xbb\xbf---\r\nname: crlf\r\n---\r\n\r\nbody \t\r\n"})
    memory = cli.run("show", "crlf.md", "--json").json["memory"]
    assert memory["text"] == "\ufeff---\r\nname: crlf\r\n---\r\n\r\nbody \t\r\n"
    assert memory["body"] == "body \t\r\n"
    listed = cli.run("list", "--json").json["stores"][0]["memories"]
    assert {name: memory[name] for name in listed[0]} == next(m for m in listed if m["id"] == "crlf.md")


def test_show_of_a_dead_line_has_no_text(cli):
    cli.fill(FILES)
    answered = cli.run("show", "gone.md", "--json")
    assert answered.status == 0 and answered.json["memory"]["text"] is answered.json["memory"]["body"] is None
    assert "dead-link" in cli.run("show", "gone.md").out


def test_bytes_that_are_not_utf8_are_replacement_signs_in_json(cli):
    cli.fill({"latin.md": b"caf\xe9 \xff\n", "MEMORY.md": "- [x](latin.md)\n"})
    assert cli.run("show", "latin.md", "--json").json["memory"]["text"] == "caf\ufffd \ufffd\n"


def test_an_unknown_id_is_3_in_both_forms(cli):
    cli.fill(FILES)
    assert cli.run("show", "no.md").status == 3
    answered = cli.run("show", "no.md", "--json")
    assert answered.status == 3 and answered.json["error"]["code"] == "unknown-id"


def test_an_id_in_two_stores_is_2_and_names_them(cli):
    cli.fill()
    cli.fill_claude()
    for words in (["show", "alpha.md"], ["set", "alpha.md", "--hook", "x"], ["delete", "alpha.md", "--yes"]):
        answered = cli.run(*words)
        assert answered.status == 2 and cli.store_id in answered.err and "claude:" in answered.err
    assert cli.run("show", "alpha.md", "--store", "zcode").status == 0


def test_show_needs_an_id_or_the_agent_view(cli):
    assert cli.run("show").status == 2


def test_the_agent_view_is_what_is_injected(cli):
    cli.fill(FILES)
    view = cli.run("show", "--agent-view", "--json").json["agent_view"]
    assert "- [Alpha](alpha.md) — about alpha\n" in view["text"] and view["approximate"]
    plain = cli.run("show", "--agent-view")
    assert "- [Alpha](alpha.md) — about alpha\n" in plain.out
    assert plain.err.count("\n") == len(view["approximate"])


def test_the_agent_view_of_two_stores_wants_one_named(cli):
    cli.fill()
    cli.fill_claude()
    assert cli.run("show", "--agent-view").status == 2
    assert cli.run("show", "--agent-view", "--store", "claude").status == 0


# check


def test_check_is_1_for_errors_and_warnings(cli):
    cli.fill(FILES)
    answered = cli.run("check", "--json")
    (checked,) = answered.json["stores"]
    assert answered.status == 1 and checked["id"] == cli.store_id
    dead = next(problem for problem in checked["problems"] if problem["code"] == "dead-link")
    assert (dead["severity"], dead["memory"], dead["file"], dead["line"]) == (
        "error",
        "gone.md",
        "MEMORY.md",
        2,
    )
    plain = cli.run("check")
    assert plain.status == 1 and "MEMORY.md:2" in plain.out


def test_check_is_0_for_notes_and_for_nothing(cli):
    cli.fill({"MEMORY.md": "- [x](x.md)\n", "x.md": "no block is a note\n"})
    answered = cli.run("check", "--json")
    severities = {problem["severity"] for problem in answered.json["stores"][0]["problems"]}
    assert answered.status == 0 and severities == {"note"}
    cli.fill()
    (cli.store / "x.md").unlink()
    assert cli.run("check").status == 0


def test_check_only_what_is_asked_for(cli):
    cli.fill(FILES)
    answered = cli.run("check", "--json", "--only", "no-index,dead-link", "--only", "past-deadline")
    assert {problem["code"] for problem in answered.json["stores"][0]["problems"]} == {"dead-link"}
    assert answered.status == 1
    assert cli.run("check", "--only", "past-deadline").status == 0
    for words in ("dead-links", "", "dead-link,nope"):
        assert cli.run("check", "--only", words).status == 2
    assert "nope is no code" in cli.run("check", "--only", "dead-link,nope").err
    assert "stale-reference" in cli.run("check", "--help").out


def test_check_looks_closer_and_list_does_not(cli):
    cli.fill({"MEMORY.md": "- [x](x.md) — h\n", "x.md": fact("x", body="It is due 2020-02-01.")})
    assert "past-deadline" in cli.run("check").out
    assert cli.run("list", "--json").json["stores"][0]["memories"][0]["problems"] == []


# status


def test_status_counts(cli):
    cli.fill(FILES)
    answered = cli.run("status", "--json").json
    (entry,) = answered["stores"]
    assert entry["memories"] == 3 and entry["problems"] == {"error": 1, "warning": 3, "note": 1}
    assert answered["last_change"] is None and answered["undo"] == 0
    cli.run("delete", "gone.md", "--yes")
    answered = cli.run("status", "--json").json
    assert answered["last_change"]["verb"] == "delete" and answered["undo"] == 1
    assert "1 to undo" in cli.run("status").out


def test_the_status_line_puts_the_most_important_first(cli):
    cli.fill(FILES)
    assert cli.run("status", "--line").out == "3/200 lines  4 problems  zcode\n"
    cli.fill_claude()
    assert cli.run("status", "--line").out == "3/200 lines  4 problems  zcode | 4/200 lines  claude\n"


def test_the_status_line_without_memory(cli):
    assert cli.run("status", "--line").out == "no memory  zcode\n"


# Looking changes nothing


def test_looking_creates_nothing_and_leaves_every_byte(cli):
    cli.fill(FILES)
    before = cli.tree()
    for words in (["where"], ["list"], ["check"], ["status"], ["status", "--line"], ["history"]):
        cli.run(*words)
        cli.run(*words, "--json")
    cli.run("show", "alpha.md")
    cli.run("show", "--agent-view")
    for words in (["delete", "alpha.md"], ["rename", "alpha.md", "z"], ["set", "alpha.md", "--title", "Z"]):
        assert cli.run(*words, "--dry-run").status == 0
    assert cli.run("add", "--title", "New", "--dry-run").status == 0
    assert cli.run("delete", "alpha.md").status == 2
    assert cli.tree() == before


def test_a_problem_of_two_lines_is_told_once(cli):
    cli.fill()
    index = cli.store / "MEMORY.md"
    index.write_text(index.read_text() + "- [Alpha again](alpha.md) — twice\n")
    assert cli.run("show", "alpha.md").out.count("duplicate-line") == 1
    assert cli.run("check").out.count("duplicate-line") == 2


@pytest.mark.parametrize("typed", ["ALPHA.md", "Alpha"])
def test_an_id_that_is_nearly_right_gets_a_suggestion(cli, typed):
    cli.fill()
    answered = cli.run("show", typed)
    assert answered.status == 3 and "did you mean alpha.md?" in answered.err


def test_an_id_may_go_without_its_ending(cli):
    cli.fill()
    assert cli.run("show", "alpha").out == cli.run("show", "alpha.md").out
    (cli.store / "alpha.md.md").write_text((cli.store / "alpha.md").read_text())
    assert "alpha.md.md" not in cli.run("show", "alpha.md").out.splitlines()[0]


def test_an_empty_id_is_a_usage_error(cli):
    assert cli.run("show", "").status == 2


def test_where_the_agent_stops_is_told_once(cli):
    cli.fill()
    lines = "".join(f"- [N{number}](n{number}.md) — x\n" for number in range(210))
    (cli.store / "MEMORY.md").write_text(lines)
    out = cli.run("list").out
    assert out.count("(loaded up to line 200)") == 1 and "210/200 lines" in out


def test_status_counts_without_saying_a_word_twice(cli):
    cli.fill()
    out = cli.run("status").out
    assert "memories  2\n" in out and "problems  none\n" in out


def test_d02_where_and_a_delete_name_the_other_project(cli):
    root = cli.fill_claude()
    other = cli.home / "code.app"
    transcript = root.parent / "11111111-1111-1111-1111-111111111111.jsonl"
    transcript.write_text(json.dumps({"type": "user", "cwd": str(other)}) + "\n")
    assert "also the memory of ~/code.app" in cli.run("where").out
    refusal = cli.run("delete", "alpha.md", "beta.md", "--store", "claude")
    assert refusal.status == 2 and f"also the memory of {other}" in refusal.err


def test_a_store_in_whose_place_a_file_stands_is_not_called_empty(cli):
    cli.store.parent.mkdir(parents=True)
    cli.store.write_text("no directory")
    assert "is not a directory" in cli.run("list").out
    problems = cli.run("check", "--json").json["stores"][0]["problems"]
    assert [problem["code"] for problem in problems] == ["unreadable"]
