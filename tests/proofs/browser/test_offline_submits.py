"""Answers sent while offline wait on the device, even if the tab is killed, and arrive once each."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.proving import size

SEED = 20117
REASONS = ("ambiguous", "incomprehensible", "false_presupposition", "opinion", "not_a_request")
"""By their keys, 1 to 5."""


@pytest.fixture
def quick(desk):
    """The held work in a tab whose clock the test controls."""
    place = desk.page.url
    desk.page = desk.page.context.new_page()
    desk.page.clock.install()
    desk.page.goto(place)
    return desk.at("question")


def answer_offline(desk: Desk, rng: Random) -> dict:
    """Reject the question while offline; return what was sent."""
    chosen = sorted(rng.sample(range(5), rng.randint(1, 3)))
    desk.page.context.set_offline(True)
    desk.press("b", *(str(number + 1) for number in chosen), "Control+Enter")
    expect(desk.page.locator("[data-notice=sending]")).to_contain_text("is sent as soon as you are connected again")
    return {"verdict": "bad", "reasons": [REASONS[number] for number in chosen]}


def kill(desk: Desk) -> None:
    """The tab is killed, and a new one shows the start page."""
    context = desk.page.context
    with desk.page.expect_event("crash"), suppress(BrowserError):
        desk.page.goto("chrome://crash")
    desk.page.close()
    context.set_offline(False)
    desk.page = context.new_page()
    desk.page.goto(f"{desk.site.url}/")


def arrive(desk: Desk, work: str, *, killed: bool) -> None:
    """The connection is back, in the same tab or a later one; wait for the next question."""
    if killed:
        kill(desk)
        desk.page.get_by_role("link", name="Send it now").click()
    else:
        desk.page.context.set_offline(False)
    expect(desk.page.locator(f"#screen[data-started]:not([data-work='{work}'])")).to_be_visible()


def in_hand(desk: Desk) -> str:
    return desk.page.locator("#screen[data-started]").get_attribute("data-work")


def test_every_answer_that_was_sent_offline_arrives_once(quick, record_property):
    times, rng, sent = size(7, 1000), Random(SEED), []
    record_property("size", times)
    record_property("seed", SEED)
    for number in range(times):
        work = in_hand(quick)
        sent.append(answer_offline(quick, rng))
        arrive(quick, work, killed=number % 4 == 3)
    assert quick.answers() == sent


def test_control_a_browser_that_forgets_what_waits_is_noticed(quick):
    before, sent = quick.answers(), answer_offline(quick, Random(SEED))
    # The page tries again every few seconds, and would keep the answer anew.
    quick.page.evaluate("() => { Storage.prototype.setItem = () => {}; localStorage.clear(); }")
    kill(quick)
    expect(quick.page.get_by_role("link", name="Send it now")).to_have_count(0)
    assert quick.answers() != [*before, sent]
