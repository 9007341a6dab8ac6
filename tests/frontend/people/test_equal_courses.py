"""Who has passed the same course in another project is given its qualification here, once, by a lead of both."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Event, Project, Role, User
from qualification import granting
from qualification.courses import deciding, editing
from qualification.models import Attempt, Grant, GrantOrigin, GrantState, Qualification
from tests.builders import project
from tests.factories.qualification import CourseVersionFactory, GrantFactory, QualificationFactory
from tests.people import NOON, join
from tests.qualification.courses.building import prepare, sit, three_blocks


def browser(person):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(person)
    return found


@pytest.fixture(scope="module")
def passed_once(shared_rows):
    """The same course in two projects, both of which lena leads; alice, who works in both, has passed it in one."""
    nq, other = project(), project("elsewhere")
    for made in (nq, other):
        join(made, "lena", Role.LEAD)
        join(made, "alice")
    CourseVersionFactory(qualification=QualificationFactory(project=nq), course=three_blocks())
    there = QualificationFactory(project=other, key="other", title="Reading elsewhere")
    CourseVersionFactory(qualification=there, course=three_blocks())
    alice = User.objects.get(username="alice")
    prepare(alice, there)
    return sit(alice, there).pk


@pytest.fixture
def nq(passed_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def here(nq):
    return Qualification.objects.select_related("project").get(project=nq)


@pytest.fixture
def there(passed_once, db):
    return Qualification.objects.select_related("project").get(key="other")


@pytest.fixture
def passed(passed_once, db):
    return Attempt.objects.get(pk=passed_once)


@pytest.fixture
def lena(passed_once, db):
    return User.objects.get(username="lena")


def page(person, row):
    return browser(person).get(reverse("qualification", args=[row.project.slug, row.key]))


def copy(person, row, source, *, key=None, reason="The same items.", follow=True):
    sent = {"key": str(key or uuid.uuid4()), "project": source.project.slug, "qualification": source.key}
    address = reverse("copy_grants", args=[row.project.slug, row.key])
    return browser(person).post(address, sent | {"reason": reason}, follow=follow)


def states(row):
    return sorted(Grant.objects.filter(qualification=row).values_list("user__username", "origin", "state"))


OFFERED = "1 person has passed the same course in another project"
COPIED = [("alice", GrantOrigin.EQUAL_COURSE, GrantState.ACTIVE)]


def test_a_lead_of_both_gives_it_with_a_reason_and_the_history_says_whence(passed, here, there, lena):
    assert OFFERED in " ".join(page(lena, here).content.decode().split())
    shown = copy(lena, here, there).content.decode()
    assert states(here) == COPIED
    assert "Passed the same course in another project" in shown
    assert "Copied from an equal course" in shown
    [event] = Event.objects.filter(kind="qualification.grants_copied")
    assert (event.by, event.data["grants"], event.data["reason"]) == (lena.pk, 1, "The same items.")
    assert str(there.pk) in event.data["source"]
    assert OFFERED not in " ".join(page(lena, here).content.decode().split())


def test_a_form_sent_twice_gives_it_once_and_undo_takes_it_back(passed, here, there, lena):
    key = uuid.uuid4()
    [shown, _again] = [copy(lena, here, there, key=key).content.decode() for _ in range(2)]
    assert states(here) == COPIED
    [undo] = re.findall(r'action="([^"]*/given/[^"]*/undo/)"', shown)
    browser(lena).post(undo)
    assert states(here) == [("alice", GrantOrigin.EQUAL_COURSE, GrantState.REVOKED)]
    assert OFFERED in " ".join(page(lena, here).content.decode().split())


def test_it_is_copied_once_what_becomes_of_it_there_changes_nothing_here(passed, here, there, lena):
    copy(lena, here, there, follow=False)
    source = Grant.objects.get(qualification=there)
    granting.revoke(source, reason="No", after=0, by=lena, now=NOON)
    assert states(here) == COPIED


def test_whoever_lost_it_here_is_not_given_it_again(passed, here, there, lena):
    copy(lena, here, there, follow=False)
    granting.revoke(Grant.objects.get(qualification=here), reason="No", after=0, by=lena, now=NOON)
    assert copy(lena, here, there).status_code == 404
    assert [state for _name, _origin, state in states(here)] == [GrantState.REVOKED]


def test_it_goes_through_no_project_that_the_lead_does_not_lead(passed, here, there, nq):
    nora = join(nq, "nora", Role.LEAD)
    for role in (None, Role.ANNOTATOR, Role.EXPERT):
        if role:
            join(there.project, "nora", role)
        assert "another project" not in page(nora, here).content.decode()
        assert copy(nora, here, there).status_code == 404
    otto = join(there.project, "otto", Role.LEAD)
    assert copy(otto, here, there).status_code == 404
    assert states(here) == []


def test_nor_into_one(passed, here, there, lena, nq):
    lena.memberships.filter(project=nq).update(ended_at=NOON)
    assert copy(lena, here, there).status_code == 404
    assert states(here) == []


@pytest.mark.parametrize("how", ["suspended", "by hand", "voided", "no member here", "other items", "other key"])
def test_who_has_not_passed_the_same_there_by_now_or_does_not_work_here_is_not_offered(passed, here, there, lena, how):
    grant = Grant.objects.get(qualification=there)
    if how == "suspended":
        granting.suspend(grant, reason="No", after=0, by=lena, now=NOON)
    elif how == "by hand":
        granting.revoke(grant, reason="No", after=0, by=lena, now=NOON)
        GrantFactory(qualification=there, user=grant.user)
    elif how == "voided":
        deciding.void(passed, reason="An outage.", by=lena, now=NOON)
    elif how == "no member here":
        grant.user.memberships.filter(project=here.project).update(ended_at=NOON)
    elif how == "other items":
        draft = editing.edit(here, by=lena, now=NOON)
        editing.save(draft, three_blocks(attempts=1), edits=draft.edits, by=lena, now=NOON)
    else:
        version = editing.published(here)
        version.corrections = {"task-0": [1]}
        version.save(update_fields=["corrections"])
    if how == "other items":
        here.course_versions.filter(published_at=None).update(published_at=NOON, sha256="other")
    assert "another project" not in page(lena, here).content.decode()
    assert copy(lena, here, there).status_code == 404


def test_a_reason_is_needed(passed, here, there, lena):
    assert copy(lena, here, there, reason=" ").status_code == 422
    assert states(here) == []
