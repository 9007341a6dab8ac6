"""Working time: what people see and amend of their own, and what a lead sees of everybody's; and how well people do."""

from __future__ import annotations

from tests.screens.camera import Camera


def empty(camera: Camera) -> None:
    """Nothing has been measured for this person yet."""
    camera.page.goto("/time/")
    camera.take("time-empty")


def mine(camera: Camera) -> None:
    """The days, one of them, a refused amendment, and an accepted one."""
    page = camera.page
    page.goto("/finished/")
    camera.take("finished", whole=True)
    page.goto("/time/")
    camera.take("time", whole=True)
    page.locator("#days").wait_for()
    page.locator("tbody a").first.click()
    page.locator("#pieces").wait_for()
    camera.take("time-day", whole=True)
    page.get_by_label("Minutes").fill("1400")
    page.get_by_role("button", name="Amend").click()
    page.get_by_role("alert").wait_for()
    camera.take("time-day-refused", whole=True)
    page.goto("/time/")
    page.locator("tbody a").last.click()
    page.locator("#amended").wait_for()
    camera.take("time-day-amended", whole=True)


def lead(camera: Camera) -> None:
    """Stages and people of a project, what one of them worked on, and the human upper bound; and without any work."""
    page = camera.page
    page.goto("/projects/winter-birds/time/")
    camera.take("project-time-empty")
    page.goto("/projects/tide-tables/time/")
    camera.take("project-time", whole=True)
    page.locator("#people tbody a").first.click()
    page.locator("#pieces").wait_for()
    camera.take("project-time-of", whole=True)
    page.goto("/projects/tide-tables/pay/?since=")
    camera.take("pay", whole=True)
    page.goto("/projects/winter-birds/human-bound/")
    camera.take("human-bound-empty")
    page.goto("/projects/evening-lights/human-bound/")
    page.get_by_text("By threshold").click()
    camera.take("human-bound", whole=True)
