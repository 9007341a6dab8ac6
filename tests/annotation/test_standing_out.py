"""Somebody stands out who agrees with the others clearly less than these do with each other, and nobody by chance."""

from __future__ import annotations

from random import Random

import pytest

from annotation.agreement import people
from annotation.agreement.table import RatedUnit, empty
from annotation.statistics.estimates import Estimate
from annotation.values.measures import Comparison, Measure

CLASS = Measure("class", "Class", "annotate", "nominal", lambda record: None)
SIMILARITY = Comparison("similarity", "Similarity", "annotate", lambda record: None, lambda one, other: 0.0)


def found(*slips, items=80, each=None, measured=(CLASS, SIMILARITY), seed=1):
    """Who stands out of people 1, 2 ... who are wrong in these shares of the items; `each`: how many judge one item."""
    rng, units = Random(seed), []
    for item in range(items):
        who = sorted(rng.sample(range(len(slips)), each or len(slips)))
        codes = [(item + (rng.random() < slips[one])) % 2 for one in who]
        pairs = [(place, other) for place in range(len(who)) for other in range(place + 1, len(who))]
        alike = [float(codes[place] == codes[other]) for place, other in pairs]
        columns = [column for one in measured if one is SIMILARITY for column in (alike, [1.0] * len(pairs))]
        units.append(RatedUnit(item, 0, "train", 0.0, who, [one + 1 for one in who], [codes], columns))
    table = empty(measured).replaced([], units)
    table.categories["class"] = [0, 1]
    known = people.of_people(table, measured, range(1, len(slips) + 1))
    return people.standing_out(table, measured, known)


@pytest.mark.parametrize("each", [4, 2])
def test_a_careless_person_among_careful_ones_stands_out(each):
    who = found(0.02, 0.4, 0.02, 0.02, items=80 if each == 4 else 300, each=each)
    assert set(who) == {"class", "similarity"}
    assert who["class"] == who["similarity"]
    person, theirs, others = who["class"]
    assert person == 2
    assert Estimate.from_list(theirs).high < Estimate.from_list(others).value
    assert Estimate.from_list(others).value > 0.9


@pytest.mark.parametrize("slips", [(0.02, 0.02, 0.02), (0.2, 0.2, 0.2, 0.2), (0.4, 0.4, 0.4), (0.0, 0.0, 0.0)])
def test_nobody_stands_out_of_people_who_are_alike(slips):
    assert found(*slips) == {}


def test_nobody_stands_out_by_chance_of_many_people_who_are_alike():
    """40 projects of twenty people: without the correction for so many, somebody would in two of them."""
    for seed in range(40):
        assert found(*[0.4] * 20, each=3, items=160, measured=(CLASS,), seed=seed) == {}


def test_of_few_items_nobody_is_said_to_stand_out():
    assert found(0.02, 0.5, 0.02, items=12) == {}


def test_of_two_people_none_can_stand_out():
    assert found(0.02, 0.4) == {}


def test_less_than_a_twentieth_is_nothing_to_see_to():
    assert found(0.01, 0.03, 0.01, items=4000) == {}
