"""The guard of the tests catches what it promises to catch, in the test process and in its children.

Every deed below is a test of its own in one inner test run, under this suite's conftest.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).resolve().parents[1]

WRITES = [
    "open(OUT + '/new', 'w')",
    "open(OUT + '/file', 'a')",
    "open(OUT + '/file', 'r+')",
    "os.open(OUT + '/file', os.O_RDWR)",
    "os.rename(OUT + '/file', tmp_path / 'x')",
    "(tmp_path / 'x').write_text(''); os.replace(tmp_path / 'x', OUT + '/file')",
    "os.unlink(OUT + '/file')",
    "os.mkdir(OUT + '/dir')",
    "os.rmdir(OUT)",
    "shutil.rmtree(OUT)",
    "(tmp_path / 'x').write_text(''); os.link(tmp_path / 'x', OUT + '/file2')",
    "os.symlink('x', OUT + '/link')",
    "os.chmod(OUT + '/file', 0o600)",
    "os.truncate(OUT + '/file', 0)",
    "os.utime(OUT + '/file')",
    "os.symlink(OUT, tmp_path / 'way'); (tmp_path / 'way' / 'new').write_text('')",
    "f = os.open(OUT, os.O_RDONLY); os.unlink('file', dir_fd=f)",
    "(tmp_path / 'x').write_text(''); fs.exchange(tmp_path / 'x', Path(OUT) / 'file')",
    "Path(tempfile.gettempdir()).parent.parent.joinpath('memtui-guard-probe').write_text('')",
]
LOOKS = [
    "open(REAL + '/secret')",
    "os.listdir(REAL)",
    "list(os.scandir(REAL))",
    "sqlite3.connect(REAL + '/secret')",
    "os.symlink(REAL, tmp_path / 'way'); (tmp_path / 'way' / 'secret').read_text()",
]
CHILDREN = ["open({OUT!r} + '/new', 'w')", "open({REAL!r} + '/secret')"]
HARMLESS = [
    "(tmp_path / 'a').mkdir(); (tmp_path / 'a' / 'b').write_text('x'); shutil.rmtree(tmp_path / 'a')",
    "Path(tempfile.mkdtemp(), 'c').write_text('x')",
    "tempfile.TemporaryFile().write(b'x')",
    "subprocess.run([sys.executable, '-c', 'open(\"d\", \"w\").close()'], cwd=tmp_path, check=True)",
    "assert str(Path.home()) != REAL; (Path.home() / '.config').mkdir(); os.listdir(Path.home())",
    "open(os.devnull, 'w').close()",
    "import rapidfuzz.fuzz; open(rapidfuzz.__file__).read()",
    "open(fs.__file__).read()",
]


class Inner(NamedTuple):
    """The closing lines of the inner run and what is left of the two directories nobody may touch."""

    report: str
    outside: list[str]
    text: str

    def failed_at_its_end(self, position: int) -> bool:
        """Whether deed number `position` was reported although the test itself swallowed the error."""
        return f"ERROR test_inner.py::test_{position} " in self.report + " "


def run_inner(folder: Path, deeds: list[str], real_home: Path, *, swallow: bool) -> Inner:
    """One pytest run in a fresh process whose HOME is `real_home`; one test a deed."""
    outside = folder / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine")
    source = [
        "import os, shutil, sqlite3, subprocess, sys, tempfile",
        "from pathlib import Path",
        "from memtui.core import fs",
        f"OUT, REAL = {str(outside)!r}, {str(real_home)!r}",
    ]
    for position, deed in enumerate(deeds):
        source.append(f"def test_{position}(tmp_path):")
        body = [f"    {deed}"]
        if swallow:
            body = ["    try:", f"        {deed}", "    except BaseException:", "        pass"]
        source += body
    inner = folder / "inner"
    inner.mkdir()
    (inner / "test_inner.py").write_text("\n".join(source) + "\n")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MEMTUI_")}
    environ |= {"HOME": str(real_home), "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    arguments = [
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(inner),
        "-c",
        os.devnull,
        "-q",
        "-rE",
    ]
    arguments += ["--basetemp", str(folder / "base"), str(inner / "test_inner.py")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments], env=environ, cwd=inner, capture_output=True, text=True
    )
    names = sorted(entry.name for entry in outside.iterdir())
    return Inner(done.stdout + done.stderr, names, (outside / "file").read_text())


@pytest.fixture(scope="module")
def guilty(tmp_path_factory: pytest.TempPathFactory) -> Inner:
    """The inner run of everything that must be caught."""
    folder = tmp_path_factory.mktemp("guilty")
    real = folder / "realhome"
    real.mkdir()
    (real / "secret").write_text("s3cret")
    children = [deed.format(OUT=str(folder / "outside"), REAL=str(real)) for deed in CHILDREN]
    spawned = [
        f"subprocess.run([sys.executable, '-c', {deed!r}], stderr=subprocess.DEVNULL)" for deed in children
    ]
    return run_inner(folder, WRITES + LOOKS + spawned, real, swallow=True)


@pytest.mark.parametrize("position", range(len(WRITES)), ids=WRITES)
def test_a_write_outside_fails_the_test_even_when_the_error_is_swallowed(guilty: Inner, position: int) -> None:
    assert guilty.failed_at_its_end(position), guilty.report


@pytest.mark.parametrize("position", range(len(LOOKS)), ids=LOOKS)
def test_looking_below_the_real_home_fails_the_test(guilty: Inner, position: int) -> None:
    assert guilty.failed_at_its_end(len(WRITES) + position), guilty.report


@pytest.mark.parametrize("position", range(len(CHILDREN)), ids=CHILDREN)
def test_children_are_watched_too(guilty: Inner, position: int) -> None:
    assert guilty.failed_at_its_end(len(WRITES) + len(LOOKS) + position), guilty.report


def test_what_is_caught_does_not_happen(guilty: Inner) -> None:
    assert guilty.outside == ["file"]
    assert guilty.text == "mine"


def test_own_directories_the_interpreter_and_the_checkout_are_free(tmp_path: Path) -> None:
    above_the_interpreter = Path(sys.prefix).parent
    inner = run_inner(tmp_path, HARMLESS, above_the_interpreter, swallow=False)
    assert f"{len(HARMLESS)} passed" in inner.report, inner.report
    assert "error" not in inner.report


def test_the_environment_of_a_test_is_clean(home: Path) -> None:
    assert Path.home() == home
    assert list(home.iterdir()) == []
    assert not [name for name in os.environ if name.startswith(("PI_", "CLAUDE", "ZCODE_", "TEXTUAL", "TMUX"))]
    assert "NO_COLOR" not in os.environ


async def test_coroutine_tests_run_in_a_loop(tmp_path: Path) -> None:
    await asyncio.sleep(0)
    assert asyncio.get_running_loop().is_running()
    assert tmp_path.is_dir()
