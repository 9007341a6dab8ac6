"""Answering from a paper by mouse: evidence by clicks, words by dragging, confirmation before the kind changes."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.desk import outside
from tests.browser.qasper.desk import QUESTIONS, SECTIONS, PaperDesk


def first_and_other(desk: PaperDesk) -> tuple[str, str]:
    """The question on the screen, and the other one of the paper, whichever comes first."""
    shown = desk.page.locator("h1").inner_text()
    return tuple(sorted(QUESTIONS, key=lambda question: question not in shown))


def handles_off_the_ends(desk: PaperDesk) -> list[int]:
    """How many pixels each handle is from its end of the words being marked."""
    return desk.page.evaluate(
        """() => {
          const [range] = CSS.highlights.get("pending");
          const words = range.getBoundingClientRect();
          const [start, end] = [...document.querySelectorAll(".handle")].map((one) => one.getBoundingClientRect());
          const far = (handle, x) => Math.round(Math.hypot(handle.top - words.bottom, x));
          return [far(start, start.right - words.left), far(end, end.left - words.right)];
        }"""
    )


@pytest.fixture
def anna(site, page):
    return PaperDesk(site, page, "anna-mouse", "answer").begin()


def test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work(anna):
    page, stop = anna.page, anna.page.get_by_role("button", name="Finish and stop")
    first, other = first_and_other(anna)
    anna.sentence("Anna Berg counted").click()
    expect(page.locator("[data-tray] q")).to_have_text(["Anna Berg counted forty bells in 1901."])
    anna.drag(anna.sentence("Anna Berg counted"), "nna Ber")
    expect(page.locator("[data-pending-words]")).to_have_text("Anna Berg")
    expect(page.locator("[data-pending-chip]")).to_contain_text("2 words, being marked")
    assert handles_off_the_ends(anna) == [0, 0]
    page.get_by_role("button", name="Add these words").click()
    expect(page.locator("[data-spans] q")).to_have_text(["Anna Berg"])
    expect(stop).to_be_hidden()
    page.get_by_role("button", name="Keep this answer – question 2").click()
    anna.at(other)
    expect(page.locator(".questions a.committed")).to_contain_text(first)
    page.get_by_label("Yes or no").first.check()
    page.get_by_role("radio", name="Yes", exact=True).check(force=True)
    page.locator("#float-0 [data-float-toggle]").click()
    expect(page.get_by_text("Text is preferred to figures and tables")).to_be_visible()
    expect(page.get_by_role("button", name="Keep it – finish the paper")).to_be_enabled()
    expect(page.get_by_text("This finishes the paper. Its answers can’t be changed afterwards.")).to_be_visible()
    for width in (1920, 1440, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert outside(page) == [], f"{width} px"
    stop.click()
    page.get_by_text("Nothing else is held for you.").wait_for()
    extractive, yes = anna.answers()
    (span,) = extractive["spans"]
    text = SECTIONS[0]["paragraphs"][0]
    assert text[span["start"] : span["end"]] == span["quote"] == "Anna Berg", "code points, after an astral character"
    assert extractive["evidence"] == [
        {
            "kind": "sentences",
            "paragraph": 0,
            "start": 1,
            "end": 2,
            "quote": "Anna Berg counted forty bells in 1901.",
        }
    ]
    assert yes == {
        "kind": "yes_no",
        "value": True,
        "by_absence": False,
        "in_abstract": False,
        "evidence": [{"kind": "float", "index": 0, "quote": "Figure 1: Bells by coast."}],
    }


@pytest.fixture
def bert(site, page):
    return PaperDesk(site, page, "bert-mouse", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_words_outside_the_evidence_stay_in_sight_ask_for_confirmation_and_add_their_sentence_if_wanted(bert):
    page, asked = bert.page, bert.page.get_by_text("Should their sentence be evidence too?")
    page.set_viewport_size({"width": 1280, "height": 420})
    bert.sentence("Two keepers").evaluate("each => each.scrollIntoView({ block: 'end' })")
    bert.sentence("Two keepers").dblclick(position={"x": 60, "y": 10})
    expect(page.locator("[data-pending-words]")).to_have_text("keepers")
    expect(asked).to_be_visible()
    expect(bert.sentence("Two keepers")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator("[data-live]")).to_contain_text("Enter adds them and their sentence")
    expect(page.locator("[data-tray] li")).to_have_count(0)
    bert.press("Escape")
    expect(asked).to_be_hidden()
    expect(page.locator("[data-spans] li, [data-tray] li")).to_have_count(0)
    bert.sentence("Two keepers").dblclick(position={"x": 60, "y": 10})
    page.get_by_role("button", name="Add with their sentence").click()
    expect(page.locator("[data-tray] q")).to_have_text(["Two keepers counted each bell."])
    page.get_by_role("button", name="Remove “Two keepers").click()
    expect(page.locator("[data-spans] li")).to_have_count(0)
    bert.press("u")
    expect(page.locator("[data-spans] q")).to_have_text(["keepers"])


@pytest.fixture
def bela(site, page):
    return PaperDesk(site, page, "bela-mouse", "answer").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_an_answer_adds_no_sentence_without_confirmation(bela):
    page = bela.page
    bela.sentence("They agreed").click()
    bela.drag(bela.sentence("Two keepers"), "wo keeper")
    bela.press("Control+Enter")
    expect(page.locator("[data-problems]")).to_contain_text("are outside your evidence")
    expect(page.locator("[data-tray] q")).to_have_text(["They agreed on 38 of them."])
    expect(page.get_by_role("button", name="Add with their sentence")).to_be_focused()
    bela.press("Enter")
    expect(page.locator("[data-spans] q")).to_have_text(["Two keepers"])
    expect(page.locator("[data-problems]")).to_be_empty()
    bela.press("Control+Enter")
    page.locator(".questions a.committed").wait_for()
    (piece,) = bela.answers()[0]["evidence"]
    assert piece["quote"] == "Two keepers counted each bell. They agreed on 38 of them."


@pytest.fixture
def carl(site, page):
    return PaperDesk(site, page, "carl-mouse", "answer").begin()


def test_changing_the_kind_of_answer_asks_before_it_clears(carl):
    page = carl.page
    carl.sentence("Two keepers").click()
    page.get_by_label("Own words").check()
    page.get_by_role("textbox", name="Your answer").fill("two keepers")
    page.get_by_role("radio", name="Unanswerable").click()
    dialog = page.get_by_role("dialog", name="Change to “Unanswerable”?")
    expect(dialog).to_contain_text("your words and 1 piece of evidence")
    dialog.get_by_role("button", name="Keep what I have").click()
    expect(page.get_by_label("Own words")).to_be_checked()
    page.get_by_role("radio", name="Unanswerable").click()
    dialog.get_by_role("button", name="Change and clear").click()
    expect(page.locator("[data-tray] li")).to_have_count(0)
    page.get_by_role("button", name="Keep this answer – question 2").click()
    page.locator(".questions a.committed").wait_for()
    assert carl.answers() == [{"kind": "unanswerable"}]


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py"
    "::test_a_paper_is_answered_by_mouse_and_its_last_answer_may_stop_the_work"
)
def test_an_equation_is_rendered_in_the_paper_and_in_its_chip_and_is_one_word(erik):
    page = erik.page
    expect(page.locator("[data-passage='1'] math")).to_have_count(2)
    erik.sentence("A bell is heard").click()
    page.get_by_label("From the text").check()
    page.get_by_role("button", name="Mark words").click()
    erik.press("End", "Enter", "Escape")
    expect(page.locator("[data-spans] q math")).to_have_count(1)
    assert json.loads(page.locator("[name=spans]").input_value())[0]["quote"] == "$p_i > \\tau $"


@pytest.fixture
def erik(site, page):
    return PaperDesk(site, page, "erik-mouse", "answer").begin()
