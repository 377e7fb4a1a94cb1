"""memtui's own settings file: read, never written, and never a reason to stop."""

import os
import subprocess
import sys

import pytest

from memtui.core.config import Config, HistoryConfig, load_config


def write_config(env, data):
    env.config_dir.mkdir(parents=True)
    path = env.config_dir / "config.yaml"
    path.write_bytes(data)
    return path


def test_missing_file_means_defaults(env):
    assert load_config(env) == Config()
    assert Config().history == HistoryConfig(enabled=True, keep_days=90, keep_mb=500)
    assert not env.config_dir.exists()


def test_values_are_read(env):
    write_config(env, b"editor: nvim -f\nhistory:\n  keep_days: 7\n  keep_mb: 0\n  enabled: false\nlater: 1\n")
    config = load_config(env)
    assert config.history == HistoryConfig(enabled=False, keep_days=7, keep_mb=0)
    assert config.editor == "nvim -f"
    assert config.warnings == ()


def test_empty_file_and_partial_group_keep_the_defaults(env):
    path = write_config(env, b"")
    assert load_config(env) == Config()
    path.write_bytes(b"history:\n  keep_days: 1\n")
    assert load_config(env).history == HistoryConfig(keep_days=1)


def test_linked_file_is_followed(env, tmp_path):
    (tmp_path / "real.yaml").write_text("editor: vi\n")
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").symlink_to(tmp_path / "real.yaml")
    assert load_config(env).editor == "vi"


@pytest.mark.parametrize(
    "data",
    [
        b"history: [\n",
        b"\xff\xfe\x00",
        b"- a\n- b\n",
        b"just words\n",
        b"a: 2026-99-99\n",
        b"x: !!python/object/apply:os.system ['true']\n",
        b"[" * 50_000,
        b"? [a]\n: b\n",
        b"#" * (1 << 19),
    ],
    ids=["unclosed", "not-utf8", "list", "scalar", "bad-date", "python-tag", "deep", "list-key", "huge"],
)
def test_broken_file_is_defaults_and_one_warning(env, data):
    path = write_config(env, data)
    config = load_config(env)
    assert (config.history, config.editor) == (HistoryConfig(), "")
    assert len(config.warnings) == 1
    assert str(path) in config.warnings[0]


def test_values_of_the_wrong_kind_keep_their_defaults_and_are_named_once(env):
    write_config(env, b"editor: 3\nhistory:\n  keep_days: soon\n  keep_mb: -1\n  enabled: maybe\n")
    config = load_config(env)
    assert (config.history, config.editor) == (HistoryConfig(), "")
    [warning] = config.warnings
    for name in ("editor", "history.keep_days", "history.keep_mb", "history.enabled"):
        assert name in warning


def test_a_theme_that_there_is_not_is_one_warning_that_names_the_choices(env):
    path = write_config(env, b"theme: pink\neditor: vi\n")
    config = load_config(env)
    assert (config.theme, config.editor) == ("", "vi")
    [warning] = config.warnings
    assert "theme" in warning and all(
        name in warning for name in ("auto", "dark", "light", "contrast", "terminal")
    )
    for data, theme in (
        (b"theme: light\n", "light"),
        (b"theme: 3\n", ""),
        (b"theme: [dark]\n", ""),
        (b"theme:\n", ""),
    ):
        path.write_bytes(data)
        assert load_config(env).theme == theme


def test_a_directory_or_an_unreadable_file_in_its_place_is_a_warning(env):
    (env.config_dir / "config.yaml").mkdir(parents=True)
    assert len(load_config(env).warnings) == 1


def test_yaml_is_not_imported_without_a_file(child_environ):
    code = (
        "import sys; from memtui.core.env import build_env; from memtui.core.config import load_config; "
        "load_config(build_env()); sys.exit('yaml' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=child_environ, cwd=os.environ["HOME"], check=False)
    assert done.returncode == 0


def test_where_a_session_goes_on_is_a_window_or_a_side(env):
    path = write_config(env, b"")
    for data, place in (
        (b"resume: {in: right}\n", "right"),
        (b"resume: {in: below}\n", "below"),
        (b"resume: {}\n", "window"),
        (b"resume: {in: [below]}\n", "window"),
        (b"resume: below\n", "window"),
    ):
        path.write_bytes(data)
        config = load_config(env)
        assert config.resume_in == place
        assert len(config.warnings) == (b"[" in data or b"{" not in data)
