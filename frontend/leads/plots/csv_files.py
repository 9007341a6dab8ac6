"""Numbers as CSV that a spreadsheet opens without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

NO_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text may begin that a spreadsheet takes for a formula."""


def written(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A header and rows; texts that look like formulas get an apostrophe."""
    out = io.StringIO()
    lines = csv.writer(out)
    lines.writerow(header)
    lines.writerows([no_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return out.getvalue()


def no_formula(text: str) -> str:
    """The text as a spreadsheet shows it."""
    return f"'{text}" if text.startswith(NO_FORMULA) else text
