"""Pictures of every screen in light and dark, wide and narrow, and a contact sheet: `make screens`.

Fills a temporary site with the demo, goes through it as its people would, and writes build/screens/*.png and
index.html. With --url and --logins (the file that `manage.py demo` writes) it looks at a site that runs already.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, FrameLocator, Page, sync_playwright

from tests.site import CHECKOUT, Site

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
THEMES = ("light", "dark")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


class Camera:
    """Takes the pictures of one size and theme; a screen's name is the same in all of them."""

    def __init__(self, page: Page, folder: Path, suffix: str) -> None:
        self.page, self.folder, self.suffix = page, folder, suffix
        self.names: list[str] = []

    def take(self, name: str, *, whole: bool = False) -> None:
        """One picture of what is to be seen now; `whole` also what is below."""
        self.page.mouse.move(0, 0)
        self.page.screenshot(path=self.folder / f"{name}-{self.suffix}.png", full_page=whole, animations="disabled")
        self.names.append(name)


def logins_of(text: str) -> dict[str, str]:
    """Names and passwords from the demo's list."""
    rows = (line.split() for line in text.splitlines())
    return {row[0]: row[1] for row in rows if len(row) >= 3}


def sign_in(page: Page, name: str, password: str) -> None:
    """Sign in, and agree to the first project that asks."""
    page.goto("/login/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", level=1).wait_for()


def frame(page: Page) -> FrameLocator:
    """The page's sandboxed frame, once it has been greeted."""
    inside = page.frame_locator("iframe[data-frame]")
    inside.locator("#page[data-ready]").wait_for()
    return inside


def arrived(page: Page, stage: str) -> None:
    """Wait until the screen of a stage is there and hears keys."""
    page.locator(f"#screen[data-stage='{stage}'][data-started]").wait_for()


def strangers(camera: Camera) -> None:
    """Signing in, refused, and a page that is not there."""
    page = camera.page
    page.goto("/login/")
    camera.take("login")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    camera.take("login-refused")
    page.goto("/nothing/here/")
    camera.take("not-found")


def home_pages(camera: Camera) -> None:
    """Home, consent and guidelines."""
    page = camera.page
    page.goto("/")
    camera.take("home", whole=True)
    consent = page.locator("a[href$='/consent/']")
    if consent.count():
        consent.first.click()
        camera.take("consent", whole=True)
        page.get_by_role("button", name="I agree").click()
        page.goto("/")
        camera.take("home-agreed", whole=True)


def question(camera: Camera) -> None:
    """Stage 1 with both verdicts, its keys and the skip dialog."""
    page = camera.page
    page.locator("button[data-key='1']").click()
    arrived(page, "question")
    camera.take("nq-1-question")
    guidelines = page.get_by_role("link", name="Guidelines").get_attribute("href")
    page.keyboard.press("b")
    page.keyboard.press("2")
    camera.take("nq-1-bad")
    page.keyboard.press("?")
    camera.take("nq-1-keys")
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+s")
    camera.take("nq-1-skip")
    page.keyboard.press("Escape")
    other = page.context.new_page()
    other.set_viewport_size(page.viewport_size)
    other.goto(guidelines.split("#")[0])
    other.screenshot(path=camera.folder / f"guidelines-{camera.suffix}.png")
    camera.names.append("guidelines")
    other.close()
    page.keyboard.press("b")
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    arrived(page, "long_answer")


def long_answer(camera: Camera) -> None:
    """Stage 2: as it opens, searched, with hover, focus and chosen at once, no answer, outlined, refused."""
    page = camera.page
    inside = frame(page)
    camera.take("nq-2-page")
    page.keyboard.press("Control+Enter")
    page.get_by_role("alert").filter(has_text="Choose a box").wait_for(state="attached")
    camera.take("nq-2-nothing-chosen")
    page.keyboard.press("n")
    page.keyboard.press("1")
    camera.take("nq-2-no-answer")
    page.keyboard.press("/")
    word = inside.locator("p[data-c]").nth(1).inner_text().split()[0]
    page.get_by_label("Find on this page").first.fill(word)
    page.get_by_text("1 of", exact=False).first.wait_for()
    camera.take("nq-2-find")
    page.get_by_label("Find on this page").first.press("Escape")
    boxes = inside.locator("li[data-c], p[data-c]")
    middle = boxes.nth(min(6, boxes.count() - 1))
    middle.scroll_into_view_if_needed()
    middle.click(position={"x": 20, "y": 8})
    page.locator(".marked").wait_for(state="attached")
    page.keyboard.press("j")
    middle.hover(position={"x": 60, "y": 8}, force=True)
    camera.page.screenshot(path=camera.folder / f"nq-2-chosen-{camera.suffix}.png")
    camera.names.append("nq-2-chosen")
    if page.locator(".grip").is_visible():
        page.locator(".grip").click()
        camera.take("nq-2-sheet-open")
        page.locator(".grip").click()
        page.locator("[data-toggles=rail]").click()
        camera.take("nq-2-outline-open")
        page.locator("[data-toggles=rail]").click()
    page.keyboard.press("Control+Enter")
    arrived(page, "short_answer")


def short_answer(camera: Camera) -> None:
    """Stage 3: empty, a span added and one being selected, several quotes, yes."""
    page = camera.page
    frame(page)
    page.wait_for_timeout(300)
    camera.take("nq-3-short")
    for key in (
        "s",
        "ArrowRight",
        " ",
        "ArrowRight",
        "Enter",
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "Shift+ArrowRight",
    ):
        page.keyboard.press(key)
    page.locator(".marked.pending").wait_for(state="attached")
    camera.take("nq-3-selecting")
    if page.locator(".grip").is_visible():
        page.locator(".grip").click()
        camera.take("nq-3-sheet-open")
        page.locator(".grip").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    arrived(page, "question")


def afterwards(camera: Camera) -> None:
    """A skip that can be taken back."""
    page = camera.page
    page.keyboard.press("Alt+s")
    page.get_by_label("Not my subject").check()
    page.get_by_role("button", name="Skip – next question").click()
    page.locator(".toast").wait_for()
    camera.take("skipped")


def lead_pages(camera: Camera) -> None:
    """The lead's project and one item."""
    page = camera.page
    page.goto("/")
    camera.take("home-lead", whole=True)
    page.locator("a[href*='/projects/']").first.click()
    camera.take("project", whole=True)
    page.locator("a[href*='/items/']").first.click()
    camera.take("item", whole=True)


ANNOTATOR: tuple[Callable[[Camera], None], ...] = (home_pages, question, long_answer, short_answer, afterwards)


def shoot(browser: Browser, url: str, people: dict[str, str], folder: Path) -> list[str]:
    """All pictures; the names of the screens in the order in which they come."""
    names: list[str] = []
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            touch = {"has_touch": True} if size == "narrow" else {}
            for who, steps in ((None, (strangers,)), ("alice", ANNOTATOR), ("lena", (lead_pages,))):
                context = browser.new_context(
                    base_url=url, viewport={"width": width, "height": height}, color_scheme=theme, **touch
                )
                camera = Camera(context.new_page(), folder, f"{size}-{theme}")
                if who:
                    sign_in(camera.page, who, people[who])
                for step in steps:
                    step(camera)
                names += [name for name in camera.names if name not in names]
                context.close()
    return names


def contact_sheet(folder: Path, names: list[str]) -> None:
    """One page with all pictures, a row for each screen."""
    suffixes = [f"{size}-{theme}" for size in SIZES for theme in THEMES]
    rows = "".join(
        f"<h2>{escape(name)}</h2><div>"
        + "".join(
            f'<a href="{name}-{suffix}.png"><img loading="lazy" src="{name}-{suffix}.png" alt="{suffix}"></a>'
            for suffix in suffixes
            if (folder / f"{name}-{suffix}.png").exists()
        )
        + "</div>"
        for name in names
    )
    style = "body{font:14px sans-serif;margin:2rem;background:#888}div{display:flex;gap:1rem}img{height:22rem}"
    text = f"<!doctype html><meta charset=utf-8><title>Screens</title><style>{style}</style><h1>Screens</h1>{rows}"
    (folder / "index.html").write_text(text, encoding="utf-8")


def main() -> None:
    """Take the pictures of a site of our own, or of the one that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a site that runs already, filled by `manage.py demo`")
    parser.add_argument("--logins", type=Path, help="its demo-logins.txt")
    parser.add_argument("--to", type=Path, default=CHECKOUT / "build" / "screens")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    site, place = None, Path(tempfile.mkdtemp(prefix="goldfinch-screens-"))
    try:
        if given.url is None:
            site = Site(place).prepare()
            site.manage("demo")
            site.start()
        logins = given.logins or place / "demo-logins.txt"
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(args=FLAGS, **({"executable_path": chromium} if chromium else {}))
            people = logins_of(logins.read_text(encoding="utf-8"))
            contact_sheet(given.to, shoot(browser, given.url or site.url, people, given.to))
    finally:
        if site is not None:
            site.stop()
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
