"""What each store looked like when memtui saw it: so that what others changed can be shown, and brought back.

Below `<state>/history/sightings` one file of JSON lines a store, named by its root and its layout (another one
reads other files of the same directory): all its names first, then
one line a look that showed something different, with only the names that were. The bytes are in the object
store. A line that a crash tore is passed over; the next look then notes again what it held.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.history.objects import ObjectStore, make_private_dir
from memtui.core.layouts.base import FileKind, Store, StoredFile, digest
from memtui.late.dataclasses import dataclass

FORMAT = 1

MOST = 400
"""So many sightings of one store are kept; when there are more, every second of the older ones goes."""

NEWEST, RUNS = 100, 20
"""So many of the newest stay then, and those at which the newest runs began, with the one before each."""

LARGEST_BYTES = 8 << 20
"""Of larger files only the digest is noted: a memory is a text that an agent reads whole."""

AT_ONCE = 8
"""So many texts are kept with one flush of their directory."""

ONE_CLOCK = timedelta(hours=1)
"""A look that is older than what was noted last, by less than this, comes too late."""

_SUFFIX, _UNFINISHED = ".jsonl", ".new"


@dataclass(frozen=True, slots=True)
class Seen:
    """One name as it was seen: the digest of its bytes ('' = not known), or a symlink's target."""

    kind: FileKind
    key: str = ""
    size_bytes: int = 0
    mode: int = 0o644
    updated: datetime | None = None
    link_target: str = ""

    @property
    def content(self) -> tuple[str, ...]:
        """Equal where nothing that counts is different."""
        return self.kind, self.key, self.link_target


@dataclass(frozen=True, slots=True)
class Sighting:
    """A store at one moment: every name that was read. `run` is the run of memtui that looked."""

    when: datetime
    run: str
    files: Mapping[str, Seen]


class Sightings:
    """The sightings of all stores in one folder. `locked` keeps other memtuis from noting or removing any."""

    def __init__(
        self, folder: Path, objects: ObjectStore, locked: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._folder = folder
        self._objects = objects
        self._locked = locked
        self._read: dict[Path, tuple[tuple[int, float], tuple[Sighting, ...]]] = {}

    def of(self, root: Path, layout: str) -> tuple[Sighting, ...]:
        """What was seen of the store of this layout at `root`, oldest first. Never raises."""
        return self._parsed(self._path(root, layout))

    def note(
        self, store: Store, files: Iterable[StoredFile], when: datetime, run: str, *, ends: bool = False
    ) -> int | None:
        """Note what a store looked like, with its bytes; None where there was nothing to note, else the bytes
        that were not kept before.

        Nothing is, when all is as it was noted last and this run has noted the store before (with `ends`: the
        time is noted all the same), or when a newer look has been noted. Raises OSError and TimeoutError.
        """
        seen, blobs = _as_seen(files)
        path = self._path(store.root, store.layout)
        make_private_dir(self._folder)
        with self._locked():
            known = self._parsed(path)
            last = known[-1] if known else None
            if last is not None and _is_behind(when, last.when, ends=ends):
                return None
            different = _different({} if last is None else last.files, seen)
            if not different and not ends and any(item.run == run for item in known):
                return None
            wanted = {file.key for file in different.values() if file is not None}
            new = {key: blobs[key] for key in wanted & blobs.keys()}
            self._objects.put_all(new)
            line = _line(Sighting(when, run, {}), different, store)
            if last is None:
                self._rewrite(path, line)
            else:
                fs.append(path, b"\n" + line)
            if len(known) >= MOST:
                self._keep(path, _thinned(self._parsed(path)))
        return sum(map(len, new.values()))

    def keeping(self, store: Store, files: Iterable[StoredFile]) -> Iterator[None]:
        """Keep the bytes that `note` would keep, a few at a time, so that little is left to do. Raises OSError.

        Without the lock: what is removed before it is named, `note` keeps once more.
        """
        known = self.of(store.root, store.layout)
        seen, blobs = _as_seen(files)
        different = _different(known[-1].files if known else {}, seen)
        keys = [file.key for file in different.values() if file is not None and file.key in blobs]
        for at in range(0, len(keys), AT_ONCE):
            self._objects.put_all({key: blobs[key] for key in keys[at : at + AT_ONCE]})
            yield

    # For the retention, which holds the lock

    def logs(self) -> dict[Path, tuple[Sighting, ...]]:
        """All that is noted, by the file that it is noted in."""
        if not fs.is_dir(self._folder):
            return {}
        names = [entry.name for entry in fs.list_dir(self._folder) if entry.kind == "file"]
        return {path: self._parsed(path) for name in names if (path := self._folder / name).suffix == _SUFFIX}

    def named(self) -> set[str]:
        """The digests of all bytes that a sighting names."""
        return {key for log in self.logs().values() for sighting in log for key in keys_of(sighting)}

    def keep_from(self, path: Path, first: int) -> None:
        """Forget the sightings of a file before the one of this number (from 0); the file with the last."""
        if first > 0:
            self._keep(path, self._parsed(path)[first:])

    # Inside

    def _keep(self, path: Path, kept: Sequence[Sighting]) -> None:
        self._read.pop(path, None)
        if not kept:
            fs.unlink(path, missing_ok=True)
            return
        lines, before = [], dict[str, Seen]()
        for sighting in kept:
            lines.append(_line(sighting, _different(before, sighting.files), None))
            before = dict(sighting.files)
        self._rewrite(path, b"\n".join(lines))

    def _rewrite(self, path: Path, data: bytes) -> None:
        unfinished = path.with_name(path.name + _UNFINISHED)
        # one that was killed left it
        fs.unlink(unfinished, missing_ok=True)
        fs.write_new(unfinished, data, mode=0o600)
        fs.replace(unfinished, path)
        fs.fsync_dir(self._folder)

    def _path(self, root: Path, layout: str) -> Path:
        name = digest(bytes(root) + b"\0" + layout.encode("ascii"))
        return self._folder / f"{name[:32]}{_SUFFIX}"

    def _parsed(self, path: Path) -> tuple[Sighting, ...]:
        try:
            state = fs.size_and_time(path)
            known = self._read.get(path)
            if known is None or known[0] != state:
                known = self._read[path] = (state, tuple(_sightings(fs.read_file(path).data)))
        except OSError:
            return ()
        return known[1]


def content_of(file: StoredFile | None) -> tuple[str, ...] | None:
    """What of a file counts, as `Seen.content` has it; None where it is not there or not noted."""
    seen = {} if file is None else _as_seen((file,))[0]
    return next((known.content for known in seen.values()), None)


def keys_of(sighting: Sighting) -> set[str]:
    """The digests of the bytes that a sighting names."""
    return {file.key for file in sighting.files.values() if file.key}


def stored_files(
    sighting: Sighting, objects: ObjectStore, now: Mapping[str, StoredFile]
) -> tuple[StoredFile, ...]:
    """The files of a sighting as a reader would give them: those of `now` where they are the same; of what is
    not kept only that it was there."""
    files = []
    for path, seen in sighting.files.items():
        there = now.get(path)
        is_same = there is not None and content_of(there) == seen.content
        files.append(there if there is not None and is_same else _stored(path, seen, objects))
    return tuple(files)


def _stored(path: str, seen: Seen, objects: ObjectStore) -> StoredFile:
    data = objects.get(seen.key) if seen.key else None
    kind: FileKind = seen.kind if seen.kind != "file" or data is not None else "unreadable"
    return StoredFile(
        path,
        kind,
        data,
        seen.mode,
        updated=seen.updated,
        link_target=seen.link_target,
        size_bytes=seen.size_bytes,
    )


def _as_seen(files: Iterable[StoredFile]) -> tuple[dict[str, Seen], dict[str, bytes]]:
    """The names that are noted, and the bytes to keep: none of what is only listed, or read from its end."""
    seen, blobs = {}, {}
    for file in files:
        data = file.data
        if file.kind == "symlink":
            seen[file.path] = Seen("symlink", link_target=file.link_target)
        elif file.kind == "file" and data is not None and not file.offset:
            key = digest(data)
            seen[file.path] = Seen("file", key, len(data), file.mode, file.updated)
            if len(data) <= LARGEST_BYTES:
                blobs[key] = data
    return seen, blobs


def _thinned(log: Sequence[Sighting]) -> list[Sighting]:
    begins: dict[str, int] = {}
    for number, item in enumerate(log):
        begins.setdefault(item.run, number)
    kept = {number + beside for number in [*begins.values()][-RUNS:] for beside in (-1, 0)}
    kept |= {*range(len(log) - NEWEST, len(log)), *range(0, len(log) - NEWEST, 2)}
    return [item for number, item in enumerate(log) if number in kept]


def _is_behind(when: datetime, noted: datetime, *, ends: bool) -> bool:
    # what was noted far in the future was noted by a wrong clock
    return when <= noted < when + ONE_CLOCK if ends else when < noted < when + ONE_CLOCK


def _different(before: Mapping[str, Seen], after: Mapping[str, Seen]) -> dict[str, Seen | None]:
    """The names that are other than before; None = gone."""
    found: dict[str, Seen | None] = dict.fromkeys(before.keys() - after.keys())
    for path, seen in after.items():
        known = before.get(path)
        if known is None or known.content != seen.content:
            found[path] = seen
    return found


def _line(sighting: Sighting, different: Mapping[str, Seen | None], store: Store | None) -> bytes:
    values: dict[str, Any] = {
        "format": FORMAT,
        "when": sighting.when.isoformat(),
        "run": sighting.run,
        "files": {path: None if seen is None else _to_json(seen) for path, seen in different.items()},
    }
    if store is not None:
        values |= {"store": store.id, "root": str(store.root)}
    return json.dumps(values).encode("ascii") + b"\n"


def _to_json(seen: Seen) -> dict[str, Any]:
    if seen.kind == "symlink":
        return {"kind": "symlink", "target": seen.link_target}
    return {
        "kind": seen.kind,
        "sha256": seen.key,
        "size": seen.size_bytes,
        "mode": seen.mode,
        "updated": None if seen.updated is None else seen.updated.isoformat(),
    }


def _from_json(value: Mapping[str, Any]) -> Seen:
    if value["kind"] == "symlink":
        return Seen("symlink", link_target=value["target"])
    updated = value["updated"]
    return Seen(
        "file",
        str(value["sha256"]),
        int(value["size"]),
        int(value["mode"]),
        None if updated is None else _moment(updated),
    )


def _sightings(data: bytes) -> Iterator[Sighting]:
    files: dict[str, Seen] = {}
    for line in data.split(b"\n"):
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError, RecursionError):
            values = json.loads(line)
            if values["format"] > FORMAT:
                continue
            different = {
                path: None if value is None else _from_json(value) for path, value in values["files"].items()
            }
            now = {**files, **different}
            files = {path: seen for path, seen in now.items() if seen is not None}
            yield Sighting(_moment(values["when"]), str(values["run"]), files)


def _moment(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)
