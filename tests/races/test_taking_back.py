"""One takes back what they sent while the other begins to answer it: exactly one of the two comes first."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from annotation import randomness
from annotation.engine import recording
from annotation.engine.work import Work
from annotation.errors import StalePage, WrongMove
from annotation.models import Draft, Response
from tasks.engine import assignments, submitting
from tasks.engine.submitting import PageLoad
from tasks.pairs import taking_back
from tests.builders import reload
from tests.people import NOON
from tests.protocols.toy.building import Pair, toy_project
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
ROUNDS = size(8, 400)


def asked(project) -> Pair:
    """Two people, of whom one has just asked."""
    names = [f"{randomness.handle()}" for _person in range(2)]
    pair = Pair.seated(project, *names)
    pair.say("asker", "ask-1")
    return pair


def takes_back(row) -> str:
    try:
        taking_back.take_back(row, "ask-1", by=row.annotator, now=NOON)
    except WrongMove:
        return "refused"
    return "taken back"


def begins(row, seen) -> str:
    tab = PageLoad(client=randomness.handle())
    try:
        submitting.save_draft(row, "tell-1", {"text": "well"}, by=row.annotator, tab=tab, seq=1, seen=seen, now=NOON)
    except StalePage:
        return "stale"
    return "begun"


def answers(row, seen) -> str:
    payload = {"text": "so", "reason": "so, since"}
    try:
        submitting.commit(row, "tell-1", payload, by=row.annotator, key=randomness.handle(), seen=seen, now=NOON)
    except StalePage:
        return "stale"
    return "begun"


def outcome(pair: Pair, act, take=takes_back) -> tuple[str, str]:
    """What both get who act at once."""
    seen = pair.work("teller").seen_at("tell-1")
    rows = {seat: reload(held) for seat, held in pair.held.items()}
    return tuple(together([partial(take, rows["asker"]), partial(act, rows["teller"], seen)]))


@pytest.mark.parametrize("act", [begins, answers])
def test_either_it_is_taken_back_or_it_is_being_answered(act, crossings):
    found = set()
    for turn in range(ROUNDS):
        pair = asked(toy_project(f"toys-{turn}"))
        came = outcome(pair, act)
        found.add(came)
        gone = Response.objects.filter(annotation=pair.annotation, schema="taken-back/1").exists()
        begun = Draft.objects.filter(annotation=pair.annotation, author=pair.teller).exists()
        answered = Response.objects.filter(annotation=pair.annotation, stage="tell").exists()
        assert gone != (begun or answered)
    assert found <= {("taken back", "stale"), ("refused", "begun")}
    assert crossings == []


def test_one_who_takes_back_in_many_windows_does_it_once(crossings):
    pair = asked(toy_project())
    rows = [reload(pair.held["asker"]) for _window in range(6)]
    assert set(together(partial(takes_back, row) for row in rows)) == {"taken back"}
    assert Response.objects.filter(schema="taken-back/1").count() == 1
    assert crossings == []


def test_the_control_one_who_looks_and_then_acts_takes_back_what_is_being_answered():
    pair = asked(toy_project())
    looked, acted = threading.Event(), threading.Event()

    def looks_and_then_takes_back(row) -> str:
        work: Work = assignments.work_of(row)
        assert work.withdrawable == "ask-1"
        assert not Draft.objects.filter(annotation=work.annotation).exists()
        looked.set()
        acted.wait(60)
        stage = work.stage("ask-1")
        recording.take_back(work.annotation, author=row.annotator, stage=stage, turn=1, seat="asker", now=NOON)
        return "taken back"

    def begins_meanwhile(row, seen) -> str:
        looked.wait(60)
        try:
            return begins(row, seen)
        finally:
            acted.set()

    assert outcome(pair, begins_meanwhile, take=looks_and_then_takes_back) == ("taken back", "begun")
