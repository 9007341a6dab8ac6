"""The browser's back button after the page was shown, and the keys that move to the parts of the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk


@pytest.fixture
def bo(site, page):
    return Desk(site, page, "bo-back").take_up()


def test_back_button_after_reveal_s1_is_shown_read_only_and_there_is_no_second_choice(bo):
    page = bo.page
    question = page.url
    bo.good()
    bo.press("g")
    page.goto(f"{question}question/")
    expect(page.get_by_role("heading", name="You judged this question good")).to_be_visible()
    expect(page.locator("[name=verdict]")).to_have_count(0)
    page.get_by_role("button", name="Leave a note").click()
    note, leave = page.get_by_label("What would you say now?"), page.get_by_role("button", name="Leave the note")
    note.fill("…")
    leave.click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("Write something.")
    expect(note).to_have_value("…")
    note.fill("It asks for an opinion.")
    leave.click()
    expect(page.get_by_text("A lead reads this")).to_be_visible()
    page.go_back()
    bo.at("long_answer")
    page.go_back()
    expect(page.locator("#screen[data-started]")).to_be_visible()
    expect(page.locator("[name=verdict]")).to_have_count(0)
    assert bo.answers() == [{"verdict": "good"}]


@pytest.fixture
def lou(site, page):
    return Desk(site, page, "lou-landmarks").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_keys_of_every_stage.py"
    "::test_alt_shift_and_a_letter_go_to_the_text_the_question_and_the_answer"
)
def test_alt_shift_d_q_and_a_move_focus_to_document_question_and_answer(lou):
    page = lou.page
    for key, place in (("q", "[data-prompt]"), ("a", "[data-answer]"), ("d", "iframe[data-frame]")):
        lou.press(f"Alt+Shift+{key.upper()}")
        expect(page.locator(place).first).to_be_focused()
