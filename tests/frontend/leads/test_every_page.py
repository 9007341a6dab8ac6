"""No page of a lead fails: without anything, with one item and nobody, one person, few answers, however it was made."""

from __future__ import annotations

from random import Random

import pytest

from annotation import clock, registry
from annotation.models import Project, Role
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


@pytest.mark.parametrize(("maker", "protocol"), WAYS)
def test_no_page_of_a_lead_fails_whatever_there_is(db, maker, protocol):
    made, lena = MAKERS[maker](protocol)
    changes.change(made, config={"pay": "12 EUR an hour"}, by=lena, now=NOON)
    assert len(look_at_all(made, lena)) > 15
    load(made, Example(registry.get(protocol)).path("items.jsonl"))
    look_at_all(made, lena)
    for activity in registry.get(protocol).activities:
        queues.open_queue(made, activity.key, by=lena, now=clock.now())
    look_at_all(made, lena)
    join(made, "waiting", Role.ANNOTATOR)
    work_once(made, "first")
    look_at_all(made, lena)
    work_once(made, "second")
    assert len(look_at_all(made, lena)) > 20
