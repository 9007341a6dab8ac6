"""Whoever leaves a partner again is asked why before they leave; a lead decides about many without a reason."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation import clock
from annotation.models import Case, Event, Role
from tasks.engine import skip_and_return
from tasks.pairs import leaving
from tests.people import join
from tests.protocols.toy.building import Pair

HTMX = {"HX-Request": "true"}


def browser(person):
    client = Client()
    client.force_login(person)
    return client


def seated(toys, number):
    return Pair.seated(toys, "ann", f"tom-{number}", now=clock.now())


def left(toys, times, *, by="ann", **said):
    """Ann, or somebody else, has left so many partners."""
    for number in range(times):
        row = Pair.seated(toys, by, f"tom-{number}", now=clock.now()).row("asker")
        skip_and_return.skip(row, by=row.annotator, now=clock.now(), **({"reason": "", "text": ""} | said))


def post(pair, route, headers=None, **fields):
    return browser(pair.asker).post(reverse(route, args=[pair.held["asker"].uuid]), fields, headers=headers or {})


def explain(pair, by="skip"):
    return f"{reverse('explain', args=[pair.held['asker'].uuid])}?by={by}"


def words(answer):
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("route", ["skip", "give_back"])
def test_the_first_time_nothing_is_asked(toys, route):
    pair = seated(toys, 0)
    post(pair, route)
    assert pair.row("asker").state in ("skipped", "returned")


@pytest.mark.parametrize("route", ["skip", "give_back"])
def test_the_second_time_a_page_asks_why_and_until_it_is_answered_the_partner_stays(toys, route):
    left(toys, 1)
    pair = seated(toys, 1)
    assert post(pair, route).url == explain(pair, by=route)
    assert post(pair, route, headers=HTMX)["HX-Redirect"] == explain(pair, by=route)
    assert (pair.row("asker").state, pair.row("teller").state) == ("leased", "leased")
    page = words(browser(pair.asker).get(explain(pair, by=route)))
    for told in ("Why are you leaving?", "already left a partner in the last", "leaves 5 times within 24 hours"):
        assert told in page
    assert f'action="{reverse(route, args=[pair.held["asker"].uuid])}"' in page
    assert "tom-1" not in page
    post(pair, route, reason="none")
    assert (pair.row("asker").state, pair.row("teller").state) == (
        {"skip": "skipped", "give_back": "returned"}[route],
        "returned",
    )


@pytest.mark.parametrize("said", [{"reason": "hard"}, {"text": "The train is leaving"}])
def test_whoever_has_said_why_is_not_asked_again(toys, said):
    left(toys, 1)
    pair = seated(toys, 1)
    post(pair, "skip", **said)
    assert pair.row("asker").state == "skipped"
    data = Event.objects.filter(kind=leaving.LEFT).latest("pk").data
    assert data == {"reason": "", "text": ""} | said


def test_without_anything_to_ask_the_page_leads_to_the_work_and_it_is_nobody_elses(toys):
    pair = seated(toys, 0)
    assert browser(pair.asker).get(explain(pair)).url == reverse("work", args=[pair.held["asker"].uuid])
    assert browser(pair.teller).get(explain(pair)).status_code == 404


def test_a_lead_sees_when_and_why_they_left_and_decides_and_the_person_is_not_told(toys):
    left(toys, 1, reason="time", text="My bus")
    for number in range(1, 6):
        post(seated(toys, number), "skip", reason="none")
    lead, ann = browser(join(toys, "lena", Role.LEAD)), join(toys, "ann")
    case = Case.objects.get()
    board = words(lead.get(reverse("project", args=["toys"])))
    for told in (
        "Waiting for your decision",
        "Left partners without a reason",
        ann.worker_code,
        "I have to go",
        "My bus",
    ):
        assert told in board
    assert board.count("· no reason") == 5
    assert "1 to decide" in words(lead.get("/"))
    item = reverse("item", args=["toys", case.annotation.item_id])
    assert "nothing follows by itself" in words(lead.get(item))
    decide = reverse("decide_case", args=["toys", case.annotation.item_id, case.pk, "upheld"])
    assert browser(ann).post(decide, {"reason": "x"}).status_code == 404
    assert lead.post(decide, {"reason": "I wrote to them"}).status_code == 302
    page = words(lead.get(item))
    for told in ("Upheld", "I wrote to them", "lena", "Take back…"):
        assert told in page
    assert "Waiting for your decision" not in words(lead.get(reverse("project", args=["toys"])))
    assert "I wrote to them" not in words(browser(ann).get("/"))


def test_more_people_who_have_left_partners_take_no_more_queries_of_the_board(toys):
    lead = browser(join(toys, "lena", Role.LEAD))

    def queries(*names) -> int:
        for name in names:
            left(toys, leaving.MANY, by=name)
        with CaptureQueriesContext(connection) as asked:
            page = lead.get(reverse("project", args=["toys"]))
        assert len(page.context["board"].needs.cases) == Case.objects.count()
        return len(asked)

    queries("ann")
    assert queries() == queries("eve")
