"""Reading the index: opened when it is there, kept in step with whoever writes it, never in anybody's way."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import fs
from memtui.core.last import Last
from memtui.core.search.index import schema
from memtui.core.search.index.engine import BrokenIndexError, is_opening_held_up, mark_broken, panics_as
from memtui.core.search.index.log import FileRow, FilesLog
from memtui.core.search.index.vocabulary import Vocabularies, Vocabulary
from memtui.core.search.index.vocabulary_file import kept_vocabulary, said_state
from memtui.late.dataclasses import dataclass, field

if TYPE_CHECKING:
    import tantivy


class Candidate(NamedTuple):
    """A document that may match: its score, and its numbers (schema.NUMBERS)."""

    score: float
    sid: int
    place: int
    ts: int
    kind: int
    key: int


@dataclass(frozen=True, slots=True)
class Candidates:
    """The best documents for a query; `total` are all there are."""

    best: Sequence[Candidate] = ()
    total: int = 0


@dataclass(slots=True)
class _Open:
    index: tantivy.Index
    searcher: tantivy.Searcher
    meta: tuple[int | None, int]
    stamp: int


@dataclass(slots=True)
class IndexReader:
    """The index of a cache directory. Several threads may use it.

    `looked_at` is for whoever looks at many sessions at every key; `changes` counts how often `files` changed.
    """

    cache_dir: Path
    changes: int = 0
    looked_at: Last[Any] = field(default_factory=Last)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: _Open | None = None
    _log: FilesLog | None = None
    _names: dict[int, str] = field(default_factory=dict)
    _said: tuple[int, int] = (-1, 0)
    _vocabularies: Vocabularies = field(default_factory=Vocabularies)

    def refresh(self) -> bool:
        """Look at what was written since; whether there is an index to search. Never raises."""
        with self._lock:
            return self._refresh()

    def _refresh(self) -> bool:
        try:
            folder = self.folder
        except ImportError:
            return False
        try:
            if self._open is not None and self._open.meta != _meta_of(folder) and is_opening_held_up(folder):
                # what is open goes on to be searched, with what its log says
                return True
            # the log first: what it names is in the index by then
            if self._log is None or self._log.path.parent != folder:
                self._log = FilesLog(folder)
            if self._log.refresh() or not self._names:
                self._names = {row.sid: name for name, row in self._log.files.items()}
                self.changes += 1
            meta = _meta_of(folder)
            if self._open is None or (self._open.meta != meta and self._is_to_be_opened(self._open, self._log)):
                with panics_as(BrokenIndexError):
                    self._reload(folder, meta)
        except (BrokenIndexError, Exception):
            # the engine raises whatever it likes for a folder that is being made anew, or is damaged
            self._forget()
        return self._open is not None

    def _reload(self, folder: Path, meta: tuple[int | None, int]) -> None:
        index = schema.open_index(folder) if self._open is None else self._open.index
        if self._open is not None:
            try:
                index.reload()
            except Exception:
                # built anew in the same folder
                index = schema.open_index(folder)
        assert self._log is not None
        self._open = _Open(index, index.searcher(), meta, self._log.stamp)

    @staticmethod
    def _is_to_be_opened(opened: _Open, log: FilesLog) -> bool:
        """Whether what the engine wrote since is noted, or merged only: what is announced is under way."""
        return log.stamp != opened.stamp or not log.begun

    def _forget(self) -> None:
        self._open, self._log, self._names, self._vocabularies = None, None, {}, Vocabularies()
        self.changes += 1

    @property
    def folder(self) -> Path:
        """Where the index lies, or would."""
        return schema.index_dir(self.cache_dir)

    @property
    def files(self) -> Mapping[str, FileRow]:
        """What is indexed, by path."""
        return {} if self._log is None else self._log.files

    @property
    def is_done(self) -> bool:
        """Whether every file was indexed once."""
        return self._log is not None and self._log.is_done

    @property
    def sids(self) -> Collection[int]:
        """The numbers of all files that are indexed."""
        return self._names.keys()

    def name_of(self, sid: int) -> str:
        """The path of a file by its number, '' for one that is not known any more."""
        return self._names.get(sid, "")

    def search(self, query: tantivy.Query, limit: int, *, newest_first: bool = False) -> Candidates:
        """The best documents, or the newest. `refresh` must have said that there is an index.

        Raises BrokenIndexError when the engine cannot read it; it is made anew by who writes next.
        """
        try:
            with panics_as(BrokenIndexError):
                return self._search(query, limit, newest_first=newest_first)
        except Exception as error:
            raise self._broken(error) from error

    def _search(self, query: tantivy.Query, limit: int, *, newest_first: bool) -> Candidates:
        assert self._open is not None
        searcher = self._open.searcher
        by_time = "ts" if newest_first else None
        result = searcher.search(query, limit, count=True, order_by_field=by_time)
        hits = result.hits
        if not hits:
            return Candidates()
        places = [address for _score, address in hits]
        columns = [searcher.fast_field_values(name, places) for name in schema.NUMBERS]
        scores = [0.0 if newest_first else score for score, _address in hits]
        found = [Candidate(*values) for values in zip(scores, *columns, strict=True)]
        return Candidates(found, getattr(result, "count", len(found)) or len(found))

    def holders(self, field: str, term: str) -> int:
        """How many documents have a word in a field, or had it. Raises as `search`."""
        try:
            assert self._open is not None
            with panics_as(BrokenIndexError):
                return self._open.searcher.doc_freq(field, term)
        except Exception as error:
            raise self._broken(error) from error

    def _broken(self, error: Exception) -> BrokenIndexError:
        if isinstance(error, BrokenIndexError):
            mark_broken(self.folder)
        self._forget()
        return BrokenIndexError(str(error))

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of what was said; while the index is being built, perhaps those of a part of it."""
        opened, log, folder, vocabularies = self._open, self._log, self.folder, self._vocabularies
        if opened is None or log is None:
            return Vocabulary((), is_whole=False)
        changes, state = self._said
        if changes != self.changes:
            changes, state = self._said = self.changes, said_state(log.files.values())

        def find() -> Vocabulary | None:
            kept = kept_vocabulary(folder)
            if kept is not None and kept.state == state:
                return kept.vocabulary
            if not log.is_done:
                return None if kept is None else Vocabulary(kept.vocabulary.terms, is_whole=False)
            # whoever wrote the index was ended before it came to that
            with contextlib.suppress(Exception), panics_as(BrokenIndexError):
                return Vocabulary.of(opened.searcher)
            return None

        return vocabularies.of(state, find)

    def warm(self) -> None:
        """Have at hand what a first search would wait for. Never raises."""
        if self.refresh():
            self.vocabulary.warm()


def _meta_of(folder: Path) -> tuple[int | None, int]:
    """What is another one after a commit."""
    path = folder / schema.META_NAME
    return fs.inode_of(path), fs.mtime_ns(path)
