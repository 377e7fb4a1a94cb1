"""The command that continues a session in a shell, quoted so that nothing in a path can act.

pi takes an id or a path behind `--session`; the path is used, because ids may repeat. Opening a file without a
header that pi accepts would start a new session over it, so then there is no command (pi-and-zcode sheet A2).
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from memtui.core import fs
from memtui.core.sessions.base import Session
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

PROGRAM = "pi"

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Resume:
    """A command for a shell ('' when there is none to give), and what the person should know about it.

    `words` are the same program with its arguments for whoever needs no shell, `directory` is where it is run;
    '' = the session's directory is not known, or gone (the note says which).
    """

    command: str
    note: str = ""
    words: tuple[str, ...] = ()
    directory: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """A program to run in a directory: `words` are its file (absolute) and its arguments, for no shell."""

    words: tuple[str, ...]
    directory: str
    environ: Mapping[str, str]


def resume(session: Session) -> Resume:
    """How to continue a session from anywhere: its directory, then pi with its file."""
    if not session.pi_opens:
        why = session.hidden_because
        return Resume("", _("pi cannot continue this session: {why}").format(why=why))
    words = (PROGRAM, "--session", str(session.file))
    open_it = " ".join(map(quote, words))
    if not session.cwd.startswith("/"):
        return Resume(open_it, _("the session does not say which directory it belongs to"), words)
    if not fs.is_dir(Path(session.cwd)):
        return Resume(open_it, _("its directory is gone: {directory}").format(directory=session.cwd), words)
    return Resume(f"cd {quote(session.cwd)} && {open_it}", "", words, session.cwd)


def resume_command(session: Session) -> str:
    """The command of `resume`, '' where there is none."""
    return resume(session).command


def quote(text: str) -> str:
    """A text as one word of a POSIX shell; control characters and bytes that are not UTF-8 in `$'…'` form.

    A line end within plain quotes would run half a command when it is pasted without bracketed paste.
    """
    if _CONTROLS.search(text) is None:
        return shlex.quote(text)
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + _CONTROLS.sub(_escape, escaped) + "'"


def _escape(match: re.Match[str]) -> str:
    raw = match[0].encode("utf-8", "surrogateescape" if "\udc80" <= match[0] <= "\udcff" else "surrogatepass")
    return "".join(f"\\x{byte:02x}" for byte in raw)
