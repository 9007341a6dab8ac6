"""A lead's unfinished trials of tasks and exams are on their home page, until they go on with them or put them away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Item, Role
from qualification import tries
from qualification.courses import sitting
from qualification.models import Attempt, Try
from tests.builders import open_with, questions
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.people import join
from tests.qualification.courses.building import three_blocks

HEADING = "Your trials"


@pytest.fixture
def item(nq, tmp_path):
    open_with(nq, tmp_path, questions(2))
    return Item.objects.filter(project=nq).order_by("pk").first()


@pytest.fixture
def tried(item, lena):
    return tries.begin_trial(item, "annotate", by=lena, now=clock.now())


@pytest.fixture
def sat(nq, lena):
    made = QualificationFactory(project=nq, title="Reading pages")
    version = CourseVersionFactory(qualification=made, course=three_blocks(minutes=30))
    return sitting.issue_trial(lena, made, version, now=clock.now())


def browser(person):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(person)
    return found


def home(person):
    return browser(person).get("/").content.decode()


def put_away(person, held):
    return browser(person).post(reverse("put_away_trial", args=[held.uuid]), follow=True)


def test_both_are_listed_with_the_address_at_which_they_go_on(tried, sat, lena):
    page = home(lena)
    assert HEADING in page
    for address in (reverse("work", args=[tried.uuid]), reverse("exam", args=[sat.uuid])):
        assert f'href="{address}"' in page
        assert browser(lena).get(address).status_code == 200
    assert "Reading pages" in page


def test_without_any_nothing_is_said(item, lena):
    assert HEADING not in home(lena)


def test_nobody_else_sees_them_also_no_other_lead(tried, sat, nq, alice):
    nora = join(nq, "nora", Role.LEAD)
    assert [HEADING in home(person) for person in (nora, alice)] == [False, False]
    for held in (tried, sat):
        assert [put_away(person, held).status_code for person in (nora, alice)] == [404, 404]
    assert not Try.objects.exclude(put_away_at=None).exists()
    assert not Attempt.objects.exclude(voided_at=None).exists()


def test_nor_the_lead_once_they_lead_no_more(tried, sat, lena):
    lena.memberships.update(ended_at=clock.now())
    assert HEADING not in home(lena)


def test_what_is_put_away_is_off_the_page(tried, sat, lena):
    shown = put_away(lena, tried)
    assert "The trial is put away" in shown.content.decode()
    assert reverse("work", args=[tried.uuid]) not in home(lena)
    put_away(lena, sat)
    assert HEADING not in home(lena)
    assert put_away(lena, sat).status_code == 404


def test_a_trial_of_a_task_that_was_put_away_goes_on_when_the_item_is_tried_again(tried, lena, item):
    put_away(lena, tried)
    again = browser(lena).post(reverse("try_item", args=["lights", item.pk]), {"activity": "annotate"})
    assert again["Location"] == reverse("work", args=[tried.uuid])
    assert HEADING in home(lena)


def test_after_one_of_an_exam_the_next_has_a_form_of_its_own(sat, lena):
    put_away(lena, sat)
    again = sitting.issue_trial(lena, sat.qualification, sat.course, now=clock.now())
    assert again.pk != sat.pk
    assert reverse("exam", args=[again.uuid]) in home(lena)


def test_one_whose_time_is_over_is_not_listed(sat, lena):
    Attempt.objects.filter(pk=sat.pk).update(ends_at=clock.now() - timedelta(seconds=1))
    assert HEADING not in home(lena)


def test_a_finished_one_is_not_listed_and_cannot_be_put_away(sat, lena):
    sitting.hand_in(sat, now=clock.now())
    assert HEADING not in home(lena)
    assert put_away(lena, sat).status_code == 404
