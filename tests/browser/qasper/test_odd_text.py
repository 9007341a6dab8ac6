"""Text with carriage returns and unusual separators can be chosen, and is stored verbatim."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import SECTIONS, PaperDesk


@pytest.fixture
def otto(site, page):
    return PaperDesk(site, page, "otto-odd", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
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


@pytest.fixture
def rolf(site, page):
    return PaperDesk(site, page, "rolf-refers", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_references_are_drawn_for_readers_and_stored_as_they_are(rolf):
    page, sentence = rolf.page, rolf.sentence("Bells are old")
    expect(sentence).to_have_text("Bells are old 🔔 [1].")
    sentence.click()
    expect(page.locator("[data-tray] q")).to_have_text("Bells are old 🔔 [1].")


@pytest.fixture
def frans(site, page):
    return PaperDesk(site, page, "frans-formulas", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_formulas_are_drawn_short_ones_too_and_prices_are_not(frans):
    drawn = frans.page.locator("[data-paper] .maths.set")
    expect(drawn).to_have_count(3)
    assert [each.get_attribute("title") for each in drawn.all()] == ["$k = 5$", "$p_i > \\tau $", "$d(s, p)$"]
    expect(frans.sentence("It costs")).to_contain_text("It costs $5 or $9 and lasts")
