"""Which stores and conversations belong to a working directory, which of them the agents use, and why.

Nothing is created or changed by looking. Every rule is the owner's own; what a program is not known to do is
reported instead of guessed.
"""

from __future__ import annotations

from memtui.core.config import Config
from memtui.core.env import Env
from memtui.core.locate.by_path import is_memory_dir, store_at
from memtui.core.locate.claude import locate_claude
from memtui.core.locate.located import Located, TranscriptRoot
from memtui.core.locate.pi_agent import locate_pi
from memtui.core.locate.zcode import locate_zcode

__all__ = ["Located", "TranscriptRoot", "is_memory_dir", "locate", "store_at"]


def locate(env: Env, config: Config) -> Located:
    """Every candidate store of `env.cwd` and the folders of its conversations. Never raises on content."""
    pi = locate_pi(env)
    zcode_stores, zcode_warnings = locate_zcode(env, pi.agent_dir)
    claude_stores, claude_transcripts, claude_warnings = locate_claude(env)
    warnings = (*config.warnings, *pi.warnings, *zcode_warnings, *claude_warnings)
    return Located(
        cwd=env.cwd,
        stores=zcode_stores + claude_stores,
        transcripts=pi.transcripts() + claude_transcripts,
        warnings=tuple(dict.fromkeys(warnings)),
    )
