"""Bringing the index in step with the session files: what is new, what grew, what was rewritten, what is gone.

One process at a time writes (an advisory lock); who reads needs no lock. Files come in the order they are
given, the newest first, and what is said in all of them is searchable before what tools gave in any.
"""

from __future__ import annotations

import contextlib
import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import fs
from memtui.core.search.index import schema
from memtui.core.search.index.adder import Adder
from memtui.core.search.index.engine import BrokenIndexError, mark_broken, panics_as
from memtui.core.search.index.folder import Opened, only_writer, open_for_writing
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.progress import Progress, Told
from memtui.core.search.index.schema import number_between
from memtui.core.search.index.tool_lines import ToolLines
from memtui.core.search.index.vocabulary import Vocabulary
from memtui.core.search.index.vocabulary_file import has_vocabulary, keep_vocabulary, said_state
from memtui.core.sessions.reader import Cancelled, Giant, Reader, Status, never, opened, status_of, stretches
from memtui.core.sessions.records import scan
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    import tantivy

FIRST_FILES = 100
"""So many of the newest files are searchable first."""

BATCH_FILES = 4000
BATCH_BYTES = 512 << 20
"""What is committed together at most, but for a single larger file: some seconds of work. Each commit is a part
of the index more, and parts are merged again at a cost."""

AT_ONCE_BYTES = 16 << 20
"""Where less than that is new in all files together, all of it is indexed in one go."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What the engine may use: `heap_bytes` of memory before it writes, and threads."""

    heap_bytes: int
    threads: int


UPDATE = Effort(30 << 20, 1)

FULL = Effort(200 << 20, 2), UPDATE
"""What the first build may use, and each later update."""

BESIDE = Effort(200 << 20, 1), UPDATE
"""The same beside somebody who works at a machine with few processors: keys wait for every other thread."""


@dataclass(slots=True)
class _Job:
    """A file to read: its `row` as it is known so far (a sid of 0 = it has none yet)."""

    path: Path
    status: Status
    row: FileRow
    replaces: int = 0


def update_index(
    cache_dir: Path,
    files: Sequence[Path],
    *,
    efforts: tuple[Effort, Effort] = FULL,
    is_all: bool = True,
    with_tools: bool = True,
    told: Told | None = None,
    cancelled: Cancelled = never,
) -> Progress:
    """Index what changed in the files, which come in the order of their importance.

    The first of the `efforts` is made as long as not all files were indexed once, then the other one. `is_all`:
    there are no others, so what the index holds of any other is taken out. Without `with_tools` only what is
    said is indexed. Raises IndexBusyError when another process writes, OSError and ValueError when the folder
    cannot be used. When `cancelled()` the batch under way is dropped.
    """
    folder = schema.index_dir(cache_dir)
    fs.make_dirs(folder, mode=0o700)
    with only_writer(folder):
        run = _Run(folder, open_for_writing(folder), files, efforts, told, cancelled)
        try:
            with _no_collecting(), panics_as(BrokenIndexError):
                return run.update(is_all=is_all, with_tools=with_tools)
        except BrokenIndexError as error:
            mark_broken(folder)
            raise ValueError(f"the index was damaged: {error}") from error


@contextlib.contextmanager
def _no_collecting() -> Iterator[None]:
    """Nothing here refers to itself in a circle: looking for such things takes a fifth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Run:
    """One update."""

    def __init__(
        self,
        folder: Path,
        index: Opened,
        files: Sequence[Path],
        efforts: tuple[Effort, Effort],
        told: Told | None,
        cancelled: Cancelled,
    ) -> None:
        self._folder, self._index, self._log, self._files = folder, index.index, index.log, files
        self._is_fresh = index.was_made
        self._efforts, self._told, self._cancelled = efforts, told, cancelled
        self._writer: tantivy.IndexWriter | None = None
        self._unreadable = 0
        self._is_at_once = False
        self._tool_lines = ToolLines()
        self._counts: Counter[str] = Counter()

    def update(self, *, is_all: bool, with_tools: bool) -> Progress:
        try:
            # first: it may take files out of the log
            if self._log.begun:
                self._undo_begun()
            return self._update(is_all=is_all, with_tools=with_tools)
        finally:
            writer, self._writer = self._writer, None
            if writer is not None:
                writer.wait_merging_threads()

    def _update(self, *, is_all: bool, with_tools: bool) -> Progress:
        self._counts["skipped"] = sum(row.skipped for row in self._log.files.values())
        jobs, gone = self._look(is_all=is_all)
        behind = [job for job in jobs if job.row.said_to < job.status.size_bytes or job.replaces]
        total = sum(job.status.size_bytes - job.row.said_to for job in behind)
        self._is_at_once = with_tools and total < AT_ONCE_BYTES
        if with_tools:
            total += sum(job.status.size_bytes - job.row.done_to for job in jobs)
        self._counts.update(total_bytes=total, total_files=len(jobs))
        if gone:
            self._take_out(gone)
        self._tell("said")
        rows = self._pass(jobs, "said", with_tools=with_tools)
        self._keep_vocabulary(self._log.files.values())
        if with_tools and not self._cancelled():
            later = [
                dataclasses.replace(job, row=rows[str(job.path)], replaces=0)
                for job in jobs
                if str(job.path) in rows and rows[str(job.path)].done_to < rows[str(job.path)].said_to
            ]
            self._pass(later, "tools", with_tools=True)
        if not self._cancelled() and is_all and not self._log.is_done:
            self._log.done(self._log.stamp, {}, (), is_done=True)
        return self._progress("done")

    def _look(self, *, is_all: bool) -> tuple[list[_Job], list[str]]:
        """What there is to read, in the order of the files, and which files are gone."""
        known = self._log.files
        jobs, seen = [], set()
        for path in self._files:
            name = str(path)
            if name in seen:
                continue
            seen.add(name)
            try:
                status = status_of(path)
                if (job := _job(path, status, known.get(name))) is not None:
                    jobs.append(job)
            except FileNotFoundError:
                seen.discard(name)
            except OSError:
                self._unreadable += 1
        return jobs, [name for name in known if name not in seen] if is_all else []

    # Steps

    def _pass(self, jobs: list[_Job], phase: str, *, with_tools: bool) -> dict[str, FileRow]:
        """Read the jobs batch by batch; the rows of all that are read."""
        rows: dict[str, FileRow] = {}
        batches = list(_batches(jobs, phase))
        for number, batch in enumerate(batches, 1):
            if self._cancelled():
                break
            # the first ones are few, and somebody may wait for them
            has_words = phase == "said" and number in (1, len(batches))
            rows |= self._batch(batch, phase, with_tools=with_tools, has_words=has_words)
        return rows

    def _batch(self, jobs: list[_Job], phase: str, *, with_tools: bool, has_words: bool) -> dict[str, FileRow]:
        fresh = [job for job in jobs if not job.row.sid]
        grown = [(job.row.sid, job.row.said_to, job.row.done_to) for job in jobs if job.row.sid]
        sid = self._log.begin(len(fresh), grown)
        writer = self._open_writer()
        for job in fresh:
            if job.replaces:
                writer.delete_documents_by_query(_of_file(job.replaces))
            job.row = job.row._replace(sid=sid)
            sid += 1
        rows: dict[str, FileRow] = {}
        for job in jobs:
            if self._cancelled():
                writer.rollback()
                return {}
            try:
                with opened(job.path) as reader:
                    rows[str(job.path)] = self._read(writer, reader, job, phase, with_tools=with_tools)
            except FileNotFoundError:
                # gone since it was looked at
                pass
            except OSError:
                self._unreadable += 1
                self._counts["left_bytes"] += job.status.size_bytes
            self._counts["done_files"] += 1
            self._tell(phase)
        if self._cancelled():
            writer.rollback()
            return {}
        stamp = writer.commit()
        if has_words:
            # before anybody hears of the commit
            self._keep_vocabulary({**self._log.files, **rows}.values())
        self._log.done(stamp, rows, (), is_done=self._log.is_done)
        return rows

    def _read(
        self, writer: tantivy.IndexWriter, reader: Reader, job: _Job, phase: str, *, with_tools: bool
    ) -> FileRow:
        row, status = job.row, reader.status
        said_from = row.said_to
        if phase == "said":
            at_once = self._is_at_once and row.done_to == said_from
            if with_tools and not at_once:
                self._tool_lines.start(row.sid, said_from)
            row = self._add(writer, reader, row, said_from, status.size_bytes, says=True, does=at_once)
            if at_once:
                row = row._replace(done_to=row.said_to)
                self._counts["done_bytes"] += status.size_bytes - said_from
        else:
            self._add(writer, reader, row, row.done_to, row.said_to, says=False, does=True)
            return row._replace(done_to=row.said_to)
        return row._replace(
            inode=status.inode,
            size_bytes=status.size_bytes,
            mtime_ns=status.mtime_ns,
            mark=reader.wide_print_before(row.said_to),
        )

    def _add(
        self,
        writer: tantivy.IndexWriter,
        reader: Reader,
        row: FileRow,
        start: int,
        end: int,
        *,
        says: bool,
        does: bool,
    ) -> FileRow:
        """Add documents for the whole lines between two offsets; the row up to where they were."""
        adder = Adder(writer, row)
        said_to = row.said_to
        known = None if says else self._tool_lines.of(row.sid, start)
        for piece in stretches(reader, start, end, self._cancelled):
            if not piece.ended:
                break
            if isinstance(piece, Giant):
                adder.skipped += says
                self._counts["skipped"] += says
                at = piece.offset + piece.length + 1
            else:
                at = piece.offset + len(piece.data)
                found = known.before(at) if known else scan(piece.data, piece.offset, closely=False)
                if says:
                    adder.follow(found)
                    adder.add_said(found, piece.data, piece.offset)
                    self._tool_lines.note(row.sid, found)
                if does:
                    adder.add_done(found, piece.data, piece.offset)
            self._counts["done_bytes"] += at - start
            start, said_to = at, max(said_to, at)
            self._tell("said" if says else "tools")
        if not says:
            return row
        return row._replace(
            said_to=said_to,
            has_text=adder.has_text,
            is_linear=adder.is_linear,
            last_id=adder.last_id,
            skipped=row.skipped + adder.skipped,
        )

    def _keep_vocabulary(self, rows: Iterable[FileRow]) -> None:
        """Put the words of what was said in these files beside the index, unless they are there."""
        state = said_state(rows)
        if not self._cancelled() and not has_vocabulary(self._folder, state):
            try:
                self._index.reload()
                vocabulary = Vocabulary.of(self._index.searcher(), is_fresh=self._is_fresh)
            except Exception:
                # whatever the engine raises: the index is as good without
                return
            keep_vocabulary(self._folder, vocabulary, state)

    def _take_out(self, gone: Iterable[str]) -> None:
        names = list(gone)
        # noted first: what is found of files that are not in the log is shown to nobody
        self._log.begin(0, ())
        writer = self._open_writer()
        for name in names:
            writer.delete_documents_by_query(_of_file(self._log.files[name].sid))
        self._log.done(writer.commit(), {}, names, is_done=self._log.is_done)

    def _undo_begun(self) -> None:
        """Take out what a process that was killed may have added; whole files where it cannot be told apart."""
        writer = self._open_writer()
        names = {row.sid: name for name, row in self._log.files.items()}
        gone: set[str] = set()
        for begun in self._log.begun:
            writer.delete_documents_by_query(number_between("sid", begun.first_sid, None))
            for sid, said_to, done_to in begun.grown:
                if sid not in names:
                    continue
                if said_to != done_to:
                    writer.delete_documents_by_query(_of_file(sid))
                    gone.add(names[sid])
                    continue
                later = number_between("place", schema.pack_place(said_to, 0), None)
                writer.delete_documents_by_query(_of_file(sid).and_must_match(later))
        self._log.done(writer.commit(), {}, gone, is_done=self._log.is_done)

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            effort = self._efforts[self._log.is_done]
            self._writer = self._index.writer(effort.heap_bytes, effort.threads)
        return self._writer

    # What is told

    def _tell(self, phase: str) -> None:
        if self._told is not None:
            self._told(self._progress(phase))

    def _progress(self, phase: str) -> Progress:
        counts = self._counts
        return Progress(
            phase,
            min(counts["done_bytes"], counts["total_bytes"]),
            counts["total_bytes"],
            min(counts["done_files"], counts["total_files"]),
            counts["total_files"],
            self._log.is_done,
            self._counts["skipped"],
            self._unreadable,
            self._counts["left_bytes"],
        )


def _of_file(sid: int) -> tantivy.Query:
    import tantivy

    # a term of a number is taken for a signed one when documents are deleted by it
    return tantivy.Query.term_query(schema.schema(), "sid", sid)


def _job(path: Path, status: Status, row: FileRow | None) -> _Job | None:
    """What is to be read of a file; None when nothing changed."""
    if row is None:
        return _Job(path, status, FileRow(0))
    is_same = (status.inode, status.size_bytes, status.mtime_ns) == (row.inode, row.size_bytes, row.mtime_ns)
    if is_same:
        return None if row.done_to == row.said_to else _Job(path, status, row)
    # written to without growing: something in it was changed
    is_changed = status.size_bytes == row.size_bytes and status.mtime_ns != row.mtime_ns
    if status.inode == row.inode and status.size_bytes >= row.said_to and not is_changed:
        with opened(path) as reader:
            if reader.wide_print_before(row.said_to) == row.mark:
                return _Job(path, status, row)
    return _Job(path, status, FileRow(0), replaces=row.sid)


def _batches(jobs: Sequence[_Job], phase: str) -> Iterator[list[_Job]]:
    batch: list[_Job] = []
    size_bytes, most_files = 0, FIRST_FILES
    for job in jobs:
        row = job.row
        job_bytes = job.status.size_bytes - row.said_to if phase == "said" else row.said_to - row.done_to
        if batch and (len(batch) >= most_files or size_bytes + job_bytes > BATCH_BYTES):
            yield batch
            batch, size_bytes, most_files = [], 0, BATCH_FILES
        batch.append(job)
        size_bytes += job_bytes
    if batch:
        yield batch
