"""What the watcher's thread does, one turn at a time: arm, look, sweep, announce. Nothing here waits."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from memtui.core.watch.mounts import Mount
from memtui.core.watch.native import NativeFactory
from memtui.core.watch.pending import Pending
from memtui.core.watch.roots import Root, Site, below_of
from memtui.core.watch.signatures import Signature, differences, is_dir, signature, sweep, sweep_below
from memtui.core.watch.sources import Sources
from memtui.core.watch.times import LIVE, Pacer, Times, WatchState
from memtui.i18n import _

MOST_PATHS = 1000
"""More changed paths than this are announced as their roots."""

SWEEP_SHARE = 10
"""A polling sweep that takes t seconds is repeated after at least this many times t."""

OnChange = Callable[[frozenset[Path]], None]


class Rounds:
    """All that a `Watcher` knows. `turn` belongs to one thread; `set_roots`, `set_hot` and the functions that
    a source of events calls may come from any.
    """

    def __init__(
        self,
        on_change: OnChange,
        *,
        pacer: Pacer,
        times: Times,
        make_native: NativeFactory,
        read_mounts: Callable[[], tuple[Mount, ...]],
        goes_on: Callable[[], bool],
    ) -> None:
        self._on_change, self._pacer, self._times, self._goes_on = on_change, pacer, times, goes_on
        self._pending = Pending(pacer.now, times)
        self._sources = Sources(lambda: make_native(self.hear, self.hear_of_loss), read_mounts, self._sites_are)
        self._roots: tuple[Root, ...] = ()
        self._hot: tuple[str, ...] = ()
        self._sites: tuple[Site, ...] = ()
        self._arm_now, self._sweep_now = threading.Event(), threading.Event()
        self._arm_now.set()
        self._known: dict[Root, Site] = {}
        self._seen: dict[Root, dict[str, Signature]] = {}
        self._hot_seen: dict[str, Signature | None] = {}
        self._look_s = self._poll_s = float("-inf")
        self._sweep_s = pacer.now() + times.sweep_s
        self._poll_cost_s = 0.0
        self.state = WatchState("off", _("starting"))
        self.last_error: Exception | None = None

    # From any thread

    def set_roots(self, roots: Iterable[Root]) -> None:
        """What is to be watched from now on."""
        roots = tuple(dict.fromkeys(roots))
        if roots != self._roots:
            self._roots = roots
            self._arm_now.set()
            self._pacer.wake()

    def set_hot(self, paths: Iterable[Path]) -> None:
        """The files that are looked at every few seconds."""
        self._hot = tuple(dict.fromkeys(map(str, paths)))

    def hear(self, paths: tuple[str, ...]) -> None:
        """Take in an event about some real paths."""
        sites = self._sites
        about = [meaning for path in paths for site in sites if (meaning := site.meaning(path)) is not None]
        if any(site.leads_here(path) for path in paths for site in sites) and not self._arm_now.is_set():
            self._arm_now.set()
            self._pacer.wake()
        if about and self._pending.add(about):
            self._pacer.wake()

    def hear_of_loss(self) -> None:
        """Take in that events were lost: everything is swept."""
        self._sweep_now.set()
        self._pacer.wake()

    # By the one thread

    def turn(self) -> float:
        """Do what is due; returns the seconds until something else will be."""
        now = self._pacer.now()
        looks = now >= self._look_s
        if now >= self._sweep_s:
            self._sources.try_again()
            self._arm_now.set()
            self._sweep_now.set()
            self._sources.check_room()
        if looks or self._arm_now.is_set():
            self._arm()
        if looks:
            self._look_at_hot()
            self._look_s = now + self._times.look_s
        polled = self._sources.polled()
        if self._sweep_now.is_set():
            self._sweep_now.clear()
            self._sweep_s, self._poll_s = now + self._times.sweep_s, now + self._every_s(polled)
            self._sweep(self._roots)
        elif polled and now >= self._poll_s:
            began = self._pacer.now()
            self._sweep(polled)
            self._poll_cost_s = self._pacer.now() - began
            self._poll_s = now + self._every_s(polled)
        self._say(polled)
        self._announce()
        return self._until_next(bool(polled))

    def close(self) -> None:
        """End all watches."""
        self._sources.close()

    def _until_next(self, polls: bool) -> float:
        moments = [self._look_s, self._sweep_s]
        if polls:
            moments.append(self._poll_s)
        if (due := self._pending.due_s()) is not None:
            moments.append(due)
        if self._arm_now.is_set() or self._sweep_now.is_set():
            return 0.0
        # to the next whole millisecond: what is due a rounding error later would be asked for again and again
        return (math.floor(max(min(moments) - self._pacer.now(), 0.0) * 1000) + 1) / 1000

    def _sites_are(self, sites: tuple[Site, ...]) -> None:
        self._sites = sites

    def _arm(self) -> None:
        # cleared before the look at the disk: what happens during it is looked at again
        self._arm_now.clear()
        rearmed = self._sources.arm(self._roots)
        known, self._known = self._known, {site.root: site for site in self._sources.sites}
        for root in self._seen.keys() - self._known.keys():
            del self._seen[root]
        for root, site in self._known.items():
            before = known.get(root)
            if before is None or (before.real, before.identity) != (site.real, site.identity):
                # nobody saw what happened there until now, so all of it is to be looked at
                self._record(root)
                self._pending.add([str(root.path)])
            elif rearmed:
                self._sweep_now.set()

    def _record(self, root: Root) -> set[str]:
        before, after = self._seen.get(root), sweep(root, self._goes_on)
        if after is None:
            return set()
        self._seen[root] = after
        return set() if before is None else differences(before, after)

    def _sweep(self, roots: Iterable[Root]) -> None:
        if changed := {path for root in roots for path in self._record(root)}:
            self._pending.add(changed)

    def _look_at_hot(self) -> None:
        hot = self._hot
        seen = {path: self._hot_seen[path] if path in self._hot_seen else self._recorded(path) for path in hot}
        now = {path: signature(path) for path in hot}
        self._hot_seen = now
        if changed := [path for path in hot if now[path] != seen[path]]:
            self._pending.add(changed)

    def _recorded(self, path: str) -> Signature | None:
        for seen in self._seen.values():
            if path in seen:
                return seen[path]
        return signature(path)

    def _every_s(self, polled: dict[Root, str]) -> float:
        slow = any(self._sources.on_network(root) for root in polled)
        base = self._times.network_poll_s if slow else self._times.poll_s
        wanted = self._poll_cost_s * SWEEP_SHARE
        return base if wanted <= base else min(float(math.ceil(wanted)), self._times.sweep_s)

    def _say(self, polled: dict[Root, str]) -> None:
        reason = next(iter(polled.values()), "")
        state = WatchState("polling", reason, self._every_s(polled)) if polled else LIVE
        if state != self.state:
            self.state = state
            self._pending.add(())

    def _announce(self) -> None:
        paths = self._pending.take() if self._goes_on() else None
        if paths is None:
            return
        if len(paths) > MOST_PATHS:
            about = (root for root in self._roots if any(_is_about(path, root) for path in paths))
            paths = frozenset(str(root.path) for root in about)
        self._refresh(paths)
        try:
            self._on_change(frozenset(map(Path, paths)))
        except Exception as error:
            # the receiver's mistake must not end the watching
            self.last_error = error

    def _refresh(self, paths: frozenset[str]) -> None:
        """Take the signatures of what is announced, before it is, so that no sweep announces it again."""
        for path in paths:
            of = signature(path)
            if path in self._hot_seen:
                self._hot_seen[path] = of
            for root, seen in self._seen.items():
                if path == str(root.path) or not _is_about(path, root):
                    continue
                before = seen.pop(path, None)
                if before is not None and is_dir(before):
                    for below in [known for known in seen if below_of(path, known) is not None]:
                        del seen[below]
                if of is not None:
                    seen[path] = of
                if of is not None and is_dir(of) and root.goes_down:
                    seen.update(sweep_below(path, root, self._goes_on) or {})
        for root in self._roots:
            if str(root.path) in paths:
                self._record(root)


def _is_about(path: str, root: Root) -> bool:
    below = below_of(str(root.path), path)
    return path == str(root.path) or (below is not None and root.covers(below))
