"""A rater of each protocol gets a screen with the material of the exhibit, gives a mark, and it is kept."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from annotation import registry
from annotation.judging import drawing, rounds
from annotation.judging.rules import Rules
from annotation.models import Response, Role
from tasks.judging import raters, working
from tests.frontend.judging.test_rating_pages import judge
from tests.people import NOON, join
from tests.protocols.examples import Example
from tests.protocols.peers import finish_one

JUDGED = [each for each in registry.all_protocols() if each.exhibits]
EACH_MERGE = ("coqa-free_answers", "dureader-answers", "nq-long", "qasper-answers")
"""A conversation whose marks have parts, answers of several people, a passage of a page, and passages of a paper."""
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/frontend/judging/test_screens_of_protocols.py"
    "::test_the_screen_shows_the_exhibit_and_takes_a_mark_with_one_of_its_parts_only"
)
EACH = [
    pytest.param((protocol, kind), id=name, marks=() if name in EACH_MERGE else OTHERS)
    for protocol in JUDGED
    for kind in protocol.exhibits
    for name in [f"{protocol.key}-{kind.key}"]
]
BOTS = range(12)
PARTS_NOT_TAKEN = (("fluency", ""), ("fluency", "none_such"), ("yes", "morphology"))
"""Marks of the only kind that has some, without a part, with none that there is, and with that of another mark."""


@pytest.fixture
def sealed(request, db):
    """A sealed round of a kind of exhibits over what bots have answered, and its rater."""
    protocol, kind = request.param
    activity = protocol.activity(kind.activity)
    project = Example(protocol).opened(of=activity)
    rules = Rules(kind=kind.key, of_an_item="all")
    for bot in BOTS:
        finish_one(project, activity, f"bot-{bot}", Random(bot))
        if any(drawing.population(project, rules, seed="1")):
            break
    lead, erin = join(project, "lena", Role.LEAD), join(project, "erin", Role.EXPERT)
    row = rounds.make(project, title="Round", rubric=kind.rubric(), rules=rules, by=lead, now=NOON, seed="1")
    raters.name(row, erin, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    return row, erin


@pytest.mark.parametrize("sealed", EACH, indirect=True)
def test_the_screen_shows_the_exhibit_and_takes_a_mark_with_one_of_its_parts_only(sealed):
    row, erin = sealed
    client = Client()
    client.force_login(erin)
    at = client.post(reverse("begin_judging", args=[row.uuid])).url
    page = unescape(client.get(at).content.decode())
    shown = working.work_in(working.begin(row, by=erin, now=NOON)).first().annotation.exhibit.shown
    assert shown["prompt"] in page
    for said in (*shown["answers"], *(text for each in shown["details"] for text in each["texts"])):
        assert said in page
    plain = re.sub(r"</?mark[^>]*>", "", page)
    for text in shown["texts"]:
        assert text["text"] in plain
    marks = rounds.rubric_of(row).marks
    for mark in marks:
        assert mark.title in page
        assert mark.says in page
    for wrong, part in PARTS_NOT_TAKEN if any(mark.parts for mark in marks) else ():
        refused = judge(client, at, wrong, part=part)
        assert refused.status_code == 422
        assert "Choose which of them." in refused.content.decode()
    mark = next((mark for mark in marks if mark.parts), marks[-1])
    part = mark.parts[-1].key if mark.parts else ""
    assert judge(client, at, mark.key, part=part).status_code in (200, 302)
    said = Response.objects.get(author=erin)
    assert (said.payload["mark"], said.payload["part"]) == (mark.key, part)
