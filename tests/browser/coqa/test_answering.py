"""The answerer's screen: first the rationale, which is copied, then the answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import answers
from tests.waiting.settled import keys

LONG = "she moved to the front bench and let herself be stroked by anyone who sat still"


@pytest.fixture
def answerer(pair):
    return pair(asked=True)[1]


def box(desk):
    return desk.page.locator("#text")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_the_rationale_is_copied_with_the_caret_at_its_end(answerer, site):
    answerer.mark("the front bench")
    keys(answerer.page).type(", of course")
    expect(box(answerer)).to_have_value("the front bench, of course")
    answerer.press("Control+Enter").waiting()
    [said] = answers(site, answerer.name)
    assert (said["kind"], said["text"]) == ("answered", "the front bench, of course")
    assert said["rationale"]["quote"] == "the front bench"


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_marked_words_and_the_answer_beside_them_are_sent_by_one_press(answerer, site):
    answerer.drag("the front bench")
    expect(box(answerer)).to_have_value("the front bench")
    expect(answerer.page.locator("[data-pending-chip]")).to_contain_text("3 words, being marked")
    answerer.press("Control+Enter").waiting()
    [said] = answers(site, answerer.name)
    assert (said["text"], said["rationale"]["quote"]) == ("the front bench", "the front bench")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_without_a_rationale_nothing_is_sent(answerer):
    box(answerer).fill("On a bench")
    answerer.press("Control+Enter")
    problem = "First mark the words of the passage that support the answer."
    expect(answerer.page.locator("[data-problems]")).to_have_text(problem)


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_answering.py::test_an_edited_answer_outlasts_a_reload_another_rationale_and_unknown"
)
def test_a_nudged_rationale_keeps_the_edited_answer_and_asks_nothing(answerer):
    answerer.mark("the front bench")
    box(answerer).fill("In front")
    answerer.drag("to the front bench")
    answerer.page.locator("[data-span-add]").click()
    expect(answerer.page.locator("[data-spans] q")).to_have_text("to the front bench")
    expect(box(answerer)).to_have_value("In front")
    expect(answerer.page.locator("[data-advice=replaced]")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_an_answer_that_was_not_edited_follows_the_rationale(answerer):
    answerer.mark("the front bench")
    answerer.drag("eleven years")
    answerer.page.locator("[data-span-add]").click()
    expect(box(answerer)).to_have_value("eleven years")


def test_an_edited_answer_outlasts_a_reload_another_rationale_and_unknown(answerer, site):
    page, asks = answerer.page, answerer.page.locator("[data-advice=replaced]")
    answerer.mark("the front bench")
    box(answerer).fill("In front")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    page.reload()
    answerer.at("answer-1")
    expect(page.locator("[data-spans] q")).to_have_text("the front bench")
    expect(box(answerer)).to_have_value("In front")

    answerer.drag("eleven years")
    page.locator("[data-span-add]").click()
    expect(asks).to_be_visible()
    expect(box(answerer)).to_have_value("In front")
    asks.get_by_role("button", name="Replace it").click()
    expect(box(answerer)).to_have_value("eleven years")
    expect(asks).to_be_hidden()

    answerer.press("Alt+u")
    expect(box(answerer)).to_be_hidden()
    expect(page.locator("[data-rationale-part]")).to_be_hidden()
    answerer.drag("On the third")
    expect(page.locator("[data-pending-bar]")).to_be_hidden()
    answerer.press("Alt+u")
    expect(box(answerer)).to_have_value("eleven years")
    expect(page.locator("[data-spans] q")).to_have_text("eleven years")
    answerer.press("Alt+u", "Control+Enter").waiting()
    assert answers(site, answerer.name) == [{"kind": "unknown", "may_end": False}]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_a_long_copy_is_asked_about_once(answerer, site):
    answerer.mark(LONG)
    answerer.press("Control+Enter")
    expect(answerer.page.locator("[data-advice=long]")).to_be_visible()
    answerer.press("Control+Enter").waiting()
    assert [one["text"] for one in answers(site, answerer.name)] == [LONG]


def test_everything_can_be_done_by_keyboard(answerer, site):
    answerer.press("s", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter", "Escape")
    expect(box(answerer)).not_to_have_value("")
    box(answerer).focus()
    answerer.press("Control+Enter").waiting()
    [said] = answers(site, answerer.name)
    assert said["text"] == said["rationale"]["quote"]


@pytest.mark.in_test_all(shown_by="tests/browser/test_long_words.py::test_a_question_is_whole_on_the_work_screens")
def test_a_question_of_one_long_word_stays_clear_of_the_button_that_flags_it(pair):
    questioner, answerer = pair(viewport={"width": 390, "height": 800})
    questioner.ask("W" * 150 + "?").waiting()
    page = answerer.at("answer-1").page
    words, flag = page.locator(".prompt h1"), page.locator(".prompt [data-flag]").bounding_box()
    right = words.evaluate(
        "(one) => { const all = new Range(); all.selectNodeContents(one); return all.getBoundingClientRect().right; }"
    )
    assert flag is not None
    assert right <= flag["x"]
