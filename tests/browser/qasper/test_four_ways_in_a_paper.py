"""The same words of a paper by mouse, keyboard, touch and a pasted quote: each way gives the same offsets."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import SECTIONS, PaperDesk

QUOTE = "Anna Berg"
SENTENCE = "Anna Berg counted"


def drag(desk):
    """From inside the first word to inside the second, with the mouse."""
    desk.drag(desk.sentence(SENTENCE), "nna Ber")


def keys(desk):
    """Select mode: the first word of the evidence, extended by one."""
    desk.press("s", "Shift+ArrowRight")


def button(desk):
    """Enter select mode by its button with the keyboard; Space sets the start and the end."""
    desk.page.get_by_role("button", name="Mark words").press("Enter")
    desk.press(" ", "ArrowRight", " ")


def paste(desk):
    """Paste a quote that differs slightly from the text."""
    desk.page.get_by_label("Quote from the paper").fill("  anna   BERG ")
    desk.page.get_by_role("button", name="Find it").click()


def taps(desk):
    """Tap the start, tap the end."""
    desk.page.get_by_role("button", name="Mark words").tap()
    for word in QUOTE.split():
        tap(desk, word)


def tap_and_handle(desk):
    """Tap one word, then move its end by the handle."""
    desk.page.get_by_role("button", name="Mark words").tap()
    tap(desk, "Anna")
    desk.page.get_by_role("button", name="End later").tap()


def tap(desk, word):
    """A tap in the middle of a word of the sentence."""
    code = """(element, word) => {
        const range = document.createRange(), text = element.firstChild, at = text.data.indexOf(word);
        range.setStart(text, at); range.setEnd(text, at + word.length);
        const box = range.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }"""
    desk.page.touchscreen.tap(*desk.sentence(SENTENCE).evaluate(code, word))


def marked(desk, way):
    """The span that this way of selecting puts into the form; it is removed again."""
    page = desk.page
    way(desk)
    expect(page.locator("[data-pending-words]")).to_have_text(QUOTE)
    page.get_by_role("button", name="Add these words").click()
    expect(page.locator("[data-spans] q")).to_have_text([QUOTE])
    expect(page.locator("[data-spans] .count")).to_have_text(["2 words"])
    (span,) = json.loads(page.locator("[name=spans]").input_value())
    if page.locator("[data-select]").get_attribute("aria-pressed") == "true":
        page.get_by_role("button", name="Mark words").click()
    page.get_by_role("button", name=f"Remove “{QUOTE}”").click()
    expect(page.locator("[data-spans] q")).to_have_count(0)
    return span


@pytest.fixture
def touching(site, browser):
    """A desk with a touch screen, with one sentence as evidence."""
    context = browser.new_context(has_touch=True, viewport={"width": 1200, "height": 900})
    desk = PaperDesk(site, context.new_page(), "pia-ways", "answer").begin()
    desk.sentence(SENTENCE).click()
    desk.press("1")
    desk.page.get_by_text("Paste a quote instead").click()
    yield desk
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets_in_a_paper(touching):
    found = [marked(touching, way) for way in (drag, keys, button, paste, taps, tap_and_handle)]
    assert found == [found[0]] * 6
    assert found[0]["quote"] == QUOTE
    text = SECTIONS[0]["paragraphs"][0]
    assert text[found[0]["start"] : found[0]["end"]] == QUOTE, "code points, after an astral character"
    drag(touching)
    touching.press("Enter", "Control+Enter")
    touching.page.locator(".questions a.committed").wait_for()
    (stored,) = touching.answers()[0]["spans"]
    assert stored == {"paragraph": found[0]["passage"]} | {key: found[0][key] for key in ("start", "end", "quote")}


@pytest.fixture
def paul(request, site, page):
    name = f"paul-{len(request.node.name)}"  # a separate person for each test
    desk = PaperDesk(site, page, name, "answer").begin()
    desk.press("1")
    page.get_by_text("Paste a quote instead").click()
    return desk


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_a_quote_with_other_quotation_marks_and_dashes_is_found_and_exactly_its_words_are_marked(paul):
    page = paul.page
    page.get_by_label("Quote from the paper").fill("it's fog - OR bells")
    page.get_by_label("Quote from the paper").press("Enter")
    expect(page.locator("[data-pending-words]")).to_have_text("It’s fog – or bells")
    expect(page.get_by_label("Quote from the paper")).to_have_value("")


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_a_quote_that_occurs_twice_is_offered_with_context_and_one_that_does_not_occur_is_reported(paul):
    page, matches = paul.page, paul.page.locator("[data-matches]")
    page.get_by_label("Quote from the paper").fill("bells")
    page.get_by_role("button", name="Find it").click()
    expect(matches).to_contain_text("Found 2 times")
    expect(matches.locator("mark")).to_have_text(["bells", "bells"])
    expect(matches.get_by_role("button").first).to_contain_text("Anna Berg counted forty bells in 1901")
    paul.press("Tab", "Enter")
    expect(page.locator("[data-pending-words]")).to_have_text("bells")
    expect(matches).to_be_empty()
    page.get_by_role("button", name="Add with their sentence").click()
    expect(page.locator("[data-tray] q")).to_have_text(["“It’s fog – or bells,” one log says."])
    page.get_by_label("Quote from the paper").fill("no such words")
    page.get_by_role("button", name="Find it").click()
    expect(matches).to_have_text("The paper does not have these words.")
