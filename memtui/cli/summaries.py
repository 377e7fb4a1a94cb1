"""One line of help for every verb."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.i18n import _

SUMMARIES: Mapping[str, str] = {
    "where": _("which memory directories belong here, and why"),
    "list": _("the memories, with what is loaded and what is wrong"),
    "show": _("one memory, or what the agent is given at its start"),
    "check": _("what is wrong with the memories"),
    "duplicates": _("memories that say the same, or nearly so, as others or as AGENTS.md and CLAUDE.md"),
    "status": _("limits, problems and the last change in a few lines"),
    "search": _("what was saved or said: memories, then sessions"),
    "sessions": _("the conversations of this project, newest first; name, delete or archive one"),
    "index": _("the index that makes search fast: how it stands; build or clear it"),
    "add": _("remember something new"),
    "set": _("change a memory's title, description, type, hook or body"),
    "rename": _("give a memory's file another name"),
    "delete": _("delete memories with their index lines"),
    "move": _("carry memories to another store, topic or group; --copy leaves them where they are"),
    "adopt": _("the memory of projects that are gone: list it, or take it into this one"),
    "merge": _("make one memory of several: keep one as it is, or give it a new text"),
    "split": _("open memtui beside this pane of tmux; with an id: make several memories of one"),
    "place": _("put a memory at another position of its file"),
    "retype": _("give a memory another type"),
    "repair": _("mend a memory or file, or all that is proven safe"),
    "backups": _("the backups that an owner made at refused changes: list, compare, delete"),
    "redact": _("put [redacted] in the place of the keys, tokens and passwords of a memory"),
    "purge": _("remove a text for good from everything that memtui keeps itself"),
    "undo": _("take back a change"),
    "redo": _("make the change undone last again"),
    "history": _("the changes made here, newest first"),
    "changes": _("what other programs changed since memtui looked, and who did it where that is known"),
    "restore": _("bring back what other programs removed or changed"),
    "demo": _("a home with example memories to try memtui on"),
}

SESSION_SUMMARIES: Mapping[str, str] = {
    "rename": _("give a session a name, or take it away"),
    "delete": _("move a session to memtui's trash, from where undo brings it back"),
    "archive": _("copy a session into a directory"),
}
"""One line of help for every verb that stands behind `sessions`."""

INDEX_SUMMARIES: Mapping[str, str] = {
    "status": _("how much of the sessions it holds, and where it lies"),
    "build": _("bring it in step with the sessions"),
    "clear": _("remove it; the next search reads the files until it is built again"),
}
"""One line of help for every verb that stands behind `index`."""

SUB_VERBS: Mapping[str, Mapping[str, str]] = {"sessions": SESSION_SUMMARIES, "index": INDEX_SUMMARIES}
"""The verbs that have verbs of their own behind them."""
