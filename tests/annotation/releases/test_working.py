"""Whose answer a span of working time led to."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.releases.measuring.measured import shared
from tests.people import NOON

ANN, BEN = 1, 2


def at(minute):
    return NOON + timedelta(minutes=minute)


TALK = [(ANN, at(2)), (BEN, at(4)), (ANN, at(6)), (BEN, at(8))]
"""Two people answer in turn."""


@pytest.mark.parametrize(
    ("who", "begun", "shares"),
    [
        (ANN, 0, [60, 0, 0, 0]),
        (ANN, 2, [60, 0, 0, 0]),
        (ANN, 3, [0, 0, 60, 0]),
        (BEN, 0, [0, 60, 0, 0]),
        (BEN, 8, [0, 0, 0, 60]),
        (ANN, 7, [0, 0, 60, 0]),
        (3, 5, [0, 0, 60, 0]),
        (BEN, 9, []),
    ],
)
def test_a_span_belongs_to_the_next_answer_of_the_same_person(who, begun, shares):
    assert shared(TALK, [(who, at(begun), 60.0)]) == shares


def test_what_began_with_an_answer_still_belongs_to_it_and_what_began_later_does_not():
    just_after = at(2) + timedelta(microseconds=1)
    assert shared(TALK[:1], [(ANN, at(2), 5.0), (ANN, just_after, 7.0)]) == [5]


def test_whole_seconds_have_the_sum_of_the_fractions():
    spans = [(ANN, at(1), 0.4), (ANN, at(5), 0.4), (BEN, at(7), 0.4)]
    assert shared(TALK, spans) == [0, 0, 1, 0]


def test_without_answers_or_spans_there_are_none():
    assert shared([], [(ANN, at(1), 5.0)]) == shared(TALK, []) == []
