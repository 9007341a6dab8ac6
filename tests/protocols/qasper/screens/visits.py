"""Pictures of QASPER: searching, asking, answering, and what a lead sees of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from playwright.sync_api import Page, TimeoutError

from tests.screens.answering import open_sheet
from tests.screens.camera import Camera, Visit, arrived, press, saved, send_unchecked

PROJECT = "bells"
TWICE = r"""() => {
    const paragraphs = [...document.querySelectorAll("[data-passage]")];
    const text = paragraphs.map((each) => each.textContent.toLowerCase()).join(" ");
    const times = (found) => (text.match(new RegExp(found, "g")) ?? []).length;
    return text.match(/\b[a-z]{4,}\b/g).find((word) => times(word) === 2 && times(`\\b${word}\\b`) === 2);
}"""
"""A word that occurs twice in the paper."""


def visits(size: str) -> Iterator[Visit]:
    """The visitors: the lead of all pictured projects, a writer and an answerer."""
    yield "lotte", (lead,)
    yield f"wren-{size}", (writer,)
    yield f"abel-{size}", (answerer,)


def writer(camera: Camera) -> None:
    """Random papers, ranked results, no results; then a card: empty, refused, restored, skipped."""
    page = camera.page
    page.goto(f"/projects/{PROJECT}/ask/search/")
    camera.take("papers-random", whole=True)
    page.goto(f"/projects/{PROJECT}/ask/search/?q=zzz")
    camera.take("papers-nothing")
    page.goto(f"/projects/{PROJECT}/ask/search/?q=language")
    camera.take("papers-found", whole=True)
    page.goto(f"/projects/{PROJECT}/ask/search/")
    page.get_by_role("button", name="Open").first.click()
    arrived(page, "questions")
    camera.take("papers-ask")
    _first_question(page, "Why")
    send_unchecked(page)
    camera.take("papers-ask-refused")
    page.goto(_work(page))
    arrived(page, "questions")
    _first_question(page, "Which corpus was used in the study?")
    saved(page)
    page.goto(_work(page))
    arrived(page, "questions")
    camera.take("papers-ask-restored")
    press(page, "Alt+s")
    page.get_by_label("Not my subject").check(force=True)
    page.get_by_role("button", name="Skip – choose another paper").click()
    page.locator(".toast", has_text="Skipped").wait_for()
    camera.take("papers-skipped")
    page.goto("/time/")
    page.locator("tbody a").first.click()
    page.get_by_text("Choosing what to work on").wait_for()
    camera.take("time-day-searching", whole=True)


def answerer(camera: Camera) -> None:
    """A question of a block: as it opens, sent with errors, and with restored evidence."""
    page = camera.page
    page.goto("/")
    page.locator(f"form[action='/projects/{PROJECT}/answer/next/'] button").click()
    arrived(page, "answer")
    camera.take("papers-answer")
    send_unchecked(page)
    camera.take("papers-answer-refused")
    page.goto(_work(page))
    arrived(page, "answer")
    press(page, "3")
    _show(page, "paper")
    page.locator("[data-sentence]").first.click()
    saved(page)
    page.goto(_work(page))
    arrived(page, "answer")
    camera.take("papers-answer-restored")
    press(page, "1")
    _show(page, "paper")
    _mark_outside(page)
    camera.take("papers-answer-outside")
    press(page, "Escape")
    _show(page, "answer")
    page.locator(".quote-way summary").click()
    page.locator("[data-quote]").fill(page.evaluate(TWICE))
    page.locator("[data-find-quote]").click()
    page.locator("[data-matches] button").first.wait_for()
    camera.take("papers-answer-offered")


def _show(page: Page, part: str) -> None:
    """Show the paper or the answer, on screens with room for only one."""
    tab = page.locator(f"button[data-show='{part}']")
    if tab.is_visible():
        tab.click()


def lead(camera: Camera) -> None:
    """A paper with its questions and a question with its answer, side by side with those of others."""
    page = camera.page
    for name, text in (("papers-item-paper", ":"), ("papers-item-question", "?")):
        page.goto(f"/projects/{PROJECT}/items/")
        done = page.locator("#items tbody tr", has_text="1 of 1")
        done.filter(has_text=text).locator("a[href*='/items/']").first.click()
        page.get_by_role("heading", level=1).wait_for()
        camera.take(name, whole=True)


def _first_question(page: Page, text: str) -> None:
    """Type into the first row; on small screens open the sheet of questions first."""
    open_sheet(page)
    page.locator("[data-asks] textarea").first.fill(text)


def _work(page: Page) -> str:
    return "/".join(page.url.split("/")[:5]) + "/"


def _mark_outside(page: Page) -> None:
    """Mark a word outside the evidence (the first of a sentence); retry while the paper still scrolls to its place."""
    sentence = page.locator("[data-passage]").nth(1).locator("[data-sentence]").first
    asked = page.locator("[data-ask]")
    for patience in (5_000, 5_000, 30_000):
        sentence.dblclick(position={"x": 5, "y": 10})
        with suppress(TimeoutError):
            asked.wait_for(timeout=patience)
            return
    raise AssertionError("nobody asked about words outside the evidence")
