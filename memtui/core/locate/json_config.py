"""Other programs' JSON settings, read leniently and never written: a bad file is empty, with one sentence.

Sources: pi accepts a byte-order mark and no comments (pi-and-zcode sheet A1); pi-zcode-memory falls back to
its defaults when a file does not parse (its README).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NoReturn

from memtui.core import fs
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, field

_LIMIT_BYTES = 1 << 22

State = Literal["missing", "ok", "broken"]


@dataclass(frozen=True, slots=True)
class JsonFile:
    """One settings file: `values` is empty unless the state is `ok`; `warning` says why it is `broken`."""

    path: Path
    state: State
    values: Mapping[str, Any] = field(default_factory=dict)
    warning: str = ""


def read_json(path: Path) -> JsonFile:
    """Read one file; symlinks are followed, as the programs do. Never raises."""
    if fs.kind_of(path) is None:
        return JsonFile(path, "missing")
    try:
        data = fs.read_file(fs.real_path(path), limit_bytes=_LIMIT_BYTES).data
    except FileNotFoundError:
        return JsonFile(path, "missing")
    except (OSError, ValueError) as error:
        return _broken(path, getattr(error, "strerror", None) or str(error))
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    try:
        values = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        reason = _("no JSON at line {line}, column {column}")
        return _broken(path, reason.format(line=error.lineno, column=error.colno))
    except (ValueError, RecursionError) as error:
        return _broken(path, str(error) or type(error).__name__)
    if not isinstance(values, dict):
        return _broken(path, _("it is not an object"))
    return JsonFile(path, "ok", values)


def deep_merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Objects are merged key by key; of everything else `over` wins whole."""
    merged = dict(base)
    for name, value in over.items():
        below = merged.get(name)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            merged[name] = deep_merge(below, value)
        else:
            merged[name] = value
    return merged


def value_at(values: Mapping[str, Any], *names: str) -> Any:
    """The value at a path of names, None where there is none."""
    current: Any = values
    for name in names:
        if not isinstance(current, Mapping):
            return None
        current = current.get(name)
    return current


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _broken(path: Path, reason: str) -> JsonFile:
    warning = _("{path} cannot be read ({reason}): it counts as empty").format(path=path, reason=reason)
    return JsonFile(path, "broken", {}, warning)
