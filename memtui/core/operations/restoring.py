"""Bringing back what others took away or changed: rows of a difference to the plan that undoes them. Pure.

A file that is gone, or is as the person saw it, gets exactly the bytes it had; one that has changed since is
merged three ways; of several memories in a file each comes back by the layout's own edits, as its owner would
write it.
What cannot be brought back is named, and nothing of it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property

from memtui.core.changes.rows import ChangedRow, changed_rows
from memtui.core.errors import RefusedError
from memtui.core.layouts.base import (
    Draft,
    Edit,
    FileChange,
    Layout,
    Memory,
    Place,
    Refusal,
    Remove,
    SetText,
    Snapshot,
    StoredFile,
)
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.operations.carrying import Wish, carried
from memtui.core.operations.compose import in_order, plan_of
from memtui.core.operations.index_back import LinesBack, with_lines_back, with_prose_back
from memtui.core.operations.plan import Plan
from memtui.core.text.links import one_line
from memtui.i18n import _, ngettext
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

VERB = "restore"

_MADE = (b"description:", b"created:", b"modified:", b"updated:")
"""What lines of a frontmatter begin with that owners make themselves at every change."""


@dataclass(frozen=True, slots=True)
class Restoring:
    """What a person asked: these rows of the difference between `before` and what they `saw`."""

    before: Snapshot
    saw: Snapshot
    rows: tuple[ChangedRow, ...]


def plan_restore(layout: Layout, wish: Restoring, now: Snapshot) -> Plan | Refusal:
    """The steps that bring the rows back on what is there now.

    Of several rows those that cannot be brought back are left out, and named in the notes; a Refusal where none
    can.
    """
    restorer = _Restorer(layout, wish, now)
    try:
        restorer.bring()
    except _Clash as clash:
        return clash.refusal
    refusals = restorer.refusals
    done = [row for row in wish.rows if row.id not in refusals]
    if not done:
        return next(iter(refusals.values()), Refusal(_("there is nothing to bring back")))
    notes = list(dict.fromkeys(refusal.reason for refusal in refusals.values()))
    return plan_of(now, restorer.changes(), _summary(done), VERB, notes)


def joined(plans: Sequence[Plan], notes: Sequence[str] = ()) -> Plan:
    """Plans of several stores as one change of all of them."""
    first, *others = plans
    if not others:
        return dataclasses.replace(first, notes=(*first.notes, *notes))
    return dataclasses.replace(
        first,
        steps=tuple(step for plan in plans for step in plan.steps),
        blobs={key: data for plan in plans for key, data in plan.blobs.items()},
        summary=", ".join(dict.fromkeys(plan.summary for plan in plans)),
        locks=in_order([lock for plan in plans for lock in plan.locks]),
        notes=tuple(dict.fromkeys((*(note for plan in plans for note in plan.notes), *notes))),
        creates_root=any(plan.creates_root for plan in plans),
        other_roots=tuple(plan.root for plan in others),
    )


class _Restorer:
    """The files as they will be. Why rows are left as they are stands in `refusals`, by their ids."""

    def __init__(self, layout: Layout, wish: Restoring, now: Snapshot) -> None:
        self._layout, self._wish, self._now = layout, wish, now
        self._before = wish.before
        self._index = now.store.profile.index_name
        self._files = dict(now.files)
        self._lines: list[tuple[ChangedRow, LinesBack]] = []
        self.refusals: dict[str, Refusal] = {}

    def changes(self) -> list[FileChange]:
        """What is to be written: the files that are other than now."""
        found = []
        for path, file in self._files.items():
            there = self._now.files.get(path)
            if there != file and file.data is not None:
                missing = StoredFile(path, "missing", mode=file.mode)
                found.append(FileChange(path, there or missing, file.data))
        return found

    def bring(self) -> None:
        """Bring back what can be. Raises _Clash where something that is there now would be lost."""
        parts: dict[str, list[ChangedRow]] = {}
        whole: list[ChangedRow] = []
        prose: list[ChangedRow] = []
        for row in self._wish.rows:
            if row.how == "new":
                reason = _("nothing of it was there before; delete it where you do not want it")
                self._refuse([row], RefusedError(reason))
            elif row.was is not None and row.was.span is not None:
                parts.setdefault(row.file, []).append(row)
            elif row.is_file and row.file == self._index and row.how == "changed":
                prose.append(row)
            else:
                whole.append(row)
        # an index that is gone comes back whole before its lines do
        for row in sorted(whole, key=lambda row: row.file != self._index):
            self._try([row], self._bring_file)
        for rows in parts.values():
            self._try(rows, self._bring_whole_parts)
        self._bring_lines()
        for rows in parts.values():
            self._try([row for row in rows if row.id not in self.refusals], self._bring_parts)
        for row in prose:
            self._try([row], self._bring_prose)
        self._require_nothing_lost()

    def _try(self, rows: Sequence[ChangedRow], bring: Callable[[Sequence[ChangedRow]], None]) -> None:
        """Bring rows back that stand or fall together."""
        if not rows:
            return
        known, lines = dict(self._files), len(self._lines)
        try:
            bring(rows)
        except (RefusedError, _Clash) as error:
            self._refuse(rows, error)
            self._files = known
            del self._lines[lines:]

    def _refuse(self, rows: Sequence[ChangedRow], error: RefusedError | _Clash) -> None:
        for row in rows:
            reason = _("{title}: {reason}").format(title=one_line(row.title), reason=str(error))
            self.refusals[row.id] = error.refusal if isinstance(error, _Clash) else Refusal(reason)

    # A file of its own

    def _bring_file(self, rows: Sequence[ChangedRow]) -> None:
        (row,) = rows
        if row.was is None or row.was.state != "missing":
            self._put(row.file, self._bytes_of(row))
        if row.was is not None and self._index:
            self._want_lines(row, row.was)

    def _bytes_of(self, row: ChangedRow) -> bytes:
        """What the file is to hold. Raises RefusedError, or _Clash where others changed it since."""
        target = self._before.files.get(row.file)
        if target is None or target.data is None:
            if target is not None and target.kind == "symlink":
                said = _("it was a link to {target}, which memtui does not make anew")
                raise RefusedError(said.format(target=target.link_target))
            raise RefusedError(_("its text is no longer in the history"))
        there, saw = self._files.get(row.file), self._wish.saw.files.get(row.file)
        if there is None or there.kind == "missing":
            return target.data
        if there.kind != "file" or there.data is None:
            raise RefusedError(there.error or _("something else is in its place"))
        if there.data in (target.data, None if saw is None else saw.data):
            return target.data
        if saw is None or saw.data is None:
            reason = _("{file} exists again with another text").format(file=row.file)
            raise _Clash(Refusal(reason, conflict=True))
        return _merged(SetText(row.id, target.data, base=saw.data), there.data, row.file)

    def _put(self, path: str, data: bytes) -> None:
        there = self._files.get(path)
        if there is not None and there.kind == "file":
            self._files[path] = dataclasses.replace(there, data=data)
            return
        was = self._before.files.get(path)
        self._files[path] = StoredFile(path, "file", data, 0o644 if was is None else was.mode)

    # The index

    def _want_lines(self, row: ChangedRow, was: Memory) -> None:
        there = (m for m in self._now.memories if m.file == was.file and m.index_lines)
        item = LinesBack(was, next(there, None))
        if was.index_lines or item.now is not None:
            self._lines.append((row, item))

    def _bring_lines(self) -> None:
        """Give the memories that come back their lines; without them none comes back."""
        if not self._lines or self._files.get(self._index) != self._now.files.get(self._index):
            # a whole index that came back has them
            return
        back = with_lines_back(self._before, self._now, [item for _row, item in self._lines])
        if back.data is not None:
            self._put(self._index, back.data)
        for row, item in self._lines:
            if item.was.id in back.refused:
                self._refuse([row], RefusedError(back.refused[item.was.id]))
                there = self._now.files.get(row.file)
                if there is not None:
                    self._files[row.file] = there
                else:
                    self._files.pop(row.file, None)

    def _bring_prose(self, rows: Sequence[ChangedRow]) -> None:
        named = {row.file for row in self._different if not row.is_file}
        self._put(self._index, with_prose_back(self._before, self._current(), named))

    @cached_property
    def _different(self) -> tuple[ChangedRow, ...]:
        """All that is different by now, not only what the person saw."""
        return changed_rows(self._before, self._now)

    # One of several in a file

    def _bring_whole_parts(self, rows: Sequence[ChangedRow]) -> None:
        """Give a file that is gone, or is all to be as it was, the bytes that it had."""
        path = rows[0].file
        was, there, saw = (side.files.get(path) for side in (self._before, self._now, self._wish.saw))
        if was is None or was.data is None:
            raise RefusedError(_("its text is no longer in the history"))
        chosen = {row.id for row in rows}
        data = was.data
        if there is None or there.kind == "missing":
            data = self._without(
                path, [m for m in self._before.memories if m.file == path and m.id not in chosen]
            )
        elif saw is None or saw.data != there.data or not self._is_all(path, chosen):
            return
        elif _around(self._now, path) - _around(self._before, path):
            # no row shows what was written beside the memories: it stays
            return
        self._put(path, data)
        if rows[0].was is not None and self._index:
            self._want_lines(rows[0], rows[0].was)

    def _is_all(self, path: str, chosen: set[str]) -> bool:
        return {row.id for row in self._different if row.file == path} <= chosen

    def _bring_parts(self, rows: Sequence[ChangedRow]) -> None:
        """Bring memories of a file back one by one, unless it came back whole."""
        if self._files.get(rows[0].file) == self._now.files.get(rows[0].file):
            for row in rows:
                self._bring_part(row)

    def _without(self, path: str, others: Sequence[Memory]) -> bytes:
        """A file as it was, without some of its memories, as its owner would write that."""
        snapshot = self._before
        for memory in others:
            snapshot = self._scanned(snapshot, self._edited(snapshot, Remove(memory.id)))
        data = snapshot.files[path].data
        assert data is not None
        return data

    def _bring_part(self, row: ChangedRow) -> None:
        was = row.was
        assert was is not None and was.span is not None
        current = self._current()
        text = self._text(self._before, was)
        if row.now is not None and row.how == "changed":
            there = current.memory(row.now.id) or next(
                (m for m in current.memories if m.file == was.file and m.title == was.title), None
            )
            if there is None:
                reason = _("{title} is gone by now").format(title=one_line(was.title))
                raise _Clash(Refusal(reason, conflict=True))
            back = SetText(there.id, text, base=self._text(self._wish.saw, row.now))
            text = _merged(back, self._text(current, there), was.title)
            self._take(self._edited(current, SetText(there.id, text, insists=True)))
            return
        if current.memory(was.id) is not None:
            return
        names = self._now.store.profile.names_groups
        how = Wish(topic=was.file if names else "", group="" if names else was.group, insists=True)
        add, _notes = carried(self._layout, self._before, was, self._now.store, how)
        self._take(self._edited(current, add))
        current = self._current()
        fresh = [m for m in current.memories if m.file == was.file and m.title == was.title]
        position = self._position(was)
        if fresh and position is not None:
            # it was added behind all others
            self._take(self._edited(current, Place(fresh[-1].id, position)))

    def _position(self, was: Memory) -> int | None:
        """The place behind the nearest of those before it that are left, else before the nearest behind it."""
        # with what stands around it a neighbour may have got another id
        old = [memory for memory in self._before.memories if memory.file == was.file]
        at = old.index(was)
        old_titles = [memory.title for memory in old]
        now = [memory.title for memory in self._current().memories if memory.file == was.file]
        for title in reversed(old_titles[:at]):
            if title in now:
                return now.index(title) + 2
        return next((now.index(title) + 1 for title in old_titles[at + 1 :] if title in now), None)

    # What both need

    def _current(self) -> Snapshot:
        return self._layout.scan(self._now.store, self._files.values())

    def _edited(self, snapshot: Snapshot, edit: Edit) -> Draft:
        result = self._layout.edit(snapshot, edit)
        if isinstance(result, Refusal):
            raise _Clash(result)
        return result

    def _take(self, draft: Draft) -> None:
        for change in draft.changes:
            if change.after is not None:
                self._put(change.path, change.after)

    def _scanned(self, snapshot: Snapshot, draft: Draft) -> Snapshot:
        files = dict(snapshot.files)
        for change in draft.changes:
            if change.after is None:
                files.pop(change.path, None)
            else:
                files[change.path] = dataclasses.replace(change.before, kind="file", data=change.after)
        return self._layout.scan(snapshot.store, files.values())

    def _text(self, snapshot: Snapshot, memory: Memory) -> bytes:
        text = self._layout.text(snapshot, memory.id)
        if text is None:
            raise RefusedError(_("it has no text of its own"))
        return text.text

    def _require_nothing_lost(self) -> None:
        """No memory that is there now may be gone afterwards, but for what the rows replace."""
        replaced = {row.now.id for row in self._wish.rows if row.now is not None}
        # a text that was changed or moved within its file has another id
        after = {(memory.file, memory.title) for memory in self._current().memories}
        for memory in self._now.memories:
            if memory.id not in replaced and (memory.file, memory.title) not in after:
                said = _("bringing it back would take {title} away").format(title=one_line(memory.title))
                raise _Clash(Refusal(said))


def _around(snapshot: Snapshot, path: str) -> Counter[bytes]:
    """The lines of a file that belong to none of its memories, but for those that its owner makes of them."""
    data, at, outside = snapshot.files[path].data or b"", 0, b""
    for start, end in sorted(m.span for m in snapshot.memories if m.file == path and m.span is not None):
        outside += data[at:start] + b"\n"
        at = end
    lines = (line.strip() for line in (outside + data[at:]).split(b"\n"))
    return Counter(line for line in lines if line and not line.startswith(_MADE))


class _Clash(Exception):
    """Others changed what a row is about, or the layout refuses it."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def _merged(edit: SetText, current: bytes, name: str) -> bytes:
    merged = merged_text(edit, current, name)
    if isinstance(merged, Refusal):
        raise _Clash(merged)
    return merged


def _summary(rows: Sequence[ChangedRow]) -> str:
    if len(rows) == 1:
        return _("brought back {title}").format(title=one_line(rows[0].title))
    text = ngettext("brought back {count} memory", "brought back {count} memories", len(rows))
    return text.format(count=len(rows))
