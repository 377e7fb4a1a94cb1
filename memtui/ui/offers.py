"""What can be done here: the key bar, the help and the palette, made from the table. Pure.

An offer is a command with its reason why not; the help groups them, the palette ranks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui.commands import COMMANDS, SCOPES, Command, Scope, is_in
from memtui.ui.why_not import ON_MARKED

WhyNot = Callable[[str], str]
"""Gives the reason why a command cannot be done, '' when it can; takes its id."""

LIKE = 70.0
"""Percent of likeness from which on a word with a typing error is taken for the one that was meant."""

ON_SESSION_TOO = frozenset({"search", "undo", "help"})
"""Commands for everywhere that stand in the bar beside those of a session."""

IN_SESSION_LIST = frozenset({"open", "scope", "filter", "sort"})
"""More of them, in the list of sessions."""

NAMES = {
    "delete": _("delete memory"),
    "trash_session": _("delete session"),
    "archive_session": _("archive session"),
    "insert_text": _("memory into the agent"),
    "insert_message": _("message into the agent"),
    "copy_text": _("copy memory text"),
    "copy_message": _("copy message text"),
}
"""What commands are called where those of several kinds of things stand side by side, and their labels, made
for a bar about one kind, are alike."""

NAMED_KEYS = {
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "exclamation_mark": "!",
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "space": "space",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A command, the heading it stands under, and why it cannot be done now ('' = it can)."""

    command: Command
    group: str
    why_not: str = ""


def key_bar(
    scope: Scope,
    why_not: WhyNot,
    *,
    pane: str = "index",
    marks: int = 0,
    called: Mapping[str, str] | None = None,
    commands: Iterable[Command] = COMMANDS,
) -> list[tuple[str, str]]:
    """Keys and labels for the key bar: what can be done here, most used first, the help last. Of several keys
    the first is shown; what acts on the `marks` marked memories says how many they are. `called` are the labels
    of commands that do something else than usual right here, by id."""
    in_text = pane == "topic" and scope == "memory"
    shown = []
    for command in commands:
        if not command.order or not is_in(command, scope):
            continue
        if scope == "session" and command.scope == "everywhere":
            beside = ON_SESSION_TOO | IN_SESSION_LIST if pane == "search" else ON_SESSION_TOO
            if command.id not in beside:
                continue
        if command.scope == "text" and pane != "topic":
            continue
        if command.id == "scope" and pane != "search":
            continue
        if command.id == "help" or not why_not(command.id):
            shown.append(command)

    def place(command: Command) -> tuple[bool, int, int]:
        first = ("text", "search") if in_text else ()
        where = next((at for at, what in enumerate(first) if what in (command.scope, command.id)), len(first))
        return command.id == "help", where, command.order

    def label(command: Command) -> str:
        if marks and command.id in ON_MARKED:
            return f"{command.label} {marks:,}"
        return (called or {}).get(command.id, command.label)

    return [(command.key.partition(" ")[0], label(command)) for command in sorted(shown, key=place)]


def query_keys() -> list[tuple[str, str]]:
    """Keys and labels for the key bar while a query is typed."""
    return [("Enter", _("open")), ("↓ ↑", _("choose")), ("Esc ctrl+c", _("leave"))]


def offers(scope: Scope, why_not: WhyNot, *, pane: str = "index", is_on_one: bool = True) -> tuple[Offer, ...]:
    """Every command for the help: first those of what is under the cursor, then the others.

    `is_on_one` says that there is a memory or session under the cursor; `pane` is the active one.
    """
    order: list[Scope] = ["text", scope] if pane == "topic" else [scope, "text"]
    order += ["everywhere", *(other for other in SCOPES if other not in (scope, "text", "everywhere"))]
    titles = dict(SCOPES)
    if is_on_one and scope == "session":
        titles[scope] = _("On this session")
    elif is_on_one:
        titles[scope] = _("On this memory")
    return tuple(
        Offer(command, titles[group], why_not(command.id))
        for group in order
        for command in COMMANDS
        if command.scope == group
    )


def ranked(typed: str, among: Sequence[Offer]) -> list[Offer]:
    """The offers that match what was typed, best first: the key itself, the label's beginning, words that
    begin so, parts of words, letters in order or nearly the word. What can be done stands before what cannot.
    """
    wanted = typed.strip()
    if not wanted:
        return list(among)
    found = []
    for number, offer in enumerate(among):
        tier = _tier(wanted, offer.command)
        if tier is not None:
            found.append((tier, bool(offer.why_not), number, offer))
    return [offer for *_place, offer in sorted(found, key=lambda entry: entry[:3])]


def name_of(command: Command) -> str:
    """What a command is called in a list of all of them."""
    return NAMES.get(command.id, command.label)


def key_names(command: Command) -> tuple[str, ...]:
    """A command's keys as a person would type or write them."""
    return tuple(NAMED_KEYS.get(key, key) for key in command.keys)


def _tier(wanted: str, command: Command) -> int | None:
    if wanted in key_names(command):
        return 0
    query, label = wanted.casefold(), command.label.casefold()
    if label.startswith(query):
        return 1
    words = query.split()
    of_label = [*label.split(), *command.id.split("_")]
    if all(any(word.startswith(part) for word in of_label) for part in words):
        return 2
    told = f"{label} {command.help.casefold()}"
    if all(any(word.startswith(part) for word in told.split()) for part in words):
        return 3
    if query in told:
        return 4
    if _in_order(query, label):
        return 5
    return 6 if _is_like(query, of_label) else None


def _in_order(letters: str, text: str) -> bool:
    rest = iter(text)
    return len(letters) > 1 and all(letter in rest for letter in letters if letter != " ")


def _is_like(query: str, words: Iterable[str]) -> bool:
    if len(query) < 4:
        return False
    from rapidfuzz.distance import OSA

    return any(100 * OSA.normalized_similarity(query, word) >= LIKE for word in words)
