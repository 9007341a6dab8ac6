"""Ctrl+Enter that is held or pressed twice sends what is on the screen, and not the draft that comes in its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import QUESTIONS, PaperDesk
from tests.waiting.settled import keys, settled


@pytest.fixture
def hilde(site, page):
    desk = PaperDesk(site, page, "hilde-holds", "answer").begin()
    desk.at(QUESTIONS[0]).press("]").at(QUESTIONS[1]).press("4")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    return desk.press("[").at(QUESTIONS[0])


def test_the_complete_draft_of_the_next_question_is_not_sent_before_somebody_has_looked_at_it(hilde):
    page, held, unread = hilde.page, keys(hilde.page, hurried=True), hilde.page.locator("[data-notice=unread]")
    hilde.press("4")
    for key in ("Control", *["Enter"] * 6):  # what the keyboard repeats is one press
        held.down(key)
    hilde.at(QUESTIONS[1])
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
    for _ in range(3):
        held.down("Enter")
    settled(page)
    expect(unread).to_have_count(0)
    for key in ("Enter", "Control"):
        held.up(key)
    hilde.press("Control+Enter")
    expect(unread).to_be_visible()
    assert len(hilde.answers()) == 1
    hilde.press("j")
    expect(unread).to_have_count(0)
    with page.expect_navigation():
        hilde.press("Control+Enter")
    assert len(hilde.answers()) == 2
