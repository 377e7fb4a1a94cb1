"""A layout's refusal as the error that reaches the person."""

from __future__ import annotations

from memtui.core.errors import ConflictError, RefusedError
from memtui.core.layouts.base import Refusal


def error_of(refusal: Refusal) -> ConflictError | RefusedError:
    """The error to raise: ConflictError where another program was there first, else RefusedError.

    Its code is `blocked` where the owner's scanner is against it and a person may insist.
    """
    if refusal.conflict:
        return ConflictError(refusal.reason, theirs=refusal.theirs, yours=refusal.yours)
    code = "blocked" if refusal.can_insist else None
    return RefusedError(refusal.reason, code=code, can_insist=refusal.can_insist)
