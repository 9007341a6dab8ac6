"""At the width of a small phone (or a page zoomed to 400 %), and above its keyboard, nothing is outside the window."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import signed_in
from tests.browser.desk import outside

ABOVE_KEYBOARD = {"width": 390, "height": 460}
"""What is left of the window when the page asks that the keyboard makes it smaller (`interactive-widget`)."""
SMALL = {"viewport": {"width": 320, "height": 640}, "has_touch": True}


def fits(desk):
    page = desk.page
    assert outside(page) == []
    page.locator(".grip").tap()
    assert outside(page) == []
    page.locator(".grip").tap()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
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


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_the_box_and_its_button_stay_in_view_while_the_keyboard_of_a_phone_is_open(pair):
    questioner, answerer = pair(viewport={"width": 390, "height": 844}, has_touch=True)
    question = questioner.page.locator("#text")
    question.tap()
    questioner.page.set_viewport_size(ABOVE_KEYBOARD)
    expect(question).to_be_in_viewport(ratio=1)
    expect(questioner.page.get_by_role("button", name="Send the question")).to_be_in_viewport(ratio=1)
    question.fill("What did the smallest boy give her?")
    questioner.page.get_by_role("button", name="Send the question").tap()
    questioner.waiting()
    answerer.at("answer-1").page.locator("[data-passage]").dblclick(position={"x": 60, "y": 14})
    answerer.page.get_by_role("button", name="Use as rationale").tap()
    answer = answerer.page.locator("#text")
    answer.tap()
    answerer.page.set_viewport_size(ABOVE_KEYBOARD)
    expect(answer).to_be_in_viewport(ratio=1)
    answer.fill("The ferry")
    answerer.page.get_by_role("button", name="Send the answer").tap()
    answerer.waiting()


MEASURE = """
from annotation import clock
from annotation.models import Project
from tasks.measuring.figures import keep
keep(Project.objects.get(slug={slug!r}), now=clock.now())
"""


@pytest.mark.in_test_all(shown_by="tests/browser/test_long_words.py::test_what_people_write_widens_no_page_of_a_lead")
def test_on_a_phone_a_lead_sees_the_figures_without_scrolling_sideways(site, page, project):
    site.manage("shell", "-c", MEASURE.format(slug=project))
    signed_in.join(site, project, "lea-zoomed", role="lead")
    signed_in.sign_in(site, page, "lea-zoomed")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site.url}/projects/{project}/")
    page.get_by_role("row", name="Answers edited after the rationale was copied").wait_for()
    wider = """(tables) => tables.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"""
    assert page.locator("#figures .scroll-x").evaluate_all(wider) == []
