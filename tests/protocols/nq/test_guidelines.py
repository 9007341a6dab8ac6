"""The guidelines and the cards beside the page give one rule."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation import clock
from tests.builders import GOOD, Worker, open_with, questions

ONE_RULE = re.compile(
    r"first place on the page that (?:suffices|is enough)[^.;]*[.;] there, (?:choose )?the smallest box"
)
BOX = {"kind": "box", "candidate": 3, "quote": "Anna Berg came from Bergen."}


def words(page: bytes) -> str:
    """The text of a page in lower case, without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.decode())).lower().split())


@pytest.fixture
def reader(nq, alice, client, tmp_path):
    """Somebody who reads the guidelines, and each stage of a question."""
    open_with(nq, tmp_path, questions(1))
    client.force_login(alice)
    worker, now = Worker(alice, nq), clock.now()
    held = worker.claim(now=now)

    class Reader:
        guidelines = words(client.get(reverse("guidelines", args=[nq.slug])).content)

        @staticmethod
        def card_after(*answers) -> str:
            for stage, payload in answers:
                worker.commit(held, stage, payload, now=now)
            return words(client.get(reverse("work", args=[held.uuid]), follow=True).content)

    return Reader


def test_card_and_guidelines_give_the_same_rule_for_the_long_answer(reader):
    card = reader.card_after(("question", GOOD))
    assert ONE_RULE.search(card)
    assert ONE_RULE.search(reader.guidelines)


def test_advice_about_a_row_asks_for_what_the_guidelines_ask_for(reader):
    card = reader.card_after(("question", GOOD), ("long_answer", BOX))
    assert "is the row enough, without the headings of the table?" in card
    assert "use the row keep the table" in card
    assert "only the column headings say which number that is the whole table" in reader.guidelines
