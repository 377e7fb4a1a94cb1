"""Making one memory of several, in the editor or by keeping one of them, and several of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui.asking import NO, short, what_goes
from memtui.ui.bulk import count_words, sharers
from memtui.ui.drafting import edit_draft
from memtui.ui.hindrances import ask_once_more
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Snapshot
    from memtui.core.text_actions import MergeText
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item
    from memtui.ui.widgets.spans import Span

OFFERED = 9
"""Memories of which one can be kept by its number; more of them are named and can be joined in the editor."""


class Merging:
    """One method a command; each returns at once, or when the editor ended."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def merge(self) -> None:
        """Ask how to make one of the marked memories: `e` in the editor, a number keeps that one."""
        # at the end of a range the cursor says where that ends, else which of the marked stays
        here = None if self._desk.listing.end_range() else self._desk.item
        marked = self._desk.marked
        first = tuple(item for item in marked if here is not None and item.row_id == here.row_id)
        self.merge_these((*first, *(item for item in marked if item not in first)), opener="m")

    def merge_these(self, items: Sequence[Item], *, opener: str = "") -> None:
        """Ask how to make one of these, with what would go named; the first one stays in the editor."""
        from memtui.ui.why_not import why_not

        desk, view = self._desk, self._desk.view
        if view is None or len(items) < 2:
            desk.say(why_not(desk, "merge") or _("it takes two memories to merge"), "warn")
            return
        others = sharers(view, items, desk.app.env.home)
        details: list[list[Span]] = [self._row(number, item) for number, item in enumerate(items, 1)]
        if len(items) > OFFERED:
            more = len(items) - OFFERED
            said = ngettext("and {count} more", "and {count} more", more).format(count=more)
            details = [*details[:OFFERED], [(said, "muted")]]
        if hidden := desk.listing.hidden_marks if desk.front is None else 0:
            hides = ngettext(
                "{count} of them is hidden by the filter", "{count} of them are hidden by the filter", hidden
            )
            details.append([(hides.format(count=hidden), "warn")])
        if others:
            details.append([(_("also the memory of {projects}").format(projects=others), "warn")])
        numbers = [str(number) for number in range(1, min(len(items), OFFERED) + 1)]
        keep = [Choice(key, _("keep {number} only").format(number=key), is_change=True) for key in numbers]

        def answered(key: str) -> None:
            if key == "e":
                ask_once_more(desk.ask_bar, others, partial(self._in_editor, items))
            elif key in numbers:
                kept = items[int(key) - 1]
                rest = [item for item in items if item is not kept]
                ask_once_more(desk.ask_bar, others, partial(self._keep, [kept, *rest]))

        question = _("Make one of {what}; the others go:").format(what=count_words(len(items)))
        choices = (Choice("e", _("write it in your editor, as 1")), *keep, NO)
        desk.ask_bar.ask(
            question, choices, answered, opener=opener, details=details, hint=_("(u brings them back)")
        )

    def _row(self, number: int, item: Item) -> list[Span]:
        from memtui.core.safety import display
        from memtui.ui import wording

        snapshot, memory = self._changing.snapshot_of(item), item.memory
        told = [wording.size(memory.size_bytes), what_goes(item, snapshot)]
        if memory.type:
            told.insert(0, display.line(memory.type))
        return [(f"{number} ", "key"), (short(item.title), ""), (f"  {' · '.join(told)}", "muted")]

    # Doing it

    def _memories(self, items: Sequence[Item]) -> list[tuple[Snapshot, str]]:
        return [(self._changing.snapshot_of(item), item.memory.id) for item in items]

    def _keep(self, items: Sequence[Item]) -> None:
        memories = self._memories(items)

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            from memtui.core.text_actions import TextActions

            return TextActions(workspace).merge(memories, takes_over=takes_over)

        self._changing.do(job, then=self._unmark)

    def _in_editor(self, items: Sequence[Item]) -> None:
        memories = self._memories(items)
        asked: list[MergeText] = []

        def text_of(workspace: Workspace) -> bytes:
            from memtui.core.text_actions import TextActions

            asked.append(TextActions(workspace).text_to_merge(memories))
            return asked[-1].data

        def edited(data: bytes, base: bytes, path: Path) -> None:
            self._write(memories, asked[-1], data, path)

        name = items[0].memory.file
        edit_draft(self._desk, name, text_of, edited, self._changing.failed)

    def _write(
        self,
        memories: Sequence[tuple[Snapshot, str]],
        asked: MergeText,
        data: bytes,
        draft: Path,
        *,
        insists: bool = False,
    ) -> None:
        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            from memtui.core.drafts import drop_draft
            from memtui.core.text_actions import NewText, TextActions

            actions = TextActions(workspace)
            new = NewText(actions.merged_text(asked, data), asked.base, insists=insists)
            outcome = actions.merge(memories, new, takes_over=takes_over)
            drop_draft(draft)
            return outcome

        def refused(error: MemtuiError) -> None:
            self._changing.unless_insisted(
                error,
                lambda: self._write(memories, asked, data, draft, insists=True),
                lambda: self._changing.failed(error, draft),
            )

        self._changing.do(job, refused, then=self._unmark)

    def _unmark(self, text: str, ink: str) -> None:
        # a review over the panes has marks of its own
        if self._desk.front is None:
            self._desk.listing.mark(())

    # Splitting

    def split(self) -> None:
        """Ask whether to make a memory of each part at its headings; `o` shows what would change."""
        from memtui.core.text_actions import TextActions

        item = self._changing.changeable("edit")
        if item is None:
            return
        snapshot, memory_id = self._changing.snapshot_of(item), item.memory.id
        self._changing.propose(
            _("Split “{title}” at its headings?").format(title=short(item.title)),
            lambda workspace: TextActions(workspace).plan_split(snapshot, memory_id),
            lambda: self._changing.do(
                lambda workspace, takes_over: TextActions(workspace).split(
                    snapshot, memory_id, takes_over=takes_over
                )
            ),
            hint=_("(u takes it back)"),
            about=item.row_id,
        )
