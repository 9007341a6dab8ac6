"""axe finds nothing on the screens of QASPER in any of their states, light or dark, wide or narrow."""

from __future__ import annotations

import pytest

from tests.browser.paper_desk import PaperDesk
from tests.browser.test_access import SIZES, findings, fits


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


def test_asking_is_accessible(site, page, look):
    desk = PaperDesk(site, page, f"axe-ask-{'-'.join(look)}", "ask").begin()
    assert (findings(page), fits(page)) == ([], True), "empty"
    if look[0] == "narrow":
        page.locator(".grip").click()
    page.locator("[data-asks] textarea").first.fill("How many bells? And who counted?")
    desk.press("Enter")
    page.keyboard.type("Too short")
    desk.press("Control+Enter")
    page.locator("[data-wrong]", has_text="at least 3 words").wait_for()
    assert (findings(page), fits(page)) == ([], True), "advice and refused"


def test_answering_is_accessible(site, page, look):
    desk = PaperDesk(site, page, f"axe-answer-{'-'.join(look)}", "answer").begin()
    page.locator("math").wait_for()
    assert (findings(page), fits(page)) == ([], True), "untouched"
    desk.press("j", "Shift+J", "e", "1")
    page.locator("[data-show=paper]").evaluate("button => button.click()")
    desk.press("s", "Shift+ArrowRight")
    page.locator("[data-pending-bar]:not([hidden])").wait_for()
    assert (findings(page), fits(page)) == ([], True), "marking words"
    desk.press("Enter", "Escape", "f")
    page.locator("[data-strip]:not([hidden])").wait_for()
    assert (findings(page), fits(page)) == ([], True), "figures"
    desk.press("Escape", "3")
    page.locator("dialog#switch[open]").wait_for()
    assert findings(page) == [], "another kind"
    desk.press("Escape", "Control+Enter")
    page.locator(".questions a.committed").wait_for(state="attached")
    desk.ready()
    for part in ("questions", "answer"):
        page.locator(f"[data-show={part}]").evaluate("button => button.click()")
        assert (findings(page), fits(page)) == ([], True), part
