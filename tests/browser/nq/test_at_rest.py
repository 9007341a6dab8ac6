"""Pages say when they are at rest (`data-settled`), so that tests need not wait: not before all that is under way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.desk import Desk
from tests.waiting.page_clock import resume_clock
from tests.waiting.settled import keys, settled

AT_REST = re.compile(r"^\d+$")


def root(page: Page) -> Locator:
    return page.locator("html")


def busy_with(page: Page, what: str) -> None:
    """The page says that this is under way."""
    expect(root(page)).to_have_attribute("data-under-way", re.compile(rf"\b{what}\b"))
    expect(root(page)).not_to_have_attribute("data-settled", AT_REST)


@pytest.fixture
def rika(request, site, page):
    """A person for each test, at the page of a question."""
    name = request.node.originalname.rpartition("_")[2]
    return Desk(site, page, f"rika-{name}").take_up().good()


def test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was(rika):
    page, held = rika.page, []
    before = int(root(settled(page)).get_attribute("data-settled"))
    page.route("**/long_answer/", lambda route: held.append(route))
    with page.expect_request("**/long_answer/"):
        rika.press("n", "1", "Control+Enter")
    busy_with(page, "fetch")
    held[0].continue_()
    rika.at("question")
    assert int(root(settled(page)).get_attribute("data-settled")) > before


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_nor_before_a_short_timer_has_run(rika):
    page = rika.page
    page.clock.install()
    page.reload()
    rika.at("long_answer").still()
    page.locator("[data-find]").fill("berg")
    busy_with(page, "timer")
    settled(page)  # no timer is waited for while the clock stands
    assert page.locator("[data-found]").inner_text() == ""
    resume_clock(page)
    settled(page)
    assert page.locator("[data-found]").inner_text() == "1 of 3"


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_nor_before_the_frame_has_done_what_it_was_told(rika):
    page = rika.page
    keys(page, hurried=True).press("j", "j", "j")
    settled(page)
    assert page.locator("[data-focus-crumbs]").inner_text() != ""
    expect(rika.frame.locator("html")).to_have_attribute("data-settled", AT_REST)


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_nor_while_a_closed_dialog_has_the_focus(rika):
    page = rika.page
    rika.press("Alt+Shift+A")
    where = "() => document.activeElement.outerHTML.slice(0, 100)"
    before = page.evaluate(where)
    rika.press("Alt+s")
    assert settled(page).locator("dialog[open]").count() == 1
    rika.press("Escape")
    assert settled(page).locator("dialog[open]").count() == 0
    assert page.evaluate(where) == before


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_nor_while_another_page_comes_in_its_place(rika):
    page = rika.page
    page.goto(f"{rika.site.url}/")
    settled(page)
    left = "(link) => { link.click(); return document.documentElement.dataset.underWay; }"
    assert page.get_by_role("link", name="Finished").evaluate(left) == "leaving"
    page.wait_for_url("**/finished/")
    settled(page)


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_pages_for_everybody_say_it_too(site, page):
    page.goto(f"{site.url}/login/")
    expect(root(page)).to_have_attribute("data-settled", AT_REST)


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_at_rest.py"
    "::test_a_page_is_not_at_rest_before_its_request_is_answered_and_counts_how_often_it_was"
)
def test_a_frame_that_was_stopped_is_not_waited_for(rika):
    page = rika.page
    rika.frame.locator("html").evaluate("() => { location.href = 'https://example.org/'; }")
    expect(page.locator("[data-notice=frame]")).to_be_visible()
    settled(page)
    page.locator("[data-notice=frame]").get_by_role("button").click()
    settled(page)
    expect(rika.frame.locator("#page[data-ready]")).to_be_attached()
