"""Intervals of judging rounds contain the truth: in a part that is simulated here, and in all of it as it is kept."""

from __future__ import annotations

from math import sqrt

import pytest

from tests.simulations.__main__ import BEGIN_OF_ROUNDS, END, HALF, PAGE, in_words, read_rounds
from tests.simulations.cover import parameters
from tests.simulations.rounds import ROUNDS, RoundCell, round_cells, round_cover, round_table
from tests.simulations.test_cover import words

LEAST, AIM_FROM = 0.9, 139
AIM = (0.93, 0.97)
"""From so many questions on the cover is between these; with fewer, intervals are rather too wide than too narrow."""
GIVEN = [
    RoundCell("marks", 0.5, 20, 5),
    RoundCell("marks", 0.1, 139, 5),
    RoundCell("pearson", 0.8, 139, 5),
    RoundCell("weighted_kappa", 0.8, 50, 5),
    RoundCell("icc", 0.8, 139, 1),
]


@pytest.mark.parametrize("cell", GIVEN, ids=words)
def test_intervals_of_rounds_contain_the_truth_as_often_as_they_should(cell):
    found = round_cover(cell, rounds=200)
    assert found.given > HALF * found.rounds
    assert found.covered / found.given >= LEAST - 2 * sqrt(LEAST * (1 - LEAST) / found.given)


@pytest.mark.parametrize("statistic", ["pearson", "weighted_kappa", "icc"])
def test_of_ten_questions_there_is_none(statistic):
    assert round_cover(RoundCell(statistic, 0.8, 10, 5), rounds=100).given == 0


def test_what_is_kept_of_rounds_is_of_every_cell_under_the_present_rule():
    kept, found = read_rounds()
    assert kept == parameters()
    assert set(found) == set(round_cells())
    assert {one.rounds for one in found.values()} == {ROUNDS}


def test_in_what_is_kept_of_rounds_intervals_contain_the_truth_wherever_most_have_one():
    found = read_rounds()[1]
    share = {cell: one.covered / one.given for cell, one in found.items() if one.given >= HALF * one.rounds}
    assert min(share.values()) >= LEAST
    assert all(AIM[0] <= covered <= AIM[1] for cell, covered in share.items() if cell.questions >= AIM_FROM)
    assert set(share) >= {cell for cell in found if cell.questions >= AIM_FROM}
    assert max((one.given - one.covered) / one.rounds for one in found.values()) <= 1 - LEAST


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/simulations/test_rounds.py::test_what_is_kept_of_rounds_is_what_the_present_code_finds"
)
AGAIN = [RoundCell("marks", 0.1, 50, 5), pytest.param(RoundCell("icc", 0.8, 20, 5), marks=OTHERS)]
"""Every data set of it is drawn anew, which takes seconds."""


@pytest.mark.parametrize("cell", AGAIN, ids=words)
def test_what_is_kept_of_rounds_is_what_the_present_code_finds(cell):
    """Another machine may round another way, which turns one of them at most."""
    found, kept = round_cover(cell), read_rounds()[1][cell]
    assert abs(found.given - kept.given) <= 1
    assert abs(found.covered - kept.covered) <= 1


def test_the_table_of_rounds_in_the_docs_is_that_of_what_is_kept():
    inside = PAGE.read_text().partition(BEGIN_OF_ROUNDS)[2].partition(END)[0]
    assert inside.strip() == round_table(read_rounds()[1], in_words).strip()
