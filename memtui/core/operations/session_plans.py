"""What naming a session, and taking one away, mean as plans: one step on the session's own file.

What stands in the file is given. Sessions are not memories, so their root is the directory they lie in.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from memtui.core.env import Env
from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Refusal, digest
from memtui.core.operations.plan import Append, Plan, Stash, Step, Trash
from memtui.core.sessions.base import Session
from memtui.core.sessions.edits import title_edit, trash_warning
from memtui.core.sessions.ending import Ending
from memtui.core.sessions.quick import look_at
from memtui.core.sessions.texts import normal_name
from memtui.i18n import _
from memtui.late import dataclasses

RENAME, DELETE = "sessions rename", "sessions delete"
"""The verbs as the history knows them."""

_TITLE_CHARACTERS = 60


def plan_title(session: Session, ending: Ending, title: str, entry_id: str, when: datetime) -> Plan | Refusal:
    """Append the line that names a session ('' takes its name away); no step where it is called so already.

    `session` and `ending` are the file as it is now; `entry_id` is a fresh id.
    """
    name = normal_name(title)
    if session.counts is not None and session.counts.name == name:
        return _plan(session, (), {}, _("named the session {title}").format(title=_short(name)), RENAME)
    session = dataclasses.replace(session, size_bytes=ending.size_bytes, inode=ending.inode)
    edit = title_edit(session, ending.counts, name, entry_id, when, ending.ends_with_newline)
    if edit.refusal:
        return Refusal(_("{file} gets no name: {why}").format(file=session.file, why=edit.refusal))
    if name:
        summary = _("named the session {title}").format(title=_short(name))
    else:
        summary = _("took away the name of the session {title}").format(title=_short(session.title))
    step = Append(session.file, edit.inode, edit.at, digest(edit.data))
    return _plan(session, (step,), {step.data: edit.data}, summary, RENAME)


def plan_taking_away(
    session: Session, inode: int, size_bytes: int, place: Path, note: str, *, may_grow: bool
) -> Plan:
    """Move a session to the free name `place` in the trash; `note` is what happens to a pi that uses it."""
    step = Stash(session.file, inode, size_bytes, place, may_grow)
    return _plan(session, (step,), {}, _deleted(session), DELETE, note)


def plan_removing_link(session: Session, target: str) -> Plan:
    """Remove the symlink that a session is reached by; what it leads to stays."""
    data = os.fsencode(target)
    step = Trash(session.file, digest(data), 0o777, is_symlink=True)
    note = _("only the link was removed; the session stays at {target}").format(target=target)
    return _plan(session, (step,), {step.before: data}, _deleted(session), DELETE, note)


def refuse_in_use(plan: Plan, env: Env) -> None:
    """Raise RefusedError (code `live`) when a plan would take away a session that a pi may be using."""
    taken = [step for step in plan.steps if isinstance(step, Stash)]
    if not taken:
        return
    from memtui.core.agents.finder import find_agents
    from memtui.core.agents.using import use_of

    running = find_agents(env)
    for step in taken:
        if because := use_of(look_at(step.path), running, env.now()).because:
            raise RefusedError(trash_warning(because), code="live")


def _plan(
    session: Session,
    steps: tuple[Step, ...],
    blobs: dict[str, bytes],
    summary: str,
    verb: str,
    note: str = "",
) -> Plan:
    return Plan(
        store_id=f"{session.agent}-sessions",
        root=session.file.parent,
        steps=steps,
        blobs=blobs,
        summary=summary,
        verb=verb,
        notes=(note,) if note else (),
    )


def _deleted(session: Session) -> str:
    return _("moved the session {title} to the trash").format(title=_short(session.title))


def _short(title: str) -> str:
    return title if len(title) <= _TITLE_CHARACTERS else title[: _TITLE_CHARACTERS - 1] + "…"
