"""The words of the sheets that lie over the screen: all keys, all stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.commands import help_lines
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace


def help_sheet() -> list[list[Span]]:
    """All keys."""
    lines: list[list[Span]] = []
    for kind, words, sentence in help_lines():
        if kind == "heading":
            lines += [[], [(words, "heading")]]
        else:
            lines.append([(f"  {words:<10}", "key"), (sentence, "")])
    lines += [[], [(_("y answers a question, any other key leaves it; ctrl+c copies selected text"), "muted")]]
    return lines[1:]


def where_sheet(workspace: Workspace) -> list[list[Span]]:
    """Every store of this directory, who reads it, and why. Runs on the work thread."""
    from memtui.core.safety import display
    from memtui.ui import wording

    located = workspace.locate()
    home = workspace.env.home
    lines: list[list[Span]] = [[(_("here") + "  ", "label"), (wording.place(located.cwd, home), "title")]]
    for store in located.stores:
        state = _("used") if store.used else _("not used")
        exists = "" if store.exists else " · " + _("nothing there yet")
        writable = "" if store.writable else " · " + _("read-only")
        lines.append([])
        lines.append(
            [
                (display.line(store.id), "heading"),
                (f"  {state}{exists}{writable}", "good" if store.used else "muted"),
            ]
        )
        lines.append([("  " + wording.place(store.root, home), "")])
        lines.append([("  " + wording.sentence(store.reason, home), "muted")])
        if store.read_by:
            readers = ", ".join(display.line(reader) for reader in store.read_by)
            lines.append([(_("  read by {readers}").format(readers=readers), "muted")])
        if store.shared_by:
            others = ", ".join(wording.sentence(other, home) for other in store.shared_by)
            lines.append([(_("  also the memory of {projects}").format(projects=others), "warn")])
        if not store.loads:
            lines.append([("  " + wording.sentence(store.loads_not_because, home), "warn")])
        lines += [[("  " + wording.sentence(warning, home), "warn")] for warning in store.warnings]
    for root in located.transcripts:
        lines.append([])
        lines.append([(_("sessions of {agent}").format(agent=display.line(root.agent)), "heading")])
        lines.append([(f"  {wording.place(root.path, home)} · {root.sessions}", "")])
    if not located.stores:
        lines += [[], [(_("no store is known for this directory"), "warn")]]
    told = {warning for store in located.stores for warning in store.warnings}
    others_said = [warning for warning in located.warnings if warning not in told]
    lines += [[("! " + wording.sentence(warning, home), "warn")] for warning in others_said]
    return lines
