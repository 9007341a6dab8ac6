"""A candidate is led from home through consent, guidelines and tutorial to the exam, and on to work."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import clock
from annotation.models import Project, Role, TimeSpan, User
from qualification import granting
from qualification.courses import editing, sitting
from qualification.models import Attempt, AttemptDraft, Enrolment, Grant, Outcome, Qualification
from tests.builders import open_with, project, questions
from tests.factories.people import MembershipFactory, UserFactory
from tests.factories.qualification import CourseVersionFactory, GrantFactory, QualificationFactory
from tests.people import join
from tests.qualification.courses.building import block, course, prepare, three_blocks

PLACE = ["lights", "reading"]
ELSEWHERE = ["harbour", "reading"]


@pytest.fixture(scope="module")
def published_once(shared_rows, tmp_path_factory):
    """A project with a course; alice and bob want to work there, lena leads."""
    made = project()
    open_with(made, tmp_path_factory.mktemp("lights"), questions(4))
    for name, role in (("alice", Role.ANNOTATOR), ("bob", Role.ANNOTATOR), ("lena", Role.LEAD)):
        join(made, name, role)
    row = QualificationFactory(project=made, needed_for=["annotate"], about="")
    CourseVersionFactory(qualification=row, course=three_blocks(guidelines="# Before the exam\n\nRead the *papers*."))


@pytest.fixture
def lights(published_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def reading(lights):
    return Qualification.objects.get(project=lights)


@pytest.fixture
def alice(lights):
    return User.objects.get(username="alice")


@pytest.fixture
def bob(lights):
    return User.objects.get(username="bob")


@pytest.fixture
def lena(lights):
    return User.objects.get(username="lena")


@pytest.fixture
def harbour(db):
    """A project without a course."""
    return project("harbour")


def browser(person):
    found = Client(SERVER_NAME="127.0.0.1")
    found.force_login(person)
    return found


@pytest.fixture
def candidate(reading, alice):
    return browser(alice)


def right_places(attempt, place, *, wrong=False):
    """What the form sends for the right option, or for another one: the place at which it is shown."""
    from frontend.courses.shown import shown_item

    item = editing.read(attempt.course).items()[attempt.form[place][1]]
    options = shown_item(item, str, seed=attempt.seed).options
    [found] = [one.place for one in options if one.html.startswith("Option 0") != wrong][:1]
    return [str(found)]


def led_to_the_exam(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    candidate.post(reverse("course_guidelines", args=PLACE))
    for item in ("tutorial-0", "tutorial-1"):
        candidate.post(reverse("course_tutorial", args=[*PLACE, item]), {"option": "0"})
    return candidate.post(reverse("begin_exam", args=PLACE))


def in_the_exam(candidate) -> str:
    """The address of the exam of somebody who has done all that comes before, which is no page here."""
    person = User.objects.get(pk=candidate.session["_auth_user_id"])
    row = Qualification.objects.get(project__slug="lights")
    prepare(person, row, now=clock.now())
    return reverse("exam", args=[sitting.issue(person, row, now=clock.now()).uuid])


def sat(candidate, *, fail=()):
    address = led_to_the_exam(candidate)["Location"]
    attempt = Attempt.objects.latest("pk")
    for place, (key, _item) in enumerate(attempt.form):
        candidate.post(address, {"place": place, "option": right_places(attempt, place, wrong=key in fail)})
    return candidate.get(reverse("course", args=PLACE)).content.decode()


def test_home_leads_whoever_lacks_the_qualification_into_its_course(candidate):
    home = candidate.get("/").content.decode()
    assert reverse("course", args=PLACE) in home
    assert "How you get it" in home


def test_alice_passes_and_begins_her_work_with_one_button(candidate, alice):
    said = sat(candidate)
    assert "You have passed" in said
    assert Grant.objects.get().user == alice
    assert f'action="{reverse("claim", args=["lights", "annotate"])}"' in said
    assert candidate.post(reverse("claim", args=["lights", "annotate"]), follow=True).status_code == 200


def test_consent_comes_first_and_leads_back_to_the_course(reading, lights):
    stranger = UserFactory(username="stranger")
    MembershipFactory(project=lights, user=stranger)
    candidate = browser(stranger)
    asked = candidate.post(reverse("begin_course", args=PLACE))["Location"]
    assert asked == f"{reverse('consent', args=['lights'])}?course=reading"
    assert candidate.post(asked)["Location"] == reverse("course", args=PLACE)
    candidate.post(reverse("begin_course", args=PLACE))
    assert Enrolment.objects.get().user == stranger


def test_the_guidelines_are_the_courses_own_and_the_projects(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    said = candidate.get(reverse("course_guidelines", args=PLACE)).content.decode()
    assert "Read the <em>papers</em>." in said
    assert "I have read them" in said
    candidate.post(reverse("course_guidelines", args=PLACE))
    assert "I have read them" not in candidate.get(reverse("course_guidelines", args=PLACE)).content.decode()


def test_the_tutorial_shows_the_answer_and_the_reasons_only_afterwards(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    address = reverse("course_tutorial", args=[*PLACE, "tutorial-0"])
    before = candidate.get(address).content.decode()
    assert "Explanation" not in before
    assert "Note of" not in before
    after = candidate.post(address, {"option": "0"}).content.decode()
    assert "Explanation 0 of tutorial-0" in after
    assert "Explanation 1 of tutorial-0" in after
    assert "Note of tutorial-0" in after


def test_sending_nothing_asks_for_an_answer(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    answer = candidate.post(reverse("course_tutorial", args=[*PLACE, "tutorial-0"]))
    assert (answer.status_code, "Choose an answer first." in answer.content.decode()) == (422, True)
    address = led_to_the_exam(candidate)["Location"]
    answer = candidate.post(address, {"place": "0"})
    assert (answer.status_code, "Choose an answer first." in answer.content.decode()) == (422, True)
    assert not Attempt.objects.get().answers.exists()


def test_the_exam_is_not_open_before_the_tutorial_is_done(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    answer = candidate.post(reverse("begin_exam", args=PLACE), follow=True)
    assert "You can’t begin the exam now." in answer.content.decode()
    assert not Attempt.objects.exists()


def test_a_reload_shows_the_same_item_with_what_was_chosen(candidate):
    address = in_the_exam(candidate)
    first = candidate.get(address).content.decode()
    attempt = Attempt.objects.get()
    [place] = right_places(attempt, 0)
    candidate.post(reverse("exam_draft", args=[attempt.uuid]), {"place": "0", "option": place})
    again = candidate.get(address).content.decode()
    assert re.search(rf'value="{place}"\s+data-key="\d" checked', again)
    options = re.compile(r"Option \d of [\w-]+")
    assert options.findall(first) == options.findall(again)


def test_extra_training_names_what_comes_next_and_leads_to_a_form_of_the_failed_part(candidate):
    said = sat(candidate, fail=("task",))
    assert "Almost: one part needs another look" in said
    assert "Extra training" in said
    candidate.post(reverse("course_tutorial", args=[*PLACE, "tutorial-0"]), {"option": "0"})
    candidate.post(reverse("begin_exam", args=PLACE))
    assert {key for key, _item in Attempt.objects.get(n=2).form} == {"task"}


def test_whoever_fails_reads_which_parts_and_when_the_next_attempt_is(candidate):
    said = sat(candidate, fail=("reading",))
    assert "Not passed yet" in said
    assert "You can try again from" in said
    assert said.count("Passed") >= 2


def test_the_result_comes_with_the_first_look_after_the_time_is_over(candidate, reading, monkeypatch):
    draft = editing.edit(reading, by=None, now=clock.now())
    editing.save(draft, three_blocks(minutes=10), edits=0, by=None, now=clock.now())
    editing.publish(draft, edits=1, by=None, now=clock.now())
    address = in_the_exam(candidate)
    later = clock.now() + timedelta(minutes=10) + sitting.GRACE
    monkeypatch.setattr(clock, "now", lambda: later)
    assert candidate.get(address, follow=True).redirect_chain == [(reverse("course", args=PLACE), 302)]
    assert Attempt.objects.get().outcome == Outcome.AGAIN
    assert "The time ended with nothing answered." not in candidate.get(reverse("course", args=PLACE)).content.decode()


def test_more_time_and_handing_in(candidate, reading):
    draft = editing.edit(reading, by=None, now=clock.now())
    editing.save(draft, three_blocks(minutes=10, extension=5), edits=0, by=None, now=clock.now())
    editing.publish(draft, edits=1, by=None, now=clock.now())
    in_the_exam(candidate)
    attempt = Attempt.objects.get()
    assert (
        "5 minutes were added."
        in candidate.post(reverse("extend_exam", args=[attempt.uuid]), follow=True).content.decode()
    )
    chosen = {"place": "0", "option": right_places(attempt, 0)}
    candidate.post(reverse("hand_in_exam", args=[attempt.uuid]), chosen)
    attempt.refresh_from_db()
    assert attempt.marks == ["1", "0", "0", "0", "0", "0"]


def test_an_exam_is_its_persons_own_and_ends_with_their_membership(candidate, bob, alice, lights):
    in_the_exam(candidate)
    uuid = Attempt.objects.get().uuid
    other = browser(bob)
    for route in ("exam", "exam_draft", "extend_exam", "hand_in_exam"):
        assert other.post(reverse(route, args=[uuid]), {"place": "0", "option": "0"}).status_code == 404
    alice.memberships.update(ended_at=clock.now())
    assert candidate.get(reverse("exam", args=[uuid])).status_code == 404
    assert not AttemptDraft.objects.exists()


def test_whoever_has_it_by_hand_reads_so_and_a_suspension_is_told(candidate, alice, reading):
    grant = GrantFactory(qualification=reading, user=alice)
    assert (
        "is yours: work that needs it is open to you" in candidate.get(reverse("course", args=PLACE)).content.decode()
    )
    granting.suspend(grant, reason="Too fast.", after=0, by=None, now=clock.now())
    assert "A lead has suspended it" in candidate.get(reverse("course", args=PLACE)).content.decode()


def test_after_the_last_attempt_the_concepts_that_failed_are_explained(harbour):
    row = QualificationFactory(project=harbour)
    CourseVersionFactory(qualification=row, course=course(block("task"), attempts=1))
    candidate = browser(join(harbour, "ada"))
    candidate.post(reverse("begin_course", args=ELSEWHERE))
    candidate.post(reverse("course_guidelines", args=ELSEWHERE))
    candidate.post(reverse("course_tutorial", args=[*ELSEWHERE, "tutorial-0"]), {"option": "0"})
    candidate.post(reverse("begin_exam", args=ELSEWHERE))
    uuid = Attempt.objects.get().uuid
    candidate.post(reverse("hand_in_exam", args=[uuid]))
    said = candidate.get(reverse("course", args=ELSEWHERE)).content.decode()
    assert "There is no further attempt." in said
    assert "Note of tutorial-0" in said


def test_without_a_published_course_there_is_no_page(lights, alice):
    QualificationFactory(project=lights, key="other")
    assert browser(alice).get(reverse("course", args=["lights", "other"])).status_code == 404


def test_a_lead_tries_the_exam_and_sees_what_a_candidate_would(reading, lena, alice):
    version = editing.published(reading)
    trial = sitting.issue_trial(lena, reading, version, now=clock.now())
    candidate = browser(lena)
    address = reverse("exam", args=[trial.uuid])
    assert "Trial: counts nowhere" in candidate.get(address).content.decode()
    for place in range(len(trial.form)):
        candidate.post(address, {"place": place, "option": right_places(trial, place)})
    said = candidate.get(address).content.decode()
    assert "A candidate with these answers would read this." in said
    assert not Grant.objects.exists()


def test_somebody_of_another_project_finds_no_course(reading):
    otto = join(project("elsewhere"), "otto")
    assert browser(otto).get(reverse("course", args=PLACE)).status_code == 404


def reported(candidate, address, place=PLACE):
    """The page reports two minutes in sight, and what is stored of them."""
    said = candidate.get(address).content.decode()
    [note] = re.findall(r'data-time-note="([^"]*)"', said)
    later = clock.now() + timedelta(minutes=2)
    sent = {"note": note, "ms": "120000", "active": "1000"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: later)
        candidate.post(reverse("course_time", args=place), sent)
    return {(span.stage, span.kind): span.seconds for span in TimeSpan.objects.all()}


def test_the_time_of_an_exam_is_working_time_and_all_of_it_counts(candidate):
    address = in_the_exam(candidate)
    spans = reported(candidate, address)
    assert spans.keys() == {("exam", "active"), ("exam", "reading")}
    assert sum(spans.values()) == pytest.approx(120, abs=1)
    assert "An exam" in candidate.get(reverse("time_day", args=[clock.now().date()])).content.decode()


def test_reading_the_guidelines_counts_up_to_what_reading_takes(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    spans = reported(candidate, reverse("course_guidelines", args=PLACE))
    assert {stage for stage, _kind in spans} == {"course"}


def test_where_a_course_is_not_paid_no_time_is_reported_and_it_is_short(harbour):
    row = QualificationFactory(project=harbour)
    unpaid = course(block("task"), paid=False, minutes=10, extension=5)
    assert editing.obstacles(unpaid) == []
    assert [where for where, _words in editing.obstacles(unpaid.model_copy(update={"extension": 6}))] == [""]
    CourseVersionFactory(qualification=row, course=unpaid)
    candidate = browser(join(harbour, "ada"))
    candidate.post(reverse("begin_course", args=ELSEWHERE))
    assert reported(candidate, reverse("course_guidelines", args=ELSEWHERE), ELSEWHERE) == {}


def test_a_lead_whose_draft_has_changed_reads_so_at_every_address_of_the_trial(harbour):
    row, lena = QualificationFactory(project=harbour), join(harbour, "lotte", Role.LEAD)
    version = editing.edit(row, start=three_blocks(minutes=10, extension=5), by=lena, now=clock.now())
    page = browser(lena)
    for route in ("exam", "exam_draft", "extend_exam", "hand_in_exam"):
        trial = sitting.issue_trial(lena, row, version, now=clock.now())
        other = course(block(f"changed-{route.replace('_', '-')}"), minutes=10)
        editing.save(version, other, edits=version.edits, by=lena, now=clock.now())
        answer = page.post(reverse(route, args=[trial.uuid]), {"place": "0", "option": "0"}, follow=True)
        assert answer.status_code in (200, 204)
        said = page.get(reverse("exam", args=[trial.uuid])).content.decode()
        assert "The course has changed since you began to try it" in said


def test_home_calls_back_to_an_exam_that_is_going_on(candidate):
    address = in_the_exam(candidate)
    said = candidate.get("/").content.decode()
    assert "Your exam is going on: Reading papers" in said
    assert said.count(f'href="{address}"') == 2
    candidate.post(reverse("hand_in_exam", args=[Attempt.objects.get().uuid]))
    assert "Your exam is going on" not in candidate.get("/").content.decode()


def test_the_account_has_the_marks_of_the_tutorial_by_the_last_try_of_each_item(candidate):
    candidate.post(reverse("begin_course", args=PLACE))
    candidate.post(reverse("course_guidelines", args=PLACE))
    assert "Your tutorials" not in candidate.get("/account/").content.decode()
    seen = []
    for option in "012":
        candidate.post(reverse("course_tutorial", args=[*PLACE, "tutorial-0"]), {"option": option})
        seen.append(" ".join(candidate.get("/account/").content.decode().split()))
    right = [one for one in seen if "1 of 1 points, the last try of each item" in one]
    assert len(right) == 1
    assert sum("0 of 1 points" in one for one in seen) == 2
