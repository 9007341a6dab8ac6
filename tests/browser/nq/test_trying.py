"""A lead tries a question from its page: drafts, reloads, and at the end a page that counts nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk


@pytest.fixture
def lotta(site, page):
    """A lead on the page of the first question."""
    desk = Desk(site, page, "lotta-tries", role="lead").sign_in()
    page.goto(f"{site.url}/projects/{desk.slug}/items/?order=position")
    page.locator("main table a[href*='/items/']").first.click()
    return desk


def test_a_trial_keeps_its_draft_over_a_reload_and_ends_on_its_own_page(lotta):
    page = lotta.page
    page.get_by_role("button", name="Try it").click()
    lotta.at("question").press("b", "3").saved()
    page.reload()
    lotta.at("question")
    expect(page.get_by_label("False presupposition")).to_be_checked()
    lotta.press("Alt+s", "Alt+k")
    expect(page.locator("dialog[open], [data-notice]")).to_have_count(0)
    lotta.press("?")
    expect(page.locator("dialog#keys")).to_contain_text("report")
    expect(page.locator("dialog#keys")).not_to_contain_text("skip this")
    lotta.press("Escape")
    lotta.good().choose("Olaf Lund came from Oslo").saved()
    page.reload()
    lotta.at("long_answer")
    expect(lotta.frame.locator("[data-chosen]")).to_have_text("Olaf Lund came from Oslo.")
    lotta.press("Control+Enter")
    lotta.at("short_answer")
    lotta.press("s", "Shift+ArrowRight", "Enter", "Escape", "Control+Enter")
    expect(page.locator("main")).to_contain_text("It was a trial and counts nowhere")
    expect(page.locator("main")).to_contain_text("Olaf Lund came from Oslo")
    assert [answer.get("verdict") or answer["kind"] for answer in lotta.answers()[:3]] == ["good", "box", "spans"]
    page.get_by_role("button", name="Try it again").click()
    lotta.at("question")
    expect(page.get_by_label("False presupposition")).not_to_be_checked()
