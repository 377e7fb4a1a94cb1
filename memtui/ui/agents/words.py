"""The words about an agent and what must hold before something is typed into it. Pure, and safe for display."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.agent_actions import Agent, Running
    from memtui.core.agent_memory import Carried
    from memtui.core.agent_typing import Condition, Target

Line = list[Span]

TITLE_CELLS = 30
"""So much of a session's title tells one pi from another."""

STATES = {
    True: ("+", "good", _("ok")),
    False: ("x", "error", _("not ok")),
    None: ("?", "muted", _("not known")),
}
"""Mark, ink and word for how a condition stands."""


def place_of(agent: Agent) -> str:
    """The pane that an agent runs in, by the name that tmux shows."""
    return display.line(agent.pane.place) if agent.pane is not None else ""


def agent_words(agent: Agent, home: Path) -> str:
    """An agent as a question names it: `pi in work:0.1 (~/code/app)`."""
    return _("{agent} in {pane} ({directory})").format(
        agent=display.line(agent.agent), pane=place_of(agent), directory=display.path(agent.cwd, home=home)
    )


def nobody_because(running: Running, *, has_tmux: bool) -> str:
    """Why there is no agent that something could be typed into."""
    if not has_tmux:
        return _("memtui does not run in tmux")
    if running.problem:
        return _("tmux: {problem}").format(problem=display.line(running.problem))
    from memtui.core.agent_actions import PI

    if any(agent.agent == PI for agent in running.agents):
        return _("pi runs in no pane of this tmux")
    return _("no pi runs beside memtui")


def others_line(count: int) -> str:
    """That there are as many other agents, '' for none."""
    words = ngettext(
        "{count} other pi runs in this tmux; A shows it",
        "{count} others run in this tmux; A shows them",
        count,
    )
    return words.format(count=count) if count else ""


def carried_words(carried: Carried) -> str:
    """What an agent carries of a memory, and what brings the newest into it."""
    return (
        f"{display.line(carried.store.owner)}: {display.line(carried.carries)}; {display.line(carried.brings)}"
    )


def brings_words(carried: Sequence[Carried]) -> str:
    """What brings the newest memory, in short: owners for whom it is the same together."""
    owners: dict[str, list[str]] = {}
    for each in carried:
        owners.setdefault(display.line(each.brings), []).append(display.line(each.store.owner))
    return " · ".join(f"{', '.join(those)}: {brings}" for brings, those in owners.items())


def comes_by_itself(carried: Carried) -> bool:
    """Whether the newest memory is there, or comes with what is said next."""
    row = carried.loaded.row
    return row.state != "not-known" and (not row.by or row.by[0] in ("message", "request"))


def why_not_typed(conditions: Sequence[Condition]) -> str:
    """The first that is known to be in the way, '' when nothing is."""
    from memtui.core.agent_typing import first_failing

    failing = first_failing(conditions)
    if failing is None:
        return ""
    return _("nothing was typed: {reason}").format(reason=display.line(failing.stands))


def told_of(agent: Agent, name: str, said: str) -> str:
    """What became of something, with the pane; `name` is what it is called, '' where `said` names it."""
    return ": ".join(filter(None, (place_of(agent), name, display.line(said))))


def instead(reason: str) -> str:
    """Why something goes to the clipboard; `reason` is safe."""
    return _("{reason}; to the clipboard instead").format(reason=reason)


def condition_lines(conditions: Sequence[Condition]) -> list[Line]:
    """Each condition with its state, and how that stands where it says more: what is in the way first."""
    lines: list[Line] = []
    if any(condition.holds is False for condition in conditions):
        lines.append([(_("not now; Enter copies it"), "warn")])
    for condition in sorted(conditions, key=lambda each: (each.holds is not False, each.holds is True)):
        mark, ink, word = STATES[condition.holds]
        demands, stands = display.line(condition.demands), display.line(condition.stands)
        if stands and not condition.holds and not stands.startswith(word):
            word = f"{word}, {stands}"
        lines.append([(f"{mark} ", ink), (f"{demands}: ", ""), (word, ink)])
    return lines


def target_heading(target: Target, home: Path, session: str = "") -> str:
    """The agent of a group of the menu: its pane, the title of its session where that is known, else what its
    pane's says, and where it works."""
    agent = target.agent
    if agent is None or agent.pane is None:
        return _("nobody to type to: Enter and y copy")
    title = display.line(session)
    if len(title) > TITLE_CELLS:
        title = title[: TITLE_CELLS - 1] + "…"
    named = f"“{title}”" if title else display.line(agent.pane.title)
    parts = [place_of(agent), named, display.path(agent.cwd, home=home)]
    if agent.pane.is_shown:
        parts.append(_("beside memtui"))
    return " · ".join(filter(None, parts))


def session_title(target: Target, titles: Mapping[Path, str]) -> str:
    """The title of the session that its agent surely has, '' where that is not known; not safe for display."""
    session = None if target.agent is None else target.agent.session
    return "" if session is None else titles.get(session, "")
