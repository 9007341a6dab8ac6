"""A tab is killed while somebody works: what was shown as saved is there, and at most one autosave is missing."""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page, Route

from tests.browser.desk import Desk, saves
from tests.proving import size
from tests.waiting.page_clock import stop_clock
from tests.waiting.settled import keys

SEED = 20116
NUMBER = re.compile(r'name="seq"\s+(\d+)')
SHOWN = re.compile(r'data-seq="(\d+)"')
DRAFT = re.compile(r'<template id="draft" data-json>(.*?)</template>', re.DOTALL)
KEPT = "() => JSON.parse(Object.entries(localStorage).find(([key]) => key.includes('draft'))[1]).seq"
ANSWERED, HELD, DELIVERED = "answered", "held before the server", "delivered, and its answer held"
Marked = dict[int, set[str]]
"""What was marked on the screen when a change got its number."""


@dataclass
class Tab:
    """A tab on the held work: its autosaves by number, in order, and the number of the last one shown as saved."""

    page: Page
    marked: Marked
    sent: list[int] = field(default_factory=list)
    saved: int = 0

    def change(self, reason: str) -> None:
        """Mark or unmark a reason: a change, which the page numbers and keeps in the browser."""
        keys(self.page).press(reason)
        number = self.page.evaluate(KEPT)
        self.marked[number] = reasons(self.page)

    def autosave(self, how: str) -> None:
        """Advance to the time of the next autosave, which is answered, or stays under way."""

        def treat(route) -> None:
            if how == ANSWERED:
                route.fallback()
            elif how == DELIVERED:
                route.fetch()

        self.page.route("**/draft/", treat)
        with self.page.expect_request(saves) as asked:
            self.page.clock.run_for(1100)
        self.sent.append(int(NUMBER.search(asked.value.post_data)[1]))
        if how == ANSWERED:
            self.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
            self.saved = self.sent[-1]
            self.page.unroute("**/draft/")

    def kill(self) -> None:
        """Kill the process behind the tab at once, without unload events."""
        with self.page.expect_event("crash"), suppress(BrowserError):
            self.page.goto("chrome://crash")
        self.page.close()


def reasons(page: Page) -> set[str]:
    return set(page.locator("[name=reasons]:checked").evaluate_all("all => all.map(each => each.value)"))


def begun(desk: Desk, place: str, marked: Marked) -> Tab:
    """The work in a new tab, whose clock the test controls."""
    page = desk.page.context.new_page()
    page.clock.install()
    with page.expect_response("**/take/"):
        page.goto(place)
    page.locator("#screen[data-started]").wait_for()
    stop_clock(page)
    return Tab(page, marked)


def stored(desk: Desk, place: str) -> tuple[int, set[str]]:
    """What the server shows on any other device: the draft's number and its reasons."""
    shown = desk.page.context.request.get(place).text()
    draft = DRAFT.search(shown)
    data = json.loads(html.unescape(draft[1])) if draft else {}
    found = data.get("reasons", [])
    return int(SHOWN.search(shown)[1]), {found} if isinstance(found, str) else set(found)


def work_on(tab: Tab, rng: Random) -> None:
    """Mark reasons and let some of them be saved; the fate of the last autosave is drawn."""
    for how in [ANSWERED] * rng.randrange(3) + [rng.choice((None, ANSWERED, HELD, DELIVERED))]:
        for _ in range(rng.randint(1, 3)):
            tab.change(rng.choice("12345"))
        if how is not None:
            tab.autosave(how)


def missing(desk: Desk, place: str, tab: Tab) -> list[str]:
    """What should be on the server after the tab was killed and is not."""
    number, found = stored(desk, place)
    due = sorted({*tab.sent, max(tab.marked)})
    faults = []
    if number < tab.saved:
        faults.append(f"{tab.saved} was shown as saved, and {number} is there")
    if sum(autosave > number for autosave in due) > 1:
        faults.append(f"autosaves {due} were due, and {number} is there")
    if found != tab.marked.get(number):
        faults.append(f"{number} has {found} and not {tab.marked.get(number)}")
    return faults


def kills(desk: Desk, place: str, rng: Random, *, times: int) -> list[str]:
    """Somebody works in one tab after another, each of which is killed; return what is then missing, there and here."""
    faults: list[str] = []
    tab = begun(desk, place, {stored(desk, place)[0]: stored(desk, place)[1]})
    for _ in range(times):
        work_on(tab, rng)
        tab.kill()
        faults += missing(desk, place, tab)
        wanted = tab.marked[max(tab.marked)]
        tab = begun(desk, place, tab.marked)
        if reasons(tab.page) != wanted:
            faults.append(f"this browser shows {reasons(tab.page)} and not {wanted}")
    tab.page.close()
    return faults


@pytest.fixture(scope="module")
def place(desk):
    """The held work, judged bad and saved; the tab that began it is elsewhere."""
    at = desk.page.url
    desk.press("b").saved()
    desk.page.goto("about:blank")
    return at


def test_what_was_shown_as_saved_survives_the_tab_and_at_most_one_autosave_is_missing(desk, place, record_property):
    times = size(7, 1000)
    record_property("size", times)
    record_property("seed", SEED)
    assert kills(desk, place, Random(SEED), times=times) == []


def test_control_a_page_that_says_saved_too_early_is_noticed(desk, place):
    lie = partial(Route.fulfill, json={"saved_at": "2026-01-01T12:00:00Z"})
    desk.page.context.route("**/draft/", lie)
    faults = kills(desk, place, Random(SEED), times=3)
    desk.page.context.unroute("**/draft/")
    assert any("was shown as saved" in fault for fault in faults)
