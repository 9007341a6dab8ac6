"""An activity whose results people have to judge is offered to no course: asking about papers, unlike answering."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotation import registry
from annotation.models import Role
from qualification.courses import editing, pieces, real_items
from qualification.courses.real_items import ItemName, RealItem, Reference, StepAnswer
from tests.builders import open_papers
from tests.disagreeing import browser
from tests.factories.qualification import QualificationFactory
from tests.frontend.leads.courses.conftest import Desk
from tests.frontend.leads.courses.working import put_aside
from tests.people import NOON, join
from tests.qualification.courses.building import block, course

ASKED = StepAnswer(step="questions", format="qasper.questions/1", answer={"questions": []})


@pytest.fixture
def papers(db):
    return open_papers()


@pytest.fixture
def paper(papers):
    return papers.items.filter(kind="paper").first()


@pytest.fixture
def lena(papers):
    return join(papers, "lena", Role.LEAD)


@pytest.fixture
def desk(papers, lena, client):
    client.force_login(lena)
    return Desk(client, QualificationFactory(project=papers))


@pytest.fixture
def drafted(desk, lena):
    return editing.edit(desk.qualification, start=course(block("task", pool=0)), by=lena, now=NOON)


def test_each_protocol_says_which_activities_an_exam_can_ask():
    can = {(one.key, each.key) for one in registry.all_protocols() for each in one.activities if each.can_be_examined}
    assert can >= {("nq", "annotate"), ("qasper", "answer"), ("squad", "answer"), ("coqa", "guess")}
    assert can.isdisjoint({("qasper", "ask"), ("squad", "ask"), ("coqa", "converse")})


def test_the_page_of_a_part_offers_answering_and_not_asking(desk, drafted):
    page = desk.text("course_part", "task")
    assert "Answer from papers" in page
    assert "Ask about papers" not in page


def test_neither_the_page_of_a_paper_nor_a_typed_address_leads_into_a_course(desk, drafted, paper):
    assert desk.get("course_references", "task", "ask", paper.pk).status_code == 404
    page = desk.client.get(reverse("item", args=[paper.project.slug, paper.pk])).content.decode()
    assert "Use in an exam" not in page


def test_a_course_from_elsewhere_that_asks_it_says_what_stands_in_the_way(desk, drafted, paper, lena):
    name = ItemName(kind="paper", id=put_aside(paper, lena).external_id)
    about = {"title": "The paper", "activity": "ask", "item": name, "references": (Reference(answers=(ASKED,)),)}
    real = RealItem(kind="item", key="asked", **about)
    editing.save(drafted, pieces.with_piece(editing.read(drafted), "task", real), edits=0, by=lena, now=NOON)
    assert real_items.BY_HAND in desk.text("course_draft")


def test_experts_write_no_references_for_it(desk, drafted, paper, lena):
    put_aside(paper, lena)
    page = browser(join(paper.project, "erin", Role.EXPERT)).get(reverse("references", args=[paper.project.slug]))
    assert "Nothing is set aside for exams." in page.content.decode()
