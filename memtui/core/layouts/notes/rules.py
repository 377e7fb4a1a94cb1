"""What differs between the versions of the notes layout, as data of a profile."""

from __future__ import annotations

from memtui.core.layouts.base import Profile
from memtui.late.dataclasses import dataclass

NOTE_TYPES = ("user", "feedback", "project", "reference")


@dataclass(frozen=True, slots=True)
class NoteRules:
    """The numbers of pi-memory 2.x, as its configuration may have changed them.

    `write_lines`, `write_bytes`: above them the owner still writes, and warns. `description_units`: UTF-16
    units of a description that it makes itself.
    """

    write_lines: int = 200
    write_bytes: int = 25_600
    description_units: int = 200


def rules_of(profile: Profile) -> NoteRules:
    """The rules of a profile of this layout; the defaults where it names none."""
    return profile.rules if isinstance(profile.rules, NoteRules) else NoteRules()
