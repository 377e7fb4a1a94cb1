"""The one way an interface string reaches a person: looked up once for the whole run, in the person's language.

`gettext.gettext` searches the disk for a catalogue at every call; this keeps what the first search found.
"""

from __future__ import annotations

import gettext
from pathlib import Path

_catalogue = gettext.translation("memtui", Path(__file__).parent / "locale", fallback=True)


def _(message: str) -> str:
    """The message in the person's language, with its named placeholders still to be filled."""
    return _catalogue.gettext(message)


def ngettext(one: str, many: str, count: int) -> str:
    """The form of a message that fits `count`, as `_`."""
    return _catalogue.ngettext(one, many, count)
