"""A lead connects a study, approves, previews and pays bonuses, and fills groups, on pages of the project."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Payment, Project
from annotation.outgoing import calling
from annotation.setup import changes
from tasks import jobs
from tasks.models import Bonus, Study, StudyGroup, Submission
from tasks.prolific import connecting
from tests.factories.qualification import GrantFactory, QualificationFactory
from tests.people import NOON, join
from tests.prolific.site import STUDY, TOKEN, WORKSPACE_GROUP, Failure, by_number
from tests.prolific.story import LATER, confirm


@pytest.fixture
def lead(lights):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lights.lead)
    return client


def address(lights, name: str = "prolific", *more) -> str:
    return reverse(name, args=[lights.project.slug, *more])


def text_of(answer) -> str:
    """The words of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def shown(lead, lights) -> str:
    return text_of(lead.get(address(lights)))


def post(lead, lights, name: str, *more, **sent) -> str:
    return text_of(lead.post(address(lights, name, *more), sent, follow=True))


def preview(lead, lights):
    return lead.get(address(lights, "prolific_bonus"), {"until": "2026-11-20"}).context


def pay(lead, lights, **other) -> str:
    """What the form of the preview sends."""
    seen = preview(lead, lights)
    people = [row.share.person for row in seen["rows"]]
    sent = {"key": seen["key"], "seen": seen["seen"], "until": seen["until"], "person": people} | other
    return post(lead, lights, "prolific_bonus", **sent)


def run_jobs(times: int = 3) -> None:
    for _ in range(times):
        jobs.send_to_prolific()


def test_there_are_no_such_pages_unless_the_operator_turns_them_on(lead, lights, settings):
    assert "Study on Prolific" in text_of(lead.get(reverse("people", args=[lights.project.slug])))
    settings.GOLDFINCH_PROLIFIC = ""
    assert "Prolific</a>" not in lead.get(reverse("people", args=[lights.project.slug])).content.decode()
    assert lead.get(address(lights)).status_code == 404
    assert lead.post(address(lights, "read_study")).status_code == 404


def test_a_lead_connects_a_study_and_never_sees_the_token_again(lead, lights):
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    sent = {"study_id": STUDY, "token": TOKEN, "currency": "GBP"}
    assert "Connected." in post(lead, lights, "connect_study", **sent)
    assert "Questions about lighthouses" in shown(lead, lights)
    assert TOKEN not in lead.get(address(lights)).content.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"token": "another-token"}, "does not accept the token"),
        ({"token": "two words"}, "neither spaces"),
        ({"study_id": by_number(5)}, "knows nothing with this id"),
        ({"study_id": "../users"}, "letters and digits only"),
        ({"currency": "USD"}, "another currency"),
        ({"currency": "pounds"}, "Three letters"),
    ],
)
def test_a_study_that_can_not_be_connected_says_why_and_does_not_echo_the_token(lead, lights, wrong, words):
    connecting.disconnect(lights.study, by=lights.lead, now=LATER)
    sent = {"study_id": STUDY, "token": TOKEN, "currency": "GBP"} | wrong
    answer = lead.post(address(lights, "connect_study"), sent)
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert sent["token"] not in answer.content.decode()
    assert not Study.objects.filter(ended_at=None).exists()


def test_the_page_says_when_no_admin_has_allowed_the_host(lead, lights):
    assert "has to allow calls" not in shown(lead, lights)
    calling.remove_host(calling.AllowedHost.objects.get(), by=lights.lead, now=LATER)
    assert f"has to allow calls to {lights.server.host}" in shown(lead, lights)
    assert "No admin of this site has allowed" in post(lead, lights, "read_study")


def test_the_page_says_what_of_study_and_project_does_not_fit(lead, lights):
    said = shown(lead, lights)
    assert "Turn on open sign-up" in said
    assert "The project has no completion code" in said
    assert "Give the study the address" in said
    post(lead, lights, "take_completion_code", code="C1LIGHTS")
    project = Project.objects.get(pk=lights.project.pk)
    opened = project.config["recruiting"] | {"open": True}
    changes.change(project, config={"recruiting": opened}, by=lights.lead, now=LATER)
    lights.site.study["external_study_url"] = (
        f"http://127.0.0.1/projects/{project.slug}/join/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
    )
    post(lead, lights, "read_study")
    said = shown(lead, lights)
    assert "C1LIGHTS is one of the study’s" in said
    assert "The study leads to this project" in said
    assert "Open sign-up is on" in said


def test_a_code_that_the_study_does_not_have_is_not_taken(lead, lights):
    assert lead.post(address(lights, "take_completion_code"), {"code": "OTHER"}).status_code == 404


def test_submissions_are_listed_with_people_states_and_work(lead, lights):
    lights.works("ada", 1, minutes=30)
    lights.site.comes(2, "RETURNED")
    said = post(lead, lights, "read_study")
    assert "2 submissions read" in said
    assert "Awaits review: 1" in said
    assert f"{by_number(1)} ada Awaits review 1 C1LIGHTS" in said
    assert f"{by_number(2)} has not joined here Returned" in said


def test_a_lead_approves_what_is_ticked(lead, lights):
    for n, name in enumerate(["ada", "ben"], start=1):
        lights.works(name, n, minutes=10)
    ada = Submission.objects.get(person__username="ada")
    assert "approves 1 submission" in post(lead, lights, "approve_submissions", submission=[ada.pk, "x"])
    post(lead, lights, "read_study")
    assert dict(Submission.objects.values_list("person__username", "status")) == {
        "ada": "APPROVED", "ben": "AWAITING REVIEW"
    }  # fmt: skip


def test_a_lead_approves_all_who_have_finished_and_nobody_else(lead, lights):
    lights.works("ada", 1, minutes=10)
    lights.joins("ben", lights.site.comes(2)[0])
    lights.site.comes(3)
    post(lead, lights, "read_study")
    assert "Approve the one who has finished" in shown(lead, lights)
    post(lead, lights, "approve_submissions", all="1")
    assert [row["status"] for row in lights.site.submissions] == ["APPROVED", "AWAITING REVIEW", "AWAITING REVIEW"]


def test_nothing_ticked_approves_nothing(lead, lights):
    assert "None of these waits" in post(lead, lights, "approve_submissions")


def test_without_an_answer_the_page_says_so_and_since_when_it_is_asked(lead, lights):
    lights.works("ada", 1, minutes=10)
    lights.site.fail("bulk-approve", Failure())
    said = post(lead, lights, "approve_submissions", submission=[Submission.objects.get().pk])
    assert "answer broke off" in said
    assert "sent to be approved" in said


def test_bonuses_are_previewed_and_paid_once(lead, lights):
    lights.works("ada", 1, minutes=30)
    seen = preview(lead, lights)
    [row] = seen["rows"]
    assert (row.owed, row.reward, row.bonus) == ("6.00 GBP", "2.00 GBP", "4.00 GBP")
    assert "Confirmed." in pay(lead, lights)
    pay(lead, lights)
    run_jobs()
    assert lights.paid("ada") == [400]
    said = shown(lead, lights)
    assert "4.00 GBP to 1 person" in said
    assert "5.33 GBP with Prolific’s fees" in said
    assert "Bonuses paid" in said
    assert Payment.objects.get().note == "Bonus on Prolific"


def test_only_the_bonuses_that_are_ticked_are_paid(lead, lights):
    ada = lights.works("ada", 1, minutes=30)
    lights.works("ben", 2, minutes=30)
    pay(lead, lights, person=[ada.pk])
    run_jobs()
    assert (lights.paid("ada"), lights.paid("ben")) == ([400], [])
    assert [row.name for row in preview(lead, lights)["rows"]] == ["ben"]


def test_a_preview_that_is_out_of_date_pays_nothing(lead, lights):
    lights.works("ada", 1, minutes=30)
    seen = preview(lead, lights)["seen"]
    lights.works("ben", 2, minutes=30)
    assert "has changed" in pay(lead, lights, seen=seen)
    assert "has changed" in pay(lead, lights, seen="")
    assert "has changed" in pay(lead, lights, until="9999-12-31")
    assert lead.get(address(lights, "prolific_bonus"), {"until": "9999-12-31"}).status_code == 200
    assert not Bonus.objects.exists()


def test_nothing_is_confirmed_in_another_currency(lead, lights):
    lights.works("ada", 1, minutes=30)
    seen = preview(lead, lights)
    changes.change(lights.project, config={"pay": "12.00 EUR an hour"}, by=lights.lead, now=LATER)
    assert "no bonus can be confirmed" in text_of(lead.get(address(lights, "prolific_bonus")))
    assert "another currency" in pay(lead, lights, seen=seen["seen"], person=[seen["rows"][0].share.person])
    assert not Bonus.objects.exists()


def test_without_a_rate_the_preview_says_what_to_do(lead, lights):
    lights.works("ada", 1, minutes=30)
    changes.change(lights.project, config={"pay": "a voucher"}, by=lights.lead, now=LATER)
    assert "A rate is missing" in text_of(lead.get(address(lights, "prolific_bonus")))


def test_who_is_owed_without_a_submission_is_told_of(lead, lights):
    from tests.builders import Worker
    from tests.prolific.story import work

    work(Worker(join(lights.project, "otto"), lights.project), minutes=10)
    assert "has no submission in this study" in text_of(
        lead.get(address(lights, "prolific_bonus"), {"until": "2026-11-20"})
    )


def test_a_lead_takes_back_what_was_not_sent(lead, lights):
    lights.works("ada", 1, minutes=30)
    made = confirm(lights)
    assert "Take back" in shown(lead, lights)
    assert "owed again" in post(lead, lights, "decide_bonus", made.settlement, what="take_back")
    run_jobs()
    assert lights.paid("ada") == []


def test_what_stays_unclear_is_decided_by_a_lead(lead, lights):
    lights.works("ada", 1, minutes=30)
    made = confirm(lights)
    Bonus.objects.filter(pk=made.pk).update(state=Bonus.State.UNCLEAR, asked_at=NOON)
    assert "could pay twice" in shown(lead, lights)
    assert "as a lead has seen" in post(lead, lights, "decide_bonus", made.settlement, what="paid")
    assert "decided already" in post(lead, lights, "decide_bonus", made.settlement, what="not_paid")
    assert lead.post(address(lights, "decide_bonus", made.settlement), {"what": "x"}).status_code == 404


def test_a_group_holds_who_has_a_qualification(lead, lights):
    reading = QualificationFactory(project=lights.project, title="Reading")
    GrantFactory(qualification=reading, user=lights.joins("ada", by_number(1)))
    sent = {"group_id": WORKSPACE_GROUP, "qualification": reading.key}
    assert "Good readers" in post(lead, lights, "add_study_group", **sent)
    run_jobs(1)
    assert lights.site.group == {by_number(1)}
    assert "1 person, sent" in shown(lead, lights)
    post(lead, lights, "drop_study_group", StudyGroup.objects.get().pk)
    assert not StudyGroup.objects.exists()


def test_a_group_or_qualification_that_is_none_is_refused_in_words(lead, lights):
    assert "Give the id of a group" in post(lead, lights, "add_study_group", group_id="../x", qualification="y")
    reading = QualificationFactory(project=lights.project)
    sent = {"group_id": by_number(5), "qualification": reading.key}
    assert "knows nothing with this id" in post(lead, lights, "add_study_group", **sent)


def test_a_project_is_disconnected_and_its_bonuses_stay_on_the_page(lead, lights):
    lights.works("ada", 1, minutes=30)
    confirm(lights)
    assert "under way" in post(lead, lights, "disconnect_study")
    run_jobs()
    said = post(lead, lights, "disconnect_study")
    assert "Disconnected." in said
    assert "4.00 GBP to 1 person" in said
    assert "No study is connected" in said


def test_the_pay_table_leads_to_bonuses_and_does_not_offer_to_undo_them(lead, lights):
    lights.works("ada", 1, minutes=30)
    pay_table = reverse("pay", args=[lights.project.slug])
    assert "Pay as bonuses on Prolific" in text_of(lead.get(pay_table, {"since": ""}))
    pay(lead, lights)
    answer = lead.get(pay_table, {"since": ""})
    assert "Bonus on Prolific" in text_of(answer)
    assert (
        reverse("undo_pay", args=[lights.project.slug, Bonus.objects.get().settlement]) not in answer.content.decode()
    )
