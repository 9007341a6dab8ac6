"""A camera that takes each picture in light and dark, and page actions that the pictures need."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, ViewportSize
from playwright.sync_api import Error as BrowserError

from tests.waiting.settled import keys, loaded, ready

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
THEMES = ("light", "dark")


class Camera:
    """Takes the pictures of one size; a screen's name is the same in all sizes and themes."""

    def __init__(self, browser: Browser, url: str, *, size: str, folder: Path = Path(), **more: Any) -> None:
        width, height = SIZES[size]
        more |= {"base_url": url, "viewport": {"width": width, "height": height}, "has_touch": size == "narrow"}
        self.options = more
        self.browser, self.others = browser, list[BrowserContext]()
        self.context = browser.new_context(**more)
        self.page, self.size, self.folder = self.context.new_page(), size, folder
        self.window = ViewportSize(width=width, height=height)
        self.names: list[str] = []

    def take(self, name: str, *, whole: bool = False, hover: bool = False, page: Page | None = None) -> None:
        """Photograph what is visible, light and dark; `whole`: also below the fold; `hover`: keep the mouse there."""
        page = loaded(page or self.page)
        if not hover:
            page.mouse.move(0, 0)
        for theme in THEMES:
            show(page, theme)
            path = self.folder / f"{name}-{self.size}-{theme}.png"
            if whole:
                page.set_viewport_size(_whole(page))
            page.screenshot(path=path, animations="disabled")
            page.set_viewport_size(self.window)
        self.names.append(name)

    def another(self, path: str) -> Page:
        """A second tab of the same person, at that URL."""
        page = self.context.new_page()
        page.goto(path)
        return page

    def device(self) -> Page:
        """A page of the same person on another device, which has nothing of this device's storage."""
        other = self._other()
        other.add_cookies([{**cookie} for cookie in self.context.cookies()])
        return other.new_page()

    def stranger(self, path: str) -> Page:
        """A page of somebody who is not signed in, at that URL."""
        page = self._other().new_page()
        page.goto(path)
        return page

    def _other(self) -> BrowserContext:
        self.others.append(self.browser.new_context(**self.options))
        return self.others[-1]

    def close(self) -> None:
        """Close the browser contexts."""
        for context in (self.context, *self.others):
            context.close()


Visit = tuple[str | None, tuple[Callable[[Camera], None], ...]]
"""A visitor of the site (None: not signed in) and the function that takes their pictures."""


def _whole(page: Page) -> ViewportSize:
    """A window that shows all of the page; a full-page screenshot would be rendered as if for a mouse."""
    width, height = page.evaluate("() => [innerWidth, document.documentElement.scrollHeight]")
    return ViewportSize(width=width, height=height)


IN_VIEW = "(frame) => frame.getBoundingClientRect().bottom > 0 && frame.getBoundingClientRect().top < innerHeight"


def show(page: Page, theme: str) -> None:
    """Switch to light or dark, if it is not shown yet; returns once the page and its frames are drawn."""
    if not page.evaluate("theme => matchMedia(`(prefers-color-scheme: ${theme})`).matches", theme):
        page.emulate_media(color_scheme=theme)
        drawn(page)


def drawn(page: Page) -> None:
    """Wait until the page and its frames are drawn, but for those further down: Chromium draws none out of view."""
    for each in page.frames:
        if each is page.main_frame or each.frame_element().evaluate(IN_VIEW):
            each.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in; ends at the person's home."""
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1).wait_for()


def frame(page: Page) -> FrameLocator:
    """The page's sandboxed frame, once it is connected."""
    inside = page.frame_locator("iframe[data-frame]")
    inside.locator("#page[data-ready]").wait_for()
    return inside


def arrived(page: Page, stage: str) -> None:
    """Wait until the screen of a stage is ready for keys, and its frame, if it has one, loaded."""
    page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()
    ready(page)


def press(page: Page, *names: str) -> None:
    """Press keys, one after another."""
    keys(page).press(*names)


def post(page: Page, path: str, fields: dict[str, Any] | None = None) -> None:
    """Post a form of our own to a URL of the site, as an outdated page might."""
    code = """([path, fields]) => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = path;
        const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
        for (const [name, value] of Object.entries({ csrfmiddlewaretoken: token, ...fields })) {
            const field = document.createElement("input");
            field.name = name;
            field.value = value;
            form.append(field);
        }
        document.body.append(form);
        form.submit();
    }"""
    with page.expect_navigation():
        page.evaluate(code, [path, fields or {}])


def send_unchecked(page: Page) -> None:
    """Send the form of the stage as it is, bypassing the page's own checks."""
    with page.expect_navigation():
        page.evaluate("document.querySelector('form[data-commit]').submit()")
    page.locator("[data-problems] [role=alert]").wait_for()
    page.locator("#screen[data-started]").wait_for()


def saved(page: Page) -> None:
    """Wait until the server has acknowledged the draft."""
    page.locator("[data-saved]", has_text="Saved").wait_for(state="attached")


def crash(page: Page) -> None:
    """Let the page end without sending anything, and close it.

    A page that is closed still saves its draft, which may arrive after the connection is back.
    """
    with page.expect_event("crash"), suppress(BrowserError):
        page.goto("chrome://crash")
    page.close()
