"""Where somebody was reading goes with the work to another device."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk


@pytest.fixture
def inger(site, page):
    return Desk(site, page, "inger-devices").take_up().good()


def test_the_place_of_somebody_who_only_read_is_found_on_another_device_and_the_newer_place_wins(inger, elsewhere):
    place = inger.page.url
    read = leave(inger, "j", "j")
    other = elsewhere(inger, place, "long_answer")
    expect(crumbs(other)).to_have_text(read)
    further = leave(other, "j", "j")
    assert further != read
    inger.page.goto(place)
    inger.at("long_answer")
    expect(crumbs(inger)).to_have_text(further)


def crumbs(desk: Desk):
    """The box in focus, in words."""
    return desk.page.locator("[data-focus-crumbs]")


def leave(desk: Desk, *keys: str) -> str:
    """Move through the page with these keys, then to the start page; return the last place."""
    for key in keys:
        before = crumbs(desk).text_content() or ""
        desk.press(key)
        expect(crumbs(desk)).not_to_have_text(before)
    at = crumbs(desk).text_content() or ""
    with desk.page.expect_response("**/draft/"):
        desk.page.evaluate("""() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
    desk.page.goto(f"{desk.site.url}/")
    return at
