"""No page of a lead fails: without anything, with one item and nobody, one person, few answers, however it was made."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.urls import get_resolver, reverse

from annotation import clock, registry
from annotation.models import Annotation, Project, Role, User
from annotation.setup import changes
from tasks.engine import queues
from tests.boards import bring_up_to_date
from tests.builders import load
from tests.disagreeing import browser
from tests.frontend.leads.makers import MAKERS
from tests.people import NOON, join
from tests.protocols.examples import Example
from tests.protocols.peers import finish_one

REST = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_every_page.py::test_no_page_of_a_lead_fails_whatever_there_is"
)
PROTOCOLS = ("nq", "coqa", "qasper", "squad")
EACH_MERGE = {("older", "coqa")}
WAYS = [
    pytest.param(maker, protocol, id=f"{maker}-{protocol}", marks=() if (maker, protocol) in EACH_MERGE else REST)
    for maker in MAKERS
    for protocol in PROTOCOLS
]


def routes() -> Iterator[tuple[str, set[str]]]:
    """The pages below a project by their names, with the parts of their addresses."""
    for found in get_resolver().url_patterns:
        parts = set(found.pattern.converters)
        if "slug" in parts and str(found.pattern).startswith("projects/<slug:slug>/"):
            yield found.name, parts


def addresses(made: Project, **known: str) -> Iterator[str]:
    """Every address below the project that the rows that are there can make."""
    parts = {"slug": [made.slug], "card": ["work", "pay", "agreement", "figures", "speed"]}
    parts["activity"] = [each.key for each in registry.get(made.protocol).activities]
    parts["item_id"] = list(made.items.values_list("pk", flat=True)[:2])
    parts["code"] = list(User.objects.filter(memberships__project=made).values_list("worker_code", flat=True)[:2])
    parts["annotation"] = list(Annotation.objects.filter(item__project=made).values_list("uuid", flat=True)[:1])
    for name, needed in routes():
        if needed <= parts.keys():
            yield from (reverse(name, kwargs=one) for one in _combined(needed, parts))


def _combined(needed: set[str], parts: dict[str, list]) -> list[dict]:
    found: list[dict] = [{}]
    for part in sorted(needed):
        found = [one | {part: value} for one in found for value in parts[part]]
    return found


def look_at_all(made: Project, lena: User) -> int:
    """Open every page; returns how many there were. The client raises what a page raises."""
    bring_up_to_date(made)
    lead, opened = browser(lena), 0
    for address in addresses(made):
        answer = lead.get(address)
        assert answer.status_code in (200, 302, 403, 404, 405), address
        opened += answer.status_code == 200
        if answer.streaming:
            b"".join(answer.streaming_content)
    assert lead.get(reverse("home")).status_code == 200
    return opened


def work_once(made: Project, name: str) -> None:
    """One piece of work of each kind that can be done by now."""
    for activity in registry.get(made.protocol).activities:
        if (
            made.items.filter(kind=activity.kind).exists()
            and activity.key not in registry.get(made.protocol).substitutes
        ):
            finish_one(made, activity, f"{name}-{activity.key}", Random(name))


@pytest.mark.parametrize(("maker", "protocol"), WAYS)
def test_no_page_of_a_lead_fails_whatever_there_is(db, maker, protocol):
    made, lena = MAKERS[maker](protocol)
    changes.change(made, config={"pay": "12 EUR an hour"}, by=lena, now=NOON)
    assert look_at_all(made, lena) > 15
    load(made, Example(registry.get(protocol)).path("items.jsonl"))
    look_at_all(made, lena)
    for activity in registry.get(protocol).activities:
        queues.open_queue(made, activity.key, by=lena, now=clock.now())
    look_at_all(made, lena)
    join(made, "waiting", Role.ANNOTATOR)
    work_once(made, "first")
    look_at_all(made, lena)
    work_once(made, "second")
    assert look_at_all(made, lena) > 20
