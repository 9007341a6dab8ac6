"""A lead flags an exhibit while a rater marks it: it is a defect without a mark, or it has a mark and is none."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from threading import Event

import pytest
from django.db import connection

from annotation.errors import AlreadyClosed, WrongMove
from annotation.judging import rounds
from annotation.models import Defect, Response, Role
from annotation.triggers.append_only import drop_triggers, install_triggers
from tasks.judging import defects, raters, working
from tests.factories.judging import DefectFactory, ExhibitFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, lead, lights

__all__ = ["lead", "lights"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
RACES = size(16, 400)
CONTROLS = 20
EACH = 8


@pytest.fixture
def races(lights, lead):
    """A function: for each of so many races about an exhibit, whether it is not both marked and a defect, and whether
    it is one."""

    def races(count, flag):
        places = range(3, 3 + count)
        row = draft(lights, lead)
        erin = RaterAtWork(join(lights, "erin", Role.EXPERT), lights)
        raters.name(row, erin.user, by=lead, now=NOON)
        alike = {"round": row, "item": lights.items.earliest("pk"), "shown": {"prompt": "who"}, "sha256": "0" * 64}
        ExhibitFactory.insert_many(alike | {"place": place, "turn": place} for place in places)
        rounds.seal(row, by=lead, now=NOON)
        works = list(working.work_in(working.begin(row, by=erin.user, now=NOON)).select_related("task__exhibit"))
        held = {work.task.exhibit.place: work for work in works}
        return (_race(row, place, erin, held[place], partial(flag, by=lead)) for place in places)

    return races


def _race(row, place, erin, work, flag):
    exhibit = row.exhibits.select_related("round__project", "item").get(place=place)
    marked, over = Event(), Event()

    def mark():
        if place % EACH == 0:  # one of so many is lost for certain, and one won; the others are races
            over.wait(60)
        with suppress(AlreadyClosed):  # the flag was faster
            erin.judge(work, "C")
        marked.set()

    def flag_it():
        if place % EACH == 1:
            marked.wait(60)
        for _ in range(3 * (place % EACH)):  # the later, the likelier the other is faster
            raters.left_out(row, erin.user)
        flag(exhibit)
        over.set()

    together([mark, flag_it])
    flagged = Defect.objects.filter(exhibit=exhibit).exists()
    return not (flagged and Response.objects.filter(annotation__exhibit=exhibit).exists()), flagged


def _flagged(exhibit, by):
    with suppress(WrongMove):  # the mark was faster
        defects.flag(exhibit, why="It is cut off.", by=by, now=NOON)


def _flagged_carelessly(exhibit, by):
    """Looked up and written, without waiting for who is just marking it."""
    if not Response.objects.filter(annotation__exhibit=exhibit).exists():
        DefectFactory.insert(exhibit=exhibit, by=by)


def test_nothing_is_marked_and_a_defect(races):
    outcomes = list(races(RACES, _flagged))
    assert all(good for good, _ in outcomes)
    assert {flagged for _, flagged in outcomes} == {True, False}


def test_control_a_flag_that_waits_for_nobody_hits_what_is_marked(races):
    drop_triggers(connection)
    try:
        assert not all(good for good, _ in races(CONTROLS, _flagged_carelessly))
    finally:
        install_triggers(connection)
