"""Whoever has the address of an open project joins it, under their id of a recruitment site if they have one."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation import membership
from annotation.models import Event, User
from qualification.models import Participant
from tests.builders import BAD, Worker, open_with, questions
from tests.frontend.accounts.test_joining import ANNA

PROLIFIC = "?PROLIFIC_PID=planted-pid&STUDY_ID=planted-study&SESSION_ID=s1&other=x"
SETTINGS = {
    "open": "on",
    "parameters": "PROLIFIC_PID, STUDY_ID,SESSION_ID",
    "completion_code": "",
    "completion_after": 1,
}


@pytest.fixture
def opened(nq, lena, client):
    """Return a function: the lead changes the settings in the page."""
    client.force_login(lena)

    def change(**fields):
        sent = {name: value for name, value in (SETTINGS | fields).items() if value is not None}
        return client.post(reverse("recruiting", args=[nq.slug]), sent)

    assert change().status_code == 302
    return change


def visit(query="", name="anna", browser=None):
    browser = browser or Client(SERVER_NAME="127.0.0.1")
    return browser.post(f"/projects/lights/join/{query}", ANNA | {"username": name})


def test_a_project_is_closed_until_a_lead_opens_it_and_after_they_close_it(nq, opened, client):
    assert client.get("/projects/lights/join/").status_code == 200
    opened(open=None)
    assert [client.get(f"/projects/{slug}/join/").status_code for slug in ("lights", "nowhere")] == [404, 404]
    assert visit().status_code == 404
    assert not User.objects.filter(username="anna").exists()
    assert [event.data for event in Event.objects.filter(kind="project.recruiting")] == [
        {"open": True},
        {"open": False},
    ]


def test_a_stranger_makes_an_account_becomes_an_annotator_and_reads_the_consent_text(nq, opened):
    assert visit()["Location"] == reverse("consent", args=[nq.slug])
    assert membership.roles_of(User.objects.get(username="anna"), nq) == {"annotator"}


def test_somebody_with_an_account_joins_with_it_also_twice(nq, opened, mallory):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(mallory)
    for _ in range(2):
        assert browser.post("/projects/lights/join/").status_code == 302
    assert mallory.memberships.count() == 1


def test_what_a_recruitment_site_says_about_the_person_is_kept_by_the_names_that_are_set(nq, opened):
    visit(PROLIFIC)
    kept = Participant.objects.get()
    assert kept.external_id == "planted-pid"
    assert kept.parameters == {"PROLIFIC_PID": "planted-pid", "STUDY_ID": "planted-study", "SESSION_ID": "s1"}
    opened(parameters="who")
    visit("?who=w-7&PROLIFIC_PID=planted-pid", "otto")
    assert Participant.objects.get(user__username="otto").parameters == {"who": "w-7"}


@pytest.mark.parametrize("query", ["", "?PROLIFIC_PID=", "?workerId=", "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"])
def test_without_an_id_nothing_is_kept(nq, opened, query):
    opened(parameters="PROLIFIC_PID, workerId, assignmentId")
    visit(query)
    assert not Participant.objects.exists()


def test_who_comes_again_has_their_latest_session_and_a_second_account_is_refused(nq, opened):
    browser = Client(SERVER_NAME="127.0.0.1")
    visit(PROLIFIC, browser=browser)
    browser.post("/projects/lights/join/?PROLIFIC_PID=planted-pid&SESSION_ID=s2")
    assert Participant.objects.get().parameters["SESSION_ID"] == "s2"
    refused = visit(PROLIFIC, "second-account")
    assert (refused.status_code, "You have joined before" in refused.content.decode()) == (409, True)
    assert not User.objects.filter(username="second-account").exists()


@pytest.mark.parametrize(
    ("wrong", "why"), [({"parameters": "a b"}, "Give at most 10 names"), ({"completion_after": 0}, "greater than")]
)
def test_settings_that_cannot_be_are_refused_at_their_field(nq, opened, wrong, why):
    refused = opened(**wrong)
    assert (refused.status_code, why in refused.content.decode()) == (422, True)


def test_many_sign_ups_from_one_address_have_to_wait(nq, opened):
    answers = [visit(name=f"person-{number}").status_code for number in range(21)]
    assert answers == [302] * 20 + [429]


def test_the_completion_code_appears_at_home_once_enough_is_finished(nq, opened, tmp_path):
    open_with(nq, tmp_path, questions(3))
    opened(completion_code="C-1234", completion_after=2)
    browser = Client(SERVER_NAME="127.0.0.1")
    visit(PROLIFIC, browser=browser)
    browser.post(reverse("consent", args=[nq.slug]))
    worker = Worker(User.objects.get(username="anna"), nq)
    seen = []
    for finished in range(3):
        page = browser.get("/").content.decode()
        seen.append(("C-1234" in page, f"{finished} of 2 done" in " ".join(page.split())))
        work = worker.claim()
        worker.commit(work, "question", BAD)
    assert seen == [(False, True), (False, True), (True, False)]
    assert "You can go on here" in browser.get("/").content.decode()
    left = browser.post(reverse("claim", args=[nq.slug, "annotate"])).content.decode()
    assert ('value="C-1234"' in left, "You can go on here" in left) == (True, False)
    assert 'data-copy="completion-1"' in left
    assert "C-1234" in browser.get("/finished/").content.decode()


def test_people_who_came_by_an_invitation_see_no_code(nq, opened, alice, client, tmp_path):
    open_with(nq, tmp_path, questions(1))
    opened(completion_code="C-1234")
    Worker(alice, nq).finish_bad()
    client.force_login(alice)
    assert "C-1234" not in client.get("/").content.decode()


def test_a_lead_sees_who_people_are_on_the_recruitment_site(nq, opened, client, lena):
    visit(PROLIFIC)
    client.force_login(lena)
    assert "planted-pid" in client.get(reverse("people", args=[nq.slug])).content.decode()
