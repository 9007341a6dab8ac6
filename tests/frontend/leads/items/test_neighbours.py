"""From an item that was opened in a list one goes on to those beside it there, also after a decision."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from frontend.leads.items.filters import filter_of, place_in_list

LINK = re.compile(r'<a class="btn btn-sm" rel="(prev|next)" href="([^"]+)"')


def links(lead, address):
    page = lead.get(address).content.decode()
    return {rel: href.replace("&amp;", "&") for rel, href in LINK.findall(page)}


def opened(lead, project, **query):
    """The addresses of the items of a list, in its order."""
    page = lead.get(reverse("items", args=[project.slug]), query).content.decode()
    return [
        href.replace("&amp;", "&") for href in re.findall(r'href="(/projects/[^"]+/items/\d+/\?[^"]*at=\d+)"', page)
    ]


LISTS = [
    {"sort": "-order", "state": "open"},
    *(
        pytest.param(
            query,
            marks=pytest.mark.in_test_all(
                shown_by="tests/frontend/leads/items/test_neighbours.py"
                "::test_one_goes_through_the_list_in_its_order_forwards_and_back"
            ),
        )
        for query in ({}, {"split": "dev"})
    ),
]
"""One that is filtered and sorted, and others."""


@pytest.mark.parametrize("query", LISTS)
def test_one_goes_through_the_list_in_its_order_forwards_and_back(lead, lights, query):
    items = opened(lead, lights, **query)
    assert len(items) > 1
    beside = {}
    address = items[0]
    while address:
        beside[address] = links(lead, address)
        address = beside[address].get("next")
    assert list(beside) == items
    assert [found.get("prev") for found in beside.values()] == [None, *items[:-1]]


def test_an_item_opened_from_elsewhere_has_no_neighbours(lead, lights):
    address = opened(lead, lights)[0].partition("?")[0]
    assert links(lead, address) == {}
    assert links(lead, f"{address}?at=x") == links(lead, f"{address}?at=0") == {}


def test_after_a_decision_the_next_one_is_that_which_has_moved_up(lead, lights):
    first, second, *_others = opened(lead, lights, state="open")
    page = lead.get(first).content.decode()
    [action] = set(re.findall(r'action="([^"]+/cancel/)"', page))
    query = first.partition("?")[2]
    gone = lead.post(action, {"reason": "The page is broken.", "list": query})
    assert gone.url == first
    assert links(lead, first)["next"].partition("?")[0] == second.partition("?")[0]
    assert links(lead, first)["next"].endswith("at=1")


def test_an_address_that_says_too_much_says_no_place(lead, lights):
    assert place_in_list({"at": "-1"}) is place_in_list({"at": "٣x"}) is place_in_list({}) is None
    assert place_in_list({"at": "3", "sort": "-order", "x": "y"}).here == "sort=-order&at=3"
    assert place_in_list({"at": "3"}).wanted == filter_of({})
