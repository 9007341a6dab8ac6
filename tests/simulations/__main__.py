"""Simulate every cell; write results/cover.json, and its table into docs/agreement.md.

python -m tests.simulations [--table]      (ten minutes of a processor; --table: only the table, from the results)
"""

from __future__ import annotations

import json
import re
import sys
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from tests.simulations.cover import Cell, Cover, as_row, cover, of_row, parameters

RESULTS = Path(__file__).parent / "results" / "cover.json"
PAGE = Path(__file__).parents[2] / "docs" / "agreement.md"
BEGIN, END = "<!-- table of tests/simulations -->\n", "<!-- end of the table -->\n"
ITEMS = (10, 20, 50, 100, 200, 500)
SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
PEOPLE = (2, 3, 5)
DATA_SETS, OF_MANY, MANY = 1000, 400, 200
"""So many data sets of a cell; fewer from so many items on, which take long, and where the cover is hardly in doubt."""
COMPARED = 250
RARELY = 0.05
"""Where fewer data sets than that have an interval, the table says nothing about their cover."""
HALF = 0.5
"""Where most data sets have an interval, it has to cover; of the few that have one by chance, the table shows it."""


def cells() -> list[Cell]:
    """Everything that is simulated."""
    found = [Cell("alpha", *rest) for rest in product((0.5, 0.8, 0.95), SHARES, PEOPLE, ITEMS)]
    found += [Cell("alpha", 0.8, share, 3, items, some=True) for share, items in product(SHARES, ITEMS)]
    found += [Cell("observed", 0.8, *rest) for rest in product(SHARES, PEOPLE, ITEMS)]
    return found + [Cell("turns", agreement, 0.5, 2, items) for agreement, items in product((0.6, 0.9), ITEMS)]


def size(cell: Cell) -> int:
    """How many data sets are made of it."""
    return OF_MANY if cell.items >= MANY else DATA_SETS


def row_of(cell: Cell) -> dict[str, Any]:
    """Simulate a cell."""
    return as_row(cell, cover(cell, data_sets=size(cell), compared=COMPARED))


def read() -> tuple[dict[str, float], dict[Cell, Cover]]:
    """The parameters and the results that are kept."""
    kept = json.loads(RESULTS.read_text())
    return kept["parameters"], dict(map(of_row, kept["cells"]))


def table(found: dict[Cell, Cover]) -> str:
    """Alpha of 0.8, as a table in Markdown."""
    lines = [
        "| class | items | percentiles, 2 people | BCa, 2 people | BCa, 3 people | BCa, 5 people |",
        "|---|---|---|---|---|---|",
    ]
    for share, items in product(SHARES, ITEMS):
        old = found[Cell("alpha", 0.8, share, 2, items)]
        new = (found[Cell("alpha", 0.8, share, people, items)] for people in PEOPLE)
        cells = [f"{share:.0%}".replace("%", " %"), str(items), f"{old.by_percentiles / old.compared:.0%}"[:-1]]
        lines.append(f"| {' | '.join([*cells, *map(_in_words, new)])} |")
    return "\n".join(lines) + "\n"


def _in_words(one: Cover) -> str:
    if one.given < RARELY * one.data_sets:
        return "–"
    covers, given = round(100 * one.covered / one.given), round(100 * one.given / one.data_sets)
    return f"{covers} of {given}" if one.given >= HALF * one.data_sets else f"({covers} of {given})"


def write_table() -> None:
    """Replace the table in the docs."""
    inside = re.escape(BEGIN) + ".*?" + re.escape(END)
    text = re.sub(inside, lambda _old: BEGIN + "\n" + table(read()[1]) + "\n" + END, PAGE.read_text(), flags=re.DOTALL)
    PAGE.write_text(text)


def main(only_table: bool) -> None:
    """Simulate and write."""
    if not only_table:
        with Pool() as processes:
            rows = list(processes.imap(row_of, cells()))
        lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
        RESULTS.write_text(f'{{"parameters": {json.dumps(parameters())},\n"cells": [\n{lines}\n]}}\n')
    write_table()


if __name__ == "__main__":
    main("--table" in sys.argv)
