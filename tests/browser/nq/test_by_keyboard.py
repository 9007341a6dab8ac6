"""Answering an NQ question without a mouse: every key of the map, in the work page and in its frame."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.waiting.settled import keys


@pytest.fixture
def olaf(site, page):
    return Desk(site, page, "olaf-keys").take_up()


def test_a_question_is_answered_by_keys_alone(olaf):
    page = olaf.page
    olaf.press("g", "Control+Enter").at("long_answer")
    olaf.press("j", "j", "j", "l")
    expect(page.locator("[data-focus-crumbs]")).to_contain_text("Item 1")
    olaf.press("Enter")
    expect(page.locator(".marked .meta")).to_have_text("List item, 5 words")
    olaf.press("Control+Enter").at("short_answer").press("[").at("long_answer")
    expect(page.locator(".marked .meta")).to_have_text("List item, 5 words")
    olaf.press("Control+Enter").at("short_answer")
    olaf.press("s", "Shift+ArrowRight", "Enter", "Escape")
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Berg"])
    olaf.press("Control+Enter").at("question")
    assert [span["quote"] for span in olaf.answers()[-1]["spans"]] == ["Anna Berg"]


@pytest.fixture
def pia(site, page):
    return Desk(site, page, "pia-hurries").take_up().good().choose("Anna Berg came from Bergen")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_keys_faster_than_the_frame_choose_the_box_that_they_moved_to_and_send_it(pia):
    pia.page.evaluate(
        """() => [["h"], ["Enter"], ["Enter", true]].forEach(([key, ctrlKey]) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true, cancelable: true })))"""
    )
    pia.at("short_answer")
    assert pia.answers()[1]["quote"].startswith("Anna Berg came from Bergen. Olaf")


@pytest.fixture
def pola(site, page):
    return Desk(site, page, "pola-waits").take_up().good().choose("Anna Berg came from Bergen")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_frame_that_leaves.py"
    "::test_a_page_inside_the_frame_that_tries_to_leave_is_stopped_without_losing_anything_of_the_form"
)
def test_a_frame_that_was_stopped_does_not_delay_what_is_chosen_after_it(pola):
    pola.page.locator("iframe[data-frame]").evaluate("frame => { frame.src = 'about:blank'; frame.blur(); }")
    keys(pola.page, hurried=True).press("Enter", "n", "1", "Control+Enter")
    pola.at("question")
    assert pola.answers()[1] == {"kind": "none", "reason": "page"}


@pytest.fixture
def paula(site, page):
    return Desk(site, page, "paula-keys").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_a_box_is_chosen_by_enter_after_a_reason_was_given_by_key_and_nothing_is_sent(paula):
    paula.press("n", "2")
    expect(paula.page.get_by_label("Spread over several boxes")).to_be_checked()
    paula.press("j", "Enter")
    expect(paula.page.locator("[data-chosen-card] q")).to_be_visible()
    paula.at("long_answer")
    paula.press(" ")
    expect(paula.page.get_by_label("Spread over several boxes")).not_to_be_checked()
    paula.press("Control+Enter").at("short_answer")
    assert paula.answers()[1]["kind"] == "box"


@pytest.fixture
def petra(site, page):
    return Desk(site, page, "petra-keys").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_no_answer_needs_a_reason_and_can_be_undone(petra):
    petra.press("Control+Enter")
    expect(petra.page.locator("[data-problems]")).to_contain_text("Choose a box")
    petra.press("n", "2")
    expect(petra.page.get_by_role("button", name="No answer – next question")).to_be_enabled()
    petra.press("u")
    expect(petra.page.locator("[data-commit-label]")).to_have_text("Choose a box, or no answer")
    petra.press("n", "1", "Control+Enter").at("question")
    assert petra.answers()[1] == {"kind": "none", "reason": "page"}


@pytest.fixture
def quinn(site, page):
    return Desk(site, page, "quinn-keys").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_huge_page.py"
    "::test_find_and_a_pasted_quote_reach_a_block_far_below_that_was_not_laid_out"
)
def test_find_counts_on_the_whole_page_and_steps_through_the_hits(quinn):
    page = quinn.page
    quinn.press("/")
    keys(page).type("berg")
    expect(page.locator("[data-found]")).to_have_text("1 of 3")
    quinn.press("F3")
    expect(page.locator("[data-found]")).to_have_text("2 of 3")
    quinn.press("Shift+F3", "Shift+F3")
    expect(page.locator("[data-found]")).to_have_text("3 of 3")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_a_key_pressed_in_the_frame_does_what_it_does_on_the_page(quinn_in_frame):
    quinn_in_frame.press("k", "Enter")
    expect(quinn_in_frame.page.locator("[data-commit-label]")).to_have_text("Use this paragraph")


@pytest.fixture
def quinn_in_frame(site, page):
    desk = Desk(site, page, "quinn-frame").take_up().good().choose("Two keepers")
    return desk


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_keys_of_every_stage.py"
    "::test_letters_that_are_switched_off_do_nothing_and_the_list_still_opens"
)
def test_letters_do_nothing_when_they_are_switched_off(rosa):
    page = rosa.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Single-letter keys").uncheck()
    rosa.press("Escape", "g")
    expect(page.get_by_role("radio", name="Good")).not_to_be_checked()
    rosa.press("?")
    expect(page.get_by_role("dialog", name="Keys of this stage")).to_be_visible()


@pytest.fixture
def rosa(site, page):
    return Desk(site, page, "rosa-keys").take_up()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_letters_typed_into_a_field_stay_letters(rosa_skipping):
    page = rosa_skipping.page
    page.locator("#skip-text").fill("")
    page.locator("#skip-text").press_sequentially("bug")
    expect(page.locator("#skip-text")).to_have_value("bug")
    expect(page.locator("[name=verdict]:checked")).to_have_count(0)


@pytest.fixture
def rosa_skipping(site, page):
    return Desk(site, page, "rosa-skips").take_up().press("Alt+s")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_recorded.py::test_the_way_to_the_answers_is_recorded_with_them"
)
def test_yes_sets_the_marked_words_aside_and_undo_brings_them_back(stella):
    page = stella.page
    stella.press("s", "Enter", "Escape")
    expect(page.locator("[data-spans] q")).to_have_text(["Anna"])
    stella.press("y")
    expect(page.locator("[data-spans-part]")).to_be_hidden()
    stella.press("u")
    expect(page.locator("[data-spans-part]")).to_be_visible()
    expect(page.locator("[data-spans] q")).to_have_text(["Anna"])
    stella.press("y", "Control+Enter").at("question")
    assert stella.answers()[2] == {"kind": "yes"}


@pytest.fixture
def stella(site, page):
    desk = Desk(site, page, "stella-keys").take_up().good().choose("Anna Berg came from Bergen")
    desk.press("Control+Enter").at("short_answer")
    return desk


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_the_bracket_goes_back_and_another_box_can_be_chosen(tove):
    tove.press("[").at("long_answer")
    expect(tove.page.locator(".marked .meta")).to_have_text("List item, 5 words")
    tove.choose("Olaf Lund came from Oslo").press("Control+Enter").at("short_answer")
    expect(tove.frame.locator("[data-chosen]")).to_have_text("Olaf Lund came from Oslo.")


@pytest.fixture
def tove(site, page):
    desk = Desk(site, page, "tove-keys").take_up().good().choose("Anna Berg came from Bergen")
    return desk.press("Control+Enter").at("short_answer")
