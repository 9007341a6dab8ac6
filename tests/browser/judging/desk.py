"""A lead and raters of judging rounds in Chromium."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests import signed_in
from tests.site import Site
from tests.waiting.settled import keys, ready


def furnish(site: Site, function: str, *arguments: Any, **options: Any) -> str:
    """Call a function of `furnishing` inside the site; returns what it printed."""
    words = ", ".join([*map(repr, arguments), *(f"{name}={value!r}" for name, value in options.items())])
    code = f"from tests.browser.judging import furnishing; furnishing.{function}({words})"
    return site.manage("shell", "--no-imports", "-c", code)


def take_in(site: Site, slug: str, protocol: str, path: Path, *, raters: list[str]) -> None:
    """A project with what a file has, answers included, its lead, and these experts."""
    site.manage("create_project", slug, "--protocol", protocol, "--title", slug)
    site.manage("import_release", slug, str(path))
    furnish(site, "people", slug, raters)


def seal(site: Site, page: Page, slug: str, kind: str, *, title: str, sample: int | None, **choices: Any) -> None:
    """The lead makes a round by the form, and seals it. `raters`: their names; `chair`: theirs, with a meeting;
    `every`: all answers of an item; `systems`: whose predictions are judged."""
    signed_in.sign_in(site, page, f"{slug}-lead")
    page.goto(f"{site.url}/projects/{slug}/judging/")
    page.get_by_role("link", name="Make a round").click()
    page.locator(f"input[name=kind][value={kind}]").check()
    page.get_by_label("Name of the round").fill(title)
    page.get_by_label("How many", exact=True).fill("" if sample is None else str(sample))
    if choices.get("every"):
        page.get_by_label("Where several people have answered").select_option("all")
    for each in page.locator("input[name=raters]").all():
        each.uncheck()
    for name in (*choices.get("systems", ()), *choices["raters"]):
        page.get_by_role("checkbox", name=name).check()
    if chair := choices.get("chair"):
        page.get_by_label("With a meeting").check()
        page.get_by_label("In the chair").select_option(label=chair)
    page.get_by_role("button", name="Look at the draw").click()
    page.get_by_role("button", name="Seal the round").click()
    expect(page.get_by_text("Sealed. Its raters find it")).to_be_visible()


class Rater:
    """An expert in one browser page."""

    def __init__(self, site: Site, page: Page, name: str) -> None:
        self.site, self.page, self.name = site, page, name
        signed_in.sign_in(site, page, name)

    def begin(self, title: str) -> Rater:
        """Find the round at home, and begin."""
        self.page.goto(f"{self.site.url}/")
        self.page.get_by_role("listitem").filter(has_text=title).get_by_role("link").click()
        self.page.get_by_role("button", name="Begin").click()
        return self.at(1)

    def at(self, number: int) -> Rater:
        """Wait for an exhibit by its number in the rater's order, alone or the first of several on a screen."""
        expect(self.page).to_have_title(re.compile(rf"Exhibits? {number} (of|to) "))
        self.page.locator("#screen[data-started]").wait_for()
        ready(self.page)
        return self

    @property
    def prompt(self) -> str:
        """What was asked."""
        return self.page.locator("#screen h1, .prompt h1").first.inner_text()

    def mark(self, *pressed: str) -> None:
        """Press these keys, and go on."""
        keys(self.page).press(*pressed, "Control+Enter")

    def lock(self) -> None:
        """Lock all marks, once everything has one."""
        self.page.get_by_role("button", name="Lock my marks").click()
        self.page.get_by_role("button", name="Lock them").click()
        expect(self.page.get_by_text("Locked. Your marks are final now.")).to_be_visible()
