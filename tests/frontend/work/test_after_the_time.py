"""What is done and sent after the lease has expired does what was meant, each with true words."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.urls import resolve

from annotation import clock, registry
from frontend.bots.bot import HIDDEN_FIELD, Bot
from frontend.work import messages
from tasks.engine import claiming, leases, no_work
from tasks.items import reports
from tasks.models import Assignment
from tasks.models.states import AssignmentState
from tests.builders import BAD, Worker, open_with, project, questions, reload
from tests.people import join
from tests.protocols.examples import Example, of_one_person
from tests.protocols.peers import member

HTMX = {"HX-Request": "true"}
BAD_FIELDS = {"verdict": "bad", "reasons": "ambiguous"}


def text_of(response):
    return " ".join(response.content.decode().split())


def begin(into, activity, user):
    """Somebody whose lease has expired: the bot, the page, the assignment and the hidden fields of the form."""
    bot = Bot(user, Random(1))
    page = bot.claim(into, activity)
    hidden = dict(HIDDEN_FIELD.findall(bot.client.get(page).content.decode()))
    leases.expire_overdue(now=clock.now() + timedelta(days=3))
    return bot, page, Assignment.objects.get(uuid=resolve(page).kwargs["uuid"]), hidden


EACH_MERGE = ("nq/annotate", "qasper/answer")
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_after_the_time.py::test_a_late_skip_counts_and_the_item_does_not_come_back"
)
ACTIVITIES = [
    pytest.param((protocol.key, activity.key), id=name, marks=() if name in EACH_MERGE else OTHERS)
    for protocol in of_one_person()
    for activity in protocol.activities
    for name in [f"{protocol.key}/{activity.key}"]
]


@pytest.fixture(params=ACTIVITIES)
def expired(request, db):
    """The same for every activity of every protocol."""
    protocol, activity = request.param
    made = Example(registry.get(protocol)).opened()
    for name in ("ann", "bea", "cal"):
        user = member(made, name)
        if not isinstance(claiming.claim(made, activity, by=user, now=clock.now()), no_work.NoWork):
            return begin(made, activity, user)
        Bot(user, Random(1)).finish_one(made, registry.get(protocol).activities[0].key)
    raise AssertionError("There is nothing to be done.")


def test_a_late_skip_counts_and_the_item_does_not_come_back(expired):
    bot, page, mine, _hidden = expired
    answer = bot.client.post(f"{page}skip/", {"reason": "hard"}, headers=HTMX)
    assert answer.status_code < 400
    assert reload(mine).state == AssignmentState.SKIPPED
    again = claiming.claim(
        mine.task.item.project, mine.task.activity, by=bot.user, now=clock.now(), item=mine.task.item
    )
    assert isinstance(again, no_work.NoWork)


def test_a_late_skip_can_be_undone_while_there_is_room(expired):
    bot, page, mine, _hidden = expired
    bot.client.post(f"{page}skip/", {"reason": "hard"})
    assert bot.client.post(f"{page}unskip/")["Location"] == page
    assert reload(mine).state == AssignmentState.LEASED


def test_a_late_return_says_that_the_time_had_ended_and_that_the_draft_is_kept(expired):
    bot, page, mine, _hidden = expired
    home = text_of(bot.client.post(f"{page}return/", follow=True))
    assert str(messages.ENDED_BEFORE) in home
    assert str(messages.GIVEN_BACK) not in home
    assert reload(mine).state == AssignmentState.RETURNED
    later = clock.now() + timedelta(hours=23)
    first = claiming.claim(mine.task.item.project, mine.task.activity, by=bot.user, now=later, item=mine.task.item)
    assert first.annotation == mine.annotation


def test_skipping_on_an_old_page_skips_the_work_held_again(expired):
    bot, page, mine, _hidden = expired
    where = mine.task.item.project, mine.task.activity
    again = claiming.claim(*where, by=bot.user, now=clock.now(), item=mine.task.item)
    bot.client.post(f"{page}skip/", {"reason": "hard"})
    assert reload(again).state == AssignmentState.SKIPPED


def test_work_finished_under_a_later_hold_is_not_given_up_from_the_old_page(nq, alice, tmp_path):
    open_with(nq, tmp_path, questions(1))
    bot, page, mine, _hidden = begin(nq, "annotate", alice)
    Worker(alice, nq).finish_bad(now=clock.now())
    for way in ("skip", "return"):
        refused = bot.client.post(f"{page}{way}/", {"reason": "hard"})
        assert refused.status_code == 409
        assert "You have already finished, skipped or left it." in text_of(refused)
    assert reload(mine).state == AssignmentState.EXPIRED


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_late_work_whose_place_is_free_says_that_it_counts(nq, alice, tmp_path, headers):
    open_with(nq, tmp_path, questions(1))
    bot, page, mine, hidden = begin(nq, "annotate", alice)
    shown = bot.client.post(f"{page}question/", hidden | BAD_FIELDS, headers=headers, follow=True)
    assert reload(mine).state == AssignmentState.SUBMITTED
    assert str(messages.ADOPTED) in text_of(shown)
    assert "It is kept" not in text_of(shown)


@pytest.mark.parametrize("pay", ["", "12.60 EUR an hour"])
def test_late_work_whose_place_somebody_has_filled_says_that_it_is_kept_and_that_its_time_counts(db, tmp_path, pay):
    lights = project(**({"pay": pay} if pay else {}))
    open_with(lights, tmp_path, questions(2))
    bot, page, mine, hidden = begin(lights, "annotate", join(lights, "alice"))
    other = Worker(join(lights, "bob"), lights)
    theirs = claiming.claim(lights, "annotate", by=other.user, now=clock.now(), item=mine.task.item)
    other.commit(theirs, "question", BAD, now=clock.now())
    answer = bot.client.post(f"{page}question/", hidden | BAD_FIELDS, headers=HTMX)
    assert answer.status_code == 200, "the next question comes with it"
    assert reload(mine).state == AssignmentState.LATE
    assert f"{messages.LATE['taken']} {messages.PAID if pay else messages.COUNTS}" in text_of(answer)


def test_late_work_on_a_withdrawn_item_says_so(nq, alice, lena, tmp_path):
    open_with(nq, tmp_path, questions(2))
    bot, page, mine, hidden = begin(nq, "annotate", alice)
    reports.cancel(mine.task.item, by=lena, reason="a stub", now=clock.now())
    answer = bot.client.post(f"{page}question/", hidden | BAD_FIELDS, headers=HTMX)
    assert reload(mine).state == AssignmentState.LATE
    assert str(messages.LATE["cancelled"]) in text_of(answer)


def test_late_questions_of_somebody_who_has_read_a_paper_since_say_so(db):
    made = Example(registry.get("qasper")).opened(separate_pools=True)
    writer = Worker(member(made, "wendy"), made, "ask")
    about = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    asked = about | {"questions": [{"text": "Which corpus was it?", "answerable_from_abstract": False}]}
    writer.commit(writer.claim(now=clock.now()), "questions", asked, now=clock.now())
    bot, page, mine, hidden = begin(made, "ask", member(made, "adam"))
    claiming.claim(made, "answer", by=bot.user, now=clock.now())
    fields = registry.form_of("qasper", "questions").fields_of(asked)
    shown = text_of(bot.client.post(f"{page}questions/", hidden | fields, follow=True))
    assert reload(mine).state == AssignmentState.LATE
    assert str(messages.LATE["barred"]) in shown
