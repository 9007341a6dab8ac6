"""The leases of two people who work together live and end together, and those of others beside them do not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.errors import AlreadyClosed
from annotation.models import Response
from tasks.engine import leases
from tasks.models import Lease
from tasks.models.states import AssignmentState
from tests.people import NOON
from tests.protocols.toy.building import Pair

SEATS = ("asker", "teller")


def at(minutes):
    return NOON + timedelta(minutes=minutes)


@pytest.fixture
def pair(toys):
    return Pair.seated(toys, "ann", "tom", now=NOON)


@pytest.fixture
def others(toys):
    return Pair.seated(toys, "zoe", "max", now=NOON)


def ends(pair):
    return [pair.row(seat).lease.expires_at for seat in SEATS]


def states(pair):
    return [pair.row(seat).state for seat in SEATS]


def test_who_renews_extends_the_partners_too_and_nobody_elses(pair, others):
    before = ends(others)
    until = leases.renew(pair.row("asker").lease, now=at(5))
    assert ends(pair) == [until, until]
    assert ends(others) == before
    assert before[0] < until


def test_a_partner_who_has_left_is_not_extended(pair):
    gone = pair.row("teller").lease
    Lease.objects.filter(pk=gone.pk).update(closed_at=at(1))
    until = leases.renew(pair.row("asker").lease, now=at(5))
    assert ends(pair) == [until, gone.expires_at]


def test_when_the_time_of_one_is_over_the_partner_is_let_go_and_other_pairs_go_on(pair, others):
    leases.expire_early(pair.row("asker").lease, now=at(5))
    assert states(pair) == [AssignmentState.EXPIRED, AssignmentState.RETURNED]
    assert pair.row("teller").lease.closed_at == at(5)
    assert states(others) == [AssignmentState.LEASED] * 2
    assert others.row("asker").lease.closed_at is None


@pytest.mark.parametrize("whose", SEATS)
def test_whoever_has_the_turn_writes_nothing_more_once_the_time_of_either_is_over(pair, whose):
    pair.talk(until=1)
    leases.expire_early(pair.row(whose).lease, now=at(5))
    with pytest.raises(AlreadyClosed):
        pair.say("asker", "ask-2", now=at(6))
    assert Response.objects.count() == 2
