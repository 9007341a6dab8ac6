"""Two pages of one rater send marks for the answers to an item: all of one page count, never some of each."""

from __future__ import annotations

from contextlib import suppress

import pytest

from annotation import randomness
from annotation.errors import StalePage
from annotation.models import Response, Role
from frontend import access
from tasks.engine import submitting
from tasks.judging import together as on_one_screen
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.judging.together_rounds import mark, row_of, screens_of_rater, seal_together, take_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
RACES = size(12, 400)
CONTROLS = 30


@pytest.fixture
def race_of(db, tmp_path):
    """Runs a race about a screen between two pages; returns the marks that count."""
    made = take_in(tmp_path, map(row_of, range(max(RACES, CONTROLS))))
    lead, erin = join(made, "lena", Role.LEAD), join(made, "erin", Role.EXPERT)
    screens = screens_of_rater(seal_together(made, lead, [erin]), erin)

    def run(number, send):
        def page(given):
            held = access.own_assignment(erin, screens[number][0].uuid)
            parts = on_one_screen.on_screen_of(held)

            def act():
                with suppress(StalePage):  # the other page was faster
                    send(parts, given)

            return act

        together([page("5"), page("1")])
        exhibits = [each.annotation.exhibit for each in screens[number]]
        return [
            Response.objects.filter(annotation__exhibit=each).order_by("pk").last().payload["mark"] for each in exhibits
        ]

    return run


def _at_once(parts, given):
    mark(parts, *[given] * len(parts), seen=0)


def _one_by_one(parts, given):
    """Each mark in a transaction of its own, those of one page from the end."""
    for part in parts if given == "5" else reversed(parts):
        answer = {"mark": given, "part": "", "comment": ""}
        with suppress(StalePage):
            submitting.commit(
                part, "judge", answer, by=part.annotator, key=randomness.handle(), seen=0, tab=None, now=NOON
            )


def test_all_marks_of_a_screen_are_of_one_page(race_of):
    outcomes = [race_of(number, _at_once) for number in range(RACES)]
    assert all(len(set(marks)) == 1 for marks in outcomes)


def test_control_marks_that_are_sent_one_by_one_are_mixed(race_of):
    assert any(len(set(race_of(number, _one_by_one))) == 2 for number in range(CONTROLS))
