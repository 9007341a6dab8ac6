"""End to end: two writers ask about a paper, three answerers answer from it, the lead releases it, and it is scored."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.qasper.desk import ABSTRACT, FLOATS, SECTIONS, say_background
from tests.site import Site
from tests.waiting.settled import keys

SLUG = "bells-story"
ASKED = {"writer-one": ("Who counted the bells?", "Do the keepers agree?"), "writer-two": ("What does a bell cost?",)}


@pytest.fixture(scope="module")
def passwords(site: Site) -> dict[str, str]:
    """The project with one paper, whose questions get three answers each, and its people."""
    paper = {"title": "Bells at Sea", "abstract": ABSTRACT, "full_text": SECTIONS, "figures_and_tables": FLOATS}
    (site.folder / "story.json").write_text(json.dumps({"paper-bells": paper | {"qas": []}}))
    numbers = {"activities": {"answer": {"overlap": {"train": 3}}, "ask": {"overlap": {"train": 2}}}}
    (site.folder / "story-config.json").write_text(json.dumps(numbers))
    made = ("create_project", SLUG, "--protocol", "qasper", "--config", str(site.folder / "story-config.json"))
    site.manage(*made, "--title", "Questions about bells")
    site.manage("import_items", SLUG, str(site.folder / "story.json"), "--split", "train")
    for activity in ("ask", "answer"):
        site.manage("open_queue", SLUG, "--activity", activity)
    people = dict.fromkeys((*ASKED, *(f"answerer-{number}" for number in (1, 2, 3))), "annotator")
    said = {n: site.manage("add_member", SLUG, n, "--role", r) for n, r in (people | {"story-lead": "lead"}).items()}
    return {name: re.search(r"Password.*: (\S+)", text).group(1) for name, text in said.items()}


def arrive(new_context: Callable[..., BrowserContext], name: str, password: str) -> Page:
    """A browser for each person, signed in and with consent."""
    page = new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    if name != "story-lead":
        page.get_by_role("link", name="Read and begin").first.click()
        page.get_by_role("button", name="I agree").click()
    return page


def begin(page: Page, activity: str) -> None:
    """From home to an activity, for the first time: through the guidelines."""
    page.goto("/")
    page.locator(f"a[href$='guidelines/?to={activity}']").click()
    page.locator(".begin .btn-primary").click()


def ready(page: Page, text: str = "") -> None:
    """Wait until the screen is ready for keys."""
    page.locator("#screen[data-started] h1", has_text=text).wait_for()


def ask(page: Page, questions: tuple[str, ...]) -> None:
    """Find the paper, open it, write, send."""
    begin(page, "ask")
    page.get_by_role("searchbox").fill("bells")
    keys(page).press("Enter")
    expect(page.locator(".results b, .results mark, .results .found").first).to_be_visible()
    page.get_by_role("button", name="Open").first.click()
    ready(page)
    assert not [section for section in SECTIONS if section["paragraphs"][0] in page.content()]
    say_background(page)
    page.locator("[data-asks] textarea").first.click()
    for number, question in enumerate(questions):
        if number:
            keys(page).press("Enter")
        keys(page).type(question)
    keys(page).press("Control+Enter")
    page.get_by_text("Sent. Choose the next one.").wait_for()


def answer(page: Page) -> list[str]:
    """Answer the whole block by keyboard and mouse, in the order in which the questions came."""
    begin(page, "answer")
    seen: list[str] = []
    while True:
        ready(page)
        heading = page.locator("h1").inner_text()
        question = next(text for texts in ASKED.values() for text in texts if text in heading)
        seen.append(question)
        if question == "Who counted the bells?":
            page.locator("[data-sentence]", has_text="Anna Berg counted").click()
            keys(page).press("3")
            expect(page.get_by_role("textbox", name="Your answer")).to_be_focused()
            keys(page).type("Anna Berg, in the test set only")
        elif question == "Do the keepers agree?":
            page.locator("[data-sentence]", has_text="They agreed on 38").click()
            keys(page).press("y")
        else:
            keys(page).press("4")
        keys(page).press("Control+Enter")
        if len(seen) == 3:
            page.get_by_text("All questions about this paper are done").wait_for()
            return seen
        page.locator(".questions a.committed").nth(len(seen) - 1).wait_for()


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_two_writers_and_three_answerers_make_a_dataset_that_can_be_scored(site, new_context, passwords, tmp_path):
    writers = {name: arrive(new_context, name, passwords[name]) for name in ASKED}
    for name, questions in ASKED.items():
        ask(writers[name], questions)
    for number in (1, 2, 3):
        page = arrive(new_context, f"answerer-{number}", passwords[f"answerer-{number}"])
        assert sorted(answer(page)) == sorted(text for texts in ASKED.values() for text in texts)
        page.context.close()
    writer = writers["writer-one"]
    writer.goto("/")
    assert not writer.locator("form[action$='/answer/next/'] button:enabled").count(), "who asks never answers"

    lead = arrive(new_context, "story-lead", passwords["story-lead"])
    lead.goto(f"/projects/{SLUG}/items/")
    lead.locator("#items tbody tr", has_text="Who counted the bells?").get_by_role("link").first.click()
    expect(lead.locator("article.version")).to_have_count(3)

    site.manage("export_release", SLUG, "--format", "qasper", "--writers", "--out", str(tmp_path / "out"))
    (released,) = (tmp_path / "out").glob("qasper-train-v0.3.json*")
    (paper,) = read(released).values()
    questions = {entry["question"]: entry for entry in paper["qas"]}
    assert {len(entry["answers"]) for entry in questions.values()} == {3}
    assert len({entry["question_writer"] for entry in questions.values()}) == 2
    workers = {given["worker_id"] for entry in questions.values() for given in entry["answers"]}
    assert len(workers) == 3
    assert not workers & {entry["question_writer"] for entry in questions.values()}
    counted = questions["Who counted the bells?"]["answers"][0]["answer"]
    assert counted["evidence"] == [SECTIONS[0]["paragraphs"][0]]
    assert counted["highlighted_evidence"] == ["Anna Berg counted forty bells in 1901."]

    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({"paper-bells": paper}))
    scores = json.loads(site.manage("score", "qasper", "--gold", str(gold), "--human"))
    assert scores["per_question"] == {"answer_f1": 1.0, "evidence_f1": 1.0}


def read(path: Path) -> dict:
    """A released file."""
    return json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
