"""The labelled set: how often each check is right, pinned. `tests/labelled/score.py` prints the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelled.score import Score, load, score

PINNED: dict[str, tuple[float, float]] = {
    # other words for the same are not found
    "near-duplicate": (1, 0.87),
}
"""Precision and recall of the codes that are not right everywhere; of all others both are 1."""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Score:
    return score(load(), tmp_path_factory.mktemp("labelled"))


def test_every_check_is_right_as_often_as_pinned(result: Score) -> None:
    measured = {code: (round(t.precision, 2), round(t.recall, 2)) for code, t in result.tallies.items()}
    cases = [f"{code}: {case}" for code, tally in result.tallies.items() for case in tally.cases]
    assert {code: both for code, both in measured.items() if both != (1, 1)} == PINNED, "\n".join(cases)


def test_there_is_no_false_error(result: Score) -> None:
    assert result.false_errors == ()


def test_a_wrong_label_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(
        "- {name: a, lang: en, files: {a.md: text}, expect: [orphan]}\n"
        "- {name: b, lang: en, files: {MEMORY.md: '- [B](b.md) — y'}, expect: []}\n"
    )
    result = score(load([path]), tmp_path)
    assert (result.tallies["orphan"].recall, result.tallies["dead-link"].precision) == (0, 0)
    assert result.false_errors == ("x.yaml: b: dead-link",)
