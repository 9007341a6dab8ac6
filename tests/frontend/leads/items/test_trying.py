"""A lead tries the task of an item of any activity on the real work screen, and nothing counts it."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from random import Random

import pytest
from django.db import transaction
from django.urls import resolve, reverse

from annotation import clock, registry
from annotation.models import Annotation, Item, Response, Role, TimeSpan
from annotation.releases import building as releases
from frontend.bots.bot import Bot
from qualification.models import Try
from tasks.models import Assignment, Lease, Task
from tests.boards import bring_up_to_date, measure_everything
from tests.disagreeing import browser
from tests.frontend.leads.every_page import addresses
from tests.people import NOON, join
from tests.protocols.examples import Example
from tests.protocols.peers import finish_one

ALONE = [
    (protocol.key, activity.key)
    for protocol in registry.all_protocols()
    for activity in protocol.activities
    if len(activity.seats) == 1
]
TOGETHER = [
    (protocol.key, activity.key)
    for protocol in registry.all_protocols()
    for activity in protocol.activities
    if len(activity.seats) > 1
]
TRIED_EACH_MERGE = {("nq", "annotate"), ("qasper", "ask"), ("coqa", "converse_alone")}
"""In a page of boxes, with items as a result, and in turns."""
OTHER_ACTIVITIES = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/items/test_trying.py"
    "::test_a_lead_tries_each_activity_to_its_end_and_sees_it_beside_the_items_answers"
)
TRIED = [
    pytest.param(*each, id="-".join(each), marks=() if each in TRIED_EACH_MERGE else OTHER_ACTIVITIES) for each in ALONE
]
OTHER_TALKS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/items/test_trying.py"
    "::test_what_several_people_do_together_is_refused_with_a_sentence"
)
REFUSED = [pytest.param(*each, id="-".join(each), marks=() if each[0] == "toy" else OTHER_TALKS) for each in TOGETHER]
SECRETS = re.compile(rb'(name="csrfmiddlewaretoken" value|name="[a-z_]*key" value|data-seen)="[^"]*"')
"""What differs each time: tokens of forms, and of a board when its job last looked for news."""


def opened(protocol: str, activity: str):
    """A project with items of that activity, one of which somebody has finished, and its lead."""
    found = registry.get(protocol)
    made = Example(found).opened(of=found.activity(activity))
    if activity not in found.substitutes:
        finish_one(made, found.activity(activity), "peer", Random(3))
    return made, join(made, "lena", Role.LEAD)


def try_it(lead, item: Item, activity: str):
    """Press *Try it*; the address of the work screen."""
    answer = lead.post(reverse("try_item", args=[item.project.slug, item.pk]), {"activity": activity})
    assert answer.status_code == 302
    return answer["Location"]


def briefly(protocol: str):
    """What a bot answers that asks no more once it may end."""
    pretend = registry.get(protocol).bots.pretend

    def think(sheet, _where, rng):
        why = getattr(sheet, "ends", "")
        return {"kind": "ended", "why": why, "reason": "The passage tells no more."} if why else pretend(sheet, rng)

    return think


def played(user, page: str, rng: Random, think=None) -> str:
    """Answer to the end, as a bot; where the last answer leads."""
    bot = Bot(user, rng, think)
    while True:
        address, fields = bot.answered(page)
        answer = bot.client.post(address, fields)
        assert answer.status_code == 302, answer.content
        if answer["Location"] != page:
            return answer["Location"]


@pytest.mark.parametrize(("protocol", "activity"), TRIED)
def test_a_lead_tries_each_activity_to_its_end_and_sees_it_beside_the_items_answers(db, protocol, activity):
    made, lena = opened(protocol, activity)
    kind = registry.get(protocol).activity(activity).kind
    done = Annotation.objects.filter(item__project=made, activity=activity, completed_at__isnull=False).first()
    item = done.item if done else made.items.filter(kind=kind).first()
    lead = browser(lena)
    assert "Try it" in lead.get(reverse("item", args=[made.slug, item.pk])).content.decode()
    page = try_it(lead, item, activity)
    screen = lead.get(page).content.decode()
    assert "You are trying this" in screen
    assert 'id="skip"' not in screen
    assert 'id="report"' in screen
    uuid = resolve(page).kwargs["uuid"]
    assert played(lena, page, Random(7), briefly(protocol)) == reverse("tried", args=[made.slug, item.pk, uuid])
    finished = lead.get(page, follow=True)
    assert "It was a trial and counts nowhere" in finished.content.decode()
    assert "Try it again" in finished.content.decode()
    assert len(finished.context["columns"]) == 1 + bool(done)
    assert finished.context["columns"][0].answers
    assert bool(finished.context["scores"]) == bool(done)
    item_page = lead.get(reverse("item", args=[made.slug, item.pk]))
    assert "Your last trial" in item_page.content.decode()
    assert len(item_page.context["columns"]) == item.annotations.count()


@pytest.mark.parametrize(("protocol", "activity"), REFUSED)
def test_what_several_people_do_together_is_refused_with_a_sentence(db, protocol, activity):
    made, lena = opened(protocol, activity)
    item = made.items.filter(kind=registry.get(protocol).activity(activity).kind).first()
    lead = browser(lena)
    assert "nobody can try it alone" in lead.get(reverse("item", args=[made.slug, item.pk])).content.decode()
    assert lead.post(reverse("try_item", args=[made.slug, item.pk]), {"activity": activity}).status_code == 409
    assert not Try.objects.exists()


def figures(made, lena) -> dict[str, bytes]:
    """Every page of a lead, and the files of a release made now, as bytes; but for the item's own page and history."""
    bring_up_to_date(made)
    measure_everything()
    lead, found = browser(lena), {}
    for address in [*(path for _name, path in addresses(made)), reverse("home"), reverse("time"), reverse("finished")]:
        if re.search(r"/items/\d+/(history/)?$", address):
            continue
        answer = lead.get(address)
        if answer.status_code != 200:
            continue
        body = answer.content
        found[address] = SECRETS.sub(b"", body)
    return found | {"release": released(made, lena)}


def released(made, lena) -> bytes:
    """What a release made now consists of; it is not kept."""
    with transaction.atomic():
        made_now = releases.build(made, format="", partial=True, by=lena, now=NOON + timedelta(days=3), using="default")
        shutil.rmtree(releases.folder_of(made_now))
        transaction.set_rollback(True)
    return f"{made_now.members_sha256} {made_now.manifest_sha256}".encode()


OTHER_PROTOCOLS = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/items/test_trying.py::test_no_figure_page_or_release_is_another_after_a_trial"
)
"""What leaves trials out is below the protocols; each activity is tried to its end for each merge."""


@pytest.mark.parametrize(
    "protocol", ["nq", *(pytest.param(key, marks=OTHER_PROTOCOLS) for key in ("coqa", "qasper", "squad"))]
)
def test_no_figure_page_or_release_is_another_after_a_trial(db, protocol, monkeypatch):
    found = registry.get(protocol)
    activity = next(each for each in reversed(found.activities) if len(each.seats) == 1)
    made, lena = opened(protocol, activity.key)
    done = Annotation.objects.filter(item__project=made, activity=activity.key, completed_at__isnull=False).first()
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=2))
    before = figures(made, lena)
    rows = [model.objects.count() for model in (Item, Annotation, Assignment, Lease, Task, TimeSpan)]
    page = try_it(browser(lena), done.item, activity.key)
    played(lena, page, Random(7))
    after = figures(made, lena)
    assert len(before) > 15
    assert {address for address in before if before[address] != after[address]} == set()
    assert [model.objects.count() for model in (Item, Annotation, Assignment, Lease, Task, TimeSpan)] == rows
    assert Response.objects.filter(annotation__purpose="trial").exists()
    finish_one(made, found.activity(activity.key), "control", Random(5))
    assert released(made, lena) != after["release"]
