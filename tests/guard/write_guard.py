"""An audit hook that stops a test from writing outside its own directories or looking below the real HOME.

Installed once a process: by conftest in the test process, by `sitecustomize` (found through PYTHONPATH) in
Python children. A violation raises where it happens and is also written down, because the code under test
may swallow what is raised: the test fails at its end either way.

Rules travel to children as JSON in the variable `RULES_VARIABLE`:
`writable` directories, `forbidden` ones (the real HOME), `readable` exceptions from those, and the `report`
file that violations are appended to.
"""

from __future__ import annotations

import json
import os
import site
import sys
from dataclasses import dataclass, field
from pathlib import Path

RULES_VARIABLE = "MEMTUI_TEST_GUARD"

_DEVICES = ("/dev/null", "/dev/tty", "/dev/ptmx", "/dev/pts/", "/dev/fd/", "/proc/self/fd/")
_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
# event -> positions of its path arguments, each with the position of its directory descriptor or None;
# whether the name itself changes (then a symlink at its end is not followed)
_CHANGES: dict[str, tuple[tuple[tuple[int, int | None], ...], bool]] = {
    "os.rename": (((0, 2), (1, 3)), True),
    "os.remove": (((0, 1),), True),
    "os.rmdir": (((0, 1),), True),
    "os.mkdir": (((0, 2),), True),
    "os.link": (((1, 3),), True),
    "os.symlink": (((1, 2),), True),
    "os.chmod": (((0, 2),), False),
    "os.chown": (((0, 3),), False),
    "os.utime": (((0, 3),), False),
    "os.truncate": (((0, None),), False),
    "os.setxattr": (((0, None),), False),
    "os.removexattr": (((0, None),), False),
}
_LOOKS = ("os.listdir", "os.scandir", "sqlite3.connect")


class OutsideError(RuntimeError):
    """A test touched what it may not touch."""


@dataclass
class Guard:
    """The rules of this process and what broke them; `active` is off outside of tests."""

    writable: tuple[str, ...]
    forbidden: tuple[str, ...]
    readable: tuple[str, ...]
    report: str
    active: bool = False
    violations: list[str] = field(default_factory=list)

    def as_json(self) -> str:
        """The rules for a child process."""
        rules = {name: getattr(self, name) for name in ("writable", "forbidden", "readable", "report")}
        return json.dumps(rules)

    def refuse(self, deed: str, path: str) -> None:
        """Write the violation down and raise it."""
        message = f"{deed}: {path}"
        self.violations.append(message)
        descriptor = os.open(self.report, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, (message + "\n").encode("utf-8", "backslashreplace"))
        finally:
            os.close(descriptor)
        raise OutsideError(message)

    def take_violations(self) -> list[str]:
        """What broke the rules since the last call, in this process and in its children."""
        try:
            with open(self.report, encoding="utf-8") as report:
                found = report.read().splitlines()
            os.unlink(self.report)
        except FileNotFoundError:
            found = []
        found += [message for message in self.violations if message not in found]
        self.violations.clear()
        return found

    def check(self, event: str, arguments: tuple[object, ...]) -> None:
        """Judge one audit event."""
        if event == "open":
            path, mode, flags = arguments[:3]
            named = _absolute(path, None, follow=True)
            if named is None:
                return
            writes = bool(set(mode) & set("wax+")) if isinstance(mode, str) else False
            if writes or (isinstance(flags, int) and flags & _WRITING_FLAGS):
                self._check_write("opened for writing", named)
            else:
                self._check_read("opened", named)
        elif event in _CHANGES:
            places, names_change = _CHANGES[event]
            for position, descriptor in places:
                folder = (
                    arguments[descriptor] if descriptor is not None and descriptor < len(arguments) else None
                )
                named = _absolute(arguments[position], folder, follow=not names_change)
                if named is not None:
                    self._check_write(event, named)
        elif event in _LOOKS and arguments:
            named = _absolute(arguments[0], None, follow=True)
            if named is not None:
                self._check_read(event, named)

    def _check_write(self, deed: str, path: str) -> None:
        if _is_within(path, self.writable) or path.startswith(_DEVICES):
            return
        if "__pycache__" in path.split(os.sep) or path == self.report:
            return
        self.refuse(deed, path)

    def _check_read(self, deed: str, path: str) -> None:
        if _is_within(path, self.forbidden) and not _is_within(path, self.writable + self.readable):
            self.refuse(deed, path)


def make_rules(writable: list[Path], checkout: Path, report: Path) -> Guard:
    """The rules of a test process: its own directories, the real HOMEs, the interpreter and the checkout."""
    homes = {os.environ.get("HOME", ""), _account_home()} - {"", "/"}
    interpreter = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.__file__)}
    interpreter |= {os.path.dirname(os.path.realpath(sys.executable)), site.getusersitepackages()}
    real_homes = tuple(sorted(os.path.realpath(home) for home in homes))
    # an import path that is HOME itself, or a folder above it, must not open all of HOME
    paths = {os.path.realpath(entry) for entry in sys.path if entry}
    libraries = {entry for entry in paths if not _is_within_any(real_homes, entry)}
    readable = {os.path.realpath(place) for place in interpreter | {str(checkout)}} | libraries
    return Guard(
        writable=tuple(os.path.realpath(place) for place in writable),
        forbidden=real_homes,
        readable=tuple(sorted(readable)),
        report=os.path.realpath(report),
    )


def _is_within_any(homes: tuple[str, ...], folder: str) -> bool:
    return any(_is_within(home, (folder,)) for home in homes)


def guard_from_environment() -> Guard | None:
    """The rules that a parent process handed down, or None."""
    rules = os.environ.get(RULES_VARIABLE)
    if not rules:
        return None
    fields = json.loads(rules)
    lists = {name: tuple(fields[name]) for name in ("writable", "forbidden", "readable")}
    return Guard(report=fields["report"], active=True, **lists)


_installed: Guard | None = None


def install(guard: Guard) -> Guard:
    """Let `guard` watch this process; hooks cannot be taken out again, so a second one takes over."""
    global _installed
    first = _installed is None
    _installed = guard
    if first:
        interesting = frozenset({"open", *_CHANGES, *_LOOKS})

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            if event in interesting and _installed is not None and _installed.active:
                _installed.check(event, arguments)

        sys.addaudithook(hook)
    return guard


def _account_home() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def _absolute(path: object, folder: object, *, follow: bool) -> str | None:
    """The physical path an event is about; None for a descriptor or a nameless database."""
    if not isinstance(path, str | bytes | os.PathLike):
        return None
    text = os.fsdecode(path)
    if text in ("", ":memory:"):
        return None
    if not os.path.isabs(text):
        if isinstance(folder, int) and folder >= 0:
            text = f"{_folder_of(folder)}{os.sep}{text}"
        else:
            try:
                text = f"{os.getcwd()}{os.sep}{text}"
            except FileNotFoundError:
                return None
    if follow:
        return os.path.realpath(text)
    parent, name = os.path.split(text.rstrip(os.sep) or os.sep)
    return f"{os.path.realpath(parent).rstrip(os.sep)}{os.sep}{name}"


def _folder_of(descriptor: int) -> str:
    if sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(descriptor, 50, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"/proc/self/fd/{descriptor}")


def _is_within(path: str, roots: tuple[str, ...]) -> bool:
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
