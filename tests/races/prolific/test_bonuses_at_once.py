"""Bonuses are confirmed and sent once, however many leads and senders are about them at the same time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation import randomness
from annotation.errors import WrongMove
from annotation.models import Payment
from tasks.models import Bonus
from tasks.people import payments
from tasks.people.earnings import Period
from tasks.prolific import bonuses, sending
from tests.prolific.story import DAY, LATER, confirm, lights, prolific
from tests.proving import size
from tests.races.rigs.crowd import together

__all__ = ["lights", "prolific"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
MANY = 8
PAY = "POST .*/pay/"
S = Bonus.State


@pytest.fixture
def ada(lights):
    return lights.works("ada", 1, minutes=30)


def refused(do, *args, **kwargs):
    """What it returns, or None if it is refused as somebody else was faster."""
    try:
        return do(*args, **kwargs)
    except WrongMove:
        return None


def test_many_senders_at_once_tell_prolific_to_pay_once(lights, ada):
    confirm(lights)
    for _ in range(size(2, 20)):
        together([lambda: sending.send_due(now=LATER)] * MANY)
    assert lights.site.times(PAY) == 1
    assert lights.paid("ada") == [400]
    assert Bonus.objects.get().state == S.PAID


def test_leads_who_confirm_the_same_amounts_at_once_confirm_them_once(lights, ada):
    found = bonuses.shares(lights.study, until=DAY)
    said = {"seen": bonuses.seen_by(found), "only": frozenset({ada.pk}), "until": DAY, "today": DAY}

    def one():
        return refused(bonuses.confirm, lights.study, **said, key=randomness.handle(), by=lights.lead, now=LATER)

    assert sum(made is not None for made in together([one] * MANY)) == 1
    assert (Bonus.objects.count(), Payment.objects.count()) == (1, 1)


def test_of_a_bonus_and_a_payment_by_hand_at_once_one_counts(lights, ada):
    words = payments.PaidWith(on=DAY, note="", key=randomness.handle())
    period = Period(None, DAY)

    def by_hand():
        return refused(
            payments.mark_paid, lights.project, {ada.pk: 1800}, period=period, words=words, by=lights.lead, now=LATER
        )

    together([lambda: refused(confirm, lights), by_hand])
    assert [row.seconds for row in Payment.objects.all()] == [1800]


def test_what_is_taken_back_while_it_is_sent_is_paid_or_owed_and_not_both(lights, ada):
    for _ in range(size(3, 20)):
        lights.site.paid.clear()
        made = confirm(lights)
        sending.send_due(now=LATER)  # it is set up now
        together(
            [
                lambda: sending.send_due(now=LATER),
                lambda made=made: refused(bonuses.take_back, made, by=lights.lead, now=LATER),
            ]
        )
        state = Bonus.objects.get(pk=made.pk).state
        paid = lights.site.paid.get(lights.submission("ada"), [])
        assert (state, paid) in [(S.PAID, [400]), (S.NOT_PAID, [])]
        stands = Payment.objects.filter(settlement=made.settlement, undoes=None, undone_by=None).exists()
        assert stands == (state == S.PAID)
        if state == S.PAID:
            return


def test_two_lookers_and_a_lead_who_decides_leave_one_end(lights, ada):
    made = confirm(lights)
    Bonus.objects.filter(pk=made.pk).update(
        state=S.PAYING, asked_at=LATER - timedelta(hours=1), bulk_id="b", next_at=LATER
    )
    together([lambda: sending.send_due(now=LATER)] * MANY)
    assert Bonus.objects.get().state == S.UNCLEAR
    ends = together(
        [lambda paid=paid: refused(lambda: bonuses.decide(made, paid=paid, by=lights.lead, now=LATER) or 1)
         for paid in (True, False)] * MANY
    )  # fmt: skip
    assert ends.count(1) == 1
    assert lights.site.times(PAY) == 0
