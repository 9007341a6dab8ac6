"""A participant group on Prolific holds who has a qualification, and nobody else is touched."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import NotFound, WrongMove
from qualification import granting
from tasks.models import StudyGroup
from tasks.prolific import groups
from tasks.prolific.api import TurnedAway
from tests.builders import project
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.prolific.site import WORKSPACE_GROUP, Failure, by_number
from tests.prolific.story import LATER


@pytest.fixture
def reading(lights):
    return QualificationFactory(project=lights.project)


@pytest.fixture
def group(lights, reading):
    return groups.add(lights.study, reading, WORKSPACE_GROUP, by=lights.lead, now=LATER)


def grant(lights, reading, name: str, n: int):
    return GrantFactory(qualification=reading, user=lights.joins(name, by_number(n)))


def fill(minutes: int = 0) -> int:
    return groups.fill_due(now=LATER + timedelta(minutes=minutes))


def test_who_has_the_qualification_is_put_into_the_group(lights, reading, group):
    grant(lights, reading, "ada", 1)
    lights.joins("ben", by_number(2))
    assert fill() == 1
    assert lights.site.group == {by_number(1)}
    assert StudyGroup.objects.get().members == 1
    assert group.name == "Good readers"


def test_who_loses_it_is_taken_out_and_others_in_the_group_stay(lights, reading, group):
    given = grant(lights, reading, "ada", 1)
    lights.site.group.add(by_number(77))
    fill()
    granting.suspend(given, reason="copied", after=0, by=lights.lead, now=LATER)
    fill(minutes=2)
    assert lights.site.group == {by_number(77)}


def test_nothing_is_sent_while_nothing_changes(lights, reading, group):
    grant(lights, reading, "ada", 1)
    fill()
    before = len(lights.site.asked)
    assert fill(minutes=2) == 0
    assert len(lights.site.asked) == before


def test_a_group_that_could_not_be_filled_is_tried_again_and_says_why(lights, reading, group):
    grant(lights, reading, "ada", 1)
    lights.site.fail("POST .*participants", Failure(503, done=False))
    fill()
    assert "503" in StudyGroup.objects.get().problem
    assert fill(minutes=9) == 0
    assert fill(minutes=10) == 1
    assert (StudyGroup.objects.get().problem, lights.site.group) == ("", {by_number(1)})


def test_a_group_that_does_not_exist_is_refused(lights, reading):
    with pytest.raises(TurnedAway):
        groups.add(lights.study, reading, by_number(5), by=lights.lead, now=LATER)


def test_a_group_and_a_qualification_are_used_once(lights, reading, group):
    with pytest.raises(WrongMove, match="in use"):
        groups.add(lights.study, QualificationFactory(project=lights.project, key="other"), WORKSPACE_GROUP,
                   by=lights.lead, now=LATER)  # fmt: skip


def test_a_qualification_of_another_project_is_refused(lights):
    with pytest.raises(NotFound):
        groups.add(lights.study, QualificationFactory(project=project("elsewhere")), WORKSPACE_GROUP, by=lights.lead,
                   now=LATER)  # fmt: skip


def test_a_group_that_is_dropped_is_filled_no_more(lights, reading, group):
    groups.drop(group, by=lights.lead, now=LATER)
    grant(lights, reading, "ada", 1)
    assert fill() == 0
    assert lights.site.group == set()
