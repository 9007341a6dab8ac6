"""The keyboard's cursor on a page is where the person looks: at the match, the heading or the click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.waiting.settled import keys

SHORT = {"width": 1440, "height": 420}
"""A window in which the page has to be scrolled."""
AT_ONCE = """(page, keys) => {
    for (const key of keys) page.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
"""Press keys before the work page can answer the first of them."""


@pytest.fixture
def viola(site, page):
    return Desk(site, page, "viola-finds").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_enter_after_a_search_chooses_the_box_of_the_match(viola):
    viola.page.set_viewport_size(SHORT)
    viola.press("j", "/")
    keys(viola.page).type("32 km")
    expect(viola.page.locator("[data-found]")).to_have_text("1 of 1")
    viola.press("Escape", "Enter")
    expect(viola.page.locator(".marked .meta")).to_have_text("Table row, 3 words")


@pytest.fixture
def vera(site, page):
    return Desk(site, page, "vera-outlines").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_j_after_the_outline_goes_on_below_the_heading(vera):
    crumbs = vera.page.locator("[data-focus-crumbs]")
    vera.press("j")
    expect(crumbs).to_contain_text("Paragraph")
    vera.press("o", "Tab", "Enter")
    expect(crumbs).to_be_empty()
    vera.press("j")
    expect(crumbs).to_contain_text("Keepers")
    vera.press("Enter")
    expect(vera.page.locator(".marked q")).to_contain_text("Two keepers, Anna Berg")


@pytest.fixture
def vita(site, page):
    return Desk(site, page, "vita-clicks").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_k_after_a_click_on_a_heading_goes_to_the_box_above_it(vita):
    vita.press("j", "j", "j")
    vita.frame.get_by_role("heading", name="Keepers").click()
    vita.press("k", "Enter")
    expect(vita.page.locator(".marked q")).to_contain_text("The first harbour light")


@pytest.fixture
def valy(site, page):
    return Desk(site, page, "valy-scrolls").take_up().good()


def test_a_box_that_was_scrolled_away_is_shown_before_it_is_chosen(valy):
    valy.page.set_viewport_size(SHORT)
    first, last = valy.frame.locator("#material p").first, valy.frame.locator("tr").last
    valy.press("j")
    expect(valy.page.locator("[data-focus-crumbs]")).to_contain_text("Paragraph")
    last.scroll_into_view_if_needed()
    expect(first).not_to_be_in_viewport()
    valy.press("Enter")
    expect(first).to_be_in_viewport()
    expect(valy.page.locator(".marked")).to_have_count(0)
    valy.press("Enter")
    expect(valy.page.locator(".marked q")).to_contain_text("The first harbour light")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_choosing_the_same_box_again_is_no_step_that_undo_takes_back(vito):
    vito.choose("Anna Berg came from Bergen").choose("Olaf Lund came from Oslo")
    vito.press("Enter", "Enter", "u")
    expect(vito.page.locator(".marked q")).to_contain_text("Anna Berg came from Bergen")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_undo_waits_for_what_enter_before_it_has_chosen(vesna):
    vesna.choose("Anna Berg came from Bergen").choose("Olaf Lund came from Oslo")
    expect(vesna.page.locator(".marked q")).to_contain_text("Olaf Lund came from Oslo")
    vesna.frame.locator("#page").evaluate(AT_ONCE, ["j", "Enter", "u", "u"])
    expect(vesna.page.locator(".marked q")).to_contain_text("Anna Berg came from Bergen")


@pytest.fixture
def vesna(site, page):
    return Desk(site, page, "vesna-hurries").take_up().good()


@pytest.fixture
def vito(site, page):
    return Desk(site, page, "vito-again").take_up().good()
