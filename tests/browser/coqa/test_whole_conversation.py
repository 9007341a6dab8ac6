"""Two browsers hold a conversation and end it by agreement; then somebody guesses and compares."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.coqa.desk import TALK, answers


def converse(questioner, answerer, talk):
    """Hold a conversation, each side at its own screen, which follows the other by itself."""
    for turn, (question, rationale, text) in enumerate(talk, start=1):
        questioner.at(f"question-{turn}").ask(question).waiting()
        answerer.at(f"answer-{turn}")
        expect(answerer.page.locator("h1")).to_have_text(question)
        answerer.say(rationale, text).press("Control+Enter").waiting()


def test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played(pair, newcomer, site):
    questioner, answerer = pair()
    converse(questioner, answerer, TALK)
    questioner.at("question-12")
    assert questioner.turns() == [text for question, _, answer in TALK for text in (question, answer)]

    questioner.page.get_by_text("End the conversation").click()
    questioner.page.get_by_label("Propose to end").check()
    questioner.page.get_by_role("button", name="Propose to end").click()
    questioner.waiting()
    answerer.at("closing-12").press("1", "Enter")
    questioner.page.wait_for_url("**/", wait_until="load")
    questioner.page.locator("#screen[data-waits]").wait_for(state="detached")

    asked, said = answers(site, questioner.name), answers(site, answerer.name)
    assert [one["text"] for one in asked[:-1]] == [question for question, _, _ in TALK]
    assert asked[-1] == {"kind": "ended", "why": "done", "reason": ""}
    assert [one.get("rationale", {}).get("quote") for one in said[:-1]] == [rationale for _, rationale, _ in TALK]
    assert [one["kind"] for one in said[:-1]] == ["answered", "no", *["answered"] * 3, "unknown", *["answered"] * 5]
    assert said[-1] == {"agreed": True}

    player = newcomer("petra")
    page = player.page
    page.goto("/")
    page.locator("form[action$='/guess/next/'] button").click()
    for turn, (question, rationale, text) in enumerate(TALK, start=1):
        player.at(f"guess-{turn}")
        expect(page.locator("h1")).to_have_text(question)
        later = [answer for _, _, answer in TALK[turn - 1 :]]
        assert not set(later) & set(page.locator(".coqa-game td").all_inner_texts())
        player.say(rationale, text if turn != 4 else "Goats")
        player.press("Control+Enter" if rationale is None else "Enter").at(f"verdict-{turn}")
        expect(page.locator("[data-original]")).to_have_text(text)
        player.press("2" if turn == 4 else "1", "Enter")
    page.locator("#screen[data-stage^='verdict']").wait_for(state="detached")
    verdicts = [one["verdict"] for one in answers(site, player.name) if "verdict" in one]
    assert verdicts == ["match"] * 3 + ["no_match"] + ["match"] * 7
