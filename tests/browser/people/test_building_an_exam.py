"""A lead builds an exam from nothing: two blocks of multiple choice, and one of questions of the real work."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import signed_in
from tests.site import CHECKOUT, Site
from tests.waiting.settled import keys, loaded

SLUG = "hesitations"
PAPERS = CHECKOUT / "annotation" / "protocols" / "qasper" / "samples" / "exam_papers.json"
LIST = "".join(
    f"- stem: What is right, {n}?\n  options: [{{text: This, right: true}}, {{text: That}}]\n" for n in range(3)
)


@pytest.fixture(scope="module")
def papers(site: Site) -> Site:
    """A project with a paper whose questions are answered."""
    site.manage("create_project", SLUG, "--protocol", "qasper", "--title", "Hesitations")
    site.manage("import_release", SLUG, str(PAPERS), "--split", "train")
    signed_in.join(site, SLUG, "lena", role="lead")
    return site


@pytest.fixture
def lead(papers: Site, page: Page) -> Page:
    """Its lead, signed in."""
    signed_in.sign_in(papers, page, "lena")
    return page


def press(page: Page, name: str) -> None:
    """Press the button of that name, or follow the link."""
    page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("link", name=name, exact=True)).click()
    loaded(page)


def add_block(page: Page, title: str) -> None:
    """A block of which one item is drawn, and one point is needed; ends at its pool."""
    press(page, "Add a block")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Items that are drawn").fill("1")
    page.get_by_label("Points to pass it").fill("1")
    press(page, "Save in the draft")
    page.get_by_role("link", name=title).first.click()
    loaded(page)


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/courses/test_building.py::test_a_course_is_written_from_nothing_and_published"
)
def test_a_lead_builds_the_exam_with_real_questions_and_publishes_it(lead):
    page = lead
    page.goto(f"/projects/{SLUG}/qualifications/")
    page.get_by_label("Title").fill("Finding answers")
    page.get_by_label("Answer from papers").check()
    press(page, "Make it")
    page.get_by_role("link", name="Course").click()
    press(page, "Begin a draft")
    for title in ("Background", "Reading papers"):
        add_block(page, title)
        press(page, "Many at once")
        page.get_by_label("The list").fill(LIST)
        press(page, "Add the items")
        expect(page.get_by_text("3 items are added.")).to_be_visible()
        page.get_by_role("link", name="Course").click()
    add_block(page, "The task")
    for number, question in enumerate(("How much speech", "Who decided", "On which kind")):
        press(page, "Answer from papers")
        if number:  # the paper was set aside with its first question
            press(page, "Show what is set aside")
        page.get_by_role("link", name=question).click()
        page.get_by_role("checkbox").first.check()
        if not number:
            press(page, "Set aside and save…")
            page.get_by_label("Reason").fill("For the exam.")
            press(page, "Set aside, and save in the draft")
        else:
            press(page, "Save in the draft")
    page.get_by_role("link", name="Course").click()
    press(page, "Publish…")
    press(page, "Publish")
    expect(page.get_by_text("Version 1 is published")).to_be_visible()


def focused(page: Page, name: str) -> None:
    """Wait until the button or link of this name has the focus."""
    loaded(page)
    expect(page.locator(":focus")).to_have_accessible_name(name)


@pytest.mark.in_test_all(
    shown_by="tests/frontend/leads/courses/test_building.py::test_pieces_are_moved_copied_deleted_and_brought_back"
)
def test_blocks_are_moved_and_deleted_by_keys_without_losing_the_place(lead):
    page = lead
    page.goto(f"/projects/{SLUG}/qualifications/")
    page.get_by_label("Title").fill("Reading")
    press(page, "Make it")
    page.get_by_role("link", name="Course").click()
    press(page, "Begin a draft")
    for title in ("One", "Two", "Three"):
        add_block(page, title)
        page.get_by_role("link", name="Course").click()
    page.get_by_role("button", name="Move down: One").focus()
    keys(page).press("Enter")
    focused(page, "Move down: One")
    keys(page).press("Enter")
    focused(page, "Move up: One")
    assert page.locator(".piece h3").all_inner_texts() == ["Two", "Three", "One"]
    keys(page).press("Tab", "Tab", "Enter")
    expect(page.get_by_role("button", name="Move up: One")).to_have_count(0)
    focused(page, "Undo")
    keys(page).press("Enter")
    expect(page.get_by_role("button", name="Move up: One")).to_be_visible()
