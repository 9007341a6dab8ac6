"""A role counts in its own project while it lasts, and consent to the text that the project shows now."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.db.models import OuterRef

from annotation import membership
from annotation.errors import AccountNameTaken, NotFound
from annotation.models import Consent, Event, Membership, Role, User
from annotation.setup import changes
from tests.builders import project
from tests.factories.people import MembershipFactory, UserFactory
from tests.people import NOON, join

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def somebody(db):
    """An account without a role, so that keys of accounts and of memberships are not the same."""
    return UserFactory(username="somebody")


@pytest.fixture
def ferries(db):
    return project("ferries")


def end(user, found, role=Role.ANNOTATOR, at=NOON):
    Membership.objects.filter(user=user, project=found, role=role, ended_at=None).update(ended_at=at)


def test_roles_in_another_project_or_of_another_person_do_not_count(nq, ferries, alice, bob):
    MembershipFactory(project=ferries, user=alice, role=Role.LEAD)
    for roles in (membership.roles_of, membership.working_roles_of):
        assert roles(alice, nq) == {Role.ANNOTATOR}
        assert roles(alice, ferries) == {Role.LEAD}
        assert roles(bob, ferries) == frozenset()
    assert membership.roles_in(nq) == {alice.pk: {Role.ANNOTATOR}, bob.pk: {Role.ANNOTATOR}}
    assert membership.roles_in(ferries) == {alice.pk: {Role.LEAD}}


def test_all_roles_of_a_person_count_and_none_that_has_ended(nq, alice, bob):
    MembershipFactory(project=nq, user=alice, role=Role.EXPERT)
    assert membership.roles_of(alice, nq) == {Role.ANNOTATOR, Role.EXPERT}
    assert membership.roles_in(nq)[alice.pk] == {Role.ANNOTATOR, Role.EXPERT}
    assert not membership.has_left(alice)
    end(alice, nq)
    for roles in (membership.roles_of, membership.working_roles_of):
        assert roles(alice, nq) == {Role.EXPERT}
    assert membership.roles_in(nq)[alice.pk] == {Role.EXPERT}
    assert membership.has_left(alice)
    assert not membership.has_left(bob)


def test_a_role_that_ends_once_work_is_finished_is_held_without_new_work(nq, alice):
    Membership.objects.filter(user=alice).update(no_new_work_since=NOON)
    assert membership.roles_of(alice, nq) == {Role.ANNOTATOR}
    assert membership.working_roles_of(alice, nq) == frozenset()
    assert membership.lock_person(alice, nq).roles == frozenset()


def test_the_leads_of_a_project_are_those_who_lead_it_now_and_can_sign_in(nq, ferries, alice, lena):
    MembershipFactory(project=ferries, user=alice, role=Role.LEAD)
    gone, locked_out = join(nq, "gone", Role.LEAD), join(nq, "locked-out", Role.LEAD)
    end(gone, nq, Role.LEAD)
    User.objects.filter(pk=locked_out.pk).update(is_active=False)
    assert membership.leads_of(nq) == {lena.pk}
    assert [row.project for row in membership.leads(lena)] == [nq]
    assert not membership.leads(gone).exists()


def test_who_may_be_given_a_password_is_said_of_those_who_are_asked_about_only(nq, somebody, alice, bob, lena):
    assert membership.given_passwords(lena, [alice.pk, lena.pk, somebody.pk]) == {alice.pk}
    assert membership.may_give_password(lena, bob)
    User.objects.filter(pk=bob.pk).update(is_superuser=True)
    assert not membership.may_give_password(lena, bob)


def test_a_role_is_found_by_the_person_the_project_and_its_kind_while_it_lasts(nq, ferries, alice, bob, erin):
    def having(found, *roles):
        rows = User.objects.filter(membership.has_role(OuterRef("pk"), found.pk, roles=roles))
        return set(rows.values_list("username", flat=True))

    join(ferries, "bob", Role.EXPERT)
    assert having(nq, Role.ANNOTATOR) == {"alice", "bob"}
    assert having(nq, Role.EXPERT) == {"erin"}
    assert having(ferries, Role.ANNOTATOR, Role.EXPERT) == {"bob"}
    end(alice, nq)
    assert having(nq, Role.ANNOTATOR, Role.EXPERT) == {"bob", "erin"}


@pytest.mark.parametrize(("changed", "may"), [("is_staff", True), ("is_superuser", True), ("", False)])
def test_projects_are_made_by_admins_and_by_leads_unless_their_accounts_are_closed(nq, alice, lena, changed, may):
    if changed:
        setattr(alice, changed, True)
    assert (membership.is_admin(alice), membership.may_make_projects(alice)) == (may, may)
    assert (membership.is_admin(lena), membership.may_make_projects(lena)) == (False, True)
    alice.is_active = lena.is_active = False
    assert not membership.is_admin(alice)
    assert not membership.may_make_projects(alice)
    assert not membership.may_make_projects(lena)


def test_of_projects_that_were_left_since_a_moment_the_last_role_of_each_is_told_latest_first(nq, ferries, alice):
    join(ferries, "alice")
    MembershipFactory(project=nq, user=alice, role=Role.EXPERT)
    end(alice, nq, Role.EXPERT, at=NOON - DAY)
    end(alice, nq, at=NOON)
    end(alice, ferries, at=NOON + DAY)
    before = timedelta(microseconds=1)
    assert [row.role for row in membership.left_since(alice, NOON - 2 * DAY)] == [Role.ANNOTATOR, Role.ANNOTATOR]
    told = membership.left_since(alice, NOON - before)
    assert [(row.project, row.role) for row in told] == [(ferries, Role.ANNOTATOR), (nq, Role.ANNOTATOR)]
    assert [row.project for row in membership.left_since(alice, NOON)] == [ferries]
    assert membership.left_since(alice, NOON + DAY) == []
    MembershipFactory(project=ferries, user=alice, role=Role.EXPERT)
    assert [row.project for row in membership.left_since(alice, NOON - before)] == [nq]
    assert membership.left_since(join(nq, "bob"), NOON - before) == []


def test_what_is_decided_about_a_person_is_counted_and_what_is_decided_about_others_is_not(nq, alice, bob):
    known = membership.decided_about(alice)
    MembershipFactory(project=nq, user=bob, role=Role.EXPERT)
    assert membership.decided_about(alice) == known
    MembershipFactory(project=nq, user=alice, role=Role.EXPERT)
    assert membership.decided_about(alice) == known + 2  # the role, and the decision to give it


@pytest.mark.parametrize("name", ["dora", "DORA", "Dora"])
def test_no_two_accounts_have_names_that_differ_in_capitals_at_most(db, name):
    UserFactory(username="dora")
    with pytest.raises(AccountNameTaken):
        membership.make_account(username=name, password_hash="!")
    made = membership.make_account(username="dorothy", password_hash="!hash", email="d@example.org")
    assert (made.password, made.email) == ("!hash", "d@example.org")


def test_somebody_who_has_a_role_joins_again_without_a_trace(nq, alice):
    events = Event.objects.count()
    membership.join(project=nq, user=alice, role=Role.ANNOTATOR, by=None, now=NOON + DAY)
    assert (Event.objects.count(), Membership.objects.get(user=alice).since) == (events, NOON)


def test_consent_counts_once_and_to_the_text_in_force(nq, ferries, alice, settings):
    assert Consent.objects.filter(user=alice).count() == 1
    membership.accept_consent(user=alice, project=nq, now=NOON + DAY)
    assert Consent.objects.get(user=alice).at == NOON
    assert Event.objects.filter(kind="consent.accepted", by=alice.pk).count() == 1
    MembershipFactory(project=ferries, user=alice)
    assert not membership.has_consented(alice, ferries)
    assert (membership.lock_person(alice, nq).consented, membership.lock_person(alice, ferries).consented) == (
        True,
        False,
    )
    settings.GOLDFINCH_CONTACT = "lena@example.org"
    assert not membership.has_consented(alice, nq)
    membership.accept_consent(user=alice, project=nq, now=NOON + DAY)
    assert membership.has_consented(alice, nq)
    own = "Our own text."
    sha256 = hashlib.sha256(own.encode()).hexdigest()
    for text in ("An older text.", own):
        changes.change_consent(nq, text=text, by=None, now=NOON)
    nq.refresh_from_db()
    assert membership.consent_text_of(nq) == (own, sha256)
    assert membership.consent_text_of(ferries) == membership.consent_text()
    assert not membership.has_consented(alice, nq)
    assert not membership.lock_person(alice, nq).consented
    membership.accept_consent(user=alice, project=nq, now=NOON + DAY)
    assert membership.has_consented(alice, nq)
    assert membership.lock_person(alice, nq).consented


@pytest.mark.parametrize(
    ("organisation", "contact", "said"),
    [
        ("The Harbour Trust", "lena@example.org", ["run by **The Harbour Trust**", "turn to <lena@example.org>."]),
        ("", "https://example.org/ask", ["does not say who runs it", "turn to <https://example.org/ask>."]),
        ("", "Lena, room 12", ["turn to Lena, room 12."]),
        ("", "", ["turn to the person who invited you."]),
    ],
)
def test_the_text_of_the_site_says_who_asks_and_whom_to_turn_to(settings, organisation, contact, said):
    settings.GOLDFINCH_ORGANISATION, settings.GOLDFINCH_CONTACT = organisation, contact
    text, sha256 = membership.consent_text()
    assert all(part in text for part in said), text[:600]
    assert sha256 == hashlib.sha256(text.encode()).hexdigest()


def test_an_expert_begins_to_see_answers_once_and_nobody_else_does(nq, ferries, alice, erin):
    MembershipFactory(project=ferries, user=erin, role=Role.EXPERT)
    with pytest.raises(NotFound):
        membership.see_answers(user=alice, project=nq, now=NOON)
    for later in (NOON, NOON + DAY):
        membership.see_answers(user=erin, project=nq, now=later)
    assert Membership.objects.get(user=erin, project=nq).sees_answers_since == NOON
    assert Event.objects.filter(kind="member.sees_answers").count() == 1
    assert (membership.has_seen_answers(erin, nq), membership.has_seen_answers(erin, ferries)) == (True, False)
    assert (membership.lock_person(erin, nq).sees_answers, membership.lock_person(erin, ferries).sees_answers) == (
        True,
        False,
    )
    end(erin, nq, Role.EXPERT)
    MembershipFactory(project=nq, user=erin)
    assert membership.has_seen_answers(erin, nq)
    assert membership.lock_person(erin, nq).sees_answers
    with pytest.raises(NotFound):
        membership.see_answers(user=erin, project=nq, now=NOON)
