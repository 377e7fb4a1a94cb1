"""What decides where ZCode and pi-zcode-memory keep memory: variables and settings files, read and reported.

Sources: pi-zcode-memory's README (keys `enabled`, `dir`, `injectIndex`; two files, project over global; a
broken file counts as empty), pi-and-zcode sheet B1 (ZCode's variables and its config.json).
"""

from __future__ import annotations

import ntpath
import os
from pathlib import Path

from memtui.core.env import Env
from memtui.core.locate.json_config import JsonFile, deep_merge, read_json, value_at
from memtui.core.locate.zcode_names import cli_root, projects_root
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

Finding = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ExtensionSettings:
    """pi-zcode-memory's settings: `directory` is a usable `dir`; `silent_because` why it shows nothing."""

    directory: Path | None = None
    directory_file: Path | None = None
    silent_because: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class ZcodeSettings:
    """ZCode's own settings: the projects directory, what led to it ('' = the default), its identity."""

    projects: Path
    because: str = ""
    identity: str = ""
    memory_off: str = ""
    findings: tuple[Finding, ...] = ()


def extension_settings(env: Env, agent_dir: Path) -> ExtensionSettings:
    """Read both files of pi-zcode-memory. Never raises."""
    files = (
        read_json(agent_dir / "extensions" / "zcode-memory.json"),
        read_json(env.cwd / ".pi" / "zcode-memory.json"),
    )
    values = deep_merge(files[0].values, files[1].values)
    findings: list[Finding] = [("bad-config", file.warning) for file in files if file.warning]
    silent = ""
    for name in ("enabled", "injectIndex"):
        if values.get(name) is False and not silent:
            silent = _("`{name}` is false in {file}: pi-zcode-memory shows the agent nothing").format(
                name=name, file=_source_of(name, files)
            )
    named = values.get("dir")
    if named is None or named == "":
        return ExtensionSettings(silent_because=silent, findings=tuple(findings))
    source = _source_of("dir", files)
    paths = ntpath if env.platform == "win32" else os.path
    if not isinstance(named, str) or "\0" in named or not paths.isabs(named):
        shown = named if isinstance(named, str) else type(named).__name__
        findings.append(
            (
                "bad-config",
                _("`dir` in {file} is not an absolute path ({value}): memtui does not follow it").format(
                    file=source, value=shown
                ),
            )
        )
        return ExtensionSettings(silent_because=silent, findings=tuple(findings))
    return ExtensionSettings(Path(paths.normpath(named)), source, silent, tuple(findings))


def zcode_settings(env: Env) -> ZcodeSettings:
    """Read ZCode's variables and its config.json. Never raises.

    For memory `ZCODE_DATA_BASE_DIR` wins, then `ZCODE_DESKTOP_HOME_DIR` (both with `.zcode/cli` below), then
    `ZCODE_STORAGE_DIR`, then `storage.dir` of config.json, then `~/.zcode`.
    """
    default = env.home / ".zcode"
    config = read_json(default / "cli" / "config.json")
    findings: list[Finding] = [("bad-config", config.warning)] if config.warning else []
    projects, because = projects_root(cli_root(default)), ""
    for name in ("ZCODE_DATA_BASE_DIR", "ZCODE_DESKTOP_HOME_DIR", "ZCODE_STORAGE_DIR"):
        path = _absolute(name, env.get(name), findings)
        if path is not None:
            storage = path if name == "ZCODE_STORAGE_DIR" else path / ".zcode"
            projects, because = projects_root(cli_root(storage)), name
            break
    else:
        named = value_at(config.values, "storage", "dir")
        path = _absolute(f"storage.dir ({config.path})", named if isinstance(named, str) else "", findings)
        if path is not None:
            projects, because = projects_root(cli_root(path)), f"storage.dir ({config.path})"
    off = ""
    for names in (("features", "memory"), ("memory", "use")):
        if value_at(config.values, *names) is False and not off:
            off = _("`{name}` is false in {file}: ZCode's memory is off").format(
                name=".".join(names), file=config.path
            )
    identity = env.get("ZCODE_WORKSPACE_IDENTITY").strip()
    return ZcodeSettings(projects, because, identity, off, tuple(findings))


def _absolute(name: str, value: str, findings: list[Finding]) -> Path | None:
    if not value.strip():
        return None
    if "\0" in value or not os.path.isabs(value):
        sentence = _("{name} is not an absolute path ({value}): memtui does not follow it")
        findings.append(("bad-config", sentence.format(name=name, value=value)))
        return None
    return Path(os.path.normpath(value))


def _source_of(name: str, files: tuple[JsonFile, JsonFile]) -> Path:
    return files[1].path if name in files[1].values else files[0].path
