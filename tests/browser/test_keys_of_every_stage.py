"""Keys shared by every stage of every protocol: their list, landmarks, Esc, letters."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.protocols.examples import with_demos
from tests.protocols.parts import parts
from tests.site import Site
from tests.waiting.settled import keys

OPENED: dict[str, dict[str, Callable[[Site, Page, str], None]]] = {
    key: part.OPENED for key, part in parts("keys").items()
}
STAGES = [(protocol, stage) for protocol, stages in OPENED.items() for stage in stages]
SHAPES = [("nq", "short_answer"), ("squad", "questions")]
"""Two stages that differ most: a framed page whose keys go through the frame, and a text beside fields to ask in."""
OTHERS = pytest.mark.in_test_all(
    shown_by="tests/browser/test_keys_of_every_stage.py::test_letters_that_are_switched_off_do_nothing_and_the_list_still_opens"
)


def of_stages(chosen: list[tuple[str, str]], *, otherwise: tuple = ()) -> pytest.MarkDecorator:
    """Run a test at these stages; at the others with a mark, if there is one."""
    more = [pytest.param(each, marks=otherwise, id="-".join(each)) for each in STAGES if each not in chosen]
    these = [pytest.param(each, id="-".join(each)) for each in chosen]
    return pytest.mark.parametrize("at", these + (more if otherwise else []), indirect=True, scope="module")


each_shape = of_stages(SHAPES, otherwise=(OTHERS,))
"""For each merge these two; what the others share with them is the same script."""
a_framed_page = of_stages(SHAPES[:1], otherwise=(OTHERS,))
a_text_to_ask_about = of_stages([("squad", "questions")], otherwise=(OTHERS,))
"""For each merge one stage: what is above the work is the same at all of them, and most fields are where one asks."""

BOOKKEEPING = ["csrfmiddlewaretoken", "submission_key", "seen", "client", "after", "base"]
"""Fields of every form that are not part of the answer; saving a draft changes some of them."""


@dataclass
class At:
    """A person at a stage; checks leave the stage unchanged."""

    page: Page
    stage: str

    def state(self) -> str:
        """The form's values, the focus, and the open dialog."""
        return self.page.evaluate(
            """(bookkeeping) => {
              const said = [...new FormData(document.querySelector("form[data-commit]"))];
              const focused = document.activeElement.outerHTML.slice(0, 200);
              const dialog = document.querySelector("dialog[open]")?.id ?? "";
              return JSON.stringify([said.filter(([name]) => !bookkeeping.includes(name)), focused, dialog]);
            }""",
            BOOKKEEPING,
        )

    def keys(self) -> Locator:
        """The list of keys, opened."""
        return self.page.get_by_role("dialog", name="Keys of this stage")

    def letters(self) -> list[str]:
        """The single keys in the list, as they are typed, without the one for the list itself."""
        keys(self.page).press("Alt+Shift+Q")  # some stages begin in a text field
        keys(self.page).press("?")
        expect(self.keys()).to_be_visible()  # later, when the frame has the focus and passes the key on
        listed = self.keys().locator("kbd").all_inner_texts()
        keys(self.page).press("Escape")
        expect(self.keys()).to_be_hidden()
        return [key.lower() for key in listed if len(key) == 1 and key.isascii() and key != "?"]

    def switch_letters(self) -> None:
        """Toggle the switch for single letters in the menu."""
        self.page.get_by_role("button", name="Menu").click()
        self.page.get_by_label("Single-letter keys").click()
        keys(self.page).press("Escape")


@pytest.fixture(scope="module")
def at(request, site, browser: Browser):
    protocol, stage = request.param
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    OPENED[protocol][stage](site, page, stage)
    yield At(page, stage)
    context.close()


def test_every_stage_of_every_protocol_is_checked():
    registered = {(each.key, stage.key) for each in with_demos() for work in each.activities for stage in work.stages}
    assert sorted(registered) == sorted(STAGES), "tests/protocols/<key>/screens/keys.py opens each stage: OPENED"


@each_shape
def test_the_question_mark_lists_the_keys_and_esc_closes_the_list_only(at):
    keys(at.page).press("Alt+Shift+Q")
    before = at.state()
    keys(at.page).press("?")
    expect(at.keys().locator("kbd", has_text="Alt Shift Q")).to_be_visible()
    keys(at.page).press("Escape")
    expect(at.keys()).to_be_hidden()
    assert at.state() == before


@each_shape
def test_alt_shift_and_a_letter_go_to_the_text_the_question_and_the_answer(at):
    for letter, place in (("Q", "[data-prompt]"), ("A", "[data-answer]"), ("D", "#material")):
        keys(at.page).press(f"Alt+Shift+{letter}")
        inside = at.page.locator(place)
        framed = inside.locator("iframe")
        expect(framed if framed.count() else inside).to_be_focused()


@each_shape
def test_letters_that_are_switched_off_do_nothing_and_the_list_still_opens(at):
    keys(at.page).press("Alt+Shift+Q")
    letters = at.letters()
    assert letters
    at.switch_letters()
    keys(at.page).press("Alt+Shift+Q")
    before = at.state()
    for letter in letters:
        keys(at.page).press(letter)
        assert at.state() == before, letter
    keys(at.page).press("?")
    expect(at.keys()).to_be_visible()
    keys(at.page).press("Escape")
    at.switch_letters()


@a_framed_page
def test_letters_do_nothing_while_the_focus_is_in_the_bar_above_the_work_or_in_its_menu(at):
    letters, bar = at.letters(), at.page.locator("#screen .topbar")
    for name in ("Goldfinch, home", "My time"):
        if name == "My time":
            at.page.get_by_role("button", name="Menu").click()
        bar.get_by_role("link", name=name).focus()
        before = at.state()
        for letter in letters:
            keys(at.page).press(letter)
            assert at.state() == before, letter
    keys(at.page).press("?")
    expect(at.keys()).to_be_visible()
    keys(at.page).press("Escape")
    keys(at.page).press("Escape")


@a_framed_page
def test_letters_work_again_after_a_click_on_a_button_in_the_bar(at):
    menu = at.page.get_by_role("button", name="Menu")
    for press in (menu.click, lambda: at.page.locator(".topbar [data-theme-switch]").dblclick()):
        press()
        keys(at.page).press("Escape")
        assert at.page.evaluate("document.activeElement.closest('.topbar') === null")


@each_shape
@pytest.mark.parametrize("letter", ["Q", *(pytest.param(letter, marks=OTHERS) for letter in "AD")])
def test_alt_g_opens_the_guidelines_at_the_section_of_the_stage_from_everywhere(at, letter):
    keys(at.page).press(f"Alt+Shift+{letter}")
    before = at.state()
    panel = at.page.get_by_role("dialog", name="Guidelines")
    for key in ("Alt+g", "Escape"):
        keys(at.page).press("Alt+g")
        expect(panel.locator(f"[data-section='{at.stage}']")).to_be_in_viewport()
        keys(at.page).press(key)
        expect(panel).to_be_hidden()
        assert at.state() == before


@each_shape
def test_enter_sends_nothing_at_the_question_on_a_choice_or_in_a_line_of_text(at):
    at.page.evaluate(
        """() => {
          window.sent = 0;
          window.holdBack = (event) => { window.sent += 1; event.preventDefault(); event.stopImmediatePropagation(); };
          window.addEventListener("submit", window.holdBack, { capture: true });
        }"""
    )
    controls = [each for each in at.page.locator("form[data-commit] input").all() if each.is_visible()]
    for control in controls:
        control.focus()
        before = at.state()
        keys(at.page).press("Enter")
        assert at.state() == before
    for letter in "QAD":
        keys(at.page).press(f"Alt+Shift+{letter}", "Enter")
    assert at.page.evaluate("window.sent") == 0
    at.page.evaluate('document.querySelector("form[data-commit]").requestSubmit()')
    assert at.page.evaluate("window.sent") == 1
    at.page.evaluate('window.removeEventListener("submit", window.holdBack, { capture: true })')
    keys(at.page).press("Alt+Shift+Q")


@a_text_to_ask_about
def test_letters_in_a_text_field_are_letters(at):
    letters = "".join(at.letters()) + "?"
    keys(at.page).press("Alt+s")
    why = at.page.locator("#skip-text")
    expect(why).to_be_visible()
    _type(at, why, letters)
    keys(at.page).press("Escape")
    expect(why).to_be_hidden()
    for field in at.page.locator("#screen :is(textarea, input[type=search], input[type=text])").all():
        if field.is_visible():
            _type(at, field, letters)


def _type(at: At, field: Locator, letters: str) -> None:
    """Type them; they appear in the field, and nothing else in the form or the dialogs changes."""
    field.focus()
    before = at.state()
    field.press_sequentially(letters)
    expect(field).to_have_value(letters)
    after = at.state()
    field.fill("")
    assert _but_for(letters, after) == _but_for(letters, before)


def _but_for(letters: str, state: str) -> tuple[list[list[str]], str]:
    said, _, dialog = json.loads(state)
    return [entry for entry in said if entry[1] not in ("", "[]") and letters not in entry[1]], dialog
