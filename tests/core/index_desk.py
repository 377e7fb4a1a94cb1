"""Sessions in a home, and an index of them, for tests."""

from __future__ import annotations

from pathlib import Path

from session_corpus import Writer

from memtui.core.search.index import schema
from memtui.core.search.index.progress import Progress
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.writer import update_index
from memtui.core.search.searching import Results, search
from memtui.core.sessions.base import Session
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions, newest_first
from memtui.core.sessions.pi_places import pi_places


class Desk:
    """Sessions in a home, and an index of them."""

    def __init__(self, home: Path) -> None:
        self.agent = home / "agent"
        self.cache = home / "cache"
        self.reader = IndexReader(self.cache)

    def save(self, session: Writer, name: str = "s.jsonl") -> Path:
        return session.save(self.agent / "sessions" / "--home-dev-app--" / name)

    @property
    def sessions(self) -> list[Session]:
        places = pi_places(self.agent, Path("/home/dev/app"), self.agent.parent)
        return newest_first(list_sessions(places, SessionCache(None)))

    def update(self, **more: object) -> Progress:
        return update_index(self.cache, [session.file for session in self.sessions], **more)  # type: ignore[arg-type]

    def found(self, typed: str, *, folds: bool = False) -> Results:
        return search(typed, (), self.sessions, index=self.reader, folds=folds).results()

    def snippets(self, typed: str) -> list[str]:
        return sorted(hit.snippet for hit in self.found(typed).hits)

    def indexed(self, typed: str) -> int:
        """How many documents of the index hold a word, whatever the files hold by now."""
        import tantivy

        assert self.reader.refresh()
        make = tantivy.Query
        ways = [make.term_query(schema.schema(), field, typed) for field in schema.TEXTS]
        return self.reader.search(make.disjunction_max_query(ways), 100).total

    @property
    def folder(self) -> Path:
        return schema.index_dir(self.cache)
