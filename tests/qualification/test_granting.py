"""Qualifications are made, given, suspended, restored and revoked, each as an event with a reason, and undone."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation import projects, randomness
from annotation.errors import NotFound, ReasonMissing, WrongMove
from annotation.models import Event
from annotation.setup import changes
from qualification import granting
from qualification.models import Grant, GrantOrigin, GrantState
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.people import NOON, join


@pytest.fixture
def reading(nq):
    return QualificationFactory(project=nq)


@pytest.fixture
def held(reading, alice):
    return GrantFactory(qualification=reading, user=alice)


def is_lacking(person, qualification):
    return granting.lacking(person, qualification.project, [qualification.key]) != ()


def decide(how, grant, lena, *, after, reason="Seen in the work."):
    return how(grant, reason=reason, after=after, by=lena, now=NOON)


def test_alice_lacks_it_until_it_is_given_and_bob_still_does(nq, reading, alice, bob, lena):
    assert is_lacking(alice, reading)
    granting.give(reading, [alice], reason="Knows the work.", form=randomness.handle(), by=lena, now=NOON)
    assert not is_lacking(alice, reading)
    assert is_lacking(bob, reading)
    event = Event.objects.get(kind="grant.given")
    assert (event.by, event.project_id, event.data["reason"]) == (lena.pk, nq.pk, "Knows the work.")


def test_a_key_that_the_project_does_not_have_is_lacking(nq, held, alice):
    assert granting.lacking(alice, nq, ["other", "reading"]) == ("other",)


def test_without_keys_nothing_is_asked_and_with_three_one_statement(nq, held, alice, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert granting.lacking(alice, nq, ()) == ()
    with django_assert_num_queries(1):
        assert granting.lacking(alice, nq, ("a", "reading", "b")) == ("a", "b")


def test_of_a_list_those_get_it_who_are_members_and_have_no_grant(reading, held, alice, bob, carol, mallory, lena):
    form = randomness.handle()
    made = granting.give(reading, [carol, alice, mallory, bob], reason="Course", form=form, by=lena, now=NOON)
    assert sorted(grant.user.username for grant in made) == ["bob", "carol"]
    assert Event.objects.filter(kind="grant.given").count() == 3


def test_a_form_that_is_sent_again_gives_nothing_even_after_a_revocation(reading, alice, lena):
    form = randomness.handle()
    [grant] = granting.give(reading, [alice], reason="Course", form=form, by=lena, now=NOON)
    decide(granting.revoke, grant, lena, after=0)
    assert granting.give(reading, [alice], reason="Course", form=form, by=lena, now=NOON) == []
    assert is_lacking(alice, reading)


def test_a_suspended_grant_qualifies_for_nothing_until_it_is_restored(reading, held, alice, lena):
    assert decide(granting.suspend, held, lena, after=0).state == GrantState.SUSPENDED
    assert is_lacking(alice, reading)
    assert decide(granting.restore, held, lena, after=1).state == GrantState.ACTIVE
    assert not is_lacking(alice, reading)
    kinds = Event.objects.filter(kind__startswith="grant.").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["grant.given", "grant.suspended", "grant.active"]


def test_what_has_been_decided_once_is_not_decided_again_when_it_is_sent_again(reading, held, lena):
    for _ in range(2):
        decide(granting.suspend, held, lena, after=0)
    assert Event.objects.filter(kind="grant.suspended").count() == 1
    decide(granting.restore, held, lena, after=1)
    with pytest.raises(WrongMove):
        decide(granting.suspend, held, lena, after=0)
    assert Grant.objects.get().state == GrantState.ACTIVE


def test_an_active_grant_is_not_restored_and_a_revoked_one_not_changed(reading, held, lena):
    with pytest.raises(WrongMove):
        decide(granting.restore, held, lena, after=0)
    decide(granting.revoke, held, lena, after=0)
    for how in (granting.suspend, granting.restore):
        with pytest.raises(WrongMove):
            decide(how, held, lena, after=1)


def test_undoing_a_revocation_is_a_new_grant_that_says_so_and_is_made_once(reading, held, alice, lena):
    decide(granting.revoke, held, lena, after=0)
    form = randomness.handle()
    made = [granting.undo_revocation(held, reason="A slip", form=form, by=lena, now=NOON) for _ in range(2)]
    assert made[0] == made[1] != held
    assert Event.objects.filter(kind="grant.given").latest("pk").data["undoes"] == held.pk
    assert not is_lacking(alice, reading)
    with pytest.raises(WrongMove):
        granting.undo_revocation(held, reason="A slip", form=randomness.handle(), by=lena, now=NOON)


@pytest.mark.parametrize("reason", ["", " - ", "x" * 201])
def test_without_a_reason_nothing_changes(reading, held, bob, lena, reason):
    with pytest.raises(ReasonMissing):
        granting.give(reading, [bob], reason=reason, form=randomness.handle(), by=lena, now=NOON)
    with pytest.raises(ReasonMissing):
        decide(granting.suspend, held, lena, after=0, reason=reason)
    assert list(Grant.objects.values_list("state", flat=True)) == [GrantState.ACTIVE]


def test_no_person_has_two_grants_of_one_qualification_that_are_not_revoked(reading, held, alice):
    row = {"qualification": reading, "user": alice, "origin": GrantOrigin.HAND, "at": NOON}
    with pytest.raises(IntegrityError), transaction.atomic():
        GrantFactory.insert(**row, submission_key=randomness.handle())
    GrantFactory.insert(**row, submission_key=randomness.handle(), state=GrantState.REVOKED)


def test_activities_that_need_it_are_settings_with_an_event_and_undo(nq, reading, lena):
    granting.require(reading, ["annotate"], by=lena, now=NOON)
    nq.refresh_from_db()
    assert projects.requirements_of(nq, "annotate") == ("reading",)
    assert granting.required_by(reading) == ["annotate"]
    event = Event.objects.get(kind=changes.CHANGED)
    assert event.data["after"] == {"config.activities.annotate.requires": ["reading"]}
    changes.undo(nq, event.pk, by=lena, now=NOON)
    assert projects.requirements_of(nq, "annotate") == ()


def test_requiring_what_is_required_changes_nothing_and_another_stays(nq, reading, lena):
    other = QualificationFactory(project=nq, key="other", needed_for=["annotate"])
    granting.require(reading, ["annotate"], by=lena, now=NOON)
    assert granting.require(reading, ["annotate"], by=lena, now=NOON) == {}
    granting.require(other, [], by=lena, now=NOON)
    nq.refresh_from_db()
    assert projects.requirements_of(nq, "annotate") == ("reading",)
    with pytest.raises(NotFound):
        granting.require(reading, ["sleep"], by=lena, now=NOON)


def test_one_form_makes_one_qualification_and_a_key_is_used_once(nq, lena):
    said = {"key": "reading", "title": "Reading", "about": "", "by": lena, "now": NOON}
    form = randomness.handle()
    assert granting.make_qualification(nq, form=form, **said) == granting.make_qualification(nq, form=form, **said)
    with pytest.raises(WrongMove):
        granting.make_qualification(nq, form=randomness.handle(), **said)


def test_new_words_are_an_event_and_the_same_words_are_none(reading, lena):
    assert granting.describe(reading, title="Reading", about="New", by=lena, now=NOON)
    assert not granting.describe(reading, title="Reading", about="New", by=lena, now=NOON)
    assert Event.objects.get(kind="qualification.described").data["before"]["title"] == "Reading papers"


def test_it_is_not_given_to_somebody_who_was_a_member(reading, nq, lena):
    gone = join(nq, "gone")
    gone.memberships.update(ended_at=NOON)
    assert granting.give(reading, [gone], reason="x y", form=randomness.handle(), by=lena, now=NOON) == []
