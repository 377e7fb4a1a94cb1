"""`search` and `sessions`: what was saved or said, and the conversations of this project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.cli import documents, plain
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.indexing import index_document
from memtui.cli.parser import Parser
from memtui.cli.summaries import SUMMARIES
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.library import (
    MEANINGS,
    HiddenBecause,
    Hit,
    IndexStatus,
    Library,
    Results,
    Session,
    newest_first,
)
from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.agent_actions import Use

NOTHING_FOUND = 1
DEFAULT_LIMIT = 50

MUCH_BYTES = 8 << 20
"""So much that is not indexed takes long enough to be worth a word."""

# search


def _search_arguments(parser: Parser) -> None:
    parser.add_argument(
        "words", nargs="+", metavar="Q", help=_('words that must all be there; "…" keeps a phrase together')
    )
    parser.epilog = "\n".join(_language())
    parser.add_argument("--here", action="store_true", help=_("only this project's sessions"))
    _page_arguments(parser, DEFAULT_LIMIT, _("show so many at most ({default})").format(default=DEFAULT_LIMIT))


def _page_arguments(parser: Parser, limit: int | None, limit_help: str) -> None:
    parser.add_argument("--limit", type=int, default=limit, metavar="N", help=limit_help)
    parser.add_argument("--offset", type=int, default=0, metavar="N", help=_("leave out the first N"))


def _page(call: Call) -> tuple[int, int | None]:
    """The offset and the limit that were asked for. Raises UsageError."""
    offset, limit = call.arguments.offset, call.arguments.limit
    if offset < 0 or (limit is not None and limit < 0):
        raise UsageError(_("--limit and --offset cannot be negative"))
    return offset, limit


def _language() -> Iterator[str]:
    """What Q may hold beside words."""
    yield _("filters, among the words of Q; of several of one kind any is enough:")
    examples = {
        "agent": "agent:pi",
        "store": "store:ID",
        "type": "type:feedback",
        "in": "in:tools",
        "role": "role:user",
        "dir": 'dir:"my app"',
        "after": "after:2026-11-30",
        "before": "before:2w",
    }
    for keyword, meaning in MEANINGS.items():
        yield f"  {examples[keyword]:<18}{meaning}"
    yield _("days: 2026-11-30, 2026-11, 2026, today, yesterday, 3d 2w 1m 1y ago, 6h ago; ISO date-times")
    yield _("a filter in double quotes, and whatever is no filter, is text like any other")
    yield _("=TEXT finds TEXT as it is, as one; the id of a session or message finds it")


def _search(call: Call) -> Answer:
    offset, limit = _page(call)
    typed = " ".join(call.arguments.words)
    snapshots = call.stores.read_all(call.store)
    library = Library(call.env)
    sessions = library.unread_sessions()
    running = library.search(typed, snapshots, sessions, here=call.arguments.here)
    if running.query.is_empty:
        raise UsageError(_("there is no word in {query}").format(query=repr(typed)))
    results = running.results(offset, limit)
    hits = library.with_lines(results.hits)
    library.save()
    index = library.index_status(sessions)
    return Answer(
        document=lambda: {
            "query": typed,
            "hits": [_hit_document(hit) for hit in hits],
            "total": results.total,
            "shown": results.shown,
            "hidden": dict(results.hidden),
            "suggestion": results.suggestion or None,
            "cut": results.is_cut,
            "index": index_document(index),
        },
        lines=lambda: _search_lines(hits, results, offset, call.env),
        status=0 if results.total else NOTHING_FOUND,
        notes=tuple(_index_notes(index)),
    )


def _index_notes(index: IndexStatus) -> Iterator[str]:
    """What makes this search slower than it has to be."""
    if index.state == "off":
        yield _("every file was read, there is no index: {why}").format(why=index.why)
    elif index.behind_bytes >= MUCH_BYTES:
        yield _("{size} were read from the files; `memtui index build` makes the next search faster").format(
            size=plain.size(index.behind_bytes)
        )


def _hit_document(hit: Hit) -> documents.Json:
    return {
        "kind": hit.kind,
        "id": hit.id,
        "session": hit.session or None,
        "store": hit.store or None,
        "agent": hit.agent,
        "title": hit.title,
        "file": str(hit.file),
        "line": hit.line,
        "role": hit.role or None,
        "snippet": hit.snippet,
        "matches": [list(span) for span in hit.matches],
        "branch": hit.branch or None,
        "updated": documents.moment(hit.updated),
        "resume": hit.resume or None,
    }


def _search_lines(hits: Sequence[Hit], results: Results, offset: int, env: Env) -> Iterator[str]:
    above = ""
    for hit in hits:
        heading = _heading(hit, env)
        if heading != above:
            yield heading
        above = heading
        yield f"    {_said(hit)}"
    if results.total > results.shown:
        yield _page_line(offset, results.shown, results.total)
    if results.is_cut:
        yield _("there is more; a longer query finds less")
    if not results.total:
        meant = display.line(results.suggestion)
        yield _("nothing found; did you mean {query}?").format(query=meant) if meant else _("nothing found")
    yield from _hidden_lines(results.hidden)


def _page_line(offset: int, shown: int, total: int) -> str:
    if not shown:
        return _("none of {total} from {first} on").format(total=total, first=offset + 1)
    sentence = _("{first} to {last} of {total}; --limit and --offset show others")
    return sentence.format(first=offset + 1, last=offset + shown, total=total)


def _heading(hit: Hit, env: Env) -> str:
    if hit.kind == "memory":
        mark = " ~" if hit.is_fuzzy else ""
        return f"{display.line(hit.store)}  {display.line(hit.id)}{mark}  {display.line(hit.title)}"
    row = hit.session_row
    day = "" if row is None else plain.when(row.updated)
    cwd = "" if row is None else display.path(row.cwd, home=env.home)
    return "  ".join(filter(None, (hit.agent, day, display.line(hit.title), cwd, display.line(hit.session))))


def _said(hit: Hit) -> str:
    line = "" if hit.line is None else f"{hit.line}: "
    role = f"{_(hit.role)}: " if hit.role else ""
    branch = _("(other branch) ") if hit.branch == "other" else ""
    return f"{line}{branch}{role}{hit.snippet}"


# sessions


@dataclass(frozen=True, slots=True)
class _Listed:
    """`sessions` are those of the page, `count` how many there are on all pages, `offset` those before."""

    sessions: tuple[Session, ...]
    count: int
    offset: int
    hidden: Mapping[HiddenBecause, int]
    uses: Mapping[str, Use]
    secrets: Mapping[str, Mapping[str, int]] | None = None
    """With `--secrets`: how many of each kind, by the file of the session."""
    is_known: bool = False
    """Whether the system shows which agents run."""


def _sessions_arguments(parser: Parser) -> None:
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument(
        "--here", action="store_true", help=_("the sessions of this project, which is the default")
    )
    whose.add_argument("--all", action="store_true", help=_("the sessions of every project"))
    _page_arguments(parser, None, _("show so many at most"))
    parser.add_argument(
        "--secrets", action="store_true", help=_("only those that hold secrets, with their kinds")
    )


def _sessions(call: Call) -> Answer:
    listed = _list(call)
    return Answer(
        document=lambda: {
            "sessions": [_session_document(session, listed) for session in listed.sessions],
            "total": listed.count + sum(listed.hidden.values()),
            "hidden": dict(listed.hidden),
        },
        lines=lambda: _sessions_lines(listed, call),
    )


def _list(call: Call) -> _Listed:
    offset, limit = _page(call)
    library = Library(call.env)
    every = list(library.sessions())
    here, hidden = (every, {}) if call.arguments.all else library.split(every)
    counted = {session.file: session for session in library.count(here)}
    library.save()
    from memtui.core.agent_actions import find_agents, use_of

    running = find_agents(call.env, every)
    sessions = newest_first(counted.get(session.file, session) for session in here)
    secrets = None
    if call.arguments.secrets:
        secrets = {str(session.file): library.secrets_in(session) for session in sessions}
        sessions, hidden = [session for session in sessions if secrets[str(session.file)]], {}
    page = tuple(sessions[offset:][:limit])
    uses = {str(session.file): use_of(session, running, call.env.now()) for session in page}
    return _Listed(page, len(sessions), offset, hidden, uses, secrets, running.is_known)


def _session_document(session: Session, listed: _Listed) -> documents.Json:
    counts = session.counts
    held = {} if listed.secrets is None else {"secrets": dict(listed.secrets[str(session.file)])}
    return held | {
        "id": session.id,
        "agent": session.agent,
        "file": str(session.file),
        "title": session.title,
        "cwd": session.cwd or None,
        "updated": documents.moment(session.updated),
        "turns": None if counts is None else counts.turns,
        "messages": None if counts is None else counts.messages,
        "damaged": None if counts is None else counts.damaged,
        "running": _is_running(listed.uses[str(session.file)], is_known=listed.is_known),
        "pi_lists": session.pi_lists,
    }


def _sessions_lines(listed: _Listed, call: Call) -> Iterator[str]:
    rows = []
    for session in listed.sessions:
        cwd = display.path(session.cwd, home=call.env.home) if call.arguments.all else ""
        held = {} if listed.secrets is None else listed.secrets[str(session.file)]
        kinds = [f"{count}x {name}" for name, count in held.items()]
        remarks = "; ".join([*kinds, *_remarks(session, listed.uses[str(session.file)])])
        names = (display.line(session.id), cwd, display.line(session.title))
        rows.append((plain.when(session.updated), _size(session), *names, remarks))
    yield from plain.table(rows, indent="")
    if len(rows) < listed.count:
        yield _page_line(listed.offset, len(rows), listed.count)
    elif not rows and listed.secrets is not None:
        yield _("no session here holds a secret that memtui knows")
    elif not rows:
        yield _("no sessions") if call.arguments.all else _("no sessions of this project")
    yield from _hidden_lines(listed.hidden)


def _size(session: Session) -> str:
    if session.counts is None:
        return ""
    count = session.counts.messages
    return ngettext("{count} message", "{count} messages", count).format(count=count)


def _is_running(use: Use, *, is_known: bool) -> bool | None:
    """None where an agent may write it, and where nothing is known of who runs."""
    if use.certainty == "sure":
        return True
    return None if use.certainty or not is_known else False


def _remarks(session: Session, use: Use) -> Iterator[str]:
    if use.mark:
        yield _("{mark} ({because})").format(mark=use.mark, because=display.line(use.because))
    damaged = 0 if session.counts is None else session.counts.damaged
    if damaged:
        yield ngettext("damaged: {count} place", "damaged: {count} places", damaged).format(count=damaged)
    if not session.pi_lists:
        yield _("not listed by pi: {why}").format(why=display.line(session.hidden_because))


def _hidden_lines(hidden: Mapping[HiddenBecause, int]) -> Iterator[str]:
    words = {
        "other-project": _("of other projects"),
        "not-listed": _("not listed by pi, of no known project"),
        "unreadable": _("unreadable"),
        "copy": _("copies in other sessions"),
        "too-long": _("lines too long to search"),
        "not-indexed": _("sessions not indexed yet"),
        "tools-not-indexed": _("what tools gave in sessions, not indexed yet"),
    }
    said = ", ".join(f"{count} {words[reason]}" for reason, count in hidden.items())
    if said:
        yield _("not shown: {what}").format(what=said)


VERBS: Mapping[str, Verb] = {
    "search": Verb(SUMMARIES["search"], _search_arguments, _search),
    "sessions": Verb(SUMMARIES["sessions"], _sessions_arguments, _sessions),
}
