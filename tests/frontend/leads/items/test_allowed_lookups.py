"""No filter, order or search of the list of items answers a question about what it does not show (P31)."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from django.db.models import Model
from django.urls import reverse

from annotation.models import Item, User
from frontend.leads.items.filters import NAMES, SORTS, Filter, filter_of

DEPTH = 3
ENDINGS = ("", "__startswith", "__regex")


def paths(model: type[Model], depth: int = DEPTH, seen: tuple[type[Model], ...] = ()) -> Iterator[str]:
    """Every path of lookups from a model through its relations, also backwards, that deep."""
    for field in model._meta.get_fields():
        yield field.name
        related = field.related_model
        if depth > 1 and isinstance(related, type) and related not in seen:
            yield from (f"{field.name}__{rest}" for rest in paths(related, depth - 1, (*seen, model)))


LOOKUPS = sorted({f"{path}{ending}" for path in paths(Item) for ending in ENDINGS} - set(NAMES))


def test_the_paths_reach_what_must_stay_hidden():
    assert len(LOOKUPS) > 2000
    assert {"annotations__author__password__startswith", "payload", "annotations__author__username"} <= set(LOOKUPS)


def test_no_path_is_a_parameter():
    assert filter_of(dict.fromkeys(LOOKUPS, "a")) == Filter()


def test_no_path_is_a_value_that_means_anything_but_words():
    free = ("q", "split", "activity", "person")
    for path in (
        each for each in LOOKUPS if "__startswith" not in each
    ):  # "annotations" is a relation, and also a way to sort
        for value in (path, f"-{path}") if path not in SORTS else ():
            assert filter_of(dict.fromkeys(NAMES, value)) == Filter(**dict.fromkeys(free, value[:200])), value


def test_the_page_is_the_same_with_all_of_them(lead, lights):
    address = reverse("items", args=[lights.slug])
    token = lead.get(address).context["csrf_token"]
    plain = listed(lead.get(address))
    for start in range(0, len(LOOKUPS), 900):
        some = dict.fromkeys(LOOKUPS[start : start + 900], "a")
        assert listed(lead.get(f"{address}?{urlencode(some)}&sort={LOOKUPS[start]}")) == plain
    assert token
    assert plain


def listed(response) -> list:
    assert response.status_code == 200
    return response.context["listed"].rows


def test_names_and_mails_are_not_searched(lead, lights):
    User.objects.filter(username="alice").update(email="zebra@example.org", first_name="Zebra")
    for name in ("q", "person", "split", "activity"):
        assert listed(lead.get(reverse("items", args=[lights.slug]), {name: "zebra"})) == []
        assert listed(lead.get(reverse("items", args=[lights.slug]), {name: "alice"})) == []
