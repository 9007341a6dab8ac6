"""A lead draws a round, seals it, and sees the results beside the published ones."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from annotation.judging import rounds
from annotation.models import JudgingRound, Role, RoundState
from annotation.protocols.nq.protocol import PROTOCOL as NQ
from tasks import jobs
from tasks.judging import raters, working
from tests.builders import reload
from tests.factories.record import TimeSpanFactory
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


@pytest.fixture
def chosen(lights, experts):
    """What a lead fills in."""
    return {
        "title": "How good are long answers?",
        "kind": "long",
        "of_an_item": "one",
        "split": "",
        "sample": "2",
        "raters": [expert.pk for expert in experts],
    }


def test_from_the_empty_list_to_a_sealed_round(lena, lights, chosen):
    assert "No round yet" in lena.get(reverse("judging_rounds", args=["lights"])).content.decode()
    assert lena.get(reverse("new_judging_round", args=["lights"])).status_code == 200
    page = lena.post(reverse("new_judging_round", args=["lights"]), chosen, follow=True)
    assert "The draw" in page.content.decode()
    row = JudgingRound.objects.get()
    assert row.state == RoundState.DRAFT
    page = lena.post(reverse("seal_judging_round", args=["lights", row.uuid]), follow=True).content.decode()
    row.refresh_from_db()
    assert row.sha256 in page
    assert row.exhibits.filter(use="drawn").count() == 2
    assert "How good are long answers?" in lena.get(reverse("judging_rounds", args=["lights"])).content.decode()


def value_of(page: str, name: str) -> str:
    return re.search(rf'<input[^>]*name="{name}"\s+value="([^"]*)"', page)[1]


def kind_in(page: str) -> str:
    return re.search(r'name="kind" value="(\w+)" checked', page)[1]


def test_a_kind_comes_with_its_name_its_sample_and_as_many_raters_as_were_published(lena, lights, chosen, monkeypatch):
    address = reverse("new_judging_round", args=["lights"])
    page = lena.get(address).content.decode()
    assert (kind_in(page), value_of(page, "title")) == ("long", "Long answers")
    page = lena.get(address, {"kind": "short"}).content.decode()
    assert (kind_in(page), value_of(page, "title")) == ("short", "Short answers")
    assert "139 judged by 4 people" in " ".join(page.split())
    assert lena.get(address, {"kind": "none_such"}).status_code == 200
    one_rater = replace(NQ.exhibits[0], raters=1)
    monkeypatch.setattr(NQ, "exhibits", (one_rater,))
    page = lena.get(address).content.decode()
    checked = re.findall(r'name="raters" value="(\d+)"[^>]*checked', page)
    assert checked == [str(lights.memberships.get(user__username="egon").user_id)]  # an expert, not the lead


def test_another_kind_brings_its_usual_choices_and_leaves_a_name_that_was_written(lena, chosen):
    address = reverse("new_judging_round", args=["lights"])
    page = lena.post(address, chosen | {"kind": "short", "go": "usual"}).content.decode()
    assert (kind_in(page), value_of(page, "title")) == ("short", "How good are long answers?")
    page = lena.post(address, chosen | {"kind": "short", "title": "Long answers", "go": "usual"}).content.decode()
    assert value_of(page, "title") == "Short answers"
    assert not JudgingRound.objects.exists()


@pytest.mark.parametrize(("n", "sample"), [(2, "2"), (3, ""), (4, "")])
def test_as_many_are_drawn_as_were_published_or_all_if_there_are_no_more(lena, lights, experts, monkeypatch, n, sample):
    monkeypatch.setattr(NQ, "exhibits", (replace(NQ.exhibits[0], n=n),))
    page = lena.get(reverse("new_judging_round", args=["lights"])).content.decode()
    assert value_of(page, "sample") == sample


def test_without_published_figures_there_is_no_column_for_them(lena, lights, sealed, experts, monkeypatch):
    erin = RaterAtWork(experts[0], lights)
    erin.judge_all(sealed, ["C", "C", "W"])
    working.lock(sealed, by=erin.user, now=NOON)
    jobs.measure_judging_rounds()
    address = reverse("judging_round", args=["lights", sealed.uuid])
    assert "NQ paper, Table 2" in lena.get(address).content.decode()
    monkeypatch.setattr(NQ, "exhibits", (replace(NQ.exhibits[0], published={}, source=""),))
    page = lena.get(address).content.decode()
    assert "NQ paper, Table 2" not in page
    assert page.count('<th scope="col"') == 5  # mark, share, two intervals, one rater


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"title": ""}, "Give it a name."),
        ({"sample": "4"}, "There are only 3 to judge."),
        ({"sample": "0"}, "At least 1."),
        ({"kind": "short"}, "No finished answer is of this kind."),
        ({"raters": []}, "Name at least one rater."),
    ],
)
def test_a_form_with_an_error_says_what_is_wrong(lena, chosen, wrong, said):
    refused = lena.post(reverse("new_judging_round", args=["lights"]), chosen | wrong)
    assert refused.status_code == 422
    assert said in refused.content.decode()
    assert not JudgingRound.objects.exists()


def test_a_draft_can_be_removed_and_a_sealed_round_can_not(lena, lights, lead, sealed):
    row = draft(lights, lead)
    lena.post(reverse("discard_judging_round", args=["lights", row.uuid]))
    said = lena.post(reverse("discard_judging_round", args=["lights", sealed.uuid]), follow=True).content.decode()
    assert list(JudgingRound.objects.all()) == [sealed]
    assert "A sealed round can’t be removed." in said


def test_results_come_with_the_first_who_locks_beside_the_published_shares(lena, lights, sealed, experts):
    address = reverse("judging_round", args=["lights", sealed.uuid])
    erin, egon = (RaterAtWork(expert, lights) for expert in experts)
    erin.judge_all(sealed, ["C", "C", "W"])
    assert "Results" not in lena.get(address).content.decode()
    working.lock(sealed, by=erin.user, now=NOON)
    assert "The results are being computed" in lena.get(address).content.decode()
    jobs.measure_judging_rounds()
    page = lena.get(address).content.decode()
    assert "67 %" in page  # two of three
    assert "59 %" in page  # as published
    assert "90 %" in page  # C and Cd together
    assert "too few for an interval" in page
    egon.judge_all(sealed, ["C", "C", "C"])
    working.lock(sealed, by=egon.user, now=NOON)
    assert jobs.measure_judging_rounds() == 1
    assert jobs.measure_judging_rounds() == 0
    assert "2 of 3 exhibits with two or more marks" in lena.get(address).content.decode()


def test_a_lead_who_rates_sees_nothing_of_the_others_before_their_own_marks_are_locked(lena, lights, lead, experts):
    row = draft(lights, lead)
    for person in (lead, experts[0]):
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(row, ["W", "W", "W"])
    working.lock(row, by=experts[0], now=NOON)
    jobs.measure_judging_rounds()
    address = reverse("judging_round", args=["lights", row.uuid])
    for name in ("judging_results_csv", "judging_results_json", "judging_results_svg"):
        assert lena.get(reverse(name, args=["lights", row.uuid])).status_code == 404
    page = lena.get(address).content.decode()
    assert "You judge in this round yourself." in page
    assert "Results" not in page
    RaterAtWork(lead, lights).judge_all(row, ["C", "C", "C"])
    working.lock(row, by=lead, now=NOON)
    jobs.measure_judging_rounds()
    assert "Results" in lena.get(address).content.decode()


def test_an_expert_of_the_project_sees_no_page_of_its_rounds(lights, sealed):
    other = Client()
    other.force_login(join(lights, "oskar", Role.EXPERT))
    for name, args in (("judging_rounds", ["lights"]), ("judging_round", ["lights", sealed.uuid])):
        assert other.get(reverse(name, args=args)).status_code == 404


@pytest.fixture
def judged(lights, lead, experts, sealed):
    """Two experts have judged three answers, differ about one, and have said why."""
    for expert, marks in zip(experts, (["C", "C", "W"], ["C", "C", "C"]), strict=True):
        rater = RaterAtWork(expert, lights)
        held = working.work_in(working.begin(sealed, by=expert, now=NOON))
        by_place = sorted(held, key=lambda work: work.annotation.exhibit.place)
        for work, mark in zip(by_place, marks, strict=True):
            rater.judge(reload(work), mark, comment="It is the wrong tower." if mark == "W" else "")
            TimeSpanFactory(project=lights, annotation=work.annotation, annotator=expert, begun_at=NOON, seconds=30)
        working.lock(sealed, by=expert, now=NOON)
    jobs.measure_judging_rounds()
    return sealed


def test_what_raters_differ_about_is_quoted_with_their_marks_and_a_link_to_the_item(lena, judged):
    page = lena.get(reverse("judging_round", args=["lights", judged.uuid])).content.decode()
    exhibit = judged.exhibits.get(place=2)
    assert "Exhibits to quote" in page
    assert "It is the wrong tower." in page
    assert reverse("item", args=["lights", exhibit.item_id]) in page
    assert page.count(reverse("item", args=["lights", exhibit.item_id])) == 1
    assert reverse("item", args=["lights", judged.exhibits.get(place=0).item_id]) not in page
    assert "30 s" in page.split("Time for an exhibit")[1]
    assert not any(
        expert.username in page.split("Exhibits to quote")[1].split("</section>")[0]
        for expert in raters.candidates(judged.project)
    )


def test_results_are_saved_as_csv_json_and_svg(lena, judged):
    files = {
        kind: lena.get(reverse(f"judging_results_{kind}", args=["lights", judged.uuid]))
        for kind in ("csv", "json", "svg")
    }
    rows = list(csv.DictReader(io.StringIO(files["csv"].content.decode("utf-8-sig"))))
    share = {(row["figure"], row["mark"], row["of"]): row for row in rows}
    assert float(share["share", "C", "all"]["value"]) == pytest.approx(5 / 6, abs=1e-6)
    assert share["share", "right", "all"]["published"] == "0.9"
    assert share["count", "W", "rater 1"]["value"] == "1"
    said = json.loads(files["json"].content)
    assert said["sha256"] == judged.sha256
    assert said["results"]["shares"]["W"]["marks"] == 1
    assert files["svg"].content.startswith(b"<svg")
    assert all("attachment" in each.headers["Content-Disposition"] for each in files.values())


def test_a_round_with_a_meeting_has_its_chair_from_the_beginning(lena, chosen, experts, lead):
    page = lena.post(
        reverse("new_judging_round", args=["lights"]), chosen | {"meeting": "on", "chair": experts[1].pk}, follow=True
    )
    assert "egon in the chair" in page.content.decode()
    row = JudgingRound.objects.get()
    assert (rounds.rules_of(row).meeting, row.chair) == (True, experts[1])
    lena.post(reverse("new_judging_round", args=["lights"]), chosen | {"meeting": "on", "chair": lead.pk})
    assert JudgingRound.objects.filter(chair=lead).exists()


def test_somebody_who_neither_rates_nor_leads_is_not_in_the_chair(lena, chosen, experts):
    wrong = {"meeting": "on", "chair": experts[1].pk, "raters": [experts[0].pk]}
    refused = lena.post(reverse("new_judging_round", args=["lights"]), chosen | wrong)
    assert refused.status_code == 422
    assert "Choose one of the raters, or a lead." in refused.content.decode()
