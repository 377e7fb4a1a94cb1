"""What memtui itself remembers of a person from run to run: keys they know, orders, theme, where they were.

One JSON file in memtui's state folder, private to the person. It is a comfort, never a need: whatever cannot
be read means the defaults, and of two memtuis the last one to write wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from memtui.core.env import Env
from memtui.late.dataclasses import asdict, dataclass, field

T = TypeVar("T")

FILE_NAME = "remembered.json"
_LIMIT_BYTES = 1 << 18
_MOST_NAMES = 500
"""Entries of a table that are kept, the newest ones."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is remembered.

    `used` counts how often a command was used, by its id; `order` and `session_order` are the orders of the
    lists, `theme` a theme's name ('' = the default each); `rendered` says that texts are shown rendered;
    `places` are the rows that the cursor was on, by what was shown.
    """

    used: Mapping[str, int] = field(default_factory=dict)
    order: str = ""
    session_order: str = ""
    theme: str = ""
    rendered: bool = False
    places: Mapping[str, str] = field(default_factory=dict)


def load_remembered(env: Env) -> Remembered:
    """What was saved last; the defaults for what is missing, of the wrong kind or unknown. Never raises."""
    path = _path(env)
    try:
        # where nothing was remembered yet, the first frame need not wait for the imports
        if not path.exists():
            return Remembered()
        import json

        from memtui.core import fs

        values = json.loads(fs.read_file(path, limit_bytes=_LIMIT_BYTES).data)
    except (OSError, ValueError, RecursionError):
        return Remembered()
    if not isinstance(values, dict):
        return Remembered()
    default = Remembered()
    return Remembered(
        used=_table(values.get("used"), int),
        order=_value(values, "order", default.order),
        session_order=_value(values, "session_order", default.session_order),
        theme=_value(values, "theme", default.theme),
        rendered=_value(values, "rendered", default.rendered),
        places=_table(values.get("places"), str),
    )


def save_remembered(env: Env, remembered: Remembered) -> None:
    """Write it, whole or not at all. Raises OSError; TimeoutError while another memtui holds the lock."""
    import json

    from memtui.core import fs

    fs.make_dirs(env.state_dir, mode=0o700)
    path = _path(env)
    unfinished = path.with_name(FILE_NAME + ".tmp")
    data = json.dumps(asdict(remembered), indent=1).encode("ascii")
    with fs.locked(path.with_name("remembered.lock")):
        # one that was killed left it
        fs.unlink(unfinished, missing_ok=True)
        fs.write_new(unfinished, data)
        fs.replace(unfinished, path)


def _path(env: Env) -> Path:
    return env.state_dir / FILE_NAME


def _value(values: Mapping[str, Any], name: str, default: T) -> T:
    value = values.get(name)
    return value if type(value) is type(default) else default


def _table(value: object, kind: type[T]) -> dict[str, T]:
    if not isinstance(value, dict):
        return {}
    kept = [(name, entry) for name, entry in value.items() if type(entry) is kind]
    return dict(kept[-_MOST_NAMES:])
