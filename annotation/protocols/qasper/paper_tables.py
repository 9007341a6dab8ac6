"""Parses an imported HTML table into rows of cells for a template; the HTML itself never reaches a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import nh3

if TYPE_CHECKING:
    from turbohtml import Token

INLINE = frozenset({"b", "i", "sub", "sup"})
LARGEST = 100_000
"""Most characters of HTML; real tables are far smaller."""
MOST_CELLS = 5_000
WIDEST, TALLEST = 50, 500
"""Largest colspan and rowspan, since a browser lays out every spanned column and row."""

_CLEANER = nh3.Cleaner(
    tags={"table", "thead", "tbody", "tr", "th", "td", "br"} | INLINE,
    clean_content_tags={"script", "style", "template", "noscript", "textarea", "title", "select", "iframe"},
    attributes={"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}},
    link_rel=None,
    url_schemes=set(),
)


@dataclass(frozen=True)
class Piece:
    """A run of text in a cell; `mark` is the innermost of b, i, sub and sup around it, or "br" for a line break."""

    text: str
    mark: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell: its contents, and the columns and rows that it spans."""

    pieces: tuple[Piece, ...]
    heading: bool = False
    columns: int = 1
    rows: int = 1


Table = tuple[tuple[Cell, ...], ...]
"""Rows of cells; empty if there is nothing to show."""


def parse_table(html: str) -> Table:
    """The rows of the tables in `html`; empty if no cell has text, or if it is too large to show."""
    from turbohtml import tokenize  # here, since every command imports this module

    if len(html) > LARGEST:
        return ()
    reader = _Reader()
    for token in tokenize(_CLEANER.clean(html)):
        reader.take(token)
    rows = tuple(tuple(row) for row in reader.rows if row)
    cells = [cell for row in rows for cell in row]
    shown = any(piece.text.strip() for cell in cells for piece in cell.pieces)
    return rows if shown and len(cells) <= MOST_CELLS else ()


@dataclass
class _Reader:
    """Reads the tokens of sanitized HTML. A table inside a cell becomes text of that cell."""

    rows: list[list[Cell]] = field(default_factory=list)
    depth: int = 0
    in_head: bool = False
    marks: list[str] = field(default_factory=list)
    cell: Token | None = None
    pieces: list[Piece] = field(default_factory=list)

    def take(self, token: Token) -> None:
        kind = token.type.name
        if kind == "TEXT":
            self._text(token.data or "")
        elif kind == "START_TAG":
            self._start(token)
        elif kind == "END_TAG":
            self._end(token.tag or "")

    def _text(self, text: str) -> None:
        if self.cell is not None:
            self.pieces.append(Piece(text, self.marks[-1] if self.marks else ""))

    def _start(self, token: Token) -> None:
        name = token.tag
        self.depth += name == "table"
        if name in INLINE:
            self.marks.append(name)
        elif name == "br" and self.cell is not None:
            self.pieces.append(Piece("", "br"))
        elif self.depth > 1:
            self._text(" ")
        elif name == "thead":
            self.in_head = True
        elif name == "tr":
            self.rows.append([])
        elif name in ("td", "th"):
            self.cell, self.pieces = token, []

    def _end(self, name: str) -> None:
        if name in INLINE:
            self.marks = self.marks[:-1]
        elif name == "thead" and self.depth == 1:
            self.in_head = False
        elif name in ("td", "th") and self.depth == 1 and self.cell is not None:
            heading = name == "th" or self.in_head
            columns, rows = (_span(self.cell, *each) for each in (("colspan", WIDEST), ("rowspan", TALLEST)))
            self.rows[-1].append(Cell(tuple(self.pieces), heading, columns, rows))
            self.cell = None
        self.depth -= name == "table"


def _span(cell: Token, name: str, most: int) -> int:
    value = (cell.attr(name) or "").strip()
    return min(max(int(value), 1), most) if value.isascii() and value.isdigit() and len(value) < 6 else 1
