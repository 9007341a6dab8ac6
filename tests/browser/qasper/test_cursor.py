"""The keyboard's cursor in a paper is where the reader looks, so that E marks what they see."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import PaperDesk
from tests.waiting.settled import keys

pytestmark = pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_cursor.py::test_a_box_that_was_scrolled_away_is_shown_before_it_is_chosen"
)


@pytest.fixture
def vera(site, page):
    return PaperDesk(site, page, "vera-finds", "answer").begin()


def test_e_after_a_search_chooses_the_sentence_of_the_match(vera):
    vera.press("j", "/")
    keys(vera.page).type("agreed")
    expect(vera.page.locator("[data-found]")).to_have_text("1 of 1")
    vera.press("Escape", "e")
    expect(vera.page.locator("[data-tray] q")).to_have_text("They agreed on 38 of them.")


def test_e_after_a_search_chooses_the_table_of_the_match(vida):
    vida.press("/")
    keys(vida.page).type("of the year 1901")
    expect(vida.page.locator("[data-found]")).to_have_text("1 of 1")
    vida.press("Escape", "e")
    expect(vida.page.locator("[data-tray] .meta")).to_have_text("whole table")


@pytest.fixture
def vida(site, page):
    return PaperDesk(site, page, "vida-finds", "answer").begin()


def test_j_goes_on_below_a_match_in_the_abstract_or_a_click_on_a_heading_the_title_or_the_abstract(vera_above):
    page, crumbs = vera_above.page, vera_above.page.locator("[data-crumbs]")
    vera_above.press("j", "j", "j", "/")
    keys(page).type("records are released")
    expect(crumbs).to_be_empty()
    vera_above.press("Escape", "j")
    expect(crumbs).to_contain_text("Paragraph 1Sentence 1")
    vera_above.press("/")
    keys(page).type("limits")
    expect(page.locator("[data-found]")).to_contain_text("of")
    expect(crumbs).to_be_empty()
    vera_above.press("Escape", "j")
    expect(crumbs).to_contain_text("Paragraph 5")
    for clicked, below in [("Limits", 5), ("Bells at Sea", 1), ("Method", 3), ("We count the bells", 1)]:
        page.locator("[data-paper]").get_by_text(clicked).first.click()
        expect(crumbs).to_be_empty()
        vera_above.press("j")
        expect(crumbs).to_contain_text(f"Paragraph {below}Sentence 1")


@pytest.fixture
def vera_above(site, page):
    return PaperDesk(site, page, "vera-above", "answer").begin()


def test_e_shows_a_sentence_that_was_scrolled_away_before_it_marks_it(vito):
    page, sentence = vito.page, vito.sentence("Bells are old")
    page.set_viewport_size({"width": 1440, "height": 420})
    vito.press("j")
    vito.sentence("So it is").scroll_into_view_if_needed()
    expect(sentence).not_to_be_in_viewport()
    vito.press("e")
    expect(sentence).to_be_in_viewport()
    expect(page.locator("[data-tray] q")).to_have_count(0)
    vito.press("e")
    expect(page.locator("[data-tray] q")).to_have_count(1)


@pytest.fixture
def vito(site, page):
    return PaperDesk(site, page, "vito-scrolls", "answer").begin()
