"""A page that waits follows the partner by itself, and says what they have said."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.waiting.settled import settled


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_what_the_partner_said_is_spoken_and_the_caret_is_in_the_box(pair):
    questioner, answerer = pair()
    questioner.ask("Who is Pip?").waiting()
    answerer.at("answer-1")
    expect(answerer.page.locator("h1")).to_be_focused()
    answerer.say("a grey cat", "A grey cat").press("Control+Enter").waiting()
    questioner.at("question-2")
    expect(questioner.page.locator("[data-live]")).to_have_text("Your partner: A grey cat")
    expect(questioner.page.locator("#text")).to_be_focused()


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_over_a_socket.py::test_after_a_cut_the_page_catches_up_and_is_poked_again"
)
def test_after_a_cut_connection_the_page_catches_up(pair):
    questioner, answerer = pair()
    answerer.page.context.set_offline(True)
    questioner.ask("Who is Pip?").waiting()
    expect(answerer.page.locator("[data-notice=connection]")).to_be_visible()
    answerer.page.context.set_offline(False)
    answerer.at("answer-1")
    expect(answerer.page.locator("h1")).to_have_text("Who is Pip?")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_leaving_again.py"
    "::test_the_second_time_one_says_why_or_goes_back_to_what_one_wrote"
)
def test_a_partner_who_leaves_ends_the_wait(pair):
    questioner, answerer = pair()
    questioner.press("Alt+s")
    questioner.page.get_by_role("button", name="Leave Ctrl ↵").click()
    questioner.page.get_by_text("You have left.").wait_for()
    answerer.page.get_by_role("heading", name="Your partner has left").wait_for()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_lobby.py::test_who_loses_the_partner_is_told_and_finds_the_way_back_into_the_lobby"
)
def test_who_has_to_sign_in_again_is_said_to_do_so(pair):
    questioner, answerer = pair()
    does = answerer.page.locator("[data-partner-does]")
    questioner.page.context.clear_cookies(name="goldfinch_session")
    expect(does).to_have_text("Your partner is signing in again …", timeout=30_000)


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_who_reads_an_earlier_step_is_not_led_away_from_it(pair):
    page = pair(turn=2)[0].page
    page.goto("/".join(page.url.split("/")[:5]) + "/question-1/")
    sealed = page.get_by_text("Sent. It can’t be changed any more.")
    expect(sealed).to_be_attached()
    page.evaluate("dispatchEvent(new Event('focus'))")  # a page that follows its partner looks now
    settled(page)
    expect(sealed).to_be_attached()
