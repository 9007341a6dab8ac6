"""Pictures of a course, from its first page to the result of its exam."""

from __future__ import annotations

from tests.screens.camera import Camera, arrived, loaded, press

COURSE = "/projects/cliffs/courses/reading/"


def candidate(camera: Camera) -> None:
    """Somebody takes the course, fails the last block, and is led into extra training."""
    page = camera.page
    page.goto(COURSE)
    camera.take("course", whole=True)
    press(page, "Enter")
    loaded(page)
    camera.take("course-guidelines", whole=True)
    press(page, "Control+Enter")
    loaded(page)
    press(page, "Enter")
    loaded(page)
    camera.take("course-tutorial", whole=True)
    press(page, "1", "Control+Enter")
    loaded(page)
    camera.take("course-tutorial-marked", whole=True)
    press(page, "Enter")
    loaded(page)
    camera.take("course-tutorial-work")
    press(page, "Enter")
    _reject(camera, "course-tutorial-screen")
    page.get_by_text("Part by part").wait_for()
    camera.take("course-tutorial-work-marked", whole=True)
    page.goto(COURSE)
    press(page, "Enter")
    _reject(camera, "exam-screen")
    page.get_by_text("Item 2 of 5").wait_for()
    camera.take("exam", whole=True)
    page.get_by_role("button", name="Hand it in now…").click()
    camera.take("exam-hand-in")
    press(page, "Escape")
    for number in range(2, 6):
        page.get_by_text(f"Item {number} of 5").wait_for()
        wanted = "Option 0" if number < 4 else "Option 1"
        page.locator("label.choice", has_text=wanted).click()
        press(page, "Control+Enter")
        loaded(page)
    page.get_by_role("heading", name="Almost").wait_for()
    camera.take("course-training", whole=True)
    page.goto("/account/")
    camera.take("account-with-exams", whole=True)


def outcome(camera: Camera, name: str) -> None:
    """What somebody reads whose exam is over."""
    camera.page.goto("/projects/kelp-forests/courses/reading/")
    camera.take(name, whole=True)


def _reject(camera: Camera, name: str) -> None:
    """On the real screen, take a picture, and find the question ambiguous."""
    arrived(camera.page, "question")
    camera.take(name)
    press(camera.page, "b", "1", "Control+Enter")
