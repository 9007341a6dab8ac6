"""The documents of a question beside its answers, with who used which: for those who decide, compare or read it."""

import html
import re

import orjson
import pytest
from django.urls import reverse

from annotation.models import Annotation, Item, Role
from tasks.disputes import who
from tests.builders import Worker, load, project
from tests.disagreeing import browser
from tests.factories.work import QueueFactory
from tests.people import NOON, join
from tests.protocols.dureader.builders import NONE, answered_row, composed, row

OIL, GAS = composed("Rape oil."), composed("Gas of the harbour.", used=[0, 1])
DOCUMENT = re.compile(r'<details class="read-text"( open)?>(.*?)</details>', re.DOTALL)


@pytest.fixture
def lamps(db, tmp_path):
    return project("lamps", "dureader", activities={"compose": {"overlap": {"train": 3}}})


@pytest.fixture
def item(lamps, tmp_path):
    """A question that three people have answered, who disagree."""
    path = tmp_path / "search.train.json"
    path.write_bytes(orjson.dumps(row()) + b"\n")
    load(lamps, path)
    QueueFactory(project=lamps, activity="compose", least_agreement=0.9)
    for number, said in enumerate((OIL, GAS, NONE)):
        worker = Worker(join(lamps, f"annotator-{number}"), lamps, "compose")
        worker.commit(worker.claim(), "answers", said)
    return Item.objects.get()


def documents(user, name, *names):
    """(open, its words) of each document that a page shows beside the answers."""
    page = html.unescape(browser(user).get(reverse(name, args=names)).content.decode())
    words = [" ".join(re.sub(r"<[^>]*>", " ", inner).split()) for _open, inner in DOCUMENT.findall(page)]
    return [(bool(is_open), text) for (is_open, _inner), text in zip(DOCUMENT.findall(page), words, strict=True)]


def test_the_page_of_an_item_shows_every_document_and_who_used_it(lamps, item):
    codes = [row.author.worker_code for row in Annotation.objects.order_by("opened_at", "pk")]
    lamp, light = documents(join(lamps, "lena", Role.LEAD), "item", "lamps", item.pk)
    assert lamp[0]
    assert lamp[1].startswith("1 Lamps of the lighthouse used by ")
    assert all(code in lamp[1] for code in codes[:2])
    assert codes[2] not in lamp[1]
    assert "The keeper burned rape oil until 1871. Then came gas." in lamp[1]
    assert light == (True, f"2 灯塔 used by {codes[1]} 灯塔用油灯。")


@pytest.mark.parametrize("name", ["dispute", "compare"])
def test_whoever_compares_or_decides_knows_users_by_their_letters_alone(lamps, item, name):
    expert = join(lamps, "erin", Role.EXPERT)
    who.begin(expert, lamps, now=NOON)
    lamp, light = documents(expert, name, "lamps", "compose", item.pk)
    assert re.search(r"used by [ABC], [ABC] The keeper", lamp[1])
    assert re.search(r"used by [ABC] 灯塔", light[1])
    assert not any(row.author.worker_code in lamp[1] + light[1] for row in Annotation.objects.all())


def test_documents_of_a_question_without_answers_are_closed_and_those_of_published_ones_are_marked(lamps, tmp_path):
    path = tmp_path / "search.dev.json"
    path.write_bytes(orjson.dumps(row(7)) + b"\n")
    load(lamps, path)
    lead = join(lamps, "lena", Role.LEAD)
    shown = documents(lead, "item", "lamps", Item.objects.get().pk)
    assert [(is_open, "not used" in text) for is_open, text in shown] == [(False, True), (False, True)]
    path.write_bytes(orjson.dumps(answered_row(8)) + b"\n")
    load(lamps, path, published=True)
    shown = documents(lead, "item", "lamps", Item.objects.get(external_id="8").pk)
    assert [(is_open, "not used" in text) for is_open, text in shown] == [(True, False), (False, True)]


def test_nobody_who_still_answers_gets_to_those_pages(lamps, item):
    client = browser(join(lamps, "annotator-0"))
    for address in (
        reverse("item", args=["lamps", item.pk]),
        reverse("dispute", args=["lamps", "compose", item.pk]),
        reverse("compare", args=["lamps", "compose", item.pk]),
    ):
        assert client.get(address).status_code == 404
