"""A token from Your account opens the API for a script and for the page that tries it, until it is revoked."""

from __future__ import annotations

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import PROJECT, Desk
from tests.site import Site
from tests.waiting.settled import keys

PASSWORD = "a few easy words"


def projects(base_url: str, secret: str) -> list[str]:
    """What a script of somebody's reads with the token."""
    asked = Request(f"{base_url}/api/v1/projects/", headers={"Authorization": f"Bearer {secret}"})
    with urlopen(asked, timeout=20) as answer:
        return [row["slug"] for row in json.load(answer)["results"]]


def test_a_token_is_made_used_tried_and_revoked(site: Site, page: Page, base_url: str):
    Desk(site, page, "tilda", password=PASSWORD).sign_in()
    page.goto("/account/")
    page.get_by_role("link", name="Tokens").click()
    page.get_by_label("Name").fill("annotates at night")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Your password").press("Enter")
    secret = page.get_by_label("annotates at night").input_value()
    assert projects(base_url, secret) == [PROJECT]

    page.goto("/api/")
    page.get_by_role("button", name="Authorize").first.click()
    page.get_by_label("Value").or_(page.locator(".auth-container input")).first.fill(secret)
    page.locator(".auth-container").get_by_role("button", name="Apply credentials").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_text("List the projects").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table")).to_contain_text(f'"slug": "{PROJECT}"')

    page.goto("/account/tokens/")
    row = page.get_by_role("listitem").filter(has_text="annotates at night")
    expect(row).to_contain_text("last used")
    row.get_by_role("button", name="Revoke…").click()
    keys(page).press("Escape")
    expect(row.get_by_role("button", name="Revoke…")).to_be_focused()
    keys(page).press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Revoke it").click()
    expect(page.get_by_text("Revoked. Scripts that use it are refused")).to_be_visible()
    expect(row).not_to_be_attached()
    with pytest.raises(HTTPError, match="401"):
        projects(base_url, secret)


def test_the_page_of_the_api_says_so_if_its_schema_cannot_be_fetched(site: Site, page: Page):
    Desk(site, page, "thea", password=PASSWORD).sign_in()
    page.route("**/schema.json", lambda route: route.abort())
    page.goto("/api/")
    expect(page.get_by_text("Failed to fetch")).to_be_visible()
