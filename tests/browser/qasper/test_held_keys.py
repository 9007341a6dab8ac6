"""Ctrl+Enter that is held or pressed twice sends what is on the screen, and not the draft that comes in its place."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import QUESTIONS, PaperDesk
from tests.waiting.settled import keys, settled


@pytest.fixture
def hilde(site, page):
    """At the first question, whichever that is, with a complete draft of the second."""
    desk = PaperDesk(site, page, "hilde-holds", "answer").begin()
    first, second = sorted(QUESTIONS, key=lambda question: question not in page.locator("h1").inner_text())
    desk.press("]").at(second).press("4")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    return desk.press("[").at(first), second


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_the_complete_draft_of_the_next_question_is_not_sent_before_somebody_has_looked_at_it(hilde):
    desk, second = hilde
    page, held, unread = desk.page, keys(desk.page, hurried=True), desk.page.locator("[data-notice=unread]")
    desk.press("4")
    for key in ("Control", *["Enter"] * 6):  # what the keyboard repeats is one press
        held.down(key)
    desk.at(second)
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
    for _ in range(3):
        held.down("Enter")
    settled(page)
    expect(unread).to_have_count(0)
    for key in ("Enter", "Control"):
        held.up(key)
    desk.press("Control+Enter")
    expect(unread).to_be_visible()
    assert len(desk.answers()) == 1
    desk.press("j")
    expect(unread).to_have_count(0)
    with page.expect_navigation():
        desk.press("Control+Enter")
    assert len(desk.answers()) == 2
