"""memtui: what a coding agent remembers, in a terminal beside it."""

__version__ = "0.1.0"
