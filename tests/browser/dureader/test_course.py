"""The demo's course in the browser: tutorial and exam, in part on the real screen, and what they end with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import signed_in
from tests.browser.access.targets import LEAST, too_small
from tests.browser.dureader.furnish_course import KEY, course_of_demo
from tests.site import Site
from tests.waiting.settled import keys, loaded, ready

SLUG = "documents-course"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TOMATOES = (
    ("No, in the fridge tomatoes stop ripening and lose their smell and taste. Keep them in the kitchen.", "No"),
    ("Yes, if they are fully ripe, because they keep almost a week longer there.", "Yes"),
)
FEEDER = "You can put out sunflower seeds, rolled oats and apples cut in half."
FOOD = ("sunflower seeds", "rolled oats", "apples")
CANAL = "The Suez Canal connects the Mediterranean with the Red Sea."
SEAS = ("Mediterranean", "Red Sea")


@pytest.fixture(scope="module")
def school(site: Site) -> Site:
    """A project whose course is the demo's."""
    site.manage("create_project", SLUG, "--protocol", "dureader", "--title", "Answers from documents")
    signed_in.join(site, SLUG, "lore", role="lead")
    code = f"from tests.browser.dureader.furnish_course import furnish; furnish({SLUG!r}, 'lore')"
    site.manage("shell", "-c", code)
    return site


def at_the_course(site: Site, page: Page, name: str) -> Page:
    """Somebody who has never begun, on the page of the course."""
    signed_in.join(site, SLUG, name)
    signed_in.sign_in(site, page, name)
    page.goto(f"{site.url}/projects/{SLUG}/courses/{KEY}/")
    return page


def to_the_tutorial(page: Page) -> Page:
    """By keys: begin, read the guidelines, begin the tutorial."""
    for step in ("Enter", "Control+Enter", "Enter"):
        keys(page).press(step)
        loaded(page)
    return page


def right_place(page: Page) -> int:
    """The place of the right option of the question that the page asks, from 1."""
    shown = ready(page).locator("label.choice").all_inner_texts()
    course = course_of_demo()["course"]
    asked = [*course["tutorial"], *(each for block in course["blocks"] for each in block["pool"])]
    for item in asked:
        options = [(each["text"].replace("*", ""), each.get("right", False)) for each in item.get("options", ())]
        places = [
            next((n for n, label in enumerate(shown, 1) if label.split("\n")[0] == text), 0) for text, _is in options
        ]
        if options and sorted(places) == list(range(1, len(shown) + 1)):
            return next(place for place, (_text, right) in zip(places, options, strict=True) if right)
    raise AssertionError(f"no question of the course has these options: {shown}")


def through_the_tutorial(page: Page) -> None:
    """By keys: three questions with options, and one on the real screen."""
    for _each in range(3):
        keys(page).press(str(right_place(page)), "Control+Enter")
        expect(loaded(page).get_by_text("Right answer")).to_be_visible()
        keys(page).press("Enter")
        loaded(page)
    keys(page).press("Enter")
    expect(loaded(page).get_by_role("heading", name="what can i put in a bird feeder in winter")).to_be_visible()
    write_entities(page, FEEDER, FOOD, "j", "m", "j", "m")


def to_the_exam(page: Page) -> None:
    """By keys: from the marks of the tutorial to the first question of the exam."""
    for _each in range(2):
        keys(page).press("Enter")
        loaded(page)


def answer_options(page: Page, *, right: bool = True) -> None:
    """By keys: the questions with options of the exam."""
    for number in range(1, 5):
        expect(page.get_by_text(f"Item {number} of ")).to_be_visible()
        place = right_place(page)
        keys(page).press(str(place if right else place % 4 + 1), "Control+Enter")
        loaded(page)
    expect(page.get_by_text("item 5 of 5")).to_be_visible()


def write_entities(page: Page, text: str, names: Iterable[str], *used: str) -> None:
    """By keys: go through the documents and mark those used, write an answer and its entities, and send them."""
    keys(page).press(*used, "Alt+ArrowDown")
    keys(page).type(text)
    keys(page).press("Tab")
    for name in names:
        keys(page).type(name)
        keys(page).press("Enter")
    keys(page).press("Control+Enter")


def answer_on_screen(page: Page) -> None:
    """By keys: the question that the real screen shows, whichever was drawn, as its references do."""
    asked = ready(page).locator("[data-prompt]").inner_text()
    if "canal" in asked:
        write_entities(page, CANAL, SEAS, "j", "m")
    elif "pan" in asked:
        keys(page).press("n", "Control+Enter")
    else:
        keys(page).press("j", "m", "j", "m")
        for number, (text, opinion) in enumerate(TOMATOES, start=1):
            keys(page).press("Alt+ArrowDown")
            keys(page).type(text)
            page.locator(f"[data-row='{number}'] input[value='{opinion}']").focus()
            keys(page).press("Space")
        keys(page).press("Control+Enter")


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py"
    "::test_when_the_time_is_over_the_real_screen_hands_in_what_was_typed_last"
)
def test_by_keys_alone_a_candidate_passes_on_the_screens_of_the_work(school, page):
    to_the_tutorial(at_the_course(school, page, "cleo"))
    through_the_tutorial(page)
    expect(page.get_by_text("Two documents name what birds eat")).to_be_visible()
    expect(page.locator(".read-text")).to_have_count(3)
    to_the_exam(page)
    answer_options(page)
    answer_on_screen(page)
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py::test_by_taps_alone_on_a_phone_a_candidate_passes_on_the_real_screen"
)
def test_on_a_phone_who_is_wrong_has_not_passed_and_can_touch_everything(school, new_context):
    page = to_the_tutorial(at_the_course(school, new_context(**PHONE).new_page(), "cora"))
    through_the_tutorial(page)
    expect(page.get_by_text("Two documents name what birds eat")).to_be_visible()
    assert too_small(ready(page), LEAST["narrow"]) == []
    to_the_exam(page)
    answer_options(page, right=False)
    assert too_small(ready(page), LEAST["narrow"]) == []
    answer_on_screen(page)
    expect(page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    assert too_small(ready(page), LEAST["narrow"]) == []
