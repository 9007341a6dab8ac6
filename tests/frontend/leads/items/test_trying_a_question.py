"""A lead tries the task of a question: what the trial keeps and hides, whose it is, and how it ends."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.test import Client
from django.urls import resolve, reverse

from annotation import randomness
from annotation.models import Annotation, Draft, Event, Flag, Item, Response, Role, TimeSpan, User
from frontend.bots.bot import Bot
from tests.builders import BAD, GOOD, NO_ANSWER, PAGE, Worker
from tests.disagreeing import browser, lights
from tests.frontend.leads.items.test_trying import played, try_it
from tests.people import NOON, join
from tests.pictures import png


@pytest.fixture(scope="module")
def rejected_once(shared_rows, tmp_path_factory):
    """A question that one person has rejected, in a project that lena leads."""
    made = lights(tmp_path_factory.mktemp("lights"))
    Worker(join(made, "alice"), made).finish_bad()
    join(made, "lena", Role.LEAD)
    return made.items.order_by("pk").first().pk


@pytest.fixture
def light(rejected_once, db):
    """The question that was rejected, and the lead: her browser and herself."""
    lena = User.objects.get(username="lena")
    return Item.objects.get(pk=rejected_once), browser(lena), lena


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
    made = lights(tmp_path, slug="reef", page=PAGE.replace("Anna Berg", '<img src="reef.png">Anna'))
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
