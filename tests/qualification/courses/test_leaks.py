"""An item is called leaked where far more answers are right since a day, and hardly ever where nothing changed."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from qualification.courses.item_figures import ALARM, ItemFigures, Jump, chance_of_jump, jump_of
from tests.qualification.courses.building import choice

FIRST = date(2026, 3, 2)


def answers(*days: tuple[int, int]) -> list[tuple[date, bool]]:
    """(right ones, all) of each day."""
    return [(FIRST + timedelta(n), place < right) for n, (right, of) in enumerate(days) for place in range(of)]


def test_a_jump_is_dated_by_the_first_day_of_it():
    found = jump_of(answers((10, 20), (10, 20), (10, 20), (19, 20), (20, 20)))
    assert found == Jump(FIRST + timedelta(3), 0.5, 39 / 40)


def test_a_share_that_falls_or_stays_is_no_leak():
    assert jump_of(answers((20, 20), (20, 20), (5, 20), (5, 20))) is None
    assert jump_of(answers(*[(10, 20)] * 6)) is None
    assert jump_of([]) is None


@pytest.mark.parametrize(("earlier", "found"), [(19, False), (20, True)])
def test_there_have_to_be_twenty_answers_before_it(earlier, found):
    assert (jump_of(answers((2, earlier), (80, 80))) is not None) is found


@pytest.mark.parametrize(("later", "found"), [(19, False), (20, True)])
def test_there_have_to_be_twenty_answers_since(later, found):
    assert (jump_of(answers((30, 80), (later, later))) is not None) is found


@pytest.mark.parametrize(("right", "found"), [(5999, False), (6000, True)])
def test_it_has_to_grow_by_a_tenth_however_many_answers_there_are(right, found):
    assert (jump_of(answers((5000, 10_000), (right, 10_000))) is not None) is found


def test_thechance_of_jump_is_that_of_fishers_table():
    """The lady tasting tea: 4 of 4 by chance once in 70 times, 3 or more 17 times."""
    assert chance_of_jump(4, 0, 4, 4) == pytest.approx(1 / 70)
    assert chance_of_jump(4, 1, 4, 3) == pytest.approx(17 / 70)


def test_of_items_that_nobody_passes_on_few_are_called_leaked():
    """At most one in a thousand is promised; of 1,500 items, five or more would come once in 50 times at that rate."""
    random = Random(7)
    items = [
        [(FIRST + timedelta(random.randrange(30)), random.random() < share) for _n in range(200)]
        for share in (0.5, 0.7, 0.9)
        for _item in range(500)
    ]
    assert sum(jump_of(each) is not None for each in items) < 5
    assert ALARM == 0.001


def test_most_leaks_from_a_half_to_nine_tenths_are_found_near_their_day():
    random = Random(11)
    found = []
    for _item in range(200):
        days = [random.randrange(30) for _n in range(200)]
        found.append(jump_of((FIRST + timedelta(n), random.random() < (0.9 if n >= 15 else 0.5)) for n in days))
    near = [each for each in found if each and abs((each.since - FIRST).days - 15) <= 3]
    assert len(near) > 170


@pytest.mark.parametrize(("n", "leaked"), [(99, False), (100, True)])
def test_an_item_is_called_leaked_from_a_hundred_answers_on(n, leaked):
    assert ItemFigures(choice("one"), "Task", 1, n, 60, None, None, Jump(FIRST, 0.5, 0.9)).leaked is leaked
    assert not ItemFigures(choice("one"), "Task", 1, n, 60, None, None).leaked
