"""Two browsers hold a conversation and end it by agreement; then somebody guesses and compares.

The turns in the middle, which are like others, come from the services; twelve in browsers are in test_over_a_socket.
"""

from __future__ import annotations

from tests.browser.coqa.desk import TALK, answers, guessed, talked
from tests.browser.coqa.playing import begin_game, converse, end, guess


def test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played(pair, newcomer, site):
    questioner, answerer = pair()
    converse(questioner, answerer, TALK[:3])
    questioner.at("question-4")
    talked(site, questioner.name, answerer.name, first=4)
    for desk in (questioner, answerer):
        desk.page.reload()
    converse(questioner, answerer, TALK[-1:], first=11)
    questioner.at("question-12")
    assert questioner.turns() == [text for question, _, answer in TALK for text in (question, answer)]
    end(questioner, answerer, turn=12)

    asked, said = answers(site, questioner.name), answers(site, answerer.name)
    assert [one["text"] for one in asked[:-1]] == [question for question, _, _ in TALK]
    assert asked[-1] == {"kind": "ended", "why": "done", "reason": ""}
    assert [one.get("rationale", {}).get("quote") for one in said[:-1]] == [rationale for _, rationale, _ in TALK]
    assert [one["kind"] for one in said[:-1]] == ["answered", "no", *["answered"] * 3, "unknown", *["answered"] * 5]
    assert said[-1] == {"agreed": True}

    player = newcomer("petra")
    begin_game(player)
    guess(player, TALK, range(1, 5), wrong=4)
    player.at("guess-5")
    guessed(site, player.name, first=5)
    player.page.reload()
    guess(player, TALK, [11])
    player.page.locator("#screen[data-stage^='verdict']").wait_for(state="detached")
    verdicts = [one["verdict"] for one in answers(site, player.name) if "verdict" in one]
    assert verdicts == ["match"] * 3 + ["no_match"] + ["match"] * 7
