"""Pictures of an item are shown where it is asked, and served to nobody else and at no other time."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Project, Role, User
from qualification.courses import pictures
from qualification.courses.exam_tries import GRACE
from qualification.models import Attempt
from tests.builders import project
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.courses.test_taking import PLACE, browser, led_to_the_exam, right_places
from tests.people import NOON, join
from tests.pictures import png
from tests.qualification.courses.building import block, course, with_pictures

SMALL, LARGE = png(8, 6), png(60, 40)


@pytest.fixture(scope="module")
def begun_once(shared_rows):
    """A course with pictures, in whose exam alice is at the first item."""
    made = project()
    kept = [pictures.keep(made, data, by=None, now=NOON) for data in (SMALL, LARGE)]
    asked = course(block("task", draw=2, mark="1"), tutorial=2, minutes=30)
    row = QualificationFactory(project=made, needed_for=["annotate"], about="")
    CourseVersionFactory(qualification=row, course=with_pictures(asked, *kept))
    led_to_the_exam(browser(join(made, "alice")))


@pytest.fixture
def nq(begun_once, db):
    return Project.objects.get()


@pytest.fixture
def candidate(nq):
    return browser(User.objects.get(username="alice"))


def shown_in(answer):
    """The addresses of the pictures of a page, their texts and sizes."""
    page = " ".join(answer.content.decode().split())
    return re.findall(r'<img src="([^"]+)" alt="([^"]*)" dir="auto" width="(\d+)" height="(\d+)">', page)


def begun_exam(candidate):
    """The attempt, and the addresses of the pictures of its first item."""
    attempt = Attempt.objects.get()
    return attempt, [row[0] for row in shown_in(candidate.get(reverse("exam", args=[attempt.uuid])))]


def test_a_tutorial_item_shows_its_pictures_with_text_and_size_before_and_after_the_answer(nq):
    candidate = browser(join(nq, "carol"))
    candidate.post(reverse("begin_course", args=PLACE))
    candidate.post(reverse("course_guidelines", args=PLACE))
    address = reverse("course_tutorial", args=[*PLACE, "tutorial-0"])
    seen = shown_in(candidate.get(address))
    assert [row[1:] for row in seen] == [("A picture, 1", "8", "6"), ("A picture, 2", "60", "40")]
    assert shown_in(candidate.post(address, {"option": "0"})) == seen
    served = [candidate.get(row[0]) for row in seen]
    assert [each.content for each in served] == [SMALL, LARGE]
    assert {each["Content-Type"] for each in served} == {"image/png"}
    assert "private" in served[0]["Cache-Control"]


def test_no_page_of_a_candidate_names_a_picture_by_its_hash(candidate):
    attempt, _addresses = begun_exam(candidate)
    page = candidate.get(reverse("exam", args=[attempt.uuid])).content.decode()
    assert not re.search(r"[0-9a-f]{64}", page)


def test_an_exam_serves_the_pictures_of_the_item_that_is_asked_and_of_no_other(candidate):
    attempt, addresses = begun_exam(candidate)
    assert [candidate.get(each).status_code for each in addresses] == [200, 200]
    ahead = reverse("exam_picture", args=[attempt.uuid, 1, 0])
    assert candidate.get(ahead).status_code == 404
    answer = {"place": 0, "option": right_places(attempt, 0)}
    candidate.post(reverse("exam", args=[attempt.uuid]), answer)
    assert candidate.get(ahead).status_code == 200
    assert candidate.get(addresses[0]).status_code == 404


def test_a_picture_that_the_item_does_not_have_is_not_found(candidate):
    attempt, _addresses = begun_exam(candidate)
    assert candidate.get(reverse("exam_picture", args=[attempt.uuid, 0, 2])).status_code == 404
    assert candidate.get(reverse("tutorial_picture", args=[*PLACE, "tutorial-0", 2])).status_code == 404
    assert candidate.get(reverse("tutorial_picture", args=[*PLACE, "task-0", 0])).status_code == 404


def test_once_the_time_and_its_grace_are_over_no_picture_is_served(candidate, monkeypatch):
    attempt, addresses = begun_exam(candidate)
    for late, status in ((timedelta(), 200), (timedelta(microseconds=1), 404)):
        monkeypatch.setattr(clock, "now", lambda late=late: attempt.ends_at + GRACE + late)
        assert candidate.get(addresses[0]).status_code == status


def test_a_picture_of_an_attempt_is_served_to_the_candidate_alone(nq, candidate):
    bob, lena = join(nq, "bob"), join(nq, "lena", Role.LEAD)
    _attempt, addresses = begun_exam(candidate)
    assert [browser(person).get(addresses[0]).status_code for person in (bob, lena)] == [404, 404]
