"""Every dialog has its buttons in the same order, so that nobody presses the wrong one by habit."""

from __future__ import annotations

import re
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
TEMPLATES = [path for name in ("frontend", "annotation") for path in sorted((CHECKOUT / name).rglob("*.html"))]
ROW = re.compile(r'<div class="split">(.*?)</div>', re.DOTALL)


def rows_of_buttons(source: str) -> list[str]:
    """The rows in which a button that does something stands beside one that does not."""
    return [row for row in ROW.findall(source) if "btn-primary" in row and "btn-link" in row]


def starts_with_the_primary_one(row: str) -> bool:
    return row.index("btn-primary") < row.index("btn-link")


def test_the_primary_button_comes_before_the_one_that_closes():
    rows = [(path.name, row) for path in TEMPLATES for row in rows_of_buttons(path.read_text(encoding="utf-8"))]
    assert {"_decision.html", "_skip.html", "answer.html"} <= {name for name, _ in rows}
    assert [name for name, row in rows if not starts_with_the_primary_one(row)] == []


def test_the_control_a_row_that_begins_with_cancel_is_found():
    [row] = rows_of_buttons('<div class="split"><i class="btn-link"></i><i class="btn btn-primary"></i></div>')
    assert not starts_with_the_primary_one(row)
