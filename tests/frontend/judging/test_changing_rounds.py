"""What leads change in a sealed round: exhibits that can't be judged, and raters who drop out."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.judging import rounds
from annotation.models import Defect, Role
from tasks.judging import raters, working
from tasks.measuring import judging_rounds
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft

CUT = "The passage is cut off."


@pytest.fixture
def row(lights, lead, experts):
    """A round over two of the three answers, with one spare."""
    made = draft(lights, lead, sample=2)
    for expert in experts:
        raters.name(made, expert, by=lead, now=NOON)
    rounds.seal(made, by=lead, now=NOON)
    made.refresh_from_db()
    return made


def client_of(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def lena(lead):
    return client_of(lead)


def at(row, name, *more) -> str:
    return reverse(name, args=["lights", row.uuid, *more])


def text(page) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def test_from_the_page_of_the_round_to_a_defect_and_what_is_judged_instead(row, lena):
    assert at(row, "judging_exhibits") in lena.get(at(row, "judging_round")).content.decode()
    page = lena.get(at(row, "judging_exhibits")).content.decode()
    assert page.count("Flag as a defect") == 2
    page = lena.post(at(row, "flag_exhibit", 0), {"why": CUT}, follow=True)
    assert "Exhibit 3 is judged instead." in text(page)
    assert "In the place of 1." in text(page)
    assert page.content.decode().count("Flag as a defect") == 2
    assert CUT in text(lena.get(at(row, "judging_round")))


def test_a_reason_is_needed_and_what_is_marked_can_not_be_flagged(row, lena, experts):
    assert "Say what is wrong" in text(lena.post(at(row, "flag_exhibit", 0), follow=True))
    RaterAtWork(experts[0], row.project).judge_all(row, ["C", "C"])
    page = lena.get(at(row, "judging_exhibits"))
    assert "Flag as a defect" not in text(page)
    assert "its mark counts" in text(lena.post(at(row, "flag_exhibit", 0), {"why": CUT}, follow=True))
    assert not Defect.objects.exists()


def test_a_lead_who_rates_sees_the_exhibits_once_they_have_locked(row, lead, lena):
    raters.name(row, lead, by=lead, now=NOON)
    assert lena.get(at(row, "judging_exhibits")).status_code == 404
    assert lena.post(at(row, "flag_exhibit", 0), {"why": CUT}).status_code == 404
    RaterAtWork(lead, row.project).judge_all(row, ["C", "C"])
    working.lock(row, by=lead, now=NOON)
    assert lena.get(at(row, "judging_exhibits")).status_code == 200


def test_nobody_else_finds_them_and_a_draft_has_none(row, lights, lead, lena, experts):
    for person in (*experts, join(lights, "oskar")):
        assert client_of(person).get(at(row, "judging_exhibits")).status_code == 404
        assert client_of(person).post(at(row, "flag_exhibit", 0), {"why": CUT}).status_code == 404
        assert client_of(person).post(at(row, "replace_rater"), {"number": "1"}).status_code == 404
    assert lena.get(at(draft(lights, lead), "judging_exhibits")).status_code == 404


def test_results_release_and_card_say_what_was_a_defect(row, lights, lead, lena, experts):
    lena.post(at(row, "flag_exhibit", 0), {"why": CUT})
    for expert in experts:
        RaterAtWork(expert, lights).judge_all(row, ["C", "W"])
        working.lock(row, by=expert, now=NOON)
    judging_rounds.measure_due(now=NOON)
    told = [{"place": 0, "why": CUT, "replaced_by": 2}]
    found = json.loads(lena.get(at(row, "judging_results_json")).content)
    assert found["defects"] == told
    assert found["results"]["exhibits"] == 2
    made = releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    [file] = releases.manifest_of(made)["rounds"]
    assert (file["round"]["defects"], file["round"]["exhibits"], file["records"]) == (told, 2, 2)
    card = text(lena.get(reverse("release", args=["lights", made.version])))
    lena_card = client_of(lead).get(reverse("release_file", args=["lights", made.version, "DATACARD.md"]))
    assert CUT in card + lena_card.content.decode()


def test_who_drops_out_is_told_why_and_has_nothing_to_go_on_with(row, lights, lena, experts):
    emma = join(lights, "emma", Role.EXPERT)
    erin = client_of(experts[0])
    work = erin.post(reverse("begin_judging", args=[row.uuid])).url
    page = lena.get(at(row, "judging_round")).content.decode()
    assert f'value="{emma.pk}"' in page
    lena.post(at(row, "replace_rater"), {"number": "1", "person": str(emma.pk), "reason": "She is ill."})
    page = text(lena.get(at(row, "judging_round")))
    assert "She is ill. · Their 0 marks are kept and count nowhere." in page
    own = text(erin.get(reverse("judge", args=[row.uuid])))
    assert "A lead has ended your part in this round: She is ill." in own
    assert "0 of 2 raters are done" in own
    assert row.title not in text(erin.get(reverse("home")))
    assert row.title in text(client_of(emma).get(reverse("home")))
    assert erin.get(work).status_code in (302, 410)
    assert "can’t be judged now" in text(erin.post(reverse("begin_judging", args=[row.uuid]), follow=True))


def test_only_who_may_be_named_replaces_somebody(row, lights, lena):
    oskar = join(lights, "oskar")
    for fields in ({"number": "1", "person": str(oskar.pk)}, {"number": "9"}, {}):
        assert lena.post(at(row, "replace_rater"), fields | {"reason": "test"}).status_code == 404
