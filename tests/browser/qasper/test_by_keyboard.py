"""Answering from a paper without a mouse, and on a narrow screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import outside
from tests.browser.qasper.desk import PaperDesk
from tests.waiting.settled import keys

MOST_OF_A_PHONE = 0.15
"""Most of the height of a phone that top bar and question may take together."""


@pytest.fixture
def kim(site, page):
    return PaperDesk(site, page, "kim-keys", "answer").begin()


def test_a_paper_is_answered_by_keys_alone(kim):
    page = kim.page
    kim.press("j", "Shift+J", "e", "Shift+J", "e")
    expect(page.locator("[data-tray] q")).to_have_text(
        ["Anna Berg counted forty bells in 1901. Nobody has counted them since."]
    )
    kim.press("1", "s", "ArrowRight", " ", "ArrowRight", "Enter", "Escape")
    expect(page.locator("[data-spans] q")).to_have_text(["Berg counted"])
    kim.press("Control+Enter")
    page.locator(".questions a.committed").wait_for()
    kim.ready()
    kim.press("2")
    kim.press("x")
    kim.press("Control+Enter")
    expect(page.locator("[data-problems]")).to_contain_text("because the paper does not mention it")
    page.get_by_label("The paper does not mention it").check()
    kim.press("Control+Enter")
    page.get_by_text("All questions about this paper are done").wait_for()
    extractive, no = kim.answers()
    assert [span["quote"] for span in extractive["spans"]] == ["Berg counted"]
    assert no == {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True, "in_abstract": False}


@pytest.fixture
def karl(site, page):
    return PaperDesk(site, page, "karl-off", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_keys_of_every_stage.py"
    "::test_letters_that_are_switched_off_do_nothing_and_the_list_still_opens"
)
def test_letters_that_are_switched_off_stay_off_while_words_are_marked(karl):
    page = karl.page
    karl.press("1", "j")
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Single-letter keys").uncheck()
    karl.press("Escape")
    page.get_by_role("button", name="Mark words").click()
    karl.press("2")
    expect(page.get_by_role("radio", name="From the text")).to_be_checked()
    karl.press("ArrowRight", " ", "ArrowRight", "Enter")
    expect(page.locator("[data-spans] li")).to_have_count(1)


@pytest.fixture
def lena(site, page):
    return PaperDesk(site, page, "lena-keys", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_paragraphs_sentences_sections_and_figures_have_keys(lena):
    page, here = lena.page, lena.page.locator("[data-crumbs]")
    lena.press("j", "j", "j")
    expect(here).to_contain_text("Method › CountingParagraph 3Sentence 1 of 2")
    lena.press("Shift+J", "Shift+J")
    expect(here).to_contain_text("Paragraph 4")
    lena.press("Shift+K")
    expect(here).to_contain_text("Paragraph 3Sentence 2 of 2")
    lena.press("f", "Enter")
    expect(here).to_have_text("Figures and tablesFigure")
    lena.press("e")
    expect(page.locator("[data-tray] .meta")).to_have_text("whole figure")
    lena.press("t")
    expect(page.locator("[data-outline] a:focus")).to_have_count(1)
    lena.press("/")
    keys(page).type("harbours")
    expect(page.locator("[data-found]")).to_have_text("1 of 1")


@pytest.fixture
def mona(site, page):
    return PaperDesk(site, page, "mona-keys", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_brackets_go_to_the_other_question_and_the_draft_stays(mona):
    page = mona.page
    mona.press("j", "e")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    before = page.locator("h1").inner_text()
    mona.press("]")
    expect(page.locator("h1")).not_to_have_text(before)
    mona.ready().press("[")
    expect(page.locator("h1")).to_have_text(before)
    mona.ready()
    expect(page.locator("[data-tray] q")).to_have_text(["Bells are old 🔔 [1]."])


@pytest.fixture
def nora(site, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield PaperDesk(site, context.new_page(), "nora-taps", "answer").begin()
    context.close()


@pytest.mark.in_test_all(
    shown_by="tests/browser/access/test_every_state.py"
    "::test_each_kind_of_page_is_accessible_with_a_mouse_and_on_a_phone"
)
def test_a_phone_has_a_low_header_three_parts_that_fit_and_taps_mark_words(nora):
    page = nora.page
    assert page.locator(".prompt").evaluate("each => each.getBoundingClientRect().bottom") <= 844 * MOST_OF_A_PHONE
    nora.sentence("Two keepers").tap()
    parts = page.get_by_role("group", name="Parts of this screen")
    parts.get_by_role("button", name="Answer").tap()
    expect(page.locator("[data-tray] q")).to_have_text(["Two keepers counted each bell."])
    page.get_by_label("From the text").check()
    page.get_by_role("button", name="Mark words").tap()
    sentence = nora.sentence("Two keepers")
    sentence.tap(position={"x": 8, "y": 10})
    sentence.tap(position={"x": 60, "y": 10})
    expect(page.locator("[data-pending-words]")).to_have_text("Two keepers")
    page.get_by_role("button", name="End later").tap()
    page.get_by_role("button", name="Add these words").tap()
    parts.get_by_role("button", name="Answer").tap()
    expect(page.locator("[data-spans] q")).to_have_text(["Two keepers counted"])
    parts.get_by_role("button", name="Questions").tap()
    expect(page.get_by_role("navigation", name="Questions and sections")).to_be_visible()
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        for part in ("Questions", "Paper", "Answer"):
            parts.get_by_role("button", name=part).tap()
            assert outside(page) == [], f"{part}, {width} px"
