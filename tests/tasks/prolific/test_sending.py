"""Bonuses are paid once: whatever becomes of an answer, nobody is told to pay twice."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import pytest
from django.db.models import Min

from annotation import randomness
from annotation.errors import WrongMove
from annotation.models import Event, Payment
from tasks.models import Bonus
from tasks.people import payments
from tasks.people.earnings import Period, earned
from tasks.prolific import bonuses, sending
from tests.prolific.site import TOKEN, Failure
from tests.prolific.story import DAY, LATER, confirm

S = Bonus.State
TICK = timedelta(seconds=10)
PAY = "POST /api/v1/bulk-bonus-payments/"
SET_UP = "POST /api/v1/submissions/bonus-payments/"
FORGOTTEN = Failure(status=None, done=True)
"""It does what it was asked and cuts the connection before the answer."""


def send(until: timedelta = timedelta(hours=3), now: datetime = LATER) -> None:
    """Let the job run every ten seconds, as long as it has something to do, but not longer than that.

    While nothing is due it does nothing (`test_nothing_is_sent_before_the_wait_is_over`), and is not run.
    """
    under_way, at = Bonus.objects.filter(state__in=sending.UNDER_WAY), now
    while (due := under_way.aggregate(next=Min("next_at"))["next"]) is not None:
        at += max(0, math.ceil((due - at) / TICK)) * TICK
        if at > now + until:
            return
        sending.send_due(now=at)
        at += TICK


def owed(lights) -> dict[str, int]:
    """Seconds that nobody has paid, by name."""
    found = payments.owed(lights.project, earned(lights.project, Period(None, DAY)))
    return {one.username: found.get(one.pk, 0) for one in lights.people}


@pytest.fixture
def lights(lights):
    lights.people = [lights.works("ada", 1, minutes=30), lights.works("ben", 2, minutes=20)]
    return lights


def state(bonus: Bonus) -> str:
    return Bonus.objects.get(pk=bonus.pk).state


def test_a_confirmed_bonus_is_set_up_and_paid_once(lights):
    made = confirm(lights)
    assert state(made) == S.CONFIRMED
    assert lights.site.times("POST") == 0
    send()
    assert state(made) == S.PAID
    assert (lights.paid("ada"), lights.paid("ben")) == ([400], [200])  # 6.00 and 4.00, less 2.00 of reward each
    assert lights.site.times(PAY) == 1


def test_what_is_confirmed_is_owed_to_nobody_any_more(lights):
    assert owed(lights) == {"ada": 1800, "ben": 1200}
    confirm(lights)
    assert owed(lights) == {"ada": 0, "ben": 0}
    assert {(row.amount, row.currency, row.by) for row in Payment.objects.all()} == {
        (6, "GBP", lights.lead), (4, "GBP", lights.lead)
    }  # fmt: skip


def test_a_form_that_is_sent_twice_confirms_once(lights):
    key = randomness.handle()
    found = bonuses.shares(lights.study, until=DAY)
    sent = {"seen": bonuses.seen_by(found), "only": frozenset(one.pk for one in lights.people), "until": DAY}
    said = {"key": key, "by": lights.lead, "now": LATER, "today": DAY}
    first, second = (bonuses.confirm(lights.study, **sent, **said) for _ in range(2))
    assert first == second
    assert Bonus.objects.count() == 1


def test_the_key_of_another_form_confirms_nothing(lights):
    ada = lights.people[0]
    words, period = payments.PaidWith(on=DAY, note="", key=randomness.handle()), Period(None, DAY)
    payments.mark_paid(lights.project, {ada.pk: 60}, period=period, words=words, by=lights.lead, now=LATER)
    with pytest.raises(WrongMove, match="has changed"):
        confirm(lights, key=words.key)
    assert not Bonus.objects.exists()
    assert owed(lights) == {"ada": 1740, "ben": 1200}


def test_amounts_that_have_changed_since_the_page_was_shown_are_refused(lights):
    seen = bonuses.seen_by(bonuses.shares(lights.study, until=DAY))
    confirm(lights, only=lights.people[:1])
    with pytest.raises(WrongMove, match="has changed"):
        bonuses.confirm(
            lights.study, seen=seen, only=frozenset({lights.people[1].pk}), until=DAY, key=randomness.handle(),
            by=lights.lead, now=LATER, today=DAY,
        )  # fmt: skip
    assert Bonus.objects.count() == 1


def test_the_reward_of_a_submission_is_taken_off_once(lights):
    confirm(lights)
    send()
    lights.works("cyd", 3, minutes=15)
    lights.people[0].refresh_from_db()
    again = bonuses.shares(lights.study, until=DAY)
    assert [(share.submission.person.username, share.reward, share.cents) for share in again.due] == [("cyd", 200, 100)]


def test_whom_the_reward_covers_gets_no_bonus_and_is_owed_as_before(lights):
    dan = lights.works("dan", 4, minutes=10)  # 2.00, as much as the reward
    found = bonuses.shares(lights.study, until=DAY)
    assert [share.person for share in found.covered] == [dan.pk]
    confirm(lights)
    assert Payment.objects.filter(annotator=dan).count() == 0


def test_of_a_submission_that_was_rejected_nothing_is_taken_off(lights):
    lights.works("eve", 5, minutes=10, status="REJECTED")
    found = {share.submission.person.username: share for share in bonuses.shares(lights.study, until=DAY).due}
    assert (found["eve"].reward, found["eve"].cents) == (0, 200)


def test_when_the_answer_to_paying_is_lost_the_bonuses_are_found_and_not_paid_again(lights):
    made = confirm(lights)
    lights.site.fail(PAY, FORGOTTEN)
    send()
    assert state(made) == S.PAID
    assert lights.site.times(PAY) == 1
    assert (lights.paid("ada"), lights.paid("ben")) == ([400], [200])


def test_bonuses_of_the_same_amount_from_before_are_not_taken_for_these(lights):
    lights.site.paid[lights.submission("ada")].append(400)
    made = confirm(lights)
    lights.site.fail(PAY, Failure(status=None, done=False))
    send()
    assert state(made) == S.UNCLEAR
    assert lights.site.times(PAY) == 1
    assert not made.parts.filter(found=True).exists()


def test_what_is_paid_late_is_found_late(lights):
    lights.site.slow_to_pay = True
    made = confirm(lights)
    lights.site.fail(PAY, FORGOTTEN)
    send(until=timedelta(minutes=30))
    assert state(made) == S.PAYING
    lights.site.pay_out()
    send(now=LATER + timedelta(minutes=31))
    assert state(made) == S.PAID


@pytest.mark.parametrize("failure", [FORGOTTEN, Failure(status=None, done=False), Failure(503, done=False)])
def test_setting_up_is_repeated_until_there_is_an_answer_since_it_pays_nothing(lights, failure):
    made = confirm(lights)
    lights.site.fail(SET_UP, failure, failure)
    send()
    assert state(made) == S.PAID
    assert lights.site.times(SET_UP) == 3
    assert lights.paid("ada") == [400]


def test_an_error_of_the_service_after_it_was_told_to_pay_is_no_refusal(lights):
    made = confirm(lights)
    lights.site.fail(PAY, Failure(502, done=True))
    send()
    assert state(made) == S.PAID
    assert lights.site.times(PAY) == 1


def test_too_many_requests_are_asked_again_later(lights):
    made = confirm(lights)
    lights.site.fail(PAY, Failure(429, done=False))
    send()
    assert state(made) == S.PAID
    assert lights.site.times(PAY) == 2
    assert lights.paid("ada") == [400]


@pytest.mark.parametrize("what", [SET_UP, PAY])
def test_what_prolific_refuses_is_owed_again(lights, what):
    made = confirm(lights)
    lights.site.fail(what, Failure(400, done=False))
    send()
    assert (state(made), Bonus.objects.get().problem) == (S.REFUSED, "It failed")
    assert owed(lights) == {"ada": 1800, "ben": 1200}
    again = confirm(lights)
    send()
    assert state(again) == S.PAID
    assert lights.paid("ada") == [400]


def test_nothing_is_sent_before_the_wait_is_over(lights):
    confirm(lights)
    lights.site.fail(SET_UP, Failure(503, done=False))
    sending.send_due(now=LATER)
    at = Bonus.objects.get().next_at
    assert sending.send_due(now=at - timedelta(microseconds=1)) == 0
    assert sending.send_due(now=at) == 1


def test_a_token_that_is_not_right_any_more_refuses_them(lights):
    made = confirm(lights)
    connecting_with(lights, "another-token")
    send()
    assert state(made) == S.REFUSED
    assert owed(lights)["ada"] == 1800


def connecting_with(lights, token: str) -> None:
    from tasks.prolific import connecting

    lights.study.sealed_token = connecting.seal(token)
    lights.study.save()


def test_while_a_token_can_not_be_read_nothing_is_asked_and_a_new_one_goes_on(lights, settings):
    made = confirm(lights)
    settings.SECRET_KEY = "another secret key"
    send(until=timedelta(minutes=5))
    assert (state(made), lights.site.times("POST")) == (S.CONFIRMED, 0)
    connecting_with(lights, TOKEN)
    send(now=LATER + timedelta(hours=1))
    assert state(made) == S.PAID


def test_a_lead_decides_what_stays_unclear(lights):
    made = confirm(lights)
    lights.site.fail(PAY, Failure(status=None, done=False))
    send()
    assert owed(lights) == {"ada": 0, "ben": 0}
    bonuses.decide(made, paid=False, by=lights.lead, now=LATER)
    assert state(made) == S.NOT_PAID
    assert owed(lights) == {"ada": 1800, "ben": 1200}
    with pytest.raises(WrongMove, match="decided already"):
        bonuses.decide(made, paid=True, by=lights.lead, now=LATER)


def test_who_was_found_stays_paid_when_the_rest_is_not(lights):
    lights.site.slow_to_pay = True
    made = confirm(lights)
    lights.site.fail(PAY, FORGOTTEN)
    send(until=timedelta(seconds=10))
    lights.site.paid[lights.submission("ben")].append(200)
    send()
    assert state(made) == S.UNCLEAR
    bonuses.decide(made, paid=False, by=lights.lead, now=LATER)
    assert owed(lights) == {"ada": 1800, "ben": 0}


def test_a_lead_takes_back_what_was_not_sent_to_be_paid(lights):
    made = confirm(lights)
    bonuses.take_back(made, by=lights.lead, now=LATER)
    send()
    assert owed(lights) == {"ada": 1800, "ben": 1200}
    assert lights.site.times("POST") == 0


def test_what_was_sent_to_be_paid_is_not_taken_back(lights):
    made = confirm(lights)
    send()
    with pytest.raises(WrongMove, match="too late"):
        bonuses.take_back(made, by=lights.lead, now=LATER)


def test_the_pay_page_does_not_undo_what_prolific_may_have_paid(lights):
    made = confirm(lights)
    for person in (None, lights.people[0]):
        with pytest.raises(WrongMove, match="sent to Prolific"):
            payments.undo_payments(lights.project, made.settlement, person=person, by=lights.lead, now=LATER)
    send()
    with pytest.raises(WrongMove, match="sent to Prolific"):
        payments.undo_payments(lights.project, made.settlement, person=None, by=lights.lead, now=LATER)
    assert owed(lights) == {"ada": 0, "ben": 0}


def test_no_event_has_the_token(lights):
    confirm(lights)
    lights.site.fail(PAY, FORGOTTEN)
    send()
    kinds = {event.kind for event in Event.objects.all()}
    assert {"study.connected", "bonus.confirmed", "bonus.set_up", "bonus.paying", "bonus.paid"} <= kinds
    assert not [event for event in Event.objects.all() if TOKEN in str(event.data)]
    assert TOKEN not in lights.study.sealed_token
