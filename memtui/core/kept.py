"""What a person kept when they went through their memories, and the run in which they did.

One JSON file in memtui's state folder, private to the person; no memory's text is in it. It is read anew under
a lock each time it is written, so that two memtuis lose nothing of each other. What cannot be read means that
nothing was kept yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core.env import Env
from memtui.late.dataclasses import dataclass, field

FILE_NAME = "triage.json"
_LIMIT_BYTES = 1 << 25
MOST_KEPT = 50_000
"""Memories that are remembered, the ones kept last."""

MOST_RUNS = 50


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory that was kept: the digest of its text then, when, and the codes of what was found in it."""

    digest: str
    when: datetime
    codes: frozenset[str] = frozenset()


Keeps = Mapping[str, Mapping[str, Kept]]
"""What was kept, by the id of the store and of the memory."""


@dataclass(frozen=True, slots=True)
class Run:
    """One going through the queue: when it began and was gone on with last, and how many were decided by kind
    (`kept`, `deleted`, …).

    `changes` are those it made, oldest first, each with its kind and id. `ended` = it came to the end.
    """

    began: datetime
    last: datetime
    counts: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[tuple[str, str], ...] = ()
    ended: bool = False


@dataclass(frozen=True, slots=True)
class TriageState:
    """All that is remembered; runs by the ids of their stores."""

    keeps: Keeps = field(default_factory=dict)
    runs: Mapping[str, Run] = field(default_factory=dict)


def run_key(store_ids: Iterable[str]) -> str:
    """What a run over these stores is remembered by."""
    return "\n".join(sorted(store_ids))


def with_keep(keeps: Keeps, store_id: str, memory_id: str, kept: Kept | None) -> Keeps:
    """The keeps with this one; None = it is not kept any more."""
    of_store = dict(keeps.get(store_id, {}))
    of_store.pop(memory_id, None)
    if kept is not None:
        of_store[memory_id] = kept
    return {**keeps, store_id: of_store}


def load_triage(env: Env) -> TriageState:
    """What was saved last; nothing for what is missing or of the wrong kind. Never raises."""
    import json

    from memtui.core import fs

    try:
        values = json.loads(fs.read_file(env.state_dir / FILE_NAME, limit_bytes=_LIMIT_BYTES).data)
    except (OSError, ValueError, RecursionError):
        return TriageState()
    keeps, runs = (_table(_table(values).get(name)) for name in ("keeps", "runs"))
    return TriageState(
        {
            store_id: {memory_id: kept for memory_id, value in _table(stored).items() if (kept := _kept(value))}
            for store_id, stored in keeps.items()
        },
        {key: run for key, value in runs.items() if (run := _run(_table(value)))},
    )


def update_triage(env: Env, change: Callable[[TriageState], TriageState]) -> TriageState:
    """Change what is saved, whole or not at all; gives what is saved then. Raises OSError; TimeoutError while
    another memtui holds the lock."""
    import json

    from memtui.core import fs

    fs.make_dirs(env.state_dir, mode=0o700)
    path: Path = env.state_dir / FILE_NAME
    unfinished = path.with_name(FILE_NAME + ".tmp")
    with fs.locked(path.with_name("triage.lock")):
        state = change(load_triage(env))
        data = json.dumps({"keeps": _stored_keeps(state.keeps), "runs": _stored_runs(state.runs)})
        # one that was killed left it
        fs.unlink(unfinished, missing_ok=True)
        fs.write_new(unfinished, data.encode("ascii"))
        fs.replace(unfinished, path)
    return state


def _stored_keeps(keeps: Keeps) -> dict[str, dict[str, list[Any]]]:
    entries = [(s, m, kept) for s, of_store in keeps.items() for m, kept in of_store.items()]
    if len(entries) > MOST_KEPT:
        entries = sorted(entries, key=lambda entry: entry[2].when)[-MOST_KEPT:]
    stored: dict[str, dict[str, list[Any]]] = {}
    for store_id, memory_id, kept in entries:
        value = [kept.digest, kept.when.isoformat(), sorted(kept.codes)]
        stored.setdefault(store_id, {})[memory_id] = value
    return stored


def _stored_runs(runs: Mapping[str, Run]) -> dict[str, dict[str, Any]]:
    newest = sorted(runs.items(), key=lambda entry: entry[1].last)[-MOST_RUNS:]
    return {
        key: {
            "began": run.began.isoformat(),
            "last": run.last.isoformat(),
            "counts": dict(run.counts),
            "changes": [list(change) for change in run.changes],
            "ended": run.ended,
        }
        for key, run in newest
    }


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _time(value: object) -> datetime | None:
    try:
        when = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return when if when is not None and when.tzinfo is not None else None


def _kept(value: object) -> Kept | None:
    if not isinstance(value, list) or len(value) != 3 or not isinstance(value[0], str):
        return None
    when, codes = _time(value[1]), value[2]
    if when is None or not isinstance(codes, list):
        return None
    return Kept(value[0], when, frozenset(code for code in codes if isinstance(code, str)))


def _run(value: Mapping[str, Any]) -> Run | None:
    began, last = _time(value.get("began")), _time(value.get("last"))
    changes = value.get("changes")
    if began is None or last is None or not isinstance(changes, list):
        return None
    counts = {kind: count for kind, count in _table(value.get("counts")).items() if type(count) is int}
    made = [change for change in changes if isinstance(change, list) and len(change) == 2]
    known = tuple((kind, id_) for kind, id_ in made if isinstance(kind, str) and isinstance(id_, str))
    return Run(began, last, counts, known, value.get("ended") is True)
