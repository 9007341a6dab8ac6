"""The way of a new annotator to the guidelines, from which the first item is opened."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.site import Site


def open_guidelines(page: Page, site: Site, password: str) -> None:
    """Sign in as alice and agree to the consent form of the project "long"."""
    page.goto(f"{site.url}/login/")
    page.fill("[name=username]", "alice")
    page.fill("[name=password]", password)
    page.click("button[type=submit]")
    page.goto(f"{site.url}/projects/long/consent/")
    page.locator("main form button").first.click()
    page.wait_for_url("**/guidelines/**")


def begin(page: Page) -> None:
    """Open the first item from the guidelines; returns when the navigation has committed."""
    with page.expect_navigation(wait_until="commit"):
        page.get_by_role("button", name="Begin").click()
