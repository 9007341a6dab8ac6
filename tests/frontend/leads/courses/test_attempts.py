"""Leads look at attempts, filter them, give more time, void what was spoiled, correct keys, and read the figures."""

from __future__ import annotations

import csv
import io
import re

import pytest

from annotation.models import Role, User
from qualification.courses import editing, sitting, standing
from qualification.models import Attempt, ExtraTime, Grant, Qualification
from tests.builders import project
from tests.disagreeing import browser
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.courses.conftest import Desk
from tests.people import NOON, join
from tests.qualification.courses.building import prepare, sit, three_blocks


@pytest.fixture(scope="module")
def sat_once(shared_rows):
    """Alice is admitted; bob has another attempt. Lena leads."""
    made = project()
    join(made, "lena", Role.LEAD)
    reading, people = QualificationFactory(project=made), [join(made, name) for name in ("alice", "bob")]
    CourseVersionFactory(qualification=reading, course=three_blocks())
    for person in people:
        prepare(person, reading)
    return [sit(person, reading, fail=fail).pk for person, fail in zip(people, ((), ("background",)), strict=True)]


@pytest.fixture
def sat(sat_once, db):
    """Alice's attempt, and bob's."""
    return tuple(Attempt.objects.get(pk=key) for key in sat_once)


@pytest.fixture
def reading(sat_once, db):
    return Qualification.objects.select_related("project").get(project__slug="lights")


@pytest.fixture
def published(reading):
    return editing.published(reading)


@pytest.fixture
def alice(reading):
    return User.objects.get(username="alice")


@pytest.fixture
def bob(reading):
    return User.objects.get(username="bob")


@pytest.fixture
def lena(reading):
    return User.objects.get(username="lena")


def shown(answer):
    return " ".join(answer.content.decode().split())


def rows_of(answer):
    content = answer.content
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))


def undo_of(answer):
    """The button of the message."""
    page = answer.content.decode()
    return re.search(r'class="push" method="post" action="([^"]+)"', page)[1]


def test_without_any_the_page_says_so(db):
    made = project("empty")
    row = QualificationFactory(project=made)
    CourseVersionFactory(qualification=row, course=three_blocks())
    desk = Desk(browser(join(made, "lena", Role.LEAD)), row)
    assert "Nobody has sat the exam yet." in desk.text("exam_attempts")
    assert "Nobody has finished an attempt yet." in desk.text("exam_figures")


def test_attempts_are_listed_with_points_and_outcome_without_trials_and_the_dialog_says_that_a_grant_stays(
    desk, sat, published, lena
):
    sitting.issue_trial(lena, desk.qualification, published, now=NOON)
    page = desk.text("exam_attempts")
    assert "Another attempt" in page
    assert page.count("/void/") == 2
    assert "<b>0 / 2</b>" in page
    assert "<b>2 / 2</b>" in page
    assert page.count("The qualification that it gave them stays") == 1


def test_they_are_narrowed_down_by_outcome(desk, sat):
    wanted = {"": 2, "admitted": 1, "again": 1, "not_admitted": 0, "open": 0, "else": 2}
    assert {outcome: desk.text("exam_attempts", outcome=outcome).count("/void/") for outcome in wanted} == wanted


def test_the_file_has_all_of_them(desk, sat, alice):
    header, *rows = rows_of(desk.get("exam_attempts_csv"))
    assert header[:8] == [
        "worker_code", "attempt", "version", "issued_at", "finished_at", "minutes", "state", "outcome",
    ]  # fmt: skip
    assert header[-3:] == ["Background (background)", "Reading (reading)", "Task (task)"]
    [mine] = [row for row in rows if row[0] == alice.worker_code]
    assert (mine[7], mine[-3:]) == ("admitted", ["2.0", "2.0", "2.0"])


def test_more_time_is_given_and_taken_back(desk, published, alice):
    sent = {"person": alice.worker_code, "minutes": "15", "reason": "Reads with a screen reader."}
    answer = desk.post("give_exam_time", **sent)
    assert "alice has 15 minutes more from the next attempt on." in shown(answer)
    assert "15 minutes more for alice" in shown(answer)
    desk.client.post(undo_of(answer))
    assert list(ExtraTime.objects.order_by("pk").values_list("minutes", flat=True)) == [15, 0]
    assert "Take back" not in desk.text("exam_attempts")


def test_more_time_for_nobody_is_refused(desk, published, alice):
    sent = {"person": "alice", "minutes": "15", "reason": "A screen reader."}
    for changed, words in (
        ({"person": "nobody"}, "No member has this name"),
        ({"minutes": "1441"}, "less than"),
        ({"reason": ""}, "reason"),
    ):
        answer = desk.post("give_exam_time", **sent | changed)
        assert answer.status_code == 422, changed
        assert words in shown(answer)
        assert not ExtraTime.objects.exists(), changed


def test_an_attempt_is_voided_with_a_reason_and_counts_again(desk, sat, bob):
    attempt = sat[1]
    assert desk.post("void_attempt", attempt.uuid, reason="").status_code == 422
    answer = desk.post("void_attempt", attempt.uuid, reason="The site was down.")
    assert "The site was down." in shown(answer)
    assert standing.counting(bob, desk.qualification) == ()
    assert desk.text("exam_attempts", outcome="voided").count("does not count</span>") == 1
    desk.client.post(undo_of(answer))
    assert standing.counting(bob, desk.qualification) == (attempt,)


def test_trials_and_attempts_of_other_qualifications_are_not_found(desk, published, lena):
    trial = sitting.issue_trial(lena, desk.qualification, published, now=NOON)
    assert desk.post("void_attempt", trial.uuid, reason="No.").status_code == 404


def corrected(desk, item, **sent):
    return desk.post("correct_item", 1, item, **{"was": "0", "right": "1", "reason": "The key was wrong."} | sent)


def test_a_key_is_corrected_after_a_look_at_who_changes(desk, sat, bob):
    item = sat[1].form[0][1]
    assert "Correct the right answer" in desk.text("course_version", 1)
    page = shown(corrected(desk, item, go="preview"))
    assert "2 attempts are graded again." in page or "1 attempt has other points" in page
    assert editing.read(editing.published(desk.qualification)).items()[item].right == {0}
    refused = corrected(desk, item, go="correct", reason="")
    assert refused.status_code == 422
    assert 'aria-describedby="reason-help why" aria-invalid="true" autofocus' in shown(refused)
    answer = corrected(desk, item, go="correct")
    words = r"Corrected\. (1 attempt is|2 attempts are) graded anew\. 0 people were given the qualification\."
    assert re.search(words, shown(answer))
    assert "corrected since" in shown(answer)
    assert Attempt.objects.get(pk=sat[1].pk).marks[0] == "1"
    assert "Corrected what is right of" in desk.text("course_draft")
    desk.client.post(undo_of(answer))
    assert Attempt.objects.get(pk=sat[1].pk).marks[0] == "0"
    assert Grant.objects.count() == 1


def test_a_correction_over_another_one_is_refused_and_shown(desk, sat):
    item = sat[1].form[0][1]
    corrected(desk, item, go="correct")
    answer = corrected(desk, item, go="correct", right="2")
    assert answer.status_code == 409
    assert "has been corrected since you opened this page" in shown(answer)
    assert 'name="was" value="1"' in shown(answer)


def test_what_is_no_option_is_not_found(desk, sat):
    for right in ("x", "-1", "999"):
        assert corrected(desk, "task-0", go="preview", right=right).status_code == 404, right


def test_several_right_options_in_place_of_one_are_refused(desk, sat):
    answer = corrected(desk, "task-0", go="correct", right=["0", "1"])
    assert answer.status_code == 422
    assert "Candidates were told whether one option is right" in shown(answer)


def test_the_funnel_stands_beside_that_of_coqa(desk, sat):
    page = desk.text("exam_figures")
    assert "50 % of 2 people who finished are admitted" in page
    assert "57 % of 960 (53.8 – 60.1 %)." in page
    assert "By the week in which they began" in page


def test_every_table_is_a_file(desk, sat):
    for table in ("steps", "weeks", "sources", "items"):
        header, *rows = rows_of(desk.get("exam_figures_csv", table))
        assert rows, table
        assert {len(row) for row in rows} == {len(header)}, table
    assert desk.get("exam_figures_csv", "nothing").status_code == 404


def test_a_page_of_many_attempts_asks_no_more_of_the_database(desk, sat, published, django_assert_max_num_queries):
    desk.get("exam_attempts")
    for n in range(4):
        person = join(desk.qualification.project, f"more-{n}")
        prepare(person, desk.qualification)
        sit(person, desk.qualification)
    with django_assert_max_num_queries(25):
        desk.get("exam_attempts")
