"""The prediction game by keyboard alone, where the original is spoken, and by taps alone on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.coqa.desk import TALK, answers, talked
from tests.browser.desk import outside
from tests.waiting.settled import keys

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
FIRST, SECOND = TALK[:2]


@pytest.fixture
def conversation(pair, site):
    questioner, answerer = pair()
    talked(site, questioner.name, answerer.name, last="closed")


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_by_keyboard_alone(conversation, newcomer, site):
    player = newcomer("petra")
    page = player.page
    page.goto("/")
    page.locator("form[action$='/guess/next/'] button").focus()
    player.press("Enter").at("guess-1")
    player.press("s", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter", "Escape")
    box = page.locator("#text")
    expect(box).not_to_have_value("")
    box.focus()
    player.press("End")
    keys(page).type(" it is")
    player.press("Control+Enter").at("verdict-1")
    expect(page.locator("[data-live]")).to_have_text(f"The original answer: {FIRST[2]}")
    player.press("2", "Control+Enter").at("guess-2")
    player.press("Alt+u", "Control+Enter").at("verdict-2")
    expect(page.locator("[data-live]")).to_have_text(f"The original answer: {SECOND[2]}")
    player.press("1", "Control+Enter").at("guess-3")
    guess, verdict, *rest = answers(site, player.name)
    assert guess["text"] == f"{guess['rationale']['quote']} it is"
    assert verdict == {"verdict": "no_match", "mistyped": ""}
    assert [one.get("kind", one.get("verdict")) for one in rest] == ["unknown", "match"]


@pytest.mark.in_test_all(
    shown_by="tests/browser/coqa/test_whole_conversation.py"
    "::test_a_conversation_of_eleven_turns_is_ended_by_agreement_and_played"
)
def test_by_taps_alone_on_a_phone(conversation, newcomer, site):
    player = newcomer("paul", **PHONE)
    page = player.page
    page.goto("/")
    page.locator("form[action$='/guess/next/'] button").tap()
    player.at("guess-1")
    page.locator("[data-passage]").tap(position={"x": 60, "y": 30})
    page.get_by_role("button", name="Use as rationale").tap()
    box = page.locator("#text")
    expect(box).not_to_have_value("")
    assert outside(page) == []
    page.get_by_role("button", name="Lock my answer").tap()
    player.at("verdict-1")
    expect(page.locator("[data-original]")).to_have_text(FIRST[2])
    page.get_by_text("They do not match").tap()
    assert outside(page) == []
    page.get_by_role("button", name="Send – turn 2").tap()
    player.at("guess-2")
    page.get_by_label("Unknown").tap()
    page.get_by_role("button", name="Lock my answer").tap()
    player.at("verdict-2")
    page.get_by_text("They match").tap()
    page.get_by_role("button", name="Send – turn 3").tap()
    player.at("guess-3")
    kinds = [one.get("kind", one.get("verdict")) for one in answers(site, player.name)]
    assert kinds == ["answered", "no_match", "unknown", "match"]
