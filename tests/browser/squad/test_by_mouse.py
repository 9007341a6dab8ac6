"""Asking about a paragraph and answering from it, by mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.squad.desk import TEXT, ParagraphDesk

HIGHLIGHTED = "CSS.highlights.has('span')"
"""Whether words of the paragraph are highlighted as the answer."""


@pytest.fixture
def desk(site, page):
    """A function that returns somebody who has started an activity."""

    def begin(name: str, activity: str) -> ParagraphDesk:
        return ParagraphDesk(site, page, name, activity).begin()

    return begin


def span(words):
    start = TEXT.index(words)
    return {"passage": 0, "start": start, "end": start + len(words), "quote": words}


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_two_questions_are_asked_each_with_its_own_words(desk):
    ada = desk("ada", "ask")
    page = ada.page
    page.get_by_label("Question 1", exact=True).fill("Who was the architect?")
    ada.mark("Anna Holt")
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Holt"])
    page.get_by_role("button", name="Add a question").click()
    expect(page.locator("[data-row='1'] [data-words]")).to_have_text("Anna Holt")
    expect(page.locator("[data-spans] li")).to_have_count(0)
    page.get_by_label("Question 2", exact=True).fill("When did she move to Skerrow?")
    page.locator("[data-row='2']").get_by_text("It only seems to").click()
    expect(page.get_by_role("heading", name="Words that look like an answer")).to_be_visible()
    ada.mark("1871")
    page.get_by_label("Question 1", exact=True).click()
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Holt"])
    page.get_by_role("button", name="Send 2 questions").click()
    page.get_by_role("button", name="Write a question").wait_for()
    [asked] = ada.answers()
    assert asked["questions"] == [
        {"kind": "answerable", "text": "Who was the architect?", "span": span("Anna Holt")},
        {"kind": "impossible", "text": "When did she move to Skerrow?", "span": span("1871")},
    ]
    marked = [data for kind, data in ada.lines() if kind == "spans_changed"]
    assert [(len(data["added"]), len(data["removed"])) for data in marked] == [(1, 0), (1, 0)]


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_a_question_without_words_is_not_sent_and_says_so_in_its_row(desk):
    bea = desk("bea", "ask")
    page = bea.page
    page.get_by_role("button", name="Write a question").click()
    expect(page.locator("[data-problems]")).to_have_text("Write at least one question.")
    page.get_by_label("Question 1", exact=True).fill("Who was the architect?")
    page.get_by_role("button", name="Send 1 question").click()
    expect(page.locator("[data-row='1'] [data-wrong]")).to_have_text("Question 1: mark its words in the paragraph.")
    expect(page.get_by_label("Question 1", exact=True)).to_be_focused()
    bea.mark("1871")
    expect(page.locator("[data-problems]")).to_be_empty()


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_a_question_in_the_words_of_the_paragraph_gets_advice_that_can_be_turned_down(desk):
    cleo = desk("cleo", "ask")
    page = cleo.page
    question = page.get_by_label("Question 1", exact=True)
    question.fill("Whose lighthouse of Skerrow was built then?")
    advice = page.locator("[data-advice='copied-1']")
    expect(advice).to_contain_text("“lighthouse of Skerrow was built”")
    question.fill("Who put up the lighthouse?")
    expect(advice).to_be_hidden()
    question.fill("Which light can be seen from 19 nautical miles?")
    page.get_by_role("button", name="No, keep it").click()
    expect(advice).to_be_hidden()
    cleo.mark("Skerrow")
    page.get_by_role("button", name="Send 1 question").click()
    page.get_by_role("button", name="Write a question").wait_for()
    assert [data for kind, data in cleo.lines() if kind == "advice_answered"] == [
        {"kind": "copied-1", "answer": "changed"},
        {"kind": "copied-1", "answer": "kept"},
    ]


@pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_by_mouse.py::test_marked_words_are_the_answer_and_no_answer_puts_them_away"
)
def test_a_question_that_is_removed_comes_back_with_its_words(desk):
    dora = desk("dora", "ask")
    page = dora.page
    page.get_by_label("Question 1", exact=True).fill("Who was the architect?")
    dora.mark("Anna Holt")
    page.get_by_role("button", name="Add a question").click()
    page.get_by_label("Question 2", exact=True).fill("How far does it shine?")
    dora.mark("19 nautical miles")
    page.get_by_role("button", name="Remove question 1").click()
    expect(page.get_by_label("Question 1", exact=True)).to_have_value("How far does it shine?")
    expect(page.locator("[data-row='2']")).to_be_hidden()
    page.locator("#material").focus()
    dora.press("u")
    expect(page.get_by_label("Question 1", exact=True)).to_have_value("Who was the architect?")
    expect(page.get_by_label("Question 2", exact=True)).to_have_value("How far does it shine?")
    dora.press("u")
    expect(page.locator("[data-row='2'] [data-words]")).to_have_text("No words marked yet")
    dora.saved()


@pytest.mark.in_test_all(shown_by="tests/browser/squad/test_by_keyboard.py::test_questions_are_asked_by_keys_alone")
def test_five_questions_are_the_maximum_and_a_draft_has_all_of_them(desk):
    eva = desk("eva", "ask")
    page = eva.page
    words = ("Skerrow", "1871", "Anna Holt", "Edinburgh", "1964")
    for number, quote in enumerate(words, start=1):
        if number > 1:
            page.get_by_role("button", name="Add a question").click()
        page.get_by_label(f"Question {number}", exact=True).fill(f"What is number {number}?")
        eva.mark(quote)
    expect(page.get_by_role("button", name="Add a question")).to_be_hidden()
    eva.saved()
    page.reload()
    eva.ready()
    expect(page.locator("[data-spans] q")).to_have_text(["1964"])  # the question that was at work
    for number, quote in enumerate(words[:4], start=1):
        expect(page.locator(f"[data-row='{number}'] [data-words]")).to_have_text(quote)
    page.get_by_role("button", name="Send 5 questions").click()
    page.get_by_role("button", name="Write a question").wait_for()
    [asked] = eva.answers()
    assert [one["span"]["quote"] for one in asked["questions"]] == list(words)


def test_marked_words_are_the_answer_and_no_answer_puts_them_away(desk):
    finn = desk("finn", "answer")
    page = finn.page
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-problems]")).to_contain_text("Mark the words that answer, or choose No answer.")
    finn.mark("Anna Holt")
    expect(page.get_by_role("radio", name="Words")).to_be_checked()
    assert page.evaluate(HIGHLIGHTED)
    page.get_by_text("No answer").click()
    expect(page.locator("[data-spans]")).to_be_hidden()
    assert not page.evaluate(HIGHLIGHTED)
    page.locator("#material").focus()
    finn.press("u")
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Holt"])
    assert page.evaluate(HIGHLIGHTED)
    first = page.locator("#screen").get_attribute("data-work")
    page.get_by_role("button", name="Send").click()
    page.locator(f"#screen[data-started]:not([data-work='{first}'])").wait_for()
    page.get_by_text("No answer").click()
    second = page.locator("#screen").get_attribute("data-work")
    page.get_by_role("button", name="Send").click()
    page.locator(f"#screen[data-started]:not([data-work='{second}'])").wait_for()
    assert finn.answers() == [{"kind": "span", "span": span("Anna Holt")}, {"kind": "unanswerable"}]
