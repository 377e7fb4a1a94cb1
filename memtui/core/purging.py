"""What a person can do about a text that must not be kept: take it out of a memory, and of all memtui keeps.

The door beside `workspace`, to whose thread it belongs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import StorageError, UsageError, explain
from memtui.core.history.journal import Journal
from memtui.core.history.purge import Needles, Removed, files_holding, purge
from memtui.core.layouts.base import Memory, Redact, Snapshot
from memtui.core.library import Library
from memtui.core.operations.plan import Write
from memtui.core.safety import secrets
from memtui.core.text.document import decode
from memtui.core.workspace import Workspace
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

__all__ = ["LEAST_CHARACTERS", "Purged", "Purging", "Redact"]

LEAST_CHARACTERS = 4
"""A shorter text stands everywhere."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge removed (or would), and what it cannot reach.

    `has_index`: there is an index of the sessions, which goes whole. `memories`, `sessions` and `settings` are
    files that hold the text still.
    """

    removed: Removed
    has_index: bool
    memories: tuple[Path, ...]
    sessions: tuple[Path, ...]
    settings: tuple[Path, ...]


class Purging:
    """Redacting and purging for one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._env = workspace.env
        self._library = Library(workspace.env)

    # Redacting

    def redaction(self, snapshot: Snapshot, memory: Memory | None, path: str) -> Redact | None:
        """The edit that takes all secrets out of a memory and its index lines (or of a file); None for none."""
        found = [
            problem.repair
            for problem in snapshot.problems
            if isinstance(problem.repair, Redact)
            and (problem.memory == memory.id if memory is not None else problem.file == path)
        ]
        named = tuple(dict.fromkeys(secret for edit in found for secret in edit.secrets))
        if not named:
            return None
        return Redact(path if memory is None else found[0].path, named)

    # Purging

    def secrets_of(self, snapshot: Snapshot, memory: Memory) -> tuple[str, ...]:
        """The secrets of a memory: those in it now, and those that were redacted in its file."""
        text = self._workspace.text(snapshot, memory.id)
        now = "" if text is None else decode(text.text)
        parts = (now, memory.title, memory.description, memory.hook or "")
        found = [value for part in parts for value in secrets.values(part)]
        journal, path = self._journal(), snapshot.store.root / memory.file
        for record in journal.records():
            for step in record.steps:
                if isinstance(step, Write) and step.path == path and step.before is not None:
                    before, after = (
                        decode(journal.objects.get(key) or b"") for key in (step.before, step.after)
                    )
                    if after.count(secrets.REDACTED) > before.count(secrets.REDACTED):
                        found += [value for value in secrets.values(before) if value not in after]
        return tuple(dict.fromkeys(found))

    def look(self, texts: Sequence[str]) -> Purged:
        """What a purge of these texts would do. Raises UsageError and StorageError."""
        return self._purge(texts, dry_run=True)

    def purge(self, texts: Sequence[str]) -> Purged:
        """Remove these texts from memtui's own folders.

        Raises UsageError (too short), LockedError, IndexBusyError (nothing was purged then), StorageError.
        """
        return self._purge(texts, dry_run=False)

    def _purge(self, texts: Sequence[str], *, dry_run: bool) -> Purged:
        if any(len(text.strip()) < LEAST_CHARACTERS for text in texts) or not texts:
            least = _("a text to purge has at least {count} characters")
            raise UsageError(least.format(count=LEAST_CHARACTERS))
        env, needles = self._env, Needles(texts)
        try:
            # words of an index cannot be taken out one by one
            has_index = fs.is_dir(self._library.index_home) if dry_run else self._library.clear_index()
            removed = purge(self._journal(), env.state_dir, env.cache_dir, needles, dry_run=dry_run)
        except OSError as error:
            raise StorageError(explain(error)) from error
        return Purged(
            removed,
            has_index,
            self._memories(needles),
            tuple(file.path for file in self._library.session_files() if _holds(file.path, needles)),
            files_holding(env.config_dir, needles),
        )

    def _memories(self, needles: Needles) -> tuple[Path, ...]:
        folders: dict[Path, None] = {}
        for store in self._workspace.locate().stores:
            if store.exists:
                paths = [store.root / name for name in self._workspace.scan(store).files]
                folders |= dict.fromkeys([store.root, *(path.parent for path in paths)])
        # not only what an agent reads: an editor's backup beside it is as readable
        found = (path for folder in folders for path in files_holding(folder, needles, deep=False))
        return tuple(dict.fromkeys(found))

    def _journal(self) -> Journal:
        return Journal(self._env.state_dir, self._env.now, keeps=self._workspace.config.history.enabled)


def _holds(path: Path, needles: Needles) -> bool:
    try:
        return needles.are_in_file(path)
    except OSError:
        return False
