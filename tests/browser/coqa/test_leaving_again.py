"""Leaving a partner for the second time asks why on a page of its own, from which one can also go back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.coqa.desk import TalkDesk, seat
from tests.browser.coqa.test_access import found
from tests.waiting.settled import keys

LOBBY = re.compile(r"/lobby/$")


def leave(desk: TalkDesk) -> None:
    desk.press("Alt+s")
    desk.page.get_by_role("dialog", name="Leave this conversation").get_by_role("button", name="Leave").click()


def test_the_second_time_one_says_why_or_goes_back_to_what_one_wrote(pair, newcomer, site, project):
    questioner, _ = pair()
    leave(questioner)
    expect(questioner.page).to_have_url(LOBBY)
    other = newcomer("otto")
    for desk, path in zip((questioner, other), seat(site, project, questioner.name, other.name), strict=True):
        desk.page.goto(path)
    keys(questioner.at("question-1").page).type("Who steered?")
    leave(questioner)
    asked = questioner.page.get_by_role("heading", name="Why are you leaving?")
    expect(asked).to_be_visible()
    assert found(questioner) == {}
    questioner.page.get_by_role("link", name="Back to the work").click()
    expect(questioner.at("question-1").page.locator("#text")).to_have_value("Who steered?")
    leave(questioner)
    expect(asked).to_be_visible()
    questioner.page.get_by_label("I have to go").check()
    questioner.page.get_by_role("button", name="Leave").click()
    expect(questioner.page).to_have_url(LOBBY)
    expect(other.page.get_by_role("heading", name="Your partner has left")).to_be_visible()
