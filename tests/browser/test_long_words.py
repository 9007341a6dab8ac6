"""Words of 300 letters, as addresses and formulas are: they break, so that no page is wider than its window."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page

from tests import signed_in
from tests.browser.desk import shown_width
from tests.waiting.settled import keys

SLUG, PAPERS = "long-words", "long-papers"
WIDTHS = (390, 1280)
WORD = "https://example.org/" + "w" * 280
MADE = f"""
import tempfile
from pathlib import Path
from annotation import clock, randomness, releases
from annotation.engine import exclusion
from annotation.models import Role
from annotation.releases import building
from tasks.engine import queues
from tasks.people import messages
from tests.builders import load, project, questions, write_lines
from tests.disagreeing import BAD, answered
from tests.people import join
with tempfile.TemporaryDirectory() as folder:
    made = project("{SLUG}", activities={{"annotate": {{"overlap": {{"train": 1}}, "draw": "in_order"}}}})
    lines = questions(4)
    for line in lines[1:3]:  # one that is answered, and one that is next
        line["question_text"] = "where is {WORD}"
    lines[3]["question_text"] = "where is it " * 800
    load(made, write_lines(Path(folder) / "lines.jsonl", lines))
    queues.open_queue(made, "annotate", by=None, now=clock.now())
    lead = join(made, "long-lena", Role.LEAD)
    done = answered(made, BAD, names=["long-ada"])
    join(made, "long-ben")
    row = done.annotations.get()
    exclusion.exclude(made, uuids=[row.uuid], by=lead, reason="see {WORD[:190]}", now=clock.now())
    answered(made, BAD, names=["long-carl"])
    release = releases.build(made, format="nq", by=None, now=clock.now(), partial=True)
    building.retract(release, by=lead, reason="{WORD[:190]}", now=clock.now())
    releases.build(made, format="nq", by=None, now=clock.now(), partial=True)
    messages.write(
        made, row.author, side=messages.PERSON, by=row.author, text="{WORD}", key=randomness.handle(), now=clock.now()
    )
"""
# Every text that is cut off, in its own box or by what holds it, and every box that is outside the window.
LOST = """() => [...document.querySelectorAll("main :is(h1, h2, h3, p, li, dd, td, th, q, a)")]
  .filter((one) => one.checkVisibility() && one.textContent.includes("wwww"))
  .filter((one) => !one.closest(".sr") && !one.querySelector(".sr"))
  .filter((one) => {
    const text = new Range();
    text.selectNodeContents(one);
    const { left, right } = text.getBoundingClientRect();
    const box = one.getBoundingClientRect();
    return left < 0 || right > innerWidth || (box.width && getComputedStyle(one).display !== "inline"
      && (left < box.left - 1 || right > box.right + 1));
  })
  .map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def worded(site):
    site.manage("shell", "-c", MADE)
    return site


@pytest.fixture
def papers(site):
    sections = [{"section_name": "Introduction", "paragraphs": [f"See {WORD} for more."]}]
    paper = {"title": f"Bells {WORD}", "abstract": f"They are at {WORD}.", "full_text": sections, "qas": []}
    papers = site.folder / "long-papers.json"
    papers.write_text(json.dumps({"long": paper | {"figures_and_tables": []}}))
    site.manage("create_project", PAPERS, "--protocol", "qasper")
    site.manage("import_items", PAPERS, str(papers), "--split", "train")
    site.manage("open_queue", PAPERS, "--activity", "ask")
    signed_in.join(site, PAPERS, "long-bob")
    return site


def assert_nothing_is_lost(page: Page) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        laid_out, window = shown_width(page)
        assert laid_out <= window, (page.url, width)
        assert page.get_by_text("wwww").count(), page.url
        assert page.evaluate(LOST) == [], (page.url, width)


def test_what_people_write_widens_no_page_of_a_lead(worded, page):
    signed_in.sign_in(worded, page, "long-lena")
    for path in ("people/", "releases/", "releases/1/", "items/"):
        page.goto(f"{worded.url}/projects/{SLUG}/{path}")
        assert_nothing_is_lost(page)
    page.goto(f"{worded.url}/projects/{SLUG}/people/")
    page.get_by_label("Whom, one on each line").fill(WORD)
    page.get_by_role("button", name="Make links").click()
    page.locator("#invite-refused").wait_for()
    assert_nothing_is_lost(page)


@pytest.mark.in_test_all(shown_by="tests/browser/test_long_words.py::test_what_people_write_widens_no_page_of_a_lead")
def test_a_very_long_question_is_shortened_in_the_list_of_items(worded, page):
    signed_in.sign_in(worded, page, "long-lena")
    page.goto(f"{worded.url}/projects/{SLUG}/items/")
    row = page.get_by_role("row").filter(has_text="where is it where is it").bounding_box()
    assert row is not None
    assert row["height"] < 200


def test_a_question_is_whole_on_the_work_screens(worded, page):
    signed_in.sign_in(worded, page, "long-ben")
    page.goto(worded.url)
    page.locator("[data-key='c'], button[data-key='1']").first.click()
    for stage in ("question", "long_answer"):
        page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
        assert_nothing_is_lost(page)
        if stage == "question":
            keys(page).press("g")
            keys(page).press("Control+Enter")


@pytest.mark.in_test_all(shown_by="tests/browser/test_long_words.py::test_what_people_write_widens_no_page_of_a_lead")
def test_titles_and_abstracts_leave_the_button_that_opens_a_paper_in_the_window(papers, page):
    signed_in.sign_in(papers, page, "long-bob")
    page.goto(f"{papers.url}/projects/{PAPERS}/ask/search/")
    page.locator("[data-result]").first.wait_for()
    assert_nothing_is_lost(page)
    page.locator("[data-result] button").click()
    page.locator("#screen[data-started]").wait_for()
    assert_nothing_is_lost(page)
