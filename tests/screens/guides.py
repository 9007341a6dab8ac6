"""The pictures in the guides for leads: `make pictures` takes them anew, into docs/pictures.

They show the demo, and a project about garden birds that its lead makes here, from the first step to the invitations.
"""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, FloatRect, Locator, Page, ViewportSize

from tests.screens.camera import sign_in
from tests.screens.palette import pixels, with_palette

PICTURES = {
    "new-project": "leads-projects.md",
    "empty-board": "leads.md",
    "refused-lines": "leads-imports.md",
    "splits": "leads-projects.md",
    "rehearsal": "leads-projects.md",
    "queues": "leads-projects.md",
    "invitations": "leads.md",
    "board": "board.md",
    "board-pictures": "board.md",
    "items": "leads-data.md",
    "item": "leads-data.md",
    "new-release": "releases.md",
    "release": "releases.md",
    "dispute": "disputes.md",
    "conversation": "leads-coqa.md",
    "figures": "leads-qasper.md",
    "kit-two-panes": "protocols.md",
    "kit-talk": "protocols.md",
    "kit-parts": "protocols.md",
}
"""Each picture, and the guide that shows it."""
WINDOW = ViewportSize(width=1000, height=900)
"""About as wide as a page that shows a guide, so that words keep their size."""
SCREEN = ViewportSize(width=1280, height=640)
"""For what narrower windows leave out."""
MARGIN = 8
"""Pixels around what is shown."""
BY_A_JOB = 120_000
"""Milliseconds that a rehearsal or a release may take on a busy machine."""

BIRDS = "/projects/garden-birds/"
PAGES, PAPERS, TALKS = "/projects/everyday-questions/", "/projects/questions-about-papers/", "/projects/coqa-demo/"
PARAGRAPHS = "/projects/questions-about-paragraphs/"
TEXT = """<h1>Garden birds</h1><p>The robin lays five or six eggs and breeds twice a year.</p>
<p>Wrens sleep together in winter; sixty of them were counted in one nest box.</p>
<p>Goldfinches live on the seeds of thistles and teasels, and feed them to their young.</p>
<p>Swallows leave in September and winter in southern Africa.</p>"""
ASKED = (
    "how many eggs does a robin lay",
    "do wrens sleep together in winter",
    "what do goldfinches feed their young",
    "when do swallows leave for africa",
    "how often does a robin breed in a year",
    "which bird eats the seeds of teasels",
    "where do swallows spend the winter",
    "how many wrens fit into one nest box",
)
LINES = [
    json.dumps({"example_id": number, "question_text": text, "document_title": "Garden birds", "document_html": TEXT})
    for number, text in enumerate(ASKED, start=1)
]
WRONG = [
    LINES[0][:70],
    json.dumps({"example_id": 2, "question_text": "do wrens sleep alone", "document_html": TEXT}),
    json.dumps({"example_id": 9, "question": "do robins sing in winter", "document_html": TEXT}),
]


class Album:
    """Takes the pictures of the guides, of one person's page each, into a folder."""

    def __init__(self, browser: Browser, url: str, folder: Path) -> None:
        self.browser, self.url, self.folder = browser, url, folder
        self.blank = browser.new_page()
        self.taken: list[str] = []

    def page(self, name: str, password: str) -> Page:
        """A window in which this person is signed in."""
        page = self.browser.new_context(base_url=self.url, viewport=WINDOW, color_scheme="light").new_page()
        sign_in(page, name, password)
        return page

    def take(self, name: str, page: Page, *shown: str | Locator) -> None:
        """Photograph the rectangle around these elements."""
        found = [page.locator(one).first if isinstance(one, str) else one for one in shown]
        boxes = [box for box in (one.bounding_box() for one in found) if box is not None]
        left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
        right = max(box["x"] + box["width"] for box in boxes)
        bottom = max(box["y"] + box["height"] for box in boxes)
        clip = FloatRect(
            x=max(0, left - MARGIN),
            y=max(0, top + page.evaluate("scrollY") - MARGIN),
            width=right - left + 2 * MARGIN,
            height=bottom - top + 2 * MARGIN,
        )
        page.mouse.move(0, 0)
        picture = page.screenshot(full_page=True, clip=clip, animations="disabled")
        (self.folder / f"{name}.png").write_bytes(with_palette(pixels(self.blank, picture)))
        self.taken.append(name)


def take_all(browser: Browser, url: str, folder: Path, passwords: dict[str, str]) -> list[str]:
    """Take all pictures; return what is missing."""
    album = Album(browser, url, folder)
    page = album.page("lena", passwords["lena"])
    for part in (_new_project, _import, _splits_and_rehearsal, _people, _board, _items, _releases, _disputes, _others):
        part(album, page)
    _kit(album, passwords)
    return [f"{name}: not taken" for name in PICTURES if name not in album.taken]


def _new_project(album: Album, page: Page) -> None:
    page.goto("/projects/new/protocol/")
    page.get_by_role("radio", name="Natural Questions").check()
    page.evaluate("Promise.all([...document.images].map((one) => (one.loading = 'eager', one.decode())))")
    album.take("new-project", page, ".steps", "h1", page.locator(".protocol").nth(1), page.locator(".protocol").first)
    _next(page)
    page.get_by_label("Title").fill("Garden birds")
    _next(page)
    page.get_by_label("Expected").first.fill("500")
    _next(page)
    page.get_by_role("button", name="Make the project").click()
    page.get_by_role("heading", name="Garden birds is ready, and empty").wait_for()
    album.take("empty-board", page, "#empty", ".todo")


def _next(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Next:").click()


def _import(album: Album, page: Page) -> None:
    page.goto(f"{BIRDS}imports/")
    file = FilePayload(name="garden-birds.jsonl", mimeType="", buffer="\n".join([*LINES, *WRONG]).encode())
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Upload and import").click()
    page.locator("#refused").wait_for(timeout=BY_A_JOB)
    page.get_by_role("button", name="Import the").wait_for(timeout=BY_A_JOB)
    album.take("refused-lines", page, ".crumbs", "#import .stack")
    page.get_by_role("button", name="Import the").click()
    page.get_by_role("heading", name="Next: open a queue").wait_for(timeout=BY_A_JOB)


def _splits_and_rehearsal(album: Album, page: Page) -> None:
    page.goto(f"{BIRDS}settings/splits/")
    page.get_by_label("Sizes").fill("dev: 2, test: 25 %")
    page.get_by_role("button", name="See what this would do").click()
    page.get_by_role("button", name="Divide like this").wait_for()
    album.take("splits", page, "form section.card", "form > .grid-2", "aside.card")
    page.get_by_role("button", name="Divide like this").click()
    page.goto(f"{BIRDS}rehearsals/")
    page.get_by_role("button", name="Rehearse").click()
    page.get_by_role("heading", name="Pieces of work").wait_for(timeout=BY_A_JOB)
    album.take("rehearsal", page, ".verdict-head", page.locator("main section.card").nth(2))


def _people(album: Album, page: Page) -> None:
    page.goto(f"{BIRDS}people/")
    page.get_by_label("Whom, one on each line").fill("Ada Holt\nBen Okoye\nCarla Moen")
    page.get_by_role("button", name="Make links").click()
    page.get_by_role("link", name="Done").wait_for()
    album.take("invitations", page, "h1", "main section.card")


def _board(album: Album, page: Page) -> None:
    page.goto(PAGES)
    album.take("board", page, "#board-head", "#needs")
    album.take("board-pictures", page, *page.locator("#board-cards > .card").all()[:4])
    page.goto(f"{PAGES}queues/")
    album.take("queues", page, "h1", "main section.card")


def _items(album: Album, page: Page) -> None:
    page.goto(f"{PAGES}items/?split=dev")
    album.take("items", page, "main form", page.locator("#items tbody tr").nth(4))
    page.get_by_role("link", name="is laminated glass used to make the windscreens of cars").click()
    album.take("item", page, "h1", page.locator("main article").nth(1))


def _releases(album: Album, page: Page) -> None:
    page.goto(f"{PAGES}releases/")
    page.locator("#shown-title").wait_for()
    album.take("release", page, ".vers", ".release-cols section.card")
    page.goto(f"{PAGES}releases/new/")
    page.locator("#preview table").first.wait_for(timeout=BY_A_JOB)
    album.take("new-release", page, "#choices", "#preview", page.locator(".new-release fieldset").nth(2))


def _disputes(album: Album, page: Page) -> None:
    page.goto(f"{PAGES}disputes/")
    page.locator("th a[href*='/disputes/']").first.click()
    page.locator("#decide").wait_for()
    album.take("dispute", page, ".crumbs", "form[data-ctrl-enter]")


def _others(album: Album, page: Page) -> None:
    page.goto(f"{TALKS}items/?state=done")
    page.set_viewport_size({"width": 1120, "height": WINDOW["height"]})  # text and turns side by side
    page.locator("#items tbody th a").first.click()
    page.locator("#turns-title").wait_for()
    album.take("conversation", page, ".by-turn .card-head", page.locator(".turn-table tbody tr").nth(6))
    page.set_viewport_size(WINDOW)
    page.goto(PAPERS)
    album.take("figures", page, "#figures .card-head", page.locator("#figures table").nth(3))


def _kit(album: Album, passwords: dict[str, str]) -> None:
    """Stages that are written with the page kit: a card beside a text, a talk, and the parts of a turn."""
    alice = album.page("alice", passwords["alice"])
    alice.goto("/")
    alice.locator(f"form[action='{PARAGRAPHS}answer/next/'] button").click()
    alice.locator("#screen[data-started]").wait_for()
    album.take("kit-two-panes", alice, "main")
    for who, name, shown in (("ilya", "kit-talk", "main"), ("hana", "kit-parts", ".prompt")):
        page = album.page(who, passwords[who])
        page.set_viewport_size(SCREEN)
        page.goto("/")
        page.locator("a[data-key=c]").click()
        page.locator("#screen[data-started]").wait_for()
        album.take(name, page, shown)
