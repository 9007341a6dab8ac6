"""Text with carriage returns and unusual separators can be chosen, and is stored verbatim."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import SECTIONS, PaperDesk


@pytest.fixture
def otto(site, page):
    return PaperDesk(site, page, "otto-odd", "answer").begin()


def test_a_paragraph_with_carriage_returns_is_chosen_verbatim(otto):
    page, (text,) = otto.page, SECTIONS[-1]["paragraphs"]
    assert "\r" in text
    paragraph = page.locator("[data-passage='4']")
    assert paragraph.evaluate("each => each.textContent") == text
    for sentence in paragraph.locator("[data-sentence]").all():
        sentence.click()
    expect(page.locator("[data-tray] li")).to_have_count(1)
    page.get_by_label("Own words").check()
    page.get_by_role("textbox", name="Your answer").fill("it came late")
    page.get_by_role("button", name="Keep this answer – question 2").click()
    page.locator(".questions a.committed").wait_for()
    assert otto.answers()[0]["evidence"][0]["quote"] == text
    expect(page.get_by_text("Licence of this paper: not stated")).to_be_attached()
