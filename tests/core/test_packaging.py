"""The styles are found in a checkout and in a wheel, and a wheel holds the program and nothing else."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from memtui.ui import styles

ROOT = Path(__file__).resolve().parents[2]
SHEETS = {f"{name}.tcss" for name in styles.ORDER}


def test_a_checkout_has_its_styles_beside_the_package() -> None:
    assert styles.styles_dir() == ROOT / "styles"
    assert {Path(path).name for path in styles.style_paths()} == SHEETS
    assert all(Path(path).is_file() for path in styles.style_paths())


def test_every_style_sheet_is_used() -> None:
    assert {path.name for path in (ROOT / "styles").glob("*.tcss")} == SHEETS


def test_missing_styles_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="styles"):
        styles.styles_dir(tmp_path / "memtui")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """A wheel built from this checkout; the build backend writes nothing into it."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("the build backend is not installed")
    out = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", build, str(out)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(out.glob("*.whl")))


def test_a_wheel_holds_every_module_and_every_style(wheel: zipfile.ZipFile) -> None:
    packed = {name for name in wheel.namelist() if not name.split("/")[0].endswith(".dist-info")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "memtui").rglob("*.py")}
    assert packed == modules | {f"memtui/styles/{sheet}" for sheet in SHEETS}


def test_a_wheel_finds_its_own_styles(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    assert styles.styles_dir(tmp_path / "memtui") == tmp_path / "memtui" / "styles"


def test_a_wheel_installs_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    about = {name.partition(".dist-info/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}
    assert "memtui = memtui.__main__:enter" in wheel.read(about["entry_points.txt"]).decode()
    assert "licenses/LICENSE" in about
    assert "Requires-Python: >=3.11" in wheel.read(about["METADATA"]).decode()
