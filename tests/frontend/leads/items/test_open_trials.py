"""A lead's unfinished trials of tasks and exams are on their home page, until they go on with them or put them away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Project, Role, User
from qualification import tries
from qualification.courses import sitting
from qualification.models import Attempt, Try
from tests.builders import open_with, project, questions
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import join
from tests.qualification.courses.building import three_blocks

HEADING = "Your trials"


@pytest.fixture(scope="module")
def begun_once(shared_rows, tmp_path_factory):
    """A trial of a question, and one of an exam, both lena's; alice annotates."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(2))
    lena, _alice = join(made, "lena", Role.LEAD), join(made, "alice")
    tried = tries.begin_trial(made.items.order_by("pk").first(), "annotate", by=lena, now=clock.now())
    reading = QualificationFactory(project=made, title="Reading pages")
    version = CourseVersionFactory(qualification=reading, course=three_blocks(minutes=30))
    return tried.pk, sitting.issue_trial(lena, reading, version, now=clock.now()).pk


@pytest.fixture
def tried(begun_once, db):
    return Try.objects.select_related("annotation__item").get(pk=begun_once[0])


@pytest.fixture
def sat(begun_once, db):
    return Attempt.objects.get(pk=begun_once[1])


@pytest.fixture
def lena(begun_once, db):
    return User.objects.get(username="lena")


def browser(person):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(person)
    return found


def home(person):
    return browser(person).get("/").content.decode()


def put_away(person, held, **options):
    return browser(person).post(reverse("put_away_trial", args=[held.uuid]), **options)


def test_both_are_listed_with_the_address_at_which_they_go_on(tried, sat, lena):
    page = home(lena)
    assert HEADING in page
    for address in (reverse("work", args=[tried.uuid]), reverse("exam", args=[sat.uuid])):
        assert f'href="{address}"' in page
        assert browser(lena).get(address).status_code == 200
    assert "Reading pages" in page


def test_nobody_else_sees_them_also_no_other_lead(tried, sat):
    nora, alice = join(Project.objects.get(), "nora", Role.LEAD), User.objects.get(username="alice")
    assert [HEADING in home(person) for person in (nora, alice)] == [False, False]
    for held in (tried, sat):
        assert [put_away(person, held).status_code for person in (nora, alice)] == [404, 404]
    assert not Try.objects.exclude(put_away_at=None).exists()
    assert not Attempt.objects.exclude(voided_at=None).exists()


def test_nor_the_lead_once_they_lead_no_more(tried, sat, lena):
    lena.memberships.update(ended_at=clock.now())
    assert HEADING not in home(lena)


def test_what_is_put_away_is_off_the_page(tried, sat, lena):
    shown = put_away(lena, tried, follow=True)
    assert "The trial is put away" in shown.content.decode()
    assert reverse("work", args=[tried.uuid]) not in home(lena)
    put_away(lena, sat)
    assert HEADING not in home(lena)
    assert put_away(lena, sat).status_code == 404


def test_a_trial_of_a_task_that_was_put_away_goes_on_when_the_item_is_tried_again(tried, lena):
    put_away(lena, tried)
    address = reverse("try_item", args=["lights", tried.annotation.item_id])
    again = browser(lena).post(address, {"activity": "annotate"})
    assert again["Location"] == reverse("work", args=[tried.uuid])
    assert again["Location"] in home(lena)


def test_after_one_of_an_exam_the_next_has_a_form_of_its_own(sat, lena):
    put_away(lena, sat)
    again = sitting.issue_trial(lena, sat.qualification, sat.course, now=clock.now())
    assert again.pk != sat.pk
    assert reverse("exam", args=[again.uuid]) in home(lena)


def test_one_whose_time_is_over_is_not_listed(tried, sat, lena):
    Attempt.objects.filter(pk=sat.pk).update(ends_at=clock.now() - timedelta(seconds=1))
    assert listed(lena, tried, sat) == (True, False)


def test_a_finished_one_is_not_listed_and_cannot_be_put_away(tried, sat, lena):
    sitting.hand_in(sat, now=clock.now())
    assert listed(lena, tried, sat) == (True, False)
    assert put_away(lena, sat).status_code == 404


def listed(lena, tried, sat):
    """Whether the trial of the question is on her home page, and whether that of the exam is."""
    page = home(lena)
    return reverse("work", args=[tried.uuid]) in page, reverse("exam", args=[sat.uuid]) in page
