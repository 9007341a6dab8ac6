"""A form that was sent after its session had ended is sent again once its person has signed in, in another tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import PROJECT, Desk

PASSWORD = "a few easy words"
TEXT = "May a list be the long answer?\n\nIt has three entries."


@pytest.fixture
def yara(site, page):
    return Desk(site, page, "yara-signs-in", password=PASSWORD).sign_in()


@pytest.mark.in_test_all(
    shown_by="tests/frontend/test_unsent_forms.py"
    "::test_what_was_written_is_in_the_page_and_can_be_sent_again_after_signing_in"
)
def test_a_message_that_was_written_after_the_session_had_ended_arrives(yara):
    page = yara.page
    page.goto(f"{yara.site.url}/projects/{PROJECT}/messages/")
    page.get_by_role("textbox").fill(TEXT)
    page.context.clear_cookies(name="goldfinch_session")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="You are signed out, so this was not sent")).to_be_visible()
    expect(page.get_by_text("It has three entries.").first).to_be_visible()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Sign in").last.click()
    other = opened.value
    other.get_by_label("User name").fill(yara.name)
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="Send it now").click()
    expect(page).to_have_url(f"{yara.site.url}/projects/{PROJECT}/messages/")
    expect(page.get_by_text("It has three entries.")).to_be_visible()
