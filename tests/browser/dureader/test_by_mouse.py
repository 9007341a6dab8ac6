"""Answering a question from its documents by mouse: rows, entities, used documents, the type, what comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.dureader.desk import DocumentsDesk, answer


@pytest.fixture
def desk(site, page):
    """A function that returns somebody who has taken up a question of a type."""

    def begin(name: str, question_type: str) -> DocumentsDesk:
        return DocumentsDesk(site, page, name, question_type).begin()

    return begin


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_mouse.py"
    "::test_no_answer_keeps_what_was_written_and_a_draft_comes_back_whole"
)
def test_a_removed_answer_comes_back_with_its_opinion(desk):
    ada = desk("ada", "YES_NO")
    page = ada.page
    for number, (text, opinion) in enumerate((("So it is.", "Yes"), ("It is not.", "No")), start=1):
        if number > 1:
            page.get_by_role("button", name="Add a differing answer").click()
        ada.box(number).fill(text)
        ada.row(number).get_by_text(opinion, exact=True).click()
    page.get_by_role("button", name="Remove answer 1").click()
    expect(ada.box(1)).to_have_value("It is not.")
    expect(ada.row(1).get_by_role("radio", name="No", exact=True)).to_be_checked()
    expect(ada.row(2)).to_be_hidden()
    page.locator("#material").focus()
    ada.press("u")
    expect(ada.box(1)).to_have_value("So it is.")
    expect(ada.row(1).get_by_role("radio", name="Yes")).to_be_checked()
    expect(ada.row(2).get_by_role("radio", name="No", exact=True)).to_be_checked()


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_mouse.py"
    "::test_no_answer_keeps_what_was_written_and_a_draft_comes_back_whole"
)
def test_a_removed_answer_comes_back_with_its_entities_and_each_entity_goes_alone(desk):
    bea = desk("bea", "ENTITY")
    page = bea.page
    bea.box(1).fill("Skerrow and Vik")
    for name in ("Skerrow", "Vik"):
        page.get_by_label("Entities of answer 1", exact=True).fill(name)
        bea.row(1).get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Remove answer 1").click()
    expect(bea.box(1)).to_have_value("")
    page.locator("#material").focus()
    bea.press("u")
    expect(bea.entities(1)).to_have_text(["Skerrow", "Vik"])
    bea.row(1).get_by_role("button", name="Remove Skerrow").click()
    expect(bea.entities(1)).to_have_text(["Vik"])
    page.locator("#material").focus()
    bea.press("u")
    expect(bea.entities(1)).to_have_text(["Skerrow", "Vik"])


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_keyboard.py"
    "::test_a_question_is_told_its_type_and_answered_with_entities_by_keys_alone"
)
def test_selected_words_become_an_entity_with_whole_characters_and_one_that_is_absent_is_only_asked_about(desk):
    cleo = desk("cleo", "ENTITY")
    page, text = cleo.page, "Vik 👨‍👩‍👧, 斯凯罗"
    page.get_by_label("Used").first.check(force=True)
    cleo.box(1).fill(text)
    pick = cleo.row(1).get_by_role("button", name="Add selected words")
    cleo.select(1, "Vik 👨‍👩‍👧", cut=3)
    pick.click()
    cleo.select(1, "凯罗")
    pick.click()
    expect(cleo.entities(1)).to_have_text(["Vik 👨‍👩‍👧", "凯罗"])
    page.get_by_label("Entities of answer 1", exact=True).fill("Borgen")
    advice = page.locator("[data-advice='absent-1']")
    expect(advice).to_be_hidden()
    cleo.row(1).get_by_role("button", name="Add", exact=True).click()
    expect(advice).to_contain_text("“Borgen” is not in your answer.")
    page.get_by_role("button", name="Yes, keep it").click()
    expect(advice).to_be_hidden()
    assert cleo.send()["answers"] == [answer(text, entities=("Vik 👨‍👩‍👧", "凯罗", "Borgen"))]


def test_no_answer_keeps_what_was_written_and_a_draft_comes_back_whole(desk):
    dora = desk("dora", "ENTITY")
    page = dora.page
    page.get_by_label("Used").nth(1).check(force=True)
    dora.box(1).fill("Skerrow and Vik")
    page.get_by_label("Entities of answer 1", exact=True).fill("Vik")
    dora.row(1).get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("No answer here").click()
    expect(dora.box(1)).to_be_hidden()
    page.get_by_text("They answer it").click()
    expect(dora.box(1)).to_have_value("Skerrow and Vik")
    layout = page.get_by_role("button", name="Side by side")
    expect(layout).to_have_attribute("aria-pressed", "true")
    layout.click()
    dora.saved()
    page.reload()
    dora.at("answers")
    expect(layout).to_have_attribute("aria-pressed", "false")
    expect(dora.entities(1)).to_have_text(["Vik"])
    expect(page.get_by_label("Used").nth(1)).to_be_checked()
    assert dora.send() == {"answers": [answer("Skerrow and Vik", entities=("Vik",))], "used": [1]}


@pytest.mark.in_test_all(
    shown_by="tests/browser/qasper/test_by_mouse.py::test_changing_the_kind_of_answer_asks_before_it_clears"
)
def test_changing_the_type_asks_before_the_entities_go(desk):
    finn = desk("finn", "")
    page = finn.page
    page.get_by_text("Entities", exact=True).click()
    page.get_by_text("A fact", exact=True).click()
    finn.press("Control+Enter").at("answers")
    finn.box(1).fill("Skerrow")
    page.get_by_label("Entities of answer 1", exact=True).fill("Skerrow")
    finn.row(1).get_by_role("button", name="Add", exact=True).click()
    finn.saved()
    back = page.get_by_role("link", name="Change the type")
    back.click()
    finn.at("kind")
    page.get_by_text("Yes or no", exact=True).click()
    finn.press("Control+Enter")
    asked = page.get_by_role("dialog", name="Change the type of the question?")
    expect(asked).to_contain_text("The entities that you have given")
    asked.get_by_role("button", name="Keep what I have").click()
    expect(asked).to_be_hidden()
    expect(page.get_by_role("radio", name="Entities")).to_be_checked()
    finn.press("Control+Enter").at("answers")
    expect(finn.entities(1)).to_have_text(["Skerrow"])
    back.click()
    finn.at("kind")
    page.get_by_text("Yes or no", exact=True).click()
    finn.press("Control+Enter")
    asked.get_by_role("button", name="Change it").click()
    finn.at("answers")
    expect(finn.box(1)).to_have_value("Skerrow")
    expect(finn.row(1).get_by_role("radio")).to_have_count(3)


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_keyboard.py"
    "::test_a_question_is_told_its_type_and_answered_with_entities_by_keys_alone"
)
def test_documents_that_are_not_marked_are_asked_for(desk):
    gus = desk("gus", "DESCRIPTION")
    page = gus.page
    page.get_by_role("button", name="Send").click()
    gus.problem("Write an answer, or choose No answer here.")
    gus.box(1).fill("In Skerrow.")
    page.get_by_role("button", name="Add a differing answer").click()
    gus.box(2).fill("In  Skerrow.")
    page.get_by_role("button", name="Send").click()
    gus.problem("Answer 2: you have written this answer already.")
    page.get_by_role("button", name="Remove answer 2").click()
    page.get_by_role("button", name="Send").click()
    gus.problem("Mark the documents that you used.")
    page.get_by_label("Used").first.check(force=True)
    gus.problem("")
    assert gus.send() == {"answers": [answer("In Skerrow.")], "used": [0]}
