"""Simulate every cell; write results/cover.json and results/rounds.json, and their tables into docs/agreement.md.

python -m tests.simulations [--table | --rounds]      (ten minutes of a processor; --table: only the tables, from the
results; --rounds: only judging rounds, and the tables)
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from itertools import product
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from tests.simulations.cover import Cell, Cover, as_row, cover, of_row, parameters
from tests.simulations.rounds import RoundCell, RoundCover, round_cells, round_of_row, round_row, round_table

RESULTS = Path(__file__).parent / "results" / "cover.json"
OF_ROUNDS = RESULTS.with_name("rounds.json")
PAGE = Path(__file__).parents[2] / "docs" / "agreement.md"
BEGIN, END = "<!-- table of tests/simulations -->\n", "<!-- end of the table -->\n"
BEGIN_OF_ROUNDS = "<!-- table of tests/simulations, rounds -->\n"
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


def read_rounds() -> tuple[dict[str, float], dict[RoundCell, RoundCover]]:
    """The parameters and the results of rounds that are kept."""
    kept = json.loads(OF_ROUNDS.read_text())
    return kept["parameters"], dict(map(round_of_row, kept["cells"]))


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
        lines.append(f"| {' | '.join([*cells, *(in_words(one.covered, one.given, one.data_sets) for one in new)])} |")
    return "\n".join(lines) + "\n"


def in_words(covered: int, given: int, data_sets: int) -> str:
    """How often intervals contain the truth, and of how many of 100 data sets, in a cell of a table."""
    if given < RARELY * data_sets:
        return "–"
    covers, of = round(100 * covered / given), round(100 * given / data_sets)
    return f"{covers} of {of}" if given >= HALF * data_sets else f"({covers} of {of})"


def write_tables() -> None:
    """Replace the tables in the docs."""
    text = PAGE.read_text()
    tables = {BEGIN: table(read()[1]), BEGIN_OF_ROUNDS: round_table(read_rounds()[1], in_words)}
    for begin, new in tables.items():
        inside = re.escape(begin) + ".*?" + re.escape(END)
        text = re.sub(inside, lambda _old, all_of=f"{begin}\n{new}\n{END}": all_of, text, flags=re.DOTALL)
    PAGE.write_text(text)


def write_results(path: Path, of_cell: Callable[[Any], dict[str, Any]], every: Sequence[Any]) -> None:
    """Simulate cells, and keep what was found."""
    with Pool() as processes:
        rows = list(processes.imap(of_cell, every))
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    path.write_text(f'{{"parameters": {json.dumps(parameters())},\n"cells": [\n{lines}\n]}}\n')


def main(wanted: set[str]) -> None:
    """Simulate and write."""
    if not wanted & {"--table", "--rounds"}:
        write_results(RESULTS, row_of, cells())
    if "--table" not in wanted:
        write_results(OF_ROUNDS, round_row, round_cells())
    write_tables()


if __name__ == "__main__":
    main(set(sys.argv))
