"""What differs between the generations of the topics layout, as data of a profile."""

from __future__ import annotations

from memtui.core.layouts.base import Profile
from memtui.core.layouts.dash_index import Form
from memtui.late.dataclasses import dataclass

TOPIC_TYPES = ("user", "feedback", "project", "reference")


@dataclass(frozen=True, slots=True)
class TopicRules:
    """The numbers of one line of versions, as its configuration may have changed them.

    `write_lines`, `write_bytes`: what the index may hold at an add. `hook_units`: UTF-16 units of a hook made
    of several titles. `surfaced_files`, `surfaced_topic_bytes`, `surfaced_bytes`: how many topics are shown by
    themselves, how much of one, and of all together. `considered_files`: so many files are looked at for it.
    `has_hooks` False: one index line an entry, without a hook (0.x). `nudge_hours`, `nudge_sessions`: what must
    have passed since the last dream before the next one is suggested.
    """

    write_lines: int = 200
    write_bytes: int = 25_600
    hook_units: int = 150
    surfaces: bool = True
    surfaced_files: int = 5
    surfaced_topic_bytes: int = 4_096
    surfaced_bytes: int = 20_480
    considered_files: int = 200
    has_hooks: bool = True
    nudge_hours: int = 24
    nudge_sessions: int = 5


def rules_of(profile: Profile) -> TopicRules:
    """The rules of a profile of this layout; the defaults where it names none."""
    return profile.rules if isinstance(profile.rules, TopicRules) else TopicRules()


def form_of(rules: TopicRules) -> Form:
    """How the owner reads a line of the index."""
    return "strict" if rules.has_hooks else "bare"
