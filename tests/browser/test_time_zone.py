"""The browser names its time zone once, and from then on pages arrive with times in it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.desk import Desk


def test_the_second_page_shows_times_in_the_zone_of_the_browser(site, browser):
    context = browser.new_context(timezone_id="Asia/Tokyo")
    try:
        desk = Desk(site, context.new_page(), "yuki-zone").take_up()
        desk.page.goto(f"{site.url}/")
        until = desk.page.get_by_text("Yours until").locator("time")
        expect(until).to_have_attribute("title", "Asia/Tokyo (UTC+09:00)")
        assert until.get_attribute("datetime").endswith("+09:00")
    finally:
        context.close()
