"""Ctrl+Enter that is held or pressed twice sends what is on the screen once, and nothing that comes in its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.qasper.desk import QUESTIONS, PaperDesk
from tests.browser.squad.desk import ParagraphDesk
from tests.browser.test_two_tabs import second_tab
from tests.waiting.settled import keys, settled


def hold(page: Page) -> None:
    """Press Ctrl+Enter and do not let go: what the keyboard repeats is one press."""
    page.keyboard.down("Control")
    for _ in range(6):
        page.keyboard.down("Enter")


def let_go(page: Page) -> None:
    page.keyboard.up("Enter")
    page.keyboard.up("Control")


@pytest.fixture
def hilde(site, page):
    desk = PaperDesk(site, page, "hilde-holds", "answer").begin()
    desk.at(QUESTIONS[0]).press("]").at(QUESTIONS[1]).press("4")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    return desk.press("[").at(QUESTIONS[0])


def test_the_complete_draft_of_the_next_question_is_not_sent_before_somebody_has_looked_at_it(hilde):
    page, unread = hilde.page, hilde.page.locator("[data-notice=unread]")
    hilde.press("4")
    hold(page)
    hilde.at(QUESTIONS[1])
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
    for _ in range(3):
        page.keyboard.down("Enter")
    settled(page)
    expect(unread).to_have_count(0)
    let_go(page)
    hilde.press("Control+Enter")
    expect(unread).to_be_visible()
    assert len(hilde.answers()) == 1
    hilde.press("j")
    expect(unread).to_have_count(0)
    with page.expect_navigation():
        hilde.press("Control+Enter")
    assert len(hilde.answers()) == 2


@pytest.fixture
def hugo(site, page):
    return ParagraphDesk(site, page, "hugo-holds", "answer").begin()


def test_the_first_answer_is_not_replaced_by_the_press_that_sent_the_second(hugo):
    page, heading = hugo.page, hugo.page.get_by_role("heading", level=1)
    newer = second_tab(hugo)
    keys(newer).press("n")
    with newer.expect_response("**/answer/"):
        keys(newer).press("Control+Enter")
    page.route("**/draft/", lambda _route: None)  # so that the page learns nothing before it sends
    hugo.mark("Anna Holt")
    hold(page)
    expect(heading).to_have_text("You answered this twice")
    expect(page.get_by_role("button", name="Keep the first")).to_be_focused()
    page.keyboard.down("Enter")
    let_go(page)
    hugo.press("Control+Enter", "Control+Enter")
    expect(heading).to_have_text("You answered this twice")
    assert [answer["kind"] for answer in hugo.answers()] == ["unanswerable"]
    hugo.press("Enter")
    expect(heading).not_to_have_text("You answered this twice")
    assert [answer["kind"] for answer in hugo.answers()] == ["unanswerable"]
