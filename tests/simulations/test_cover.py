"""Intervals that are given contain the truth: in a part that is simulated here, and in all of it as it is kept."""

from __future__ import annotations

from math import sqrt

import pytest

from tests.simulations.__main__ import BEGIN, COMPARED, END, HALF, PAGE, cells, read, row_of, size, table
from tests.simulations.cover import Cell, cover, of_row, parameters

LEAST = 0.9
RARE = [Cell("alpha", 0.8, 0.05, 2, 20), Cell("alpha", 0.8, 0.05, 2, 50), Cell("alpha", 0.5, 0.1, 2, 20)]
GIVEN = [
    Cell("alpha", 0.8, 0.05, 2, 200),
    Cell("alpha", 0.8, 0.5, 5, 50),
    Cell("alpha", 0.5, 0.05, 5, 100),
    Cell("observed", 0.8, 0.2, 3, 200),
    Cell("turns", 0.9, 0.5, 2, 20),
]
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/simulations/test_cover.py::test_what_is_kept_is_what_the_present_code_finds"
)
AGAIN = [
    pytest.param(Cell("alpha", 0.8, 0.1, 2, 50), marks=OTHERS),
    Cell("alpha", 0.5, 0.2, 3, 20),
    Cell("turns", 0.6, 0.5, 2, 20),
]


def words(cell):
    """A cell in the name of a test."""
    return " ".join(str(value) for value in vars(cell).values())


@pytest.mark.parametrize("cell", GIVEN, ids=words)
def test_intervals_contain_the_truth_as_often_as_they_should(cell):
    found = cover(cell, data_sets=250)
    assert found.given > HALF * found.data_sets
    assert found.covered / found.given >= LEAST - 2 * sqrt(LEAST * (1 - LEAST) / found.given)


@pytest.mark.parametrize("cell", RARE, ids=words)
def test_of_rare_classes_and_few_items_there_are_hardly_any_and_the_percentile_bootstrap_is_wrong(cell):
    found = cover(cell, data_sets=250, compared=250)
    assert found.given - found.covered <= (1 - LEAST) * found.data_sets
    assert found.by_percentiles / found.compared < LEAST - 2 * sqrt(LEAST * (1 - LEAST) / found.compared)


def test_what_is_kept_is_of_every_cell_under_the_present_rule():
    kept, found = read()
    assert kept == parameters()
    assert set(found) == set(cells())
    assert all((one.data_sets, one.compared) == (size(cell), COMPARED) for cell, one in found.items())


def test_in_what_is_kept_intervals_contain_the_truth_wherever_most_data_sets_have_one():
    found = read()[1].values()
    given = [one for one in found if one.given >= HALF * one.data_sets]
    assert len(given) > len(found) / 4
    assert min(one.covered / one.given for one in given) >= LEAST
    assert max((one.given - one.covered) / one.data_sets for one in found) <= 1 - LEAST


@pytest.mark.parametrize("cell", AGAIN, ids=words)
def test_what_is_kept_is_what_the_present_code_finds(cell):
    """Another machine may round another way, which turns one of them at most."""
    found, kept = of_row(row_of(cell))[1], read()[1][cell]
    assert abs(found.given - kept.given) <= 1
    assert abs(found.covered - kept.covered) <= 1


def test_the_table_of_the_docs_is_that_of_what_is_kept():
    inside = PAGE.read_text().partition(BEGIN)[2].partition(END)[0]
    assert inside.strip() == table(read()[1]).strip()
