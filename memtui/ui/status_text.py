"""What the status says of the view, as spans. Pure; made in the UI thread.

A first span that ends with a blank is a label: the further rows of its line stand behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.view import StoreView, View
from memtui.ui.widgets.spans import Span

NO_BREAK = "\u00a0"

BETWEEN = f"{NO_BREAK} "
"""Between two counts that share a row: where the row breaks, nothing of it is seen."""


@dataclass(frozen=True, slots=True)
class Told:
    """What stands in the one row that is kept for it: `is_news` what the person has not gone on from yet,
    `text` all of it."""

    spans: tuple[Span, ...] = ()
    is_news: bool = False

    @property
    def text(self) -> str:
        """The words."""
        return "".join(text for text, _ink in self.spans)


def told(said: Sequence[Span], is_new: bool, fresh: str, view: View, hint: str) -> Told:
    """What is told in the row kept for it: what was said just now, what others changed just now (`fresh`),
    what was said before, what can be undone, a hint."""
    if said and is_new:
        return Told(tuple(said), True)
    if fresh:
        return Told(((fresh, "note"),), True)
    if said:
        return Told(tuple(said))
    if view.last_change:
        return Told(((_("u undoes: {summary}").format(summary=view.last_change), "muted"),))
    return Told(((hint, "muted"),) if hint else ())


def count_items(view: View) -> list[list[Span]]:
    """One short item for each kind of problem, worst first: `x file missing`, `! duplicate line ×2`."""
    items = []
    for severity, code, count in view.counts:
        mark, ink = wording.MARKS[severity]
        items.append([(f"{mark} {wording.times(wording.problem_word(code), count)}", ink)])
    return items


def at_work_items(view: View) -> list[list[Span]]:
    """One short item for each store on which something works in the background."""
    return [
        [(_("{store}: at work in the background").format(store=store.name), "warn")]
        for store in view.stores
        if store.cautions
    ]


def status_lines(
    view: View, current: int, news: Sequence[Sequence[Span]] = (), *, above: str = ""
) -> list[list[Span]]:
    """The lines of the status for the store with number `current`; `above` is what is told over them, which
    is not told again."""
    store = view.stores[current] if current < len(view.stores) else None
    lines = own_lines(view.stores, ("error",))
    if store is not None:
        lines.append([(_("store") + "    ", "label"), (store.path, "")])
        lines.append([(_("because") + "  ", "label"), (store.reason, "")])
        lines += [[(word.ljust(9), "label"), (sentence, "")] for word, sentence in store.facts]
    lines += _count_lines(view)
    lines += own_lines(view.stores, ("warning", "note", ""))
    lines += [[(warning, "warn")] for warning in _warnings(view, store)]
    lines += [list(line) for line in news if all(text not in above for text, ink in line if ink != "label")]
    if view.undoable and view.last_change not in above:
        text = _("{count} to undo, last: {summary}").format(count=view.undoable, summary=view.last_change)
        lines.append([(_("undo") + "     ", "label"), (text, "")])
    return lines


def own_lines(stores: Sequence[StoreView], severities: Iterable[str]) -> list[list[Span]]:
    """The problems of whole stores as sentences, those of one severity after those of the one before."""
    lines: list[list[Span]] = []
    for severity in severities:
        mark, ink = wording.MARKS.get(severity, ("", "muted"))
        for store in stores:
            for problem in store.own_problems:
                if problem.severity == severity:
                    words = f"{store.name}: {problem.sentence}" if mark else problem.sentence
                    lines.append([(f"{mark} ", ink), (words, ink)])
    return lines


def _count_lines(view: View) -> list[list[Span]]:
    if not view.counts:
        return [[(_("no problems found"), "good")]]
    packed: list[Span] = []
    for item in count_items(view):
        packed += [(BETWEEN, "")] if packed else []
        # A row breaks between the items, not inside one.
        packed += [(text.replace(" ", NO_BREAK), ink) for text, ink in item]
    counts = ", ".join(words.replace(" ", NO_BREAK) for words in wording.by_severity(view.severities))
    return [[(_("found") + "    ", "label"), (counts, "")], packed]


def _warnings(view: View, store: StoreView | None) -> list[str]:
    of_store = [] if store is None else store.snapshot.store.warnings
    sentences = [*(wording.sentence(warning, view.home) for warning in of_store), *view.warnings]
    already = {problem.sentence for each in view.stores for problem in each.own_problems}
    return [sentence for sentence in dict.fromkeys(sentences) if sentence not in already]
