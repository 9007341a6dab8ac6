"""Two browsers hold a conversation and end it by agreement; then somebody guesses and compares."""

from __future__ import annotations

from tests.browser.coqa.desk import TALK, answers
from tests.browser.coqa.playing import converse, end, play


def test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played(pair, newcomer, site):
    questioner, answerer = pair()
    converse(questioner, answerer, TALK)
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
    play(player, TALK, wrong=4)
    verdicts = [one["verdict"] for one in answers(site, player.name) if "verdict" in one]
    assert verdicts == ["match"] * 3 + ["no_match"] + ["match"] * 7
