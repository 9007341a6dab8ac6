"""On the real screen an exam does the same whatever its references say, until the last answer gives the grant."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.db import connection, transaction
from django.urls import reverse

from annotation import registry
from annotation.engine import loading
from qualification.courses import real_items
from qualification.courses.content import Course, ExamBlock
from qualification.marks import item_points
from qualification.models import Attempt, Outcome
from tasks.items import setting_aside
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.items.test_trying import browser
from tests.people import NOON, join
from tests.qualification.courses.building import block, with_spare
from tests.qualification.courses.on_screen import (
    EXAMINABLE,
    agreeing,
    answered,
    drawing_the_first,
    tried,
    with_reference,
)

MORE = pytest.mark.in_test_all(
    shown_by="tests/qualification/courses/test_right_and_wrong_on_screen.py::"
    "test_before_the_last_answer_statements_are_equal"
)
EACH = [pytest.param(*each, marks=() if each[0] == "qasper" else MORE) for each in EXAMINABLE]


def exam_of(reference, lena, alice, *, last: bool) -> tuple[Attempt, str]:
    """An attempt that begins with the item of the reference, which is all of it if it is the `last`; and its work."""
    made = reference.item.project
    setting_aside.set_aside([reference.item], by=lena, reason="For the exam.", now=NOON)
    row = QualificationFactory(project=made)
    asked = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=with_spare(reference))
    blocks = (asked,) if last else (asked, block("rest", draw=1, mark="1", pool=2))
    CourseVersionFactory(qualification=row, course=Course(blocks=blocks, attempts=1))
    candidate, place = browser(alice), [made.slug, row.key]
    candidate.post(reverse("begin_course", args=place))
    candidate.post(reverse("course_guidelines", args=place))
    with drawing_the_first(row):
        exam = candidate.post(reverse("begin_exam", args=place))["Location"]
    return Attempt.objects.get(), candidate.get(exam)["Location"]


def statements_of(attempt: Attempt, page: str, reference, *, outcome: str) -> list[str]:
    """The statements of all that is sent from that page to the end of the item, which is then taken back."""
    found: list[str] = []

    def note(execute, sql, params, many, context):
        if not re.match(r"(SAVEPOINT|RELEASE)", sql):
            found.append(re.sub(r"IN \([%s, ]+\)", "IN (...)", sql))
        return execute(sql, params, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(note):
            answered(agreeing(attempt.user, reference), page)
        attempt.refresh_from_db()
        assert attempt.outcome == outcome
        transaction.set_rollback(True)
    attempt.refresh_from_db()
    return found


def with_other_references(attempt: Attempt, other) -> None:
    """Have the item be graded against another annotation."""
    version = attempt.course
    item = version.content["blocks"][0]["pool"][0]
    item["references"] = [real_items.reference_of(other).model_dump(mode="json")]
    version.save(update_fields=["content"])


@pytest.mark.parametrize(("protocol", "activity"), EACH)
def test_before_the_last_answer_statements_are_equal(db, protocol, activity):
    _made, lena, reference = with_reference(protocol, activity)
    other = tried(lena, reference.item, activity, seed=11)
    attempt, page = exam_of(reference, lena, join(reference.item.project, "alice"), last=False)
    right = statements_of(attempt, page, reference, outcome="")
    with_other_references(attempt, other)
    assert statements_of(attempt, page, reference, outcome="") == right


@pytest.mark.parametrize(("protocol", "activity"), EACH)
def test_the_last_answer_differs_in_the_grant_alone(db, protocol, activity):
    _made, lena, reference = with_reference(protocol, activity)
    seeds = Random(5)
    other = next(
        made
        for made in (tried(lena, reference.item, activity, seed=seeds.randrange(100)) for _each in range(9))
        if points(made, reference) < 1
    )
    attempt, page = exam_of(reference, lena, join(reference.item.project, "alice"), last=True)
    right = statements_of(attempt, page, reference, outcome=Outcome.ADMITTED)
    with_other_references(attempt, other)
    wrong = statements_of(attempt, page, reference, outcome=Outcome.NOT_ADMITTED)
    assert right[: len(wrong)] == wrong
    grants = right[len(wrong) :]
    assert grants
    for statement in grants:
        assert re.search(r"qualification_(grant|qualification)|annotation_(membership|event)", statement)


def points(reference, answer):
    """What the answer is worth against that reference."""
    item = answer.item
    [said, wanted] = loading.finished_records([answer, reference], item)
    protocol = registry.get(item.project.protocol)
    return item_points(protocol.grade(answer.activity, loading.item_record(item), said, [wanted]))
