"""Which option is right leaves the server only as an explanation of the tutorial: never in an exam, by any byte."""

from __future__ import annotations

import time

import pytest
import time_machine
from django.urls import reverse

from qualification.courses import editing
from qualification.courses.content import ChoiceItem, Course, Option
from qualification.models import Attempt
from tests.builders import open_with, questions
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.courses.test_taking import PLACE, browser
from tests.qualification.courses.building import block

CANARY = "CANARY"


def with_canaries() -> Course:
    """Every explanation, note, concept and unseen key of the exam is a canary."""
    items = tuple(
        ChoiceItem(
            key=f"canary-{n}",
            concept=f"{CANARY} concept {n}",
            stem=f"Stem {n}",
            options=tuple(
                Option(
                    text=f"Text {place} of {n}", right=place == n % 3, explanation=f"{CANARY} explanation {n} {place}"
                )
                for place in range(3)
            ),
            note=f"{CANARY} note {n}",
        )
        for n in range(6)
    )
    return Course(blocks=(block("task").model_copy(update={"pool": items, "mark": "1.25"}),), attempts=2, minutes=30)


@pytest.fixture
def candidate(nq, tmp_path, alice):
    open_with(nq, tmp_path, questions(2))
    row = QualificationFactory(project=nq, needed_for=["annotate"])
    CourseVersionFactory(qualification=row, course=with_canaries())
    return browser(alice)


def everything(answer) -> str:
    """Body, headers and cookies of an answer."""
    cookies = "".join(str(each) for each in answer.cookies.values())
    return answer.content.decode() + str(dict(answer.headers)) + cookies


def test_no_page_of_a_candidate_has_a_key_of_the_exam(candidate):
    seen = [candidate.get("/"), candidate.get(reverse("course", args=PLACE))]
    seen.append(candidate.post(reverse("begin_course", args=PLACE), follow=True))
    seen.append(candidate.post(reverse("course_guidelines", args=PLACE), follow=True))
    seen.append(candidate.post(reverse("begin_exam", args=PLACE), follow=True))
    attempt = Attempt.objects.get()
    address = reverse("exam", args=[attempt.uuid])
    for place in range(2):
        seen.append(candidate.post(address, {"place": place}, follow=True))
        chosen = {"place": place, "option": "0"}
        seen.append(candidate.post(reverse("exam_draft", args=[attempt.uuid]), chosen))
        seen.append(candidate.get(address))
        seen.append(candidate.post(address, chosen, follow=True))
    seen += [candidate.get(reverse("course", args=PLACE)), candidate.get("/account/"), candidate.get("/")]
    for answer in seen:
        assert CANARY.lower() not in everything(answer).lower(), answer.request["PATH_INFO"]


def test_the_page_of_an_item_is_the_same_in_a_world_with_another_key(candidate, nq):
    candidate.post(reverse("begin_course", args=PLACE))
    candidate.post(reverse("course_guidelines", args=PLACE))
    address = candidate.post(reverse("begin_exam", args=PLACE))["Location"]
    attempt = Attempt.objects.get()
    key = attempt.form[0][1]
    right = sorted(editing.read(attempt.course).items()[key].right)
    others = [place for place in range(3) if place not in right]
    with time_machine.travel(time.time(), tick=False):  # the page tells the seconds left
        here = candidate.get(address).content
        attempt.course.corrections = {key: others[:1]}
        attempt.course.save(update_fields=["corrections"])
        there = candidate.get(address).content
    assert len(here) == len(there)
    assert [line for line in here.splitlines() if b"csrf" not in line] == [
        line for line in there.splitlines() if b"csrf" not in line
    ]
