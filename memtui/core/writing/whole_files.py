"""The steps on whole files, one table for carrying out, judging and taking back: appends and moves.

What has happened of a step is judged by the files alone, so that an error and a crash need the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from memtui.core import fs
from memtui.core.operations.plan import Append, Cut, Stash, WholeFile
from memtui.core.writing import moves, tails
from memtui.core.writing.names import tidy_aside
from memtui.core.writing.tails import State

Blobs = Mapping[str, bytes]
"""Bytes by their digests: at least those that the steps name."""


def is_as_planned(step: WholeFile, blobs: Blobs) -> bool:
    """Whether a step can be carried out on what is there now. Raises OSError."""
    if isinstance(step, Append | Cut):
        return tails.is_as_planned(step, blobs[step.data])
    if isinstance(step, Stash):
        return moves.is_there(step)
    return fs.kind_of(step.place) is not None and moves.is_free_for_return(step.path)


def carry_out(
    step: WholeFile, temp: Path, blobs: Blobs, become: Callable[[WholeFile], None], say: Callable[[str], None]
) -> bool:
    """Carry a step out, durably but for its directory.

    `become` is told when it turns out otherwise than planned, `say` what the person should know. False: a file
    stays at `temp`, since a program writes to it. Raises Overtaken and OSError.
    """
    if isinstance(step, Append):
        tails.append(step, blobs[step.data], become)
    elif isinstance(step, Cut):
        tails.cut(step, blobs[step.data], say)
    elif isinstance(step, Stash):
        return moves.stash(step, temp)
    else:
        return moves.unstash(step, temp, become)
    return True


def state_of(step: WholeFile, temp: Path, blobs: Blobs) -> State:
    """How far a step came: `between` has to be taken back. Raises OSError."""
    if isinstance(step, Append):
        return tails.state_of_append(step, blobs[step.data])
    if isinstance(step, Cut):
        return tails.state_of_cut(step, blobs[step.data])
    tidy_aside(temp, step.path)
    return moves.state_of_stash(step, temp) if isinstance(step, Stash) else moves.state_of_unstash(step, temp)


def take_back(step: WholeFile, temp: Path, blobs: Blobs) -> None:
    """Take back whatever has happened of a step. Raises OSError, and Stuck where it cannot be."""
    if isinstance(step, Append):
        tails.take_back_append(step, blobs[step.data])
    elif isinstance(step, Cut):
        tails.take_back_cut(step, blobs[step.data])
    elif isinstance(step, Stash):
        moves.take_back_stash(step, temp)
    else:
        moves.take_back_unstash(step, temp)


def finish(step: WholeFile, temp: Path) -> bool:
    """Bring a step that is in effect to its end after a crash; False while a program writes to `temp`.

    Raises OSError.
    """
    if isinstance(step, Append | Cut):
        tails.finish(step)
        return True
    return moves.finish_stash(step, temp) if isinstance(step, Stash) else moves.finish_unstash(step, temp)
