"""A person at a work screen in Chromium: signs in, begins, uses the frame, and reads what the record then holds."""

from __future__ import annotations

import json

from playwright.sync_api import FrameLocator, Page, Request

from tests import signed_in
from tests.builders import questions, write_lines
from tests.site import Site
from tests.waiting.page_clock import stop_clock
from tests.waiting.settled import keys, ready

PROJECT = "harbour-desk"


def furnish(site: Site, count: int = 200) -> None:
    """One project with many questions about a page of eight boxes, created when a test first needs it.

    There are more than all tests hold at once, however they are distributed over processes.
    """
    if (site.folder / "furnished.jsonl").exists():
        return
    path = write_lines(site.folder / "furnished.jsonl", questions(count))
    site.manage("create_project", PROJECT, "--protocol", "nq", "--title", "Harbour questions")
    site.manage("import_items", PROJECT, str(path))
    site.manage("open_queue", PROJECT)


class Desk:
    """One person in one browser page, a member from when they first sign in; nobody else uses the name."""

    slug = PROJECT

    def __init__(self, site: Site, page: Page, name: str, **told: str) -> None:
        """`told`: a role, or a password to sign in with by hand."""
        self.furnish(site)
        self.site, self.page, self.name, self.told = site, page, name, told

    def furnish(self, site: Site) -> None:
        """Create the project if no test has done so."""
        furnish(site)

    def sign_in(self) -> Desk:
        """Open the home page signed in, with the consent text accepted."""
        signed_in.sign_in(self.site, self.page, self.name, slug=self.slug, **self.told)
        self.page.goto(f"{self.site.url}/")
        return self

    def take_up(self) -> Desk:
        """Open the question that is held, or the first one, signed in, with the consent text accepted."""
        signed_in.take_up(self.site, self.page, self.slug, "annotate", self.name, **self.told)
        return self.at("question")

    def begin(self) -> Desk:
        """Go on with the question that is held, or take up the first one."""
        self.page.locator("[data-key='c'], button[data-key='1']").first.click()
        return self.at("question")

    def at(self, stage: str) -> Desk:
        """Wait for the screen of a stage, ready for keys, and for its frame if it has one."""
        self.page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
        ready(self.page)
        return self

    def good(self) -> Desk:
        """Find the question good."""
        self.press("g", "Control+Enter")
        return self.at("long_answer")

    def press(self, *names: str) -> Desk:
        """Press keys, one after another."""
        keys(self.page).press(*names)
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
        """Enter select mode, and wait until the frame forwards its keys."""
        self.press("s")
        self.frame.locator("#material[data-selecting]").wait_for()
        return self

    def still(self) -> Desk:
        """From now on the page, whose clock is installed, does nothing by itself, however long the test takes."""
        stop_clock(self.page)
        return self

    def saved(self) -> Desk:
        """Wait until the server has acknowledged the draft."""
        self.page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")
        return self

    def answers(self) -> list[dict]:
        """The payloads of this person in the record, in order."""
        code = (
            "import json; from annotation.models import Response; "
            f"rows = Response.objects.filter(annotation__author__username={self.name!r}).order_by('pk'); "
            "print('ANSWERS', json.dumps([row.payload for row in rows]))"
        )
        said = self.site.manage("shell", "-c", code)
        return json.loads(said.split("ANSWERS", 1)[1])


def saves(request: Request) -> bool:
    """Whether a request is a draft being saved; time reports alone go to the same URL."""
    return request.url.endswith("/draft/") and 'name="data"' in (request.post_data or "")


OUTSIDE = """() => [...document.querySelectorAll("#screen *")]
  .filter((each) => each.checkVisibility() && !each.closest(".sr, .skip-link, dialog, template, .cells"))
  .filter((each) => {
    const box = each.getBoundingClientRect();
    const card = each.closest(".answer")?.getBoundingClientRect();
    const isCut = each.matches("button, .btn") && each.scrollWidth > each.clientWidth + 1;
    return box.width && (box.right > innerWidth + 1 || (card && box.right > card.right + 1) || isCut);
  })
  .map((each) => each.outerHTML.slice(0, 120))"""


def outside(page: Page) -> list[str]:
    """What of a work screen is outside the window or the answer card to the right, and buttons that cut their words."""
    return page.evaluate(OUTSIDE)


def shown_width(page: Page) -> tuple[int, int]:
    """The width of the page's layout and of the window, in CSS pixels."""
    return page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
