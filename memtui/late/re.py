"""The standard library's `re`, with patterns that are compiled when something is first matched by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # for whoever checks types these are the real ones
    from re import ASCII as ASCII
    from re import DOTALL as DOTALL
    from re import IGNORECASE as IGNORECASE
    from re import MULTILINE as MULTILINE
    from re import VERBOSE as VERBOSE
    from re import Match as Match
    from re import Pattern as Pattern
    from re import compile as compile
    from re import escape as escape
    from re import findall as findall
    from re import finditer as finditer
    from re import fullmatch as fullmatch
    from re import match as match
    from re import search as search
    from re import split as split
    from re import sub as sub
else:
    from re import (
        ASCII,
        DOTALL,
        IGNORECASE,
        MULTILINE,
        VERBOSE,
        Match,
        Pattern,
        escape,
        findall,
        finditer,
        fullmatch,
        match,
        search,
        split,
        sub,
    )

    from memtui.late.making import LatePattern as compile

__all__ = ["ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE", "Match", "Pattern", "compile", "escape"]
__all__ += ["findall", "finditer", "fullmatch", "match", "search", "split", "sub"]
