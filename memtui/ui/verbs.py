"""What the keys do to a memory: asking, handing the edit to the work thread, saying what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.core.errors import ConflictError, MemtuiError
from memtui.i18n import _
from memtui.ui.asking import most_telling, what_goes, why_not_index
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look
    from memtui.ui.view import Item

YES = Choice("y", _("yes"), is_change=True)
NO = Choice("n", _("no"))


class Verbs:
    """One method a verb; each is called in the UI thread and returns at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # Taking away, and back

    def delete(self) -> None:
        """Ask, naming the file and its index lines; `y` does it."""
        item = self._changeable("delete")
        if item is None:
            return
        snapshot = self._snapshot(item)
        what = what_goes(item, snapshot.store.profile.index_name)
        question = _("Delete {what}?").format(what=what)
        if snapshot.store.shared_by:
            question = _("Delete {what}, also for {projects}?").format(
                what=what, projects=self._others(snapshot)
            )

        def answered(key: str) -> None:
            if key == "y":
                from memtui.core.layouts.base import Remove

                self._change(snapshot, "delete", (Remove(item.memory.id),))

        hint = _("(u brings it back)")
        self._desk.ask_bar.ask(question, (YES, NO), answered, opener="d", hint=hint, about=item.row_id)

    def _others(self, snapshot: Snapshot) -> str:
        from memtui.ui import wording

        home = self._desk.app.env.home
        return ", ".join(wording.sentence(project, home) for project in snapshot.store.shared_by)

    def undo(self) -> None:
        """Take the last change back."""
        self._do(lambda workspace: workspace.undo(), hint=_("ctrl+r does it again"))

    def redo(self) -> None:
        """Make the change undone last again."""
        self._do(lambda workspace: workspace.redo())

    # Fields

    def type(self) -> None:
        """Ask for the type by its first letter."""
        item = self._changeable("type")
        if item is None:
            return
        snapshot = self._snapshot(item)
        types = snapshot.store.profile.types
        words = {word[0]: word for word in types}
        choices = [Choice(letter, word, is_change=True) for letter, word in words.items()]

        def answered(key: str) -> None:
            if key:
                self._set(snapshot, item, "type", words[key])

        question = _("Type of {title}?").format(title=item.title)
        self._desk.ask_bar.ask(question, choices, answered, opener="t", about=item.row_id)

    def line(self) -> None:
        """Change its one line: the description, or the hook where that says something else."""
        item = self._changeable("description")
        if item is None:
            return
        snapshot, memory = self._snapshot(item), item.memory
        is_hook = bool(memory.hook) and memory.hook != memory.description
        field, now = ("hook", memory.hook or "") if is_hook else ("description", memory.description)
        label = _("index line") if is_hook else _("description")
        self._type_over(item, label, now, lambda text: self._set(snapshot, item, field, text))

    def rename(self) -> None:
        """Change its name: the file's, and what names it."""
        item = self._changeable("rename")
        if item is None:
            return
        snapshot = self._snapshot(item)
        name = item.memory.file.rsplit("/", 1)[-1].removesuffix(".md")

        def rename(text: str) -> None:
            from memtui.core.layouts.base import Rename

            self._change(snapshot, "rename", (Rename(item.memory.id, text),))

        self._type_over(item, _("name"), name, rename)

    def add(self) -> None:
        """Ask for a title and one line about it, then make it."""
        desk = self._desk
        if desk.store is None:
            desk.say(_("no store is used here; w shows them all"), "warn")
            return
        snapshot = desk.store.snapshot
        why_not = why_not_index(snapshot)
        if why_not:
            desk.say(why_not, "warn")
            return

        def titled(title: str | None) -> None:
            if title is not None and title.strip():
                described = self._described(snapshot, title.strip())
                desk.line_input.ask(_("about {title}").format(title=title.strip()), described)

        several = desk.view is not None and len(desk.view.stores) > 1
        label = _("title, in {store}").format(store=desk.store.name) if several else _("title")
        desk.line_input.ask(label, titled)

    def _described(self, snapshot: Snapshot, title: str) -> Callable[[str | None], None]:
        def described(text: str | None) -> None:
            if text is not None:
                from memtui.core.layouts.base import Add

                self._change(snapshot, "add", (Add(title, text.strip()),))

        return described

    def _type_over(self, item: Item, label: str, now: str, then: Callable[[str], None]) -> None:
        from memtui.core.safety import display

        if display.line(now) != now.replace("\ufe0f", ""):
            self._desk.say(_("it holds characters that one line cannot show; e edits it"), "warn")
            return

        def typed(text: str | None) -> None:
            if text is not None and text != now:
                then(text)

        self._desk.line_input.ask(label, typed, value=now)

    def _set(self, snapshot: Snapshot, item: Item, field: Any, value: str) -> None:
        from memtui.core.layouts.base import SetField

        self._change(snapshot, "set", (SetField(item.memory.id, field, value),))

    # In the editor

    def edit(self) -> None:
        """Edit the text in the person's editor."""
        item = self._changeable("edit")
        if item is None:
            return
        snapshot = self._snapshot(item)

        def text_of(workspace: Workspace) -> bytes | None:
            text = workspace.text(snapshot, item.memory.id)
            return None if text is None else text.text

        def edit_of(data: bytes, base: bytes) -> Edit:
            from memtui.core.layouts.base import SetText

            return SetText(item.memory.id, data, base=base)

        self._edit(snapshot, item.memory.file, text_of, edit_of, self._desk.topic.text.top_line)

    def edit_index(self) -> None:
        """Edit the index in the person's editor."""
        store = self._desk.store
        if store is None:
            return
        snapshot = store.snapshot
        why_not = why_not_index(snapshot)
        if why_not:
            self._desk.say(why_not, "warn")
            return
        name = snapshot.store.profile.index_name

        def text_of(workspace: Workspace) -> bytes | None:
            file = snapshot.files.get(name)
            return b"" if file is None else file.data

        def edit_of(data: bytes, base: bytes) -> Edit:
            from memtui.core.layouts.base import SetIndex

            return SetIndex(data, base=base)

        self._edit(snapshot, name, text_of, edit_of, 1)

    def _edit(
        self,
        snapshot: Snapshot,
        name: str,
        text_of: Callable[[Workspace], bytes | None],
        edit_of: Callable[[bytes, bytes], Edit],
        line: int,
    ) -> None:
        desk = self._desk

        def prepare(workspace: Workspace) -> tuple[Path, bytes, list[str]] | None:
            from memtui.ui.editor import editor_command

            words = editor_command(workspace.env, workspace.config.editor)
            base = text_of(workspace)
            return None if base is None else (workspace.start_draft(name, base), base, words)

        def prepared(found: tuple[Path, bytes, list[str]] | None) -> None:
            if found is None:
                from memtui.core.safety import display

                desk.say(_("{file} has no text that can be edited").format(file=display.line(name)), "warn")
                return
            path, base, words = found
            problem = desk.run_editor(words, path, line)

            def read(data: bytes) -> None:
                if data == base:
                    desk.work.do(lambda workspace: workspace.drop_draft(path), _nothing)
                    desk.say(problem or _("nothing was changed"), "warn" if problem else "")
                elif problem:
                    kept = _("{problem}; your text is kept in {path}").format(problem=problem, path=path)
                    desk.say(kept, "warn")
                else:
                    self._change(snapshot, "set", (edit_of(data, base),), draft=path)

            desk.work.do(lambda workspace: workspace.read_draft(path), read, failed=self._failed)

        desk.work.do(prepare, prepared, failed=self._failed)

    # Doing it

    def _change(
        self,
        snapshot: Snapshot,
        verb: str,
        edits: tuple[Edit, ...],
        *,
        draft: Path | None = None,
        look_again: bool = False,
    ) -> None:
        """Run edits on what the person saw when they began, or on what is there now with `look_again`."""

        def job(workspace: Workspace) -> Outcome:
            seen = workspace.scan(snapshot.store) if look_again else snapshot
            outcome = workspace.run(seen, verb, edits)
            if draft is not None:
                workspace.drop_draft(draft)
            return outcome

        def failed(error: MemtuiError) -> None:
            if isinstance(error, ConflictError):
                self._conflict(error, snapshot, verb, edits, draft)
            else:
                self._failed(error, draft)

        self._do(job, failed)

    def _do(
        self,
        job: Callable[[Workspace], Outcome],
        failed: Callable[[MemtuiError], None] | None = None,
        hint: str = "",
    ) -> None:
        def change_and_look(workspace: Workspace) -> tuple[Outcome, Look | None]:
            outcome = job(workspace)
            return outcome, self._desk.live.look(workspace, written=outcome.written)

        def done(found: tuple[Outcome, Look | None]) -> None:
            outcome, look = found
            self._desk.live.show(look, goes_to_new=True)
            if outcome.change is not None and outcome.change.verb in ("undo", "redo"):
                # it may have been a session that was named or trashed
                self._desk.searching.again()
            self.say_outcome(outcome, hint or _("u undoes"))

        self._desk.work.do(change_and_look, done, failed=failed or self._failed, is_change=True)

    def say_outcome(self, outcome: Outcome, hint: str) -> None:
        """Say what was changed, with its notes."""
        from memtui.core.safety import display

        summary = (
            _("nothing had to be changed") if outcome.change is None else display.line(outcome.change.summary)
        )
        notes = [display.line(note) for note in outcome.notes]
        hints = [] if outcome.change is None else [hint]
        self._desk.say(" · ".join([summary, *notes, *hints]), "warn" if notes else "good")

    def _failed(self, error: MemtuiError, draft: Path | None = None) -> None:
        from memtui.core.safety import display

        text = display.line(error.message)
        if draft is not None:
            text += " · " + _("your text is kept in {path}").format(path=display.line(str(draft)))
        self._desk.say(text, "muted" if error.exit_status == 1 else "error")
        self._desk.reload()

    def _conflict(
        self, error: ConflictError, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...], draft: Path | None
    ) -> None:
        from memtui.core.layouts.base import SetIndex, SetText
        from memtui.core.safety import display

        sides = [(_("theirs"), line) for line in most_telling(error.theirs)]
        sides += [(_("yours"), line) for line in most_telling(error.yours)]
        details = [[(side.ljust(8), "label"), (display.line(line), "")] for side, line in sides]
        # What stands there now goes into the history before it is replaced.
        insisting = tuple(
            dataclasses.replace(edit, insists=True) if isinstance(edit, SetText | SetIndex) else edit
            for edit in edits
        )

        def answered(key: str) -> None:
            if key == "y":
                self._change(snapshot, verb, insisting, draft=draft, look_again=True)
            else:
                self._failed(error, draft)

        onto = Choice("y", _("yours on top of theirs"), is_change=True)
        choices = (onto, Choice("h", _("leave it")))
        about = getattr(edits[0], "memory_id", "")
        told = _("{file} or its index line was changed by another program meanwhile").format(file=about)
        what = display.line(told if about and not details else error.message)
        question = _("{what}; nothing was written").format(what=what)
        hint = _("(u brings theirs back)")
        about = self._row_of(snapshot, edits)
        self._desk.ask_bar.ask(question, choices, answered, details=details, hint=hint, about=about)
        # what the other program did may have made the question void
        self._desk.live.look_again()

    def _row_of(self, snapshot: Snapshot, edits: tuple[Edit, ...]) -> str:
        view = self._desk.view
        ids = {getattr(edit, "memory_id", None) for edit in edits}
        rows = (
            item.row_id
            for item in (view.items.values() if view is not None else ())
            if item.memory.id in ids and self._snapshot(item).store.id == snapshot.store.id
        )
        return next(rows, "")

    # What may be done

    def _changeable(self, verb: str) -> Item | None:
        item = self._desk.item
        if item is None:
            self._desk.say(_("there is no memory under the cursor"), "muted")
            return None
        why_not = item.memory.why_not.get(verb)
        if why_not:
            from memtui.core.safety import display

            why = _("{file}: {reason}").format(file=item.file, reason=display.line(why_not))
            self._desk.say(why, "warn")
            return None
        return item

    def _snapshot(self, item: Item) -> Snapshot:
        view = self._desk.view
        assert view is not None
        return view.stores[item.store].snapshot


def _nothing(result: object) -> None:
    """Nobody waits for this."""
