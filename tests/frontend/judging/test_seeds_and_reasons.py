"""A lead may choose the seed of a draw, and reads why a rater is left out of an exhibit."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import JudgingRound, Role
from tests.people import join

NEW = "/projects/lights/judging/new/"


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


def sealed_with(lena, seed, *people, title="Long"):
    fields = {"title": title, "kind": "long", "of_an_item": "one", "seed": seed}
    lena.post(NEW, fields | {"raters": [person.pk for person in people]})
    row = JudgingRound.objects.get(title=title)
    lena.post(reverse("seal_judging_round", args=["lights", row.uuid]))
    row.refresh_from_db()
    return row


def drawn(row):
    return list(row.exhibits.order_by("place").values_list("annotation", flat=True))


def test_the_same_seed_draws_the_same_in_the_same_order(lena, experts):
    first = sealed_with(lena, "seven", *experts, title="First")
    again = sealed_with(lena, "seven", *experts, title="Again")
    assert (first.seed, again.seed) == ("seven", "seven")
    assert drawn(first) == drawn(again)
    orders = [drawn(sealed_with(lena, seed, *experts, title=seed)) for seed in map(str, range(9))]
    assert len({tuple(order) for order in orders}) > 1


def test_without_a_seed_there_is_one_at_random_that_a_change_keeps(lena, experts):
    fields = {"title": "Long", "kind": "long", "of_an_item": "one", "seed": "", "raters": [experts[0].pk]}
    lena.post(NEW, fields)
    row = JudgingRound.objects.get()
    assert row.seed
    change = reverse("change_judging_round", args=["lights", row.uuid])
    assert f'value="{row.seed}"' in lena.get(change).content.decode()
    lena.post(change, fields)
    assert JudgingRound.objects.get().seed == row.seed
    lena.post(change, fields | {"seed": "mine"})
    assert JudgingRound.objects.get().seed == "mine"
    assert lena.post(change, fields | {"seed": "s" * 41}).status_code == 422
    assert lena.post(change, fields | {"seed": "s" * 40}).status_code == 302


def test_why_a_rater_is_left_out_is_said_with_how_often(lights, lena, experts):
    ada = join(lights, "ada", Role.EXPERT)
    row = sealed_with(lena, "7", experts[0], ada)
    page = " ".join(lena.get(reverse("judging_round", args=["lights", row.uuid])).content.decode().split())
    assert "0 of 0 judged · left out of 3 (made the answer)" in page
    assert "0 of 3 judged </p>" in page
