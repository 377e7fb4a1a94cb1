"""The one table of what keys do: bindings, the key bar, the palette and the help are made from it.

A key belongs to the kind of thing under the cursor, not to a pane; a capital is the larger form.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from memtui.i18n import _
from memtui.late.dataclasses import dataclass

Scope = Literal["memory", "session", "text", "everywhere"]

SCOPES: dict[Scope, str] = {
    "memory": _("On a memory"),
    "session": _("On a session or one of its messages"),
    "text": _("In a text"),
    "everywhere": _("Everywhere"),
}
"""The kinds of things that keys belong to. The cursor is on a memory or a session; what holds everywhere,
and in a text, holds on both."""

SHARED: frozenset[Scope] = frozenset({"everywhere", "text"})
"""Scopes whose keys mean the same on each kind of thing."""

NEVER = frozenset({*(f"ctrl+{letter}" for letter in "abhijmsz"), "ctrl+left_square_bracket"})
"""Keys that a terminal, tmux or a shell takes for itself; no key with alt either."""


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that a key does.

    `id` names it for remapping and is the action; `keys` are Textual's names, the first is shown as `shown`
    where given; one without keys is found by its name only. `label` is for the key bar, `help` one sentence;
    `order` is its place in the key bar (0 = not there); `changes` says that it may change something on disk.
    """

    id: str
    keys: tuple[str, ...]
    scope: Scope
    label: str
    help: str
    order: int = 0
    shown: str = ""
    changes: bool = False

    @property
    def key(self) -> str:
        """The key as people write it, '' for a command without one."""
        return self.shown or (self.keys[0] if self.keys else "")


COMMANDS: tuple[Command, ...] = (
    Command("down", ("j", "down"), "everywhere", _("down"), _("One row down"), shown="j ↓"),
    Command("up", ("k", "up"), "everywhere", _("up"), _("One row up"), shown="k ↑"),
    Command("first", ("g", "home"), "everywhere", _("first"), _("To the first row")),
    Command("last", ("G", "end"), "everywhere", _("last"), _("To the last row")),
    Command("half_down", ("ctrl+d",), "everywhere", _("half a page down"), _("Half a page down")),
    Command("half_up", ("ctrl+u",), "everywhere", _("half a page up"), _("Half a page up")),
    Command("page_down", ("pagedown",), "everywhere", _("page down"), _("A page down")),
    Command("page_up", ("pageup",), "everywhere", _("page up"), _("A page up")),
    Command("open", ("enter", "l", "right"), "everywhere", _("open"), _("Into the text"), 1, "Enter l"),
    Command(
        "back",
        ("h", "escape", "left"),
        "everywhere",
        _("back"),
        _("Back to the list, or out of a filter"),
        shown="h Esc",
    ),
    Command("leave", ("q",), "everywhere", _("leave"), _("Back; from the list, out of memtui")),
    Command("pane_index", ("1",), "everywhere", _("memories"), _("To the memories"), shown="1"),
    Command("pane_topic", ("2",), "everywhere", _("text"), _("To the text"), shown="2"),
    Command(
        "pane_search",
        ("3",),
        "everywhere",
        _("search pane"),
        _("To the sessions and what was found"),
        shown="3",
    ),
    Command("pane_status", ("4",), "everywhere", _("status"), _("To the status"), shown="4"),
    Command("next_pane", ("tab",), "everywhere", _("next pane"), _("To the next pane")),
    Command(
        "search",
        ("/",),
        "everywhere",
        _("search"),
        _("Search memories and sessions, with in: role: after: …; in a text, find in it"),
        2,
    ),
    Command("next_hit", ("n",), "text", _("next hit"), _("To the next hit of what was searched for"), 1),
    Command("previous_hit", ("N",), "text", _("hit before"), _("To the hit before"), 2),
    Command(
        "reveal",
        (".",),
        "text",
        _("reveal"),
        _("Show one masked key or password of the text; again: the next, at last none"),
    ),
    Command("scope", ("H",), "everywhere", _("all projects"), _("Sessions of this project, or of all"), 9),
    Command("filter", ("f",), "everywhere", _("filter"), _("Filter the list; typing errors are forgiven"), 8),
    Command("sort", ("s",), "everywhere", _("sort"), _("Sort the list; the same letter turns it over"), 12),
    Command("next_store", ("]",), "everywhere", _("next store"), _("To the next store")),
    Command("previous_store", ("[",), "everywhere", _("store before"), _("To the store before")),
    Command(
        "next_problem",
        ("!",),
        "everywhere",
        _("next problem"),
        _("To the next memory or file with a problem"),
        7,
    ),
    Command(
        "triage",
        ("S",),
        "everywhere",
        _("triage"),
        _("Go through the memories, the most suspicious first: a key each"),
        10,
    ),
    Command(
        "limits",
        ("L",),
        "everywhere",
        _("limits"),
        _("What each memory takes of its agent's limit, and without which it fits"),
        11,
    ),
    Command(
        "duplicates",
        ("D",),
        "everywhere",
        _("duplicates"),
        _("What says the same, or nearly so, side by side; what differs is marked"),
    ),
    Command(
        "changes",
        ("C",),
        "everywhere",
        _("by others"),
        _("What other programs changed since memtui looked; x brings one back"),
    ),
    Command(
        "changes_since",
        (),
        "everywhere",
        _("changes by others since …"),
        _("What other programs changed since a time, or since memtui started"),
    ),
    Command(
        "undo",
        ("u",),
        "everywhere",
        _("undo"),
        _("Take the last change back; works after a restart"),
        6,
        changes=True,
    ),
    Command("redo", ("ctrl+r",), "everywhere", _("redo"), _("Make the change undone last again"), changes=True),
    Command(
        "history", ("U",), "everywhere", _("history"), _("Every change made from here; each can be undone")
    ),
    Command("zoom", ("z",), "everywhere", _("zoom"), _("This pane alone, and back")),
    Command(
        "orphans",
        ("P",),
        "everywhere",
        _("orphaned stores"),
        _("Memory of projects that are gone; M and y take it into this one"),
    ),
    Command(
        "reload_agent",
        ("R",),
        "everywhere",
        _("reload in the agent"),
        _("Type into the agent what makes it read its memory again; asks, y does it"),
    ),
    Command(
        "agent_menu",
        ("A",),
        "everywhere",
        _("agent menu"),
        _("What can be typed into the agent, and what is in the way of it; Enter asks"),
    ),
    Command("where", ("w",), "everywhere", _("where"), _("Every store here, who reads it, and why")),
    Command("rescan", ("f5",), "everywhere", _("read again"), _("Read everything again"), shown="F5"),
    Command("palette", (":", "ctrl+p"), "everywhere", _("commands"), _("Find a command by its name")),
    Command("theme", (), "everywhere", _("colours"), _("Choose the colours: dark, light, high contrast, …")),
    Command("help", ("?",), "everywhere", _("all keys"), _("All keys"), 99),
    Command(
        "delete",
        ("d",),
        "memory",
        _("delete"),
        _("Delete it and its index line; asks, y does it"),
        3,
        changes=True,
    ),
    Command("edit", ("e",), "memory", _("edit"), _("Edit its text in your editor"), 4, changes=True),
    Command(
        "edit_index",
        ("E",),
        "memory",
        _("edit the index"),
        _("Edit the whole index in your editor"),
        changes=True,
    ),
    Command(
        "add", ("a",), "memory", _("add"), _("Add a memory: a title, then one line about it"), 5, changes=True
    ),
    Command(
        "line", ("i",), "memory", _("its line"), _("Change its one line (description or hook)"), 9, changes=True
    ),
    Command("rename", ("I",), "memory", _("rename"), _("Rename it: file, links and index line"), changes=True),
    Command(
        "type",
        ("t",),
        "memory",
        _("type"),
        _("Change its type: t, then the letter of the type"),
        10,
        changes=True,
    ),
    Command(
        "move",
        ("M",),
        "memory",
        _("move"),
        _("Move it, or copy it, to another store, group or topic; or all that is marked"),
        13,
        changes=True,
    ),
    Command(
        "merge",
        ("m",),
        "memory",
        _("merge"),
        _("Make one memory of those that are marked: in your editor, or keep one"),
        5,
        changes=True,
    ),
    Command(
        "index_lines",
        (),
        "memory",
        _("index lines"),
        _("Its index line, or those of the marked: to the front or the end, taken out, said anew"),
        changes=True,
    ),
    Command("split", (), "memory", _("split"), _("Make several memories of it, at its headings"), changes=True),
    Command(
        "repair",
        ("x",),
        "memory",
        _("mend"),
        _("Mend what is wrong with it or its file; asks, y does it"),
        6,
        changes=True,
    ),
    Command(
        "repair_all",
        ("X",),
        "memory",
        _("mend all"),
        _("Mend all that is proven safe, in every store or in what is marked; asks, y does it"),
        changes=True,
    ),
    Command("mark", ("space",), "memory", _("mark"), _("Mark it, or take its mark away, and go down"), 11),
    Command(
        "mark_range", ("v",), "memory", _("mark a range"), _("Mark from here to where you go; v again ends it")
    ),
    Command("mark_all", ("*",), "memory", _("mark all"), _("Mark all that the list shows; again: none")),
    Command(
        "copy_path", ("y",), "memory", _("copy path"), _("Copy its path, or those of the marked; says where to")
    ),
    Command("copy_text", ("Y",), "memory", _("copy text"), _("Copy what is selected, else the text of each")),
    Command(
        "insert_text",
        (">",),
        "memory",
        _("into the agent"),
        _("Put what Y copies into the agent's editor, without Enter; asks, y does it"),
    ),
    Command(
        "origin",
        ("o",),
        "memory",
        _("its session"),
        _("The session it came from: the call that wrote it, else the closest text"),
        14,
    ),
    Command("rendered", ("p",), "memory", _("rendered"), _("Show texts rendered, or as source again"), 13),
    Command(
        "resume",
        ("r",),
        "session",
        _("resume"),
        _("To the pi that has it; else go on with it: in a new tmux window, outside of tmux in memtui's place"),
        1,
    ),
    Command(
        "copy_resume", ("y",), "session", _("copy resume"), _("Copy the command that continues the session"), 2
    ),
    Command("copy_message", ("Y",), "session", _("copy text"), _("Copy what is selected, else the message"), 3),
    Command(
        "insert_message",
        (">",),
        "session",
        _("into the agent"),
        _("Put what Y copies into the agent's editor, without Enter; asks, y does it"),
    ),
    Command("memories_from", ("o",), "session", _("its memories"), _("The memories that came from it"), 8),
    Command(
        "trash_session",
        ("d",),
        "session",
        _("delete"),
        _("Move it to the trash; asks, y does it"),
        7,
        changes=True,
    ),
    Command(
        "remember",
        ("a",),
        "session",
        _("remember"),
        _("Make a memory of the message, or of what is selected"),
        6,
        changes=True,
    ),
    Command("session_title", ("i",), "session", _("title"), _("Change its title"), 5, changes=True),
    Command("archive_session", (), "session", _("archive"), _("Copy its file to a directory of your choice")),
    Command("next_message", ("J",), "session", _("next message"), _("To the next message"), 3),
    Command("previous_message", ("K",), "session", _("message before"), _("To the message before")),
    Command("fold_tools", ("t",), "session", _("tools"), _("Show tool output whole, or fold it again"), 4),
    Command("fold_thinking", ("T",), "session", _("thinking"), _("Show thinking whole, or fold it again")),
)
"""Every command."""

BY_ID = {command.id: command for command in COMMANDS}
"""Every command by its id."""


MOVES = frozenset(
    {"down", "up", "first", "last", "half_down", "half_up", "page_down", "page_up"}
    | {"next_message", "previous_message", "next_hit", "previous_hit", "next_store", "previous_store"}
    | {"pane_index", "pane_topic", "pane_search", "pane_status", "next_pane", "open", "back"}
)
"""Commands that only lead somewhere: what came of a change stays said while they are used."""


def clashes(commands: Iterable[Command] = COMMANDS) -> list[str]:
    """Keys with two meanings in one place, and keys that may not be used; empty when all is well."""
    wrong = []
    taken: dict[tuple[str, str], str] = {}
    for command in commands:
        scopes = list(SCOPES) if command.scope in SHARED else [command.scope]
        for key in command.keys:
            if key in NEVER or key.startswith("alt+"):
                wrong.append(f"{command.id}: {key} may not be used")
            for scope in scopes:
                other = taken.setdefault((scope, key), command.id)
                if other != command.id:
                    wrong.append(f"{key} is {other} and {command.id} in {scope}")
    return list(dict.fromkeys(wrong))


def is_in(command: Command, scope: str) -> bool:
    """Whether a command means something on this kind of thing."""
    return command.scope in SHARED or command.scope == scope


def answers_to_key(command: Command, scope: str) -> bool:
    """Whether a command's keys reach it: those of another kind of thing do where nothing here has them, so
    that pressing one says why it does nothing."""
    if is_in(command, scope):
        return True
    return not any(key in other.keys for other in COMMANDS if is_in(other, scope) for key in command.keys)
