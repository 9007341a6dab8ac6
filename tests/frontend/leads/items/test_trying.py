"""A lead tries the task of an item on the real work screen, and nothing counts it."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from random import Random

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve, reverse

from annotation import clock, randomness, registry
from annotation.models import Annotation, Draft, Event, Flag, Item, Response, Role, TimeSpan
from annotation.releases import building as releases
from frontend.bots.bot import Bot
from qualification.models import Try
from tasks.models import Assignment, Lease, Task
from tests.boards import bring_up_to_date, measure_everything
from tests.builders import BAD, GOOD, NO_ANSWER, PAGE, Worker
from tests.disagreeing import browser, lights
from tests.frontend.leads.every_page import addresses
from tests.people import NOON, join
from tests.pictures import png
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


def played(user, page: str, rng: Random) -> str:
    """Answer to the end, as a bot; where the last answer leads."""
    bot = Bot(user, rng)
    while True:
        address, fields = bot.answered(page)
        answer = bot.client.post(address, fields)
        assert answer.status_code == 302, answer.content
        if answer["Location"] != page:
            return answer["Location"]


@pytest.fixture
def light(tmp_path, db):
    """A question that one person has rejected, its project and a lead's browser."""
    made = lights(tmp_path)
    Worker(join(made, "alice"), made).finish_bad()
    lena = join(made, "lena", Role.LEAD)
    return made.items.order_by("pk").first(), browser(lena), lena


@pytest.mark.parametrize(("protocol", "activity"), ALONE)
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
    assert played(lena, page, Random(7)) == reverse("tried", args=[made.slug, item.pk, uuid])
    finished = lead.get(page, follow=True)
    assert "It was a trial and counts nowhere" in finished.content.decode()
    assert "Try it again" in finished.content.decode()
    assert len(finished.context["columns"]) == 1 + bool(done)
    assert finished.context["columns"][0].answers
    assert bool(finished.context["scores"]) == bool(done)
    item_page = lead.get(reverse("item", args=[made.slug, item.pk]))
    assert "Your last trial" in item_page.content.decode()
    assert len(item_page.context["columns"]) == item.annotations.count()


@pytest.mark.parametrize(("protocol", "activity"), TOGETHER)
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
        answer = lead.get(address)
        if answer.status_code != 200 or re.search(r"/items/\d+/(history/)?$", address):
            continue
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        found[address] = SECRETS.sub(b"", body)
    with transaction.atomic():
        made_now = releases.build(made, format="", partial=True, by=lena, now=NOON + timedelta(days=3), using="default")
        found["release"] = f"{made_now.members_sha256} {made_now.manifest_sha256}".encode()
        shutil.rmtree(releases.folder_of(made_now))
        transaction.set_rollback(True)
    return found


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
    done = Annotation.objects.filter(activity=activity.key, completed_at__isnull=False).first()
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
    assert figures(made, lena)["release"] != after["release"]


def test_starting_twice_gives_the_same_trial_and_trying_again_the_next_round(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    assert try_it(lead, item, "annotate") == page
    assert "Go on with your trial" in lead.get(reverse("item", args=[item.project.slug, item.pk])).content.decode()
    played(lena, page, Random(1))
    again = try_it(lead, item, "annotate")
    assert again != page
    assert list(Annotation.with_trials.filter(purpose="trial").order_by("pk").values_list("round", flat=True)) == [1, 2]


def test_a_draft_is_kept_and_a_second_tab_takes_over(light):
    item, lead, _lena = light
    page = try_it(lead, item, "annotate")
    uuid = resolve(page).kwargs["uuid"]
    client = str(randomness.handle())
    draft = {"data": '{"verdict": "bad"}', "client": client, "seq": 1, "seen": 0, "after": "", "base": 0}
    saved = lead.post(reverse("draft", args=[uuid, "question"]), draft)
    assert saved.status_code == 200
    assert saved.json()["expires_in"] == 0
    assert Draft.objects.get().data == {"verdict": "bad"}
    assert "bad" in lead.get(page).content.decode()
    other = {"client": str(randomness.handle()), "after": client, "base": 0, "stage": "question"}
    assert lead.post(reverse("take", args=[uuid]), other).json()["seen"] == 0
    assert lead.post(reverse("draft", args=[uuid, "question"]), draft | {"seq": 2}).status_code == 409


def test_what_a_trial_lacks_has_no_address_either(light):
    item, lead, _lena = light
    uuid = resolve(try_it(lead, item, "annotate")).kwargs["uuid"]
    for route in ("skip", "unskip", "give_back", "renew", "flag", "chat", "partner", "explain"):
        assert lead.post(reverse(route, args=[uuid])).status_code in (404, 405), route
    assert lead.get(reverse("chat", args=[uuid])).status_code == 404
    assert lead.post(reverse("reconsider", args=[uuid, "question"])).status_code == 404


def test_a_report_is_one_about_the_item_and_the_trial_stays_open(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    said = {"reason": "broken", "text": "the table is cut"}
    sent = lead.post(reverse("report", args=[resolve(page).kwargs["uuid"]]), said)
    assert sent["Location"] == reverse("item", args=[item.project.slug, item.pk])
    assert (Flag.objects.get().author, Flag.objects.get().stage) == (lena, "question")
    assert lead.get(page).status_code == 200


def test_the_screen_hides_what_it_hides_from_annotators(light):
    item, lead, _lena = light
    page = try_it(lead, item, "annotate")
    uuid = resolve(page).kwargs["uuid"]
    for step in ("long_answer", "short_answer"):
        assert lead.get(reverse("stage", args=[uuid, step])).status_code == 404
        assert lead.get(reverse("frame", args=[uuid, step])).status_code == 404
    assert b"Cordouan" not in lead.get(page).content


def test_a_trial_is_its_leads_alone_and_only_while_they_lead(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    uuid = resolve(page).kwargs["uuid"]
    other = browser(join(item.project, "lotte", Role.LEAD))
    assert other.get(page).status_code == 404
    played(lena, page, Random(1))
    finished = reverse("tried", args=[item.project.slug, item.pk, uuid])
    assert (lead.get(finished).status_code, other.get(finished).status_code) == (200, 404)
    lena.memberships.update(ended_at=NOON)
    assert lead.get(page).status_code == lead.get(finished).status_code == 404


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
def test_nobody_but_leads_can_try(light, role):
    item, _lead, _lena = light
    person = browser(join(item.project, "other", role))
    asked = person.post(reverse("try_item", args=[item.project.slug, item.pk]), {"activity": "annotate"})
    assert asked.status_code == 404


def test_a_lead_who_has_tried_is_given_the_item_by_nobody(light):
    item, lead, lena = light
    played(lena, try_it(lead, item, "annotate"), Random(1))
    lena.memberships.update(ended_at=NOON)
    join(item.project, "lena")
    assert browser(lena).post(reverse("claim", args=[item.project.slug, "annotate"])).status_code == 403


def test_a_trial_bars_nobody_from_deciding_excluding_or_undoing(light):
    item, lead, lena = light
    played(lena, try_it(lead, item, "annotate"), Random(1))
    trial = Annotation.with_trials.get(purpose="trial")
    where = [item.project.slug, item.pk, trial.uuid]
    assert lead.post(reverse("exclude", args=where), {"reason": "no"}).status_code == 404
    assert Event.objects.get(kind="item.tried").data == {"activity": "annotate", "round": 1}
    assert "Began to try the task" in lead.get(reverse("item_history", args=where[:2])).content.decode()


def test_a_finished_trial_takes_no_other_answer(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    uuid = resolve(page).kwargs["uuid"]
    address, fields = Bot(lena, Random(1)).filled(page, uuid, "nq", "question", BAD)
    assert lead.post(address, fields)["Location"] == reverse("tried", args=[item.project.slug, item.pk, uuid])
    assert lead.post(address, fields)["Location"] == reverse("tried", args=[item.project.slug, item.pk, uuid])
    late = fields | {"submission_key": str(randomness.handle()), "reasons": "false_premise"}
    assert lead.post(address, late).status_code == 409
    assert Response.objects.filter(annotation__purpose="trial").count() == 1


def test_an_archived_project_is_not_tried(light):
    item, lead, _lena = light
    item.project.archived_at = NOON
    item.project.save()
    asked = lead.post(reverse("try_item", args=[item.project.slug, item.pk]), {"activity": "annotate"})
    assert asked.status_code == 409
    unknown = lead.post(reverse("try_item", args=[item.project.slug, item.pk]), {"activity": "guess"})
    assert unknown.status_code == 404


def test_its_traces_are_kept_but_no_time(light):
    item, lead, _lena = light
    uuid = resolve(try_it(lead, item, "annotate")).kwargs["uuid"]
    lines = '[{"n": 1, "lines": [[5, "visible", {"ms": 60000, "active": 9000}, ""]]}]'
    sent = lead.post(reverse("draft", args=[uuid, "question"]), {"trace": lines, "client": str(randomness.handle())})
    assert sent.json() == {"kept": 1}
    assert Event.objects.filter(kind="screen.traced", subject=f"try:{uuid}").exists()
    assert not TimeSpan.objects.exists()


def test_the_guidelines_of_a_trial_are_those_it_was_begun_under(light):
    item, lead, _lena = light
    page = try_it(lead, item, "annotate")
    assert f"of={resolve(page).kwargs['uuid']}" in lead.get(page).content.decode()


def test_with_all_stages_answered_the_trial_has_them_all(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    uuid, bot = resolve(page).kwargs["uuid"], Bot(lena, Random(1))
    lead.post(*bot.filled(page, uuid, "nq", "question", GOOD))
    assert "Cordouan" in lead.get(reverse("frame", args=[uuid, "long_answer"])).content.decode()
    lead.post(*bot.filled(page, uuid, "nq", "long_answer", NO_ANSWER))
    finished = lead.get(page, follow=True).context["columns"]
    assert [one.title for one in finished[0].answers] != [one.title for one in finished[1].answers]


def test_the_pictures_of_a_page_are_shown_in_a_trial_by_their_signed_addresses_only(tmp_path, db):
    (tmp_path / "reef.png").write_bytes(png())
    made = lights(tmp_path, page=PAGE.replace("Anna Berg", '<img src="reef.png">Anna'))
    lena = join(made, "lena", Role.LEAD)
    lead = browser(lena)
    page = try_it(lead, made.items.select_related("project").first(), "annotate")
    uuid = resolve(page).kwargs["uuid"]
    lead.post(*Bot(lena, Random(1)).filled(page, uuid, "nq", "question", GOOD))
    framed = lead.get(reverse("frame", args=[uuid, "long_answer"])).content.decode()
    [address] = set(re.findall(r'src="([^"]*/picture/[^"]*)"', framed))
    assert Client().get(address).status_code == 200
    assert Client().get(address.replace(str(uuid), str(randomness.handle()))).status_code == 404
    lead.post(*Bot(lena, Random(1)).filled(page, uuid, "nq", "long_answer", NO_ANSWER))
    assert Client().get(address).status_code == 404


def test_a_finished_trial_is_graded_part_by_part_against_the_items_answers(light):
    item, lead, lena = light
    page = try_it(lead, item, "annotate")
    played(lena, page, Random(1))
    scores = lead.get(page, follow=True).context["scores"]
    tried = Annotation.with_trials.get(author=lena)
    bad = tried.responses.order_by("pk").first().payload["verdict"] == "bad"
    assert (scores[0].part, scores[0].points) == ("Good or bad question", "1" if bad else "0")
