"""What decides where Claude Code keeps auto memory, and whether it loads it (other-agents sheet 1.1).

Settings files, weakest first: `<config>/settings.json`, `<cwd>/.claude/settings.json`,
`<cwd>/.claude/settings.local.json`. Managed settings of an organisation are not read.
"""

from __future__ import annotations

import os
from pathlib import Path

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.locate.json_config import JsonFile, read_json
from memtui.i18n import _
from memtui.late import re
from memtui.late.dataclasses import dataclass

Finding = tuple[str, str]

_PROJECT_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


@dataclass(frozen=True, slots=True)
class ClaudeSettings:
    """`config_dir` is in force, `default_dir` is `~/.claude`; `memory_dir` a usable `autoMemoryDirectory`.

    `project_name` replaces the computed directory name; `off_because` says why memory is off ('' = it is on).
    """

    config_dir: Path
    default_dir: Path
    memory_dir: Path | None = None
    memory_dir_because: str = ""
    project_name: str = ""
    off_because: str = ""
    findings: tuple[Finding, ...] = ()


def claude_settings(env: Env) -> ClaudeSettings:
    """Read the variables and the settings files. Never raises."""
    default = env.home / ".claude"
    findings: list[Finding] = []
    config_dir = _config_dir(env, default, findings)
    files = tuple(
        read_json(path)
        for path in (
            config_dir / "settings.json",
            env.cwd / ".claude" / "settings.json",
            env.cwd / ".claude" / "settings.local.json",
        )
    )
    findings += [("bad-config", file.warning) for file in files if file.warning]
    memory_dir, because = _memory_dir(env, files, findings)
    return ClaudeSettings(
        config_dir=config_dir,
        default_dir=default,
        memory_dir=memory_dir,
        memory_dir_because=because,
        project_name=_project_name(env, findings),
        off_because=_off_because(env, files),
        findings=tuple(findings),
    )


def _config_dir(env: Env, default: Path, findings: list[Finding]) -> Path:
    named = env.get("CLAUDE_CONFIG_DIR")
    if not named:
        return default
    if not os.path.isabs(named):
        sentence = _("CLAUDE_CONFIG_DIR is not an absolute path ({value}): memtui does not follow it")
        findings.append(("bad-config", sentence.format(value=named)))
        return default
    path = Path(os.path.normpath(named))
    if fs.kind_of(path) is not None:
        try:
            fs.list_dir(path)
        except OSError as error:
            sentence = _("CLAUDE_CONFIG_DIR names {path}, which cannot be read ({reason})")
            findings.append(("bad-config", sentence.format(path=path, reason=error.strerror)))
    return path


def _memory_dir(env: Env, files: tuple[JsonFile, ...], findings: list[Finding]) -> tuple[Path | None, str]:
    for position, file in reversed(list(enumerate(files))):
        named = file.values.get("autoMemoryDirectory")
        if named is None or named == "":
            continue
        because = _("{file} says `autoMemoryDirectory`").format(file=file.path)
        if position > 0:
            because = _("{reason}, which counts once Claude Code trusts this folder").format(reason=because)
        if isinstance(named, str) and "\0" not in named:
            if named.startswith("~/"):
                return Path(os.path.normpath(env.home / named[2:])), because
            if os.path.isabs(named):
                return Path(os.path.normpath(named)), because
        shown = named if isinstance(named, str) else type(named).__name__
        sentence = _(
            "`autoMemoryDirectory` in {file} is neither absolute nor below ~/ ({value}): memtui does not "
            "follow it"
        )
        findings.append(("bad-config", sentence.format(file=file.path, value=shown)))
    return None, ""


def _project_name(env: Env, findings: list[Finding]) -> str:
    named = env.get("CLAUDE_CODE_PROJECT_DIR_NAME")
    if not named or not env.get("CLAUDE_CONFIG_DIR"):
        return ""
    if not _PROJECT_NAME.match(named):
        sentence = _("CLAUDE_CODE_PROJECT_DIR_NAME is not a usable name ({value})")
        findings.append(("bad-config", sentence.format(value=named)))
        return ""
    return named


def _off_because(env: Env, files: tuple[JsonFile, ...]) -> str:
    if env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY").strip().lower() in ("1", "true"):
        return _("CLAUDE_CODE_DISABLE_AUTO_MEMORY is set: Claude Code loads no auto memory")
    for file in reversed(files):
        value = file.values.get("autoMemoryEnabled")
        if isinstance(value, bool):
            sentence = _("`autoMemoryEnabled` is false in {file}: Claude Code loads no auto memory")
            return "" if value else sentence.format(file=file.path)
    return ""
