"""Adding the documents of one file, and keeping in mind what the next lines of it need to know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memtui.core.search.index.extract import DOING, SAYING, Entry, NotOneRecordError, Raw, done, said
from memtui.core.search.index.linear import follow
from memtui.core.search.index.log import FileRow
from memtui.core.sessions.records import LINE_CAP_BYTES, Found, id_text, look

if TYPE_CHECKING:
    import tantivy


class Adder:
    """Adds documents under the number of `row`; what else it knows is as in `FileRow`, brought up to date."""

    def __init__(self, writer: tantivy.IndexWriter, row: FileRow) -> None:
        import tantivy

        self._writer = writer
        self._make = tantivy.Document
        self._sid = row.sid
        self.has_text = row.has_text
        self.is_linear = row.is_linear
        self.last_id = row.last_id
        self.skipped = 0

    def follow(self, found: list[Found]) -> None:
        """Look whether each entry follows the one before it."""
        is_linear, last = follow(found, self.last_id.encode("utf-8", "surrogatepass"))
        self.last_id, self.is_linear = id_text(last or None), self.is_linear and is_linear

    def add_said(self, found: Iterable[Found], data: bytes, base: int) -> None:
        """Add what is said."""
        add, says, view = self._add, SAYING, memoryview(data)
        for item in found:
            offset, length, kind = item.offset, item.length, item.kind
            if length > LINE_CAP_BYTES:
                self.skipped += 1
            elif kind in says:
                first = offset - base
                raw = view[first : first + length]
                try:
                    entry = said(item, raw, is_first=not self.has_text)
                except NotOneRecordError:
                    self.add_said(_recovered(item, raw), data, base)
                    continue
                if entry is not None:
                    self.has_text = self.has_text or (kind == "user" and bool(entry.title))
                    add(entry)

    def add_done(self, found: Iterable[Found], data: bytes, base: int) -> None:
        """Add what tools got and gave."""
        view = memoryview(data)
        for item in found:
            if item.kind not in DOING or item.length > LINE_CAP_BYTES:
                continue
            first = item.offset - base
            raw = view[first : first + item.length]
            try:
                entry = done(item, raw)
            except NotOneRecordError:
                recovered = _recovered(item, raw)
                if item.kind not in SAYING:
                    # nobody decoded it when it was about what is said
                    self.add_said(recovered, data, base)
                self.add_done(recovered, data, base)
                continue
            if entry is not None:
                self._add(entry)

    def _add(self, entry: Entry) -> None:
        place, ts, kind, key, title, body, tool = entry
        document = self._make()
        add_number, add_text = document.add_unsigned, document.add_text
        add_number("sid", self._sid)
        add_number("place", place)
        add_number("ts", ts)
        add_number("kind", kind)
        add_number("key", key)
        if title:
            add_text("title", title)
        if body:
            add_text("body", body)
        if tool:
            add_text("tool", tool)
        self._writer.add_document(document)


def _recovered(item: Found, data: Raw) -> list[Found]:
    """The records that are decoded of what is not one."""
    return [found for found in look(bytes(data), item.offset) if found.record is not None]
