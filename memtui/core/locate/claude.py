"""Which directories hold this project's Claude Code auto memory (other-agents sheet 1.1).

Claude Code's documentation keys memory by the repository: all worktrees and sub-directories share the
directory of the main worktree. Builds that keyed it by the working directory are reported, so both are shown.
A directory that does not exist is never used: Claude Code alone makes one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Store
from memtui.core.layouts.owners import CLAUDE
from memtui.core.locate.claude_settings import ClaudeSettings, Finding, claude_settings
from memtui.core.locate.folders import Folder, list_folder
from memtui.core.locate.git_root import find_git_root
from memtui.core.locate.located import TranscriptRoot, can_write, store_id
from memtui.core.locate.transcripts import count_sessions, first_values, session_files
from memtui.i18n import _, ngettext
from memtui.late import re
from memtui.late.dataclasses import dataclass, replace

NAME_LENGTH = 200
_HEAD_BYTES = 1 << 15
_HEADS = 40


@dataclass(frozen=True, slots=True)
class _Choice:
    root: Path
    tier: str
    reason: str
    project: str = ""
    used: bool = False
    findings: tuple[Finding, ...] = ()


def encoded_name(path: str) -> str:
    """Claude Code's directory name for a path: every UTF-16 unit outside `[A-Za-z0-9]` is one dash.

    Runs are not squeezed; bytes that are not UTF-8 count as U+FFFD. Longer than 200 units Claude Code cuts the
    name and appends a hash that memtui cannot compute.
    """
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return re.sub(r"[^A-Za-z0-9]", lambda match: "--" if ord(match[0]) > 0xFFFF else "-", text)


def locate_claude(env: Env) -> tuple[tuple[Store, ...], tuple[TranscriptRoot, ...], tuple[str, ...]]:
    """The candidate stores, used ones first, the transcript folder and what could not be followed."""
    settings = claude_settings(env)
    cwd = fs.real_path(env.cwd)
    folder = list_folder(settings.config_dir / "projects", _is_project)
    choices = _choices(env, settings, folder, cwd)
    findings = settings.findings + folder.findings
    stores = [_store(env, choice, settings, findings if choice.used else ()) for choice in choices]
    stores.sort(key=lambda store: not store.used)
    transcripts = _transcripts(folder, settings.project_name or encoded_name(str(cwd)))
    root = TranscriptRoot("claude", transcripts, count_sessions(transcripts))
    return tuple(stores), (root,), tuple(sentence for _code, sentence in findings)


def claude_store_at(env: Env, root: Path) -> Store:
    """A memory directory opened by its path, with Claude Code's rules."""
    choice = _Choice(root, "path", _("opened by path"), used=True)
    return _store(env, choice, ClaudeSettings(root, env.home / ".claude"), ())


def _transcripts(folder: Folder, name: str) -> Path:
    """The directory of transcripts; the only one that a long name can have been cut to, where there is one."""
    found = [n for n in folder.names if n.startswith(name[:NAME_LENGTH])] if len(name) > NAME_LENGTH else []
    return folder.path / (found[0] if len(found) == 1 else name)


def _is_project(entry: fs.Entry) -> bool:
    return entry.kind != "file"


# Candidates, the documented one first


def _choices(env: Env, settings: ClaudeSettings, folder: Folder, cwd: Path) -> tuple[_Choice, ...]:
    keyed = _keyed(env, settings, folder, cwd)
    if settings.memory_dir is not None:
        exists = fs.is_dir(settings.memory_dir)
        chosen = _Choice(settings.memory_dir, "config", settings.memory_dir_because, used=exists)
        instead = _("exists, not used: {setting} names another directory").format(
            setting="`autoMemoryDirectory`"
        )
        rest = [replace(c, reason=f"{c.reason}; {instead}") for c in keyed if fs.is_dir(c.root)]
        choices = [chosen, *(choice for choice in rest if choice.root != chosen.root)]
    else:
        choices = _with_used(keyed)
    choices += _case_twins(folder, [choice.root.parent.name for choice in keyed])
    if settings.default_dir != settings.config_dir:
        choices += _left_behind(settings, keyed)
    first, *others = _united(choices)
    return (first, *(choice for choice in others if fs.is_dir(choice.root)))


def _keyed(env: Env, settings: ClaudeSettings, folder: Folder, cwd: Path) -> list[_Choice]:
    """The directories that a project name leads to, whether they exist or not."""
    if settings.project_name:
        root = folder.path / settings.project_name / "memory"
        return [_Choice(root, "config", _("CLAUDE_CODE_PROJECT_DIR_NAME"), str(cwd))]
    keys: list[tuple[Path, str, str]] = []
    git = find_git_root(cwd)
    if git is not None:
        reason = _("from the main worktree {path}") if git.is_linked else _("from the repository {path}")
        keys.append((git.main, "git-root", reason.format(path=git.main)))
        if git.is_bare:
            parent = git.main.parent
            keys.append(
                (parent, "git-root", _("from the folder of the bare repository {path}").format(path=git.main))
            )
        if git.is_linked:
            keys.append((git.worktree, "cwd", _("from this worktree {path}").format(path=git.worktree)))
    for path in (cwd, env.cwd, env.logical_cwd):
        if path is not None:
            keys.append((path, "cwd", _("from this directory {path}").format(path=path)))
    choices: list[_Choice] = []
    for path, tier, reason in keys:
        for spelling in _spellings(str(path)):
            choices += _named(folder, spelling, tier, reason)
    return _united(choices)


def _united(choices: Iterable[_Choice]) -> list[_Choice]:
    """Each directory once, under the name that comes first; that it has another is told."""
    unique: dict[Path, _Choice] = {}
    for choice in choices:
        real = fs.real_path(choice.root) if fs.is_dir(choice.root) else choice.root
        known = unique.setdefault(real, choice)
        if choice.root not in (known.root, real):
            sentence = _("{path} is a symlink to {real}").format(path=choice.root, real=real)
            unique[real] = replace(known, findings=(*known.findings, ("", sentence)))
    return list(unique.values())


def _spellings(path: str) -> list[tuple[str, str]]:
    forms = [(path, "")]
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, path)
        if text != path:
            forms.append((text, _("composed") if form == "NFC" else _("decomposed")))
    return forms


def _named(folder: Folder, spelling: tuple[str, str], tier: str, reason: str) -> list[_Choice]:
    path, form = spelling
    if form:
        reason = _("{reason}, spelled in {form} characters").format(reason=reason, form=form)
    name = encoded_name(path)
    if len(name) <= NAME_LENGTH:
        return [_Choice(folder.path / name / "memory", tier, reason, path)]
    start = name[:NAME_LENGTH]
    found = [n for n in folder.names if n.startswith(start) and fs.is_dir(folder.path / n / "memory")]
    cut = _("{reason}, its long name cut").format(reason=reason)
    if len(found) == 1:
        return [_Choice(folder.path / found[0] / "memory", tier, cut, path)]
    return [_Choice(folder.path / n / "memory", "ambiguous", cut, path) for n in (*found, start)]


def _with_used(keyed: list[_Choice]) -> list[_Choice]:
    """Mark the first that exists as used; say what was passed over."""
    existing = [choice for choice in keyed if fs.is_dir(choice.root) and choice.tier != "ambiguous"]
    if not existing:
        return [replace(keyed[0], tier="none"), *keyed[1:]]
    chosen, *rest = existing
    several = bool(rest)
    marked = [replace(chosen, used=True, reason=_counted(chosen) if several else chosen.reason)]
    if chosen.tier == "cwd" and keyed[0].tier == "git-root":
        sentence = _(
            "Claude Code's documentation keys memory by the repository ({path}), where nothing is; some builds "
            "read this directory"
        ).format(path=keyed[0].root)
        marked[0] = replace(marked[0], findings=(("", sentence),))
    for other in rest:
        reason = _("{reason}; exists too, some builds of Claude Code read it instead").format(
            reason=_counted(other)
        )
        marked.append(replace(other, reason=reason))
    return marked + [choice for choice in keyed if choice.tier == "ambiguous"]


def _counted(choice: _Choice) -> str:
    try:
        names = [entry.name for entry in fs.list_dir(choice.root)]
    except OSError:
        return choice.reason
    number = sum(name.endswith(".md") and name != CLAUDE.index_name for name in names)
    counted = ngettext("{number} memory", "{number} memories", number).format(number=number)
    return f"{choice.reason} ({counted})"


def _case_twins(folder: Folder, names: list[str]) -> list[_Choice]:
    wanted = {name.lower() for name in names}
    reason = _("its name differs only in case: maybe one project")
    twins = [name for name in folder.names if name.lower() in wanted and name not in names]
    return [
        _Choice(folder.path / n / "memory", "none", reason, findings=(("case-twin", reason),)) for n in twins
    ]


def _left_behind(settings: ClaudeSettings, keyed: list[_Choice]) -> list[_Choice]:
    reason = _("exists, not used: CLAUDE_CONFIG_DIR names another directory")
    return [
        _Choice(
            settings.default_dir / "projects" / encoded_name(c.project) / "memory", "none", reason, c.project
        )
        for c in keyed
        if c.project
    ]


# Stores


def _store(env: Env, choice: _Choice, settings: ClaudeSettings, findings: tuple[Finding, ...]) -> Store:
    root, notes = choice.root, [*findings, *choice.findings]
    exists = fs.is_dir(root)
    if exists and (fs.kind_of(root) == "symlink" or fs.kind_of(root.parent) == "symlink"):
        root = fs.real_path(root)
        sentence = _("{path} is a symlink to {real}").format(path=choice.root, real=root)
        notes.append(("symlink", sentence))
    elif not exists and fs.kind_of(root) is not None:
        notes.append(("unreadable", _("{path} is not a directory").format(path=root)))
    if exists:
        try:
            fs.list_dir(root)
        except OSError as error:
            sentence = _("{path} cannot be read ({reason})").format(path=root, reason=error.strerror)
            notes.append(("unreadable", sentence))
    shared_by = _shared_by(choice) if exists else ()
    return Store(
        id=store_id(CLAUDE.owner, root, env.home / ".claude" / "projects"),
        root=root,
        profile=CLAUDE,
        exists=exists,
        used=choice.used and exists,
        reason=choice.reason,
        tier=choice.tier,
        writable=can_write(root),
        read_by=CLAUDE.agents if choice.used and exists else (),
        loads=not settings.off_because,
        loads_not_because=settings.off_because,
        warnings=tuple(sentence for _code, sentence in notes),
        shared_by=shared_by,
        findings=tuple((code, sentence) for code, sentence in notes if code),
    )


def _shared_by(choice: _Choice) -> tuple[str, ...]:
    """Other projects whose path has the same encoded name, taken from transcripts beside the memory."""
    directory = choice.root.parent
    ours = unicodedata.normalize("NFC", choice.project)
    others: dict[str, None] = {}
    for path in session_files(directory)[:_HEADS]:
        for cwd in first_values(path, "cwd", _HEAD_BYTES):
            if encoded_name(cwd) == directory.name and unicodedata.normalize("NFC", cwd) != ours:
                others[cwd] = None
    return tuple(sorted(others)) if choice.project else ()
