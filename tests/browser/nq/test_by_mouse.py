"""Answering an NQ question by mouse: verdict, box, words, and the record holds what was marked."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk


@pytest.fixture
def anna(site, page):
    return Desk(site, page, "anna-mouse").take_up()


def test_a_question_is_answered_by_clicks_and_a_drag(anna):
    page = anna.page
    page.get_by_text("Good", exact=True).click()
    page.get_by_role("button", name="Good – show the page").click()
    anna.at("long_answer").choose("Anna Berg came from Bergen")
    expect(page.locator(".marked .meta")).to_have_text("List item, 5 words")
    page.get_by_role("button", name="Use this list item").click()
    anna.at("short_answer")
    words = anna.frame.get_by_text("Anna Berg came from Bergen.").bounding_box()
    page.mouse.move(words["x"] + 2, words["y"] + words["height"] / 2)
    page.mouse.down()
    page.mouse.move(words["x"] + 60, words["y"] + words["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("Anna Berg")
    page.get_by_role("button", name="Add these words").click()
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Berg"])
    page.get_by_role("button", name="Finish – next question").click()
    anna.at("question")
    good, box, spans = anna.answers()
    assert good == {"verdict": "good"}
    assert box["quote"] == "Anna Berg came from Bergen."
    assert [span["quote"] for span in spans["spans"]] == ["Anna Berg"]


@pytest.fixture
def boris(site, page):
    return Desk(site, page, "boris-mouse").take_up().good()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_mouse.py::test_a_question_is_answered_by_clicks_and_a_drag")
def test_a_chosen_box_has_one_label_and_a_click_on_it_or_in_either_path_chooses_the_box_around_it(boris):
    page, size = boris.page, boris.page.locator(".marked .meta")
    boris.choose("Anna Berg came from Bergen")
    expect(boris.frame.locator(".mark.focus")).to_have_css("outline-width", "1px")
    expect(boris.frame.locator(".mark.focus > span")).to_be_hidden()
    boris.frame.locator(".mark.chosen > span").click()
    expect(size).to_have_text("List, 10 words")
    for path in ("[data-focus-crumbs]", ".marked ~ .crumbs"):
        boris.choose("Anna Berg came from Bergen")
        expect(size).to_have_text("List item, 5 words")
        page.locator(path).get_by_role("button").last.click()
        expect(size).to_have_text("List, 10 words")


@pytest.fixture
def clara(site, page):
    return Desk(site, page, "clara-mouse").take_up()


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_mouse.py::test_a_question_is_answered_by_clicks_and_a_drag")
def test_choosing_a_reason_chooses_bad_and_the_button_says_what_follows(clara):
    page = clara.page
    page.get_by_label("Opinion").check()
    expect(page.get_by_role("radio", name="Bad")).to_be_checked()
    expect(page.get_by_role("button", name="Bad – next question")).to_be_enabled()
    page.get_by_role("button", name="Bad – next question").click()
    expect(page.get_by_role("radio", name="Bad")).not_to_be_checked()
    assert clara.answers() == [{"verdict": "bad", "reasons": ["opinion"]}]


@pytest.fixture
def dora(site, page):
    return Desk(site, page, "dora-mouse").take_up().good()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_two_clicks_mark_the_words_from_the_first_to_the_last(dora):
    dora.choose("Two keepers")
    dora.press("Control+Enter").at("short_answer")
    line = dora.frame.get_by_text("Two keepers")
    line.click(position={"x": 8, "y": 12})
    line.click(position={"x": 60, "y": 12})
    expect(dora.page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("Two keepers")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_mouse.py::test_a_question_is_answered_by_clicks_and_a_drag")
def test_words_marked_one_after_another_are_all_kept_or_only_the_last(dora_again):
    page = dora_again.page
    quote = page.get_by_label("Paste a quote from the box")
    for words in ("Anna Berg", "Two keepers"):
        quote.fill(words)
        page.get_by_role("button", name="Find", exact=True).click()
        expect(page.locator("[data-pending-chip] q")).to_have_text(words)
    expect(page.locator("[data-pending-chip]")).to_contain_text("2 words, being marked")
    expect(page.locator("[data-no-spans]")).to_be_hidden()
    expect(page.get_by_text("Not added yet: “Anna Berg”.")).to_be_visible()
    dora_again.press("Escape")
    expect(page.locator("[data-pending-chip] q")).to_have_text("Anna Berg")
    dora_again.press("u")
    page.get_by_role("button", name="Add all").click()
    expect(page.locator("[data-spans] q")).to_have_text(["Two keepers", "Anna Berg"])
    expect(page.locator("[data-pending-chip]")).to_be_hidden()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_a_pasted_quote_is_found_and_the_handles_move_its_ends(dora_at_words):
    page = dora_at_words.page
    page.get_by_label("Paste a quote from the box").fill("  anna   BERG ")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("Anna Berg")
    page.get_by_role("button", name="Start later").click()
    expect(page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("Berg")
    page.get_by_role("button", name="Start later").click()
    expect(page.locator("[data-pending-bar] [data-pending-words]")).to_have_text("Berg")


@pytest.fixture
def dora_at_words(site, page):
    desk = Desk(site, page, "dora-words").take_up().good().choose("Two keepers")
    return desk.press("Control+Enter").at("short_answer")


@pytest.fixture
def dora_again(site, page):
    desk = Desk(site, page, "dora-again").take_up().good().choose("Two keepers")
    return desk.press("Control+Enter").at("short_answer")
