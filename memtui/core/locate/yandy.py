"""Which directories hold this project's memory for yandy's pi-memory, in every generation (topics sheet).

Up to 1.3 a directory is named by a hash, from 1.4 on by words; an older one is neither read nor moved by a
newer version. Where the version that pi loads is known it says what is read, else the content of a directory.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Profile, Store
from memtui.core.locate.located import can_write, store_id
from memtui.core.locate.pi_agent import agent_dir as agent_dir_of
from memtui.core.locate.pi_extensions import Extensions, find_extensions
from memtui.core.locate.transcripts import first_values, session_files
from memtui.core.locate.yandy_content import KINDS, Content, Generation, content_of, holds_memory
from memtui.core.locate.yandy_names import (
    HASH_DIGITS,
    HASHED,
    Project,
    find_project,
    hashed_name,
    readable_name,
)
from memtui.core.locate.yandy_settings import (
    UNKNOWN,
    Version,
    YandySettings,
    notes_profile,
    parse_version,
    profile_for,
    yandy_settings,
)
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace

HEAD_BYTES = 1 << 13
MOST_OTHERS = 20
MOST_SESSION_FILES = 200
OTHERS_FILES = 3


@dataclass(frozen=True, slots=True)
class _Setup:
    """What pi loads of pi-memory here: its version (`UNKNOWN` when it is not known) and its configuration."""

    is_loaded: bool
    version: Version
    settings: YandySettings

    @property
    def reads(self) -> Generation:
        """The generation that this version reads, '' when the version is not known."""
        if self.version == UNKNOWN:
            return ""
        if self.version < (1, 4, 0):
            return "0.x" if self.version < (1, 0, 0) else "1.x"
        return "1.4" if self.version < (2, 0, 0) else "2.x"

    @property
    def reads_hashes(self) -> bool:
        """Whether this version, which is known, looks for hashed names."""
        return self.reads in ("0.x", "1.x")


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory, whether its name is a hash, and the rule that led to it."""

    root: Path
    is_hashed: bool
    reason: str
    is_other: bool = False
    """Of another project, or where a configuration no longer points."""


def locate_yandy(
    env: Env, agent_dir: Path, sessions: Path, extensions: Extensions
) -> tuple[tuple[Store, ...], tuple[str, ...]]:
    """The candidate stores, used ones first, and what could not be followed. Never raises."""
    setup = _setup(env, agent_dir, extensions)
    settings = setup.settings
    default = env.home / ".pi" / "memory"
    if not setup.is_loaded and not fs.is_dir(settings.base) and not fs.is_dir(default):
        return (), ()
    project = find_project(env)
    places = list(_places(settings.base, project))
    there = [place for place in places if holds_memory(place.root)]
    stores = []
    for place in places:
        is_read = setup.reads_hashes == place.is_hashed if setup.reads else place in there or not there
        used = setup.is_loaded and is_read
        if used or place in there:
            stores.append(_store(env, place, setup, used=used))
    if default != settings.base:
        instead = _("exists, not used: {setting} names another directory").format(setting="`memoryDir`")
        left = [replace(p, reason=f"{p.reason}; {instead}", is_other=True) for p in _places(default, project)]
        stores += [_store(env, place, setup, used=False) for place in left if holds_memory(place.root)]
    stores += _others(env, setup, sessions, {store.root for store in stores})
    return tuple(sorted(stores, key=lambda store: not store.used)), settings.warnings


def yandy_store_at(env: Env, root: Path) -> Store:
    """A directory of yandy's that was opened by its path, by the rules of the generation that it is of."""
    agent_dir, _warnings = agent_dir_of(env)
    setup = _setup(env, agent_dir, find_extensions(env, agent_dir))
    is_hashed = HASHED.fullmatch(root.name) is not None
    if not is_hashed and root.parent.name not in KINDS:
        is_hashed = content_of(root).generation in ("0.x", "1.x")
    # whoever opens a directory wants to see what is in it, whichever version is installed
    setup = replace(
        setup, is_loaded=True, version=UNKNOWN if setup.reads_hashes != is_hashed else setup.version
    )
    store = _store(env, _Place(root, is_hashed, _("opened by path")), setup, used=True)
    return replace(store, reason=_("opened by path"), tier="path")


def _setup(env: Env, agent_dir: Path, extensions: Extensions) -> _Setup:
    extension = extensions.of("yandy")
    version = parse_version(extension.version) if extension is not None else UNKNOWN
    settings = yandy_settings(env, agent_dir, trusted=extensions.trusted, version=version)
    return _Setup(extension is not None and extension.loaded, version, settings)


def _places(base: Path, project: Project) -> Iterator[_Place]:
    kind, name = readable_name(project)
    because = _("named after the remote of {project}") if kind == "git" else _("named after {project}")
    yield _Place(base / kind / name, False, because.format(project=project.path))
    because = _("the first {digits} hex digits of the SHA-256 of {project}")
    reason = because.format(digits=HASH_DIGITS, project=project.path)
    yield _Place(base / hashed_name(project.path), True, reason)


def _rules(place: _Place, content: Content, setup: _Setup) -> tuple[Generation, Profile]:
    """The generation whose rules hold for a directory: that of the version that reads it, else its own."""
    version, settings = setup.version, setup.settings
    is_read = bool(setup.reads) and setup.reads_hashes == place.is_hashed
    if is_read and setup.reads == "2.x":
        return "2.x", notes_profile(version, settings)
    if is_read:
        return setup.reads, profile_for(version, settings)
    if place.is_hashed:
        is_first = content.generation == "0.x"
        return (
            ("0.x", profile_for((0, 3, 0), settings)) if is_first else ("1.x", profile_for((1, 3, 1), settings))
        )
    if content.generation in ("0.x", "1.x"):
        return "1.4", profile_for((1, 4, 0), settings)
    return "2.x", notes_profile(UNKNOWN, settings)


def _store(env: Env, place: _Place, setup: _Setup, *, used: bool) -> Store:
    settings = setup.settings
    content = content_of(place.root, OTHERS_FILES if place.is_other else 24)
    generation, profile = _rules(place, content, setup)
    notes: list[tuple[str, str]] = [("bad-config", warning) for warning in settings.warnings if used]
    root = place.root
    exists = fs.is_dir(root)
    if exists and fs.kind_of(root) == "symlink":
        root = fs.real_path(root)
        sentence = _("{path} is a symlink to {real}").format(path=place.root, real=root)
        notes.append(("symlink", sentence))
    notes += [("", sentence) for sentence in _said(place, generation, content, setup)]
    off = ""
    if used and not settings.enabled and (generation != "2.x" or UNKNOWN < setup.version < (2, 4, 0)):
        off = _("`enabled` is false in {file}: pi-memory does nothing").format(file=settings.enabled_from)
    tier = "config" if settings.base_from is not None and not place.is_other else "computed"
    return Store(
        id=store_id("yandy", root, settings.base),
        root=root,
        profile=replace(profile, agents=(f"@yandy0725/pi-memory {generation}",)),
        exists=exists,
        used=used,
        reason=_reason(place, setup),
        tier=tier if exists else "none",
        writable=generation != "0.x" and can_write(root),
        read_by=(f"pi-memory {generation}",) if used else (),
        loads=not off,
        loads_not_because=off,
        warnings=tuple(sentence for _code, sentence in notes),
        findings=tuple((code, sentence) for code, sentence in notes if code),
    )


def _reason(place: _Place, setup: _Setup) -> str:
    reason = place.reason
    if place.is_other:
        return reason
    if setup.settings.base_from is not None:
        reason = _("{reason}, below `memoryDir` of {file}").format(reason=reason, file=setup.settings.base_from)
    if not setup.is_loaded:
        return _("{reason}; pi is not seen to load pi-memory here").format(reason=reason)
    if not setup.reads:
        return _("{reason}; which version of pi-memory pi loads is not known").format(reason=reason)
    return reason


def _said(place: _Place, generation: Generation, content: Content, setup: _Setup) -> Iterator[str]:
    """What a person should know of a directory, beside what is wrong with the configuration."""
    version = ".".join(map(str, setup.version))
    if setup.is_loaded and setup.reads and not place.is_other:
        if setup.reads_hashes != place.is_hashed:
            sentence = _("left by pi-memory {generation}: the installed {version} does not read it")
            yield sentence.format(generation=generation, version=version)
        elif content.generation and (content.generation == "2.x") != (generation == "2.x"):
            sentence = _("holds files of pi-memory {generation}, which the installed {version} does not show")
            yield sentence.format(
                generation="2.x" if content.generation == "2.x" else _("before {number}").format(number="2.0"),
                version=version,
            )
    if content.is_project_memory:
        yield _("most likely of pi-project-memory, which uses the same names")
    if not setup.settings.enabled and generation == "2.x" and not UNKNOWN < setup.version < (2, 4, 0):
        sentence = _("`enabled` is false in {file}: pi-memory after 2.3 pays no attention to it")
        yield sentence.format(file=setup.settings.enabled_from)


# Directories of other projects


def _others(env: Env, setup: _Setup, sessions: Path, taken: set[Path]) -> list[Store]:
    """Hashed directories that nobody reads here, those first whose project is known."""
    base = setup.settings.base
    try:
        names = [
            entry.name for entry in fs.list_dir(base) if entry.kind == "dir" and HASHED.fullmatch(entry.name)
        ]
    except OSError:
        return []
    roots = [base / name for name in names if base / name not in taken]
    roots = [root for root in roots if holds_memory(root)]
    known = _projects_of({root.name for root in roots}, env, sessions)
    places = []
    for root in sorted(roots, key=lambda root: root.name not in known)[:MOST_OTHERS]:
        project = known.get(root.name)
        reason = _("of {project}").format(project=project) if project else _("of a project that is not known")
        places.append(_Place(root, True, reason, is_other=True))
    return [_store(env, place, setup, used=False) for place in places]


def _projects_of(names: set[str], env: Env, sessions: Path) -> dict[str, str]:
    """The projects behind hashed names, as far as known paths give those hashes; read no more than needed."""
    found: dict[str, str] = {}
    tried: set[str] = set()
    if not names:
        return found
    for cwd in _known_paths(env, sessions):
        # a project is the directory itself, or a repository's top above it
        for path in (cwd, *cwd.parents):
            if str(path) in tried:
                break
            tried.add(str(path))
            name = hashed_name(str(path))
            if name in names:
                found.setdefault(name, str(path))
        if len(found) == len(names):
            break
    return found


def _known_paths(env: Env, sessions: Path) -> Iterator[Path]:
    """This directory, and those that pi's sessions name: one session of each of its folders."""
    yield env.cwd
    if env.logical_cwd is not None:
        yield env.logical_cwd
    try:
        folders = [sessions / entry.name for entry in fs.list_dir(sessions) if entry.kind != "file"]
    except OSError:
        return
    files = [path for folder in folders for path in session_files(folder)[-1:]]
    # where pi's settings name one directory, the sessions of all projects lie in it
    for path in (files + session_files(sessions))[-MOST_SESSION_FILES:]:
        for cwd in first_values(path, "cwd", HEAD_BYTES):
            yield Path(cwd)
