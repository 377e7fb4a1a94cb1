"""Where the styles are: in the package of a wheel, beside it in an editable checkout."""

from __future__ import annotations

from pathlib import Path, PurePath

ORDER = ("inks", "frame", "index", "topic", "search", "status", "sheets", "review", "pair", "responsive")
"""One file a pane, in this order; what answers to the size of the screen comes last."""


def styles_dir(package: Path = Path(__file__).parent.parent) -> Path:
    """The folder with the style sheets. Raises FileNotFoundError when an installation lacks it."""
    for folder in (package / "styles", package.parent / "styles"):
        if (folder / f"{ORDER[0]}.tcss").is_file():
            return folder
    raise FileNotFoundError(f"memtui's styles are missing; looked in {package} and {package.parent}")


def style_paths() -> list[str | PurePath]:
    """The style sheets in their order."""
    folder = styles_dir()
    return [folder / f"{name}.tcss" for name in ORDER]
