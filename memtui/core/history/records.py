"""One change as it stands in the history: what was intended, how far it came, and its lines on disk.

A record is a file of JSON lines that is only ever appended to: an `intent` with every step and temp name, then
what happened. Every later line begins with a line end of its own, so that one which a crash tore is passed over
and spoils nothing behind it. Paths that are not UTF-8 travel as escaped surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from memtui.core.operations.plan import (
    Append,
    Cut,
    Link,
    Plan,
    Stash,
    Step,
    Trash,
    Unstash,
    WholeFile,
    Write,
)
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

State = Literal["open", "done", "rolled-back"]

FORMAT = 1
"""The format of these lines. A record of a higher one is left alone: neither shown, undone nor recovered."""


@dataclass(frozen=True, slots=True)
class Temp:
    """A temp name of a change. Before its step it holds memtui's new bytes (digest `holds`); afterwards the
    file that was put out of its name, which a late writer may still hold open.

    `live` is where late lines belong (None = the history only); `accounted` is the digest of those bytes of
    the replaced file that have been dealt with.
    """

    path: Path
    live: Path | None
    holds: str | None
    accounted: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """One change. `steps` are as they were carried out (a merge may have changed what was planned);
    `temps` are the temp names it may have left (the first of them belong to the steps, in order); `settled` =
    none of them is left. `made_dirs` are directories that were missing before, outermost first; `spare_dirs`
    those that go, if they are empty, once it is done (the `made_dirs` of a change that this one undoes).
    `other_roots` as those of a plan."""

    id: str
    verb: str
    summary: str
    store_id: str
    root: Path
    when: datetime
    steps: tuple[Step, ...]
    state: State = "open"
    temps: tuple[Temp, ...] = ()
    settled: bool = False
    made_dirs: tuple[Path, ...] = ()
    spare_dirs: tuple[Path, ...] = ()
    undoes: str | None = None
    redoes: str | None = None
    other_roots: tuple[Path, ...] = ()

    @property
    def roots(self) -> tuple[Path, ...]:
        """The directories of all stores that the change is about."""
        return (self.root, *self.other_roots)

    @property
    def target(self) -> str | None:
        """The id of the change that this one undoes or redoes, or None."""
        return self.undoes or self.redoes


def intent_line(
    plan: Plan,
    change_id: str,
    when: datetime,
    temps: tuple[Path, ...],
    made_dirs: tuple[Path, ...],
    spare_dirs: tuple[Path, ...],
) -> bytes:
    """The first line of a record."""
    return event_line(
        "intent",
        format=FORMAT,
        id=change_id,
        verb=plan.verb,
        summary=plan.summary,
        store=plan.store_id,
        root=str(plan.root),
        others=[str(path) for path in plan.other_roots],
        when=when.isoformat(),
        steps=[step_to_json(step) for step in plan.steps],
        temps=[str(path) for path in temps],
        dirs=[str(path) for path in made_dirs],
        spare=[str(path) for path in spare_dirs],
        undoes=plan.undoes,
        redoes=plan.redoes,
    )


def event_line(event: str, **values: Any) -> bytes:
    """One line of a record; surrogates are escaped, so it is plain ASCII."""
    return json.dumps({"event": event, **values}).encode("ascii") + b"\n"


def parse_record(data: bytes) -> Record | None:
    """A record from its file's bytes; None when not even its intent is whole, or it is of a newer format."""
    record: Record | None = None
    for line in data.split(b"\n"):
        try:
            event = json.loads(line)
            if event["event"] == "intent":
                record = _from_intent(event)
            elif record is not None:
                record = _advance(record, event)
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            continue
    return record


def is_torn(data: bytes) -> bool:
    """Whether a record's file holds no whole line at all: its change was killed before its first effect."""
    for line in data.split(b"\n"):
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            continue
        return False
    return True


def _from_intent(event: Mapping[str, Any]) -> Record:
    if event["format"] > FORMAT:
        raise ValueError(event["format"])
    when = datetime.fromisoformat(event["when"])
    pairs = zip(event["steps"], event["temps"], strict=True)
    return Record(
        id=event["id"],
        verb=event["verb"],
        summary=event["summary"],
        store_id=event["store"],
        root=Path(event["root"]),
        when=when if when.tzinfo is not None else when.replace(tzinfo=UTC),
        steps=tuple(step_from_json(step) for step in event["steps"]),
        temps=tuple(step_temp(step_from_json(step), Path(path)) for step, path in pairs),
        made_dirs=tuple(Path(path) for path in event["dirs"]),
        spare_dirs=tuple(Path(path) for path in event["spare"]),
        undoes=event["undoes"],
        redoes=event["redoes"],
        other_roots=tuple(Path(path) for path in event.get("others", ())),
    )


def _advance(record: Record, event: Mapping[str, Any]) -> Record:
    kind = event["event"]
    if kind == "temp":
        path = Path(event["path"])
        live = None if event["live"] is None else Path(event["live"])
        temp = Temp(path, live, event["holds"], event["accounted"])
        others = tuple(item for item in record.temps if item.path != path)
        return dataclasses.replace(record, temps=(*others, temp))
    if kind == "step":
        index, step = event["index"], step_from_json(event["step"])
        steps, temps = list(record.steps), list(record.temps)
        steps[index], temps[index] = step, step_temp(step, temps[index].path)
        return dataclasses.replace(record, steps=tuple(steps), temps=tuple(temps))
    if kind == "accounted":
        path = Path(event["path"])
        temps = [
            dataclasses.replace(temp, accounted=event["digest"]) if temp.path == path else temp
            for temp in record.temps
        ]
        return dataclasses.replace(record, temps=tuple(temps))
    if kind == "settled":
        return dataclasses.replace(record, settled=True)
    if kind in ("done", "rolled-back"):
        return dataclasses.replace(record, state=kind)
    return record


def named_objects(record: Record) -> set[str]:
    """The digests of all bytes that a record names."""
    keys = {getattr(step, name, None) for step in record.steps for name in ("before", "after", "data")}
    keys |= {key for temp in record.temps for key in (temp.holds, temp.accounted)}
    return {key for key in keys if key is not None}


def named_places(record: Record) -> set[Path]:
    """The names in the trash for whole files that a record names."""
    return {step.place for step in record.steps if isinstance(step, Stash | Unstash)}


def step_temp(step: Step, path: Path) -> Temp:
    """The temp of a step: what it holds before, and whose late lines it may collect afterwards."""
    if isinstance(step, Write):
        return Temp(path, step.path, step.after, step.before)
    if isinstance(step, Trash):
        return Temp(path, step.successor, None, step.before)
    return Temp(path, None, None, None)


def step_to_json(step: Step) -> dict[str, Any]:
    """A step as JSON values."""
    if isinstance(step, Write):
        return {
            "kind": "write",
            "path": str(step.path),
            "before": step.before,
            "after": step.after,
            "mode": step.mode,
        }
    if isinstance(step, Trash):
        return {
            "kind": "trash",
            "path": str(step.path),
            "before": step.before,
            "mode": step.mode,
            "symlink": step.is_symlink,
            "successor": None if step.successor is None else str(step.successor),
        }
    if isinstance(step, WholeFile):
        return _whole_file_to_json(step)
    return {"kind": "link", "path": str(step.path), "after": step.after}


def _whole_file_to_json(step: WholeFile) -> dict[str, Any]:
    common = {"path": str(step.path), "inode": step.inode}
    if isinstance(step, Append | Cut):
        kind = "append" if isinstance(step, Append) else "cut"
        return {"kind": kind, **common, "at": step.at, "data": step.data}
    common |= {"size": step.size_bytes, "place": str(step.place)}
    if isinstance(step, Stash):
        return {"kind": "stash", **common, "may_grow": step.may_grow}
    return {"kind": "unstash", **common}


def step_from_json(value: Mapping[str, Any]) -> Step:
    """A step from JSON values. Raises KeyError or ValueError."""
    path = Path(value["path"])
    if value["kind"] == "write":
        return Write(path, value["before"], value["after"], value["mode"])
    if value["kind"] == "trash":
        successor = None if value["successor"] is None else Path(value["successor"])
        return Trash(path, value["before"], value["mode"], value["symlink"], successor)
    if value["kind"] == "link":
        return Link(path, value["after"])
    if value["kind"] in ("append", "cut"):
        kind = Append if value["kind"] == "append" else Cut
        return kind(path, value["inode"], value["at"], value["data"])
    if value["kind"] in ("stash", "unstash"):
        size_bytes, place = value["size"], Path(value["place"])
        if value["kind"] == "stash":
            return Stash(path, value["inode"], size_bytes, place, value["may_grow"])
        return Unstash(path, value["inode"], size_bytes, place)
    raise ValueError(value["kind"])
