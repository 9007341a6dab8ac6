"""Every button of the dialog in an overtaken tab does what it says, whatever was changed in either tab."""

from __future__ import annotations

from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.squad.desk import ParagraphDesk
from tests.browser.test_two_tabs import second_tab
from tests.waiting.settled import keys

REASONS = {"1": "ambiguous", "2": "incomprehensible", "3": "false_presupposition"}
CHANGES = {"here": ("3", ""), "there": ("", "2"), "both": ("3", "2"), "none": ("", "")}
"""The keys pressed in the older tab and in the newer one, after both had Bad and the first reason."""
REST = pytest.mark.in_test_all(
    shown_by="tests/browser/test_conflict_buttons.py::test_the_version_whose_button_is_pressed_is_what_is_sent"
)
KEPT = "() => Object.keys(localStorage).filter(key => /draft|outbox/.test(key))"
GO_ON = "Go on with the other version"
CASES = [
    pytest.param(changed, button, id=f"{button}-{changed}", marks=() if (changed, button) == ("both", GO_ON) else REST)
    for changed in CHANGES
    for button in ("Take back", GO_ON)
]


def reasons(*pressed: str) -> list[dict]:
    """The only answer, with these reasons after the first one."""
    return [{"verdict": "bad", "reasons": [REASONS[key] for key in ("1", *pressed) if key]}]


def saved(page: Page) -> None:
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")


@pytest.fixture
def desk(site, page, request):
    return Desk(site, page, f"conny-{crc32(request.node.name.encode())}").take_up()


@pytest.mark.parametrize(("changed", "button"), CASES)
def test_the_version_whose_button_is_pressed_is_what_is_sent(desk, changed, button):
    here, there = CHANGES[changed]
    desk.press("b", "1").saved()
    newer = second_tab(desk)
    expect(newer.locator("[name=reasons]:checked")).to_have_count(1)
    if there:
        keys(newer).press(there)
        saved(newer)
    desk.press(here or "Control+Enter")
    both = desk.page.locator("dialog#overtaken")
    chosen = both.locator(".version", has_text="In this tab" if button == "Take back" else "In the other tab")
    chosen.get_by_role("button" if button == "Take back" else "link", name=button).click()
    expect(both).not_to_be_visible()
    desk.at("question")
    wanted = here if button == "Take back" else there
    expect(desk.page.locator("[name=reasons]:checked")).to_have_count(1 + bool(wanted))
    desk.press("Control+Enter")
    expect(desk.page.locator("[name=verdict]:checked")).to_have_count(0)
    assert desk.answers() == reasons(wanted)
    assert desk.page.evaluate(KEPT) == []


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_conflict_buttons.py::test_the_version_whose_button_is_pressed_is_what_is_sent"
)
def test_the_other_version_of_a_stage_that_was_opened_again_is_at_that_stage(desk):
    desk.good().choose("Anna Berg came from Bergen").press("Control+Enter").at("short_answer")
    desk.press("[").at("long_answer")
    newer = second_tab(desk)
    keys(newer).press("n", "1")
    saved(newer)
    desk.choose("Olaf")
    both = desk.page.locator("dialog#overtaken")
    both.get_by_role("link", name=GO_ON).click()
    desk.at("long_answer")
    expect(desk.page.get_by_label("The page does not answer it")).to_be_checked()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_two_tabs.py"
    "::test_the_older_tab_shows_both_texts_turns_read_only_in_its_place_and_takes_the_work_back"
)
def test_to_view_only_keeps_the_text_and_stores_nothing(desk):
    desk.press("b", "1").saved()
    newer = second_tab(desk)
    keys(newer).press("2")
    saved(newer)
    desk.press("3")
    both = desk.page.locator("dialog#overtaken")
    both.get_by_role("button", name="View only").click()
    expect(both).not_to_be_visible()
    expect(desk.page.locator("[name=reasons]:checked")).to_have_count(2)
    keys(newer).press("Control+Enter")
    expect(newer.locator("[name=verdict]:checked")).to_have_count(0)
    assert desk.answers() == reasons("2")


@pytest.mark.in_test_all(
    shown_by="tests/browser/squad/test_held_keys.py"
    "::test_the_first_answer_is_not_replaced_by_the_press_that_sent_the_second"
)
def test_of_two_answers_that_were_sent_the_second_counts_after_its_button(site, page):
    """`tests/browser/squad/test_held_keys.py` presses the other one, which keeps the first."""
    asked = ParagraphDesk(site, page, "connor-twice", "answer").begin()
    newer = second_tab(asked)
    keys(newer).press("n")
    with newer.expect_response("**/answer/"):
        keys(newer).press("Control+Enter")
    page.route("**/draft/", lambda _route: None)  # so that the page learns nothing before it sends
    asked.mark("Anna Holt").press("Control+Enter")
    page.get_by_role("button", name="Replace the first with the second").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("You answered this twice")
    assert [answer["kind"] for answer in asked.answers()] == ["unanswerable", "span"]
    assert page.evaluate(KEPT) == []
