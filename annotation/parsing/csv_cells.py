"""Cells of CSV that a spreadsheet opens without running anything: the only place that writes CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

MEDIA_TYPE = "text/csv"
MARK = "\ufeff".encode()
"""The byte order mark: without it, Excel takes UTF-8 for the encoding of the country."""
FORMULA = ("=", "+", "-", "@", "\N{MINUS SIGN}")
"""What a formula begins with, in the compatibility form of its first character (a full-width `＝` is `=`)."""
CONTROL = ("\t", "\r", "\n")
"""What a spreadsheet may skip at the beginning of a cell."""
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
SEPARATORS = re.compile(r"(?<=[;\t\r\n])")
"""After these, a new cell begins where the country's separator is a semicolon: quotes don't count there."""


def lines(rows: Iterable[Sequence[Any]]) -> str:
    """The rows as CSV, each with its end."""
    out = io.StringIO()
    csv.writer(out).writerows([harmless(cell) for cell in row] for row in rows)
    return out.getvalue()


def line(row: Sequence[Any]) -> bytes:
    """A row without its end, in UTF-8."""
    return lines([row]).removesuffix("\r\n").encode()


def harmless(cell: Any) -> Any:
    """The cell as no spreadsheet takes it for a formula: a number as it is, anything else as text ("" for None)."""
    if isinstance(cell, int | float | Decimal):
        return cell
    text = "" if cell is None else str(cell)
    if NUMBER.fullmatch(text):
        return text
    first, *others = SEPARATORS.split(text)
    return "".join([_quoted(first, also=CONTROL), *(_quoted(part) for part in others)])


def _quoted(part: str, also: tuple[str, ...] = ()) -> str:
    begins = unicodedata.normalize("NFKC", _visible(part)[:1])
    return f"'{part}" if begins.startswith(FORMULA) or part.startswith(also) else part


def _visible(text: str) -> str:
    """The text from the first character that is no space and has a shape."""
    for place, character in enumerate(text):
        if unicodedata.category(character)[0] not in "ZC":
            return text[place:]
    return ""
