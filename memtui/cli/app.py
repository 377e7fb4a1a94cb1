"""`memtui [PATH] [--owner X]`: open the app, if there is a terminal to open it on."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli.parser import Parser, Words, first_word
from memtui.cli.summaries import SUMMARIES
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.cli.call import BuildEnv, OpenApp

CODE = "no-terminal"


def open_from_words(parser: Parser, words: Words, build_env: BuildEnv, open_app: OpenApp) -> int:
    """Open the app as the words ask. Raises UsageError when that cannot be."""
    try:
        arguments = parser.parse_args(words.arguments)
    except UsageError:
        # what stands behind a mistyped command is no argument of the app
        word = first_word(words.arguments)
        if _close(word):
            raise UsageError(_not_there(word)) from None
        raise
    env = build_env(arguments.home, arguments.cwd)
    # first, since a command that was mistyped lands here too, with whatever options it has
    path = None if arguments.path is None else _existing(env, arguments.path)
    if arguments.json:
        raise UsageError(_("--json needs a command; see `memtui --help`"))
    if arguments.reveal:
        raise UsageError(_("--reveal needs a command; in the app . shows one masked secret"))
    if arguments.store:
        raise UsageError(_("--store needs a command; to open one store in the app, give its directory"))
    if arguments.owner:
        check_owner(arguments.owner)
    require_terminal(env)
    return open_app(env, arguments.owner, path, arguments.new)


def require_terminal(env: Env) -> None:
    """Raise UsageError unless stdin, stdout and stderr are a terminal that can do more than print."""
    hint = _("the app needs a terminal; commands such as `memtui list` do not")
    for name, stream in (("stdin", sys.stdin), ("stdout", sys.stdout), ("stderr", sys.stderr)):
        if stream is None or not stream.isatty():
            raise UsageError(_("{stream} is not a terminal: {hint}").format(stream=name, hint=hint), code=CODE)
    if env.get("TERM") == "dumb":
        raise UsageError(_("TERM is dumb: {hint}").format(hint=hint), code=CODE)


def _existing(env: Env, named: str) -> Path:
    path = Path(os.path.normpath(env.cwd / named))
    if not os.path.lexists(path):
        raise UsageError(_not_there(named), code="no-path")
    if not path.is_dir() and path.name != "MEMORY.md":
        raise UsageError(_("{path} is not a directory").format(path=named), code="no-path")
    return path


def _close(named: str) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(named, SUMMARIES, n=1)), "")


def _not_there(named: str) -> str:
    sentence = _("{name} is neither a command nor a directory").format(name=named)
    if close := _close(named):
        return _("{sentence}; did you mean `memtui {verb}`?").format(sentence=sentence, verb=close)
    return _("{sentence}; see `memtui --help`").format(sentence=sentence)


def check_owner(owner: str) -> None:
    """Raise UsageError unless there is an owner of this name."""
    from memtui.core.workspace import OWNERS

    if owner not in OWNERS:
        raise UsageError(
            _("no owner {owner}; there is: {owners}").format(owner=owner, owners=", ".join(OWNERS))
        )
