"""Whole conversations and games, each person at their own screen, which follows the others by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from playwright.sync_api import expect

from tests.browser.coqa.desk import TalkDesk

Exchange = tuple[str, str | None, str]
"""Question, rationale (None: unknown), answer."""


def converse(questioner: TalkDesk, answerer: TalkDesk, talk: Sequence[Exchange], *, first: int = 1) -> None:
    """Hold a conversation, or go on with it at turn `first`."""
    for turn, (question, rationale, text) in enumerate(talk, start=first):
        questioner.at(f"question-{turn}").ask(question).waiting()
        answerer.at(f"answer-{turn}")
        expect(answerer.page.locator("h1")).to_have_text(question)
        answerer.say(rationale, text).press("Control+Enter").waiting()


def end(questioner: TalkDesk, answerer: TalkDesk, *, turn: int) -> None:
    """The questioner proposes to end instead of asking, and the answerer agrees."""
    questioner.at(f"question-{turn}").page.get_by_text("End the conversation").click()
    questioner.page.get_by_label("Propose to end").check()
    questioner.page.get_by_role("button", name="Propose to end").click()
    questioner.waiting()
    answerer.at(f"closing-{turn}").press("1", "Control+Enter")
    questioner.page.wait_for_url("**/", wait_until="load")
    questioner.page.locator("#screen[data-waits]").wait_for(state="detached")


def play(player: TalkDesk, talk: Sequence[Exchange], *, wrong: int = 0) -> None:
    """Claim the game of a conversation and play it; at turn `wrong` the guess is another one and does not match."""
    begin_game(player)
    guess(player, talk, range(1, len(talk) + 1), wrong=wrong)
    player.page.locator("#screen[data-stage^='verdict']").wait_for(state="detached")


def begin_game(player: TalkDesk) -> None:
    """Claim the game of a conversation."""
    player.page.goto("/")
    player.page.locator("form[action$='/guess/next/'] button").click()


def guess(player: TalkDesk, talk: Sequence[Exchange], turns: Iterable[int], *, wrong: int = 0) -> None:
    """Guess these turns of the game, and compare; at turn `wrong` as `play`."""
    page = player.page
    for turn in turns:
        question, rationale, text = talk[turn - 1]
        player.at(f"guess-{turn}")
        expect(page.locator("h1")).to_have_text(question)
        later = [answer for _, _, answer in talk[turn - 1 :]]
        assert not set(later) & set(page.locator(".coqa-game td").all_inner_texts())
        player.say(rationale, "Goats" if turn == wrong else text)
        player.press("Control+Enter").at(f"verdict-{turn}")
        expect(page.locator("[data-original]")).to_have_text(text)
        if rationale is not None:
            expect(page.locator("[data-live]")).to_have_text(f"The original answer: {text}")
        player.press("2" if turn == wrong else "1", "Control+Enter")
