"""Whole texts that come back from an editor, merged with what other programs wrote meanwhile."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Refusal, SetIndex, SetText
from memtui.core.text import document as documents
from memtui.core.text.merge import merge
from memtui.i18n import _

_DIFF_LIMIT_LINES = 40


def merged_text(edit: SetText | SetIndex, current: bytes, path: str) -> bytes | Refusal:
    """The text to write for an edit of `current`: what both changed is merged line by line.

    A Refusal with `conflict` where both changed one line, unless the edit insists; raises RefusedError for a
    new text that is not UTF-8.
    """
    base, text = edit.base, edit.text
    bad_at = documents.parse(text).bad_utf8_at
    if bad_at is not None:
        raise RefusedError(
            _("the new text of {file} is not UTF-8 at byte {offset}").format(file=path, offset=bad_at)
        )
    if base is None or base == current:
        return text
    merged = merge(base, current, text)
    if merged.clash and edit.insists:
        # the other way round it is their lines that give way
        return merge(base, text, current).data
    if merged.clash:
        reason = _("{file} was changed by another program in the same lines").format(file=path)
        return Refusal(reason, True, _changed_lines(base, current), _changed_lines(base, text))
    return merged.data


def _changed_lines(base: bytes, other: bytes) -> tuple[str, ...]:
    before, after = (documents.decode(data).split("\n") for data in (base, other))
    from difflib import unified_diff

    lines = [line for line in unified_diff(before, after, n=0, lineterm="") if line[:2] != "@@"]
    return tuple(lines[2 : 2 + _DIFF_LIMIT_LINES])
