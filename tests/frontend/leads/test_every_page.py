"""No page of a lead fails: without anything, with one item and nobody, one person, few answers, however it was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from annotation import clock, registry
from annotation.models import Project, Role, User
from annotation.setup import changes
from tasks.engine import queues
from tests.builders import load
from tests.frontend.leads.every_page import look_at_all
from tests.frontend.leads.makers import MAKERS
from tests.people import NOON, join
from tests.protocols.examples import Example
from tests.protocols.peers import finish_one

REST = pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/test_every_page.py::test_no_page_of_a_lead_fails_whatever_there_is"
)
PROTOCOLS = ("nq", "coqa", "qasper", "squad", "dureader")
EACH_MERGE = {("older", "coqa")}
WAYS = [
    pytest.param(maker, protocol, id=f"{maker}-{protocol}", marks=() if (maker, protocol) in EACH_MERGE else REST)
    for maker in MAKERS
    for protocol in PROTOCOLS
]


def work_once(made: Project, name: str) -> None:
    """One piece of work of each kind that can be done by now."""
    for activity in registry.get(made.protocol).activities:
        if (
            made.items.filter(kind=activity.kind).exists()
            and activity.key not in registry.get(made.protocol).substitutes
        ):
            finish_one(made, activity, f"{name}-{activity.key}", Random(name))


def growing(made: Project, lena: User) -> Iterator[None]:
    """A project without items; with items; with queues; with one person's work; and with that of two."""
    changes.change(made, config={"pay": "12 EUR an hour"}, by=lena, now=NOON)
    yield
    load(made, Example(registry.get(made.protocol)).path("items.jsonl"))
    yield
    for activity in registry.get(made.protocol).activities:
        queues.open_queue(made, activity.key, by=lena, now=clock.now())
    yield
    join(made, "waiting", Role.ANNOTATOR)
    work_once(made, "first")
    yield
    work_once(made, "second")
    yield


@pytest.mark.parametrize(("maker", "protocol"), WAYS)
def test_no_page_of_a_lead_fails_whatever_there_is(db, maker, protocol):
    made, lena = MAKERS[maker](protocol)
    steps = growing(made, lena)
    next(steps)
    assert len(look_at_all(made, lena)) > 15
    for _ in steps:
        pass
    assert len(look_at_all(made, lena)) > 20


@REST
@pytest.mark.parametrize(("maker", "protocol"), [(maker, protocol) for maker in MAKERS for protocol in PROTOCOLS])
def test_nor_does_any_on_the_way(db, maker, protocol):
    made, lena = MAKERS[maker](protocol)
    for _ in islice(growing(made, lena), 1, 4):
        look_at_all(made, lena)
