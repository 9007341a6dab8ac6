"""A click that closes a menu does nothing else, over a page in a frame as over a paper, by mouse as by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk
from tests.waiting.settled import settled

TABLET = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}


TOUCHED = pytest.mark.in_test_all(
    shown_by="tests/browser/test_menus.py::test_a_box_below_an_open_menu_is_chosen_by_the_next_click_only"
)


@pytest.fixture(params=["mouse", pytest.param("touch", marks=TOUCHED)])
def pointed(request, browser):
    """A page, and how somebody presses a point of it."""
    context = browser.new_context(**(TABLET if request.param == "touch" else {}))
    page = context.new_page()
    yield page, page.touchscreen.tap if request.param == "touch" else page.mouse.click
    context.close()


def closes(page, point, element) -> None:
    """Open the menu and press on this element, which closes it."""
    box = element.bounding_box()
    page.get_by_role("button", name="Menu").click()
    menu = page.locator("#account")
    expect(menu).to_be_visible()
    point(box["x"] + 20, box["y"] + 10)
    expect(menu).to_be_hidden()
    settled(page)
    expect(page.locator("body[data-closing-menu]")).to_have_count(0)


def test_a_box_below_an_open_menu_is_chosen_by_the_next_click_only(site, pointed, request):
    page, point = pointed
    desk = Desk(site, page, f"mena-{request.node.callspec.id}").take_up().good()
    box = desk.frame.locator("[data-c]", has_text="Two keepers").last
    closes(page, point, box)
    expect(page.locator(".marked")).to_have_count(0)
    place = box.bounding_box()
    point(place["x"] + 20, place["y"] + 10)
    expect(page.locator(".marked")).to_have_count(1)


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_menus.py::test_a_box_below_an_open_menu_is_chosen_by_the_next_click_only"
)
def test_a_sentence_below_an_open_menu_is_chosen_by_the_next_click_only(site, pointed, request):
    page, point = pointed
    desk = PaperDesk(site, page, f"meno-{request.node.callspec.id}", "answer").begin()
    sentence = desk.sentence("Anna Berg counted forty bells")
    sentence.scroll_into_view_if_needed()
    closes(page, point, sentence)
    expect(page.locator("[data-no-evidence]")).to_be_visible()
    place = sentence.bounding_box()
    point(place["x"] + 120, place["y"] + 10)  # elsewhere, since two taps on one point are a double tap
    expect(page.locator("[data-no-evidence]")).to_be_hidden()
