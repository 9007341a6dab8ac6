"""The bar at the top of the work page stays on one line, also on a laptop, with everything that it can say."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk


@pytest.fixture
def rita(site, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    return Desk(site, page, "rita-laptop").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_nothing_in_the_bar_wraps_or_is_cut_off_once_something_is_finished_and_saved(rita):
    page = rita.page
    rita.press("b", "1", "Control+Enter")
    expect(page.locator(".today-finished")).to_have_count(1)
    rita.at("question").press("b", "2")
    expect(page.locator("[data-saved]")).to_contain_text("Saved")
    high = page.locator(".topbar .stepper li").evaluate_all("all => all.map((one) => one.offsetHeight)")
    assert max(high) <= 32, high
    assert page.locator(".topbar .where > span").evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_a_long_project_name_ends_in_dots_after_the_line_before_it(rita):
    where = rita.page.locator(".topbar .where")
    where.locator("span").evaluate("one => { one.textContent = 'Questions about harbours '.repeat(20); }")
    assert where.locator("span").evaluate("one => one.scrollWidth > one.clientWidth")
    expect(where.locator("span")).to_have_css("text-overflow", "ellipsis")
    assert where.evaluate("one => getComputedStyle(one, '::before').width") == "1px"
