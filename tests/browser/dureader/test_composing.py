"""While an input method composes, keys belong to it: nothing is chosen, added or sent."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.dureader.desk import DocumentsDesk, answer
from tests.waiting.settled import keys, ready

COMPOSED = """(target, [key, ctrl]) => target.dispatchEvent(new KeyboardEvent("keydown", {
  key, ctrlKey: ctrl, isComposing: true, keyCode: 229, bubbles: true, cancelable: true,
}))"""
"""A key as Chromium tells of it while an input method composes; true unless somebody has taken it."""


def compose(page: Page, *names: str) -> None:
    """Press keys that belong to the input method, where the focus is."""
    for name in names:
        ready(page)
        key = name.removeprefix("Control+")
        assert page.locator(":focus").evaluate(COMPOSED, [key, key != name]), f"{name} was taken"


@pytest.fixture
def mei(site, page):
    return DocumentsDesk(site, page, "mei", "ENTITY").begin()


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_composing.py"
    "::test_a_composition_goes_on_through_saving_drawing_and_ctrl_enter"
)
def test_enter_that_ends_a_composition_adds_no_entity_and_sends_nothing(mei):
    page = mei.page
    page.get_by_label("Used").nth(1).check(force=True)
    mei.box(1).focus()
    keys(page).insert_text("斯凯罗有灯塔。")
    compose(page, "Enter", "Control+Enter", "1", "n", "m")
    mei.press("Tab")
    keys(page).insert_text("斯凯")
    compose(page, "Enter", "1", "2", "Control+Enter")
    expect(mei.entities(1)).to_have_count(0)
    keys(page).insert_text("罗")
    mei.press("Enter")
    expect(mei.entities(1)).to_have_text(["斯凯罗"])
    expect(mei.row(1).locator("[data-count]")).to_have_text("6 characters")
    assert mei.answers() == []
    assert mei.send() == {"answers": [answer("斯凯罗有灯塔。", entities=("斯凯罗",))], "used": [1]}


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_composing.py"
    "::test_a_composition_goes_on_through_saving_drawing_and_ctrl_enter"
)
def test_digits_that_pick_a_candidate_choose_no_type(site, page):
    wei = DocumentsDesk(site, page, "wei", "").begin()
    page.locator("#material").focus()
    compose(page, "1", "2", "f", "Control+Enter")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    wei.press("3")
    expect(page.get_by_role("radio", name="Yes or no")).to_be_checked()


class InputMethod:
    """The input method of Chromium: it composes where the focus is, as one of the system does."""

    def __init__(self, page: Page) -> None:
        self.devtools = page.context.new_cdp_session(page)

    def composes(self, text: str) -> None:
        """Show this instead of what is being composed; if nothing is, begin with it."""
        place = {"selectionStart": len(text), "selectionEnd": len(text)}
        self.devtools.send("Input.imeSetComposition", {"text": text, **place})

    def ends(self, text: str) -> None:
        """Leave this in place of what was being composed."""
        self.devtools.send("Input.insertText", {"text": text})


IN_ANSWER = pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_composing.py"
    "::test_a_composition_goes_on_through_saving_drawing_and_ctrl_enter"
)


@pytest.mark.parametrize("where", [pytest.param("answer", marks=IN_ANSWER), "entity"])
def test_a_composition_goes_on_through_saving_drawing_and_ctrl_enter(site, page, where):
    """What is composed next takes the place of what was composed, not a place after it: it has never ended."""
    writer = DocumentsDesk(site, page, f"composer-{where}", "ENTITY").begin()
    page.get_by_label("Used").nth(1).check(force=True)
    writer.box(1).focus()
    keys(page).insert_text("斯凯罗有灯塔。")
    writer.saved()
    field = writer.box(1) if where == "answer" else writer.row(1).locator("[data-entity]")
    field.focus()
    before = field.input_value()
    method = InputMethod(page)
    with page.expect_response("**/draft/**") as saved:
        method.composes("si kai")
    assert saved.value.ok
    ready(page)
    expect(field).to_have_value(f"{before}si kai")
    writer.press("Control+Enter")
    assert writer.answers() == []
    with page.expect_response("**/draft/**"):
        method.composes("si kai luo")
    expect(field).to_have_value(f"{before}si kai luo")
    expect(writer.entities(1)).to_have_count(0)
    method.ends("斯凯罗")
    expect(field).to_have_value(f"{before}斯凯罗")
    if where == "answer":
        writer.press("Tab")
        keys(page).insert_text("斯凯罗")
    text = f"{before}斯凯罗" if where == "answer" else "斯凯罗有灯塔。"
    assert writer.send() == {"answers": [answer(text, entities=("斯凯罗",))], "used": [1]}


@pytest.mark.in_test_all(
    shown_by="tests/browser/dureader/test_by_mouse.py"
    "::test_no_answer_keeps_what_was_written_and_a_draft_comes_back_whole"
)
def test_an_entity_that_is_half_typed_is_there_again_after_a_reload(site, page):
    rui = DocumentsDesk(site, page, "rui", "ENTITY").begin()
    rui.box(1).focus()
    rui.type("Skerrow has one.").press("Tab")
    with page.expect_response("**/draft/**"):
        rui.type("Sker")
    page.reload()
    rui.at("answers")
    expect(rui.row(1).locator("[data-entity]")).to_have_value("Sker")
    expect(rui.entities(1)).to_have_count(0)
