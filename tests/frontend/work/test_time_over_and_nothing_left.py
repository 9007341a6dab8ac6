"""Expired work, for every protocol, and why there is no work left: each reason in its words."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest
from django.urls import resolve, reverse

from annotation import clock, registry
from annotation.models import Annotation, Draft, Response
from frontend import access
from frontend.bots.bot import HIDDEN_FIELD, Bot
from tasks.engine import assignments, claiming, leases, skip_and_return
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState, TaskState
from tests.builders import Worker, open_with, project, questions
from tests.people import NOON, join
from tests.protocols.examples import Example, of_one_person, parameters
from tests.protocols.peers import member

OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_time_over_and_nothing_left.py"
    "::test_an_expired_lease_says_what_is_kept_and_the_work_continues_where_it_was"
)


@pytest.fixture(params=parameters(list(of_one_person()), each_merge=("qasper",), others=OTHERS))
def protocol(request, db):
    return request.param


def begin(protocol, **config):
    """A bot at the first stage of the protocol's first activity, with a draft; the page, the stage, its fields."""
    project, activity = Example(protocol).opened(**config), protocol.activities[0]
    bot = Bot(member(project, "exa"), Random(1))
    page, stage = bot.claim(project, activity.key), activity.stages[0].key
    work = assignments.work_of(access.own_assignment(bot.user, resolve(page).kwargs["uuid"]))
    fields = registry.form_of(protocol.key, stage).fields_of(protocol.bots.pretend(work.sheet(stage), Random(3)))
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    saved = bot.client.post(f"{page}{stage}/draft/", hidden | {"seq": 1, "data": json.dumps(fields)})
    assert saved.status_code == 200
    return bot, page, stage, fields


def time_ends():
    leases.expire_overdue(now=clock.now() + timedelta(days=3))


def test_an_expired_page_leads_home_once_the_work_was_finished_under_a_later_hold(protocol):
    bot, page, stage, _fields = begin(protocol)
    time_ends()
    found, activity = Assignment.objects.get().task.item.project, protocol.activities[0]
    item = Assignment.objects.get().task.item
    later = claiming.claim(found, activity.key, by=bot.user, now=clock.now(), item=item)
    address = following = reverse("work", args=[later.uuid])
    assert address != page
    while following == address:
        following = bot.answer(address)
    assert bot.client.get(page)["Location"] == "/"
    assert bot.client.get(f"{page}{stage}/").status_code == 404


def test_withdrawn_work_is_closed_to_its_former_holder_and_what_they_send_is_kept(protocol, lena):
    bot, page, stage, fields = begin(protocol)
    shown = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    time_ends()
    reports.cancel(Assignment.objects.get().task.item, by=lena, reason="a stub", now=clock.now())
    assert "This was withdrawn from the project" in bot.client.get(page).content.decode()
    assert bot.client.get(f"{page}{stage}/")["Location"] == page
    refused = bot.client.post(f"{page}{stage}/", shown)
    assert refused.status_code == 409
    assert "data-stage" not in refused.content.decode(), "a form that is wrong brings the material back"
    assert bot.client.post(f"{page}{stage}/", shown | fields).status_code in (200, 302)
    assert Response.objects.count() == 1


def test_an_expired_lease_says_what_is_kept_and_the_work_continues_where_it_was(protocol):
    bot, page, stage, fields = begin(protocol)
    time_ends()
    shown = bot.client.get(page).content.decode()
    assert "The time ended while you were away" in shown
    assert "kept beside theirs as a surplus answer." in shown
    assert "paid" not in shown
    assert "not sent" in shown
    again = bot.client.get(f"{page}{stage}/").content.decode()
    hidden = dict(HIDDEN_FIELD.findall(again))
    sent = bot.client.post(f"{page}{stage}/", hidden | fields)
    assert sent.status_code in (200, 302), "with 200 comes the page that says why nothing is left"
    mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
    assert mine.state in (AssignmentState.SUBMITTED, AssignmentState.LEASED)
    assert not Draft.objects.filter(annotation=mine.annotation).exists()


def test_pay_is_mentioned_only_if_the_project_states_a_rate(protocol):
    bot, page, _stage, _fields = begin(protocol, pay="12.60 EUR an hour")
    time_ends()
    shown = bot.client.get(page).content.decode()
    assert "your time is paid" in shown
    assert "as a surplus answer, and paid" in shown


def test_expired_in_stage_3_stages_1_and_2_and_the_draft_are_kept(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")
    quote = "Anna Berg came from Bergen."
    stages = ("question", {"verdict": "good"}), ("long_answer", {"kind": "box", "candidate": "3", "quote": quote})
    for stage, fields in stages:
        hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
        assert bot.client.post(f"{page}{stage}/", hidden | fields).status_code == 302
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    bot.client.post(f"{page}short_answer/draft/", hidden | {"seq": 1, "data": '{"kind": "yes", "spans": "[]"}'})
    time_ends()
    shown = bot.client.get(page).content.decode()
    assert [word in shown for word in ("Good", quote, "Yes")] == [True] * 3
    assert 'value="yes" checked' in bot.client.get(f"{page}short_answer/").content.decode()


def nothing_for(user, into, status=200):
    response = Bot(user, Random(1)).client.post(reverse("claim", args=[into.slug, "annotate"]))
    assert response.status_code == status
    return response.content.decode()


def test_others_hold_the_rest_says_in_how_many_minutes_the_next_may_be_free(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(1))
    Worker(alice, nq).claim(now=clock.now())
    assert "The next one may be free in 20 minutes, at" in nothing_for(bob, nq)


def test_the_same_question_with_another_page_comes_later_and_nothing_says_that_all_is_done(nq, alice, tmp_path):
    open_with(nq, tmp_path, [line | {"question_text": "who tended the light"} for line in questions(2)])
    Worker(alice, nq).finish_bad(now=clock.now())
    shown = nothing_for(alice, nq)
    home = Bot(alice, Random(1)).client.get("/").content.decode()
    for page in (shown, home):
        assert "You had all of these in the last 12 hours" in page
    assert "The next one may be free in 12 hours, at" in shown
    assert "Everything is done" not in shown
    assert "Nothing is left for you here" not in shown


def test_done_all_you_may_says_how_many_are_left_and_offers_other_queues(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(2, split="dev"))
    other = project("ferries")
    open_with(other, tmp_path, questions(1, start=10))
    join(other, "alice")
    worker = Worker(alice, nq)
    for _ in range(2):
        worker.finish_bad(now=clock.now())
    shown = nothing_for(alice, nq)
    assert "The rest is for other people, or is waiting for a lead (2 questions left)." in shown
    assert reverse("claim", args=["ferries", "annotate"]) in shown
    assert "<dd>2</dd>" in shown


def test_somebody_not_eligible_reads_why_and_what_else_is_offered(nq, lena, tmp_path):
    open_with(nq, tmp_path, questions(1))
    other = project("ferries")
    open_with(other, tmp_path, questions(1, start=10))
    join(other, "lena")
    shown = nothing_for(lena, nq, status=403)
    assert "You lead this project and see everybody’s answers, so you can’t give any yourself." in shown
    assert reverse("claim", args=["ferries", "annotate"]) in shown


def test_work_waiting_for_a_lead_is_not_called_done(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    nq.queues.get().tasks.update(state=TaskState.FROZEN)
    assert "is waiting for a lead" in nothing_for(alice, nq)


def test_returned_work_is_offered_first_to_who_returned_it_with_its_draft_and_to_others_too(nq, alice, bob, tmp_path):
    open_with(nq, tmp_path, questions(5))
    worker = Worker(alice, nq)
    worker.finish_bad()
    mine = worker.claim()
    skip_and_return.give_back(mine, by=alice, now=NOON)
    assert worker.claim(now=NOON + timedelta(hours=23)).task == mine.task
    skip_and_return.give_back(Assignment.objects.get(task=mine.task, state="leased"), by=alice, now=NOON)
    his = Worker(bob, nq)
    tasks = {his.finish_bad(now=NOON).task for _ in range(4)}
    assert mine.task in tasks
    assert Annotation.objects.filter(item=mine.task.item, author=alice).count() == 1
