"""A rater looks at an item's answers in one tab while they mark it in another: no mark is later than the look."""

from __future__ import annotations

from contextlib import suppress
from threading import Event

import pytest
from django.db import connection

from annotation.errors import AlreadyClosed
from annotation.judging import rounds
from annotation.models import Exhibit, Response, Role
from annotation.triggers.append_only import drop_triggers, install_triggers
from tasks.judging import looking, raters, working
from tests.factories.judging import RecusalFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, lead, lights

__all__ = ["lead", "lights"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
RACES = size(16, 400)
CONTROLS = 24
EACH = 8


@pytest.fixture
def races(lights, lead):
    """A function: for each of so many races of one more rater, about the first exhibit, whether nothing was marked
    after they had looked at it without a mark, and whether they marked it."""

    def races(count, look):
        row = draft(lights, lead)
        people = [join(lights, f"rater-{number}", Role.EXPERT) for number in range(count)]
        for person in people:
            raters.name(row, person, by=lead, now=NOON)
        rounds.seal(row, by=lead, now=NOON)
        exhibit = Exhibit.objects.select_related("item", "round__project").get(round=row, place=0)
        return (_race(number, RaterAtWork(person, lights), exhibit, look) for number, person in enumerate(people))

    return races


def _race(number, rater, exhibit, look):
    row = exhibit.round
    work = working.work_in(working.begin(row, by=rater.user, now=NOON)).get(task__exhibit=exhibit)
    marked, looked = Event(), Event()

    def mark():
        if number % EACH == 0:  # one of so many is lost for certain, and one won; the others are races
            looked.wait(60)
        with suppress(AlreadyClosed):  # the look was faster
            rater.judge(work, "C")
        marked.set()

    def seen() -> bool:
        if number % EACH == 1:
            marked.wait(60)
        for _ in range(3 * (number % EACH)):  # the later, the likelier the other is faster
            raters.left_out(row, rater.user)
        look(rater.user, exhibit)
        looked.set()
        return exhibit.pk in raters.left_out(row, rater.user)

    _, was_seen = together([mark, seen])
    has_mark = Response.objects.filter(annotation=work.annotation).exists()
    return not (was_seen and has_mark), has_mark


def _looked(person, exhibit):
    looking.look(person, exhibit.round.project.slug, exhibit.item_id, now=NOON)


def _looked_carelessly(person, exhibit):
    """Only noted, without waiting for who is just marking it."""
    RecusalFactory.insert(round=exhibit.round, person=person, item=exhibit.item)


def test_what_was_looked_at_without_a_mark_gets_none(races):
    outcomes = list(races(RACES, _looked))
    assert all(good for good, _ in outcomes)
    assert {marked for _, marked in outcomes} == {True, False}


def test_control_a_look_that_is_only_noted_is_followed_by_marks(races):
    drop_triggers(connection)
    try:
        assert not all(good for good, _ in races(CONTROLS, _looked_carelessly))
    finally:
        install_triggers(connection)
