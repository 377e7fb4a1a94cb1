"""Section-sign stores, byte for byte against what amaster and Hermes did with the same operations.

Each operation of the owner is one of memtui's edits. Where memtui is safer on purpose it stands in SAFER, with
the reason and the bytes; whatever stands there must not lose a text.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from pathlib import Path

import pytest

from memtui.core.layouts.base import Add, Draft, Refusal, Remove, SetText, Store, StoredFile
from memtui.core.layouts.entries.layout import ENTRIES
from memtui.core.layouts.entries.rules import groups, rules_of
from memtui.core.layouts.entries.view import usage
from memtui.core.layouts.owners import PROFILES
from memtui.core.text.section_sign import unique

CASES = json.loads((Path(__file__).parent / "data" / "entries_cases.json").read_text("utf-8"))["cases"]
BACKUP = "MEMORY.md.bak.<ts>"

NO_BACKUP = "memtui refuses too, but nothing was at stake: it makes no backup that nobody ever deletes"
SPLITS = "a line that is exactly the sign would make two entries of one"
SAFER = {
    ("both", "add-content-ending-with-sign-line"): (SPLITS, {"MEMORY.md": b"x\n\xc2\xa7\ny"}),
    ("both", "add-content-with-delimiter"): (SPLITS, {"MEMORY.md": b"x"}),
    ("amaster", "add-emoji-at-limit"): ("a refused add makes no empty file", {}),
    ("amaster", "drift-crlf"): (
        "the owner would empty the file: two entries to everyone else are one to it",
        {"MEMORY.md": b"a\r\n\xc2\xa7\r\nb"},
    ),
    ("amaster", "invalid-utf8-then-add"): (
        "the owner would replace a byte for ever",
        {"MEMORY.md": b"caf\xe9"},
    ),
    **{("amaster", name): (NO_BACKUP, None) for name in ("add-on-drifted-file", "add-on-overlong-entry")},
    **{
        ("both", name): (NO_BACKUP, None)
        for name in (
            "drift-trailing-delimiter",
            "drift-padded-entry",
            "drift-empty-entry",
            "drift-overlong-entry",
        )
    },
}
"""(column, case) -> why memtui differs, and its files afterwards (None = those of before)."""


def data_of(content):
    if isinstance(content, dict):
        return base64.b64decode(content["base64"])
    return None if content is None else content.encode("utf-8")


class Played:
    """A case as memtui plays it on one owner's profile."""

    def __init__(self, owner, case):
        profile = PROFILES[owner]
        if "char_limit" in case:
            limits = [dataclasses.replace(limit, limit=case["char_limit"]) for limit in profile.limits]
            profile = dataclasses.replace(profile, limits=tuple(limits))
        self.store = Store("s", Path("/nowhere"), profile, exists=True, used=True, reason="test")
        self.target, self.file = case["target"], case["file"]
        self.files = {} if case["before"] is None else {self.file: data_of(case["before"])}

    def scan(self):
        return ENTRIES.scan(self.store, [StoredFile(path, "file", data) for path, data in self.files.items()])

    def entries(self):
        """The entries as the owner's program would give them."""
        found = next(g for g in groups(self.scan().files, self.store.profile) if g.file.group == self.target)
        readable = [
            text.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for text in found.parsed.texts
        ]
        return list(unique(readable))

    def used(self):
        return next(budget.used for budget in self.scan().budgets if budget.group == self.target)

    def usage(self):
        return next(
            usage(g) for g in groups(self.scan().files, self.store.profile) if g.file.group == self.target
        )

    def play(self, op):
        """True where the operation is done, False where it is refused or means nothing."""
        if op["op"] == "add":
            return self._edit([Add(op["content"], group=self.target)])
        trimmed = rules_of(self.store.profile).dialect.trimmed
        snapshot = self.scan()
        matching = {}
        for memory in snapshot.memories:
            text = ENTRIES.text(snapshot, memory.id).text.decode("utf-8", "surrogateescape")
            if op["oldText"].strip(trimmed) in text:
                matching.setdefault(text, []).append(memory.id)
        if len(matching) != 1:
            return False
        ((_text, ids),) = matching.items()
        if op["op"] == "remove":
            return self._edit([Remove(memory_id) for memory_id in ids])
        return self._edit([SetText(ids[0], op["newContent"].encode())])

    def _edit(self, edits):
        for edit in edits:
            result = ENTRIES.edit(self.scan(), edit)
            if isinstance(result, Refusal):
                assert result.reason and not result.conflict
                return False
            assert isinstance(result, Draft)
            for change in result.changes:
                self.files[change.path] = change.after
        return True


def test_all_golden_cases_are_there():
    assert len(CASES) == 56
    known = {case["id"] for case in CASES}
    assert all(name in known and reason for (_column, name), (reason, _files) in SAFER.items())


@pytest.mark.parametrize("owner", ["amaster", "hermes"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_ends_as_its_owner_ends_it(case, owner):
    column = case[owner]
    played = Played(owner, case)
    before, files_before = played.entries(), dict(played.files)
    safer = SAFER.get((owner, case["id"])) or SAFER.get(("both", case["id"]))
    results = column["results"]
    if len(results) > len(case["ops"]):
        # the file could not even be loaded
        results = results[1:]
    for op, result in zip(case["ops"], results, strict=True):
        if op["op"] == "read":
            if safer is None:
                assert played.entries() == result["entries"]
                assert result.get("chars", played.used()) == played.used()
                assert result.get("usage", played.usage()) == played.usage()
            continue
        done = played.play(op)
        if safer is None:
            assert done == result.get("success", False)
            if done and "entries" in result and case["id"] != "replace-creates-duplicate":
                assert played.entries() == result["entries"]
                assert played.usage() == result["usage"]
    wanted = {path: data_of(content) for path, content in column["files_after"].items()}
    if safer is None:
        assert played.files == wanted
        return
    reason, files = safer
    assert played.files == (files_before if files is None else files) != wanted, reason
    assert set(before) <= set(played.entries())
