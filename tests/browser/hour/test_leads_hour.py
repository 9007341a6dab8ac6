"""The lead's hour: from an empty site to releases that the official metrics read, and no shell is touched."""

from __future__ import annotations

import gzip
import json

from playwright.sync_api import expect

from tests.browser.hour.people import Invited, Lead
from tests.browser.qasper.desk import ABSTRACT, SECTIONS, say_background
from tests.builders import questions, write_lines
from tests.waiting.settled import keys

PAPER = {"title": "Bells at Sea", "abstract": ABSTRACT, "full_text": SECTIONS, "figures_and_tables": [], "qas": []}
PAGES, ASKS, ANSWERS = "Answer questions from a page", "Ask about papers", "Answer from papers"
ASKED = "Who counted the bells?"


def test_a_lead_and_two_invited_people_make_two_releases_without_a_shell(empty, window, tmp_path):
    site, code = empty
    lead = Lead(window(), code)
    ada, ben = (Invited(window(), name) for name in ("ada", "ben"))
    lights = make_lights(lead, ada, ben, tmp_path)
    papers = make_papers(lead, ada, ben, tmp_path)

    found = [json.loads(line) for line in gzip.decompress(lights.read_bytes()).splitlines()]
    assert len(found) == 2
    assert {len(line["annotations"]) for line in found} == {1}
    assert all(line["annotations"][0]["short_answers"] for line in found), "the bad answer was replaced"
    perfect = tmp_path / "perfect.json"
    perfect.write_text(json.dumps({"predictions": [prediction(line) for line in found]}))
    told = ("--long-non-null-threshold", "1", "--short-non-null-threshold", "1")
    scores = json.loads(site.manage("score", "nq", "--gold", str(lights), "--predictions", str(perfect), *told))
    assert scores["long-best-threshold-f1"] == scores["short-best-threshold-f1"] == 1.0
    gold = tmp_path / "papers.json"
    gold.write_bytes(gzip.decompress(papers.read_bytes()) if papers.suffix == ".gz" else papers.read_bytes())
    [paper] = json.loads(gold.read_bytes()).values()
    [question] = paper["qas"]
    [answer] = question["answers"]
    assert (question["question"], answer["answer"]["free_form_answer"]) == (ASKED, "Anna Berg")
    predicted = {"question_id": question["question_id"], "predicted_answer": "Anna Berg"}
    (tmp_path / "predicted.jsonl").write_text(
        json.dumps(predicted | {"predicted_evidence": answer["answer"]["evidence"]})
    )
    given = ("--gold", str(gold), "--predictions", str(tmp_path / "predicted.jsonl"))
    scores = json.loads(site.manage("score", "qasper", *given))
    assert (scores["Answer F1"], scores["Evidence F1"]) == (1.0, 1.0)


def make_lights(lead, ada, ben, folder):
    """Natural Questions: each answers one question, and one of them badly."""
    lead.makes("Natural Questions", "Harbour lights")
    lead.imports(write_lines(folder / "lights.jsonl", questions(2)))
    lead.opens(PAGES)
    to_ada, to_ben = lead.invites("Ada", "Ben")
    ada.joins(to_ada).begins(PAGES).at("question")
    ben.joins(to_ben).begins(PAGES).at("question")
    bad = ben.page.locator("h1").inner_text()
    ben.press("b", "1", "Control+Enter")
    expect(ben.page.get_by_role("heading", name="Others are working on the last ones")).to_be_visible()
    marks_a_name(ada)
    expect(ada.page.get_by_role("heading", name="Everything is done")).to_be_visible()
    lead.replaces(bad, why="the question is clear")
    ada.page.goto("/")
    ada.page.locator("button[data-key='1']").click()
    ada.at("question")
    assert ada.page.locator("h1").inner_text() == bad
    marks_a_name(ada)
    expect(ada.page.get_by_role("heading", name="Everything is done")).to_be_visible()
    return lead.releases(splits=1, into=folder)


def marks_a_name(person) -> None:
    """The question is good; the answer is a name in an item of a list."""
    person.press("g", "Control+Enter").at("long_answer").press("j", "j", "j", "l", "Enter")
    expect(person.page.locator(".marked .meta")).to_have_text("List item, 5 words")
    person.press("Control+Enter").at("short_answer").press("s", "Shift+ArrowRight", "Enter", "Escape")
    expect(person.page.locator("[data-spans] q")).to_have_text(["Anna Berg"])
    person.press("Control+Enter")


def make_papers(lead, ada, ben, folder):
    """QASPER: one asks about a paper, the other answers from it."""
    lead.makes("QASPER", "Papers about bells")
    (folder / "bells.json").write_text(json.dumps({"paper-bells": PAPER}))
    lead.imports(folder / "bells.json")
    lead.opens(ASKS)
    lead.opens(ANSWERS)
    to_ada, to_ben = lead.invites("Ada", "Ben")
    ada.joins(to_ada).begins(ASKS)
    ada.page.get_by_role("button", name="Open").first.click()
    ada.at("questions")
    say_background(ada.page)
    ada.page.locator("[data-asks] textarea").first.fill(ASKED)
    ada.press("Control+Enter")
    expect(ada.page.get_by_text("Sent. Choose the next one.")).to_be_visible()
    # Whoever leaves the guidelines for the home page is led back to them, and a question asked just now is there.
    ben.joins(to_ben).page.goto("/")
    ben.page.locator("a[href$='guidelines/?to=answer']").click()
    ben.page.get_by_role("button", name="Begin").click()
    ben.at("answer")
    ben.page.locator("[data-sentence]", has_text="Anna Berg counted").click()
    ben.press("3")
    expect(ben.page.get_by_role("textbox", name="Your answer")).to_be_focused()
    keys(ben.page).type("Anna Berg")
    ben.press("Control+Enter")
    expect(ben.page.get_by_text("All questions about this paper are done")).to_be_visible()
    return lead.releases(splits=1, into=folder)


def prediction(line):
    """What a system would say that finds exactly what the annotator of a line found."""
    [given] = line["annotations"]
    return {
        "example_id": line["example_id"],
        "long_answer": given["long_answer"],
        "long_answer_score": 1.0,
        "short_answers": given["short_answers"],
        "short_answers_score": 1.0,
        "yes_no_answer": given["yes_no_answer"],
    }
