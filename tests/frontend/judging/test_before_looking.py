"""A rater is told what follows before they see what others answered about an item that they judge."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.models import Recusal, Role
from tasks.disputes import who
from tasks.judging import raters, working
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft
from tests.tasks.judging.sealed_once import sealed, sealed_once

__all__ = ["sealed", "sealed_once"]
PASSAGE = "The first harbour light was lit"
TOLD = "Show it anyway"


@pytest.fixture
def lena(lead):
    client = Client()
    client.force_login(lead)
    return client


@pytest.fixture
def rated(sealed, lights, lead):
    """The sealed round, with the lead as a third rater."""
    raters.name(sealed, lead, by=lead, now=NOON)
    return sealed


def addresses_of(item: int) -> list[str]:
    return [
        reverse("item", args=["lights", item]),
        reverse("item_history", args=["lights", item]),
        reverse("compare", args=["lights", "annotate", item]),
        reverse("compared_page", args=["lights", "annotate", item]),
        reverse("as_seen_first", args=["lights", item]),
    ]


def test_every_page_about_the_item_is_behind_it(rated, lena):
    for address in addresses_of(rated.exhibits.get(place=0).item_id):
        page = lena.get(address, follow=True).content.decode()
        assert TOLD in page, address
        assert PASSAGE not in page, address
    assert not Recusal.objects.exists()


def test_who_goes_on_sees_the_page_and_judges_the_item_no_more(rated, lena, lead):
    item = rated.exhibits.get(place=0).item_id
    address = f"{reverse('compare', args=['lights', 'annotate', item])}?split=train"
    assert "1 exhibit that has no mark of yours" in lena.get(address).content.decode()
    shown = lena.post(reverse("look_anyway"), {"to": address}, follow=True)
    assert shown.redirect_chain == [(address, 302)]
    assert TOLD not in shown.content.decode()
    assert TOLD not in lena.get(reverse("item", args=["lights", item])).content.decode()
    assert TOLD in lena.get(reverse("item", args=["lights", rated.exhibits.get(place=1).item_id])).content.decode()
    assert len(raters.left_out(rated, lead)) == 1
    own = lena.get(reverse("judge", args=[rated.uuid])).content.decode()
    assert "1 exhibit is left to the others, since you have looked" in own


def test_back_leads_to_where_one_came_from(rated, lena):
    item, came_from = rated.exhibits.get(place=0).item_id, "http://testserver/projects/lights/items/"
    page = lena.get(reverse("item", args=["lights", item]), headers={"Referer": came_from}).content.decode()
    assert f'href="{came_from}"' in page
    page = lena.get(reverse("item", args=["lights", item]), headers={"Referer": "https://elsewhere.example/"})
    assert "elsewhere.example" not in page.content.decode()


def test_a_release_is_the_answers_to_all(rated, lena, lead, lights):
    made = releases.build(lights, format="nq", by=lead, now=NOON, partial=True)
    name = releases.manifest_of(made)["files"][0]["name"]
    address = reverse("release_file", args=["lights", made.version, name])
    page = lena.get(address).content.decode()
    assert "3 exhibits that have no mark of yours" in page
    lena.post(reverse("look_anyway"), {"to": address})
    assert lena.get(address)["Content-Type"] == "application/gzip"
    assert Recusal.objects.filter(person=lead).count() == 3


def test_who_rates_nothing_or_has_locked_or_may_not_see_it_is_not_asked(rated, lena, lead, lights, experts):
    item = rated.exhibits.get(place=0).item_id
    other = Client()
    other.force_login(join(lights, "olga", Role.LEAD))
    assert TOLD not in other.get(reverse("item", args=["lights", item])).content.decode()
    erin = Client()
    erin.force_login(experts[0])
    assert erin.get(reverse("compare", args=["lights", "annotate", item])).status_code == 404
    RaterAtWork(lead, lights).judge_all(rated, ["C", "C", "W"])
    working.lock(rated, by=lead, now=NOON)
    assert TOLD not in lena.get(reverse("item", args=["lights", item])).content.decode()


def test_an_expert_who_decides_disputes_is_asked_too(rated, lights, experts):
    who.begin(experts[0], lights, now=NOON)
    erin = Client()
    erin.force_login(experts[0])
    item = rated.exhibits.get(place=0).item_id
    assert TOLD in erin.get(reverse("compare", args=["lights", "annotate", item])).content.decode()


@pytest.mark.parametrize("to", ["", "//elsewhere.example/", "/nowhere/", "/projects/lights/items/"])
def test_only_an_address_that_shows_answers_can_be_gone_on_to(rated, lena, to):
    assert lena.post(reverse("look_anyway"), {"to": to}).status_code == 404
    assert not Recusal.objects.exists()


def test_marks_before_the_look_are_named_and_left_out_of_the_way_round(rated, lena, lead, lights):
    rater = RaterAtWork(lead, lights)
    works = list(working.work_in(working.begin(rated, by=lead, now=NOON)))
    rater.judge(works[0], "C")
    address = reverse("item", args=["lights", works[0].task.item_id])
    assert "1 that you have marked counts as it is" in lena.get(address).content.decode()
    lena.post(reverse("look_anyway"), {"to": address})
    assert lena.get(reverse("work", args=[works[0].uuid])).url == reverse("judge", args=[rated.uuid])
    page = lena.get(reverse("work", args=[works[1].uuid])).content.decode()
    assert "<b>Exhibit 1</b> of 2" in page


def test_a_draft_is_about_nothing_yet(lights, lead, lena):
    row = draft(lights, lead)
    raters.name(row, lead, by=lead, now=NOON)
    item = lights.items.first().pk
    assert TOLD not in lena.get(reverse("item", args=["lights", item])).content.decode()
