"""Themes: legible in every palette, chosen in a known order, and nothing lost where there are no colours."""

from __future__ import annotations

import ast
import itertools
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driver import MakeEnv, running
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.style import Style
from textual.color import Color as StyleColor
from textual.color import ColorParseError
from textual.theme import Theme

from memtui.core.appearance import THEMES as CHOICES
from memtui.core.appearance import theme_to_begin_with
from memtui.core.remembered import Remembered, load_remembered, save_remembered
from memtui.demo import build_demo
from memtui.ui import themes, theming
from memtui.ui.app import MemtuiApp
from memtui.ui.styles import style_paths
from memtui.ui.themes import CONTRAST, DARK, LIGHT, TERMINAL, theme_for
from memtui.ui.widgets.spans import INKS

COLORFUL = (DARK, LIGHT, CONTRAST)
BACKGROUNDS = ("background", "panel", "memtui-raised", "memtui-pointer")
TEXT = (
    *("foreground", "memtui-title", "error", "warning", "secondary", "success", "accent"),
    *("memtui-kind", "memtui-match", "memtui-code", "memtui-link", "memtui-front", "memtui-rule"),
)
PAIRS = (
    ("memtui-on-cursor", "memtui-cursor-active"),
    ("memtui-title", "memtui-cursor"),
    ("screen-selection-foreground", "screen-selection-background"),
    ("input-selection-foreground", "input-selection-background"),
    ("input-cursor-foreground", "input-cursor-background"),
)

UI = Path(themes.__file__).parent
FRAME = re.compile("[─-╿]")
VARIABLE = re.compile(r"\$(memtui-[a-z-]+)")


def colors_of(theme: Theme) -> dict[str, str]:
    own = {name: value for name, value in vars(theme).items() if isinstance(value, str)}
    return {**own, **theme.variables}


def luminance(name: str, system: ColorSystem) -> float:
    red, green, blue = Color.parse(name).downgrade(system).get_truecolor()
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (red / 255, green / 255, blue / 255)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ink: str, background: str, system: ColorSystem) -> float:
    """WCAG 2.2, "contrast ratio"."""
    dark, light = sorted((luminance(ink, system), luminance(background, system)))
    return (light + 0.05) / (dark + 0.05)


# Legible


@pytest.mark.parametrize("system", [ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT], ids=["truecolor", "256"])
@pytest.mark.parametrize("theme", COLORFUL, ids=lambda theme: theme.name)
def test_every_ink_stands_out_from_what_it_is_painted_on(theme: Theme, system: ColorSystem) -> None:
    colors = colors_of(theme)
    least = 7 if theme is CONTRAST else 4.5
    wanted = {(ink, "background"): least for ink in TEXT}
    wanted |= {(ink, under): 4.5 for ink in TEXT for under in BACKGROUNDS[1:]}
    wanted |= {("memtui-muted", under): 3 for under in BACKGROUNDS}
    wanted |= {("memtui-muted", "background"): 4.5, ("memtui-border-active", "background"): 3}
    wanted |= dict.fromkeys(PAIRS, least)
    measured = {pair: contrast(colors[pair[0]], colors[pair[1]], system) for pair in wanted}
    assert {pair: round(value, 2) for pair, value in measured.items() if value < wanted[pair]} == {}


@pytest.mark.parametrize("theme", COLORFUL, ids=lambda theme: theme.name)
def test_colours_are_nearly_the_same_in_a_terminal_with_256(theme: Theme) -> None:
    far = {}
    for name, value in colors_of(theme).items():
        if value.startswith("#"):
            exact, nearest = (
                Color.parse(value).downgrade(system).get_truecolor()
                for system in (ColorSystem.TRUECOLOR, ColorSystem.EIGHT_BIT)
            )
            if max(abs(a - b) for a, b in zip(exact, nearest, strict=True)) > 2:
                far[name] = (value, nearest.hex)
    assert far == {}


def test_the_terminal_theme_paints_no_colour_but_the_terminals() -> None:
    for theme in (TERMINAL, DARK):
        has_literal = any(value.startswith("#") for value in colors_of(theme).values())
        assert has_literal == (theme is DARK)
    assert colors_of(TERMINAL)["background"] == "ansi_default"


# The style sheets


@pytest.mark.parametrize("path", style_paths(), ids=lambda path: Path(path).name)
def test_a_style_sheet_names_no_colour_of_its_own(path: str) -> None:
    text = re.sub(r"/\*.*?\*/", "", Path(path).read_text(encoding="utf-8"), flags=re.DOTALL)
    values = re.findall(r"[\w-]*(?:color|background|border|tint|outline)[\w-]*:([^;{}]*);", text)
    for value in values:
        for word in re.sub(r"\$[\w-]+", "", value).split():
            if word not in ("transparent", "auto"):
                with pytest.raises(ColorParseError):
                    StyleColor.parse(word)
    assert not re.search(r":[^;{}]*(#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(|\bansi_)", text)


def test_every_variable_of_the_style_sheets_is_in_every_theme() -> None:
    used = {name for path in style_paths() for name in VARIABLE.findall(Path(path).read_text(encoding="utf-8"))}
    for theme in themes.THEMES:
        assert {name for name in theme.variables if name.startswith("memtui-")} == used


def test_every_ink_has_a_look() -> None:
    text = "".join(Path(path).read_text(encoding="utf-8") for path in style_paths())
    assert set(re.findall(r"\.ink--([a-z]+)", text)) == set(INKS)


# Which one


@pytest.mark.parametrize(
    ("choice", "environ", "expected"),
    [
        ("auto", {}, DARK),
        ("auto", {"COLORFGBG": "0;15"}, LIGHT),
        ("auto", {"COLORFGBG": "0;default;15"}, LIGHT),
        ("auto", {"COLORFGBG": "15;0"}, DARK),
        ("auto", {"COLORFGBG": "7;8"}, DARK),
        ("auto", {"COLORFGBG": "default;default"}, DARK),
        ("auto", {"COLORFGBG": "0;7", "TERM": "xterm-256color"}, LIGHT),
        ("auto", {"COLORFGBG": "0;15", "TERM": "screen"}, TERMINAL),
        ("auto", {"TERM": "linux", "COLORTERM": "truecolor"}, DARK),
        ("auto", {"TERM": "xterm-kitty"}, DARK),
        ("dark", {"COLORFGBG": "0;15", "TERM": "screen"}, DARK),
        ("light", {"COLORFGBG": "15;0"}, LIGHT),
        ("contrast", {}, CONTRAST),
        ("terminal", {}, TERMINAL),
        ("light", {"NO_COLOR": "1"}, TERMINAL),
    ],
)
def test_the_theme_of_a_choice(choice: str, environ: dict[str, str], expected: Theme) -> None:
    assert theme_for(choice, environ).name == expected.name


def test_every_choice_has_a_theme_and_a_key() -> None:
    assert {name for name, _words in theming.CHOICES.values()} == set(CHOICES)
    assert {theme.name for theme in themes.THEMES} == {
        themes.PREFIX + name for name in CHOICES if name != "auto"
    }


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, "contrast"),
        ("theme: light\n", "light"),
        ("editor: vi\ntheme:  'dark'   # at night\nhistory:\n  keep_days: 7\n", "dark"),
        ("theme: auto\r\n", "auto"),
        ("# theme: light\n", "contrast"),
        ("history:\n  theme: light\n", "contrast"),
        ("theme: pink\n", "contrast"),
        ("{theme: light}\n", "contrast"),
    ],
)
def test_what_the_settings_name_comes_before_what_was_chosen_last(
    make_env: MakeEnv, config: str | None, expected: str
) -> None:
    env = make_env()
    assert theme_to_begin_with(env) == "auto"
    save_remembered(env, Remembered(theme="contrast", order="theme", places={'"theme"': "light"}))
    if config is not None:
        env.config_dir.mkdir(parents=True)
        (env.config_dir / "config.yaml").write_bytes(config.encode())
    assert theme_to_begin_with(env) == expected


def test_a_settings_file_that_cannot_be_read_is_no_reason_to_wait(make_env: MakeEnv) -> None:
    env = make_env()
    (env.config_dir / "config.yaml").mkdir(parents=True)
    assert theme_to_begin_with(env) == "auto"


async def test_a_theme_that_a_glance_at_the_settings_overlooks_is_shown_all_the_same(make_env: MakeEnv) -> None:
    env = make_env()
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("{theme: light}\n")
    async with running(env) as driver:
        assert driver.app.theme == LIGHT.name


async def test_another_theme_leaves_everything_where_it_was(make_env: MakeEnv, tmp_path: Path) -> None:
    demo = build_demo(tmp_path / "demo")
    env = make_env(home=demo.home, cwd=demo.project)
    async with running(env, (100, 20)) as driver:
        app, desk = driver.app, driver.app.desk
        await driver.press("f", "e", "enter", "G")
        driver.go_to("import-incident.md")
        await driver.press("space", "l", "ctrl+d")

        def state() -> tuple[object, ...]:
            rows, text = desk.index.list, desk.topic.text
            marks = [item.row_id for item in desk.marked]
            words = FRAME.sub("+", driver.text)
            return rows.cursor_id, rows.scroll_offset, text.place, marks, app.navigation.active, words

        before = state()
        assert desk.marked and desk.index.list.scroll_offset.y and desk.topic.text.place > (1, 0)
        for name in ("light", "terminal", "contrast", "dark"):
            app.theme = f"memtui-{name}"
            await driver.settled()
            assert state() == before
        await driver.press("q", "i", "x")
        typed = desk.line_input.value
        app.theme = LIGHT.name
        await driver.settled()
        assert desk.line_input.value == typed and desk.query_text == "e"
        await driver.press("y")
        assert desk.line_input.value == typed + "y"


async def test_a_theme_is_chosen_by_a_letter_shown_at_once_and_kept(make_env: MakeEnv) -> None:
    env = make_env()
    async with running(env) as driver:
        driver.app.action_do("theme")
        await driver.settled()
        assert "Colours, now dark:" in driver.words and "light" in driver.words
        await driver.press("l")
        assert driver.app.theme == LIGHT.name
        assert driver.app.screen.styles.background.hex.lower() == LIGHT.background
        assert "colours: light" in driver.words
        driver.app.action_do("theme")
        await driver.press("x")
        assert driver.app.theme == LIGHT.name
    assert load_remembered(env).theme == "light"
    assert MemtuiApp(env, lambda: None).theme == LIGHT.name  # type: ignore[arg-type, return-value]


async def test_a_choice_against_the_settings_says_how_long_it_holds(make_env: MakeEnv) -> None:
    env = make_env()
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("theme: contrast\n")
    async with running(env) as driver:
        assert driver.app.theme == CONTRAST.name
        driver.app.action_do("theme")
        await driver.press("t")
        assert driver.app.theme == TERMINAL.name and driver.app.native_ansi_color
        assert "config.yaml names contrast" in driver.words


# Without colours


def styles_of(app: MemtuiApp, words: str) -> list[Style]:
    """The styles that the row of the screen with these words is painted in, without those of blanks."""
    for strip in app.screen._compositor.render_strips():
        if words in strip.text:
            return [part.style for part in strip if part.style is not None and part.text.strip()]
    raise AssertionError(f"{words} is not on the screen")


def attributes(style: Style) -> tuple[bool, ...]:
    return tuple(map(bool, (style.bold, style.dim, style.italic, style.underline, style.reverse)))


async def test_without_colours_the_cursor_the_active_pane_and_a_match_are_seen_all_the_same(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    demo = build_demo(tmp_path / "demo")
    env = make_env(home=demo.home, cwd=demo.project, environ={"NO_COLOR": "1"})
    async with running(env, (120, 36)) as driver:
        await driver.press("f", *"small", "enter")
        strips = driver.app.screen._compositor.render_strips()
        painted = [part.style for strip in strips for part in strip if part.style is not None]
        for style in painted:
            assert all(color is None or color.is_default for color in (style.color, style.bgcolor))
        at_cursor = styles_of(driver.app, "feedback  Prefer small commits")
        assert any(style.reverse and style.bold for style in at_cursor)
        assert any(style.reverse and style.underline for style in at_cursor)
        assert "▌" in driver.text.splitlines()[3]
        # the frame of the active pane is a heavy one, its title reversed
        first = driver.text.splitlines()[1]
        assert first[0] in "┏" and "╭" in first
        await driver.press("2")
        assert driver.text.splitlines()[1][0] == "╭" and "┏" in driver.text.splitlines()[1]


@pytest.mark.parametrize("name", ["dark", "light", "contrast", "terminal"])
async def test_a_question_and_a_line_are_set_apart_from_what_they_lie_on(
    make_env: MakeEnv, tmp_path: Path, name: str
) -> None:
    demo = build_demo(tmp_path / "demo")
    env = make_env(home=demo.home, cwd=demo.project)
    async with running(env) as driver:
        driver.app.theme = f"memtui-{name}"
        for key, what in (("d", "#ask"), ("i", "#input")):
            await driver.press(key)
            bar = driver.app.desk.main.query_one(what)
            rows = driver.text.splitlines()[bar.region.y : bar.region.bottom]
            if name == "terminal":
                assert set(rows[0]) == {"━"}
            else:
                under = {widget.styles.background for widget in (driver.app.screen, driver.app.desk.index)}
                assert bar.styles.background.a == 1 and bar.styles.background not in under
            await driver.press("escape")


async def test_a_sheet_in_the_terminals_own_colours_leaves_no_margin(make_env: MakeEnv) -> None:
    async with running(make_env()) as driver:
        await driver.press("?")
        sheet = driver.app.screen.query_one("#sheet")
        assert sheet.region.width < 80
        driver.app.theme = TERMINAL.name
        await driver.settled()
        assert sheet.region.size == (80, 24)


@pytest.mark.parametrize("theme", themes.THEMES, ids=lambda theme: theme.name)
def test_the_cursor_of_the_active_pane_is_not_told_by_colour_alone(theme: Theme) -> None:
    variables = theme.variables
    assert variables["memtui-cursor-active-style"] != variables["memtui-cursor-style"] or (
        theme is CONTRAST and variables["memtui-frame"] != variables["memtui-frame-active"]
    )
    assert "bold" in variables["memtui-title-active-style"]


# Signs

AMBIGUOUS = frozenset("·•…×“”↑↓─│┄┆▌▏")
"""Signs that some terminals can be told to draw two cells wide. They do so with every frame too (`─` and `│`
are of the same kind), so that no such program can be used there; tmux and the C library take one cell."""


def signs() -> Iterator[tuple[str, str]]:
    """Every character beyond ASCII in the strings of the interface, with the file it is in."""
    for path in sorted(UI.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield from ((char, path.name) for char in node.value if not char.isascii())


def test_every_sign_of_the_interface_takes_one_cell() -> None:
    painted = {(char, file) for char, file in signs() if char.isprintable() and not unicodedata.combining(char)}
    assert {char for char, _file in painted} >= {"▌", "┄", "…", "·", "▰"}
    for char, file in painted - {("\ufe0f", file) for _char, file in painted}:
        width = unicodedata.east_asian_width(char)
        assert cell_len(char) == 1 and width not in "WF", f"{char!r} in {file}"
        assert width != "A" or char in AMBIGUOUS, f"{char!r} in {file} is of ambiguous width"


def test_no_two_signs_in_one_place_look_alike() -> None:
    from memtui.ui.widgets.row_list import CURSOR
    from memtui.ui.widgets.rows import MARK, RULE
    from memtui.ui.wording import MARKS

    shown = [CURSOR, MARK, RULE, *(sign for sign, _ink in MARKS.values())]
    assert all(a != b for a, b in itertools.combinations(shown, 2))
