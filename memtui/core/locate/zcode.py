"""Which directories hold this project's ZCode memory, for ZCode itself and for pi-zcode-memory.

The rule of pi-zcode-memory (its README): `dir` of its settings; else the computed directory when it exists;
else the only `<slug>-*` under the projects directory; else none, and the computed one is made on the first
write. ZCode itself reads the computed directory only, under a root that its variables may move (pi-and-zcode
sheet B1). Where the two differ both are stores, each with who reads it.
"""

from __future__ import annotations

from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Store
from memtui.core.layouts.owners import ZCODE
from memtui.core.locate.folders import Folder, list_folder
from memtui.core.locate.located import can_write, store_id
from memtui.core.locate.zcode_names import (
    cli_root,
    has_hash_suffix,
    project_dir_name,
    project_hash,
    project_slug,
    projects_root,
)
from memtui.core.locate.zcode_settings import (
    ExtensionSettings,
    Finding,
    ZcodeSettings,
    extension_settings,
    zcode_settings,
)
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace

READER_ZCODE, READER_PI = "ZCode", "pi-zcode-memory"
MAX_CANDIDATES = 20
"""How many directories that are not used are listed."""


@dataclass(frozen=True, slots=True)
class _Choice:
    root: Path
    tier: str
    reason: str
    read_by: tuple[str, ...] = ()
    used: bool = True
    findings: tuple[Finding, ...] = ()


def locate_zcode(env: Env, agent_dir: Path) -> tuple[tuple[Store, ...], tuple[str, ...]]:
    """The candidate stores, used ones first, and what could not be followed. Reads only; never raises."""
    extension, own = extension_settings(env, agent_dir), zcode_settings(env)
    spellings = _spellings(env)
    home_projects = projects_root(cli_root(env.home / ".zcode"))
    folders = tuple(list_folder(path, _is_project) for path in dict.fromkeys((home_projects, own.projects)))
    for_pi = _pi_choice(env, extension, folders[0], spellings)
    for_zcode = _zcode_choice(env, own, spellings)
    choices = _combined(for_pi, for_zcode)
    taken = {choice.root for choice in choices}
    others = _candidates(env, folders, spellings, taken, is_missing=for_pi.tier == "none")
    findings = extension.findings + own.findings + tuple(f for folder in folders for f in folder.findings)
    first_used = next(choice for choice in choices if choice.used)
    stores = tuple(
        _store(env, choice, extension, own, findings if choice is first_used else ()) for choice in choices
    )
    stores += tuple(_store(env, choice, extension, own, ()) for choice in others)
    ordered = sorted(stores, key=lambda store: not store.used)
    return tuple(ordered), tuple(sentence for _code, sentence in findings)


def zcode_store_at(env: Env, root: Path) -> Store:
    """A memory directory opened by its path, with ZCode's rules."""
    choice = _Choice(root, "path", _("opened by path"))
    return _store(env, choice, ExtensionSettings(), ZcodeSettings(root), ())


def _spellings(env: Env) -> tuple[str, ...]:
    """The working directory as the programs may spell it: physical first, then as it was named."""
    named = [fs.real_path(env.cwd), env.cwd, *([env.logical_cwd] if env.logical_cwd else [])]
    return tuple(dict.fromkeys(map(str, named)))


def _is_project(entry: fs.Entry) -> bool:
    # links are not followed, and dot names are the owner's locks and markers
    return entry.kind == "dir" and not entry.name.startswith(".")


# The rules of the two readers


def _pi_choice(env: Env, extension: ExtensionSettings, folder: Folder, spellings: tuple[str, ...]) -> _Choice:
    read_by = (READER_PI,)
    if extension.directory is not None:
        reason = _("{file} says `dir`").format(file=extension.directory_file)
        return _Choice(
            extension.directory, "config", reason, read_by, findings=_identity_note(extension.directory)
        )
    found = _computed(env, folder.path, spellings, "")
    if found.tier == "computed":
        return replace(found, read_by=read_by)
    slug = project_slug(spellings[0], env.platform)
    matching = [name for name in folder.names if name.startswith(f"{slug}-")]
    if len(matching) == 1:
        root = folder.path / matching[0] / "memory"
        sentence = _(
            "{path} is not the directory computed for this path; pi-zcode-memory takes it because it is the "
            "only one named {slug}-*, and it may be another project's"
        ).format(path=root, slug=slug)
        reason = _("the only directory named {slug}-*").format(slug=slug)
        notes = (("", sentence), *_identity_note(root))
        return _Choice(root, "slug", reason, read_by, findings=notes)
    notes = ()
    if any(name.startswith("project-") for name in folder.names) and slug != "project":
        notes = (("", _identity_sentence()),)
    return replace(found, read_by=read_by, findings=notes)


def _zcode_choice(env: Env, own: ZcodeSettings, spellings: tuple[str, ...]) -> _Choice:
    found = _computed(env, own.projects, spellings, own.identity)
    reason = found.reason
    if own.because:
        reason = _("{reason}, below {setting}").format(reason=reason, setting=own.because)
    return replace(found, reason=reason, read_by=(READER_ZCODE,))


def _computed(env: Env, projects: Path, spellings: tuple[str, ...], identity: str) -> _Choice:
    """The computed directory of the first spelling that has one, else that of the physical path."""
    for position, spelling in enumerate(spellings):
        root = projects / project_dir_name(spelling, env.platform, identity) / "memory"
        if fs.is_dir(root):
            return _Choice(root, "computed", _computed_reason(spelling, position, identity))
    root = projects / project_dir_name(spellings[0], env.platform, identity) / "memory"
    return _Choice(root, "none", _computed_reason(spellings[0], 0, identity))


def _computed_reason(spelling: str, position: int, identity: str) -> str:
    if identity:
        return _("computed from the workspace identity {identity}").format(identity=identity)
    if position:
        return _("computed from {cwd}, the name under which this directory was entered").format(cwd=spelling)
    return _("computed from {cwd}").format(cwd=spelling)


def _combined(for_pi: _Choice, for_zcode: _Choice) -> tuple[_Choice, ...]:
    if for_pi.root == for_zcode.root:
        return (replace(for_pi, read_by=(READER_ZCODE, READER_PI)),)
    own_exists = for_zcode.tier == "computed"
    if not own_exists:
        reason = _("ZCode itself would look here ({reason}); nothing is there").format(reason=for_zcode.reason)
        return for_pi, replace(for_zcode, used=False, reason=reason)
    if for_pi.tier == "none":
        reason = _("pi-zcode-memory would look here ({reason}); nothing is there").format(reason=for_pi.reason)
        return replace(for_pi, used=False, reason=reason), for_zcode
    return for_pi, for_zcode


def _candidates(
    env: Env, folders: tuple[Folder, ...], spellings: tuple[str, ...], taken: set[Path], *, is_missing: bool
) -> tuple[_Choice, ...]:
    """Directories that nobody reads here but that may be meant: same hash, same slug, or an identity's."""
    hashes = tuple(f"-{project_hash(spelling, env.platform)}" for spelling in spellings)
    slugs = tuple({f"{project_slug(spelling, env.platform)}-" for spelling in spellings})
    found: list[_Choice] = []
    for folder in folders:
        for name in folder.names:
            root = folder.path / name / "memory"
            if root in taken or not (name.endswith(hashes) or name.startswith((*slugs, "project-"))):
                continue
            if name.endswith(hashes):
                reason = _("the hash of this path under another name; the agents do not look here")
            elif name.startswith(slugs) and (is_missing or has_hash_suffix(name)):
                reason = _("same name, another path")
            elif is_missing:
                reason = _identity_sentence()
            else:
                continue
            if fs.is_dir(root):
                found.append(_Choice(root, "none", reason, used=False))
    found.sort(key=lambda choice: not choice.root.parent.name.endswith(hashes))
    return tuple(found[:MAX_CANDIDATES])


def _identity_note(root: Path) -> tuple[Finding, ...]:
    return (("", _identity_sentence()),) if root.parent.name.startswith("project-") else ()


def _identity_sentence() -> str:
    return _("a name that begins with project- may come from a ZCode workspace identity")


# Stores


def _store(
    env: Env, choice: _Choice, extension: ExtensionSettings, own: ZcodeSettings, findings: tuple[Finding, ...]
) -> Store:
    root = choice.root
    exists = fs.is_dir(root)
    notes = list(findings) + list(choice.findings)
    is_linked = fs.kind_of(root) == "symlink" or fs.kind_of(root.parent) == "symlink"
    if is_linked:
        sentence = _(
            "{path} is a symlink: pi-zcode-memory refuses to write there, and so does memtui; open {real}"
        )
        notes.append(("symlink", sentence.format(path=root, real=fs.real_path(root))))
    elif not exists and fs.kind_of(root) is not None:
        notes.append(("unreadable", _("{path} is not a directory").format(path=root)))
    else:
        notes.extend(_unreadable(root if exists else root.parent))
    silent = extension.silent_because if READER_PI in choice.read_by else ""
    if silent and READER_ZCODE in choice.read_by:
        silent = _("{sentence}; ZCode itself still reads this directory").format(sentence=silent)
    if own.memory_off and READER_ZCODE in choice.read_by:
        notes.append(("", own.memory_off))
        if choice.read_by == (READER_ZCODE,):
            silent = own.memory_off
    return Store(
        id=store_id(ZCODE.owner, root, projects_root(cli_root(env.home / ".zcode"))),
        root=root,
        profile=ZCODE,
        exists=exists,
        used=choice.used,
        reason=choice.reason,
        tier=choice.tier,
        writable=not is_linked and can_write(root),
        read_by=choice.read_by,
        loads=not silent,
        loads_not_because=silent,
        warnings=tuple(sentence for _code, sentence in notes),
        findings=tuple((code, sentence) for code, sentence in notes if code),
    )


def _unreadable(directory: Path) -> list[Finding]:
    if not fs.is_dir(directory):
        return []
    try:
        fs.list_dir(directory)
    except OSError as error:
        sentence = _("{path} cannot be read ({reason})").format(path=directory, reason=error.strerror)
        return [("unreadable", sentence)]
    return []
