"""No page of a lead fails: without anything, with one item and nobody, one person, few answers, however it was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from django.conf import settings

from annotation import clock, registry
from annotation.models import Project, Role, User
from annotation.setup import changes
from tasks.engine import queues
from tests.builders import load
from tests.frontend.leads.every_page import LEFT_OUT, PARTS, TOGETHER, look_at_all, pages
from tests.frontend.leads.makers import MAKERS
from tests.frontend.who_may import ROLES, TABLE
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


LEAD = ROLES.index("lena")
OF_EVERY_PROJECT = {
    name
    for name, parts in pages().items()
    if parts == {"slug"} and TABLE[name, "GET"][LEAD] == 200 and not name.startswith("prolific")
}
"""What each project has, whatever is in it; a study on Prolific only where the site has the address of that."""
OF_A_BOUND = {"human_bound", "human_bound_csv"}
"""Where the protocol has a human upper bound."""
OF_WORK = {"board_csv/pay", *(f"{file}/{card}" for file in ("board_csv", "board_svg") for card in ("progress", "work"))}
"""Cards that the board has once two people have worked for pay; nobody's time was measured."""


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
    opened = look_at_all(made, lena)
    if registry.get(protocol).human is None:
        assert not opened & OF_A_BOUND
        opened |= OF_A_BOUND
    assert OF_EVERY_PROJECT | OF_WORK | {"item", "item_history", "as_seen", "person", "import_sample"} <= opened


def test_each_page_of_a_project_is_opened_or_left_out_for_a_reason():
    can_be_opened = {name for name, parts in pages().items() if name in TOGETHER or parts <= PARTS.keys()}
    assert can_be_opened == pages().keys() - LEFT_OUT.keys()
    for name, why in LEFT_OUT.items():
        (opens,) = (word for word in why.split() if word.startswith("tests/"))
        assert name in (Path(settings.BASE_DIR) / opens).read_text(), name


@REST
@pytest.mark.parametrize(("maker", "protocol"), [(maker, protocol) for maker in MAKERS for protocol in PROTOCOLS])
def test_nor_does_any_on_the_way(db, maker, protocol):
    made, lena = MAKERS[maker](protocol)
    for _ in islice(growing(made, lena), 1, 4):
        look_at_all(made, lena)
