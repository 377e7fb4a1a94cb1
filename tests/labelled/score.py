"""How often `memtui check` is right about the labelled memories: precision and recall of every code.

    python tests/labelled/score.py [FILE.yaml ...]

A file of the set is a list of cases:

    - name: a path that was removed          # unique in its file
      lang: en                               # or zh
      files: {"a.md": "Run `src/gone.py`."}  # the memory; a text without frontmatter gets one, and without an
                                             # index every file gets its line
      owner: claude                          # or zcode, or hermes (MEMORY.md and USER.md, entries between §)
      project: {"src/main.py": ""}           # the working directory; null = a folder
      home: {"notes.txt": ""}                # the home directory: other stores, for instance
      branches: [main]                       # the project is a repository with these (v1 under tags: [v1])
      commands: [git]                        # programs on PATH, instead of the usual ones
      updated: 2026-11-20                    # when the files were last changed
      expect: [stale-reference]              # the codes that are right, [] = nothing is wrong

In texts, HOME and PROJECT in curly brackets stand for those directories, and CUT for nothing: what a scanner of
repositories would take for a secret is written with one in it. The cases take place on Monday,
2026-11-30. A code counts once a case.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import yaml

from memtui.cli.run import run
from memtui.core.env import Env
from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root

HERE = Path(__file__).resolve().parent
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
UPDATED = date(2026, 11, 25)
COMMANDS = ("bash", "cargo", "curl", "docker", "git", "make", "node", "npm", "python3", "rg", "ssh")
KEYS = frozenset(
    {"name", "lang", "files", "owner", "project", "home", "branches", "tags", "commands", "updated", "expect"}
)
INDEXES = frozenset({"MEMORY.md", "USER.md"})


@dataclass(frozen=True)
class Case:
    """One labelled case; `file` is where it stands."""

    file: str
    values: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Which case, for people."""
        return f"{self.file}: {self.values['name']}"

    @property
    def expected(self) -> frozenset[str]:
        """The codes that are right."""
        return frozenset(self.values["expect"])


@dataclass
class Tally:
    """How often a code was found rightly, wrongly, and missed; `cases` names those of the latter two."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    cases: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The part of what was found that is right; 1 where nothing was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The part of what is right that was found; 1 where there was nothing to find."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@dataclass(frozen=True)
class Score:
    """The tallies by code, and the errors that `check` claims and no label does."""

    tallies: Mapping[str, Tally]
    false_errors: tuple[str, ...]


def load(paths: Iterable[Path] = ()) -> list[Case]:
    """The cases of these files, by default of the whole set. Raises ValueError for one that is not well-formed."""
    cases = []
    for path in list(paths) or sorted(HERE.glob("*.yaml")):
        names: Counter[str] = Counter()
        for values in yaml.safe_load(path.read_text(encoding="utf-8")) or ():
            if not {"name", "lang", "files", "expect"} <= values.keys() <= KEYS or values["lang"] not in (
                "en",
                "zh",
            ):
                raise ValueError(f"{path.name}: {values}")
            names[values["name"]] += 1
            cases.append(Case(path.name, values))
        if twice := [name for name, count in names.items() if count > 1]:
            raise ValueError(f"{path.name}: twice: {twice}")
    return cases


def score(cases: Iterable[Case], base: Path) -> Score:
    """Run `memtui check` on every case, each in a home of its own below `base`."""
    tallies: dict[str, Tally] = {}
    false_errors = []
    for number, case in enumerate(cases):
        problems = check(case, base / str(number))
        found = {problem["code"] for problem in problems}
        for code in found | case.expected:
            tally = tallies.setdefault(code, Tally())
            is_right = code in found and code in case.expected
            tally.right += is_right
            tally.wrong += code not in case.expected
            tally.missed += code not in found
            if not is_right:
                message = next((p["message"] for p in problems if p["code"] == code), "missed")
                tally.cases.append(f"{case.name}: {message}")
        errors = {problem["code"] for problem in problems if problem["severity"] == "error"}
        false_errors += [f"{case.name}: {code}" for code in sorted(errors - case.expected)]
    return Score(dict(sorted(tallies.items())), tuple(false_errors))


def check(case: Case, base: Path) -> list[dict[str, Any]]:
    """What `memtui check --json` says of a case."""
    env = build(case, base)
    # stdin and stdout of a command are bytes below
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out):
        status = run(
            ["check", "--json", "--store", case.values.get("owner", "claude")], lambda _h, _c: env, _no_app
        )
    out.flush()
    document = json.loads(out.buffer.getvalue())  # type: ignore[attr-defined]
    if status not in (0, 1) or "stores" not in document:
        raise ValueError(f"{case.name}: {document}")
    return [problem for store in document["stores"] for problem in store["problems"]]


def _no_app(env: Env, owner: str, path: Path | None) -> int:
    raise AssertionError("a command opened the app")


# The disk of a case


def build(case: Case, base: Path) -> Env:
    """Put a case on the disk below `base`."""
    values = case.values
    home, project = base / "home", base / "home" / "code" / "app"
    project.mkdir(parents=True)
    _put(home, values.get("home", {}), {})
    _put(project, values.get("project", {}), {})
    if "branches" in values or "tags" in values:
        refs = {f"refs/heads/{name}": "0\n" for name in values.get("branches", ())}
        refs |= {f"refs/tags/{name}": "0\n" for name in values.get("tags", ())}
        _put(project / ".git", {"HEAD": "ref: refs/heads/main\n", "config": "", **refs}, {})
    own = values.get("commands")
    programs = base.parent / "bin" if own is None else home / "bin"
    if own is not None or not programs.exists():
        _put(programs, dict.fromkeys(own or COMMANDS, ""), {})
    words = {"{HOME}": str(home), "{PROJECT}": str(project), "{CUT}": ""}
    owner = values.get("owner", "claude")
    files = dict(values["files"])
    if owner != "hermes":
        files = {name: text if name in INDEXES else _fact(name, text) for name, text in files.items()}
        files.setdefault("MEMORY.md", "".join(f"- [{Path(name).stem}]({name}) — about it\n" for name in files))
    store = _store(owner, home, project)
    _put(store, files, words)
    moment = datetime.combine(values.get("updated", UPDATED), time(9), UTC).timestamp()
    for path in store.rglob("*"):
        os.utime(path, (moment, moment))
    return Env(
        home=home,
        cwd=project,
        environ={"PATH": str(programs), "HOME": str(home)},
        config_dir=home / ".config" / "memtui",
        state_dir=home / ".local" / "state" / "memtui",
        cache_dir=home / ".cache" / "memtui",
        now=lambda: NOW,
    )


def _store(owner: str, home: Path, project: Path) -> Path:
    real = os.path.realpath(project)
    if owner == "hermes":
        return home / ".hermes" / "memories"
    if owner == "zcode":
        return projects_root(cli_root(home / ".zcode")) / project_dir_name(real, "posix") / "memory"
    slug = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in real)
    return home / ".claude" / "projects" / slug / "memory"


def _fact(name: str, text: str) -> str:
    if text.startswith("---\n"):
        return text
    stem = Path(name).stem
    return f"---\nname: {stem}\ndescription: about it\nmetadata:\n  type: project\n---\n\n{text.rstrip()}\n"


def _put(root: Path, files: Mapping[str, str | None], words: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        if text is None:
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        path.write_text(text, encoding="utf-8", newline="")


def main(paths: list[str]) -> int:
    """Print the score; 1 where a code is wrong or missed."""
    cases = load(map(Path, paths))
    with tempfile.TemporaryDirectory() as base:
        result = score(cases, Path(base))
    langs = Counter(case.values["lang"] for case in cases)
    print(f"{len(cases)} cases, {', '.join(f'{count} {lang}' for lang, count in sorted(langs.items()))}\n")
    print(f"{'code':20} right wrong missed precision recall")
    for code, tally in result.tallies.items():
        print(
            f"{code:20} {tally.right:5} {tally.wrong:5} {tally.missed:6} {tally.precision:9.3f} {tally.recall:6.3f}"
        )
    for code, tally in result.tallies.items():
        for case in tally.cases:
            print(f"\n{code}: {case}")
    for case in result.false_errors:
        print(f"\nfalse error: {case}")
    return int(any(tally.cases for tally in result.tallies.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
