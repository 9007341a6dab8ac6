"""Answering a question from its documents by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.dureader.desk import DocumentsDesk, answer


def test_a_question_is_told_its_type_and_answered_with_entities_by_keys_alone(site, page):
    kim = DocumentsDesk(site, page, "kim", "").begin()
    kim.press("Control+Enter")
    kim.problem("Say what would answer the question.")
    kim.press("2", "f", "Control+Enter").at("answers")
    kim.press("j", "m", "j", "j", "m", "k", "m", "m")
    expect(page.locator("[data-used-count]")).to_have_text("2 documents used")
    kim.press("Alt+ArrowDown")
    expect(kim.box(1)).to_be_focused()
    kim.type("Skerrow, and m j k n 1 2 3")  # letters are only letters here
    expect(page.locator("[data-used-count]")).to_have_text("2 documents used")
    expect(page.get_by_role("radio", name="No answer here")).not_to_be_checked()
    kim.press("Tab").type("Skerrow").press("Enter").type("Vik").press("Enter")
    expect(kim.entities(1)).to_have_text(["Skerrow", "Vik"])
    kim.press("Alt+ArrowDown")
    expect(kim.box(2)).to_be_focused()
    kim.type("Only Borgen").press("Tab").type("Borgen")  # sending takes what is still in the field
    kim.press("Alt+ArrowUp")
    expect(kim.box(1)).to_be_focused()
    sent = kim.send()
    assert sent == {
        "answers": [
            answer("Skerrow, and m j k n 1 2 3", entities=("Skerrow", "Vik")),
            answer("Only Borgen", entities=("Borgen",)),
        ],
        "used": [0, 2],
    }
    assert kim.answers()[0] == {"question_type": "ENTITY", "fact_or_opinion": "FACT"}


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_keyboard.py"
    "::test_a_question_is_told_its_type_and_answered_with_entities_by_keys_alone"
)
def test_opinions_are_given_by_the_arrows_and_each_is_asked_for(site, page):
    lars = DocumentsDesk(site, page, "lars", "YES_NO").begin()
    lars.press("n", "n", "m", "Alt+ArrowDown").type("The towns say so.")
    lars.press("Control+Enter")
    lars.problem("Answer 1: say whether it is yes, no, or depends.")
    lars.press("Tab", "Space", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    lars.press("Alt+ArrowDown").type("The towns say so.").press("Tab", "ArrowRight")
    assert lars.send() == {
        "answers": [
            answer("The towns say so.", opinion="Depends"),
            answer("The towns say so.", opinion="No"),
        ],
        "used": [0],
    }
