"""Reports over HTTP, for every protocol: the next work comes, the lead sees them and unfreezes or withdraws."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.urls import resolve, reverse

from annotation import membership
from annotation.models import Flag
from frontend.bots.bot import Bot
from tasks.models import Assignment
from tasks.models.states import TaskState
from tests.builders import open_with, questions
from tests.people import NOON
from tests.protocols.examples import Example, of_one_person, parameters
from tests.protocols.peers import member

HTMX = {"HX-Request": "true"}


OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/work/test_reports_on_pages.py"
    "::test_two_reports_freeze_the_item_and_the_lead_sees_both_and_unfreezes_it"
)


@pytest.fixture(params=parameters(list(of_one_person()), each_merge=("qasper",), others=OTHERS))
def coast(request, db):
    """A project of the protocol with its example, and the key of its first activity."""
    protocol = request.param
    return Example(protocol).opened(), protocol.activities[0].key


@pytest.fixture
def lead(coast):
    user, _ = membership.add(project=coast[0], username="lena", role="lead", by=None, now=NOON)
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(user)
    return browser


def work_on(item, coast, name):
    """A person and the page of that item (of the next one, if None)."""
    bot = Bot(member(coast[0], name), Random(1))
    while True:
        page = bot.claim(*coast)
        mine = Assignment.objects.get(uuid=resolve(page).kwargs["uuid"])
        if item in (None, mine.task.item):
            return bot, page, mine
        bot.client.post(f"{page}skip/", {"reason": "hard"})


def test_two_reports_freeze_the_item_and_the_lead_sees_both_and_unfreezes_it(coast, lead):
    bot, page, mine = work_on(None, coast, "ada")
    bot.client.post(f"{page}report/", {"reason": "personal", "text": "a phone number"})
    other, there, _ = work_on(mine.task.item, coast, "ben")
    other.client.post(f"{there}report/", {"reason": "broken"})
    shown = lead.get(reverse("project", args=[coast[0].slug])).content.decode()
    assert "2 people" in shown
    item = reverse("item", args=[coast[0].slug, mine.task.item_id])
    assert "a phone number" in lead.get(item).content.decode()
    assert set(mine.task.item.tasks.values_list("state", flat=True)) == {TaskState.FROZEN}
    lead.post(f"{item}unfreeze/")
    assert set(mine.task.item.tasks.values_list("state", flat=True)) == {TaskState.OPEN}


def test_a_withdrawn_item_is_closed_to_somebody_working_on_it(coast, lead):
    bot, page, mine = work_on(None, coast, "ada")
    other, there, _ = work_on(mine.task.item, coast, "ben")
    other.client.post(f"{there}report/", {"reason": "offensive"})
    lead.post(reverse("cancel", args=[coast[0].slug, mine.task.item_id]), {"reason": "a stub"})
    assert bot.client.get(page).status_code == 410
    assert bot.client.post(f"{page}skip/", {"reason": "hard"}).status_code == 409


def test_a_report_without_a_reason_is_refused_and_nothing_is_stored(coast):
    bot, page, _ = work_on(None, coast, "ada")
    assert bot.client.post(f"{page}report/", {"reason": "boring"}, headers=HTMX).status_code == 422
    assert not Flag.objects.exists()


def test_more_than_three_skips_in_a_row_ask_what_is_wrong_and_never_block(nq, alice, lena, lead_of_nq, tmp_path):
    open_with(nq, tmp_path, questions(8))
    bot = Bot(alice, Random(1))
    page = bot.claim(nq, "annotate")
    for number in range(1, 5):
        response = bot.client.post(f"{page}skip/", {"reason": "hard"}, headers=HTMX)
        assert ("Is something wrong with them?" in response.content.decode().split("<dialog")[0]) == (number > 3)
        last, page = page, response["HX-Push-Url"]
    thanks = bot.client.post(f"{last}explain/", {"text": "all of them are in Welsh"}, headers=HTMX)
    assert "A lead reads this" in thanks.content.decode()
    bot.answer(page)  # would raise if it were refused
    shown = lead_of_nq.get(reverse("project", args=[nq.slug])).content.decode()
    assert "all of them are in Welsh" in shown


@pytest.fixture
def lead_of_nq(lena):
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(lena)
    return browser
