"""From words to an exit status: parse, run the verb or the app, print, and turn every error into one line.

Exit status: 0 fine, 1 problems found or nothing found, 2 usage or environment, 3 conflict, held lock or an id
that is gone; 130 when interrupted by the keyboard.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui import __version__
from memtui.cli import output
from memtui.cli.parser import Parser, Words, add_common, split
from memtui.cli.summaries import SUB_VERBS, SUMMARIES
from memtui.core.errors import ConflictError, MemtuiError
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.cli.call import Answer, BuildEnv, OpenApp

INTERRUPTED = 130
FAILED = 2


def run(argv: Sequence[str], build_env: BuildEnv, open_app: OpenApp) -> int:
    """Run one command line and return its exit status. Never raises."""
    try:
        return _guarded(split(argv, SUMMARIES, SUB_VERBS), build_env, open_app)
    except KeyboardInterrupt:
        return INTERRUPTED
    except output.UnwritableError:
        return FAILED


def _guarded(words: Words, build_env: BuildEnv, open_app: OpenApp) -> int:
    try:
        return _run(words, build_env, open_app)
    except SystemExit as leaving:
        # argparse leaves like this after --help and --version
        return leaving.code if isinstance(leaving.code, int) else 0
    except output.UnwritableError:
        raise
    except MemtuiError as error:
        differences = (*error.theirs, *error.yours) if isinstance(error, ConflictError) else ()
        output.complain(error.code, error.message, differences, as_json=words.as_json)
        return error.exit_status
    except OSError as error:
        output.complain("storage", _system_sentence(error), as_json=words.as_json)
        return FAILED
    except Exception as error:
        output.complain("bug", _bug_sentence(error), as_json=words.as_json)
        return FAILED


def _run(words: Words, build_env: BuildEnv, open_app: OpenApp) -> int:
    if not words.verb:
        from memtui.cli.app import open_from_words

        return open_from_words(_app_parser(), words, build_env, open_app)
    from memtui.cli.call import Call
    from memtui.cli.verbs import load

    verb = load(words.verb)
    parser = Parser(prog=f"memtui {words.verb}", description=verb.help)
    if sub_verbs := SUB_VERBS.get(words.verb):
        parser.epilog = _verb_table(sub_verbs, f"memtui {words.verb} ")
    verb.add_arguments(parser)
    add_common(parser)
    call = Call(parser.parse_args(words.arguments), build_env, open_app)
    with contextlib.ExitStack() as shown:
        if call.arguments.reveal:
            from memtui.core.safety import secrets

            shown.enter_context(secrets.seen())
        answer: Answer = verb.run(call)
        output.note(answer.notes)
        if call.as_json:
            output.print_json(answer.document())
        else:
            output.print_lines(answer.lines())
    return answer.status


def _verb_table(summaries: Mapping[str, str], prefix: str) -> str:
    width = max(map(len, summaries))
    verbs = "\n".join(f"  {name:{width}}  {summary}" for name, summary in summaries.items())
    template = _("commands (`{prefix}COMMAND --help` explains one):\n{verbs}")
    return template.format(prefix=prefix, verbs=verbs)


def _app_parser() -> Parser:
    parser = Parser(
        prog="memtui",
        description=_("Show and clean up what a coding agent remembers. Without a command: open the app."),
        epilog=_verb_table(SUMMARIES, "memtui "),
    )
    parser.usage = "memtui [PATH] [--owner OWNER] [--new]\n       memtui COMMAND ..."
    parser.add_argument("path", nargs="?", metavar="PATH", help=_("a project, or any memory directory"))
    parser.add_argument("--owner", metavar="OWNER", default="", help=_("only this agent's memory"))
    parser.add_argument(
        "--new", action="store_true", help=_("also where this window of tmux has one that shows the same")
    )
    parser.add_argument(
        "--version", action="version", version=f"memtui {__version__}", help=_("show the version and leave")
    )
    add_common(parser)
    return parser


def _system_sentence(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def _bug_sentence(error: Exception) -> str:
    return _("{kind}: {reason}. This is a bug in memtui; please report it with the command you ran.").format(
        kind=type(error).__name__, reason=str(error).rstrip(".") or _("no details")
    )
