"""A Thai paragraph is asked about and answered from, from the import to a release that the official metrics read."""

from __future__ import annotations

import gzip
import json

import pytest
from playwright.sync_api import expect

from tests.browser.hour.people import Invited, Lead
from tests.screens.answering import drag
from tests.texts.languages import STORIES
from tests.waiting.settled import ready

STORY = STORIES["th"]
ASKS, ANSWERS = "Ask about paragraphs", "Answer from paragraphs"


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_a_thai_paragraph_is_asked_about_answered_released_and_scored(empty, window, tmp_path):
    site, code = empty
    lead = Lead(window(), code)
    lead.makes("SQuAD", "ประภาคาร")
    paragraphs = {"title": STORY.title, "paragraphs": [{"context": STORY.text, "qas": []}]}
    file = tmp_path / "dev-paragraphs.json"
    file.write_text(json.dumps({"version": "v2.0", "data": [paragraphs]}))
    lead.imports(file)
    lead.opens(ASKS)
    lead.opens(ANSWERS)
    asker, *answerers = (Invited(window(), name) for name in ("ada", "ben", "cleo"))
    to_asker, *links = lead.invites("Ada", "Ben", "Cleo")
    asker.joins(to_asker).begins(ASKS).at("questions")
    asker.page.get_by_label("Question 1", exact=True).fill(STORY.question)
    mark_name(asker)
    asker.press("Control+Enter")
    expect(asker.page.get_by_role("heading", name="Everything is done")).to_be_visible()
    for answerer, link in zip(answerers, links, strict=True):
        answerer.joins(link).begins(ANSWERS).at("answer")
        expect(answerer.page.locator("h1")).to_have_text(STORY.question)
        mark_name(answerer)
        answerer.press("Control+Enter")
        expect(answerer.page.locator("#screen[data-stage='answer']")).to_have_count(0)

    packed = lead.releases(splits=1, into=tmp_path)
    gold = tmp_path / "gold.json"
    gold.write_bytes(gzip.decompress(packed.read_bytes()) if packed.suffix == ".gz" else packed.read_bytes())
    [article] = json.loads(gold.read_bytes())["data"]
    [paragraph] = article["paragraphs"]
    [asked] = paragraph["qas"]
    assert (paragraph["context"], asked["question"]) == (STORY.text, STORY.question)
    at = STORY.text.index(STORY.answer)
    assert [(row["text"], row["answer_start"]) for row in asked["answers"]] == [(STORY.answer, at)] * 3
    predictions = tmp_path / "predictions.json"
    predictions.write_text(json.dumps({asked["id"]: STORY.answer}))
    scores = json.loads(site.manage("score", "squad", "--gold", str(gold), "--predictions", str(predictions)))
    assert (scores["exact"], scores["f1"]) == (100.0, 100.0)


def mark_name(person: Invited) -> None:
    """Drag over the name, which a blank sets apart from what follows, and nothing from what is before."""
    ready(person.page)
    drag(person.page, STORY.answer)
    expect(person.page.locator("[data-pending-words]")).to_have_text(STORY.answer)
    person.press("Enter")
    expect(person.page.locator("[data-spans] q")).to_have_text([STORY.answer])
