"""A script of somebody who still judges answers does not show them: it is refused until they have decided in a page."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Recusal
from tasks.judging import raters
from tests.frontend.api.callers import reader
from tests.people import NOON
from tests.tasks.judging.judged_rounds import sealed
from tests.tasks.judging.sealed_once import answered_once, experts, lead, lights, staffed_once

__all__ = ["answered_once", "experts", "lead", "lights", "sealed", "staffed_once"]

PASSAGE = "The first harbour light was lit"


@pytest.fixture
def rated(sealed, lights, lead):
    """A sealed round, with the lead as a rater."""
    raters.name(sealed, lead, by=lead, now=NOON)
    return sealed


def test_items_are_refused_with_a_reason_and_nothing_is_recorded(rated, lead):
    item = rated.exhibits.get(place=0).item_id
    for address in (f"projects/lights/items/{item}/", "projects/lights/items/"):
        answer = reader(lead).get(address)
        assert (answer.status_code, answer.json()["type"]) == (409, "judges_it")
        assert PASSAGE not in answer.content.decode()
    assert not Recusal.objects.exists()


def test_who_has_chosen_to_look_reads_that_item(rated, lead):
    item = rated.exhibits.get(place=0).item_id
    page = Client()
    page.force_login(lead)
    page.post(reverse("look_anyway"), {"to": reverse("item", args=["lights", item])})
    assert reader(lead).get(f"projects/lights/items/{item}/").status_code == 200


def test_the_control_a_lead_who_rates_nothing_reads_them(sealed, lights, lead):
    assert PASSAGE in reader(lead).get("projects/lights/items/").content.decode()
