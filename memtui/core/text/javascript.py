"""JavaScript's idea of text, where it differs from Python's: what `trim` takes away, and how long a text is."""

from __future__ import annotations

JS_BLANKS = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim` takes away."""


def cut_units(text: str, most_units: int) -> str:
    """The text cut to so many UTF-16 units; a character is never split."""
    units = 0
    for position, char in enumerate(text):
        units += 2 if ord(char) > 0xFFFF else 1
        if units > most_units:
            return text[:position]
    return text
