"""What the status says of the agents beside memtui, as spans that are safe for display. Pure."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.agent_actions import PI, Agent, Running, name_of
from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.env import Env

MOST_TITLES = 2
"""So many of the sessions that may be it are named before the rest is counted."""

TITLE_CELLS = 40


def agent_lines(
    running: Running, env: Env, carried: Mapping[object, Sequence[str]] | None = None
) -> list[list[Span]]:
    """One line an agent: where it is, in which directory if that is another, and what it writes; below it what
    it has `carried` of the memory; then how many are in other panes, and what keeps tmux from telling."""
    beside = running.beside
    lines: list[list[Span]] = []
    for agent in beside:
        lines.append([_label(), *_agent_spans(agent, running, env)])
        lines += [[(" " * 9, "label"), (said, "")] for said in (carried or {}).get(agent.key, ())]
    elsewhere = sum(agent.pane is not None and agent not in beside for agent in running.agents)
    if elsewhere and lines:
        said = ngettext("{count} more in another pane", "{count} more in other panes", elsewhere)
        lines.append([(" " * 9, "label"), (said.format(count=elsewhere), "muted")])
    elif elsewhere:
        said = ngettext("none here, {count} in another pane", "none here, {count} in other panes", elsewhere)
        lines.append([_label(), (said.format(count=elsewhere), "muted")])
    elif not lines:
        lines.append([_label(), (_("none runs here"), "muted")])
    if running.problem:
        said = _("tmux does not tell its panes: {problem}").format(problem=display.line(running.problem))
        lines.append([_label(), (said, "warn")])
    return lines


def agent_items(running: Running) -> list[list[Span]]:
    """One short item an agent beside memtui."""
    return [[(display.line(name_of(agent)), "")] for agent in running.beside]


def _label() -> Span:
    return _("agent").ljust(9), "label"


def _agent_spans(agent: Agent, running: Running, env: Env) -> list[Span]:
    said = [display.line(name_of(agent))]
    if agent.cwd and agent.cwd != os.fspath(env.cwd):
        said.append(_("in {directory}").format(directory=display.path(agent.cwd, home=env.home)))
    spans: list[Span] = [(" · ".join(said), "")]
    if agent.agent != PI:
        return [*spans, (" · " + _("memtui cannot reach it"), "muted")]
    names = [_title(file, running) for file in agent.sessions[:MOST_TITLES]]
    more = len(agent.sessions) - len(names)
    if more > 0:
        names.append(_("{count} more").format(count=more))
    if agent.session is not None:
        return [*spans, (" · " + _("session {title}").format(title=names[0]), "")]
    if names:
        titles = ", ".join(names)
        said_maybe = _("session {titles}?").format(titles=titles)
        return [*spans, (f" · {said_maybe}", "warn"), (f" ({agent.because})", "muted")]
    return [*spans, (" · " + _("its session is not known yet ({why})").format(why=agent.because), "muted")]


def _title(file: Path, running: Running) -> str:
    row = running.rows.get(file)
    title = display.line(file.stem if row is None else row.title)
    return f"“{title if len(title) <= TITLE_CELLS else title[: TITLE_CELLS - 1] + '…'}”"
