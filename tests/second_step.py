"""Set up a second step of signing in, in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.authenticator import code


def set_up(page: Page) -> None:
    """Give the code that the app shows, and the next one if that has expired meanwhile; ends at the recovery codes."""
    key, done = page.locator(".secret").inner_text(), page.get_by_role("heading", name="Keep these recovery codes")
    given = code(key)
    page.get_by_label("Code", exact=True).fill(given)
    page.get_by_role("button", name="Set it up").click()
    expect(done.or_(page.get_by_text("This code is not right"))).to_be_visible()
    if not done.is_visible():
        assert code(key) != given
        set_up(page)
