"""Which stores and conversations belong to a working directory, which of them the agents use, and why.

Nothing is created or changed by looking. Every rule is the owner's own; what a program is not known to do is
reported instead of guessed.
"""

from __future__ import annotations

from pathlib import Path

from memtui.core import fs
from memtui.core.config import Config
from memtui.core.env import Env
from memtui.core.layouts.base import Store
from memtui.core.locate.amaster import locate_amaster, locate_hermes
from memtui.core.locate.by_path import is_memory_dir, store_at
from memtui.core.locate.claude import NAME_LENGTH, locate_claude
from memtui.core.locate.located import Located, TranscriptRoot
from memtui.core.locate.memweave import locate_memweave
from memtui.core.locate.pi_agent import locate_pi
from memtui.core.locate.pi_extensions import WITH_MEMORY_COMMAND, Extensions, find_extensions
from memtui.core.locate.yandy import locate_yandy
from memtui.core.locate.zcode import locate_zcode
from memtui.i18n import _
from memtui.late.dataclasses import replace

__all__ = ["Located", "TranscriptRoot", "is_memory_dir", "locate", "store_at"]


def locate(env: Env, config: Config) -> Located:
    """Every candidate store of `env.cwd` and the folders of its conversations. Never raises on content."""
    pi = locate_pi(env)
    zcode_stores, zcode_warnings = locate_zcode(env, pi.agent_dir)
    extensions = find_extensions(env, pi.agent_dir)
    yandy_stores, yandy_warnings = locate_yandy(env, pi.agent_dir, pi.sessions.directory, extensions)
    others = (
        *yandy_stores,
        *locate_amaster(env, extensions),
        *locate_memweave(env, pi.agent_dir, extensions),
        *locate_hermes(env),
    )
    claude_stores, claude_transcripts, claude_warnings = locate_claude(env)
    zcode_stores, claude_stores = _of_who_is_here(env, extensions, zcode_stores, others, claude_stores)
    clash = (extensions.clash,) if extensions.clash else ()
    warnings = (
        *config.warnings,
        *pi.warnings,
        *clash,
        *zcode_warnings,
        *yandy_warnings,
        *claude_warnings,
        *(sentence for store in others for code, sentence in store.findings if code == "bad-config"),
    )
    return Located(
        cwd=env.cwd,
        stores=_with_clash(zcode_stores + others, extensions.clash) + claude_stores,
        transcripts=pi.transcripts() + claude_transcripts,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _with_clash(stores: tuple[Store, ...], clash: str) -> tuple[Store, ...]:
    """The stores, the first used one of pi's extensions with a finding where two of them claim a command."""
    first = next((store for store in stores if store.used and store.owner in WITH_MEMORY_COMMAND), None)
    if not clash or first is None:
        return stores
    told = replace(
        first, warnings=(*first.warnings, clash), findings=(*first.findings, ("command-clash", clash))
    )
    return tuple(told if store is first else store for store in stores)


def _of_who_is_here(
    env: Env,
    extensions: Extensions,
    zcode: tuple[Store, ...],
    others: tuple[Store, ...],
    claude: tuple[Store, ...],
) -> tuple[tuple[Store, ...], tuple[Store, ...]]:
    """ZCode's and Claude's stores; where nothing of ZCode is on this machine, the place that it would take is
    not used, and Claude's own is, be it there yet or not."""
    is_here = (
        fs.is_dir(env.home / ".zcode")
        or extensions.loads("zcode")
        or any(store.exists or store.tier == "config" for store in zcode)
    )
    has_claude = fs.is_dir(Path(env.get("CLAUDE_CONFIG_DIR") or env.home / ".claude") / "projects")
    if is_here or not (has_claude or any(store.used for store in (*others, *claude))):
        return zcode, claude
    reason = _("{reason}; nothing of ZCode is on this machine")
    zcode = tuple(
        replace(store, used=False, reason=reason.format(reason=store.reason)) if store.used else store
        for store in zcode
    )
    if not has_claude or any(store.used for store in claude) or not claude:
        return zcode, claude
    if claude[0].tier != "none" or len(claude[0].root.parent.name) >= NAME_LENGTH:
        # it is named by a setting and not there; or how Claude Code would end so long a name is not known
        return zcode, claude
    return zcode, (replace(claude[0], used=True), *claude[1:])
