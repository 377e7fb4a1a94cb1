"""Which stores and conversations belong to a working directory, which of them the agents use, and why.

Nothing is created or changed by looking. Every rule is the owner's own; what a program is not known to do is
reported instead of guessed.
"""

from __future__ import annotations

from dataclasses import replace

from memtui.core.config import Config
from memtui.core.env import Env
from memtui.core.layouts.base import Store
from memtui.core.locate.amaster import locate_amaster, locate_hermes
from memtui.core.locate.by_path import is_memory_dir, store_at
from memtui.core.locate.claude import locate_claude
from memtui.core.locate.located import Located, TranscriptRoot
from memtui.core.locate.memweave import locate_memweave
from memtui.core.locate.pi_agent import locate_pi
from memtui.core.locate.pi_extensions import WITH_MEMORY_COMMAND, find_extensions
from memtui.core.locate.yandy import locate_yandy
from memtui.core.locate.zcode import locate_zcode

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
