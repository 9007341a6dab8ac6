"""The annotator's first five minutes, from the invitation to the first answer; later, a second step in the dialog."""

from __future__ import annotations

import copy

import pytest
from playwright.sync_api import Page, expect

from tests import second_step
from tests.browser.desk import PROJECT, Desk
from tests.site import Site
from tests.waiting.settled import keys

NAME, PASSWORD = "adele", "a few easy words"


@pytest.fixture(scope="module")
def lead(site: Site, browser, base_url):
    """A lead at home."""
    with browser.new_context(base_url=base_url) as context:
        yield Desk(site, context.new_page(), "ines-lead", role="lead").sign_in()


def invited_by(lead: Desk, name: str) -> str:
    """A link for somebody, read by the lead who has made it."""
    lead.page.goto(f"/projects/{PROJECT}/people/")
    lead.page.get_by_label("Whom, one on each line").fill(name)
    lead.page.get_by_role("button", name="Make links").click()
    return lead.page.get_by_role("textbox", name=name).input_value()


def joined(lead: Desk, page: Page, name: str) -> Desk:
    """Somebody at their first piece of work, led there by what each page offers, by its button or its key."""
    page.goto(invited_by(lead, name))
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Make my account and join").click()
    page.get_by_role("button", name="I agree").wait_for()
    keys(page).press("Control+Enter")
    page.get_by_role("button", name="Begin").wait_for()
    keys(page).press("1")
    newcomer = copy.copy(lead)
    newcomer.page, newcomer.name = page, name
    return newcomer.at("question")


def test_the_first_five_minutes_lead_from_the_invitation_to_the_first_answer(lead, page):
    newcomer = joined(lead, page, NAME).good()
    assert newcomer.answers() == [{"verdict": "good"}]
    lead.page.goto(f"/projects/{PROJECT}/people/")
    expect(lead.page.locator("#invitations tr", has_text=NAME)).to_contain_text(f"as {NAME}")
    expect(lead.page.locator("#members tr", has_text=NAME)).to_be_visible()


def test_the_dialog_over_a_work_page_asks_for_the_code_of_a_second_step(site, page, context):
    desk = Desk(site, page, "berta", password=PASSWORD).take_up()
    account = context.new_page()
    account.goto("/account/second-step/")
    account.get_by_label("Password", exact=True).fill(PASSWORD)
    account.get_by_label("Password", exact=True).press("Enter")
    account.locator(".secret").wait_for()
    second_step.set_up(account)
    [recovery, *_more] = account.locator("#codes").input_value().split()
    context.clear_cookies()
    desk.press("g", "Control+Enter")
    dialog = page.get_by_role("dialog", name="Please sign in again")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in and go on").click()
    given = dialog.get_by_label("Code from your app")
    given.fill("000000")
    dialog.get_by_role("button", name="Sign in and go on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This code is not right")
    given.fill(recovery)
    dialog.get_by_role("button", name="Sign in and go on").click()
    desk.at("long_answer")
    assert desk.answers() == [{"verdict": "good"}]
