"""`split` without an id: memtui beside this pane of tmux."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError, UsageError
from memtui.core.own_pane import Tmux, TmuxError, first_beside, go_to, is_size, key_of, open_beside
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.cli.call import Answer, Call
    from memtui.core.own_pane import Side

_THERE = _("memtui is open in this window already, in pane {pane}; --new opens another")


class TmuxRefusedError(MemtuiError):
    """tmux did not do what was asked of it."""

    code = "tmux"


def say_it_is_there(pane: str) -> None:
    """Print that memtui was open already, in the pane of this id."""
    from memtui.cli import output

    output.print_lines([_THERE.format(pane=pane)])


def open_split(call: Call) -> Answer:
    """Open memtui beside the pane that this runs in, or go to the one that is there. Raises UsageError."""
    from memtui.cli.call import Answer
    from memtui.core.safety import display

    asked, env = call.arguments, call.env
    _check(call)
    tmux = Tmux(env.environ)
    if not tmux.own_pane:
        hint = _("memtui split opens memtui beside a pane of tmux, and this is none; `memtui` opens it here")
        raise UsageError(
            _("{hint}, `memtui split ID` makes several memories of one").format(hint=hint), code="no-tmux"
        )
    key = key_of(env, asked.owner, None)
    side: Side = "right" if asked.right else "below"
    try:
        pane = "" if asked.new else first_beside(tmux, key)
        if pane:
            go_to(tmux, pane)
            place, sentence = "", _THERE
        else:
            pane, place = open_beside(tmux, env, _program(call), key, side, asked.size or "")
            sentence = _("memtui is open in pane {pane}")
    except TmuxError as error:
        problem = display.line(str(error))
        raise TmuxRefusedError(_("tmux opened no pane: {problem}").format(problem=problem)) from error
    return Answer(
        document=lambda: {"pane": pane, "place": place or None, "opened": bool(place)},
        lines=lambda: (sentence.format(pane=display.line(pane)),),
    )


def _check(call: Call) -> None:
    asked = call.arguments
    if asked.size is not None and not is_size(asked.size):
        raise UsageError(_("--size takes a number of cells, or a percentage from 1% to 99%"))
    if asked.dry_run or asked.take_over_lock:
        raise UsageError(_("--dry-run and --take-over-lock need the id of a memory: memtui split ID"))
    if asked.store or asked.reveal:
        raise UsageError(_("--store and --reveal need the id of a memory: memtui split ID"))
    if asked.owner:
        from memtui.cli.app import check_owner

        check_owner(asked.owner)


def _program(call: Call) -> tuple[str, ...]:
    """The words that start the other memtui: this very one, with the options that were given."""
    asked, env = call.arguments, call.env
    # -P: no directory that memtui is started in becomes a place to import from
    words = [sys.executable, "-P", "-m", "memtui"]
    if asked.home is not None:
        words += ["--home", str(env.home)]
    if asked.cwd is not None:
        words += ["--cwd", str(env.logical_cwd or env.cwd)]
    if asked.owner:
        words += ["--owner", asked.owner]
    return (*words, "--new") if asked.new else tuple(words)
