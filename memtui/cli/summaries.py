"""One line of help for every verb."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.i18n import _

SUMMARIES: Mapping[str, str] = {
    "where": _("which memory directories belong here, and why"),
    "list": _("the memories, with what is loaded and what is wrong"),
    "show": _("one memory, or what the agent is given at its start"),
    "check": _("what is wrong with the memories"),
    "status": _("limits, problems and the last change in a few lines"),
    "add": _("remember something new"),
    "set": _("change a memory's title, description, type, hook or body"),
    "rename": _("give a memory's file another name"),
    "delete": _("delete memories with their index lines"),
    "undo": _("take back a change"),
    "redo": _("make the change undone last again"),
    "history": _("the changes made here, newest first"),
    "demo": _("a home with example memories to try memtui on"),
}
