"""The same work in two tabs: the newer one counts, the older one shows both texts and can take the work back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.waiting.settled import keys


def second_tab(desk: Desk) -> Page:
    """The same work in another tab, which has taken over."""
    other = desk.page.context.new_page()
    with other.expect_response("**/take/"):
        other.goto(desk.page.url)
    other.locator("#screen[data-started]").wait_for()
    return other


@pytest.fixture
def walt(site, page):
    return Desk(site, page, "walt-tabs").take_up()


def test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back(walt):
    older, question = walt.page, walt.page.locator("h1[data-prompt]")
    before = question.bounding_box()
    walt.press("b", "1").saved()
    newer = second_tab(walt)
    keys(newer).press("2")
    newer.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    walt.press("3")
    both = older.locator("dialog#overtaken")
    expect(both.locator(".version").first).to_contain_text("False presupposition")  # what "Take back" keeps
    expect(both.locator(".version ins")).to_have_text(["False presupposition", "Incomprehensible"])
    expect(both.locator(".version").last).to_contain_text("Incomprehensible")
    both.get_by_role("button", name="View only").click()
    assert older.locator("main").evaluate("main => main.inert")
    expect(older.locator("[data-notices] [role=status]")).to_have_count(1)
    assert question.bounding_box() == before
    older.get_by_role("button", name="Take back").click()
    walt.saved()
    keys(newer).press("4")
    expect(newer.locator("dialog#overtaken")).to_be_visible()
    walt.press("Control+Enter").at("question")
    assert walt.answers() == [{"verdict": "bad", "reasons": ["ambiguous", "false_presupposition"]}]


@pytest.fixture
def wilma(site, page):
    return Desk(site, page, "wilma-tabs").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_tabs.py"
    "::test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back"
)
def test_a_send_from_the_older_tab_is_not_stored_until_it_is_taken_back(wilma):
    newer = second_tab(wilma)
    wilma.press("g", "Control+Enter")
    both = wilma.page.locator("dialog#overtaken")
    expect(both.locator(".version")).to_contain_text("Good")
    assert wilma.answers() == []
    both.get_by_role("button", name="Take back").click()
    expect(both).not_to_be_visible()
    wilma.press("Control+Enter").at("long_answer")
    keys(newer).press("b")
    newer.get_by_label("Ambiguous").check()
    keys(newer).press("Control+Enter")
    expect(newer.locator("dialog#overtaken")).to_contain_text("Go to the current version")
    assert wilma.answers() == [{"verdict": "good"}]


@pytest.fixture
def wim(site, page):
    return Desk(site, page, "wim-tabs").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_held_keys.py"
    "::test_the_first_answer_is_not_replaced_by_the_press_that_sent_the_second"
)
def test_sent_in_one_tab_and_then_in_another_shows_both_and_the_first_counts(wim):
    newer = second_tab(wim)
    keys(newer).press("b")
    keys(newer).press("1")
    keys(newer).press("Control+Enter")
    newer.locator("#screen[data-started] [name=verdict]:not(:checked)").first.wait_for()
    wim.press("b", "2", "Control+Enter")
    expect(wim.page.get_by_role("heading", level=1)).to_have_text("You answered this twice")
    expect(wim.page.locator(".version").first).to_contain_text("Ambiguous")
    expect(wim.page.locator(".version").last).to_contain_text("Incomprehensible")
    assert wim.answers() == [{"verdict": "bad", "reasons": ["ambiguous"]}]
