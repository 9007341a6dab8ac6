"""Pictures of judging rounds: for raters, at a meeting, and for leads."""

from __future__ import annotations

import re

from tests.screens.camera import Camera
from tests.waiting.settled import keys, ready

LED = "/projects/evening-lights/judging/"


def rater(camera: Camera) -> None:
    """From the home page to an exhibit, two versions of its mark, and the meeting of another round."""
    page = camera.page
    page.goto("/")
    camera.take("home-rounds")
    page.get_by_role("link", name="Long answers of this week").click()
    camera.take("judging-round", whole=True)
    page.get_by_role("button", name="Begin").click()
    ready(page)
    camera.take("judging-exhibit")
    other = camera.another(page.url)
    ready(other)
    for each, pressed in ((other, "1q"), (page, "3qq")):  # with a check beside the mark
        ready(each)
        for key in pressed:
            keys(each).press(key)
        keys(each).press("Control+Enter")
    page.get_by_role("dialog").or_(page.get_by_role("heading", level=1)).first.wait_for()
    camera.take("judging-conflict", whole=True)
    page.goto("/")
    page.get_by_role("link", name="Long answers, with a meeting").first.click()
    page.locator("#room").wait_for()
    camera.take("judging-meeting")


def lead(camera: Camera) -> None:
    """The list, the form, predictions of models, a draft with its definitions, and results."""
    page = camera.page
    page.goto(LED)
    camera.take("judging-rounds")
    page.goto(f"{LED}new/")
    camera.take("judging-new", whole=True)
    page.goto(f"{LED}predictions/")
    camera.take("judging-predictions", whole=True)
    for title, name in (("A draft", "judging-draft"), ("How good are the long answers?", "judging-results")):
        page.goto(LED)
        page.get_by_role("link", name=title).click()
        camera.take(name, whole=True)
        if name == "judging-draft":
            page.get_by_role("link", name="Change the definitions").click()
            camera.take("judging-definitions", whole=True)
            page.go_back()
            page.get_by_role("link", name="Preview three").click()
            page.get_by_role("button", name=re.compile("Draw three|Three others")).click()
            page.get_by_role("article").first.wait_for()
            camera.take("judging-preview", whole=True)
    page.goto(LED)
    page.get_by_role("link", name="Scores from 1 to 3").click()
    page.get_by_role("link", name="Metrics against people").click()
    camera.take("judging-metrics", whole=True)
    page.goto(LED)
    page.get_by_role("link", name="Long answers of this week").click()
    camera.take("judging-course", whole=True)
    page.get_by_role("link", name="All exhibits").click()
    camera.take("judging-exhibits")
    page.goto("/projects/evening-lights/items/")
    page.goto(page.locator("main a[href^='/projects/evening-lights/items/']").last.get_attribute("href") or "")
    camera.take("judging-before-looking")
