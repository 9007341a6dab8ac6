"""At the width of a small phone (or a page zoomed to 400 %), nothing is outside the window."""

from __future__ import annotations

import pytest

from tests.browser.desk import outside
from tests.browser.squad.desk import ParagraphDesk

pytestmark = pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)


@pytest.fixture(params=["ask", "answer"])
def desk(request, site, browser):
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True)
    yield ParagraphDesk(site, context.new_page(), "zoe", request.param).begin()
    context.close()


def test_nothing_lies_outside_a_narrow_window(desk):
    page = desk.page
    assert outside(page) == []
    page.locator(".grip").tap()
    assert outside(page) == []
    page.locator(".grip").tap()
    page.locator("[data-passage]").dblclick(position={"x": 60, "y": 14})
    page.locator("[data-pending-bar]").wait_for()
    assert outside(page) == []
