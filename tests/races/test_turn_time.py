"""More time asked for many times at once is one request; an answer and the end of the work never both happen."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import AlreadyClosed, NotEligible
from annotation.models import Event, Response
from tasks.pairs import leaving, presence, turn_time
from tests.protocols.toy.building import Pair, toy_project
from tests.proving import size
from tests.races.rigs.crowd import together
from tests.tasks.pairs.visiting import at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]


def asks_for_more(pair, seconds):
    row = pair.row("asker")
    try:
        turn_time.ask_for_more(row, by=row.annotator, now=at(seconds))
    except NotEligible:
        return False
    return True


def test_more_time_asked_for_many_times_at_once_is_one_request():
    pair = Pair.seated(toy_project())
    assert together([partial(asks_for_more, pair, 130)] * 8).count(True) == 1
    assert Event.objects.filter(kind="assignment.more_time").count() == 1


def answers(pair, seconds):
    try:
        pair.say("asker", "ask-1", now=at(seconds))
    except AlreadyClosed:
        return False
    return True


def leaves(pair, seconds):
    row = pair.row("teller")
    try:
        leaving.end(row, by=row.annotator, now=at(seconds))
    except NotEligible:
        return False
    return True


def test_who_answers_in_the_moment_in_which_they_are_left_behind_has_either_answered_or_lost_their_place():
    toys = toy_project()
    for turn in range(size(4, 8)):
        pair = Pair.seated(toys, f"ann-{turn}", f"tom-{turn}")
        for seat in ("asker", "teller"):
            presence.note(pair.row(seat), now=at(195))
        answered, left = together([partial(answers, pair, 200), partial(leaves, pair, 200)])
        assert answered != left
        assert Response.objects.filter(annotation=pair.annotation).count() == answered
        assert {pair.row(seat).state for seat in ("asker", "teller")} == {"leased" if answered else "returned"}
