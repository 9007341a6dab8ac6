"""While an input method composes, keys belong to it: nothing is chosen, added or sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.dureader.desk import DocumentsDesk, answer
from tests.waiting.settled import keys, ready

COMPOSED = """(target, [key, ctrl]) => target.dispatchEvent(new KeyboardEvent("keydown", {
  key, ctrlKey: ctrl, isComposing: true, keyCode: 229, bubbles: true, cancelable: true,
}))"""
"""A key as Chromium tells of it while an input method composes; true unless somebody has taken it."""


def compose(page: Page, *names: str) -> None:
    """Press keys that belong to the input method, where the focus is."""
    for name in names:
        ready(page)
        key = name.removeprefix("Control+")
        assert page.locator(":focus").evaluate(COMPOSED, [key, key != name]), f"{name} was taken"


@pytest.fixture
def mei(site, page):
    return DocumentsDesk(site, page, "mei", "ENTITY").begin()


def test_enter_that_ends_a_composition_adds_no_entity_and_sends_nothing(mei):
    page = mei.page
    page.get_by_label("Used").nth(1).check(force=True)
    mei.box(1).focus()
    keys(page).insert_text("斯凯罗有灯塔。")
    compose(page, "Enter", "Control+Enter", "1", "n", "m")
    mei.press("Tab")
    keys(page).insert_text("斯凯")
    compose(page, "Enter", "1", "2", "Control+Enter")
    expect(mei.entities(1)).to_have_count(0)
    keys(page).insert_text("罗")
    mei.press("Enter")
    expect(mei.entities(1)).to_have_text(["斯凯罗"])
    expect(mei.row(1).locator("[data-count]")).to_have_text("6 characters")
    assert mei.answers() == []
    assert mei.send() == {"answers": [answer("斯凯罗有灯塔。", entities=("斯凯罗",))], "used": [1]}


def test_digits_that_pick_a_candidate_choose_no_type(site, page):
    wei = DocumentsDesk(site, page, "wei", "").begin()
    page.locator("#material").focus()
    compose(page, "1", "2", "f", "Control+Enter")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    wei.press("3")
    expect(page.get_by_role("radio", name="Yes or no")).to_be_checked()
