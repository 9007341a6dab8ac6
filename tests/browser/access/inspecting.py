"""What axe finds in a page and its frames, and a camera that inspects each state instead of taking its picture."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.browser.access.targets import LEAST, too_small
from tests.browser.desk import shown_width
from tests.screens.camera import THEMES, Camera, show, sign_in
from tests.screens.catalogue import missing
from tests.screens.visits import visits
from tests.site import Site
from tests.waiting.settled import loaded

EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
RULES = {"light": EVERYTHING, "dark": COLOURS}
"""All rules on the light theme; on the dark one only colour rules, since nothing else differs."""
NARROW_TOO = {
    "login", "not-found", "home", "consent", "guidelines", "project", "item", "nq-1-bad", "nq-1-skip", "nq-2-chosen",
    "nq-3-selecting", "none-left-others", "refused-stale", "nq-1-sealed", "nq-2-sheet-open", "nq-2-outline-open",
    "guidelines-first", "guidelines-panel", "talk-ask", "talk-answer", "talk-closing", "talk-guess", "dispute",
}  # fmt: skip
"""Pictures that axe also checks on a narrow screen, one for each kind of page; no other may be too wide."""
AS_OTHERS = {"nq-2-very-long", "nq-3-very-long"}
"""Pictures whose page differs from another only in length, which makes axe slow."""
STATE = re.compile(r' data-(settled|under-way)="[^"]*"')
"""What a page says of itself while it comes to rest; axe does not look at it."""


def findings(page: Page, rules: Any = EVERYTHING, *, known: set[str] | None = None) -> list[str]:
    """What axe finds in the page and in each of its frames, run separately.

    `known`: the contents of frames that were checked with these rules; many pictures show the same page in their frame.
    """
    found = []
    options = {"runOnly": rules, "resultTypes": ["violations"], "iframes": False}
    for frame in page.frames:
        if known is not None and frame is not page.main_frame:
            content = STATE.sub("", frame.content())
            if content in known:
                continue
            known.add(content)
        if not frame.evaluate("'axe' in window"):
            frame.evaluate(AXE_SCRIPT)
        violations = frame.evaluate("async (options) => (await axe.run(document, options)).violations", options)
        found += [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in violations]
    return found


class Inspector(Camera):
    """Runs axe instead of a camera; the axe script is injected past the page's own policy."""

    def __init__(self, browser, url: str, *, size: str) -> None:
        super().__init__(browser, url, size=size, bypass_csp=True, reduced_motion="reduce")
        self.found: list[str] = []
        self.known: dict[str, set[str]] = {theme: set() for theme in THEMES}

    def take(self, name: str, *, whole: bool = False, hover: bool = False, page: Page | None = None) -> None:
        page = loaded(page or self.page)
        self.names.append(name)
        for theme in self.themes(name):
            show(page, theme)
            found = findings(page, RULES[theme], known=self.known[theme])
            self.found += [f"{name} {self.size} {theme}: {finding}" for finding in found]
        least = LEAST[self.size]
        self.found += [f"{name} {self.size}: {small}, not {least}" for small in too_small(page, least)]
        laid_out, window = shown_width(page)
        if laid_out > window:
            self.found.append(f"{name} {self.size}: laid out {laid_out} px wide, in a window of {window} px")

    def themes(self, name: str) -> tuple[str, ...]:
        """The themes in which axe checks a picture: colours are the same in both sizes."""
        if name in AS_OTHERS or (self.size == "narrow" and name not in NARROW_TOO):
            return ()
        return THEMES if self.size == "wide" else THEMES[:1]


def inspect(site: Site, browser: Browser, furnished: tuple[dict[str, str], dict[str, str]], *, size: str) -> None:
    """Visit every state of a size; fail with all that axe, the sizes of targets and the width of pages bring up."""
    passwords, rendered = furnished
    found, seen = [], []
    for who, steps in visits(size, rendered, annotator=f"ada-{size}", lead="lotte"):
        inspector = Inspector(browser, site.url, size=size)
        if who:
            sign_in(inspector.page, who, passwords[who])
        for step in steps:
            step(inspector)
        found, seen = found + inspector.found, seen + inspector.names
        inspector.close()
    assert found == [], "\n".join(found)
    assert missing(seen, size=size) == []
