"""A round of three experts over three long answers whose meeting has begun."""

from __future__ import annotations

import pytest

from annotation.judging import rounds
from annotation.models import Rater, Role
from tasks.judging import raters, working
from tasks.judging.meeting import agenda, agreeing, room, voters
from tests.factories.judging import ExhibitFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft

NAMES = ("erin", "egon", "emma")
FIRST = (("C", "C", "C"), ("Cd", "W", "C"), ("C", "Cd", "C"))
"""The first marks of the exhibits 0, 1, 2, each by Erin, Egon and Emma: unanimous, far apart, a little apart."""


def judge_by_place(person, row, marks, *, now=NOON):
    """Give the exhibits 0, 1, 2 these marks, and lock."""
    worker = RaterAtWork(person, row.project)
    lease = working.begin(row, by=person, now=now)
    for work in working.work_in(lease).select_related("annotation__exhibit"):
        worker.judge(work, marks[work.annotation.exhibit.place], now=now)
    working.lock(row, by=person, now=now)


def begun(project, lead, people, *, more=0):
    """A round whose meeting has begun, with its first rater in the chair; everybody is in the room.

    `more`: so many exhibits follow the three, on which the raters do not agree either.
    """
    row = draft(project, lead, meeting=True)
    for person in people:
        raters.name(row, person, by=lead, now=NOON)
    alike = {"round": row, "item": project.items.earliest("pk"), "shown": {"prompt": "who"}, "sha256": "0" * 64}
    ExhibitFactory.insert_many(alike | {"place": place, "turn": place} for place in range(3, 3 + more))
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    voters.choose_chair(row, people[0], by=lead, now=NOON)
    for number, person in enumerate(people):
        judge_by_place(person, row, [marks[number % 3] for marks in (*FIRST, *[FIRST[1]] * more)])
    row.refresh_from_db()
    for person in people:
        room.enter(row, by=person, now=NOON)
    return row


@pytest.fixture
def voting(lights):
    """Erin, Egon and Emma."""
    return [join(lights, name, Role.EXPERT) for name in NAMES]


@pytest.fixture
def meeting(lights, lead, voting):
    """The round at its meeting; Erin is in the chair."""
    return begun(lights, lead, voting)


def exhibit_at(row, place):
    return row.exhibits.select_related("round__project").get(place=place)


def settle(row, place, mark, *, people, now=NOON):
    """Have the chair propose a mark, and all confirm it."""
    made = agreeing.propose(exhibit_at(row, place), mark=mark, reason="So.", by=people[0], now=now)
    for person in people[1:]:
        agreeing.confirm(exhibit_at(row, place), number=made.number, by=person, now=now)


def order(row):
    """The places on the agenda, and below it."""
    found = agenda.agenda_of(row)
    return [item.place for item in found.items], [item.place for item in found.unanimous]


def rater_of(row, person):
    return Rater.objects.select_related("round__project", "person").get(round=row, person=person)
