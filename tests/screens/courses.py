"""Pictures of the pages on which leads write a course and look at its exam."""

from __future__ import annotations

from tests.screens.camera import Camera, post, press

ALL = "/projects/reefs/qualifications/"


def courses(camera: Camera) -> None:
    """The course for a qualification that two people have sat, and a qualification without one."""
    page = camera.page
    page.goto(f"{ALL}drawing/course/")
    camera.take("course-none")
    course = f"{ALL}reading/course/"
    for name, path in (
        ("course-draft", ""),
        ("course-rules", "rules/"),
        ("course-block", "blocks/task/"),
        ("course-part", "parts/reading/"),
        ("course-item", "parts/reading/items/reading-0/"),
        ("course-references-gone", "parts/_tutorial/items/wreck/"),
        ("course-many", "parts/reading/many/"),
        ("course-version", "versions/1/"),
        ("exam-figures", "figures/"),
    ):
        page.goto(f"{course}{path}")
        camera.take(name, whole=True)
    page.goto("/projects/kelp-forests/qualifications/reading/course/figures/?mark-task=1.5")
    camera.take("exam-figures-leaked", whole=True)
    page.goto(f"{course}parts/reading/")
    page.locator("a[href*='exam=']").first.click()
    page.locator("#items th a").first.click()
    camera.take("course-references", whole=True)
    post(page, f"{course}versions/1/sit/")
    page.get_by_role("button", name="Hand it in now…").click()
    page.get_by_role("button", name="Hand it in", exact=True).click()
    page.get_by_text("A candidate with these answers would read this.").wait_for()
    camera.take("course-trial", whole=True)
    page.goto(f"{course}versions/1/items/task-0/correct/")
    page.get_by_role("radio").nth(1).check()
    page.get_by_role("button", name="See who changes").click()
    page.locator("#reason").wait_for()
    camera.take("course-correct", whole=True)
    page.goto(f"{course}attempts/")
    camera.take("exam-attempts", whole=True)
    page.get_by_role("button", name="Void…").first.click()
    camera.take("exam-void")
    page.goto(course)
    page.get_by_role("button", name="Discard changes").click()
    page.get_by_role("button", name="Publish…").click()
    camera.take("course-publish")
    press(page, "Escape")
    page.get_by_role("button", name="Undo").first.click()
    page.get_by_role("heading", name="Before it can be published").wait_for()


def trials(camera: Camera) -> None:
    """The home of a lead whose trials of tasks and of an exam are not finished."""
    camera.page.goto("/")
    camera.take("home-trials", whole=True)


def references(camera: Camera) -> None:
    """What an expert writes references for, one of which is begun."""
    camera.page.goto("/projects/dunes/references/")
    camera.take("exam-references-begun", whole=True)
