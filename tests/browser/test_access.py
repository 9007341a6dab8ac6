"""axe finds nothing on any page, light or dark, wide or narrow, nor in any frame; and no page scrolls sideways."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.desk import Desk, shown_width

SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(params=[(size, theme) for size in SIZES for theme in ("light", "dark")], ids="-".join)
def look(request):
    return request.param


@pytest.fixture
def page(browser, look):
    """A page of this size and theme. The axe script is put in by the test, so the page's own policy is left aside."""
    size, theme = look
    context = browser.new_context(viewport=SIZES[size], color_scheme=theme, bypass_csp=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def findings(page: Page) -> list[str]:
    """What axe finds in the page and in each of its frames; the frames are looked at one by one."""
    found = []
    for frame in page.frames:
        results = Axe().run(frame, options=OPTIONS)
        found += [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in results.response["violations"]]
    return found


def fits(page: Page) -> bool:
    laid_out, window = shown_width(page)
    return laid_out <= window


def test_sign_in_is_accessible(site, page):
    page.goto(f"{site.url}/login/")
    assert findings(page) == []
    assert fits(page)


def test_every_work_screen_is_accessible(site, page, look):
    desk = Desk(site, page, f"axe-{'-'.join(look)}").sign_in()
    assert (findings(page), fits(page)) == ([], True), "home"
    desk.begin().press("b", "1")
    assert (findings(page), fits(page)) == ([], True), "question"
    desk.press("g", "Enter").at("long_answer")
    desk.choose("Anna Berg came from Bergen").press("j")
    assert (findings(page), fits(page)) == ([], True), "long answer"
    desk.press("Control+Enter").at("short_answer")
    desk.press("s", "Enter", "ArrowRight", "Shift+ArrowRight")
    page.locator(".marked.pending").wait_for(state="attached")
    assert (findings(page), fits(page)) == ([], True), "short answer"
    desk.press("Escape", "?")
    page.get_by_role("dialog").wait_for()
    assert findings(page) == [], "keys"


def test_the_leads_pages_are_accessible(site, page, look):
    Desk(site, page, f"lead-{'-'.join(look)}", role="lead").sign_in()
    page.get_by_role("link", name="Harbour questions").click()
    page.get_by_role("heading", name="Questions", exact=True).wait_for()
    assert (findings(page), fits(page)) == ([], True), "project"
    page.locator("a[href*='/items/']").first.click()
    page.get_by_role("heading", level=1).wait_for()
    assert (findings(page), fits(page)) == ([], True), "item"
