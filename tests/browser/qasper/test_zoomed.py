"""Answering at 200 % zoom in a laptop's window: the question and the three parts stay, keys scroll text into view."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import PaperDesk

pytestmark = pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_zoomed.py::test_all_three_stages_are_done_in_a_short_and_narrow_window"
)


@pytest.fixture
def zoe(site, browser):
    context = browser.new_context(viewport={"width": 640, "height": 360})
    yield PaperDesk(site, context.new_page(), "zoe-zooms", "answer").begin()
    context.close()


def test_a_short_and_narrow_window_keeps_the_question_and_reads_by_keys(zoe):
    page = zoe.page
    question, parts = page.locator("h1"), page.get_by_role("group", name="Parts of this screen")
    zoe.press("j", "j", "j", "j")
    expect(page.locator(".cand.is-focus")).to_contain_text("three harbours")
    expect(page.locator(".cand.is-focus")).to_be_in_viewport(ratio=1)
    expect(question).to_be_in_viewport(ratio=1)
    expect(parts).to_be_in_viewport(ratio=1)
    bottom = parts.bounding_box()["y"] + parts.bounding_box()["height"]
    assert page.locator(".cand.is-focus").bounding_box()["y"] >= bottom, "nothing is read under the question"
    zoe.press("e", "3")
    expect(page.locator("[data-tray] li")).to_have_count(1)
    page.get_by_role("textbox", name="Your answer").fill("in three harbours")
    send = page.get_by_role("button", name="Keep this answer")
    send.scroll_into_view_if_needed()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    send.click()
    page.locator(".questions a.committed").wait_for(state="attached")


@pytest.fixture
def zara(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    yield PaperDesk(site, context.new_page(), "zara-asks", "ask").begin()
    context.close()


def test_on_a_phone_write_a_question_opens_the_sheet_at_the_first_question(zara):
    page = zara.page
    question = page.get_by_role("textbox", name="Question 1")
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Write a question").tap()
    expect(question).to_be_focused()
    expect(page.locator("[data-problems]")).to_be_empty()
    question.fill("Who counted the bells on the coast?")
    page.locator(".answer > .grip").tap()
    page.get_by_role("button", name="Send 1 question").tap()
    expect(page.locator("[data-problems]")).to_contain_text("about you and this paper")
    expect(question).to_be_visible()
