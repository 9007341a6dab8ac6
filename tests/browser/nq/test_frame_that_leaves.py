"""A page in the frame that tries to navigate away is stopped, and nothing of the form is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk

BY_CALL = pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_frame_that_leaves.py"
    "::test_a_page_inside_the_frame_that_tries_to_leave_is_stopped_without_losing_anything_of_the_form"
)


@pytest.mark.parametrize(
    "way", ["location.href = 'https://example.org/'", pytest.param("location.replace('/login/')", marks=BY_CALL)]
)
def test_a_page_inside_the_frame_that_tries_to_leave_is_stopped_without_losing_anything_of_the_form(site, page, way):
    name = f"fay-{len(way)}"
    fay = Desk(site, page, name).take_up().good()
    fay.choose("Anna Berg came from Bergen")
    page.evaluate("document.body.dataset.stays = 'here'")
    chosen = page.locator("[name=candidate]").input_value()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    fay.frame.locator("#page").evaluate(f"() => {{ {way}; }}")
    stopped = page.locator("[data-notice=frame]")
    expect(stopped).to_contain_text("was stopped")
    assert page.locator("body").get_attribute("data-stays") == "here"
    assert page.locator("[name=candidate]").input_value() == chosen
    stopped.get_by_role("button", name="Show the page again").click()
    expect(stopped).to_have_count(0)
    expect(fay.frame.locator("[data-chosen]")).to_be_attached()
    fay.press("Control+Enter").at("short_answer")
    assert [url for url in asked if "example.org" in url] == []
