"""The questioner's screen: advice about words of the passage, drafts, and the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import answers
from tests.waiting.settled import keys, settled


@pytest.fixture
def questioner(pair):
    return pair()[0]


def advice(desk):
    return desk.page.locator("[data-advice=overlap]")


def underlined(desk):
    return desk.page.locator("[data-echo] mark").all_inner_texts()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_words_of_the_passage_are_pointed_out_while_typing_and_sent_all_the_same(questioner, site):
    page = questioner.page
    keys(page).type("Whom did she ")
    expect(advice(questioner)).to_be_hidden()
    keys(page).type("follow, the Smallest boy?")
    expect(advice(questioner)).to_contain_text("Smallest and boy are in the passage. Can you ask in other words?")
    assert underlined(questioner) == ["Smallest", "boy"]
    assert page.locator("#text").input_value() == "Whom did she follow, the Smallest boy?"
    expect(page.locator("[data-live]")).to_contain_text("Smallest and boy are in the passage.")
    questioner.press("Control+Enter").waiting()
    assert [one["text"] for one in answers(site, questioner.name)] == ["Whom did she follow, the Smallest boy?"]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_the_advice_goes_when_the_words_go(questioner):
    page = questioner.page
    keys(page).type("captain")
    expect(advice(questioner)).to_contain_text("captain is in the passage.")
    page.locator("#text").fill("Who steered?")
    expect(advice(questioner)).to_be_hidden()
    assert underlined(questioner) == []


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_nothing_is_said_while_a_word_is_being_composed(questioner):
    page = questioner.page
    box = page.locator("#text")
    box.dispatch_event("compositionstart")
    box.fill("captain")
    settled(page)
    expect(advice(questioner)).to_be_hidden()
    expect(page.locator("[data-live]")).to_be_empty()
    box.dispatch_event("compositionend")
    expect(advice(questioner)).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_answering.py"
    "::test_an_edited_answer_outlasts_a_reload_another_rationale_and_unknown"
)
def test_a_reload_keeps_the_draft_and_at_first_neither_a_blank_question_nor_an_end_can_be_sent(questioner):
    page = questioner.page
    assert page.locator("[name=why]").count() == 0, "before the fifth answer there is no way to end"
    questioner.press("Control+Enter")
    expect(page.locator("[data-problems]")).to_have_text("Write a question.")
    keys(page).type("Who steered?")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    page.reload()
    questioner.at("question-1")
    expect(page.locator("#text")).to_have_value("Who steered?")
