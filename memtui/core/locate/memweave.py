"""memweave's store beside yandy's in `~/.pi/memory`: shown, never changed (memweave sheet 1 to 3)."""

from __future__ import annotations

from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Store
from memtui.core.layouts.events.profile import MEMWEAVE
from memtui.core.locate.json_config import read_json, value_at
from memtui.core.locate.pi_extensions import Extensions
from memtui.i18n import _

SIGNS = ("index.json", "rule.md", "setup")


def locate_memweave(env: Env, agent_dir: Path, extensions: Extensions) -> tuple[Store, ...]:
    """The store, where its files are there. Never raises."""
    root = env.home / ".pi" / "memory"
    has_tasks = _has_tasks(root)
    signs = _signs(root)
    if not has_tasks and not signs:
        return ()
    loaded = extensions.loads(MEMWEAVE.owner)
    reason = (
        _("tasks with a state.json below it")
        if has_tasks
        else _("{files} in it").format(files=", ".join(signs))
    )
    if not has_tasks and not loaded:
        reason = _("probably: {reason}").format(reason=reason)
    if not loaded:
        reason = _("{reason}; pi is not seen to load memweave here").format(reason=reason)
    warnings = []
    compaction = value_at(read_json(agent_dir / "settings.json").values, "compaction", "enabled")
    if compaction is False:
        sentence = _("automatic compaction is off in pi's settings for all projects, as memweave sets it")
        warnings.append(sentence)
    return (_store(root, reason, used=loaded, warnings=tuple(warnings)),)


def memweave_store_at(root: Path) -> Store:
    """memweave's directory opened by its path."""
    return _store(root, _("opened by path"), used=True, warnings=(), tier="path")


def looks_like_memweaves(root: Path) -> bool:
    """Whether a directory holds tasks of memweave, or is its usual place and holds other files of it."""
    return _has_tasks(root) or (root.parts[-2:] == (".pi", "memory") and bool(_signs(root)))


def _signs(root: Path) -> list[str]:
    return [name for name in SIGNS if fs.kind_of(root / name) is not None]


def _has_tasks(root: Path) -> bool:
    try:
        folders = [entry.name for entry in fs.list_dir(root) if entry.kind == "dir"]
    except OSError:
        return False
    for folder in folders:
        try:
            tasks = [entry.name for entry in fs.list_dir(root / folder / "tasks") if entry.kind == "dir"]
        except OSError:
            continue
        if any(fs.kind_of(root / folder / "tasks" / task / "state.json") is not None for task in tasks):
            return True
    return False


def _store(root: Path, reason: str, *, used: bool, warnings: tuple[str, ...], tier: str = "computed") -> Store:
    return Store(
        id="memweave:memory",
        root=root,
        profile=MEMWEAVE,
        exists=fs.is_dir(root),
        used=used,
        reason=reason,
        tier=tier,
        writable=False,
        read_by=MEMWEAVE.agents if used else (),
        warnings=warnings,
    )
