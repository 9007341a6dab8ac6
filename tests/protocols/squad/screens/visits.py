"""Pictures of SQuAD: asking, answering, and what a lead sees."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.screens.answering import open_sheet
from tests.screens.camera import Camera, Visit, arrived, post, press, saved, send_unchecked
from tests.texts.languages import STORIES
from tests.waiting.settled import ready

PROJECT = "beehives"


def visits(size: str) -> Iterator[Visit]:
    """The visits of a question writer, two annotators, and the lead of all projects."""
    yield f"ada-{size}", (asking,)
    yield f"ben-{size}", (answering,)
    yield f"vera-{size}", (languages,)
    yield "lotte", (lead,)


def asking(camera: Camera) -> None:
    """A paragraph as it opens, sent with errors, with words that are pending, restored, and with several questions."""
    page = camera.page
    _begin(page, "ask")
    arrived(page, "questions")
    camera.take("paragraphs-ask")
    _write(page, 1, "What is this about?")
    send_unchecked(page)
    camera.take("paragraphs-ask-refused")
    page.goto(_work(page))
    arrived(page, "questions")
    _write(page, 1, "Who is it that this paragraph is mostly about, and since when?")
    _mark(page)
    camera.take("paragraphs-ask-pending")
    page.get_by_role("button", name="Add these words").click()
    saved(page)
    page.goto(_work(page))
    arrived(page, "questions")
    camera.take("paragraphs-ask-restored")
    open_sheet(page)
    page.get_by_role("button", name="Add a question").click()
    words = page.locator("[data-passage]").inner_text().split()
    page.get_by_label("Question 2", exact=True).fill(" ".join([*words[2:9], "what?"]))
    page.get_by_label("It only seems to").nth(1).check(force=True)
    camera.take("paragraphs-ask-several")


def answering(camera: Camera) -> None:
    """A question as it opens, sent with errors, with words that came back, and without an answer."""
    page = camera.page
    _begin(page, "answer")
    arrived(page, "answer")
    camera.take("paragraphs-answer")
    send_unchecked(page)
    camera.take("paragraphs-answer-refused")
    page.goto(_work(page))
    arrived(page, "answer")
    _mark(page)
    page.get_by_role("button", name="Add these words").click()
    saved(page)
    page.goto(_work(page))
    arrived(page, "answer")
    open_sheet(page)
    camera.take("paragraphs-answer-restored")
    press(page, "Escape", "n")
    camera.take("paragraphs-answer-none")


def languages(camera: Camera) -> None:
    """A question in each of several languages, with the words of its answer marked and about to be added."""
    page = camera.page
    for language, story in STORIES.items():
        page.goto("/")
        post(page, f"/projects/lighthouse-{language}/answer/next/")
        arrived(page, "answer")
        press(page, "c")
        for at in (0, len(story.answer) - 1):
            _click_character(page, story.text.index(story.answer) + at)
        page.locator("[data-pending-bar]").wait_for()
        camera.take(f"paragraphs-answer-{language}")


def lead(camera: Camera) -> None:
    """A paragraph with what was asked about it, and a question with its answers."""
    page = camera.page
    for name, text in (("paragraphs-item-paragraph", "("), ("paragraphs-item-question", "?")):
        page.goto(f"/projects/{PROJECT}/items/")
        rows = page.locator("#items tbody tr").filter(has_text=text)
        done = rows.filter(has_text="1 of 1") if text == "(" else rows.filter(has_text="2 of 2")
        done.locator("a[href*='/items/']").first.click()
        page.get_by_role("heading", level=1).wait_for()
        camera.take(name, whole=True)


def _begin(page: Page, activity: str) -> None:
    page.goto("/")
    page.locator(f"form[action='/projects/{PROJECT}/{activity}/next/'] button").click()


def _write(page: Page, number: int, text: str) -> None:
    """Write a question, then close the bottom sheet if there is one."""
    open_sheet(page)
    page.get_by_label(f"Question {number}", exact=True).fill(text)
    press(page, "Escape")


def _mark(page: Page) -> None:
    """A double click on a word of the paragraph; it is pending then."""
    page.locator("[data-passage]").dblclick(position={"x": 5, "y": 14})
    page.locator("[data-pending-bar]").wait_for()


def _click_character(page: Page, at: int) -> None:
    """Click in the middle of a character of the paragraph, all of which have one UTF-16 unit."""
    ready(page)
    x, y = page.locator("[data-passage]").evaluate(
        """(element, at) => {
          const range = new Range();
          range.setStart(element.firstChild, at);
          range.setEnd(element.firstChild, at + 1);
          const box = range.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }""",
        at,
    )
    page.mouse.click(x, y)


def _work(page: Page) -> str:
    return "/".join(page.url.split("/")[:5]) + "/"
