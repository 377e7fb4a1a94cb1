"""The corpus and its index, made once for all benchmarks of the index."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from index_bench import Corpus, home_with, indexed, open_corpus, quick

from memtui.core.env import Env
from memtui.core.library import Library


@pytest.fixture(scope="session")
def corpus(real_environ: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return open_corpus(real_environ, tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="session")
def indexed_env(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Env:
    """A home with the corpus, all of it in the index and its sessions in the cache."""
    env = home_with(corpus.directory, tmp_path_factory.mktemp("indexed"))
    library = indexed(env)
    for _session in library.count(list(library.sessions())):
        pass
    library.save()
    return env


@pytest.fixture(scope="session")
def indexed_library(indexed_env: Env) -> Library:
    return Library(indexed_env)


@pytest.fixture
def quick_programs(
    child_environ: Mapping[str, str], real_environ: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The environment of programs as they run once installed."""
    compiled = tmp_path_factory.getbasetemp() / "compiled"
    return {**quick(child_environ, compiled), "PATH": real_environ.get("PATH", "")}
