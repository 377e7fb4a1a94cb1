"""Following other programs: the watcher, looks at the stores, and what is news. Lives in the UI thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.crediting import Crediting

if TYPE_CHECKING:
    from textual.timer import Timer

    from memtui.core.watch import Root, WatchState
    from memtui.core.workspace import Workspace, Written
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look, Looker
    from memtui.ui.news import News, NewsBoard
    from memtui.ui.widgets.spans import Span

OnChange = Callable[[frozenset[Path]], None]


class Watching(Protocol):
    """What the app needs of a watcher."""

    @property
    def state(self) -> WatchState:
        """How changes are noticed now."""
        ...

    def start(self) -> None:
        """Begin; returns at once."""
        ...

    def set_roots(self, roots: Iterable[Root]) -> None:
        """Change what is watched."""
        ...

    def set_hot(self, paths: Iterable[Path]) -> None:
        """Name the files that are looked at most often."""
        ...

    def close(self) -> None:
        """End it."""
        ...


MakeWatcher = Callable[[Iterable["Root"], OnChange], Watching]


def make_watcher(roots: Iterable[Root], on_change: OnChange) -> Watching:
    """The real watcher; its thread imports what is heavy."""
    from memtui.core.watch import Watcher

    return Watcher(roots, on_change)


class FilesChanged(Message):
    """Something happened at these paths, or (none) the way of watching changed. From the watcher's thread."""

    def __init__(self, paths: frozenset[Path]) -> None:
        super().__init__()
        self.paths = paths


class Live:
    """Keeps what is on the screen in step with the disk."""

    def __init__(self, desk: Desk, make: MakeWatcher | None) -> None:
        self._desk = desk
        self._make = make
        self._watcher: Watching | None = None
        self._roots: tuple[Root, ...] = ()
        self._session_roots: tuple[Root, ...] = ()
        self._hot: tuple[Path, ...] = ()
        self._looker: Looker | None = None
        self._looking = False
        self._once_more = False
        self._board: NewsBoard | None = None
        self.sessions_changed: Callable[[frozenset[Path]], None] | None = None
        self.crediting = Crediting(desk)
        self._fades_after_s: float | None = None
        self._fading: Timer | None = None

    @property
    def news(self) -> NewsBoard:
        """What others changed."""
        if self._board is None:
            from memtui.ui.news import NewsBoard

            self._board = NewsBoard()
        return self._board

    @property
    def state(self) -> WatchState | None:
        """How changes are noticed; None while nothing is watched."""
        return None if self._watcher is None else self._watcher.state

    # Looking

    def look(
        self,
        workspace: Workspace,
        *,
        locate_again: bool = False,
        written: tuple[Written, ...] = (),
        only_if_changed: bool = False,
    ) -> Look | None:
        """See `Looker.look`. For jobs: runs on the work thread."""
        if self._looker is None:
            from memtui.ui.looking import Looker

            self._looker = Looker()
        return self._looker.look(
            *(workspace, self._desk.inspecting.findings),
            locate_again=locate_again,
            written=written,
            only_if_changed=only_if_changed,
        )

    def show_findings(self) -> None:
        """Show what a closer look found, where it is anything new."""
        looker, findings = self._looker, self._desk.inspecting.findings
        if looker is not None:
            self._desk.work.do(lambda workspace: looker.look_closer(workspace, findings), self.show)

    def look_again(self) -> None:
        """Read the stores, once more after a look that is under way, and show them if anything is different."""
        if self._looking:
            self._once_more = True
            return
        self._looking = True

        def job(workspace: Workspace) -> Look | None:
            return self.look(workspace, only_if_changed=True)

        self._desk.work.do(job, self._looked, failed=self._failed)

    def _looked(self, look: Look | None) -> None:
        self._looking = False
        if look is not None:
            self.show(look)
        else:
            self._look_when_faded()
        self._next()

    def _failed(self, error: MemtuiError) -> None:
        self._looking = False
        self._desk.say_error(error)
        self._next()

    def _next(self) -> None:
        if self._once_more:
            self._once_more = False
            self.look_again()

    def show(self, look: Look | None, *, goes_to_new: bool = False) -> None:
        """Show a look, and what is news of it; the cursor stays unless it is to go to a memory that is new."""
        if look is None:
            return
        if look.news is not None:
            self.news.add(look.news)
            if look.event is not None:
                self.crediting.told(look.news, look.event)
        self.news.keep_rows(look.view.items)
        self._desk.show_view(look.view, goes_to_new=goes_to_new)
        self._watch(look.roots, self._session_roots)
        self._desk.inspecting.inspect(look.read)
        self._desk.noticing.looked(look.view, look.read)
        self._desk.carrying.looked(look.read)
        self._fades_after_s = look.fades_after_s
        self._look_when_faded()

    def _look_when_faded(self) -> None:
        """While something is at work in the background, look whether it has ended without an event."""
        if self._fading is not None:
            self._fading.stop()
            self._fading = None
        if self._fades_after_s is not None:
            self._fading = self._desk.app.set_timer(self._fades_after_s + 1, self.look_again)

    def _cautions(self, about: str = "") -> tuple[str, ...]:
        view = self._desk.view
        if view is None or not view.stores:
            return ()
        number = view.store_of(about)
        return view.stores[self._desk.store_number if number is None else number].cautions

    def caution_rows(self, about: str) -> list[list[Span]]:
        """What to know before a change of a row's store (of the one under the cursor without a row), for a
        question."""
        return [[(row, "warn")] for said in self._cautions(about) for row in self._desk.wrapped(said)]

    def say_cautions(self) -> None:
        """Say it of the store under the cursor."""
        if said := self._cautions():
            self._desk.say(" · ".join(said), "warn")

    def tell(self, news: News) -> None:
        """Tell news that no look of this run showed."""
        self.news.add(news)
        view = self._desk.view
        if view is not None:
            self.news.keep_rows(view.items)
        self._desk.index.list.badges = self.news.badges
        self._desk.show_status()

    def credit(self, before: News, now: News, writers: Mapping[str, str]) -> None:
        """Say who made what was told `before`; `writers` are agents by row."""
        self.news.credit(before, now, writers)
        self._desk.index.list.badges = self.news.badges
        self._desk.show_status()

    def looked_at(self) -> None:
        """The person did something: what the cursor is on is no news any more."""
        if self._board is None or self._desk.view is None:
            return
        if self._board.looked_at(self._desk.index.list.cursor_id):
            self._desk.index.list.badges = self._board.badges
            self._desk.show_status()

    # Watching

    def watch_sessions(self, roots: tuple[Root, ...]) -> None:
        """Watch these directories of conversations too."""
        self._watch(self._roots, roots)

    def set_hot(self, paths: Iterable[Path]) -> None:
        """Name the conversations that may be growing."""
        self._hot = tuple(paths)
        if self._watcher is not None:
            self._watcher.set_hot(self._hot)

    def _watch(self, roots: tuple[Root, ...], session_roots: tuple[Root, ...]) -> None:
        if self._make is None:
            return
        self._roots, self._session_roots = roots, session_roots
        if self._watcher is not None:
            self._watcher.set_roots(roots + session_roots)
            return
        post = self._desk.app.post_message
        self._watcher = self._make(roots + session_roots, lambda paths: _posted(post(FilesChanged(paths))))
        self._watcher.set_hot(self._hot)
        self._watcher.start()

    def files_changed(self, paths: frozenset[Path]) -> None:
        """Look again at what may have changed."""
        self._desk.show_status()
        if any(_is_about(path, self._roots) for path in paths):
            self.look_again()
        sessions = frozenset(path for path in paths if _is_about(path, self._session_roots))
        if sessions and self.sessions_changed is not None:
            self.sessions_changed(sessions)
            self._desk.carrying.sessions_changed(sessions)

    def close(self) -> None:
        """Stop watching."""
        self.crediting.close()
        if self._watcher is not None:
            self._watcher.close()

    def state_words(self) -> tuple[str, str]:
        """How changes are noticed, in a word and in full; both '' while nothing is watched."""
        state = self.state
        if state is None:
            return "", ""
        short = {"live": _("live"), "polling": _("polling"), "off": _("not watching")}[state.kind]
        return short, state.text


def _is_about(path: Path, roots: tuple[Root, ...]) -> bool:
    for root in roots:
        if path == root.path or (
            path.is_relative_to(root.path) and root.covers(str(path.relative_to(root.path)))
        ):
            return True
    return False


def _posted(was: bool) -> None:
    """Nothing is to be done about a message that came after the end."""
