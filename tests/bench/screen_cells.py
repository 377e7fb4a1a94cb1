"""What a program painted, cell by cell: enough of a terminal to see when a part of the screen changed last."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder

from rich.cells import get_character_cell_size

Cell = tuple[str, str]
"""A character and its style as it was sent; '' behind a wide one."""

_PIECE = re.compile(
    r"\x1b\[(\d+);(\d+)H|\x1b\[([0-9;]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>]"
    r"|(\r)|(\n)|([^\x1b\r\n]+)"
)


class Cells:
    """The cells of a screen."""

    def __init__(self, columns: int, rows: int) -> None:
        self._cells: list[list[Cell]] = [[(" ", "")] * columns for _row in range(rows)]
        self._columns, self._x, self._y, self._style, self._rest = columns, 0, 0, "", ""
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def feed(self, data: bytes) -> None:
        """Paint what was sent."""
        text = self._rest + self._decode(data)
        begun = text.rfind("\x1b")
        if begun >= 0 and not _PIECE.match(text, begun):
            # it goes on in what is sent next
            text, self._rest = text[:begun], text[begun:]
        else:
            self._rest = ""
        for piece in _PIECE.finditer(text):
            if piece[1]:
                self._y, self._x = int(piece[1]) - 1, int(piece[2]) - 1
            elif piece[3] is not None:
                self._style = piece[3]
            elif piece[4]:
                self._x = 0
            elif piece[5]:
                self._x, self._y = 0, self._y + 1
            elif piece[6]:
                self._put(piece[6])

    def _put(self, text: str) -> None:
        for character in text:
            width = get_character_cell_size(character)
            if width and self._y < len(self._cells) and self._x + width <= self._columns:
                row = self._cells[self._y]
                row[self._x : self._x + width] = [(character, self._style), ("", self._style)][:width]
            self._x += width

    def lines(self) -> list[str]:
        """The text of each row."""
        return ["".join(character for character, _style in row) for row in self._cells]

    def below(self, x: int, y: int) -> list[list[Cell]]:
        """What stands from a cell on, to the right and down."""
        return [row[x:] for row in self._cells[y:]]
