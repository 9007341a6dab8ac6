"""Leaving a partner by the button: again within a day it asks for a reason, five times without one is a case."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotation.models import Case, CaseState, Event, Role
from annotation.models.case import FlagReason
from tasks.engine import leases, skip_and_return
from tasks.items import reports
from tasks.pairs import leaving, presence
from tests.factories.record import CaseFactory
from tests.people import NOON, join
from tests.protocols.toy.building import Pair, toy_project
from tests.protocols.toy.protocol import PROTOCOL

HOUR = timedelta(hours=1)


def seated(toys, number, now=NOON):
    """Ann and somebody whom she has not met, at a topic."""
    return Pair.seated(toys, "ann", f"tom-{number}", now=now)


def leave(pair, *, now=NOON, how=skip_and_return.skip, reason="", text=""):
    row = pair.row("asker")
    how(row, by=row.annotator, reason=reason, text=text, now=now)


def left(toys, times, *, start=0, now=NOON, every=timedelta(), **said):
    """Ann leaves so many partners."""
    for number in range(start, start + times):
        at = now + number * every
        leave(seated(toys, number, now=at), now=at, **said)


def asked(pair, *, now=NOON):
    return leaving.times_left(pair.row("asker"), now=now)


def test_from_the_second_within_a_day_on_a_reason_is_asked_for(toys):
    first = seated(toys, 0)
    assert asked(first) == 0
    leave(first, reason="hard")
    later = NOON + 23 * HOUR
    assert asked(seated(toys, 1, now=later), now=later) == 1


def test_after_a_day_nothing_is_asked(toys):
    left(toys, 1)
    later = NOON + 24 * HOUR
    assert asked(seated(toys, 1, now=later), now=later) == 0


def test_five_without_a_reason_within_a_day_are_one_case_and_nothing_else_happens_to_the_person(toys):
    left(toys, 4, every=HOUR)
    assert not Case.objects.exists()
    left(toys, 1, start=4, every=HOUR)
    case = Case.objects.get()
    assert (case.kind, case.state, case.about.username, case.author) == ("leaves", "open", "ann", None)
    opened = Event.objects.get(kind="case.opened")
    assert (opened.subject, opened.by) == (f"case:{case.pk}", None)
    pair = seated(toys, 5, now=NOON + 5 * HOUR)
    assert pair.row("asker").state == "leased"
    leave(pair, now=NOON + 5 * HOUR)
    assert Case.objects.count() == 1


def test_a_leave_is_recorded_once_also_if_django_made_the_app_ready_twice(toys):
    apps.get_app_config("tasks").ready()
    left(toys, 2)
    assert Event.objects.filter(kind=leaving.LEFT).count() == 2


def test_five_in_more_than_a_day_are_no_case(toys):
    left(toys, 6, every=6 * HOUR)
    assert not Case.objects.exists()


def test_whoever_says_why_is_no_case(toys):
    left(toys, 4)
    why = {"reason": "time"}, {"reason": "other", "text": "The power is off."}, {"text": "Ill."}
    for number, said in enumerate(why):
        left(toys, 1, start=4 + number, **said)
        assert not Case.objects.exists(), said


def test_whoever_does_not_say_why_is_one(toys):
    for number, said in enumerate(({"reason": "none"}, {"reason": "other"}, {"reason": "made up"}, {"text": " "}, {})):
        assert not Case.objects.exists()
        left(toys, 1, start=number, **said)
    assert Case.objects.get().about.username == "ann"


def test_giving_back_leaves_a_partner_too(toys):
    left(toys, 5, how=skip_and_return.give_back)
    assert Case.objects.get().about.username == "ann"


def time_runs_out(row, now):
    leases.expire_early(row.lease, now=now)


def comes_back_to_expired_work_and_skips_it(row, now):
    leases.expire_early(row.lease, now=now)
    row.refresh_from_db()
    skip_and_return.skip(row, by=row.annotator, reason="", text="", now=now)


def reports_the_item(row, now):
    reports.report(row, by=row.annotator, reason=FlagReason.BROKEN, text="", now=now)


def leaves_a_partner_who_is_lost(row, now):
    skip_and_return.skip(row, by=row.annotator, reason="", text="", now=now + presence.LOST)


def ends_without_a_partner_who_is_lost(row, now):
    leaving.end(row, by=row.annotator, now=now + presence.LOST)


OTHER_WAYS = (
    time_runs_out,
    comes_back_to_expired_work_and_skips_it,
    reports_the_item,
    leaves_a_partner_who_is_lost,
    ends_without_a_partner_who_is_lost,
)


def test_nothing_else_counts_as_leaving(toys):
    left(toys, 4)
    for number, how in enumerate(OTHER_WAYS, start=4):
        how(seated(toys, number).row("asker"), NOON)
        assert Event.objects.filter(kind=leaving.LEFT).count() == 4, how
    assert not Case.objects.exists()


def test_whose_partner_left_has_left_nobody(toys):
    left(toys, 1)
    assert set(Event.objects.filter(kind=leaving.LEFT).values_list("by", flat=True)) == {join(toys, "ann").pk}


def test_leaving_what_counts_as_finished_is_not_asked_about_and_does_not_count(toys, monkeypatch):
    left(toys, 4)
    monkeypatch.setattr(type(PROTOCOL), "is_enough", lambda self, item, record, config: bool(record.answers))
    pair = seated(toys, 4)
    pair.say("asker", "ask-1")
    assert asked(pair) == 0
    leave(pair)
    assert pair.annotation.completed_at == NOON
    assert not Case.objects.exists()


def test_each_project_counts_for_itself(toys):
    left(toys, 4)
    left(toy_project("others"), 1)
    assert not Case.objects.exists()


def test_after_a_decision_only_what_comes_later_counts(toys):
    left(toys, 5, how=skip_and_return.give_back)
    lead = join(toys, "lena", Role.LEAD)
    reports.decide(Case.objects.get(), CaseState.DISMISSED, by=lead, reason="the site was down", now=NOON + HOUR)
    later = NOON + 2 * HOUR
    for number in range(5, 10):
        assert Case.objects.count() == 1
        leave(seated(toys, number, now=later), now=later, how=skip_and_return.give_back)
    assert list(Case.objects.order_by("pk").values_list("state", flat=True)) == ["dismissed", "open"]


def test_the_database_refuses_such_a_case_without_its_person(toys):
    left(toys, 5)
    case = Case.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.filter(pk=case.pk).update(about=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        CaseFactory(kind="leaves", annotation=case.annotation, about=case.about)
