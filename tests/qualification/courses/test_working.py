"""Items of courses on the real work screen: opened one after another, saved, answered, graded, marked in tutorials."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import timedelta
from fractions import Fraction
from random import Random
from typing import Any

import orjson
import pytest
from django.urls import resolve, reverse

from annotation import clock, randomness, registry
from annotation.errors import WrongMove
from annotation.models import Annotation, Event, Item, Project, Purpose, Role, TimeSpan, User
from frontend.bots.bot import Bot
from qualification import tries as trying
from qualification.courses import editing, item_figures, real_items, sitting
from qualification.courses.content import Course, CourseItem, ExamBlock
from qualification.courses.real_items import RealItem
from qualification.models import Attempt, AttemptAnswer, Grant, Outcome, Qualification, TutorialAnswer
from tasks.items import setting_aside
from tests.builders import BAD, GOOD, Worker
from tests.disagreeing import lights
from tests.factories.qualification import CourseVersionFactory, QualificationFactory
from tests.frontend.leads.items.test_trying import ALONE, SECRETS, browser, figures, opened, played, try_it
from tests.people import NOON, join
from tests.qualification.courses.building import choice, real_item, seed_that_draws, with_spare

CLIENT = randomness.handle()
AFTER = timedelta(milliseconds=1)
CLIENT_OF = re.compile(rb'(data-client|name="client" value|data-time-left)="[^"]*"|data-words>[^<]*')
"""What else differs each time a screen is opened: the page load, and the seconds that are left."""


def tried(lena: User, item: Item, activity: str, seed: int = 7) -> Annotation:
    """What a lead answers who tries the item on the real screen."""
    lead = browser(lena)
    page = try_it(lead, item, activity)
    played(lena, page, Random(seed))
    rows = Annotation.with_trials.select_related("item__project", "item__root")
    return rows.get(held_try__uuid=resolve(page).kwargs["uuid"])


def with_reference(protocol: str, activity: str) -> tuple[Project, User, Annotation]:
    made, lena = opened(protocol, activity)
    kind = registry.get(protocol).activity(activity).kind
    return made, lena, tried(lena, made.items.filter(kind=kind).last(), activity)


def examined(made: Project, *items: CourseItem, lead: User, **rules: Any) -> Qualification:
    """A qualification whose exam asks these items, one in each attempt, once they are set aside."""
    names = {each.item.id for each in items if isinstance(each, RealItem)}
    names |= {each.item.id for each in rules.get("tutorial", ()) if isinstance(each, RealItem)}
    rows = list(made.items.filter(external_id__in=names))
    setting_aside.set_aside(rows, by=lead, reason="For the exam.", now=NOON)
    row = QualificationFactory(project=made)
    block = ExamBlock(key="task", title="The task", draw=1, mark="1", pool=items)
    CourseVersionFactory(qualification=row, course=Course(blocks=(block,), attempts=1, **rules))
    return row


@contextmanager
def drawing_the_first(row: Qualification):
    """Attempts that begin meanwhile ask the first item of the pool."""
    pool = editing.read(row.course_versions.get()).blocks[0].pool
    seed = seed_that_draws(pool[0].key, block="task", pool=pool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(randomness, "seed", lambda: seed)
        yield


def begun(person: User, row: Qualification):
    """Somebody's browser and the address of their exam, which asks the first item of the pool."""
    candidate, place = browser(person), [row.project.slug, row.key]
    candidate.post(reverse("begin_course", args=place))
    candidate.post(reverse("course_guidelines", args=place))
    with drawing_the_first(row):
        return candidate, candidate.post(reverse("begin_exam", args=place))["Location"]


def agreeing(person: User, reference: Annotation):
    """A bot that answers as the reference does."""
    said = {one.step: one.answer for one in real_items.reference_of(reference).answers}

    def think(sheet, where, rng):
        step = where.split()[-1] if where.split()[-1] in said else sheet.stage
        return said[step]

    return Bot(person, Random(1), think=think)


def answered(bot: Bot, page: str) -> str:
    """Answer to the end; where the last answer leads."""
    while True:
        address, fields = bot.answered(page)
        reply = bot.client.post(address, fields)
        assert reply.status_code == 302, reply.content
        if reply["Location"] != page:
            return reply["Location"]


@pytest.mark.parametrize(("protocol", "activity"), ALONE)
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


@pytest.fixture
def good(tmp_path, db):
    """A question that one person has rejected, that annotation, and a lead of its project."""
    made = lights(tmp_path)
    Worker(join(made, "bob"), made).finish_bad()
    reference = Annotation.objects.select_related("item__project").get()
    return made, join(made, "lena", Role.LEAD), reference


@pytest.fixture
def sitting_it(good):
    """Alice at that question in an exam of ten minutes: the qualification, her browser, the exam, the work."""
    made, lena, reference = good
    row = examined(made, *with_spare(reference), lead=lena, minutes=10)
    candidate, exam = begun(join(made, "alice"), row)
    return row, candidate, exam, candidate.get(exam)["Location"]


def draft_of(page: str, verdict: str, seq: int = 1) -> tuple[str, dict[str, Any]]:
    """How a page saves what was chosen in the first stage: the address and the fields."""
    uuid = resolve(page).kwargs["uuid"]
    data = orjson.dumps({"verdict": verdict, "reasons": ["ambiguous"]}).decode()
    fields = {"data": data, "client": str(CLIENT), "seq": seq, "seen": 0, "after": "", "base": 0}
    return reverse("draft", args=[uuid, "question"]), fields


def at(monkeypatch, when):
    monkeypatch.setattr(clock, "now", lambda: when)


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


@pytest.mark.parametrize(("late", "outcome"), [(timedelta(0), Outcome.ADMITTED), (AFTER, Outcome.NOT_ADMITTED)])
def test_a_draft_saved_until_half_a_minute_after_the_end_becomes_the_answer(sitting_it, monkeypatch, late, outcome):
    _row, candidate, exam, page = sitting_it
    over = Attempt.objects.get().ends_at + sitting.GRACE
    at(monkeypatch, over + late)
    assert candidate.post(*draft_of(page, "bad")).status_code == 200
    at(monkeypatch, over + AFTER)
    candidate.get(exam)
    attempt = Attempt.objects.get()
    assert attempt.outcome == outcome
    assert attempt.state == ("graded" if outcome == Outcome.ADMITTED else "expired")


def test_what_is_no_valid_answer_when_the_time_ends_has_no_points(sitting_it, monkeypatch):
    _row, candidate, exam, page = sitting_it
    candidate.post(*draft_of(page, "sideways"))
    at(monkeypatch, Attempt.objects.get().ends_at + sitting.GRACE + AFTER)
    candidate.get(exam)
    assert Attempt.objects.get().marks == ["0"]


def test_an_answer_sent_after_the_time_is_refused_and_shown_to_be_copied(sitting_it, monkeypatch):
    _row, candidate, exam, page = sitting_it
    bot = Bot(User.objects.get(username="alice"), Random(1), think=lambda *_: BAD)
    address, fields = bot.answered(page)
    at(monkeypatch, Attempt.objects.get().ends_at + sitting.GRACE + AFTER)
    refused = candidate.post(address, fields)
    assert refused.status_code == 409
    assert Attempt.objects.get().marks == ["0"]
    assert candidate.get(page)["Location"] == exam


def test_handing_in_counts_what_is_saved(sitting_it):
    _row, candidate, exam, page = sitting_it
    candidate.post(*draft_of(page, "bad"))
    candidate.post(f"{exam}hand-in/")
    assert Attempt.objects.get().marks == ["1"]
    assert "You have passed" in candidate.get(exam, follow=True).content.decode()


def test_nobody_else_can_open_the_work_of_an_exam_and_no_image_of_it(sitting_it):
    row, _candidate, _exam, page = sitting_it
    for person in (join(row.project, "carol"), User.objects.get(username="lena")):
        assert browser(person).get(page).status_code == 404


def test_skipping_and_returning_are_not_found_and_reporting_stays_at_the_item(sitting_it):
    _row, candidate, exam, page = sitting_it
    for name in ("skip", "give_back", "renew"):
        assert candidate.post(reverse(name, args=[resolve(page).kwargs["uuid"]])).status_code == 404
    said = candidate.post(reverse("report", args=[resolve(page).kwargs["uuid"]]), {"reason": "broken"})
    assert said["Location"] == exam
    assert candidate.get(exam)["Location"] == page


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


def test_neither_the_reference_nor_the_reasons_are_in_what_the_screen_of_an_exam_gets(good):
    made, lena, reference = good
    asked = with_spare(reference, note="Zq7note", explanations={"question": "Zq7reason"})
    row = examined(made, *asked, lead=lena)
    candidate, exam = begun(join(made, "alice"), row)
    seen = candidate.get(exam, follow=True).content.decode()
    bot = Bot(User.objects.get(username="alice"), Random(1), think=lambda *_: BAD)
    answered(bot, candidate.get(exam)["Location"])
    seen += candidate.get(exam, follow=True).content.decode()
    assert "Zq7" not in seen


def test_the_screen_is_the_same_in_a_world_with_another_reference(sitting_it):
    row, candidate, _exam, page = sitting_it
    here = SECRETS.sub(b"", CLIENT_OF.sub(b"", candidate.get(page).content))
    version = row.course_versions.get()
    for item in version.content["blocks"][0]["pool"][:1]:
        item["references"][0]["answers"][0]["answer"] = {"verdict": "good", "reasons": []}
        item |= {"concept": "Another", "note": "Another note", "title": "Another title"}
    version.save(update_fields=["content"])
    assert SECRETS.sub(b"", CLIENT_OF.sub(b"", candidate.get(page).content)) == here


def test_time_on_the_screen_is_time_of_the_exam(sitting_it, monkeypatch):
    _row, candidate, _exam, page = sitting_it
    address, fields = draft_of(page, "bad")
    at(monkeypatch, clock.now() + timedelta(minutes=2))
    fields["trace"] = '[{"n": 1, "lines": [[5, "in_sight", {"ms": 90000, "active": 60000}, ""]]}]'
    candidate.post(address, fields)
    assert {(span.stage, span.annotation_id) for span in TimeSpan.objects.all()} == {("exam", None)}


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
