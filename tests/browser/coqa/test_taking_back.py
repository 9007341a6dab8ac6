"""Taking a question back while the partner has not begun to answer it: a button, or ↑."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import answers
from tests.waiting.settled import settled


@pytest.fixture
def asked(pair):
    """The questioner has asked; the answerer has the question before them."""
    questioner, answerer = pair()
    questioner.ask("Who steerd?").waiting()
    return questioner, answerer.at("answer-1")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
@pytest.mark.parametrize("how", ["arrow", "button"])
def test_the_question_is_in_the_box_again_and_gone_from_the_other_page(asked, how, site):
    questioner, answerer = asked
    if how == "arrow":
        questioner.press("ArrowUp")
    else:
        questioner.page.get_by_role("button", name="Take back").click()
    box = questioner.at("question-1").page.locator("#text")
    expect(box).to_have_value("Who steerd?")
    expect(box).to_be_focused()
    answerer.waiting()
    expect(answerer.page.locator("body")).not_to_contain_text("Who steerd?")
    box.fill("Who steered?")
    questioner.press("Control+Enter").waiting()
    expect(answerer.at("answer-1").page.get_by_role("heading", name="Who steered?")).to_be_visible()
    assert [one.get("text") for one in answers(site, questioner.name)] == ["Who steerd?", None, "Who steered?"]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_the_answerer_who_has_only_selected_words_is_told_and_nothing_fails(asked):
    questioner, answerer = asked
    failed = []
    answerer.page.on("console", lambda said: failed.append(said.text) if said.type == "error" else None)
    answerer.drag("Captain Odile Brandt")
    passage = answerer.page.locator("#material").bounding_box()
    questioner.press("ArrowUp")
    answerer.waiting()
    told = "Your partner has taken back what they sent last."
    notice = answerer.page.locator("[data-notices]").get_by_text(told)
    expect(notice).to_be_visible()
    assert answerer.page.locator("#material").bounding_box()["y"] == passage["y"]
    expect(answerer.page.locator("#screen [data-live]")).to_contain_text(told)
    answerer.page.get_by_role("button", name="Close this notice").click()
    expect(notice).to_have_count(0)
    settled(answerer.page)  # what the page sent when it was left has been answered
    assert failed == []


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_once_a_rationale_is_marked_it_is_already_being_answered(asked):
    questioner, answerer = asked
    answerer.mark("Captain Odile Brandt")
    answerer.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    button = questioner.page.locator("[data-withdraw]")
    place = questioner.page.locator("[data-withdrawable]").bounding_box()
    expect(button).to_be_hidden()
    expect(questioner.page.get_by_text("Your partner has begun to answer")).to_be_visible()
    assert questioner.page.locator("[data-withdrawable]").bounding_box() == place
    questioner.press("ArrowUp")
    settled(questioner.page)
    questioner.waiting()
    expect(answerer.page.locator("#text")).to_have_value("Captain Odile Brandt")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_arrows_in_the_passage_still_scroll_it(asked):
    questioner, _ = asked
    questioner.press("Alt+p", "ArrowUp")
    settled(questioner.page)
    questioner.waiting()
    expect(questioner.page.get_by_role("button", name="Take back")).to_be_visible()
