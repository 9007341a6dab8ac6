"""Pictures of DuReader: telling the type of a question, answering it, and what a lead sees."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.screens.answering import open_sheet
from tests.screens.camera import Camera, Visit, arrived, press, saved, send_unchecked

ANSWER = "All four giant planets: Jupiter, Saturn, Uranus and Neptune."
WASHED = "Yes: they take up very little water, if you rinse them quickly and dry them."
WIPED = "No, wipe them with a cloth or a brush, since they soak up water like a sponge."


def visits(size: str) -> Iterator[Visit]:
    """The visits of a writer, and of the lead of all projects."""
    yield f"dina-{size}", (answers, opinions, arabic, kind)
    yield f"dora-{size}", (together,)
    yield "lotte", (lead,)


def kind(camera: Camera) -> None:
    """The type of a question: as it opens, sent with errors, restored, followed by answers, revised and changed."""
    page = camera.page
    _begin(page, "balcony", "kind")
    camera.take("documents-kind")
    send_unchecked(page)
    camera.take("documents-kind-refused")
    _again(page, "kind")
    press(page, "2", "o")
    saved(page)
    _again(page, "kind")
    camera.take("documents-kind-restored")
    press(page, "Control+Enter")
    arrived(page, "answers")
    camera.take("documents-typed")
    page.get_by_role("link", name="Change the type").click()
    arrived(page, "kind")
    camera.take("documents-kind-revised")
    press(page, "1", "Control+Enter")
    page.get_by_role("dialog").wait_for()
    camera.take("documents-kind-changed")


def answers(camera: Camera) -> None:
    """A question of entities: as it opens, sent with errors, with answers, restored, and without an answer."""
    page = camera.page
    _begin(page, "planets", "answers")
    camera.take("documents-answers")
    send_unchecked(page)
    camera.take("documents-answers-refused")
    _again(page, "answers")
    press(page, "j", "m", "j", "m")
    if camera.size == "narrow":
        camera.take("documents-read")
    _write(page, 1, ANSWER)
    for name in ("Jupiter", "Saturn", "Uranus", "Pluto"):
        page.get_by_label("Entities of answer 1", exact=True).fill(name)
        page.get_by_role("button", name="Add", exact=True).first.click()
    camera.take("documents-answers-written")
    saved(page)
    _again(page, "answers")
    open_sheet(page)
    camera.take("documents-answers-restored")
    press(page, "Escape", "n")
    open_sheet(page)
    camera.take("documents-answers-none")


def opinions(camera: Camera) -> None:
    """A yes-no question with two answers of opposite opinions; the documents one after another."""
    page = camera.page
    _begin(page, "mushrooms", "answers")
    if camera.size == "wide":
        page.get_by_role("button", name="Side by side").click()
    press(page, "m")
    for number, (text, opinion) in enumerate(((WASHED, "Yes"), (WIPED, "No")), start=1):
        if number > 1:
            page.get_by_role("button", name="Add a differing answer").click()
        _write(page, number, text)
        page.locator(f"[data-row='{number}']").get_by_text(opinion, exact=True).click()
    camera.take("documents-opinions")


def arabic(camera: Camera) -> None:
    """Documents that run from right to left."""
    _begin(camera.page, "mint", "answers")
    camera.take("documents-arabic")


def together(camera: Camera) -> None:
    """The answers to a question on one screen of a judging round, two of them with a mark."""
    page = camera.page
    page.goto("/")
    page.get_by_role("link", name="Answers side by side").click()
    page.get_by_role("button", name="Begin").click()
    arrived(page, "judge")
    press(page, "4", "2")
    camera.take("documents-together")


def lead(camera: Camera) -> None:
    """Questions with their answers: one whose type its writers said, one of opinions."""
    page = camera.page
    for name, slug in (("documents-item", "balcony"), ("documents-item-opinions", "mushrooms")):
        page.goto(f"/projects/{slug}/items/")
        page.locator("#items tbody a[href*='/items/']").first.click()
        page.get_by_role("heading", level=1).wait_for()
        camera.take(name, whole=True)
    page.goto("/projects/planets/judging/")
    page.get_by_role("link", name="A draft of answers side by side").click()
    page.get_by_role("link", name="Preview an item").click()
    if page.get_by_role("button", name="Draw an item").is_visible():
        page.get_by_role("button", name="Draw an item").click()
    page.get_by_role("article").wait_for()
    camera.take("documents-together-preview", whole=True)


def _begin(page: Page, slug: str, stage: str) -> None:
    page.goto("/")
    page.locator(f"form[action='/projects/{slug}/compose/next/'] button").click()
    arrived(page, stage)


def _again(page: Page, stage: str) -> None:
    page.goto(_work(page))
    arrived(page, stage)


def _write(page: Page, number: int, text: str) -> None:
    open_sheet(page)
    page.get_by_label(f"Answer {number}", exact=True).fill(text)


def _work(page: Page) -> str:
    return "/".join(page.url.split("/")[:5]) + "/"
