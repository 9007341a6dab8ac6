"""A course in the browser: by keys alone to a pass, a crash in mid-exam, the end of the time, extra training."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests import signed_in
from tests.browser.access.targets import LEAST, too_small
from tests.site import Site
from tests.waiting.settled import keys, loaded, ready

SLUG = "exam-lights"
COURSE = f"/projects/{SLUG}/courses/reading/"
ON_SCREEN = "screen-lights"
COURSE_ON_SCREEN = f"/projects/{ON_SCREEN}/courses/reading/"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def school(site: Site) -> Site:
    """A project with a course of one background block and one that leads into extra training."""
    site.manage("create_project", SLUG, "--protocol", "nq", "--title", "Lights")
    site.manage(
        "shell",
        "-c",
        "from annotation.models import Project\n"
        "from tests.qualification.courses.building import block, course\n"
        "from tests.factories.qualification import CourseVersionFactory, QualificationFactory\n"
        f"made = QualificationFactory(project=Project.objects.get(slug='{SLUG}'))\n"
        "blocks = block('background'), block('task', extra=True)\n"
        "CourseVersionFactory(qualification=made, course=course(*blocks, minutes=30, extension=5))\n",
    )
    return site


@pytest.fixture(scope="module")
def screen(site: Site) -> Site:
    """A project whose tutorial and exam have one question on the real screen, which is ambiguous."""
    site.manage("create_project", ON_SCREEN, "--protocol", "nq", "--title", "Questions")
    signed_in.join(site, ON_SCREEN, "lotte", role="lead")
    signed_in.join(site, ON_SCREEN, "ivo")
    site.manage("shell", "-c", f"from tests.browser.people.furnish_exam import furnish; furnish({ON_SCREEN!r})")
    return site


@pytest.fixture
def candidate(school: Site, page: Page):
    """Somebody who has never begun, at home; everybody has a name of their own."""
    return partial(joined, school, page, SLUG)


@pytest.fixture
def on_screen(screen: Site, page: Page):
    """The same in the project whose exam is on the real screen."""
    return partial(joined, screen, page, ON_SCREEN)


def joined(site: Site, page: Page, slug: str, name: str) -> Page:
    signed_in.sign_in(site, page, name, slug=slug)
    page.goto("/")
    return page


def to_the_screen(page: Page) -> None:
    """By keys alone, from the page of the course to the question in the exam."""
    page.goto(COURSE_ON_SCREEN)
    for step in ("Enter", "Control+Enter", "Enter", "Enter"):
        keys(page).press(step)
        loaded(page)
    expect(page.get_by_text("Tutorial: Reading papers")).to_be_visible()
    keys(page).press("b", "2", "Control+Enter")
    expect(page.get_by_text("Right", exact=True)).to_be_visible()
    expect(page.get_by_text("Nobody can say which of the two is meant.")).to_be_visible()
    keys(page).press("Enter")
    loaded(page)
    keys(page).press("Enter")
    loaded(page)
    expect(page.get_by_text("item 1 of 1")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py"
    "::test_when_the_time_is_over_the_real_screen_hands_in_what_was_typed_last"
)
def test_by_keys_alone_a_candidate_passes_on_the_real_screen(on_screen):
    page = on_screen("ella")
    to_the_screen(page)
    keys(page).press("b", "1", "Control+Enter")
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()


def test_by_taps_alone_on_a_phone_a_candidate_passes_on_the_real_screen(screen, new_context):
    page = joined(screen, new_context(**PHONE).new_page(), ON_SCREEN, "elif")
    page.goto(COURSE_ON_SCREEN)
    for button in ("Begin", "I have read", "Begin", "Open the item"):
        assert too_small(loaded(page), LEAST["narrow"]) == []
        ready(page).locator(".btn-primary", has_text=button).tap()
    for to in ("On to the exam", ""):
        ready(page).get_by_text("Ambiguous", exact=True).tap()
        assert too_small(page, LEAST["narrow"]) == []
        ready(page).locator("[data-commit] .btn-primary").tap()
        if to:
            ready(page).get_by_text(to).tap()
            ready(page).locator(".now .btn-primary").tap()
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()


def test_when_the_time_is_over_the_real_screen_hands_in_what_was_typed_last(on_screen):
    page = on_screen("emil")
    page.clock.install()
    to_the_screen(page)
    page.clock.run_for("05:01")
    expect(page.locator("[data-announce]")).to_have_text(re.compile(r"5 minutes are left\."))
    page.clock.run_for("04:57")
    keys(page).press("b", "1")
    page.clock.run_for("00:03")
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()


def test_after_a_crash_the_real_screen_is_there_on_another_device_with_what_was_chosen(on_screen, screen, new_context):
    page = on_screen("enno")
    to_the_screen(page)
    with page.expect_response(re.compile("/draft/")):
        keys(page).press("b", "1")
    page.close()
    other = new_context().new_page()
    signed_in.sign_in(screen, other, "enno")
    other.goto("/")
    other.get_by_role("link", name=re.compile("^Go on")).click()
    expect(ready(other).get_by_role("radio", name=re.compile("^Bad"))).to_be_checked()
    other.get_by_role("button", name="Hand it in now…").click()
    other.get_by_role("button", name="Hand it in", exact=True).click()
    expect(other.get_by_role("heading", name="You have passed")).to_be_visible()


def to_the_exam(page: Page) -> None:
    """By keys alone, from the page of the course."""
    page.goto(COURSE)
    for step in ("Enter", "Control+Enter", "Enter"):
        keys(page).press(step)
        loaded(page)
    keys(page).press("1", "Control+Enter")
    loaded(page)
    expect(page.get_by_text("Right answer")).to_be_visible()
    keys(page).press("Enter")
    loaded(page)
    keys(page).press("Enter")
    loaded(page)
    expect(page.get_by_text("Item 1 of 4")).to_be_visible()


def place_of(page: Page, text: str) -> str:
    """The key of the option that begins with this text."""
    options = ready(page).locator("label.choice").all_inner_texts()
    return str(1 + next(n for n, shown in enumerate(options) if shown.startswith(text)))


def answer(page: Page, items: range, *, text: str = "Option 0") -> None:
    """Answer these items, counted from 1, by keys."""
    for number in items:
        expect(page.get_by_text(f"Item {number} of ")).to_be_visible()
        keys(page).press(place_of(page, text), "Control+Enter")
        loaded(page)


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py::test_whoever_misses_only_the_task_trains_and_sits_that_part_again"
)
def test_by_keys_alone_a_candidate_passes_and_is_told_at_once(candidate):
    page = candidate("kira")
    to_the_exam(page)
    answer(page, range(1, 5))
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()


@pytest.mark.in_test_all(shown_by="tests/js/test_units.py::test_the_scripts_do_what_their_tests_say")
def test_enter_on_a_choice_that_was_clicked_does_not_send_the_answer(candidate):
    page = candidate("klara")
    to_the_exam(page)
    ready(page).locator("label.choice").first.click()
    keys(page).press("Enter", "ArrowDown")
    expect(page.get_by_text("Item 1 of 4")).to_be_visible()
    keys(page).press("Enter", "Control+Enter")
    expect(page.get_by_text("Item 2 of 4")).to_be_visible()


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py"
    "::test_after_a_crash_the_real_screen_is_there_on_another_device_with_what_was_chosen"
)
def test_after_a_crash_the_same_item_is_there_on_another_device_with_what_was_chosen(candidate, school, new_context):
    page = candidate("kurt")
    to_the_exam(page)
    answer(page, range(1, 2))
    with page.expect_response(re.compile("/draft/")):
        keys(page).press("2")
    chosen, asked = page.locator("label.choice", has=page.locator(":checked")).inner_text(), page.url
    page.close()
    other = new_context().new_page()
    signed_in.sign_in(school, other, "kurt")
    other.goto("/")
    other.get_by_role("link", name=re.compile("^Go on")).click()
    assert loaded(other).url == asked
    expect(other.get_by_text("Item 2 of 4")).to_be_visible()
    assert other.locator("label.choice", has=other.locator(":checked")).inner_text() == chosen


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py"
    "::test_when_the_time_is_over_the_real_screen_hands_in_what_was_typed_last"
)
def test_when_the_time_is_over_the_page_hands_in_what_is_chosen(candidate):
    page = candidate("kaja")
    page.clock.install()
    to_the_exam(page)
    answer(page, range(1, 2))
    with page.expect_response(re.compile("/draft/")):
        keys(page).press(place_of(page, "Option 0"))
    page.clock.run_for("25:01")
    expect(page.locator("[data-announce]")).to_have_text(re.compile(r"5 minutes are left\."))
    page.clock.run_for("05:00")
    expect(page.get_by_role("heading", name="Almost: one part needs another look")).to_be_visible()
    expect(page.locator(".parts > li").first).to_contain_text("2 of 2, 2 needed")


@pytest.mark.in_test_all(
    shown_by="tests/browser/people/test_exam.py"
    "::test_when_the_time_is_over_the_real_screen_hands_in_what_was_typed_last"
)
def test_whoever_closes_the_page_is_graded_when_the_time_is_over(candidate, site_clock):
    with site_clock.stopped():
        page = candidate("kolja")
        to_the_exam(page)
        answer(page, range(1, 5), text="Option 1")
        expect(page.get_by_text("Not passed yet")).to_be_visible()
        site_clock.move(hours=24)
        page.goto(COURSE)
        keys(page).press("Enter")
        expect(page.get_by_text("Item 1 of 4")).to_be_visible()
        page.goto("about:blank")
        site_clock.move(minutes=31)
        page.goto(COURSE)
        expect(page.get_by_role("heading", name="Not passed", exact=True)).to_be_visible()


def test_whoever_misses_only_the_task_trains_and_sits_that_part_again(candidate):
    """More time is added once, and handing in before the last item asks first."""
    page = candidate("karl")
    to_the_exam(page)
    page.get_by_role("button", name="Add 5 minutes (once)").click()
    expect(page.get_by_text("5 minutes were added.")).to_be_visible()
    expect(page.get_by_role("button", name="Add 5 minutes (once)")).to_have_count(0)
    for way in ("Escape", "Enter"):  # whoever presses the button twice has not handed it in
        page.get_by_role("button", name="Hand it in now…").press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        keys(page).press(way)
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.get_by_text("Item 1 of 4")).to_be_visible()
    answer(page, range(1, 3))
    answer(page, range(3, 4), text="Option 1")
    page.get_by_role("button", name="Hand it in now…").click()
    page.get_by_role("button", name="Hand it in", exact=True).click()
    expect(page.get_by_role("heading", name="Almost: one part needs another look")).to_be_visible()
    keys(page).press("Enter")
    loaded(page)
    keys(page).press("1", "Control+Enter")
    loaded(page)
    keys(page).press("Enter")
    loaded(page)
    keys(page).press("Enter")
    loaded(page)
    expect(page.get_by_text("Item 1 of 2")).to_be_visible()
    answer(page, range(1, 3))
    expect(page.get_by_role("heading", name="You have passed")).to_be_visible()
