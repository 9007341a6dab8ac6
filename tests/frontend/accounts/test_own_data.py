"""A person downloads what is kept about them: each table that points at a person is in it, or left out for a reason."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from django.test import Client
from django.urls import reverse

from annotation import randomness
from annotation.models import Role, User
from frontend.accounts.own_data import COURSE_TABLES
from frontend.accounts.own_tables import OWN_TABLES
from qualification.courses import sitting, working
from qualification.courses.content import Course, ExamBlock
from qualification.models import Attempt, Enrolment, Grant
from tests.builders import BAD, Worker, open_with, questions
from tests.disagreeing import lights
from tests.factories.qualification import CourseVersionFactory, ExtraTimeFactory, QualificationFactory
from tests.people import NOON, join
from tests.qualification.courses.building import (
    block,
    course,
    prepare,
    real_item,
    rejected_for_exams,
    sit,
    three_blocks,
)


def pointing_at(*models) -> set[str]:
    """The columns of all tables that point at these, as `app.Model.column`."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.related_model in models
    }


@pytest.fixture
def reading(nq):
    made = QualificationFactory(project=nq)
    CourseVersionFactory(qualification=made, course=three_blocks())
    return made


def data_of(person) -> dict:
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(person)
    return browser.get(reverse("account_data")).json()


def test_every_table_that_points_at_a_person_is_in_their_data_or_left_out_with_a_reason():
    assert pointing_at(User) == set(OWN_TABLES)
    unsaid = [place for place, table in OWN_TABLES.items() if bool(table.columns) == bool(table.left_out)]
    assert unsaid == []


def test_every_table_that_points_at_what_somebody_did_in_a_course_is_in_their_data():
    found = {place.rsplit(".", 1)[0] for place in pointing_at(Enrolment, Attempt, Grant)}
    assert found == set(COURSE_TABLES)


def test_courses_are_in_it_with_answers_marks_outcome_time_and_grant(reading, alice):
    ExtraTimeFactory(qualification=reading, user=alice)
    prepare(alice, reading)
    sit(alice, reading)
    rows = data_of(alice)["rows"]
    assert [row["course_version"] for row in rows["qualification.Enrolment"]] == [1]
    assert [(row["item"], row["points"]) for row in rows["qualification.TutorialAnswer"]] == [
        ("tutorial-0", "1"),
        ("tutorial-1", "1"),
    ]
    [attempt] = rows["qualification.Attempt"]
    assert (attempt["outcome"], attempt["form"]) == (
        "admitted",
        ["background", "background", "reading", "reading", "task", "task"],
    )
    assert [(each["title"], each["points"], each["needed"]) for each in attempt["blocks"]] == [
        (title, "2", "2") for title in ("Background", "Reading", "Task")
    ]
    assert [each["place"] for each in attempt["answers"]] == [1, 2, 3, 4, 5, 6]
    assert rows["qualification.ExtraTime"][0]["minutes"] == 15
    assert [(row["origin"], row["state"]) for row in rows["qualification.Grant"]] == [("exam", "active")]


def test_an_answer_is_the_number_of_the_option_as_it_was_shown(reading, alice):
    prepare(alice, reading)
    attempt = sitting.issue(alice, reading, now=NOON)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(alice)
    for place, shown in enumerate((0, 1, 2, 0, 1)):
        browser.post(reverse("exam", args=[attempt.uuid]), {"place": place, "option": str(shown)})
    [found] = data_of(alice)["rows"]["qualification.Attempt"]
    assert [each["options"] for each in found["answers"]] == [[1], [2], [3], [1], [2]]


def test_no_key_of_an_exam_is_in_it_while_it_is_open_nor_afterwards(nq, alice):
    made = QualificationFactory(project=nq)
    content = course(block("task", mark="1"), tutorial=0, attempts=1)
    CourseVersionFactory(qualification=made, course=content)
    prepare(alice, made)
    worlds = []
    for answers in (([0], [1]), ([1], [0])):
        attempt = sitting.issue(alice, made, now=NOON)
        Attempt.objects.filter(pk=attempt.pk).update(seed="1", form=[["task", "task-0"], ["task", "task-1"]])
        attempt.refresh_from_db()
        assert "task-0" not in str(data_of(alice))
        for place, chosen in enumerate(answers):
            attempt = sitting.answer(attempt, place, chosen, now=NOON)
        found = data_of(alice)
        assert "task-0" not in str(found)
        assert "Explanation" not in str(found)
        worlds.append(found["rows"]["qualification.Attempt"][-1]["blocks"])
        Attempt.objects.filter(pk=attempt.pk).update(voided_at=NOON)
        Grant.objects.filter(user=alice).update(state="revoked", undone=True)
    assert worlds[0] == worlds[1]  # one right of two, whichever: the points of a block tell no item's key


def test_work_is_in_it_and_nothing_of_anybody_else(nq, tmp_path, alice):
    open_with(nq, tmp_path, questions(2))
    bob = join(nq, "planted-bob")
    Worker(bob, nq).finish_bad()
    mine = Worker(alice, nq).finish_bad()
    found = data_of(alice)
    assert found["account"]["username"] == "alice"
    assert [row["uuid"] for row in found["rows"]["annotation.Annotation"]] == [str(mine.annotation.uuid)]
    assert len(found["rows"]["tasks.Assignment"]) == 1
    assert "planted-bob" not in str(found)
    assert "purpose" not in found["rows"]["annotation.Annotation"][0]  # which of it is a check is told to nobody


def test_the_file_is_offered_on_the_page_of_the_account(nq, alice):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(alice)
    assert f'href="{reverse("account_data")}"' in browser.get(reverse("account")).content.decode()
    answer = browser.get(reverse("account_data"))
    assert answer["Content-Disposition"] == 'attachment; filename="my-data.json"'
    assert "no-store" in answer["Cache-Control"]


def test_answers_on_the_work_screen_are_in_the_data_by_their_annotations(tmp_path, db):
    made = lights(tmp_path)
    lena = join(made, "lena", Role.LEAD)
    kept = [rejected_for_exams(Worker(join(made, "bob"), made), by=lena, now=NOON) for _each in range(2)]
    row, alice = QualificationFactory(project=made), join(made, "alice")
    pool = tuple(real_item(each, f"asked-{n}") for n, each in enumerate(kept))
    exam = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=pool)
    CourseVersionFactory(qualification=row, course=Course(blocks=(exam,), attempts=1))
    prepare(alice, row)
    attempt = sitting.issue(alice, row, now=NOON)
    held = working.begin_item(attempt, now=NOON)
    working.commit_in_exam(held, "question", BAD, key=randomness.handle(), seen=0, now=NOON)
    rows = data_of(alice)["rows"]
    [answered] = rows["qualification.Attempt"][0]["answers"]
    [annotation] = rows["annotation.Annotation"]
    assert answered["annotation"] == annotation["uuid"]
    assert rows["annotation.Response"][0]["payload"]["verdict"] == "bad"
