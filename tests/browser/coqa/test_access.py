"""axe finds nothing on any screen of a conversation and of the game, light and dark, and it fits a phone, too.

Few of axe's rules depend on the width, and colours do not.
"""

from __future__ import annotations

import pytest

from tests.browser.access.inspecting import RULES, findings
from tests.browser.access.targets import LEAST, too_small
from tests.browser.coqa.desk import TALK
from tests.browser.desk import shown_width
from tests.screens.camera import THEMES
from tests.waiting.settled import keys

SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


def found(desk):
    """What axe finds on the page as it is, in each size and theme that it is checked in."""
    wrong = {}
    for size, viewport in SIZES.items():
        desk.page.set_viewport_size(viewport)
        for theme in THEMES if size == "wide" else ():
            desk.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            if names := findings(desk.page, RULES[theme]):
                wrong[size, theme] = names
        if small := too_small(desk.page, LEAST["wide"]):
            wrong[size, "targets"] = small
        width, window = shown_width(desk.page)
        assert width <= window
    desk.page.emulate_media(color_scheme="light")
    desk.page.set_viewport_size(SIZES["wide"])
    return wrong


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_axe_finds_nothing_in_a_conversation_and_its_game(pair, newcomer):
    questioner, answerer = pair(viewport=SIZES["wide"])
    assert found(questioner) == {}
    assert found(answerer) == {}
    for turn, (question, rationale, text) in enumerate(TALK[:10], start=1):
        questioner.at(f"question-{turn}").ask(question).waiting()
        answerer.at(f"answer-{turn}")
        if turn == 2:
            answerer.drag("one passenger who never paid")
            assert found(answerer) == {}
            answerer.press("Escape")
        answerer.say(rationale, text)
        if turn == 3:
            assert found(answerer) == {}
            assert found(questioner) == {}
        answerer.press("Control+Enter").waiting()
    questioner.at("question-11").page.get_by_text("End the conversation").click()
    keys(questioner.page).press("Tab")
    assert found(questioner) == {}
    questioner.page.get_by_label("Propose to end").check()
    questioner.page.get_by_role("button", name="Propose to end").click()
    questioner.waiting()
    assert found(answerer.at("closing-11")) == {}
    answerer.press("1", "Control+Enter")
    answerer.page.get_by_text("You have finished this together.").wait_for()

    player = newcomer("petra", viewport=SIZES["wide"])
    player.page.goto("/")
    player.page.locator("form[action$='/guess/next/'] button").click()
    for turn, (_, rationale, text) in enumerate(TALK[:2], start=1):
        player.at(f"guess-{turn}").say(rationale, text)
        assert found(player) == {}
        player.press("Control+Enter").at(f"verdict-{turn}").press("3")
        player.page.get_by_text("I mistyped").click()
        assert found(player) == {}
        player.press("Control+Enter")
    player.at("guess-3")
