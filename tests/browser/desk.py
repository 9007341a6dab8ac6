"""A person at a work screen in Chromium: signs in, begins, reads the frame, and looks at what the record then holds."""

from __future__ import annotations

import json

from playwright.sync_api import FrameLocator, Page, Request

from tests import entering
from tests.builders import questions, write_lines
from tests.site import Site

PROJECT = "harbour-desk"
AHEAD = 60
"""Seconds by which a clock that is stopped is put forward first: it must not be there yet when it is told to stop."""


def furnish(site: Site, count: int = 200) -> None:
    """One project with so many questions about a page of eight boxes, made when a test first asks for it.

    They are more than all tests together hold at once, however they are shared out over processes.
    """
    if (site.folder / "furnished.jsonl").exists():
        return
    path = write_lines(site.folder / "furnished.jsonl", questions(count))
    site.manage("create_project", PROJECT, "--protocol", "nq", "--title", "Harbour questions")
    site.manage("import_items", PROJECT, str(path))
    site.manage("open_queue", PROJECT)


class Desk:
    """One person in one browser page. Nobody else works under the name."""

    def __init__(self, site: Site, page: Page, name: str, *, role: str = "annotator", password: str = "") -> None:
        furnish(site)
        self.site, self.page, self.name = site, page, name
        entering.join(site, PROJECT, name, role=role, password=password)

    def sign_in(self) -> Desk:
        """Come home signed in, having agreed to the consent text."""
        entering.sign_in(self.site, self.page, self.name)
        self.page.goto(f"{self.site.url}/")
        return self

    def begin(self) -> Desk:
        """Take up the first question."""
        self.page.locator("button[data-key='1']").click()
        return self.at("question")

    def at(self, stage: str) -> Desk:
        """Wait for the screen of a stage, ready for keys, and for its frame where it has one."""
        self.page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
        if stage != "question":
            self.frame.locator("#page[data-ready]").wait_for()
        return self

    def good(self) -> Desk:
        """Find the question good."""
        self.press("g", "Enter")
        return self.at("long_answer")

    def press(self, *keys: str) -> Desk:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    @property
    def frame(self) -> FrameLocator:
        """The sandboxed page."""
        return self.page.frame_locator("iframe[data-frame]")

    def choose(self, text: str) -> Desk:
        """Click into the innermost box with this text."""
        self.frame.locator("[data-c]", has_text=text).last.click(position={"x": 12, "y": 8})
        self.page.locator(".marked").wait_for(state="attached")
        return self

    def select(self) -> Desk:
        """Enter select mode, and wait until the frame passes its keys on."""
        self.press("s")
        self.frame.locator("#material[data-selecting]").wait_for()
        return self

    def still(self) -> Desk:
        """From now on the page, whose clock is installed, does nothing by itself, however long we take."""
        stop_clock(self.page)
        return self

    def saved(self) -> Desk:
        """Wait until the server has acknowledged the draft."""
        self.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
        return self

    def answers(self) -> list[dict]:
        """The payloads that the record holds of this person, in order."""
        code = (
            "import json; from annotation.models import Response; "
            f"rows = Response.objects.filter(annotation__author__username={self.name!r}).order_by('pk'); "
            "print('ANSWERS', json.dumps([row.payload for row in rows]))"
        )
        said = self.site.manage("shell", "-c", code)
        return json.loads(said.split("ANSWERS", 1)[1])


def saves(request: Request) -> bool:
    """Whether a draft goes out; what a screen tells of time alone goes to the same address."""
    return request.url.endswith("/draft/") and 'name="data"' in (request.post_data or "")


def stop_clock(page: Page) -> None:
    """Let the installed clock of the page stand still until the test moves it."""
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + AHEAD)


def shown_width(page: Page) -> tuple[int, int]:
    """How wide the page is laid out and how wide the window is, in CSS pixels."""
    return page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
