"""A lead draws a round, seals it, and sees the results beside the published ones."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.judging import rounds
from annotation.models import JudgingRound, Role, RoundState
from tasks.judging import raters, working
from tests.people import NOON, join
from tests.rounds import RaterAtWork, draft


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
    assert row.exhibits.count() == 2
    assert "How good are long answers?" in lena.get(reverse("judging_rounds", args=["lights"])).content.decode()


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
    page = lena.get(address).content.decode()
    assert "67 %" in page  # two of three
    assert "59 %" in page  # as published
    assert "90 %" in page  # C and Cd together
    assert "too few for an interval" in page
    egon.judge_all(sealed, ["C", "C", "C"])
    working.lock(sealed, by=egon.user, now=NOON)
    assert "2 of 3 exhibits with two or more marks" in lena.get(address).content.decode()


def test_a_lead_who_rates_sees_nothing_of_the_others_before_their_own_marks_are_locked(lena, lights, lead, experts):
    row = draft(lights, lead)
    for person in (lead, experts[0]):
        raters.name(row, person, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(row, ["W", "W", "W"])
    working.lock(row, by=experts[0], now=NOON)
    address = reverse("judging_round", args=["lights", row.uuid])
    page = lena.get(address).content.decode()
    assert "You judge in this round yourself." in page
    assert "Results" not in page
    RaterAtWork(lead, lights).judge_all(row, ["C", "C", "C"])
    working.lock(row, by=lead, now=NOON)
    assert "Results" in lena.get(address).content.decode()


def test_an_expert_of_the_project_sees_no_page_of_its_rounds(lights, sealed):
    other = Client()
    other.force_login(join(lights, "oskar", Role.EXPERT))
    for name, args in (("judging_rounds", ["lights"]), ("judging_round", ["lights", sealed.uuid])):
        assert other.get(reverse(name, args=args)).status_code == 404


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
