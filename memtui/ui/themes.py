"""Themes, and which of them is shown. Nothing is meant by a colour alone.

The colours lie on the 256-colour cube, or so near that Rich takes the next one. What styles say beside colours
is named here too (`$memtui-*-style`, `$memtui-frame*`, `$memtui-raised-edge`): where there are few colours, or
none, the cursor, the active pane, a question and a match have to be seen by something else.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

PREFIX = "memtui-"

_COLORFUL = {
    "memtui-muted-style": "none",
    "memtui-cursor-style": "none",
    "memtui-cursor-active-style": "bold",
    "memtui-pointer-style": "bold",
    "memtui-selection-style": "none",
    "memtui-title-active-style": "bold",
    "memtui-frame": "round",
    "memtui-frame-active": "round",
    "memtui-raised-edge": "none",
}

DARK = Theme(
    name="memtui-dark",
    dark=True,
    primary="#5fafd7",
    secondary="#87afaf",
    accent="#d7af5f",
    warning="#ffaf5f",
    error="#ff8787",
    success="#87af87",
    foreground="#d2d2d2",
    background="#121212",
    surface="#121212",
    panel="#262626",
    boost="#303030",
    variables={
        **_COLORFUL,
        "memtui-raised": "#303030",
        "memtui-muted": "#8a8a8a",
        "memtui-border": "#4e4e4e",
        "memtui-border-active": "#5fafd7",
        "memtui-cursor": "#303030",
        "memtui-cursor-active": "#005f87",
        "memtui-on-cursor": "#ffffff",
        "memtui-pointer": "#303030",
        "memtui-title": "#f0f0f0",
        "memtui-kind": "#87afaf",
        "memtui-match": "#ffd75f",
        "memtui-code": "#afaf87",
        "memtui-link": "#5fafd7",
        "memtui-front": "#d7afd7",
        "memtui-rule": "#d7875f",
        "screen-selection-background": "#005f87",
        "screen-selection-foreground": "#ffffff",
        "input-selection-background": "#005f87",
        "input-selection-foreground": "#ffffff",
        "input-cursor-background": "#d2d2d2",
        "input-cursor-foreground": "#121212",
        "input-cursor-text-style": "none",
        "scrollbar": "#4e4e4e",
        "scrollbar-hover": "#6c6c6c",
        "scrollbar-active": "#8a8a8a",
        "scrollbar-background": "#1c1c1c",
        "scrollbar-background-hover": "#1c1c1c",
        "scrollbar-background-active": "#1c1c1c",
        "scrollbar-corner-color": "#1c1c1c",
    },
)

LIGHT = Theme(
    name="memtui-light",
    dark=False,
    primary="#005faf",
    secondary="#005f5f",
    accent="#005faf",
    warning="#875f00",
    error="#af0000",
    success="#005f00",
    foreground="#303030",
    background="#ffffff",
    surface="#ffffff",
    panel="#f0f0f0",
    boost="#e6e6e6",
    variables={
        **_COLORFUL,
        "memtui-raised": "#e6e6e6",
        "memtui-muted": "#626262",
        "memtui-border": "#b4b4b4",
        "memtui-border-active": "#005faf",
        "memtui-cursor": "#dcdcdc",
        "memtui-cursor-active": "#005f87",
        "memtui-on-cursor": "#ffffff",
        "memtui-pointer": "#ffffd7",
        "memtui-title": "#080808",
        "memtui-kind": "#005f5f",
        "memtui-match": "#af005f",
        "memtui-code": "#5f5f00",
        "memtui-link": "#005faf",
        "memtui-front": "#870087",
        "memtui-rule": "#875f00",
        "screen-selection-background": "#005f87",
        "screen-selection-foreground": "#ffffff",
        "input-selection-background": "#005f87",
        "input-selection-foreground": "#ffffff",
        "input-cursor-background": "#303030",
        "input-cursor-foreground": "#ffffff",
        "input-cursor-text-style": "none",
        "scrollbar": "#b4b4b4",
        "scrollbar-hover": "#949494",
        "scrollbar-active": "#767676",
        "scrollbar-background": "#f0f0f0",
        "scrollbar-background-hover": "#f0f0f0",
        "scrollbar-background-active": "#f0f0f0",
        "scrollbar-corner-color": "#f0f0f0",
    },
)

CONTRAST = Theme(
    name="memtui-contrast",
    dark=True,
    primary="#ffff00",
    secondary="#87ffff",
    accent="#5fffff",
    warning="#ffd700",
    error="#ff8787",
    success="#87ff87",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    boost="#262626",
    variables={
        **_COLORFUL,
        "memtui-raised": "#303030",
        "memtui-frame-active": "heavy",
        "memtui-cursor-style": "bold",
        "memtui-muted": "#c8c8c8",
        "memtui-border": "#8a8a8a",
        "memtui-border-active": "#ffff00",
        "memtui-cursor": "#444444",
        "memtui-cursor-active": "#ffff00",
        "memtui-on-cursor": "#000000",
        "memtui-pointer": "#303030",
        "memtui-title": "#ffffff",
        "memtui-kind": "#afffff",
        "memtui-match": "#ffff00",
        "memtui-code": "#ffffaf",
        "memtui-link": "#87d7ff",
        "memtui-front": "#ffafff",
        "memtui-rule": "#ffaf00",
        "screen-selection-background": "#ffff00",
        "screen-selection-foreground": "#000000",
        "input-selection-background": "#ffff00",
        "input-selection-foreground": "#000000",
        "input-cursor-background": "#ffffff",
        "input-cursor-foreground": "#000000",
        "input-cursor-text-style": "none",
        "scrollbar": "#c8c8c8",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffffff",
        "scrollbar-background": "#262626",
        "scrollbar-background-hover": "#262626",
        "scrollbar-background-active": "#262626",
        "scrollbar-corner-color": "#262626",
    },
)

TERMINAL = Theme(
    name="memtui-terminal",
    ansi=True,
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    # red, magenta and green are those that stand out on a dark and on a light background
    warning="ansi_magenta",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "memtui-muted-style": "dim",
        "memtui-cursor-style": "bold",
        "memtui-cursor-active-style": "bold reverse",
        "memtui-pointer-style": "bold reverse",
        "memtui-selection-style": "reverse",
        "memtui-title-active-style": "bold reverse",
        "memtui-frame": "round",
        "memtui-frame-active": "heavy",
        "memtui-raised": "ansi_default",
        "memtui-raised-edge": "heavy",
        "memtui-muted": "ansi_default",
        "memtui-border": "ansi_default",
        "memtui-border-active": "ansi_default",
        "memtui-cursor": "ansi_default",
        "memtui-cursor-active": "ansi_default",
        "memtui-on-cursor": "ansi_default",
        "memtui-pointer": "ansi_default",
        "memtui-title": "ansi_default",
        "memtui-kind": "ansi_default",
        "memtui-match": "ansi_magenta",
        "memtui-code": "ansi_green",
        "memtui-link": "ansi_default",
        "memtui-front": "ansi_magenta",
        "memtui-rule": "ansi_magenta",
        "screen-selection-background": "ansi_default",
        "screen-selection-foreground": "ansi_default",
        "input-selection-background": "ansi_default",
        "input-selection-foreground": "ansi_default",
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "block-cursor-background": "ansi_default",
        "block-cursor-foreground": "ansi_default",
        "block-cursor-text-style": "bold reverse",
        "scrollbar": "ansi_bright_black",
        "scrollbar-hover": "ansi_bright_black",
        "scrollbar-active": "ansi_bright_black",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
    },
)

THEMES = (DARK, LIGHT, CONTRAST, TERMINAL)
"""Every theme; each is chosen by its name without PREFIX."""


def theme_for(choice: str, environ: Mapping[str, str]) -> Theme:
    """The theme of a choice in a terminal that has these variables.

    `auto` is the terminal's own colours where it has fewer than 256, else light or dark by `COLORFGBG`.
    Without colours (NO_COLOR) it is always the theme that says by attributes what others say by colours.
    """
    if "NO_COLOR" in environ:
        return TERMINAL
    if choice == "auto":
        if has_few_colors(environ):
            return TERMINAL
        return LIGHT if has_light_background(environ) else DARK
    return next((theme for theme in THEMES if theme.name == PREFIX + choice), DARK)


def has_light_background(environ: Mapping[str, str]) -> bool:
    """Whether `COLORFGBG` (`foreground;background`, sometimes with a word between) names a light background.

    Of the 16 colours, 0 to 6 and 8 are dark, as Vim takes them.
    """
    background = environ.get("COLORFGBG", "").rpartition(";")[2]
    return background.isdecimal() and int(background) in (7, *range(9, 16))


def has_few_colors(environ: Mapping[str, str]) -> bool:
    """Whether Rich will paint with 16 colours (its own rule: `COLORTERM`, then the end of `TERM`)."""
    if environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return False
    term = environ.get("TERM", "").strip().lower()
    return term != "" and term.rpartition("-")[2] not in ("256color", "kitty")
