"""`demo`: example memories in a home of their own, to try memtui on without touching anything real."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from memtui.cli import output
from memtui.cli.app import require_terminal
from memtui.cli.call import Answer, Call, Verb
from memtui.cli.parser import Parser
from memtui.cli.summaries import SUMMARIES
from memtui.core.env import Env
from memtui.core.safety import display
from memtui.i18n import _


def _demo_arguments(parser: Parser) -> None:
    parser.add_argument(
        "dir",
        nargs="?",
        metavar="DIR",
        help=_("an empty directory, a new one, or an earlier demo; without, a temporary one is made"),
    )
    parser.add_argument(
        "--no-open", action="store_true", help=_("build it, do not open the app (as with --json)")
    )


def _demo(call: Call) -> Answer:
    from memtui.demo import build_demo

    opens = not call.arguments.no_open and not call.as_json
    named = call.arguments.dir
    here = call.build_env(None, _fresh_directory() if named is None else named)
    if opens:
        require_terminal(here)
    demo = build_demo(here.cwd)
    env = call.build_env(str(demo.home), str(demo.project))
    if opens:
        output.print_lines(_demo_lines(env))
        status = call.open_app(env, "", None, False)
        return Answer(document=dict, lines=tuple, status=status)
    return Answer(
        document=lambda: {"demo": {"home": str(env.home), "cwd": str(env.cwd)}},
        lines=lambda: _demo_lines(env),
    )


def _demo_lines(env: Env) -> Iterator[str]:
    yield _("the demo is in {directory}").format(directory=display.path(env.home))
    yield _("look at it with `memtui --home {directory}`; delete the directory when you are done").format(
        directory=display.path(env.home)
    )


def _fresh_directory() -> str:
    # nobody can guess the name, and so take it first
    return str(Path(tempfile.gettempdir()) / f"memtui-demo-{secrets.token_hex(6)}")


VERBS: Mapping[str, Verb] = {"demo": Verb(SUMMARIES["demo"], _demo_arguments, _demo)}
