"""The press of Ctrl+Enter that sent a second answer does not replace the first one with it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.squad.desk import ParagraphDesk
from tests.browser.test_two_tabs import second_tab
from tests.waiting.settled import keys


@pytest.fixture
def hugo(site, page):
    return ParagraphDesk(site, page, "hugo-holds", "answer").begin()


def test_the_first_answer_is_not_replaced_by_the_press_that_sent_the_second(hugo):
    page, heading = hugo.page, hugo.page.get_by_role("heading", level=1)
    newer, held = second_tab(hugo), keys(hugo.page, hurried=True)
    keys(newer).press("n")
    with newer.expect_response("**/answer/"):
        keys(newer).press("Control+Enter")
    page.route("**/draft/", lambda _route: None)  # so that the page learns nothing before it sends
    hugo.mark("Anna Holt")
    for key in ("Control", *["Enter"] * 6):  # what the keyboard repeats is one press
        held.down(key)
    expect(heading).to_have_text("You answered this twice")
    expect(page.get_by_role("button", name="Keep the first")).to_be_focused()
    held.down("Enter")
    for key in ("Enter", "Control"):
        held.up(key)
    hugo.press("Control+Enter", "Control+Enter")
    expect(heading).to_have_text("You answered this twice")
    assert [answer["kind"] for answer in hugo.answers()] == ["unanswerable"]
    hugo.press("Enter")
    expect(heading).not_to_have_text("You answered this twice")
    assert [answer["kind"] for answer in hugo.answers()] == ["unanswerable"]
