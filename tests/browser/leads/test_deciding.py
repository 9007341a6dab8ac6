"""A lead decides on the page of an item: by keyboard, and in a browser without any script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.desk import PROJECT, Desk, furnish
from tests.waiting.settled import keys

FINISHED = f"""
from annotation.models import Project
from tests.builders import Worker
from tests.people import join
project = Project.objects.get(slug="{PROJECT}")
mine = Worker(join(project, "ida-finished"), project).finish_bad()
print("ITEM", mine.task.item_id)
"""


@pytest.fixture
def lea(site, page):
    return Desk(site, page, "lea-decides", role="lead").sign_in()


@pytest.fixture
def lars(site, browser):
    """A lead whose browser runs no script."""
    context = browser.new_context(java_script_enabled=False)
    yield Desk(site, context.new_page(), "lars-decides", role="lead")
    context.close()


@pytest.fixture(scope="module")
def address(site):
    """The page of an item that somebody has answered."""
    furnish(site)
    item = re.search(r"ITEM (\d+)", site.manage("shell", "-c", FINISHED))[1]
    return f"{site.url}/projects/{PROJECT}/items/{item}/"


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_the_dialog_opens_at_the_reason_and_escape_gives_the_focus_back(lea, address):
    page = lea.page
    page.goto(address)
    button = page.get_by_role("button", name="Exclude…")
    button.focus()
    lea.press("Enter")
    reason = page.get_by_role("dialog").get_by_label("Reason")
    expect(reason).to_be_focused()
    keys(page).type("typed before thinking")
    lea.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()
    expect(page.locator(".version.excluded")).to_have_count(0)


@pytest.mark.in_test_all(
    shown_by="tests/browser/hour/test_leads_hour.py"
    "::test_a_lead_and_two_invited_people_make_two_releases_without_a_shell"
)
def test_it_all_works_without_a_script(lars, address):
    page = lars.page
    lars.sign_in()
    page.goto(address)
    for label, confirm, state in (("Exclude…", "Exclude", 1), ("Include again…", "Include again", 0)):
        page.get_by_role("button", name=label).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Reason").fill(f"because of {label}")
        dialog.get_by_role("button", name=confirm).click()
        expect(page.locator(".version.excluded")).to_have_count(state)
    expect(page.locator(".decided li")).to_have_count(2)
