"""ZCode's project directories, against values computed by Node itself."""

import json
import ntpath
import posixpath
from pathlib import Path

import pytest

from memtui.core.locate.zcode_names import project_dir_name, project_hash, project_slug

CASES = json.loads((Path(__file__).parent / "data" / "zcode_dirs.json").read_text("utf-8"))["cases"]


def test_all_golden_cases_are_there():
    assert len(CASES) == 34


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_project_directory_is_what_node_computes(case):
    given = case["input"]
    paths = ntpath if given["platform"] == "win32" else posixpath
    cwd = paths.join(given["from"], given["cwd"]) if "from" in given else given["cwd"]
    rest = (given["platform"], given.get("identity", ""))
    assert project_slug(cwd, *rest) == case["slug"]
    assert project_hash(cwd, *rest) == case["hash16"]
    assert project_dir_name(cwd, *rest) == case["dir"]


def test_name_that_is_not_utf8_counts_as_node_reads_it():
    assert project_dir_name("/home/dev/a\udcffb", "posix") == project_dir_name("/home/dev/a�b", "posix")
    assert project_slug("/home/dev/a\udcffb", "posix") == "a-b"


def test_two_leading_slashes_are_one():
    assert project_dir_name("//home/dev", "posix") == project_dir_name("/home/dev", "posix")
