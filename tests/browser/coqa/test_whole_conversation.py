"""Two browsers hold a conversation and end it by agreement; then somebody guesses and compares.

The turns in the middle, which are like others, come from the services; twelve in browsers are in test_over_a_socket.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.coqa.desk import TALK, TalkDesk, answers, guessed, talked
from tests.browser.coqa.playing import begin_game, converse, end, guess


def takes_back(questioner: TalkDesk, answerer: TalkDesk) -> None:
    """A first question with a slip, which is in the box again, and gone from the other page."""
    questioner.at("question-1").ask("What knid?").waiting()
    expect(answerer.at("answer-1").page.locator("h1")).to_be_focused()
    questioner.page.get_by_role("button", name="Take back").click()
    box = questioner.at("question-1").page.locator("#text")
    expect(box).to_have_value("What knid?")
    expect(box).to_be_focused()
    answerer.waiting()
    expect(answerer.page.locator("body")).not_to_contain_text("What knid?")
    box.fill("")


def test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played(pair, newcomer, site):
    questioner, answerer = pair()
    takes_back(questioner, answerer)
    converse(questioner, answerer, TALK[:2])
    questioner.at("question-3")
    expect(questioner.page.locator("[data-live]")).to_have_text(f"Your partner: {TALK[1][2]}")
    expect(questioner.page.locator("#text")).to_be_focused()
    talked(site, questioner.name, answerer.name, first=3)
    for desk in (questioner, answerer):
        desk.page.reload()
    converse(questioner, answerer, TALK[-1:], first=11)
    questioner.at("question-12")
    assert questioner.turns() == [text for question, _, answer in TALK for text in (question, answer)]
    end(questioner, answerer, turn=12)

    (slip, taken_back, *asked), said = answers(site, questioner.name), answers(site, answerer.name)
    assert (slip["text"], taken_back.get("text")) == ("What knid?", None)
    assert [one["text"] for one in asked[:-1]] == [question for question, _, _ in TALK]
    assert asked[-1] == {"kind": "ended", "why": "done", "reason": ""}
    assert [one.get("rationale", {}).get("quote") for one in said[:-1]] == [rationale for _, rationale, _ in TALK]
    assert [one["kind"] for one in said[:-1]] == ["answered", "no", *["answered"] * 3, "unknown", *["answered"] * 5]
    assert said[-1] == {"agreed": True}

    player = newcomer("petra")
    begin_game(player)
    guess(player, TALK, range(1, 3), wrong=2)
    player.at("guess-3")
    guessed(site, player.name, first=3)
    player.page.reload()
    guess(player, TALK, [11])
    player.page.locator("#screen[data-stage^='verdict']").wait_for(state="detached")
    verdicts = [one["verdict"] for one in answers(site, player.name) if "verdict" in one]
    assert verdicts == ["match", "no_match"] + ["match"] * 9
