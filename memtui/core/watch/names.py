"""Names that come and go while another name is saved; an event about one of them wakes nobody."""

from __future__ import annotations

from memtui.late import re

_PASSING = re.compile(
    r"""
      \..*\.tmp            # ours (.memtui-*.tmp), .mem_*.tmp of other memory tools, .a.md.tmp
    | \..*\.sw[a-z]        # swap files of vim and nano
    | 4913                 # the name with which vim tries whether it may create files
    | .*~                  # backups
    | \.\#.* | \#.*\#      # locks and autosaves of Emacs
    | \..*\.kate-swp
    | \.goutputstream-.*   # GLib's temp names
    | .*___jb_(?:tmp|old)___
    """,
    re.VERBOSE | re.DOTALL,
)


def is_passing(name: str) -> bool:
    """Whether `name` (without its directory) is a temp, swap or backup name and never a memory or session."""
    return _PASSING.fullmatch(name) is not None
