"""Asking about a paper: rows of questions, their checks and advice, and what the record then holds."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.desk import outside
from tests.browser.qasper.desk import ABSTRACT, SECTIONS, TITLE, PaperDesk
from tests.waiting.settled import keys


@pytest.fixture
def wilma(site, page):
    return PaperDesk(site, page, "wilma-asks", "ask").begin()


def test_a_paper_is_asked_about_by_keyboard(wilma):
    page, rows = wilma.page, wilma.page.locator("[data-asks] textarea")
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    rows.first.click()
    keys(page).type("How many bells were counted?")
    wilma.press("Enter")
    keys(page).type("Who paid the keepers?")
    wilma.press("Alt+ArrowUp")
    assert [row.input_value() for row in rows.all()] == ["Who paid the keepers?", "How many bells were counted?"]
    expect(rows.first).to_be_focused()
    page.get_by_label("The abstract answers it").nth(1).check()
    wilma.press("Control+Enter")
    expect(page.locator("[data-problems]")).to_contain_text("Answer the 3 questions about you and this paper")
    expect(page.locator("[data-unsaid]:visible")).to_have_count(3)
    wilma.background()
    expect(page.get_by_role("button", name="Send 2 questions")).to_be_visible()
    wilma.press("Control+Enter")
    page.get_by_text("Sent. Choose the next one.").wait_for()
    (sent,) = wilma.answers()
    assert sent["questions"] == [
        {"text": "Who paid the keepers?", "answerable_from_abstract": False, "kept": False},
        {"text": "How many bells were counted?", "answerable_from_abstract": True, "kept": False},
    ]
    assert (sent["topic_background"], sent["paper_read"], sent["nlp_background"]) == ("familiar", "no", "two")


@pytest.fixture
def wanda(site, page):
    return PaperDesk(site, page, "wanda-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_nothing_of_the_text_is_on_the_page_of_the_asker(wanda):
    shown = wanda.page.content()
    assert ABSTRACT.rpartition("BIBREF2")[2] in shown
    assert not [section for section in SECTIONS if section["paragraphs"][0] in shown]


@pytest.fixture
def wolf(site, page):
    return PaperDesk(site, page, "wolf-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_advice_is_given_and_only_impossible_questions_are_refused(wolf):
    page, rows = wolf.page, wolf.page.locator("[data-asks] textarea")
    wolf.background()
    rows.first.fill("Are the records released")
    expect(page.locator("[data-advice]").first).to_be_hidden()
    wolf.press("End")
    rows.first.press_sequentially("?")
    expect(page.locator("[data-advice]").first).to_contain_text("The abstract says “records are released”.")
    rows.first.fill("How many bells? And who counted?")
    expect(page.locator("[data-advice]").first).to_contain_text("Two questions in one?")
    wolf.press("Enter")
    rows.nth(1).fill("Too short")
    wolf.press("Control+Enter")
    expect(page.locator("[data-wrong]").nth(1)).to_have_text("A question has at least 3 words.")
    expect(rows.nth(1)).to_be_focused()
    page.get_by_role("button", name="Remove question 2").click()
    page.get_by_role("button", name="Undo").click()
    expect(rows.nth(1)).to_have_value("Too short")
    page.get_by_role("button", name="Remove question 2").click()
    expect(page.locator("[data-problems] [role=alert]")).to_have_count(0)
    wolf.press("Control+Enter")
    page.get_by_text("Sent. Choose the next one.").wait_for()
    assert [question["text"] for question in wolf.answers()[0]["questions"]] == ["How many bells? And who counted?"]


@pytest.fixture
def wendy(site, page):
    return PaperDesk(site, page, "wendy-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_advice_repeats_whole_words_of_the_abstract(wendy):
    page, long = wendy.page, "Sailors heard most of them in spring and autumn, when fog is thickest over the harbours."

    def lengthen(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("Sailors heard most of them.", long))

    page.route(page.url, lengthen)
    page.reload()
    wendy.ready()
    page.locator("[data-asks] textarea").first.fill("Which sailors of harbours had autumn fog?")
    expect(page.locator("[data-advice]").first).to_contain_text(
        "The abstract says “Sailors heard most of them in spring and autumn, when fog …”."
    )


@pytest.fixture
def wera(site, page):
    return PaperDesk(site, page, "wera-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_the_reason_under_the_last_of_many_questions_is_in_view(wera):
    page, rows = wera.page, wera.page.locator("[data-asks] textarea")
    page.set_viewport_size({"width": 1280, "height": 720})
    rows.first.click()
    for number in range(5):
        keys(page).type(f"Who paid keeper number {number}?")
        wera.press("Enter")
    keys(page).type("Too short")
    wera.press("Control+Enter")
    expect(rows.nth(5)).to_be_focused()
    expect(page.locator("[data-wrong]").nth(5)).to_be_in_viewport(ratio=1)
    bottom = page.locator("[data-wrong]").nth(5).bounding_box()
    foot = page.locator(".foot").bounding_box()
    assert bottom["y"] + bottom["height"] <= foot["y"]


@pytest.fixture
def wally(site, browser):
    context = browser.new_context(viewport={"width": 320, "height": 640}, has_touch=True)
    yield PaperDesk(site, context.new_page(), "wally-asks", "ask").begin()
    context.close()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_on_a_phone_the_reason_why_nothing_was_sent_and_the_button_that_sends_are_seen_together(wally):
    page, reason = wally.page, wally.page.locator("[data-problems] [role=alert]")
    assert outside(page) == []
    page.locator(".grip").tap()
    page.locator("[data-asks] textarea").first.fill("Who paid the keepers?")
    send = page.get_by_role("button", name="Send 1 question")
    send.tap()
    expect(page.get_by_label("Familiar", exact=True)).to_be_in_viewport()
    for size in ({"width": 320, "height": 640}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        expect(reason).to_be_in_viewport(ratio=1)
        expect(send).to_be_in_viewport(ratio=1)
        assert outside(page) == []


@pytest.fixture
def wim(site, page):
    return PaperDesk(site, page, "wim-asks", "ask").begin()


@pytest.mark.in_test_all(shown_by="tests/browser/qasper/test_asking.py::test_a_paper_is_asked_about_by_keyboard")
def test_a_copied_sentence_comes_back_with_its_reason_under_it(wim):
    page, rows = wim.page, wim.page.locator("[data-asks] textarea")
    wim.background()
    rows.first.fill("Sailors heard most of them.")
    wim.press("Control+Enter")
    expect(page.locator("[data-wrong]").first).to_contain_text("This is a sentence of the abstract")
    expect(page.locator("[data-asks] textarea").first).to_have_value("Sailors heard most of them.")


@pytest.fixture
def werner(site, page):
    return PaperDesk(site, page, "werner-asks", "ask").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/nq/test_trying.py::test_a_trial_keeps_its_draft_over_a_reload_and_ends_on_its_own_page"
)
def test_unsent_questions_are_restored_after_a_reload(werner):
    page = werner.page
    page.locator("[data-asks] textarea").first.fill("Which coast has most bells?")
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
    page.reload()
    werner.ready()
    expect(page.locator("[data-asks] textarea").first).to_have_value("Which coast has most bells?")
