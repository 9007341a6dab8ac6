"""The kinds of answer to a question about a paper: their keys, and what giving one up for another asks first."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.qasper.desk import PaperDesk
from tests.waiting.settled import keys


@pytest.fixture
def olga(site, page):
    return PaperDesk(site, page, "olga-writes", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_own_words_can_be_typed_right_after_their_key(olga):
    page = olga.page
    olga.press("j", "3")
    keys(page).type("test set only")
    expect(page.get_by_label("Your answer, as short as possible")).to_have_value("test set only")
    expect(page.locator("[data-tray] li")).to_have_count(0)
    expect(page.get_by_role("radio", name="Own words")).to_be_checked()


@pytest.fixture
def lara(site, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    return PaperDesk(site, page, "lara-laptop", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_the_kinds_are_on_one_line_each_and_clear_of_their_keys_on_a_laptop(lara):
    gaps = lara.page.locator(".kinds .choice").evaluate_all(
        """(all) => all.map((one) => {
          const words = new Range();
          words.selectNodeContents(one.querySelector("span"));
          return words.getClientRects().length === 1
            && one.querySelector("kbd").getBoundingClientRect().left - words.getBoundingClientRect().right;
        })"""
    )
    assert len(gaps) == 4
    assert min(gaps) >= 4, gaps


@pytest.fixture
def otto(site, page):
    return PaperDesk(site, page, "otto-clicks", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_own_words_can_be_typed_right_after_a_click_but_arrow_keys_stay_in_the_kinds(otto):
    page, words = otto.page, otto.page.get_by_label("Your answer, as short as possible")
    page.get_by_text("Own words").click()
    expect(words).to_be_focused()
    page.get_by_role("radio", name="Yes or no").focus()
    otto.press("ArrowLeft", "ArrowRight", "ArrowRight")
    expect(page.get_by_role("radio", name="Own words")).to_be_focused()


@pytest.fixture
def yara(site, page):
    return PaperDesk(site, page, "yara-keys", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_y_and_x_answer_yes_and_no(yara):
    page = yara.page
    yara.press("y")
    expect(page.get_by_role("radio", name="Yes or no")).to_be_checked()
    expect(page.get_by_role("radio", name="Yes", exact=True)).to_be_checked()
    yara.press("x")
    expect(page.get_by_role("radio", name="No", exact=True)).to_be_checked()
    yara.press("u")
    expect(page.get_by_role("radio", name="Yes", exact=True)).to_be_checked()


@pytest.fixture
def yves(site, page):
    return PaperDesk(site, page, "yves-writes", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_own_words_without_a_letter_or_a_digit_are_missing_before_they_are_sent(yves):
    yves.sentence("Bells are old").click()
    yves.press("3")
    yves.page.get_by_label("Your answer, as short as possible").fill("…?")
    yves.press("Control+Enter")
    expect(yves.page.locator("[data-problems]")).to_have_text("Write the answer.")


@pytest.fixture
def umar(site, page):
    return PaperDesk(site, page, "umar-asks", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py::test_changing_the_kind_of_answer_asks_before_it_clears"
)
def test_enter_keeps_what_was_written_when_the_page_asks_whether_to_clear_it(umar):
    page, dialog = umar.page, umar.page.locator("dialog#switch")
    umar.press("3")
    page.locator("#own-words").fill("bronze")
    umar.press("Escape", "1")
    expect(dialog.get_by_role("button", name="Keep what I have")).to_be_focused()
    umar.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("radio", name="Own words")).to_be_checked()
    expect(page.locator("#own-words")).to_have_value("bronze")
    umar.press("1", "Shift+Tab", "Enter")
    expect(page.get_by_role("radio", name="From the text")).to_be_checked()


@pytest.fixture
def ute(site, page):
    return PaperDesk(site, page, "ute-clicks", "answer").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_by_keyboard.py::test_a_paper_is_answered_by_keys_alone")
def test_a_click_on_a_sentence_gives_up_unanswerable_only_if_the_person_agrees(ute):
    page, dialog = ute.page, ute.page.locator("dialog#switch")
    ute.press("4")
    ute.sentence("Bells are old").click()
    expect(dialog).to_contain_text("You chose “Unanswerable”")
    dialog.get_by_role("button", name="Keep what I have").click()
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
    expect(page.locator("[data-tray] li")).to_have_count(0)
    ute.sentence("Bells are old").click()
    dialog.get_by_role("button", name="Choose evidence").click()
    expect(page.locator("[data-tray] li")).to_have_count(1)
    expect(page.get_by_role("radio", name="Unanswerable")).not_to_be_checked()
    ute.press("u")
    expect(page.get_by_role("radio", name="Unanswerable")).to_be_checked()
