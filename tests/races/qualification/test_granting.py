"""A grant is given once however many give it at once, and nobody is given work after it was revoked."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from annotation import randomness
from annotation.errors import NotEligible
from annotation.models import Event
from qualification import granting
from qualification.models import Grant
from tasks.engine import claiming, skip_and_return
from tasks.models import Assignment
from tests.builders import reload
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import study, together

pytestmark = pytest.mark.django_db(transaction=True)
GIVERS = size(40, 100)


@pytest.fixture
def lights(tmp_path):
    return study(tmp_path, items=1, slots=1)


def give(qualification, person):
    try:
        return granting.give(qualification, [person], reason="Knows it", form=randomness.handle(), by=None, now=NOON)
    except IntegrityError:
        return None


@pytest.mark.one_database_for_a_merge("postgresql")
def test_of_many_who_give_the_same_grant_one_does(lights):
    made, alice = QualificationFactory(project=lights), join(lights, "alice")
    given = together([partial(give, made, alice)] * GIVERS)
    assert sorted(map(len, given)) == [0] * (GIVERS - 1) + [1]
    assert Grant.objects.count() == Event.objects.filter(kind="grant.given").count() == 1


@pytest.mark.postgresql_only  # on SQLite one transaction writes at a time, with this lock or without
def test_the_control_without_the_lock_only_the_constraint_is_left(lights, monkeypatch):
    made, alice = QualificationFactory(project=lights), join(lights, "alice")
    monkeypatch.setattr(granting, "lock_qualification", lambda qualification: qualification)
    given = together([partial(give, made, alice)] * GIVERS)
    assert None in given
    assert Grant.objects.count() == 1


def claim_once(project, person):
    try:
        return claiming.claim(project, "annotate", by=person, now=NOON)
    except NotEligible as why:
        return why.reason


def revoke(grant):
    return granting.revoke(grant, reason="Seen in the work.", after=0, by=None, now=NOON)


def test_a_claim_comes_before_a_revocation_or_gets_nothing(lights):
    made, alice = QualificationFactory(project=lights, needed_for=["annotate"]), join(lights, "alice")
    for _ in range(size(6, 500)):
        grant = GrantFactory(qualification=made, user=alice)
        got, _ = together([partial(claim_once, lights, alice), partial(revoke, grant)])
        if isinstance(got, Assignment):
            skip_and_return.give_back(reload(got), by=alice, now=NOON)
        else:
            assert got == "not_qualified"
        assert claim_once(lights, alice) == "not_qualified"


def test_while_a_revocation_is_not_committed_a_claim_waits_and_then_gets_nothing(lights):
    made, alice = QualificationFactory(project=lights, needed_for=["annotate"]), join(lights, "alice")
    GrantFactory(qualification=made, user=alice)
    locked, asked = threading.Event(), threading.Event()

    def take_away():
        with transaction.atomic():
            revoke(Grant.objects.get())
            locked.set()
            asked.wait(10)
        return "revoked"

    def ask():
        locked.wait(10)
        asked.set()
        return claim_once(lights, alice)

    assert together([take_away, ask]) == ["revoked", "not_qualified"]
