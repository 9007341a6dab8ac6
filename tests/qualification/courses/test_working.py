"""Items of courses on the real work screen: opened one after another, saved, answered, graded, marked in tutorials."""

from __future__ import annotations

import shutil
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest
from django.db import transaction
from django.urls import resolve, reverse

from annotation import clock
from annotation.errors import WrongMove
from annotation.models import Annotation, Event, Item, Purpose, TimeSpan, User
from annotation.releases import building as releases
from frontend.bots.bot import Bot
from qualification import tries as trying
from qualification.courses import item_figures, sitting
from qualification.models import Attempt, AttemptAnswer, Grant, Outcome, TutorialAnswer
from tasks.items import setting_aside
from tests.boards import bring_up_to_date, measure_everything
from tests.builders import BAD, GOOD, Worker
from tests.frontend.leads.items.test_trying import SECRETS, browser, figures, played
from tests.people import NOON, join
from tests.qualification.courses.building import choice, real_item, with_spare
from tests.qualification.courses.on_screen import (
    EXAMINABLE,
    agreeing,
    answered,
    at,
    begun,
    draft_of,
    drawing_the_first,
    examined,
    with_reference,
)

OTHERS = pytest.mark.in_test_all(
    shown_by="tests/qualification/courses/test_working.py"
    "::test_each_activity_is_sat_on_its_real_screen_and_graded_against_the_reference"
)
FOR_A_MERGE = (("nq", "annotate"), ("qasper", "answer"), ("coqa", "converse_alone"))
"""Stages one after another, a block, and turns; how each protocol grades, the contract shows for each merge."""
SAT = [pytest.param(*each, id="-".join(each), marks=() if each in FOR_A_MERGE else OTHERS) for each in EXAMINABLE]


@pytest.mark.parametrize(("protocol", "activity"), SAT)
def test_each_activity_is_sat_on_its_real_screen_and_graded_against_the_reference(db, protocol, activity):
    made, lena, reference = with_reference(protocol, activity)
    row = examined(made, *with_spare(reference), lead=lena)
    alice = join(made, "alice")
    candidate, exam = begun(alice, row)
    page = candidate.get(exam)["Location"]
    screen = candidate.get(page).content.decode()
    assert "item 1 of 1" in screen
    assert 'id="skip"' not in screen
    assert answered(agreeing(alice, reference), page) == exam
    attempt = Attempt.objects.get()
    assert (attempt.outcome, attempt.marks) == (Outcome.ADMITTED, ["1"])
    assert Grant.objects.get().user == alice
    made_here = Annotation.objects.get(purpose=Purpose.QUIZ)
    assert (made_here.author, made_here.item) == (alice, reference.item)
    assert AttemptAnswer.objects.get().answer == {"annotation": made_here.pk}
    assert "You have passed" in candidate.get(exam, follow=True).content.decode()
    assert candidate.get(page)["Location"] == exam


def test_another_answer_than_the_reference_has_the_points_of_what_is_alike(good):
    made, lena, reference = good
    row = examined(made, *with_spare(reference), lead=lena)
    alice = join(made, "alice")
    candidate, exam = begun(alice, row)
    played(alice, candidate.get(exam)["Location"], Random(2))
    attempt = Attempt.objects.get()
    assert Fraction(attempt.marks[0]) < 1
    assert attempt.outcome == Outcome.NOT_ADMITTED
    assert not Grant.objects.exists()


def test_a_reload_and_another_device_lead_to_the_same_work_and_what_was_chosen(sitting_it):
    _row, candidate, exam, page = sitting_it
    assert candidate.post(*draft_of(page, "bad")).status_code == 200
    again = browser(User.objects.get(username="alice"))
    assert again.get(exam)["Location"] == page
    assert '"verdict": "bad"' in again.get(page).content.decode().replace("&quot;", '"')
    assert Annotation.objects.filter(purpose=Purpose.QUIZ).count() == 1


def test_whoever_has_met_the_item_in_the_work_is_not_asked_about_it(good):
    made, lena, reference = good
    row = examined(made, *with_spare(reference), lead=lena)
    begun(User.objects.get(username="bob"), row)
    assert Attempt.objects.get().form[0][1] == "spare"


def test_where_nothing_else_is_left_whoever_has_met_it_is_told_so(good):
    made, lena, reference = good
    other = Annotation.objects.select_related("item__project").get(
        pk=Worker(User.objects.get(username="bob"), made).finish_bad().annotation_id
    )
    row = examined(made, real_item(reference, "a"), real_item(other, "b"), lead=lena)
    candidate, back = begun(User.objects.get(username="bob"), row)
    assert "not enough new items" in candidate.get(back).content.decode()
    assert not Attempt.objects.exists()


def test_a_lead_sits_it_on_the_real_screen_and_it_counts_nowhere(good):
    made, lena, reference = good
    row = examined(made, *with_spare(reference), lead=lena)
    lead = browser(lena)
    begin = trying.begin_trial(reference.item, "annotate", by=lena, now=clock.now())
    with drawing_the_first(row):
        attempt = sitting.issue_trial(lena, row, row.course_versions.get(), now=clock.now())
    page = lead.get(reverse("exam", args=[attempt.uuid]))["Location"]
    assert resolve(page).kwargs["uuid"] == begin.uuid
    assert "counts nowhere" in lead.get(page).content.decode()
    bot = Bot(lena, Random(1), think=lambda *_: BAD)
    answered(bot, page)
    assert "You have passed" in lead.get(reverse("exam", args=[attempt.uuid])).content.decode()
    assert Event.objects.get(kind="attempt.tried").by == lena.pk
    assert not Annotation.objects.filter(purpose=Purpose.QUIZ).exists()
    assert not Grant.objects.exists()
    assert not TimeSpan.objects.exists()


def test_a_tutorial_shows_marks_the_reference_and_the_reasons_any_number_of_times(good):
    made, lena, reference = good
    worked = real_item(reference, "a", note="Zq7note", explanations={"question": "Zq7reason"})
    row = examined(made, choice("one"), choice("two"), lead=lena, tutorial=(worked,))
    alice = join(made, "alice")
    candidate, place = browser(alice), [made.slug, row.key]
    candidate.post(reverse("begin_course", args=place))
    candidate.post(reverse("course_guidelines", args=place))
    page = reverse("course_tutorial", args=[*place, "a"])
    assert "Zq7" not in candidate.get(page).content.decode()
    for n, think in enumerate([lambda *_: GOOD, lambda *_: BAD], start=1):
        work = candidate.post(page)["Location"]
        assert "Zq7" not in candidate.get(work).content.decode()
        bot = Bot(alice, Random(1), think=think if n == 2 else None)
        assert answered(bot, work) == page
        said = candidate.get(page).content.decode()
        assert "Zq7note" in said
        assert "Zq7reason" in said
        assert "Reference" in said
        assert TutorialAnswer.objects.count() == n
    assert TutorialAnswer.objects.last().points == "1"
    assert Annotation.objects.filter(purpose=Purpose.QUIZ).count() == 2
    assert "On to the exam" in said


def test_an_item_of_an_exam_stays_set_aside_and_out_of_the_figures(sitting_it):
    row, _candidate, _exam, _page = sitting_it
    item = Item.with_set_aside.get(set_aside_at__isnull=False)
    with pytest.raises(WrongMove):
        setting_aside.return_to_work([item], by=User.objects.get(username="lena"), reason="Back.", now=clock.now())
    assert not row.project.items.filter(pk=item.pk).exists()


FIGURES = ("project", "agreement", "agreement_csv", "human_bound", "project_time_csv", "pay_csv", "people")
"""Pages of a lead with figures of the work."""


def told(made, lena) -> dict[str, bytes]:
    """What a lead reads of the work in figures, and the files of a release made now, as bytes."""
    bring_up_to_date(made)
    measure_everything()
    lead = browser(lena)
    pages = {name: lead.get(reverse(name, args=[made.slug])) for name in FIGURES}
    assert {answer.status_code for answer in pages.values()} == {200}
    found = {name: SECRETS.sub(b"", b"".join(answer)) for name, answer in pages.items()}
    with transaction.atomic():
        made_now = releases.build(made, format="", partial=True, by=lena, now=NOON + timedelta(days=3), using="default")
        found["release"] = f"{made_now.members_sha256} {made_now.manifest_sha256}".encode()
        shutil.rmtree(releases.folder_of(made_now))
        transaction.set_rollback(True)
    return found


def test_no_figure_and_no_release_is_another_after_an_exam_on_the_real_screen(good, monkeypatch):
    made, lena, reference = good
    Worker(User.objects.get(username="bob"), made).finish_bad()
    row = examined(made, *with_spare(reference), lead=lena)
    alice = join(made, "alice")
    at(monkeypatch, NOON + timedelta(days=2))
    before = told(made, lena)
    candidate, exam = begun(alice, row)
    answered(agreeing(alice, reference), candidate.get(exam)["Location"])
    assert Attempt.objects.get().outcome == Outcome.ADMITTED
    after = told(made, lena)
    assert {name for name in before if before[name] != after[name]} <= {"people"}
    Worker(alice, made).finish_bad()
    worked = told(made, lena)
    assert {name for name in after if worked[name] != after[name]} >= {"project", "release"}, "the control"


@pytest.mark.in_test_all(
    shown_by="tests/qualification/courses/test_working.py"
    "::test_no_figure_and_no_release_is_another_after_an_exam_on_the_real_screen"
)
def test_nothing_but_pages_of_people_is_another_after_an_exam_on_the_real_screen(good, monkeypatch):
    made, lena, reference = good
    Worker(User.objects.get(username="bob"), made).finish_bad()
    row = examined(made, *with_spare(reference), lead=lena)
    alice = join(made, "alice")
    at(monkeypatch, NOON + timedelta(days=2))
    before = figures(made, lena)
    candidate, exam = begun(alice, row)
    answered(agreeing(alice, reference), candidate.get(exam)["Location"])
    assert Attempt.objects.get().outcome == Outcome.ADMITTED
    after = figures(made, lena)
    assert len(before) > 15
    # Which people and annotations have their pages among them is the database's choice.
    changed = {address for address in before.keys() & after.keys() if before[address] != after[address]}
    assert {each for each in changed if "/people/" not in each and "/qualifications/" not in each} == set()


@pytest.mark.parametrize(("marks", "right"), [("1/2", 1), ("0.499", 0)])
def test_in_the_figures_of_an_item_half_of_its_points_are_right(sitting_it, marks, right):
    row, _candidate, _exam, page = sitting_it
    answered(Bot(User.objects.get(username="alice"), Random(1), think=lambda *_: BAD), page)
    Attempt.objects.update(marks=[str(Fraction(marks))])
    [found] = [each for each in item_figures.item_figures(row) if each.item.key == "a"]
    assert (found.n, found.right) == (1, right)
    lead = browser(User.objects.get(username="lena"))
    assert "Title of a" in lead.get(reverse("exam_figures", args=[row.project.slug, row.key])).content.decode()
