"""Which directories hold this project's memory for yandy's pi-memory, in every generation (topics sheet).

Which generation a directory is of is told by its place and its content; which one is read is told by the
version that pi loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Profile, Store
from memtui.core.layouts.topic_owners import YANDY, YANDY_03, YANDY_2
from memtui.core.locate.located import can_write, store_id
from memtui.core.locate.pi_extensions import Extensions
from memtui.core.locate.transcripts import first_values
from memtui.core.locate.yandy_names import HASHED, hashed_name, readable_name, toplevel
from memtui.core.locate.yandy_settings import (
    YandySettings,
    notes_profile,
    parse_version,
    profile_for,
    yandy_settings,
)
from memtui.i18n import _

INDEX_NAME = "MEMORY.md"
HEAD_BYTES = 2_048
MOST_OTHERS = 20
MOST_FILES = 50
MOST_SESSION_FOLDERS = 200


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory with the rules of what is in it: `generation` 0.x, 1.x, 1.4 or 2.x."""

    root: Path
    generation: str
    profile: Profile
    reason: str


def locate_yandy(
    env: Env, agent_dir: Path, sessions: Path, extensions: Extensions
) -> tuple[tuple[Store, ...], tuple[str, ...]]:
    """The candidate stores, used ones first, and what could not be followed. Never raises."""
    extension = extensions.of("yandy")
    loaded = extension is not None and extension.loaded
    version = parse_version(extension.version) if extension is not None else (0, 0, 0)
    settings = yandy_settings(env, agent_dir, trusted=extensions.trusted, version=version)
    if not loaded and not fs.is_dir(settings.base):
        return (), ()
    project = toplevel(env)
    places = list(_places(env, settings, project, version))
    reads = _generation_of(version) if loaded else ""
    there = [place for place in places if _holds_something(place.root)]
    known = version != (0, 0, 0)
    stores = []
    for place in places:
        exists = place in there
        used = loaded and (place.generation == reads if known else exists or not there)
        if not exists and not used:
            continue
        stores.append(_store(env, place, settings, used=used, reads=reads if known else "", loaded=loaded))
    taken = {store.root for store in stores}
    stores += _others(env, settings, sessions, taken)
    return tuple(sorted(stores, key=lambda store: not store.used)), settings.warnings


def yandy_store_at(env: Env, root: Path) -> Store:
    """A directory of yandy's that was opened by its path, of the generation that its content tells."""
    generation = _content_generation(root) or ("1.x" if HASHED.fullmatch(root.name) else "2.x")
    settings = YandySettings(root.parent, None, {})
    profile = {"0.x": YANDY_03, "2.x": YANDY_2}.get(generation, YANDY)
    place = _Place(root, generation, profile, _("opened by path"))
    store = _store(env, place, settings, used=True, reads="", loaded=True)
    return replace(store, tier="path")


def looks_like_yandys(root: Path) -> bool:
    """Whether a directory is one of yandy's, by its name and what is in it."""
    generation = _content_generation(root)
    if HASHED.fullmatch(root.name):
        return True
    if root.parent.name in ("git", "local") and generation:
        return True
    return generation == "2.x"


def _places(env: Env, settings: YandySettings, project: str, version: tuple[int, int, int]) -> Iterator[_Place]:
    kind, name = readable_name(env, project)
    readable = settings.base / kind / name
    because = _("named after the remote of {project}") if kind == "git" else _("named after {project}")
    content = _content_generation(readable)
    if content == "1.x" or (not content and (1, 4, 0) <= version < (2, 0, 0)):
        profile = profile_for(max(version, (1, 4, 0)), settings)
        yield _Place(readable, "1.4", profile, because.format(project=project))
    else:
        yield _Place(readable, "2.x", notes_profile(settings), because.format(project=project))
    hashed = settings.base / hashed_name(project)
    generation = "0.x" if _content_generation(hashed) == "0.x" else "1.x"
    seen = version if (0, 0, 0) < version < (1, 4, 0) else ((0, 3, 0) if generation == "0.x" else (1, 3, 1))
    because = _("the first {digits} hex digits of the SHA-256 of {project}").format(digits=12, project=project)
    yield _Place(hashed, generation, profile_for(seen, settings), because)


def _generation_of(version: tuple[int, int, int]) -> str:
    if version == (0, 0, 0):
        return ""
    if version < (1, 0, 0):
        return "0.x"
    if version < (1, 4, 0):
        return "1.x"
    return "1.4" if version < (2, 0, 0) else "2.x"


def _holds_something(root: Path) -> bool:
    try:
        return any(entry.name.endswith(".md") or entry.name == ".lock" for entry in fs.list_dir(root))
    except OSError:
        return False


def _content_generation(root: Path) -> str:
    """The generation that the files of a directory show, '' when none does."""
    try:
        names = sorted(entry.name for entry in fs.list_dir(root) if entry.kind == "file")
    except OSError:
        return ""
    heads = []
    for name in [name for name in names if name.endswith(".md") and name != INDEX_NAME][:MOST_FILES]:
        try:
            heads.append(fs.read_head(root / name, HEAD_BYTES))
        except OSError:
            continue
    fronts = [_front(head) for head in heads]
    if any(b"\ncreated:" in front and b"\nmodified:" in front for front in fronts):
        return "2.x"
    if any(b"\nupdated:" in front for front in fronts):
        full = any(b"\nname:" in front or b"\ndescription:" in front for front in fronts)
        return "1.x" if full else "0.x"
    return ""


def _front(head: bytes) -> bytes:
    if not head.startswith(b"---\n"):
        return b""
    end = head.find(b"\n---", 3)
    return b"\n" + head[4 : end if end >= 0 else len(head)]


def _store(env: Env, place: _Place, settings: YandySettings, *, used: bool, reads: str, loaded: bool) -> Store:
    notes: list[tuple[str, str]] = [("bad-config", warning) for warning in settings.warnings if used]
    exists = fs.is_dir(place.root)
    reason = place.reason
    if settings.base_from is not None:
        reason = _("{reason}, below `memoryDir` of {file}").format(reason=reason, file=settings.base_from)
    if not loaded:
        reason = _("{reason}; pi is not seen to load pi-memory here").format(reason=reason)
    elif reads and reads != place.generation:
        message = _("left by pi-memory {generation}: the installed version reads {reads} and not this")
        notes.append(("", message.format(generation=place.generation, reads=reads)))
    if fs.kind_of(place.root / ".review-state.json") is not None:
        notes.append(("", _("most likely of pi-project-memory, which uses the same names")))
    off = ""
    if not settings.enabled and place.generation != "2.x":
        off = _("`enabled` is false in the configuration of pi-memory")
    is_link = fs.kind_of(place.root) == "symlink"
    return Store(
        id=store_id("yandy", place.root, settings.base),
        root=place.root,
        profile=replace(place.profile, agents=(f"@yandy0725/pi-memory {place.generation}",)),
        exists=exists,
        used=used,
        reason=reason,
        tier="computed" if exists else "none",
        writable=place.generation != "0.x" and not is_link and can_write(place.root),
        read_by=(f"pi-memory {place.generation}",),
        loads=not off,
        loads_not_because=off,
        warnings=tuple(sentence for _code, sentence in notes),
        findings=tuple((code, sentence) for code, sentence in notes if code),
    )


# Directories of other projects


def _others(env: Env, settings: YandySettings, sessions: Path, taken: set[Path]) -> list[Store]:
    """Hashed directories that nobody reads here, named where a known project gives that hash."""
    try:
        names = sorted(entry.name for entry in fs.list_dir(settings.base) if entry.kind == "dir")
    except OSError:
        return []
    roots = [settings.base / name for name in names if HASHED.fullmatch(name)]
    roots = [root for root in roots if root not in taken and _holds_something(root)]
    if not roots:
        return []
    known = {hashed_name(project): project for project in _known_projects(env, sessions)}
    found = []
    for root in roots[:MOST_OTHERS]:
        project = known.get(root.name)
        reason = _("of {project}").format(project=project) if project else _("of a project that is not known")
        generation = _content_generation(root) or "1.x"
        place = _Place(root, generation, YANDY_03 if generation == "0.x" else YANDY, reason)
        found.append(_store(env, place, settings, used=False, reads="", loaded=True))
    return found


def _known_projects(env: Env, sessions: Path) -> Iterable[str]:
    """Directories that may be projects: this one, those above, and those that pi's sessions name."""
    here = (env.cwd, *env.cwd.parents)
    projects = [str(path) for path in here]
    try:
        folders = [entry.name for entry in fs.list_dir(sessions) if entry.kind == "dir"]
    except OSError:
        folders = []
    for folder in folders[:MOST_SESSION_FOLDERS]:
        try:
            names = sorted(e.name for e in fs.list_dir(sessions / folder) if e.name.endswith(".jsonl"))
        except OSError:
            continue
        if names:
            projects += first_values(sessions / folder / names[-1], "cwd", HEAD_BYTES)
    return dict.fromkeys(projects)
