"""Natural Questions at 200 % zoom in a laptop's window: every stage works, nothing is hidden under the question.

At the width of a small phone (or at 400 %), nothing is outside the window.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk, outside, shown_width

ZOOMED = {"width": 640, "height": 360}
SMALL = {"width": 320, "height": 640}


@pytest.fixture
def nell(site, browser):
    context = browser.new_context(viewport=ZOOMED)
    yield Desk(site, context.new_page(), "nell-zooms").take_up()
    context.close()


def whole_and_not_wider(desk: Desk) -> None:
    """The question is visible, and can be read without horizontal scrolling."""
    expect(desk.page.locator("[data-prompt]")).to_be_in_viewport(ratio=1)
    laid_out, window = shown_width(desk.page)
    assert laid_out <= window


def whole_on_a_small_phone(desk: Desk) -> None:
    """Nothing is outside the window, with the answer's sheet closed or open."""
    page, grip = desk.page, desk.page.locator(".grip")
    page.set_viewport_size(SMALL)
    assert outside(page) == []
    if grip.is_visible():
        grip.click()
        expect(grip).to_have_attribute("aria-expanded", "true")
        assert outside(page) == []
        desk.press("Escape")
        expect(grip).to_have_attribute("aria-expanded", "false")
        page.locator("[data-prompt]").focus()
    page.set_viewport_size(ZOOMED)


def send(desk: Desk, stage: str) -> None:
    """The submit button can be scrolled into view and clicked."""
    button = desk.page.locator("form[data-commit] [type=submit]").first
    if not button.is_visible():
        desk.page.locator(".grip").click()
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    desk.at(stage)


def no_answer_by_keys(desk: Desk) -> None:
    """The reasons are visible while one is chosen by its key, and the page is again once it is."""
    grip = desk.page.locator(".grip")
    desk.press("n")
    expect(grip).to_have_attribute("aria-expanded", "true")
    expect(desk.page.locator("input[name=reason]").first).to_be_focused()
    desk.press("2")
    expect(grip).to_have_attribute("aria-expanded", "false")
    expect(grip).to_contain_text("spread over several boxes")
    desk.press("u")


def test_all_three_stages_are_done_in_a_short_and_narrow_window(nell):
    page = nell.page
    whole_on_a_small_phone(nell)
    whole_and_not_wider(nell)
    nell.press("g")
    send(nell, "long_answer")
    whole_on_a_small_phone(nell)
    whole_and_not_wider(nell)
    no_answer_by_keys(nell)
    nell.press("j", "j", "j")
    focus = nell.frame.locator(".mark.focus")
    expect(focus).to_be_in_viewport(ratio=0.9)
    page.evaluate("() => scrollTo(0, 120)")
    assert page.evaluate("() => scrollY") > 60
    whole_and_not_wider(nell)
    nell.press("Enter")
    expect(page.locator(".marked").first).to_be_attached()
    send(nell, "short_answer")
    whole_and_not_wider(nell)
    nell.press("s", "ArrowRight", "Shift+ArrowRight", "Enter", "Escape")
    expect(page.locator("[data-spans] li")).to_have_count(1)
    send(nell, "question")
    assert [next(iter(said)) for said in nell.answers()] == ["verdict", "kind", "kind"]
