"""Themes. The colours lie on or near the 256-colour cube, and nothing is meant by a colour alone."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="memtui-dark",
    dark=True,
    primary="#5fafd7",
    secondary="#87afaf",
    accent="#d7af5f",
    warning="#d7af5f",
    error="#ff8787",
    success="#87af87",
    foreground="#d0d0d0",
    background="#121212",
    surface="#121212",
    panel="#262626",
    boost="#303030",
    variables={
        "memtui-muted": "#8a8a8a",
        "memtui-border": "#444444",
        "memtui-border-active": "#5fafd7",
        "memtui-cursor": "#303030",
        "memtui-cursor-active": "#005f87",
        "memtui-on-cursor": "#ffffff",
        "memtui-title": "#eeeeee",
        "memtui-kind": "#87afaf",
        "memtui-match": "#ffd75f",
        "memtui-code": "#afaf87",
        "memtui-link": "#5fafd7",
        "memtui-front": "#af87af",
        "memtui-rule": "#d7875f",
        "screen-selection-background": "#005f87",
        "screen-selection-foreground": "#ffffff",
        "input-selection-background": "#005f87",
        "scrollbar": "#444444",
        "scrollbar-hover": "#6c6c6c",
        "scrollbar-active": "#8a8a8a",
        "scrollbar-background": "#1c1c1c",
        "scrollbar-background-hover": "#1c1c1c",
        "scrollbar-background-active": "#1c1c1c",
        "scrollbar-corner-color": "#1c1c1c",
    },
)

THEMES = (DARK,)
