"""What a person can do to a session: name it, move it to the trash, copy it into an archive.

The door beside `workspace` and `library`: a row of the library goes in, and what is changed is part of the
workspace's history. It belongs to the thread of its workspace.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from memtui.core import fs, streams
from memtui.core.agents.finder import find_agents
from memtui.core.agents.using import use_of
from memtui.core.errors import (
    ConflictError,
    MemtuiError,
    RefusedError,
    StorageError,
    UnknownIdError,
    UsageError,
    explain,
)
from memtui.core.layouts.base import Refusal
from memtui.core.operations.plan import Plan
from memtui.core.operations.session_plans import plan_removing_link, plan_taking_away, plan_title
from memtui.core.sessions.base import Session
from memtui.core.sessions.edits import trash_warning
from memtui.core.sessions.ending import ending_of
from memtui.core.sessions.quick import look_at
from memtui.core.workspace import Outcome, Workspace
from memtui.core.writing.archive import Archived, archive, archive_path
from memtui.i18n import _
from memtui.late import dataclasses

__all__ = ["Archived", "SessionActions"]


class SessionActions:
    """The actions on sessions of one workspace. Every method takes the row that the person looked at.

    A file that is gone raises UnknownIdError, another one at its name ConflictError, a disk StorageError.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._env = workspace.env

    def in_use(self, session: Session) -> str:
        """What happens if this session is taken away now, as a sentence; '' when no pi seems to use it.

        Looks at the file, at this user's processes and at the panes of tmux.
        """
        with contextlib.suppress(OSError):
            session = look_at(session.file)
        use = use_of(session, find_agents(self._env), self._env.now())
        return trash_warning(use.because) if use.because else ""

    def plan_rename_session(self, session: Session, title: str) -> Plan:
        """The plan that gives a session a name ('' takes it away). Raises RefusedError."""
        try:
            fresh, ending = self._look(session), ending_of(session.file)
        except OSError as error:
            raise _failed(session, error) from error
        plan = plan_title(fresh, ending, title, new_entry_id(), self._env.now())
        if isinstance(plan, Refusal):
            raise RefusedError(plan.reason)
        return plan

    def rename_session(self, session: Session, title: str) -> Outcome:
        """Give a session a name, as one appended line. Raises RefusedError, and as `Workspace.run`."""
        return self._workspace.apply(lambda: self.plan_rename_session(session, title))

    def plan_trash_session(self, session: Session, *, force: bool = False) -> Plan:
        """The plan that moves a session to the trash.

        Raises RefusedError (code `live`) for one that a pi may be using, unless `force`: then the plan's notes
        say what happens.
        """
        place = self._workspace.place_in_trash(session.file)
        try:
            if fs.kind_of(session.file) == "symlink":
                return plan_removing_link(session, fs.read_link(session.file))
            status = streams.status_of(session.file)
            if status is None:
                raise FileNotFoundError
            if status.inode != session.inode:
                raise _other(session)
        except OSError as error:
            raise _failed(session, error) from error
        warning = self.in_use(session)
        if warning and not force:
            raise RefusedError(warning, code="live")
        return plan_taking_away(session, status.inode, status.size_bytes, place, warning, may_grow=force)

    def trash_session(self, session: Session, *, force: bool = False) -> Outcome:
        """Move a session to the trash. Raises as `plan_trash_session` and `Workspace.run`."""
        return self._workspace.apply(lambda: self.plan_trash_session(session, force=force))

    def archive_path(self, session: Session, dest: str) -> Path:
        """What an archive copy would be called now. Raises as `archive_session`."""
        folder, name = self._destination(dest)
        try:
            return archive_path(session.file, folder, name)
        except OSError as error:
            raise StorageError(explain(error, folder)) from error

    def archive_session(self, session: Session, dest: str) -> Archived:
        """Copy a session into the directory `dest`, or to that free name.

        Raises UsageError when `dest` is taken or lies nowhere.
        """
        folder, name = self._destination(dest)
        try:
            return archive(session.file, folder, name)
        except FileExistsError:
            raise _taken(folder / name) from None
        except FileNotFoundError as error:
            raise _failed(session, error) from error
        except OSError as error:
            raise StorageError(
                _("{reason} No copy was made.").format(
                    reason=explain(error, folder if error.filename is None else None)
                )
            ) from error

    def _destination(self, dest: str) -> tuple[Path, str]:
        path = Path(os.path.normpath(self._env.cwd / dest))
        if fs.is_dir(path):
            return path, ""
        if fs.kind_of(path) is not None:
            raise _taken(path)
        if not fs.is_dir(path.parent):
            raise UsageError(_("there is no directory {path}").format(path=path.parent), code="no-path")
        return path.parent, path.name

    def _look(self, session: Session) -> Session:
        fresh = look_at(session.file)
        if fresh.inode != session.inode:
            raise _other(session)
        return dataclasses.replace(fresh, is_link=fs.kind_of(session.file) == "symlink")


def new_entry_id() -> str:
    """A fresh id for an entry, as pi makes them."""
    return secrets.token_hex(4)


def _failed(session: Session, error: OSError) -> MemtuiError:
    if isinstance(error, FileNotFoundError):
        return UnknownIdError(_("the session is gone: {path}").format(path=session.file))
    return StorageError(_("{reason} Nothing was changed.").format(reason=explain(error, session.file)))


def _other(session: Session) -> ConflictError:
    return ConflictError(
        _("another file stands at {path} by now; look again before deciding").format(path=session.file)
    )


def _taken(path: Path) -> UsageError:
    return UsageError(_("{path} exists; nothing is written over it").format(path=path), code="exists")
