"""One line typed over what is there, with what it would come to beside it, or why it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui import wording
from memtui.ui.hindrances import may_insist

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Budget, Edit, Snapshot
    from memtui.core.workspace import Forecast
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.spans import Span

BAR_CELLS = 4
FULL, FREE = "▰", "▱"

EditsOf = Callable[[str], "tuple[Edit, ...]"]
"""The edits that a typed text means."""


def meter_parts(
    forecast: Forecast, group: str = "", *, only_over: bool = False
) -> tuple[list[list[Span]], list[list[Span]]]:
    """What a forecast says, most important first, and the same in fewer cells: the index line, the binding
    budget with its share as a bar. `group` is the group of the memory that is changed; `only_over` leaves out
    what is within its limit."""
    named: list[tuple[Budget, str, str]] = []
    line, budget = forecast.index_line, wording.budget_of(forecast.budgets, group)
    if line is not None:
        named.append((line, _("this line"), ""))
    if budget is not None:
        named.append((budget, budget.group or _("index"), f" {wording.unit(budget)}"))
    # what is over its limit comes first: the other may have no room
    named = sorted(
        (item for item in named if not only_over or item[0].used > item[0].limit),
        key=lambda item: item[0].used <= item[0].limit,
    )
    parts, compact = [], []
    for item, name, unit in named:
        said = _("{used:,} of {limit:,}").format(used=item.used, limit=item.limit)
        over = item.used - item.limit
        beyond = _(", {count:,} over").format(count=over) if over > 0 else ""
        ink = "warn" if over > 0 else "muted"
        share = f" {bar(item)}" if unit else ""
        parts.append([(f"{name} {said}{unit}{beyond}{share}", ink)])
        compact.append([(f"{said}{beyond}", ink)])
    return parts, compact


def bar(budget: Budget) -> str:
    """The share of a limit as a few cells; the last one is full only when the limit is reached."""
    share = budget.used / budget.limit if budget.limit else 1.0
    full = BAR_CELLS if share >= 1 else min(BAR_CELLS - 1, round(share * BAR_CELLS))
    return FULL * full + FREE * (BAR_CELLS - full)


class Metering:
    """Asks for a line, tells what it would come to while it is typed, and makes the change. UI thread only."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing
        self._refusal: tuple[str, str] | None = None
        self._failed: str | None = None

    def ask(
        self,
        label: str,
        snapshot: Snapshot,
        verb: str,
        edits_of: EditsOf,
        *,
        value: str = "",
        unchanged: str | None = None,
        then: Callable[[str], None] | None = None,
        group: str = "",
        done: str = "",
    ) -> None:
        """Ask for a line that starts as `value`; Enter makes its edits, or calls `then` with it.

        Where the text is still `unchanged`, Enter changes nothing. What is refused is said beside the field,
        and the text stays in it; on some of it the person may insist after Enter. `group` is the group whose
        budget counts; `done` is said behind what was done.
        """
        self._refusal = self._failed = None

        def told(text: str, forecast: Forecast) -> None:
            # what was refused when it was written stays said, though it may be tried again
            if self._stands(text) and text != self._failed:
                self._refusal = self._failed = None
                # of a name only what it breaks matters
                parts, compact = meter_parts(forecast, group, only_over=verb == "rename")
                self._desk.line_input.show_note(parts, compact)

        def changed(text: str) -> None:
            self._desk.work.do(
                lambda workspace: workspace.forecast(snapshot, edits_of(text)),
                lambda forecast: told(text, forecast),
                channel="forecast",
                failed=lambda error: self._refuse(text, error, is_asked=False),
            )

        def stops(text: str) -> bool:
            if self._refusal is None or self._refusal[0] != text:
                return False
            sentence = self._refusal[1]
            self._desk.line_input.show_note([[(sentence, "error")]])
            self._desk.say(sentence, "error")
            return True

        def again(text: str, error: MemtuiError) -> None:
            from memtui.core.safety import display

            if self._desk.is_asking or not self._desk.is_on_top:
                said = _("{reason} · you had typed: {text}")
                said = said.format(reason=display.line(error.message), text=display.line(text))
                self._desk.say(said, "error")
                return
            self.ask(
                label,
                snapshot,
                verb,
                edits_of,
                value=text,
                unchanged=unchanged,
                then=then,
                group=group,
                done=done,
            )
            self._refuse(text, error, is_asked=True)

        def typed(text: str | None) -> None:
            if text is None or text == unchanged:
                return
            if then is not None:
                then(text)
            else:
                self._changing.change(
                    snapshot, verb, edits_of(text), refused=lambda error: again(text, error), said=done
                )

        line_input = self._desk.line_input
        line_input.ask(label, typed, value=value, changed=changed, stops=stops, has_note=True)
        changed(value)

    def _refuse(self, text: str, error: MemtuiError, *, is_asked: bool) -> None:
        from memtui.core.safety import display

        if self._stands(text):
            sentence = display.line(error.message)
            if is_asked:
                self._failed = text
            else:
                self._refusal = None if may_insist(error) else (text, sentence)
            self._desk.line_input.show_note([[(sentence, "error" if is_asked else "warn")]])
            if is_asked:
                self._desk.say(sentence, "error")

    def _stands(self, text: str) -> bool:
        return self._desk.line_input.asking and self._desk.line_input.value == text
