"""The same words by mouse, keyboard, touch and a pasted quote: each way gives the same offsets."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.waiting.settled import settled

QUOTE = "Anna Berg"


def drag(desk):
    """From inside the first word to inside the second, with the mouse."""
    first, last = ends(desk)
    desk.page.mouse.move(*first)
    desk.page.mouse.down()
    desk.page.mouse.move(*last, steps=4)
    desk.page.mouse.up()


def keys(desk):
    """Select mode: the first word, extended by one."""
    desk.press("s", "Shift+ArrowRight")


def button(desk):
    """Enter select mode by its button with the keyboard, not by its letter."""
    desk.page.get_by_role("button", name="Mark words by keyboard").press("Enter")
    expect(desk.page.locator("[data-select]")).to_have_attribute("aria-pressed", "true")
    desk.press("ArrowLeft", "Shift+ArrowRight")  # from the word where `keys` stopped


def paste(desk):
    """Paste a quote that differs slightly from the text."""
    desk.page.get_by_label("Paste a quote from the box").fill("  anna   BERG ")
    desk.page.get_by_role("button", name="Find", exact=True).click()


def taps(desk):
    """Tap the start, tap the end."""
    for at in ends(desk):
        desk.page.touchscreen.tap(*at)


def tap_and_handle(desk):
    """Tap one word twice, then move its end by the handle."""
    first, _last = ends(desk)
    for _ in range(2):
        desk.page.touchscreen.tap(*first)
    desk.page.get_by_role("button", name="End later").tap()


def ends(desk):
    """Points in the middle of the two words, on the page."""
    code = """element => {
        const range = document.createRange(), text = element.firstChild;
        return ["Anna", "Berg"].map((word) => {
            const at = text.data.indexOf(word);
            range.setStart(text, at); range.setEnd(text, at + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        });
    }"""
    frame = desk.page.locator("iframe[data-frame]").bounding_box()
    points = desk.frame.get_by_text("Anna Berg came from Bergen.").evaluate(code)
    return [(frame["x"] + x, frame["y"] + y) for x, y in points]


def marked(desk, way):
    """The span that this way of selecting puts into the form; it is removed again."""
    way(desk)
    expect(desk.page.locator("[data-pending-bar] [data-pending-words]")).to_have_text(QUOTE)
    desk.page.get_by_role("button", name="Add these words").click()
    expect(desk.page.locator("[data-spans] q")).to_have_text([QUOTE])
    (span,) = json.loads(desk.page.locator("[name=spans]").input_value())
    desk.press("Escape")
    desk.page.get_by_role("button", name="Remove").click()
    expect(desk.page.locator("[data-spans] q")).to_have_count(0)
    return span


@pytest.fixture
def touching(request, site, browser):
    """A desk with a touch screen, at stage 3."""
    context = browser.new_context(has_touch=True, viewport={"width": 1200, "height": 900})
    name = f"tilda-{request.node.originalname.split('_')[1]}"  # a separate person for each test
    desk = Desk(site, context.new_page(), name).take_up().good()
    yield desk.choose("Anna Berg came from Bergen").press("Control+Enter").at("short_answer")
    context.close()


def test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets(touching):
    found = [marked(touching, way) for way in (drag, keys, button, paste, taps, tap_and_handle)]
    assert found == [found[0]] * 6
    assert found[0]["quote"] == QUOTE
    assert found[0]["end"] - found[0]["start"] == 2


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_words_dragged_with_a_mouse_on_a_touch_device_are_selected_once(touching):
    page = touching.page
    drag(touching)
    page.get_by_role("button", name="Add these words").click()
    settled(page)  # a long press would have, too
    expect(page.locator("[data-spans] q")).to_have_text([QUOTE])
    expect(page.locator("[data-pending-bar]")).to_be_hidden()


@pytest.fixture
def una(site, page):
    page.set_viewport_size({"width": 900, "height": 420})
    return Desk(site, page, "una-back").take_up()


SCROLLED = "() => new Promise((done) => { addEventListener('scroll', done, { once: true }); scrollTo(0, 60); })"


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_place_on_two_devices.py"
    "::test_the_place_of_somebody_who_only_read_is_found_on_another_device_and_the_newer_place_wins"
)
def test_after_a_reload_the_page_scroll_and_the_box_in_focus_are_restored(una):
    una.good()
    una.press("j", "j", "j", "j", "j")
    crumbs = una.page.locator("[data-focus-crumbs]")
    expect(crumbs).to_contain_text("Table")
    settled(una.page)  # a box in focus is scrolled into view again while the blocks around it are laid out
    una.press("Enter").saved()
    una.frame.locator("html").evaluate(SCROLLED)
    settled(una.page)  # the frame has told where it is scrolled to
    with una.page.expect_response("**/draft/"):
        una.press("n", "1", "u")
    una.page.reload()
    una.at("long_answer")
    expect(crumbs).to_contain_text("Table")
    expect(una.frame.locator("html")).to_have_js_property("scrollTop", 60)


@pytest.fixture
def ugo(site, page):
    return Desk(site, page, "ugo-back").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_after_a_reload_the_word_cursor_is_at_the_same_word(ugo):
    ugo.good().choose("Anna Berg came from Bergen").press("Control+Enter").at("short_answer")
    ugo.press("s", "ArrowRight", "ArrowRight")
    expect(ugo.page.locator("[data-selection]")).to_contain_text("came")
    ugo.page.reload()
    ugo.at("short_answer").press("s")
    expect(ugo.page.locator("[data-selection]")).to_contain_text("came")


@pytest.fixture
def ulla(site, page):
    return Desk(site, page, "ulla-keys").take_up()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_four_ways_to_select.py"
    "::test_mouse_keyboard_touch_and_a_pasted_quote_give_the_same_offsets"
)
def test_the_last_choice_is_undone_and_switched_off_letters_stay_off_after_a_reload(ulla):
    page = ulla.page
    ulla.press("b", "1", "2", "u")
    expect(page.get_by_label("Incomprehensible")).not_to_be_checked()
    expect(page.get_by_label("Ambiguous")).to_be_checked()
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Single-letter keys").uncheck()
    page.reload()
    ulla.at("question").press("g")
    expect(page.get_by_role("radio", name="Bad")).to_be_checked()
