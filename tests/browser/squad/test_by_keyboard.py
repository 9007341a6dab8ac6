"""Asking about a paragraph and answering from it, by keyboard and by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.squad.desk import ParagraphDesk
from tests.waiting.settled import keys


@pytest.fixture
def kim(site, page):
    return ParagraphDesk(site, page, "kim", "ask").begin()


def test_questions_are_asked_by_keys_alone(kim):
    page = kim.page
    kim.press("Alt+ArrowDown")
    expect(page.get_by_label("Question 1", exact=True)).to_be_focused()
    keys(page).type("Which animal is it named after?")
    kim.press("Enter", "Enter")  # from the question to the button below it, and into select mode
    kim.press("ArrowRight", "Enter", "Escape")
    expect(page.locator("[data-spans] q")).to_have_text(["🦊"])
    kim.press("Alt+ArrowDown")
    expect(page.get_by_label("Question 2", exact=True)).to_be_focused()
    keys(page).type("Where does it stand?")
    kim.press("Alt+ArrowUp")
    expect(page.get_by_label("Question 1", exact=True)).to_be_focused()
    kim.press("Alt+ArrowDown", "Enter", "Enter")
    kim.press(*["ArrowRight"] * 4, " ", "Enter", "Escape", "Control+Enter")
    page.get_by_role("button", name="Write a question").wait_for()
    [asked] = kim.answers()
    assert [(one["text"], one["span"]["quote"]) for one in asked["questions"]] == [
        ("Which animal is it named after?", "🦊"),
        ("Where does it stand?", "Skerrow"),
    ]


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_the_answer_scrolls_and_not_the_page_however_many_questions_there_are(kim):
    page = kim.page
    for number in range(1, 6):
        kim.press("Alt+ArrowDown")
        expect(page.get_by_label(f"Question {number}", exact=True)).to_be_focused()
        keys(page).type("Who built it?")
    kim.press("Tab")
    assert page.evaluate("() => [document.documentElement.scrollHeight - innerHeight, scrollY]") == [0, 0]
    assert page.locator(".answer").evaluate("(answer) => answer.scrollTop") > 0


@pytest.fixture
def lars(site, page):
    return ParagraphDesk(site, page, "lars", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_by_mouse.py::test_marked_words_are_the_answer_and_no_answer_puts_them_away"
)
def test_a_question_is_answered_by_keys_alone(lars):
    page = lars.page
    lars.press("n")
    expect(page.get_by_role("radio", name="No answer")).to_be_checked()
    lars.press("s", "Control+ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter", "Escape")
    expect(page.get_by_role("radio", name="Words")).to_be_checked()
    expect(page.locator("[data-spans] q")).to_have_text(["light can"])
    first = page.locator("#screen").get_attribute("data-work")
    lars.press("Control+Enter")
    page.locator(f"#screen[data-started]:not([data-work='{first}'])").wait_for()
    lars.press("n", "Control+Enter")
    second = page.locator("#screen").get_attribute("data-work")
    page.locator(f"#screen[data-started]:not([data-work='{second}'])").wait_for()
    marked, none = lars.answers()
    assert marked["span"]["quote"] == "light can"
    assert none == {"kind": "unanswerable"}


@pytest.fixture
def mona(site, page):
    return ParagraphDesk(site, page, "mona", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_a_pasted_quote_is_found(mona):
    page = mona.page
    page.get_by_text("Paste a quote instead").click()
    page.get_by_label("Quote from the text").fill("anna  HOLT")
    page.get_by_role("button", name="Find it").click()
    expect(page.locator("[data-pending-words]")).to_have_text("Anna Holt")
    page.get_by_role("button", name="Add these words").click()
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Holt"])


@pytest.fixture
def nora(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield ParagraphDesk(site, context.new_page(), "nora", "ask").begin()
    context.close()


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_on_a_narrow_screen_the_sheet_closes_for_marking(nora):
    page = nora.page
    grip = page.locator(".grip")
    grip.tap()
    page.get_by_label("Question 1", exact=True).fill("Who was the architect?")
    page.get_by_role("button", name="Mark words").tap()
    expect(grip).to_have_attribute("aria-expanded", "false")
    passage = page.locator("[data-passage]")
    passage.tap(position={"x": 8, "y": 14})
    expect(page.locator("[data-pending-words]")).to_have_text("The")
    page.get_by_role("button", name="End later").tap()
    page.get_by_role("button", name="Add these words").tap()
    expect(grip).to_contain_text("Question 1: The 🦊")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def kay(site, page):
    return ParagraphDesk(site, page, "kay", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_a_question_without_a_letter_or_a_digit_is_named_before_it_is_sent(kay):
    page, question = kay.page, kay.page.get_by_label("Question 1", exact=True)
    question.fill("…?")
    kay.mark("Anna Holt").press("Control+Enter")
    expect(page.locator("[data-problems]")).to_have_text("Question 1: write the question, or remove it.")
    expect(question).to_be_focused()
