"""What axe finds in a page and its frames, and a camera that inspects each state instead of taking its picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests import signed_in
from tests.browser.access.targets import LEAST, too_small
from tests.browser.desk import shown_width
from tests.screens.camera import SIZES, THEMES, Camera, Visit, drawn, show
from tests.site import Site
from tests.waiting.settled import loaded

EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
RULES = {"light": EVERYTHING, "dark": COLOURS}
"""All rules on the light theme; on the dark one only colour rules, since nothing else differs."""
MEASURED = {"target-size": {"enabled": False}}
"""Rules of axe that are checked otherwise. `too_small` measures targets, a control with its label. Axe leaves the label
out, and counts how far it is to whatever happens to lie over the list: a bar below it, or a dialog. So what it finds
depends on how far the page has scrolled, which the browser does as it needs in order to click."""
LAST = {
    "documents-answers-written", "papers-found", "papers-answer", "paragraphs-ask", "paragraphs-answer",
    "talk-closing", "talk-guess", "time-day", "splits-plan",
}  # fmt: skip
"""Pictures after which a visit of each kind of page ends: what would follow is more of the same page."""
OF_LEADS = {"splits-plan"}
KINDS = {
    "annotators": LAST - OF_LEADS | {
        "login", "not-found", "home", "consent", "guidelines", "guidelines-panel", "finished", "time", "lobby-waiting",
        "nq-1-question", "nq-1-bad", "nq-1-skip", "nq-2-chosen", "nq-3-short", "nq-3-selecting", "talk-ask",
        "talk-answer", "dispute", "disputes", "compare",
    },
    "leads": OF_LEADS | {
        "project", "items", "item", "person", "people", "agreement", "releases", "release-new", "queues", "settings",
        "edit-guidelines",
    },
}  # fmt: skip
"""One picture for each kind of page that annotators and experts, or leads, see day by day."""
FEW = frozenset({
    "login", "not-found", "home", "consent", "guidelines-panel", "nq-1-question", "nq-1-skip", "nq-2-chosen",
    "nq-3-selecting", "lobby-waiting", "papers-answer", "dispute",
})  # fmt: skip
"""Those that differ most: a list, a text, a panel and a dialog over the work, a page in a frame, a paper, a live page,
and answers side by side."""
ALL_KINDS = frozenset().union(*KINDS.values())
AS_OTHERS = {"nq-2-very-long", "nq-3-very-long"}
"""Pictures whose page differs from another only in length, which makes axe slow."""
STATE = re.compile(r' data-(settled|under-way)="[^"]*"')
"""What a page says of itself while it comes to rest; axe does not look at it."""

SCROLLS = "document.querySelector('[data-screen]') ? document.documentElement.scrollHeight - innerHeight : 0"
"""By how many pixels a screen of work is longer than the window: its parts scroll, not the page."""


def findings(page: Page, rules: Any = EVERYTHING, *, known: set[str] | None = None) -> list[str]:
    """What axe finds in the page and in each of its frames, run separately, but for the sizes of targets.

    `known`: the contents of frames that were checked with these rules; many pictures show the same page in their frame.
    """
    found = []
    options = {"runOnly": rules, "resultTypes": ["violations"], "iframes": False, "rules": MEASURED}
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


class Enough(Exception):
    """The rest of a visit shows no other kind of page."""


class Inspector(Camera):
    """Runs axe instead of a camera; the axe script is injected past the page's own policy."""

    def __init__(self, browser: Browser, url: str, *, size: str) -> None:
        super().__init__(browser, url, size=size, bypass_csp=True, reduced_motion="reduce")
        self.found: list[str] = []
        self.known: dict[str, set[str]] = {theme: set() for theme in THEMES}

    def take(self, name: str, *, whole: bool = False, hover: bool = False, page: Page | None = None) -> None:
        page = loaded(page or self.page)
        self.names.append(name)
        self.check(page, name, self.size, self.themes(name))

    def check(self, page: Page, name: str, size: str, themes: tuple[str, ...] = ()) -> None:
        """Note what axe finds in these themes, too small targets, a page too wide, and a screen of work too long."""
        for theme in themes:
            show(page, theme)
            found = findings(page, RULES[theme], known=self.known[theme])
            self.found += [f"{name} {size} {theme}: {finding}" for finding in found]
        least = LEAST[size]
        self.found += [f"{name} {size}: {small}, not {least}" for small in too_small(page, least)]
        laid_out, window = shown_width(page)
        if laid_out > window:
            self.found.append(f"{name} {size}: laid out {laid_out} px wide, in a window of {window} px")
        if size == "wide" and (scrolled_by := page.evaluate(SCROLLS)):
            self.found.append(f"{name} {size}: the screen of work scrolls as a page, by {scrolled_by} px")

    def themes(self, name: str) -> tuple[str, ...]:
        """The themes in which axe checks a picture: colours are the same in both sizes."""
        if name in AS_OTHERS:
            return ()
        return THEMES if self.size == "wide" else THEMES[:1]


class InspectorOfKinds(Inspector):
    """Checks one picture of each kind of page in both themes; in a narrow window only its width, and targets.

    Few of axe's rules depend on the width. `make test-all` asks all of them on a phone, too.
    """

    kinds = ALL_KINDS

    def take(self, name: str, *, whole: bool = False, hover: bool = False, page: Page | None = None) -> None:
        if name not in self.kinds:
            self.names.append(name)
            return
        super().take(name, whole=whole, hover=hover, page=page)
        with on_a_phone(page or self.page) as narrow:
            self.check(narrow, name, "narrow")
        if name in LAST:
            raise Enough


class InspectorOfAFew(InspectorOfKinds):
    """The same for those kinds of page that differ most."""

    kinds = FEW


@contextmanager
def on_a_phone(page: Page) -> Iterator[Page]:
    """The page, while its window is as narrow as a phone's and touched with fingers."""
    window, touch = page.viewport_size, page.context.new_cdp_session(page)
    assert window is not None
    (width, height) = SIZES["narrow"]
    for wide, high, touched in ((width, height, True), (window["width"], window["height"], False)):
        touch.send("Emulation.setTouchEmulationEnabled", {"enabled": touched})
        page.set_viewport_size({"width": wide, "height": high})
        drawn(page)
        if touched:
            yield page
    touch.detach()


def inspect(
    site: Site,
    browser: Browser,
    visits: Iterable[Visit],
    *,
    size: str,
    kind: type[Inspector],
) -> list[str]:
    """Make the visits; fail with all that was found, and return the names of the pictures."""
    found, seen = [], []
    for who, steps in visits:
        inspector = kind(browser, site.url, size=size)
        if who:
            signed_in.sign_in(site, inspector.page, who)
            inspector.page.goto("/")
        with suppress(Enough):
            for step in steps:
                step(inspector)
        found, seen = found + inspector.found, seen + inspector.names
        inspector.close()
    assert found == [], "\n".join(found)
    return seen
