"""On a screen that is touched, no text names keys, which are not shown there either."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk

TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
PHONE = TABLET | {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def tablet(browser):
    context = browser.new_context(**TABLET)
    yield context.new_page()
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_zoomed.py::test_all_three_stages_are_done_in_a_short_and_narrow_window"
)
def test_sentences_stay_whole_without_their_keys_on_a_tablet(site, tablet):
    desk = Desk(site, tablet, "tess-touches").take_up().good()
    expect(tablet.locator(".nothing-yet")).to_have_text(
        "Nothing chosen yet. Click a box on the page.", use_inner_text=True
    )
    expect(tablet.locator(".keys")).to_be_hidden()
    desk.choose("Two keepers").press("Control+Enter")
    desk.at("short_answer")
    said = tablet.locator(".boxed > p").inner_text()
    assert said.startswith("Drag over the words, click the first and the last, or paste a quote on the right:")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_zoomed.py::test_all_three_stages_are_done_in_a_short_and_narrow_window"
)
def test_a_paper_names_no_keys_on_a_tablet_and_does_with_a_mouse(site, tablet, page):
    PaperDesk(site, tablet, "theo-touches", "answer").begin()
    hint = "Choose the sentences that answer the question, as few as are enough."
    expect(tablet.locator("[data-no-evidence]")).to_have_text(hint, use_inner_text=True)
    expect(tablet.locator(".status .keys")).to_be_hidden()
    page.context.add_cookies(tablet.context.cookies())
    page.goto(tablet.url)
    expect(page.locator("[data-no-evidence]")).to_contain_text("go to them with J", use_inner_text=True)
    expect(page.locator(".status .keys")).to_be_visible()


@pytest.fixture
def phone(browser):
    context = browser.new_context(**PHONE)
    yield context.new_page()
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_zoomed.py::test_all_three_stages_are_done_in_a_short_and_narrow_window"
)
def test_on_a_phone_the_button_that_waits_for_an_answer_opens_the_sheet_with_the_others(site, phone):
    desk = Desk(site, phone, "tara-phones").take_up().good()
    nowhere, none = phone.get_by_text("The page does not answer it"), phone.locator(".segmented label", has_text="None")
    expect(nowhere).to_be_hidden()
    phone.get_by_role("button", name="Choose a box, or no answer").tap(force=True)
    expect(nowhere).to_be_visible()
    expect(phone.locator("[data-problems]")).to_be_empty()
    phone.get_by_role("button", name="Choose a box, or no answer").tap(force=True)
    expect(phone.locator("[data-problems]")).to_contain_text(
        "Choose a box on the page, or say that there is no answer."
    )
    desk.press("Escape")
    desk.choose("Two keepers").press("Control+Enter")
    desk.at("short_answer")
    expect(none).to_be_hidden()
    phone.get_by_role("button", name="Mark words, or yes, no, none").tap(force=True)
    expect(none).to_be_visible()
