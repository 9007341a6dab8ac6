"""Select mode in every protocol: by word, sentence and block, what Shift and Space mark, what is announced."""

from __future__ import annotations

from zlib import crc32

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.browser.qasper.desk import PaperDesk
from tests.browser.squad.desk import ParagraphDesk


def says(desk, words: str, *keys: str) -> None:
    """Return a function that presses keys and waits until the live region says these words."""
    desk.press(*keys)
    expect(desk.page.locator("[data-live]")).to_have_text(words)


def mine(request, name: str) -> str:
    """A separate person for each test."""
    return f"{name}-{crc32(request.node.name.encode()):x}"


@pytest.fixture
def nora(request, site, page):
    """At the words of a list with two items."""
    desk = Desk(site, page, mine(request, "nora")).take_up().good().choose("Anna Berg came from Bergen")
    desk.press("h")
    expect(page.locator("[data-focus-crumbs]")).to_have_text("KeepersList")
    return desk.press("Enter", "Control+Enter").at("short_answer").select()


def test_a_box_can_be_traversed_by_word_sentence_and_block(nora):
    says(nora, "Bergen", "End")
    says(nora, "Anna", "Home")
    says(nora, "Olaf", "PageDown")
    says(nora, "from", "PageDown", "ArrowLeft")
    says(nora, "Olaf", "Control+ArrowLeft")
    says(nora, "Anna", "Control+ArrowLeft")
    says(nora, "Olaf", "Control+ArrowRight")
    says(nora, "Anna", "PageUp")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_select_mode.py::test_a_box_can_be_traversed_by_word_sentence_and_block"
)
def test_the_sentence_of_the_word_in_a_box_is_read_out_by_key_and_by_button(nora):
    says(nora, "Olaf Lund came from Oslo.", "PageDown", "ArrowRight", "r")
    nora.press("PageUp", "PageUp")
    nora.page.get_by_role("button", name="Read out the sentence").click()
    expect(nora.page.locator("[data-live]")).to_have_text("Anna Berg came from Bergen.")
    says(nora, "Berg", "ArrowRight")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_select_mode.py::test_a_box_can_be_traversed_by_word_sentence_and_block"
)
def test_shift_and_space_mark_words_of_a_box_with_every_move(nora):
    pending = nora.page.locator("[data-pending-bar] [data-pending-words]")
    nora.press("Shift+Control+ArrowRight")
    expect(pending).to_have_text("Anna Berg came from Bergen")
    nora.press("Enter")
    nora.press("PageDown", " ", "End", " ")
    expect(pending).to_have_text("Olaf Lund came from Oslo")
    nora.press("Enter", "Escape")
    expect(nora.page.locator("[data-spans] q")).to_have_text(["Anna Berg came from Bergen", "Olaf Lund came from Oslo"])


@pytest.fixture
def nils(request, site, page):
    """At the words of two pieces of evidence, of two sentences each, in two paragraphs."""
    desk = PaperDesk(site, page, mine(request, "nils"), "answer").begin()
    for words in ("Anna Berg counted", "Nobody has", "Two keepers", "They agreed"):
        desk.sentence(words).click()
    return desk.press("1", "s")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_select_mode.py::test_a_box_can_be_traversed_by_word_sentence_and_block"
)
def test_evidence_can_be_traversed_by_word_sentence_and_block(nils):
    says(nils, "since", "End")
    says(nils, "Anna", "Home")
    says(nils, "Nobody", "Control+ArrowRight")
    says(nils, "Two", "PageDown")
    says(nils, "of", "PageDown", "ArrowLeft")
    says(nils, "They", "Control+ArrowLeft")
    says(nils, "Two", "PageUp")
    says(nils, "Anna", "PageUp")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_select_mode.py::test_a_box_can_be_traversed_by_word_sentence_and_block"
)
def test_the_sentence_of_the_word_in_a_paper_is_read_out_by_key_and_by_button(nils):
    says(nils, "Anna Berg counted forty bells in 1901.", "ArrowRight", "r")
    nils.press("Control+ArrowRight")
    nils.page.get_by_role("button", name="Read out the sentence").click()
    expect(nils.page.locator("[data-live]")).to_have_text("Nobody has counted them since.")
    says(nils, "has", "ArrowRight")


@pytest.mark.in_test_all(
    shown_by="tests/browser/test_select_mode.py::test_a_box_can_be_traversed_by_word_sentence_and_block"
)
def test_shift_and_space_mark_words_of_a_paper_with_every_move_and_stay_in_their_block(nils):
    pending = nils.page.locator("[data-pending-words]")
    nils.press("Shift+Control+ArrowRight")
    expect(pending).to_have_text("Anna Berg counted forty bells in 1901")
    nils.press("Shift+PageDown")
    expect(pending).to_have_text("Anna Berg counted forty bells in 1901. Nobody has counted them since")
    nils.press("Escape", "s", "PageDown", " ", "Control+ArrowRight", " ")
    expect(pending).to_have_text("Two keepers counted each bell")


OTHERS = pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
WORDS = {"nq": "Anna Berg", "qasper": "Anna Berg", "squad": "The 🦊", "ask": "The 🦊"}


@pytest.fixture(params=["nq", *(pytest.param(each, marks=OTHERS) for each in WORDS if each != "nq")])
def marking(request, site, page):
    """In select mode, with nothing marked; and the words that are marked then."""
    name, words = mine(request, "mia"), WORDS[request.param]
    if request.param == "nq":
        desk = Desk(site, page, name).take_up().good().choose("Anna Berg came from Bergen")
        return desk.press("Control+Enter").at("short_answer").select(), words
    if request.param == "qasper":
        desk = PaperDesk(site, page, name, "answer").begin()
        desk.sentence("Anna Berg counted").click()
        return desk.press("1", "s"), words
    desk = ParagraphDesk(site, page, name, "answer" if request.param == "squad" else "ask").begin()
    if request.param == "ask":
        page.locator("#material").focus()
    return desk.press("s"), words


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_words_that_are_being_marked_are_in_the_draft(marking):
    desk, words = marking
    desk.press(" ", "ArrowRight", " ")
    expect(desk.page.locator("[data-pending-bar] [data-pending-words]")).to_have_text(words)
    desk.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    desk.page.reload()
    desk.page.locator("#screen[data-started]").wait_for()
    expect(desk.page.locator("[data-spans] q")).to_have_text([words])


@pytest.fixture
def ruth(site, page):
    desk = Desk(site, page, "ruth-keys").take_up().good()
    return desk.choose("67 metres")


@pytest.mark.in_test_all(shown_by="tests/browser/nq/test_by_keyboard.py::test_a_question_is_answered_by_keys_alone")
def test_headings_the_enclosing_box_and_no_answer_have_keys(ruth):
    page = ruth.page
    ruth.press("h")
    expect(page.locator("[data-focus-crumbs]")).to_have_text("KeepersTable")
    ruth.press("Enter")
    expect(page.locator(".marked .meta")).to_contain_text("Table, ")
    ruth.press("o")
    expect(page.locator("[data-heading]:focus")).to_have_count(1)
    ruth.press("Control+Enter").at("short_answer")
    ruth.press("x")
    expect(page.locator("[name=kind]:checked")).to_have_value("no")
    ruth.press("0")
    expect(page.locator("[name=kind]:checked")).to_have_value("none")
    ruth.press("Control+Enter").at("question")
    assert ruth.answers()[2] == {"kind": "none"}
