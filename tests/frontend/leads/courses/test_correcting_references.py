"""Other references for an item of a published version: who changes, a reason, all attempts graded again, and back."""

from __future__ import annotations

import json
import re

import pytest

from annotation.models import Event
from qualification.courses import editing, real_items
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.courses.conftest import Desk
from tests.frontend.leads.courses.test_real_items import answered, answered_once, harbour, lena, shown  # noqa: F401
from tests.frontend.leads.courses.working import answers_to, put_aside, real_item
from tests.qualification.courses.building import block, course


@pytest.fixture
def version(harbour, answered, lena):  # noqa: F811
    """A published course with an item whose only reference is the first answer."""
    put_aside(answered, lena)
    first = real_item("harbour", answered)
    first = first.model_copy(update={"references": first.references[:1]})
    asked = block("task").model_copy(update={"pool": (*block("task").pool, first)})
    made = QualificationFactory(project=harbour)
    return CourseVersionFactory(qualification=made, course=course(asked))


@pytest.fixture
def desk(version, lena, client):  # noqa: F811
    client.force_login(lena)
    return Desk(client, version.qualification)


def now_right(version):
    version.refresh_from_db()
    return editing.read(version).items()["harbour"].references


def send(desk, page, chosen, **fields):
    was = re.search(r'name="was" value="([^"]*)"', page)[1]
    sent = {"was": was, "reference": [str(each.uuid) for each in chosen], "reason": "Both are right.", **fields}
    return desk.post("correct_item", 1, "harbour", **sent)


def test_a_reference_is_added_with_a_reason_and_taken_back(desk, version, answered):  # noqa: F811
    answers = answers_to(answered)
    first, second = (real_items.reference_of(each) for each in answers)
    assert "Correct the references" in desk.text("course_version", 1)
    page = desk.text("correct_item", 1, "harbour")
    assert page.count("checked>") == 1
    assert "0 attempts are graded again." in shown(send(desk, page, answers, go="preview"))
    assert now_right(version) == (first,)
    done = shown(send(desk, page, answers, go="correct"))
    assert set_of(now_right(version)) == set_of([first, second])
    told = Event.objects.get(kind="course.corrected").data
    assert (told["title"], told["reason"], len(told["before"]), len(told["after"])) == (
        "Title of harbour",
        "Both are right.",
        1,
        2,
    )
    [undo] = re.findall(r'action="(/[^"]*/back/\d+/)"', done)
    desk.client.post(undo)
    assert now_right(version) == (first,)
    assert not version.corrections


def set_of(references):
    return {json.dumps(each.model_dump(), sort_keys=True) for each in references}


def test_nothing_chosen_and_a_page_that_is_out_of_date_are_refused(desk, version, answered):  # noqa: F811
    page = desk.text("correct_item", 1, "harbour")
    for chosen, fields, status in (([], {}, 422), (answers_to(answered), {"was": "kept-old"}, 409)):
        assert send(desk, page, chosen, go="correct", **fields).status_code == status
        assert len(now_right(version)) == 1


def test_the_same_references_correct_nothing(desk, version, answered):  # noqa: F811
    page = desk.text("correct_item", 1, "harbour")
    assert "Nothing was different." in shown(send(desk, page, answers_to(answered)[:1], go="correct"))
    assert not Event.objects.filter(kind="course.corrected").exists()
