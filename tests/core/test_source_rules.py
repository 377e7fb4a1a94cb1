"""Rules of the source that no linter knows: who may read the environment, and who may write.

Each rule is a finder over a syntax tree. Snippets prove that the finders find what they are for.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "memtui").rglob("*.py"))
MOST_LINES = 430
"""A file of about 400 lines asks to be two."""

ENVIRONMENT_NAMES = {
    *("os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.getcwd", "os.getcwdb"),
    *("os.path.expanduser", "os.path.expandvars", "os.path.abspath", "os.path.relpath"),
    *("Path.home", "Path.cwd", "pathlib.Path.home", "pathlib.Path.cwd"),
}
ENVIRONMENT_METHODS = {"expanduser", "absolute", "home", "cwd"}
"""Methods of a path that ask for the home or the working directory (called with no argument)."""

WRITING_NAMES = {
    *(
        "os.rename",
        "os.renames",
        "os.replace",
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "os.removedirs",
        "os.mkdir",
    ),
    *("os.makedirs", "os.link", "os.symlink", "os.mkfifo", "os.mknod", "os.chmod", "os.lchmod", "os.fchmod"),
    *("os.chown", "os.lchown", "os.truncate", "os.ftruncate", "os.utime", "os.open", "os.write", "os.fdopen"),
    *("os.setxattr", "os.sendfile", "os.copy_file_range", "open", "io.open", "os.fsync"),
    *("sqlite3.connect", "fileinput.input", "shelve.open", "dbm.open"),
}
READING_MODES = {"r", "rb", "rt"}
WRITING_METHODS = {
    *("write_text", "write_bytes", "mkdir", "rmdir", "unlink", "touch", "rename", "chmod", "lchmod"),
    *("symlink_to", "hardlink_to", "link_to"),
}
WRITING_MODULES = {"shutil", "tempfile", "mmap", "fileinput", "shelve", "dbm", "zipfile", "tarfile"}
READERS = {"shutil.which", "shutil.get_terminal_size", "shutil.disk_usage", "tempfile.gettempdir"}
"""What may be used of modules that else write."""

SCREEN_MODULES = {"textual", "rich", "asyncio"}


def dotted(node: ast.expr) -> str:
    """`a.b.c` of names and attributes; '' for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return ""


def real_names(tree: ast.AST) -> dict[str, str]:
    """What imported names stand for: `from os import environ as e` gives e -> os.environ."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def references(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Every name and attribute chain with what it really stands for."""
    names = real_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and (chain := dotted(node)):
            first, _, rest = chain.partition(".")
            yield node, ".".join(filter(None, (names.get(first, first), rest)))


def environment_readers(tree: ast.AST) -> set[tuple[int, str]]:
    """Where a module asks for variables, the home or the working directory."""
    found = {(node.lineno, name) for node, name in references(tree) if name in ENVIRONMENT_NAMES}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or node.args or node.keywords:
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr in ENVIRONMENT_METHODS:
            found.add((node.lineno, f".{node.func.attr}()"))
    return found


def writers(tree: ast.AST) -> set[tuple[int, str]]:
    """Where a module could change something on the disk."""
    found = set()
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node, name in references(tree):
        call = calls.get(id(node))
        if name in ("open", "io.open") and call is not None and mode_of(call, 1) in READING_MODES:
            continue
        package, _, rest = name.partition(".")
        from_writing_module = rest and package in WRITING_MODULES and name not in READERS
        if name in WRITING_NAMES or from_writing_module:
            found.add((node.lineno, name))
    names = real_names(tree)
    for node in calls.values():
        if not isinstance(node.func, ast.Attribute):
            continue
        method, owner = node.func.attr, names.get(dotted(node.func.value), "")
        if owner in ("memtui.core.fs", "os", "io"):
            continue
        if method in WRITING_METHODS or (method == "replace" and len(node.args) == 1 and not node.keywords):
            found.add((node.lineno, f".{method}()"))
        elif method == "open" and mode_of(node, 0) not in READING_MODES:
            found.add((node.lineno, ".open()"))
    return found


def mode_of(call: ast.Call, position: int) -> str:
    """The mode given to an `open`; `r` when none is, '' when it cannot be read off."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    given += call.args[position : position + 1]
    if not given:
        return "r"
    return given[0].value if isinstance(given[0], ast.Constant) and isinstance(given[0].value, str) else ""


def imports(tree: ast.AST) -> set[str]:
    """The top-level packages that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def undocumented(tree: ast.Module) -> list[str]:
    """Public modules, classes, functions and methods without a docstring; overriding methods need none."""
    found = [] if ast.get_docstring(tree) or not tree.body else ["the module"]
    for node in tree.body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith(
            "_"
        ):
            continue
        if not ast.get_docstring(node):
            found.append(node.name)
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}.{name}" for name in undocumented_methods(node)]
    return found


HANDLERS = ("on_", "action_", "watch_", "validate_", "compute_")
TEXTUAL_HOOKS = {
    *(
        "compose",
        "render",
        "render_line",
        "render_lines",
        "get_content_width",
        "get_content_height",
        "get_selection",
    ),
    *("check_action", "get_default_screen", "get_css_variables", "notify_style_update", "selection_updated"),
}


def undocumented_methods(node: ast.ClassDef) -> Iterator[str]:
    """Public methods without a docstring, except those whose name is a framework's own."""
    for method in node.body:
        if not isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) or method.name.startswith(
            ("_", *HANDLERS)
        ):
            continue
        sets = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in method.decorator_list)
        if method.name not in TEXTUAL_HOOKS and not sets and not ast.get_docstring(method):
            yield method.name


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def name_of(path: Path) -> str:
    """A source file relative to the checkout."""
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(params=SOURCES, ids=name_of)
def source(request: pytest.FixtureRequest) -> Path:
    """Every source file in turn."""
    path: Path = request.param
    return path


FRAME_RATE = "os.environ"
"""`__main__` sets Textual's frame rate, which Textual reads when it is imported; it reads nothing."""


def test_only_env_reads_the_environment(source: Path) -> None:
    if name_of(source) == "memtui/core/env.py":
        return
    found = environment_readers(parsed(source))
    if name_of(source) == "memtui/__main__.py":
        found = {(line, name) for line, name in found if name != FRAME_RATE}
    assert found == set()


def test_only_fs_can_write(source: Path) -> None:
    if name_of(source) in (
        "memtui/core/fs.py",
        "memtui/core/flocks.py",
        "memtui/core/streams.py",
        "memtui/core/databases.py",
        "memtui/core/env.py",
    ):
        return
    assert writers(parsed(source)) == set()


def test_env_only_reads() -> None:
    assert writers(parsed(ROOT / "memtui/core/env.py")) <= {(line, "open") for line in range(1, 1000)}
    opened = [node for node in ast.walk(parsed(ROOT / "memtui/core/env.py")) if isinstance(node, ast.Call)]
    assert all(mode_of(call, 1) in READING_MODES for call in opened if dotted(call.func) == "open")


def test_the_core_knows_no_screen(source: Path) -> None:
    if "core" in source.relative_to(ROOT).parts:
        assert imports(parsed(source)) & SCREEN_MODULES == set()


def test_what_is_made_late_is_made_late_everywhere(source: Path) -> None:
    late = source.relative_to(ROOT).parts[:2] == ("memtui", "late")
    assert late or imports(parsed(source)) & {"dataclasses", "re"} == set()


def test_everything_public_says_what_it_is(source: Path) -> None:
    assert undocumented(parsed(source)) == []


def test_files_stay_small(source: Path) -> None:
    assert len(source.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_nothing_in_the_repository_names_the_place_it_was_made_in() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0 or not listed.stdout:
        pytest.skip("not a git checkout")
    words = ["/" + "work/", "../" + "shared", "pypi" + ".org", "python" + "hosted", "registry." + "npmjs"]
    for name in filter(None, listed.stdout.decode("utf-8", "surrogateescape").split("\0")):
        path = ROOT / name
        if not path.is_file() or path.is_symlink():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        assert [word for word in words if word in text] == [], name


# The finders find what they are for


@pytest.mark.parametrize(
    "snippet",
    [
        "import os\nos.environ['HOME']",
        "import os as o\no.environ.get('HOME')",
        "from os import environ\nenviron['X']",
        "from os import getenv as g\ng('X')",
        "import os\nread = os.getcwd",
        "import os.path\nos.path.expanduser('~')",
        "from os.path import expanduser\nexpanduser('~')",
        "from os import path\npath.abspath('x')",
        "from pathlib import Path\nPath.home()",
        "from pathlib import Path as P\nP.cwd()",
        "import pathlib\npathlib.Path.home()",
        "def f(p):\n    return p.expanduser()",
        "def f(p):\n    return (p / 'x').absolute()",
        "def f(p):\n    return type(p).home()",
    ],
)
def test_the_finder_finds_readers_of_the_environment(snippet: str) -> None:
    assert environment_readers(ast.parse(snippet))


@pytest.mark.parametrize(
    "snippet",
    [
        "open('x', 'w')",
        "open('x', mode='ab')",
        "open('x', 'r+')",
        "def f(m): open('x', m)",
        "import io\nio.open('x', 'w')",
        "opener = open",
        "import os\nos.open('x', os.O_WRONLY)",
        "import os\nos.rename('a', 'b')",
        "from os import replace\nreplace('a', 'b')",
        "from os import replace as r\nr('a', 'b')",
        "import os\nremove = os.unlink",
        "import os\nos.makedirs('a')",
        "import os\nos.truncate('a', 0)",
        "import shutil\nshutil.rmtree('a')",
        "from shutil import move\nmove('a', 'b')",
        "import tempfile\ntempfile.mkdtemp()",
        "from tempfile import NamedTemporaryFile\nNamedTemporaryFile()",
        "def f(p): p.write_text('x')",
        "def f(p): p.write_bytes(b'x')",
        "def f(p): (p / 'x').mkdir()",
        "def f(p): p.unlink()",
        "def f(p): p.touch()",
        "def f(p): p.rename('x')",
        "def f(p): p.replace('x')",
        "def f(p): p.symlink_to('x')",
        "def f(p): p.open('w')",
        "import sqlite3\nsqlite3.connect('x')",
    ],
)
def test_the_finder_finds_writers(snippet: str) -> None:
    assert writers(ast.parse(snippet))


@pytest.mark.parametrize(
    "snippet",
    [
        "open('x')",
        "open('x', 'rb')",
        "open('x', encoding='utf-8')",
        "'a'.replace('a', 'b')",
        "from dataclasses import replace\nreplace(1, a=2)",
        "def f(p): return p.read_text()",
        "def f(p): return p.open()",
        "from memtui.core import fs\nfs.unlink('x')\nfs.replace('a', 'b')",
        "import shutil\nshutil.which('x')",
        "import os\nos.path.realpath('x')",
    ],
)
def test_the_finders_leave_readers_and_fs_alone(snippet: str) -> None:
    tree = ast.parse(snippet)
    assert writers(tree) == set()
    assert environment_readers(tree) == set()


def test_the_finder_finds_missing_docstrings() -> None:
    methods = "    def g(self): ...\n    def on_key(self): ...\n    def _p(self): ..."
    source = f'"m"\ndef f(): ...\nclass C:\n    "c"\n{methods}'
    assert undocumented(ast.parse(source)) == ["f", "C.g"]
