"""At the width of a small phone (or a page zoomed to 400 %), nothing is outside the window."""

from __future__ import annotations

from tests.browser.desk import outside

SMALL = {"viewport": {"width": 320, "height": 640}, "has_touch": True}


def fits(desk):
    page = desk.page
    assert outside(page) == []
    page.locator(".grip").tap()
    assert outside(page) == []
    page.locator(".grip").tap()


def test_both_sides_of_a_conversation_fit_a_narrow_window(pair):
    questioner, answerer = pair(**SMALL)
    fits(questioner)
    fits(answerer)
    questioner.page.locator("#text").fill("What did the smallest boy give her?")
    fits(questioner)
    questioner.press("Control+Enter").waiting()
    answerer.at("answer-1")
    fits(answerer)
    answerer.page.locator("[data-passage]").dblclick(position={"x": 60, "y": 14})
    answerer.page.locator("[data-pending-bar]").wait_for()
    assert outside(answerer.page) == []
    answerer.page.get_by_role("button", name="Use as rationale").tap()
    fits(answerer)
