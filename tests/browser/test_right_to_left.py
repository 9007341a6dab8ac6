"""Material that is written from right to left: it runs that way, and what Goldfinch itself says beside it does not."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from tests import signed_in
from tests.browser.qasper.desk import QUESTIONS
from tests.builders import PAGE, questions, write_lines
from tests.site import Site
from tests.waiting.settled import keys

TITLE, TEXT = "פעמונים בים", "ספרנו את הפעמונים של חמישה מגדלורים. המלחים שמעו את רובם."
# The text of an element, as far as it is left or right of the window.
OUTSIDE = """(one) => {
  const text = new Range();
  text.selectNodeContents(one);
  const { left, right } = text.getBoundingClientRect();
  return Math.max(0, -left, right - document.documentElement.clientWidth);
}"""


def said(question: str, number: int) -> dict:
    about = {"nlp_background": "two", "topic_background": "familiar", "paper_read": "no", "search_query": ""}
    return about | {"question": question, "question_id": f"{number:040x}", "question_writer": "f" * 40, "answers": []}


def a_paper(site: Site, activity: str) -> Site:
    """The site with a Hebrew paper for an activity, and somebody who does it."""
    slug = f"hebrew-{activity}"
    asked = [said(each, number) for number, each in enumerate(QUESTIONS)] if activity == "answer" else []
    sections = [{"section_name": "מבוא", "paragraphs": [TEXT]}]
    paper = {"title": TITLE, "abstract": TEXT, "full_text": sections, "figures_and_tables": [], "qas": asked}
    path = site.folder / f"{slug}.json"
    path.write_text(json.dumps({f"{slug}-1": paper}))
    site.manage("create_project", slug, "--protocol", "qasper")
    site.manage("import_items", slug, str(path), "--split", "train")
    site.manage("open_queue", slug, "--activity", activity)
    signed_in.join(site, slug, f"{slug}-hila")
    return site


@pytest.fixture
def pages(site):
    """The site with a page that is Hebrew in part, and somebody who annotates it."""
    page = PAGE.replace('lang="en"', 'lang="he" dir="rtl"').replace("Two keepers", f"{TEXT} Two keepers")
    lines = write_lines(site.folder / "hebrew.jsonl", questions(2, page=page))
    site.manage("create_project", "hebrew-pages", "--protocol", "nq")
    site.manage("import_items", "hebrew-pages", str(lines))
    site.manage("open_queue", "hebrew-pages")
    signed_in.join(site, "hebrew-pages", "hebrew-hadar")
    return site


def begun(site, page, name):
    page.set_viewport_size({"width": 1280, "height": 800})
    signed_in.sign_in(site, page, name)
    page.goto(site.url)
    page.locator("[data-key='c'], [data-key='1']").first.click()
    return page


def side_of_bar(paragraph: Locator) -> str:
    return paragraph.evaluate(
        "(one) => parseFloat(getComputedStyle(one, '::before').right) < 0 ? 'right' : 'left'",
    )


def test_a_hebrew_paper_is_found_and_shown_from_right_to_left_and_what_we_say_of_it_is_not(site, page):
    begun(a_paper(site, "ask"), page, "hebrew-ask-hila")
    for part in ("h2", "p"):
        expect(page.locator(f"[data-result] {part}")).to_have_css("direction", "rtl")
    page.locator(".results form button").click()
    page.locator("#screen[data-started]").wait_for()
    expect(page.locator(".abstract")).to_have_css("direction", "rtl")
    expect(page.locator(".veil")).to_have_css("direction", "ltr")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_right_to_left.py"
    "::test_a_hebrew_paper_is_found_and_shown_from_right_to_left_and_what_we_say_of_it_is_not"
)
def test_the_bars_of_a_hebrew_paper_are_all_at_its_right(site, page):
    begun(a_paper(site, "answer"), page, "hebrew-answer-hila")
    page.locator("#screen[data-started]").wait_for()
    expect(page.locator(".abstract")).to_have_css("border-right-width", "2px")
    assert side_of_bar(page.locator(".cand").first) == "right"
    expect(page.locator(".licence")).to_have_css("direction", "ltr")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_right_to_left.py"
    "::test_a_hebrew_paper_is_found_and_shown_from_right_to_left_and_what_we_say_of_it_is_not"
)
def test_the_labels_of_the_boxes_of_a_hebrew_page_are_not_cut_off(pages, page):
    begun(pages, page, "hebrew-hadar")
    page.locator("#screen[data-stage='question'][data-started]").wait_for()
    for key in ("g", "Control+Enter"):
        keys(page).press(key)
    page.locator("#screen[data-stage='long_answer'][data-started]").wait_for()
    frame = page.frame_locator("iframe[data-frame]")
    frame.locator("#page[data-ready]").wait_for()
    keys(page).press("j")
    for kind, key in (("focus", "Enter"), ("chosen", "j")):
        label = frame.locator(f".mark.{kind}.in-margin > span")
        expect(label).to_be_visible()
        assert label.evaluate(OUTSIDE) == 0, kind
        keys(page).press(key)
