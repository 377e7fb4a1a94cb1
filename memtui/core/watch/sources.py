"""Keeping the right directories watched: arming, re-arming, and knowing what can only be polled."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable

from memtui.core.watch.mounts import Mount, network_type
from memtui.core.watch.native import Native
from memtui.core.watch.roots import Identity, Root, Site, find_site, places
from memtui.i18n import _

_LIMITS = (errno.ENOSPC, errno.EMFILE, errno.ENFILE)
_GONE = (errno.ENOENT, errno.ENOTDIR)
_TRIES = 5
"""How often the disk may change under the arming before it is left for the next look."""


class Sources:
    """The watched directories of some roots. `on_sites` hears where the roots are before anything is watched.

    All methods are called by one thread.
    """

    def __init__(
        self,
        make_native: Callable[[], Native],
        read_mounts: Callable[[], tuple[Mount, ...]],
        on_sites: Callable[[tuple[Site, ...]], None],
    ) -> None:
        self._make_native, self._read_mounts, self._on_sites = make_native, read_mounts, on_sites
        self._native: Native | None = None
        self._armed: dict[str, tuple[bool, Identity | None]] = {}
        self._refused: dict[str, str] = {}
        self._limit = ""
        self._network: dict[Site, str] = {}
        self.sites: tuple[Site, ...] = ()

    def arm(self, roots: Iterable[Root]) -> bool:
        """Watch what can be watched of the roots on today's disk; whether any watch is new or went."""
        changed = False
        for _try in range(_TRIES):
            self._locate(roots)
            if not self._arm_once():
                break
            # what came between the look at the disk and the watch is seen by one more look
            changed = True
        return changed

    def _locate(self, roots: Iterable[Root]) -> None:
        sites = tuple(find_site(root) for root in roots)
        if sites == self.sites:
            return
        mounts = self._read_mounts()
        self._network = {site: network_type(site.place, mounts) for site in sites}
        self.sites = sites
        self._on_sites(sites)

    def _arm_once(self) -> bool:
        watchable = [] if self._limit else [site for site in self.sites if not self._why_not_watched(site)]
        wanted = places(watchable)
        changed = False
        for path in list(self._armed):
            native = self._native
            if native is None or self._armed[path] != wanted.get(path) or not native.is_watching(path):
                del self._armed[path]
                changed = True
                if native is not None:
                    native.forget(path)
        for path, (recursive, identity) in wanted.items():
            if path not in self._armed and not self._limit:
                changed = True
                self._watch(path, recursive, identity)
        if changed and not self._limit:
            self.check_room()
        return changed

    def _watch(self, path: str, recursive: bool, identity: Identity | None) -> None:
        try:
            if self._native is None:
                self._native = self._make_native()
            self._native.watch(path, recursive=recursive)
        except OSError as error:
            if error.errno in _LIMITS:
                self._give_up(_("inotify limit"))
            elif error.errno not in _GONE:
                self._refused[path] = error.strerror or str(error)
        except Exception as error:
            # a library that cannot be imported or does not work here must not cost the person the view
            self._refused[path] = str(error) or type(error).__name__
        else:
            self._armed[path] = (recursive, identity)

    def check_room(self) -> None:
        """Change to polling when directories below the watched ones may have got no watch."""
        if self._native is None:
            return
        try:
            self._native.check_room()
        except OSError as error:
            if error.errno in _LIMITS:
                self._give_up(_("inotify limit"))

    def try_again(self) -> None:
        """Forget what was refused: the next arming tries it once more."""
        self._refused.clear()
        self._limit = ""

    def _give_up(self, reason: str) -> None:
        self._limit = reason
        self.close()

    def _why_not_watched(self, site: Site) -> str:
        if kind := self._network.get(site, ""):
            return _("network file system ({type})").format(type=kind)
        if site.place_identity is not None and not site.place_identity[2]:
            return _("permission denied")
        return self._refused.get(site.place, "")

    def polled(self) -> dict[Root, str]:
        """The roots that events do not cover, each with the reason."""
        reasons = {site.root: self._limit or self._why_not_watched(site) for site in self.sites}
        return {root: reason for root, reason in reasons.items() if reason}

    def on_network(self, root: Root) -> bool:
        """Whether a root lies on a network file system."""
        return any(kind for site, kind in self._network.items() if site.root == root)

    def close(self) -> None:
        """End all watches and free what they hold."""
        native, self._native = self._native, None
        self._armed.clear()
        if native is not None:
            native.close()
