"""A training topic is done by a pair or by one person alone: whoever holds it first has it."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.models import Annotation
from tasks.engine import claiming, skip_and_return
from tasks.engine.no_work import NoWork
from tasks.models import Assignment
from tasks.models.states import HOLDS_SLOT
from tasks.pairs import matching
from tests.people import NOON, join
from tests.protocols.toy.building import toy_project
from tests.races.rigs.crowd import together
from tests.tasks.pairs import visiting

TOPICS = 8


@pytest.fixture
def with_alone(db, monkeypatch):
    """A project of its own for each test: one has real commits."""
    return visiting.with_alone(monkeypatch)


def alone(project, name):
    return claiming.claim(project, "talk_alone", by=join(project, name), now=NOON)


def pair(project, number):
    people = [join(project, f"{role}-{number}") for role in ("ann", "tom")]
    return matching.seat(project, "talk", people, now=NOON)


def topics(activity):
    held = Assignment.objects.filter(state__in=HOLDS_SLOT, task__activity=activity)
    return set(held.values_list("task__item", flat=True))


def test_a_pair_is_not_seated_at_what_somebody_does_alone(with_alone):
    mine = alone(with_alone.project, "sol")
    seated = [pair(with_alone.project, number) for number in range(TOPICS)]
    assert len([held for held in seated if held]) == TOPICS - 1
    assert mine.task.item_id not in topics("talk")


def test_what_a_pair_holds_is_given_to_another_pair_where_two_are_wanted(db, monkeypatch):
    twice = toy_project("twice", activities={"talk": {"overlap": {"train": 2}}})
    visiting.allow_alone(twice, monkeypatch)
    assert all(pair(twice, number) for number in range(2 * TOPICS))
    assert not pair(twice, 2 * TOPICS)


def test_nobody_is_given_alone_what_a_pair_holds(with_alone):
    for number in range(TOPICS):
        assert pair(with_alone.project, number)
    assert isinstance(alone(with_alone.project, "sol"), NoWork)


def test_what_a_pair_has_given_back_can_be_done_alone(with_alone):
    for number in range(TOPICS):
        (held, _) = pair(with_alone.project, number)
    skip_and_return.give_back(held, by=held.annotator, now=NOON)
    assert alone(with_alone.project, "sol").task.item_id == held.task.item_id


def test_who_has_left_a_pair_begins_its_topic_anew_alone(with_alone):
    for number in range(TOPICS):
        (held, _) = pair(with_alone.project, number)
    skip_and_return.give_back(held, by=held.annotator, now=NOON)
    mine = claiming.claim(with_alone.project, "talk_alone", by=held.annotator, now=NOON)
    assert mine.task.item_id == held.task.item_id
    assert (mine.annotation.activity, mine.annotation.pk != held.annotation_id) == ("talk_alone", True)


@pytest.mark.django_db(transaction=True)
def test_of_those_who_take_the_last_topics_at_once_no_two_have_the_same(with_alone):
    project = with_alone.project
    people = [join(project, f"sol-{number}") for number in range(TOPICS)]
    pairs = [[join(project, f"{role}-{number}") for role in ("ann", "tom")] for number in range(TOPICS)]
    together(
        [
            *(partial(claiming.claim, project, "talk_alone", by=person, now=NOON) for person in people),
            *(partial(matching.seat, project, "talk", two, now=NOON) for two in pairs),
        ]
    )
    assert not topics("talk") & topics("talk_alone")
    assert len(topics("talk") | topics("talk_alone")) == TOPICS
    assert Annotation.objects.count() == TOPICS
